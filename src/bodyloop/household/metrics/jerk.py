"""Smoothness of motion: mean jerk of the body's joints at the time scale of a step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import rotvec_to_matrix
from bodyloop.errors import DataError

__all__ = ["BODY_JOINT_COUNT", "point_jerk", "root_rigid_motion_jerk"]

BODY_JOINT_COUNT = 22

FloatArray = npt.NDArray[np.float64]


def root_rigid_motion_jerk(
    xb_world_75: npt.ArrayLike,
    rest_joints_m: npt.ArrayLike,
    *,
    smooth_window: int = 3,
    stride: int = 8,
    fps: float = 30.0,
) -> float | None:
    """Mean jerk (m/s^3) of the rest-pose joints carried rigidly by the root, or ``None`` for too short a clip.

    ``xb_world_75`` (T, 75): columns 0-2 root translation, 3-5 root axis-angle; ``rest_joints_m`` (22, 3), taken relative
    to its first row. The score does not depend on a fixed rotation or shift of the world.
    """
    motion = np.asarray(xb_world_75, dtype=np.float64)
    if motion.ndim != 2 or motion.shape[1] != 75:
        raise DataError(f"motion has shape {motion.shape}, expected (T, 75)")
    rest = np.asarray(rest_joints_m, dtype=np.float64)
    if rest.shape != (BODY_JOINT_COUNT, 3):
        raise DataError(f"rest joints have shape {rest.shape}, expected ({BODY_JOINT_COUNT}, 3)")
    rotation = rotvec_to_matrix(motion[:, 3:6])
    points = np.einsum("tij,kj->tki", rotation, rest - rest[0]) + motion[:, None, :3]
    return point_jerk(points, smooth_window=smooth_window, stride=stride, fps=fps)


def point_jerk(points_m: npt.ArrayLike, *, smooth_window: int = 3, stride: int = 8, fps: float = 30.0) -> float | None:
    """Mean jerk (m/s^3) of points (T, K, 3) from third differences over ``stride`` frames, after a moving average.

    ``None`` if there are fewer than ``3 * stride + 1`` frames.
    """
    if smooth_window < 1 or smooth_window % 2 == 0:
        raise DataError(f"smooth_window is {smooth_window}, expected an odd number from 1")
    if stride < 1:
        raise DataError(f"stride is {stride}, expected 1 or more")
    if not fps > 0:
        raise DataError(f"fps is {fps}, expected a positive number")
    points = np.asarray(points_m, dtype=np.float64)
    if len(points) < 3 * stride + 1:
        return None
    smooth = _moving_average(points, smooth_window)
    third = smooth[3 * stride :] - 3.0 * smooth[2 * stride : -stride] + 3.0 * smooth[stride : -2 * stride]
    third -= smooth[: -3 * stride]
    return float(np.linalg.norm(third, axis=-1).mean() * (fps / stride) ** 3)


def _moving_average(points: FloatArray, window: int) -> FloatArray:
    """Mean over ``window`` frames; the ends repeat their edge frame."""
    half = window // 2
    padded = np.concatenate([np.repeat(points[:1], half, axis=0), points, np.repeat(points[-1:], half, axis=0)])
    total = padded[: len(points)].copy()
    for offset in range(1, window):
        total += padded[offset : offset + len(points)]
    return total / window
