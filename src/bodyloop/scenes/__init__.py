"""Scene descriptions, homes, routes, and the MuJoCo builder."""
