"""The MuJoCo world: state, contacts, rays, cameras, video.

Importing this package picks the OpenGL backend (``MUJOCO_GL``) before MuJoCo is imported; import it first.
"""

from bodyloop.sim.backend import prepare_environment

prepare_environment()
