"""Pose layouts at the body's interface, and the conversion from the motion world to the trajectory frame.

Motion world: Y up, a body at yaw 0 looks along +Z. Trajectory frame (also the physics world): Z up, (x, -z, y) of the
motion world; orientations are premultiplied by a quarter turn about X, so a body at yaw 0 looks along -Y.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray, matrix_to_rotvec, rotvec_to_matrix
from bodyloop.body.skeleton import BODY_JOINTS, PELVIS_REST_OFFSET_M, POSE_ROWS
from bodyloop.errors import MotionError

__all__ = [
    "TRAJECTORY_FROM_MOTION",
    "TRAJECTORY_PELVIS_OFFSET_M",
    "XB_DIM",
    "BodyPose",
    "parse_motion_action",
    "pose_to_xb75",
    "xb75_to_pose",
]

XB_DIM: Final = 75
"""Root translation 3, root axis-angle 3, 23 body joints x 3."""

_XB_JOINTS: Final = 23
_FLAT_DIM: Final = 6 + 3 * POSE_ROWS
_STILL_ROWS: Final = (11, 14)
"""Neck and head never turn relative to the torso: the view follows the torso."""

TRAJECTORY_FROM_MOTION: Final[FloatArray] = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Positions and orientations of the motion world in the trajectory frame (a turn of +90 degrees about X)."""

TRAJECTORY_PELVIS_OFFSET_M: Final[FloatArray] = TRAJECTORY_FROM_MOTION @ PELVIS_REST_OFFSET_M
"""Pelvis joint minus root translation in the trajectory frame."""


@dataclass(frozen=True, eq=False)
class BodyPose:
    """One pose or a chunk of poses in the trajectory frame (metres, radians); leading shape () or (T,)."""

    transl: FloatArray
    """(..., 3) root translation."""
    global_orient: FloatArray
    """(..., 3) pelvis orientation, axis-angle."""
    body_pose: FloatArray
    """(..., 54, 3) parent-relative joint rotations, axis-angle; rows 21..53 are zero for this body."""
    fps: float | None = None
    """Frame rate of a chunk; ``None`` where the sender did not say."""

    def frame(self, index: int) -> BodyPose:
        """One pose of a chunk."""
        return BodyPose(self.transl[index], self.global_orient[index], self.body_pose[index], self.fps)

    @property
    def frames(self) -> int:
        """Number of poses in a chunk."""
        return len(self.transl)

    @property
    def pelvis(self) -> FloatArray:
        """(..., 3) pelvis joint position."""
        position: FloatArray = self.transl + TRAJECTORY_PELVIS_OFFSET_M
        return position


def xb75_to_pose(xb: npt.ArrayLike) -> BodyPose:
    """Convert motion-world poses (75,) or (T, 75) into the trajectory frame.

    Neck and head are zeroed, the two hand joints dropped, rows 21..53 filled with zeros. Raises ``MotionError`` for any
    other shape and for numbers that are not finite.
    """
    vector = _finite(xb, "xb75")
    if vector.ndim not in (1, 2) or vector.shape[-1] != XB_DIM:
        raise MotionError(f"xb75: expected shape (75,) or (T, 75), got {vector.shape}")
    joints = vector[..., 6:].reshape(*vector.shape[:-1], _XB_JOINTS, 3)
    body_pose = np.zeros((*vector.shape[:-1], POSE_ROWS, 3))
    body_pose[..., :BODY_JOINTS, :] = joints[..., :BODY_JOINTS, :]
    body_pose[..., _STILL_ROWS, :] = 0.0
    orient = matrix_to_rotvec(TRAJECTORY_FROM_MOTION @ rotvec_to_matrix(vector[..., 3:6]))
    return BodyPose(vector[..., :3] @ TRAJECTORY_FROM_MOTION.T, orient, body_pose)


def pose_to_xb75(pose: BodyPose) -> FloatArray:
    """Convert trajectory-frame poses back to (..., 75) of the motion world; the two hand joints are zero."""
    lead = pose.transl.shape[:-1]
    xb = np.zeros((*lead, XB_DIM))
    xb[..., :3] = pose.transl @ TRAJECTORY_FROM_MOTION
    xb[..., 3:6] = matrix_to_rotvec(TRAJECTORY_FROM_MOTION.T @ rotvec_to_matrix(pose.global_orient))
    xb[..., 6 : 6 + 3 * BODY_JOINTS] = pose.body_pose[..., :BODY_JOINTS, :].reshape(*lead, -1)
    return xb


def parse_motion_action(action: object) -> BodyPose:
    """Read one chunk in any accepted form and return it in the trajectory frame, leading shape (T,).

    Accepted: a mapping with ``transl`` (T, 3), ``global_orient`` (T, 3), ``body_pose`` (T, 54, 3) or (T, 162) and
    optionally ``fps``; a mapping holding that under ``body_state``; an array (T, 168) in the trajectory frame; an array
    (T, 75) of the motion world; an object with ``xb_world_75``; a ``BodyPose``. Raises ``MotionError`` naming the field.
    """
    if isinstance(action, BodyPose):
        return _chunk(action.transl, action.global_orient, action.body_pose, action.fps)
    if isinstance(action, Mapping):
        return _parse_mapping(action)
    array = getattr(action, "xb_world_75", action)
    if array is None:
        raise MotionError("motion action: expected a chunk of motion, got None")
    try:
        vector = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MotionError(f"motion action: not a numeric array ({type(action).__name__})") from error
    if vector.ndim == 2 and vector.shape[1] == XB_DIM:
        return xb75_to_pose(vector)
    if vector.ndim == 2 and vector.shape[1] == _FLAT_DIM:
        return _chunk(vector[:, :3], vector[:, 3:6], vector[:, 6:], None)
    raise MotionError(f"motion action: expected an array (T, 75) or (T, {_FLAT_DIM}), got shape {vector.shape}")


def _parse_mapping(action: Mapping[Any, Any]) -> BodyPose:
    state = action.get("body_state", action)
    if not isinstance(state, Mapping):
        raise MotionError(f"body_state: expected a mapping, got {type(state).__name__}")
    missing = [name for name in ("transl", "global_orient", "body_pose") if name not in state]
    if missing:
        raise MotionError(f"motion action: field {missing[0]!r} is missing")
    fps = state.get("fps", action.get("fps"))
    return _chunk(state["transl"], state["global_orient"], state["body_pose"], fps)


def _chunk(transl: npt.ArrayLike, global_orient: npt.ArrayLike, body_pose: npt.ArrayLike, fps: object) -> BodyPose:
    root, orient, body = (
        _finite(transl, "transl"),
        _finite(global_orient, "global_orient"),
        _finite(body_pose, "body_pose"),
    )
    if root.ndim != 2 or root.shape[1] != 3:
        raise MotionError(f"transl: expected shape (T, 3), got {root.shape}")
    frames = len(root)
    if orient.shape != (frames, 3):
        raise MotionError(f"global_orient: expected shape ({frames}, 3), got {orient.shape}")
    if body.shape not in ((frames, POSE_ROWS, 3), (frames, 3 * POSE_ROWS)):
        raise MotionError(f"body_pose: expected shape ({frames}, {POSE_ROWS}, 3), got {body.shape}")
    return BodyPose(root, orient, body.reshape(frames, POSE_ROWS, 3), _frame_rate(fps))


def _frame_rate(fps: object) -> float | None:
    if fps is None:
        return None
    if isinstance(fps, bool) or not isinstance(fps, (int, float, np.number)) or not np.isfinite(fps) or fps <= 0:
        raise MotionError(f"fps: expected a positive number, got {fps!r}")
    return float(fps)


def _finite(values: npt.ArrayLike, field: str) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MotionError(f"{field}: not a numeric array") from error
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        raise MotionError(f"{field}: not finite at index {tuple(int(i) for i in bad[0])}; the chunk is refused")
    return array
