"""The skeleton of the project's own adult: 22 joints, rest pose, masses.

Body frame: Y up, x to the body's left, z forward; the rest pose is a T pose. Joint names and order are those of
SMPL-X, the proportions are original: segment lengths and masses as fractions of stature and mass from Drillis and
Contini (1966) and Dempster (1955), as tabulated by Winter, Biomechanics and Motor Control of Human Movement, ch. 4.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "BODY_JOINTS",
    "EYE_OFFSETS_M",
    "HEAD_TOP_OFFSET_M",
    "JOINT_NAMES",
    "LINK_MASSES_KG",
    "MASS_KG",
    "PARENTS",
    "PELVIS_REST_OFFSET_M",
    "POSE_ROWS",
    "REST_OFFSETS_M",
    "SOLE_DEPTH_M",
    "STATURE_M",
    "joint_index",
    "rest_positions",
]

FloatArray = npt.NDArray[np.float64]

STATURE_M: Final = 1.70
MASS_KG: Final = 70.0

JOINT_NAMES: Final = (
    "pelvis",
    "left_hip",
    "right_hip",
    "spine1",
    "left_knee",
    "right_knee",
    "spine2",
    "left_ankle",
    "right_ankle",
    "spine3",
    "left_foot",
    "right_foot",
    "neck",
    "left_collar",
    "right_collar",
    "head",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
)
"""The 22 body links; link 0 is the free pelvis, links 1..21 each hang on one ball joint."""

BODY_JOINTS: Final = 21
"""Ball joints: rows 0..20 of a body pose belong to ``JOINT_NAMES[1:]``."""

POSE_ROWS: Final = 54
"""Rows of a body pose at the interface (21 body joints, then jaw, eyes and fingers, always zero)."""

PARENTS: Final = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)

PELVIS_REST_OFFSET_M: Final = np.array([0.0, -0.22, 0.0])
"""Pelvis joint minus root translation: pelvis = transl + offset, in the motion world's axes, for every orientation."""

# Fractions of stature: hip height 0.530, knee 0.285, ankle 0.039, shoulder 0.818, upper arm 0.186, forearm 0.146.
_HIP_X, _HIP_DROP = 0.088, 0.075
_THIGH, _SHANK = 0.245 * STATURE_M, 0.246 * STATURE_M
_UPPER_ARM, _FOREARM = 0.186 * STATURE_M, 0.146 * STATURE_M

_OFFSETS: Final[dict[str, tuple[float, float, float]]] = {
    "pelvis": (0.0, 0.0, 0.0),
    "left_hip": (_HIP_X, -_HIP_DROP, 0.0),
    "right_hip": (-_HIP_X, -_HIP_DROP, 0.0),
    "spine1": (0.0, 0.105, -0.015),
    "left_knee": (0.0, -_THIGH, 0.0),
    "right_knee": (0.0, -_THIGH, 0.0),
    "spine2": (0.0, 0.125, 0.0),
    "left_ankle": (0.0, -_SHANK, 0.0),
    "right_ankle": (0.0, -_SHANK, 0.0),
    "spine3": (0.0, 0.065, 0.005),
    "left_foot": (0.0, -0.042, 0.125),
    "right_foot": (0.0, -0.042, 0.125),
    "neck": (0.0, 0.175, -0.010),
    "left_collar": (0.055, 0.100, 0.0),
    "right_collar": (-0.055, 0.100, 0.0),
    "head": (0.0, 0.090, 0.015),
    "left_shoulder": (0.125, 0.020, 0.0),
    "right_shoulder": (-0.125, 0.020, 0.0),
    "left_elbow": (_UPPER_ARM, 0.0, 0.0),
    "right_elbow": (-_UPPER_ARM, 0.0, 0.0),
    "left_wrist": (_FOREARM, 0.0, 0.0),
    "right_wrist": (-_FOREARM, 0.0, 0.0),
}

REST_OFFSETS_M: Final[FloatArray] = np.array([_OFFSETS[name] for name in JOINT_NAMES])
"""(22, 3) joint position relative to its parent joint in the rest pose, body frame."""

SOLE_DEPTH_M: Final = 0.039 * STATURE_M
"""Height of the ankle joint above the sole in the rest pose."""

EYE_OFFSETS_M: Final = {"left_eye": (0.032, 0.056, 0.085), "right_eye": (-0.032, 0.056, 0.085)}
"""Eye centres in the head frame (eye height 0.936 of stature)."""

HEAD_TOP_OFFSET_M: Final = (0.0, 0.164, 0.0)
"""Crown of the head in the head frame."""

# Fractions of body mass (Dempster via Winter). The trunk (0.497) is spread over pelvis, three spine links and two collars.
_MASS_FRACTIONS: Final = {
    "pelvis": 0.142,
    "spine1": 0.100,
    "spine2": 0.100,
    "spine3": 0.115,
    "left_collar": 0.020,
    "right_collar": 0.020,
    "neck": 0.016,
    "head": 0.065,
    "left_hip": 0.100,
    "right_hip": 0.100,
    "left_knee": 0.0465,
    "right_knee": 0.0465,
    "left_ankle": 0.010,
    "right_ankle": 0.010,
    "left_foot": 0.0045,
    "right_foot": 0.0045,
    "left_shoulder": 0.028,
    "right_shoulder": 0.028,
    "left_elbow": 0.016,
    "right_elbow": 0.016,
    "left_wrist": 0.006,
    "right_wrist": 0.006,
}

LINK_MASSES_KG: Final = {name: fraction * MASS_KG for name, fraction in _MASS_FRACTIONS.items()}
"""Mass of each link; the sum is ``MASS_KG``."""


def joint_index(name: str) -> int:
    """Index of a joint in ``JOINT_NAMES``."""
    return JOINT_NAMES.index(name)


def rest_positions() -> FloatArray:
    """(22, 3) joint positions of the rest pose relative to the pelvis, body frame, metres."""
    positions = np.zeros((len(JOINT_NAMES), 3))
    for child, parent in enumerate(PARENTS):
        if parent >= 0:
            positions[child] = positions[parent] + REST_OFFSETS_M[child]
    return positions
