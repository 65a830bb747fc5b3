"""Where the ego and exo cameras are, from the realized pose of the body.

World: the trajectory frame, Z up. The ego camera sits between the eyes and follows the head; neck and head joints are
always straight, so the view follows the torso. The exo camera hangs behind the body on a boom that may shorten.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bodyloop.household.profile import RenderingSection
from bodyloop.sim.cameras import CameraPose

__all__ = ["ego_camera", "exo_camera"]

FloatArray = npt.NDArray[np.float64]

_BOOM_CLEARANCE_M = 0.15
_SHORTEST_BOOM_M = 0.4


def ego_camera(eye_m: FloatArray, head_axes: FloatArray, rendering: RenderingSection) -> CameraPose:
    """Camera between the eyes.

    Args:
        eye_m: (3,) where the view starts, ahead of the midpoint between the eyes, world.
        head_axes: (3, 3) rotation of the head; columns are its left, up and forward axes in the world.
        rendering: FOV and pitch of the profile.
    """
    up, ahead = head_axes[:, 1], head_axes[:, 2]
    pitch = math.radians(rendering.ego_pitch_deg)
    forward = math.cos(pitch) * ahead - math.sin(pitch) * up
    return _pose(eye_m, forward, up, rendering.ego_fov_vertical_deg)


def exo_camera(
    root_m: FloatArray,
    root_forward: FloatArray,
    rendering: RenderingSection,
    free_distance: Callable[[FloatArray, FloatArray], float] | None = None,
) -> CameraPose:
    """Camera behind and above the body, looking at a point over its root.

    Args:
        root_m: (3,) pelvis position, world.
        root_forward: (3,) forward axis of the pelvis, world.
        rendering: boom length, heights and FOV of the profile.
        free_distance: distance to the first fixed surface from a point along a unit direction; given when the boom
            shortens on occlusion.
    """
    flat = np.array([root_forward[0], root_forward[1], 0.0])
    norm = float(np.linalg.norm(flat))
    flat = flat / norm if norm > 1e-6 else np.array([0.0, -1.0, 0.0])
    target = root_m + np.array([0.0, 0.0, rendering.exo_look_height_m])
    position = root_m - rendering.exo_distance_m * flat
    position[2] = root_m[2] + rendering.exo_height_m
    boom = position - target
    length = float(np.linalg.norm(boom))
    if free_distance is not None:
        free = free_distance(target, boom / length) - _BOOM_CLEARANCE_M
        position = target + boom / length * min(length, max(free, _SHORTEST_BOOM_M))
    return _pose(position, target - position, np.array([0.0, 0.0, 1.0]), rendering.exo_fov_vertical_deg)


def _pose(position: FloatArray, forward: FloatArray, up: FloatArray, fovy_deg: float) -> CameraPose:
    return CameraPose(position_m=_triple(position), forward=_triple(forward), up=_triple(up), fovy_deg=fovy_deg)


def _triple(vector: FloatArray) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
