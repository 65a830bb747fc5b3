"""Measures of the project's own body that the planner uses, and the limits it keeps."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.skeleton import REST_OFFSETS_M, SOLE_DEPTH_M, joint_index
from bodyloop.motion.types import CHUNK_FRAMES, FPS

__all__ = [
    "ANKLE_HEIGHT_M",
    "BALL_AHEAD_M",
    "BALL_HEIGHT_M",
    "CHUNK_S",
    "FRAME_S",
    "HEEL_BEHIND_M",
    "HEEL_EDGE_M",
    "HIP_DROP_M",
    "HIP_HALF_WIDTH_M",
    "LEG_M",
    "LEG_REACH_M",
    "SHANK_M",
    "STANDING_PELVIS_M",
    "THIGH_M",
    "seat_depth_m",
]

FRAME_S: Final = 1.0 / FPS
CHUNK_S: Final = CHUNK_FRAMES / FPS

_HIP = REST_OFFSETS_M[joint_index("left_hip")]
_BALL = REST_OFFSETS_M[joint_index("left_foot")]

HIP_HALF_WIDTH_M: Final = float(_HIP[0])
HIP_DROP_M: Final = float(-_HIP[1])
THIGH_M: Final = float(-REST_OFFSETS_M[joint_index("left_knee")][1])
SHANK_M: Final = float(-REST_OFFSETS_M[joint_index("left_ankle")][1])
LEG_M: Final = THIGH_M + SHANK_M

LEG_REACH_M: Final = 0.9990 * LEG_M
"""Longest hip to ankle distance used: the knee keeps about 5 degrees of flexion."""

ANKLE_HEIGHT_M: Final = SOLE_DEPTH_M
BALL_AHEAD_M: Final = float(_BALL[2])
BALL_HEIGHT_M: Final = ANKLE_HEIGHT_M + float(_BALL[1])
"""Height of the toe joint above the sole of a flat foot."""

HEEL_BEHIND_M: Final = 0.058
HEEL_EDGE_M: Final = 0.010
"""Pivot of a foot that stands on its heel: this far behind the ankle and this far above the sole."""

STANDING_PELVIS_M: Final = ANKLE_HEIGHT_M + 0.9984 * LEG_M + HIP_DROP_M
"""Pelvis joint above the soles when standing at ease, about 6 degrees of knee flexion."""

_BUTTOCK_DROP_M, _BUTTOCK_BACK_M, _BUTTOCK_RADIUS_M = 0.043, 0.012, 0.107


def seat_depth_m(pitch_rad: float) -> float:
    """Height of the pelvis joint above the seat under it, for a pelvis pitched forward by ``pitch_rad``."""
    return float(_BUTTOCK_RADIUS_M + _BUTTOCK_DROP_M * np.cos(pitch_rad) - _BUTTOCK_BACK_M * np.sin(pitch_rad))
