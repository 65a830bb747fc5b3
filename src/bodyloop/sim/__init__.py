"""The MuJoCo world: state, contacts, rays, cameras, video."""
