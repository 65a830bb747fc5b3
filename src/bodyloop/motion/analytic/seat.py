"""Sitting down, staying seated and rising."""

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
    SHANK_M,
    STANDING_PELVIS_M,
    THIGH_M,
    seat_depth_m,
)
from bodyloop.motion.analytic.curves import PHASE, bump, ease, quintic
from bodyloop.motion.analytic.plan import Plan
from bodyloop.motion.analytic.reading import BodyState
from bodyloop.motion.analytic.stance import (
    LEFT,
    RIGHT,
    TOE_OUT_RAD,
    assemble,
    foot_gap,
    rear_foot,
    sign,
    standing_anchor,
)
from bodyloop.motion.analytic.steps import FootPaths, Swing, hold_feet, swing_foot
from bodyloop.motion.analytic.upper import Upper

__all__ = ["SeatedPose", "plan_rise", "plan_sit", "sit_back_m"]

_AHEAD: Final = np.array([0.0, 0.0, 1.0])
_MOST_DROP_M: Final = 0.46
"""Longest descent within one chunk; a lower seat takes two."""
_MOST_RISE_M: Final = 0.48
"""Longest rise within one chunk: the body still slows down more gently than it would fall."""
_WARP: Final = 0.8
_SHANK_LEAN_M: Final = 0.045
_SEATED_PITCH_RAD: Final = -0.06
_WEIGHT_M: Final = 0.012
"""The pelvis is asked this far into the seat, so that it and not the feet carry the weight."""
_HIGHEST_SEAT_M: Final = 0.68
"""From here on one leans against the seat with the feet on the floor."""
_KNEE_OVER_SEAT_M: Final = 0.072
"""The knee joint stays this far above the seat, so that the weight rests on the pelvis and not on the thighs."""
_MOST_HEEL_RAD: Final = 0.5
_LANDED: Final = 0.94


@dataclass(frozen=True)
class SeatedPose:
    """How one sits on a seat of a given height."""

    pelvis_m: float
    """Pelvis joint above the floor."""
    back_m: float
    """Pelvis behind the ankles."""
    heel_rad: float
    """Heel lift of a high seat."""
    dangle_m: float
    """Soles above the floor on a still higher one."""

    @classmethod
    def on(cls, seat_height_m: float) -> SeatedPose:
        """The pose for a seat ``seat_height_m`` above the floor."""
        pelvis = min(seat_height_m + seat_depth_m(_SEATED_PITCH_RAD) - _WEIGHT_M, STANDING_PELVIS_M - 0.01)
        hip = pelvis - HIP_DROP_M
        perched = float(np.clip((STANDING_PELVIS_M - HIP_DROP_M - hip) / 0.12, 0.0, 1.0))
        knee = ANKLE_HEIGHT_M + 0.994 * SHANK_M
        sits = float(np.clip((_HIGHEST_SEAT_M - seat_height_m) / 0.08, 0.0, 1.0))
        lift = sits * max(seat_height_m + _KNEE_OVER_SEAT_M - knee, 0.0)
        heel = min(_heel_for(lift), _MOST_HEEL_RAD)
        dangle = max(lift - _heel_rise(_MOST_HEEL_RAD), 0.0)
        across = np.sqrt(max(THIGH_M**2 - (knee + lift - hip) ** 2, 0.0))
        return cls(pelvis, float(max(across - _SHANK_LEAN_M, 0.0)) * perched, heel, dangle)


def sit_back_m(seat_height_m: float) -> float:
    """How far behind the ankles the pelvis comes to rest on a seat of this height."""
    return SeatedPose.on(seat_height_m).back_m


def plan_sit(state: BodyState, seat_height_m: float) -> Plan:
    """Lower the pelvis back onto a seat ``seat_height_m`` above the soles, or stay on it."""
    pose = SeatedPose.on(seat_height_m)
    floor = state.floor_m - (pose.dangle_m if state.seated else 0.0)
    feet, center = _feet_for_seat(state)
    height = max(pose.pelvis_m, float(state.pelvis.value[1]) - floor - _MOST_DROP_M)
    end = np.array([center[0], floor + height, center[2] - pose.back_m])
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, end, window=(0.0, _LANDED))
    pelvis[:, 1] = _lowered(float(state.pelvis.value[1]), float(end[1]))
    drop = float(np.clip((float(state.pelvis.value[1]) - end[1]) / 0.37, 0.0, 1.0))
    resting = 1.0 - drop * (1.0 - ease(PHASE, 0.3, 1.0))
    _lift_feet(feet, pose, floor, 1.0 - drop * (1.0 - ease(PHASE, 0.5, _LANDED)))
    turn = np.zeros((len(PHASE), 3))
    turn[:, 1] = _SEATED_PITCH_RAD + drop * (0.40 * bump(PHASE) - _SEATED_PITCH_RAD * (1.0 - ease(PHASE, 0.5, 1.0)))
    return assemble(pelvis, turn, feet, _seated_upper(seat_height_m, turn[:, 1], drop, resting))


def _seated_upper(seat_height_m: float, pitch_rad: FloatArray, drop: float, resting: FloatArray) -> Upper:
    """Trunk bends forward on the way down, hands end on the thighs."""
    lean = 0.30 * drop * bump(PHASE, 0.05, 1.0) - _SEATED_PITCH_RAD * resting
    low = float(np.clip((0.55 - seat_height_m) / 0.4, 0.0, 1.0))
    swing = 0.24 * resting + 0.9 * (pitch_rad + lean)
    elbow = (0.70 + 0.30 * low) * resting
    return Upper(lean=lean, swing=(swing, swing), elbow=(elbow, elbow), inward=0.25 * resting)


def _lift_feet(feet: FootPaths, pose: SeatedPose, floor_m: float, share: FloatArray) -> None:
    """Raise heels and feet of a high seat, in place; ``share`` (17,) runs from 0 to 1."""
    feet.pitch += pose.heel_rad * share[:, None]
    feet.balls[:, :, 1] = np.maximum(feet.balls[:, :, 1], floor_m + pose.dangle_m * share[:, None])


def _heel_rise(heel_rad: float) -> float:
    """Rise of the ankle of a foot that stands on its ball."""
    up = ANKLE_HEIGHT_M - BALL_HEIGHT_M
    return float(BALL_AHEAD_M * np.sin(heel_rad) - up * (1.0 - np.cos(heel_rad)))


def _heel_for(rise_m: float) -> float:
    """Inverse of ``_heel_rise``, at most a quarter turn."""
    up = ANKLE_HEIGHT_M - BALL_HEIGHT_M
    reach = float(np.hypot(BALL_AHEAD_M, up))
    return float(np.arcsin(min((rise_m + up) / reach, 1.0)) - np.arctan2(up, BALL_AHEAD_M))


def plan_rise(state: BodyState) -> Plan:
    """Stand up over the feet."""
    feet, center = _feet_for_seat(state)
    height = min(STANDING_PELVIS_M, float(state.pelvis.value[1]) - state.floor_m + _MOST_RISE_M)
    end = np.array([center[0], state.floor_m + height, center[2]])
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, end)
    pelvis[:, 1] = _raised(float(state.pelvis.value[1]), float(end[1]))
    pelvis[:, 2] = quintic(PHASE, state.pelvis.value[2], state.pelvis.rate[2], end[2], window=(0.0, 0.85))
    turn = np.zeros((len(PHASE), 3))
    turn[:, 1] = 0.45 * bump(PHASE, -0.15, 0.9)
    lean = 0.25 * bump(PHASE, -0.1, 0.9)
    swing = 0.35 * bump(PHASE, -0.2, 1.0)
    return assemble(pelvis, turn, feet, Upper(lean=lean, swing=(swing, swing)))


def _raised(start_m: float, end_m: float) -> FloatArray:
    """Rise (17,) that pushes off harder than it slows down, so that the feet stay on the floor."""
    return start_m + (end_m - start_m) * ease(np.clip(PHASE, 0.0, 1.0) ** _WARP)


def _lowered(start_m: float, end_m: float) -> FloatArray:
    """Descent (17,) that falls more gently than it is caught."""
    return end_m + (start_m - end_m) * ease(np.clip(1.0 - PHASE / _LANDED, 0.0, 1.0) ** _WARP)


def _feet_for_seat(state: BodyState) -> tuple[FootPaths, FloatArray]:
    """Feet side by side (the rear one closes up when they are apart) and the floor point between the ankles."""
    anchors = state.anchors()
    feet = hold_feet(state)
    gap = foot_gap(state, _AHEAD)
    center = anchors.mean(axis=0)
    if abs(gap) > 0.08:
        front = LEFT if gap > 0.0 else RIGHT
        rear = rear_foot(state, _AHEAD, 1 - front)
        center = anchors[1 - rear] - sign(1 - rear) * np.array([0.095, 0.0, 0.0])
        anchor = standing_anchor(center, 0.0, rear, state.floor_m)
        swing_foot(feet, state, Swing(rear, anchor, sign(rear) * TOE_OUT_RAD, 0.0, 0.75, 0.04))
    center[1] = state.floor_m
    return feet, center
