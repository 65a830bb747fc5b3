"""Sitting down, staying seated and rising."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import (
    ANKLE_HEIGHT_M,
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

__all__ = ["plan_rise", "plan_sit", "sit_back_m"]

_AHEAD: Final = np.array([0.0, 0.0, 1.0])
_MOST_DROP_M: Final = 0.46
"""Longest descent within one chunk; a lower seat takes two."""
_SHANK_LEAN_M: Final = 0.045
_SEATED_PITCH_RAD: Final = 0.05


def sit_back_m(seat_height_m: float) -> float:
    """How far behind the ankles the pelvis comes to rest on a seat of this height."""
    hip = _seated_pelvis_m(seat_height_m) - HIP_DROP_M
    knee = ANKLE_HEIGHT_M + SHANK_M
    across = np.sqrt(max(THIGH_M**2 - (knee - hip) ** 2, 0.0))
    perched = np.clip((STANDING_PELVIS_M - HIP_DROP_M - hip) / 0.12, 0.0, 1.0)
    return float(max(across - _SHANK_LEAN_M, 0.0) * perched)


def plan_sit(state: BodyState, seat_height_m: float) -> Plan:
    """Lower the pelvis back onto a seat ``seat_height_m`` above the soles, or stay on it."""
    feet, center = _feet_for_seat(state)
    goal = _seated_pelvis_m(seat_height_m)
    height = max(goal, float(state.pelvis.value[1]) - state.floor_m - _MOST_DROP_M)
    back = sit_back_m(seat_height_m)
    end = np.array([center[0], state.floor_m + height, center[2] - back])
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, end, window=(0.0, 0.94))
    drop = np.clip((float(state.pelvis.value[1]) - end[1]) / 0.37, 0.0, 1.0)
    turn = np.zeros((len(PHASE), 3))
    turn[:, 1] = _SEATED_PITCH_RAD + 0.40 * drop * bump(PHASE, 0.0, 1.0)
    lean = 0.30 * drop * bump(PHASE, 0.05, 1.0) - 0.02
    resting = 1.0 - drop * (1.0 - ease(PHASE, 0.3, 1.0))
    low = np.clip((0.55 - seat_height_m) / 0.4, 0.0, 1.0)
    swing = 0.24 * resting + 0.9 * (turn[:, 1] - _SEATED_PITCH_RAD + lean)
    elbow = (0.70 + 0.30 * low) * resting
    upper = Upper(
        lean=lean,
        swing=(swing, swing),
        elbow=(elbow, elbow),
        inward=0.25 * resting,
    )
    return assemble(pelvis, turn, feet, upper)


def plan_rise(state: BodyState) -> Plan:
    """Stand up over the feet."""
    feet, center = _feet_for_seat(state)
    end = np.array([center[0], state.floor_m + STANDING_PELVIS_M, center[2]])
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, end)
    pelvis[:, 2] = quintic(PHASE, state.pelvis.value[2], state.pelvis.rate[2], end[2], window=(0.0, 0.85))
    turn = np.zeros((len(PHASE), 3))
    turn[:, 1] = 0.45 * bump(PHASE, -0.15, 0.9)
    lean = 0.25 * bump(PHASE, -0.1, 0.9)
    swing = 0.35 * bump(PHASE, -0.2, 1.0)
    return assemble(pelvis, turn, feet, Upper(lean=lean, swing=(swing, swing)))


def _seated_pelvis_m(seat_height_m: float) -> float:
    return float(min(seat_height_m + seat_depth_m(_SEATED_PITCH_RAD), STANDING_PELVIS_M - 0.01))


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
