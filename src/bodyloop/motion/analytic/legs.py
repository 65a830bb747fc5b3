"""Closed-form leg kinematics, vectorised over frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import (
    ANKLE_HEIGHT_M,
    BALL_AHEAD_M,
    BALL_HEIGHT_M,
    HIP_DROP_M,
    HIP_HALF_WIDTH_M,
    LEG_REACH_M,
    SHANK_M,
    THIGH_M,
)
from bodyloop.motion.analytic.curves import clip_softly, soft_minimum
from bodyloop.motion.analytic.reading import ankle_offset, heading, yaw_matrix

__all__ = [
    "ANKLE_LIMITS_RAD",
    "LegPose",
    "heel_lift",
    "pitch_matrix",
    "roll_matrix",
    "solve_legs",
    "within_reach",
]

ANKLE_LIMITS_RAD: Final = (-0.70, 1.00)
"""Toes up (negative) and toes down."""

_SOFT_REACH_M = 0.006
_KNEE_RISE = 0.3
_UP: Final[FloatArray] = np.array([0.0, 1.0, 0.0])
_HIP_OFFSETS_M: Final[FloatArray] = np.array(
    [[HIP_HALF_WIDTH_M, -HIP_DROP_M, 0.0], [-HIP_HALF_WIDTH_M, -HIP_DROP_M, 0.0]]
)
_TOE_ARM_M = float(np.hypot(BALL_AHEAD_M, ANKLE_HEIGHT_M - BALL_HEIGHT_M))


@dataclass(frozen=True, eq=False)
class LegPose:
    """Joint rotations of the left and the right leg, parent-relative, and the foot pitch they realise."""

    hip: FloatArray
    """(T, 2, 3, 3)."""
    knee_flexion: FloatArray
    """(T, 2) radians."""
    ankle: FloatArray
    """(T, 2, 3, 3)."""
    foot_pitch: FloatArray
    """(T, 2) radians."""


def pitch_matrix(angle_rad: FloatArray) -> FloatArray:
    """Turns about +X (..., 3, 3): forward for positive angles."""
    out = np.zeros((*angle_rad.shape, 3, 3))
    out[..., 0, 0] = 1.0
    out[..., 1, 1] = out[..., 2, 2] = np.cos(angle_rad)
    out[..., 2, 1] = np.sin(angle_rad)
    out[..., 1, 2] = -out[..., 2, 1]
    return out


def roll_matrix(angle_rad: FloatArray) -> FloatArray:
    """Turns about +Z (..., 3, 3): left side up for positive angles."""
    out = np.zeros((*angle_rad.shape, 3, 3))
    out[..., 2, 2] = 1.0
    out[..., 0, 0] = out[..., 1, 1] = np.cos(angle_rad)
    out[..., 1, 0] = np.sin(angle_rad)
    out[..., 0, 1] = -out[..., 1, 0]
    return out


def within_reach(ball: FloatArray, hip: FloatArray) -> FloatArray:
    """Ball points (..., 3), pulled towards the hip where even a foot on its toes cannot reach."""
    joint = ball + BALL_HEIGHT_M * _UP
    line = joint - hip
    length = np.linalg.norm(line, axis=-1)
    limit = LEG_REACH_M + 0.93 * _TOE_ARM_M
    pulled: FloatArray = (
        hip + line * (soft_minimum(length, limit, _SOFT_REACH_M) / length)[..., None] - BALL_HEIGHT_M * _UP
    )
    return pulled


def heel_lift(
    hip: FloatArray, ball: FloatArray, yaw_rad: FloatArray, pitch_rad: FloatArray, reach_m: FloatArray
) -> FloatArray:
    """Foot pitch (...,), at least ``pitch_rad``, at which the ankle is within ``reach_m`` of the hip."""
    line = hip - ball - BALL_HEIGHT_M * _UP
    ahead, up = (line * heading(yaw_rad)).sum(-1), line[..., 1]
    rise = ANKLE_HEIGHT_M - BALL_HEIGHT_M
    # |hip - ankle|^2 = |line|^2 + arm^2 - 2 K cos(pitch - phase)
    in_phase, quadrature = rise * up - BALL_AHEAD_M * ahead, BALL_AHEAD_M * up + rise * ahead
    amplitude, phase = np.hypot(in_phase, quadrature), np.arctan2(quadrature, in_phase)
    square = (line * line).sum(-1) + _TOE_ARM_M**2
    planned = np.sqrt(square - 2.0 * amplitude * np.cos(np.maximum(pitch_rad, 0.0) - phase))
    wanted = soft_minimum(planned, reach_m, _SOFT_REACH_M)
    cosine = np.clip((square - wanted**2) / (2.0 * amplitude), -1.0, 1.0)
    solved = phase - np.arccos(cosine)
    lifted: FloatArray = np.where(pitch_rad >= 0.0, np.maximum(solved, pitch_rad), pitch_rad + np.maximum(solved, 0.0))
    return lifted


def solve_legs(
    pelvis: FloatArray,
    root: FloatArray,
    balls: FloatArray,
    foot_yaw: FloatArray,
    pitch_rad: FloatArray,
    knee_yaw: FloatArray,
    extension: FloatArray,
) -> LegPose:
    """Rotations that put the feet at ``balls`` (T, 2, 3) with the knees bending towards ``knee_yaw`` (T, 2).

    ``pelvis`` (T, 3) and ``root`` (T, 3, 3) are the pelvis joint and its orientation.
    ``extension`` (T, 2) is the share of the leg's length beyond which the heel lifts.
    """
    hips = pelvis[:, None] + _HIP_OFFSETS_M @ np.swapaxes(root, -1, -2)
    balls = within_reach(balls, hips)
    pitch = heel_lift(hips, balls, foot_yaw, pitch_rad, extension * LEG_REACH_M)
    line = balls + ankle_offset(foot_yaw, pitch) - hips
    distance = np.linalg.norm(line, axis=-1)
    unit = line / distance[..., None]
    reach = np.clip(distance, abs(THIGH_M - SHANK_M) + 0.05, LEG_REACH_M)
    hinge = np.cross(heading(knee_yaw) + _KNEE_RISE * _UP, unit)
    hinge /= np.linalg.norm(hinge, axis=-1, keepdims=True)
    lift = np.arccos((THIGH_M**2 + reach**2 - SHANK_M**2) / (2.0 * THIGH_M * reach))
    flexion = np.pi - np.arccos((THIGH_M**2 + SHANK_M**2 - reach**2) / (2.0 * THIGH_M * SHANK_M))
    upward = np.sin(lift)[..., None] * np.cross(hinge, unit) - np.cos(lift)[..., None] * unit
    thigh = np.stack([hinge, upward, np.cross(hinge, upward)], axis=-1)
    foot = yaw_matrix(foot_yaw) @ pitch_matrix(pitch)
    ankle = _within_limits(np.swapaxes(thigh @ pitch_matrix(flexion), -1, -2) @ foot)
    return LegPose(np.swapaxes(root, -1, -2)[:, None] @ thigh, flexion, ankle, pitch)


def _within_limits(ankle: FloatArray) -> FloatArray:
    """Ankle rotations (..., 3, 3) whose flexion stays in human limits."""
    flexion = np.arctan2(ankle[..., 2, 1], ankle[..., 1, 1])
    low, high = ANKLE_LIMITS_RAD
    return pitch_matrix(clip_softly(flexion, low, high, 0.02) - flexion) @ ankle
