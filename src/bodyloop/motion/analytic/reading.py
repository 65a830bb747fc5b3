"""What the planner knows: the state of the body, read from the five-frame history alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from bodyloop.body.kinematics import forward_kinematics_with_rotations, pelvis_position
from bodyloop.body.rotations import FloatArray, rotvec_to_matrix
from bodyloop.body.skeleton import joint_index
from bodyloop.motion.analytic.anatomy import (
    ANKLE_HEIGHT_M,
    BALL_AHEAD_M,
    BALL_HEIGHT_M,
    FRAME_S,
    HEEL_BEHIND_M,
    HEEL_EDGE_M,
    STANDING_PELVIS_M,
)
from bodyloop.motion.layout import BODY, JOINTS, ORIENT, TRANSL

__all__ = ["UPPER_ROWS", "BodyState", "Track", "ankle_offset", "heading", "read_body", "turned", "yaw_matrix"]

UPPER_ROWS: Final = tuple(
    joint_index(name) - 1
    for name in (
        "spine1",
        "spine2",
        "spine3",
        "left_collar",
        "right_collar",
        "left_shoulder",
        "right_shoulder",
        "left_elbow",
        "right_elbow",
        "left_wrist",
        "right_wrist",
    )
)
"""Rows of the 23 joint rotations that the planner moves without inverse kinematics."""

_UP: Final[FloatArray] = np.array([0.0, 1.0, 0.0])
_ANKLES = (joint_index("left_ankle"), joint_index("right_ankle"))
_SEATED_DROP_M = 0.10
_SEATED_LEAD_M = 0.12

# Five-point backward difference, exact for a polynomial of degree four.
_DIFFERENCE = np.array([3.0, -16.0, 36.0, -48.0, 25.0]) / (12.0 * FRAME_S)


@dataclass(frozen=True, eq=False)
class Track:
    """Value and rate (per second) of one quantity at the last history frame."""

    value: FloatArray
    rate: FloatArray


@dataclass(frozen=True, eq=False)
class BodyState:
    """The body at the last history frame, in the canonical frame."""

    pelvis: Track
    """(3,) pelvis joint, metres."""
    turn: Track
    """(3,) pelvis yaw, pitch (forward positive) and roll (left side up positive), radians."""
    balls: Track
    """(2, 3) left and right: the floor point below the toe joint of the foot laid flat where it is."""
    foot_yaw: Track
    """(2,) radians."""
    foot_pitch: Track
    """(2,) radians: heel up positive, toes up negative."""
    upper: Track
    """(11, 3) rotations of ``UPPER_ROWS``."""
    toes: Track
    """(2,) toe joint flexion, radians, upwards positive."""
    joints: FloatArray
    """(23, 3) joint rotations of the last frame."""
    floor_m: float
    """Height of the sole that carries the body."""
    seated: bool

    def anchors(self) -> FloatArray:
        """(2, 3) floor points below the ankles of the feet laid flat."""
        return self.balls.value - BALL_AHEAD_M * heading(self.foot_yaw.value)


def heading(yaw_rad: FloatArray | float) -> FloatArray:
    """Unit vectors (..., 3) on the floor that look along ``yaw_rad``."""
    yaw = np.asarray(yaw_rad, dtype=np.float64)
    return np.stack([np.sin(yaw), np.zeros_like(yaw), np.cos(yaw)], axis=-1)


def yaw_matrix(yaw_rad: FloatArray | float) -> FloatArray:
    """Turns about +Y (..., 3, 3)."""
    yaw = np.asarray(yaw_rad, dtype=np.float64)
    out = np.zeros((*yaw.shape, 3, 3))
    out[..., 0, 0] = out[..., 2, 2] = np.cos(yaw)
    out[..., 0, 2] = np.sin(yaw)
    out[..., 2, 0] = -out[..., 0, 2]
    out[..., 1, 1] = 1.0
    return out


def turned(x_m: float, z_m: float, yaw_rad: float) -> FloatArray:
    """(3,) floor vector ``x_m`` to the left and ``z_m`` ahead of someone looking along ``yaw_rad``."""
    return x_m * heading(yaw_rad + 0.5 * np.pi) + z_m * heading(yaw_rad)


def read_body(history: FloatArray) -> BodyState:
    """State of the body at the end of a canonical history (5, 219)."""
    body = history[:, BODY].reshape(len(history), JOINTS, 3)
    pelvis = pelvis_position(history[:, TRANSL])
    positions, rotations = forward_kinematics_with_rotations(pelvis, history[:, ORIENT], body)
    ankles, feet = positions[:, _ANKLES], rotations[:, _ANKLES]
    forward = feet[..., :, 2]
    foot_yaw = np.unwrap(np.arctan2(forward[..., 0], forward[..., 2]), axis=0)
    foot_pitch = np.arcsin(np.clip(-forward[..., 1], -1.0, 1.0))
    balls = ankles - ankle_offset(foot_yaw, foot_pitch)
    toes = rotvec_to_matrix(body[:, [joint_index("left_foot") - 1, joint_index("right_foot") - 1]])
    pelvis_track = Track(pelvis[-1], _DIFFERENCE @ pelvis)
    floor_m = float(balls[-1, :, 1].min())
    return BodyState(
        pelvis=pelvis_track,
        turn=_track(_turns(rotations[:, 0])),
        balls=_track(balls),
        foot_yaw=_track(foot_yaw),
        foot_pitch=_track(foot_pitch),
        upper=_track(body[:, UPPER_ROWS]),
        toes=_track(np.arctan2(toes[..., 1, 2], toes[..., 1, 1])),
        joints=body[-1],
        floor_m=floor_m,
        seated=_is_seated(pelvis[-1], ankles[-1], floor_m),
    )


def ankle_offset(yaw_rad: FloatArray, pitch_rad: FloatArray) -> FloatArray:
    """Ankle (..., 3) relative to the ball point of a foot that pivots on its ball (heel up) or on its heel (toes up)."""
    sine, cosine = np.sin(pitch_rad), np.cos(pitch_rad)
    on_ball = pitch_rad >= 0.0
    rise, ahead = ANKLE_HEIGHT_M - BALL_HEIGHT_M, -BALL_AHEAD_M
    y, z = np.where(on_ball, rise, ANKLE_HEIGHT_M - HEEL_EDGE_M), np.where(on_ball, ahead, HEEL_BEHIND_M)
    pivot_y = np.where(on_ball, BALL_HEIGHT_M, HEEL_EDGE_M)
    pivot_z = np.where(on_ball, 0.0, -BALL_AHEAD_M - HEEL_BEHIND_M)
    up, along = pivot_y + y * cosine - z * sine, pivot_z + y * sine + z * cosine
    offset: FloatArray = along[..., None] * heading(yaw_rad) + up[..., None] * _UP
    return offset


def _turns(rotation: FloatArray) -> FloatArray:
    """Yaw, pitch and roll (T, 3) of pelvis orientations (T, 3, 3)."""
    yaw = np.unwrap(np.arctan2(rotation[:, 0, 2], rotation[:, 2, 2]))
    pitch = np.arcsin(np.clip(-rotation[:, 1, 2], -1.0, 1.0))
    roll = np.arctan2(rotation[:, 1, 0], rotation[:, 1, 1])
    return np.stack([yaw, pitch, roll], axis=-1)


def _track(series: FloatArray) -> Track:
    return Track(series[-1], (series[-1] - series[-2]) / FRAME_S)


def _is_seated(pelvis: FloatArray, ankles: FloatArray, floor_m: float) -> bool:
    """Low, with both feet well ahead of the pelvis."""
    low = pelvis[1] - floor_m < STANDING_PELVIS_M - _SEATED_DROP_M
    return bool(low and (ankles[:, 2] - pelvis[2]).min() > _SEATED_LEAD_M)
