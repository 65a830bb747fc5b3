"""Canonical motion: every frame of a window seen from the floor point below the body at one reference frame.

Canonical frame: Y up, origin below the root, looking along +Z, +X to the left, the lowest joint at height zero. A
window is placed back into the world by the rigid transform of its reference frame and the height of its floor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray, matrix_to_rotvec, rotvec_to_matrix
from bodyloop.body.skeleton import joint_index
from bodyloop.motion.layout import BODY, JOINT_COUNT, ORIENT, TRANSL

__all__ = [
    "CanonicalWindow",
    "canonicalize_from_world",
    "decanonicalize_joints",
    "decanonicalize_xb",
    "floor_frame",
    "rigid_inverse",
    "yaw_transform",
]

Array = npt.NDArray[np.floating]

_LEFT_HIP, _RIGHT_HIP = joint_index("left_hip"), joint_index("right_hip")
_TINY = 1e-8


@dataclass(frozen=True, eq=False)
class CanonicalWindow:
    """A window of motion states and its place in the world."""

    state: FloatArray
    """(T, 219) canonical states."""
    T_ref: FloatArray
    """(4, 4) canonical frame in the world, at height zero."""
    floor_y: float
    """World height of the lowest joint at the reference frame."""


def floor_frame(transl: Array, joints: Array) -> FloatArray:
    """(..., 4, 4) frame on the floor below the root translation (..., 3), turned as the hips of joints (..., 24, 3) are."""
    across = np.asarray(joints[..., _LEFT_HIP, :] - joints[..., _RIGHT_HIP, :], dtype=np.float64)
    left = across * np.array([1.0, 0.0, 1.0])
    left = left / np.maximum(np.linalg.norm(left, axis=-1, keepdims=True), _TINY)
    frame = np.zeros((*left.shape[:-1], 4, 4))
    frame[..., :3, 0] = left
    frame[..., 1, 1] = 1.0
    frame[..., 0, 2], frame[..., 2, 2] = -left[..., 2], left[..., 0]
    frame[..., 0, 3], frame[..., 2, 3], frame[..., 3, 3] = transl[..., 0], transl[..., 2], 1.0
    return frame


def rigid_inverse(frame: FloatArray) -> FloatArray:
    """Inverse (..., 4, 4) of rigid transforms."""
    inverse = np.zeros_like(frame)
    turned = np.swapaxes(frame[..., :3, :3], -1, -2)
    inverse[..., :3, :3] = turned
    inverse[..., :3, 3] = -(turned @ frame[..., :3, 3:])[..., 0]
    inverse[..., 3, 3] = 1.0
    return inverse


def yaw_transform(yaw_rad: float, translation_m: npt.ArrayLike) -> FloatArray:
    """(4, 4) turn about +Y followed by a translation."""
    cosine, sine = np.cos(yaw_rad), np.sin(yaw_rad)
    frame = np.eye(4)
    frame[:3, :3] = [[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]]
    frame[:3, 3] = translation_m
    return frame


def canonicalize_from_world(
    xb_world: Array, joints_world: Array, velocities: Array, rotation_old: Array, reference: int = -1
) -> CanonicalWindow:
    """Canonical form of a window of world frames.

    ``xb_world`` (T, 75) and ``joints_world`` (T, 24, 3) are in the world; ``velocities`` (T, 24, 3) still in the canonical
    frame whose (3, 3) world rotation is ``rotation_old``. ``reference`` is the frame that becomes the origin.
    """
    frame = floor_frame(xb_world[reference, TRANSL], joints_world[reference])
    inverse = rigid_inverse(frame)
    turn, shift = inverse[:3, :3], inverse[:3, 3]
    transl = xb_world[:, TRANSL] @ turn.T + shift
    joints = joints_world @ turn.T + shift
    floor_y = float(joints[reference, :, 1].min())
    transl[:, 1] -= floor_y
    joints[..., 1] -= floor_y
    orient = matrix_to_rotvec(turn @ rotvec_to_matrix(xb_world[:, ORIENT]))
    rotated = velocities @ (turn @ rotation_old).T
    flat = (len(xb_world), 3 * JOINT_COUNT)
    state = np.concatenate([transl, orient, xb_world[:, BODY], joints.reshape(flat), rotated.reshape(flat)], axis=-1)
    return CanonicalWindow(state, frame, floor_y)


def decanonicalize_xb(xb: Array, T_ref: FloatArray, floor_y: float) -> FloatArray:
    """World form (T, 75) of canonical frames (T, 75)."""
    out = np.array(xb, dtype=np.float64)
    out[:, TRANSL] = decanonicalize_joints(xb[:, TRANSL], T_ref, floor_y)
    out[:, ORIENT] = matrix_to_rotvec(T_ref[:3, :3] @ rotvec_to_matrix(xb[:, ORIENT]))
    return out


def decanonicalize_joints(points: Array, T_ref: FloatArray, floor_y: float) -> FloatArray:
    """World form of canonical points (..., 3)."""
    raised: FloatArray = points + np.array([0.0, floor_y, 0.0])
    return raised @ T_ref[:3, :3].T + T_ref[:3, 3]
