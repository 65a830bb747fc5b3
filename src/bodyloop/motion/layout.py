"""The 219 numbers of one motion frame, and what is read from them.

``[0:3] root translation | [3:6] root axis-angle | [6:75] 23 joint axis-angles | [75:147] 24 joint positions |
[147:219] 24 joint velocities`` (metres, radians, metres per frame; raw units, no normalisation). The 24 joints are the
22 of the body followed by the two hands, which never turn against the wrists.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.kinematics import forward_kinematics_with_rotations, pelvis_position
from bodyloop.body.rotations import FloatArray
from bodyloop.body.skeleton import joint_index
from bodyloop.motion.types import XB_DIM

__all__ = [
    "BODY",
    "HAND_OFFSETS_M",
    "JOINTS",
    "JOINT_COUNT",
    "ORIENT",
    "POSITIONS",
    "TRANSL",
    "VELOCITIES",
    "frames_to_states",
    "joint_positions",
    "state_to_joints",
    "state_to_velocities",
    "state_to_xb",
    "zero_neck_head",
]

JOINT_COUNT: Final = 24
"""Joints of the motion state: the body's 22, then the left and the right hand."""

JOINTS: Final = 23
"""Joint rotations of a frame: every joint but the pelvis."""

TRANSL: Final = slice(0, 3)
ORIENT: Final = slice(3, 6)
BODY: Final = slice(6, XB_DIM)
POSITIONS: Final = slice(XB_DIM, XB_DIM + 3 * JOINT_COUNT)
VELOCITIES: Final = slice(XB_DIM + 3 * JOINT_COUNT, XB_DIM + 6 * JOINT_COUNT)

HAND_OFFSETS_M: Final[FloatArray] = np.array([[0.085, 0.0, 0.0], [-0.085, 0.0, 0.0]])
"""Middle of the left and the right hand in the frame of its wrist."""

_NECK = 6 + 3 * (joint_index("neck") - 1)
_HEAD = 6 + 3 * (joint_index("head") - 1)
_WRISTS = (joint_index("left_wrist"), joint_index("right_wrist"))


def state_to_xb(state: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Body parameters (..., 75) of states (..., 219)."""
    return state[..., :XB_DIM]


def state_to_joints(state: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Joint positions (..., 24, 3) of states (..., 219), metres."""
    return state[..., POSITIONS].reshape(*state.shape[:-1], JOINT_COUNT, 3)


def state_to_velocities(state: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Joint velocities (..., 24, 3) of states (..., 219): difference to the next frame, metres."""
    return state[..., VELOCITIES].reshape(*state.shape[:-1], JOINT_COUNT, 3)


def zero_neck_head(xb: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """A copy of frames (..., 75 or more) whose neck and head do not turn against the chest."""
    out = xb.copy()
    out[..., _NECK : _NECK + 3] = 0.0
    out[..., _HEAD : _HEAD + 3] = 0.0
    return out


def joint_positions(xb: npt.NDArray[np.floating]) -> FloatArray:
    """Positions (..., 24, 3) of the project's own body in the frames ``xb`` (..., 75), same axes as the translation."""
    body = xb[..., BODY].reshape(*xb.shape[:-1], JOINTS, 3)
    positions, rotations = forward_kinematics_with_rotations(pelvis_position(xb[..., TRANSL]), xb[..., ORIENT], body)
    hands = [
        positions[..., wrist, :] + rotations[..., wrist, :, :] @ offset
        for wrist, offset in zip(_WRISTS, HAND_OFFSETS_M, strict=True)
    ]
    return np.concatenate([positions, np.stack(hands, axis=-2)], axis=-2)


def frames_to_states(xb: npt.NDArray[np.floating], next_xb: npt.NDArray[np.floating] | None = None) -> FloatArray:
    """States (T, 219) of consecutive frames ``xb`` (T, 75) of the project's own body.

    The velocity of the last frame needs the frame after it, ``next_xb`` (75,); without it the last difference repeats.
    """
    positions = joint_positions(xb)
    if next_xb is None:
        following = positions[-1] + (positions[-1] - positions[-2] if len(positions) > 1 else 0.0)
    else:
        following = joint_positions(next_xb)
    velocities = np.diff(np.concatenate([positions, following[None]]), axis=0)
    flat = (len(xb), 3 * JOINT_COUNT)
    return np.concatenate([xb, positions.reshape(flat), velocities.reshape(flat)], axis=-1)
