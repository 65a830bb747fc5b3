"""Standing, turning in place, side steps and steps back: both feet end side by side."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import STANDING_PELVIS_M
from bodyloop.motion.analytic.curves import PHASE, quintic
from bodyloop.motion.analytic.plan import Plan
from bodyloop.motion.analytic.reading import BodyState
from bodyloop.motion.analytic.stance import (
    LEFT,
    RIGHT,
    TOE_OUT_RAD,
    arm_swing,
    assemble,
    foot_gap,
    rear_foot,
    settle_point,
    sign,
    standing_anchor,
    two_steps,
)
from bodyloop.motion.analytic.steps import Swing, hold_feet, swing_foot
from bodyloop.motion.analytic.upper import Upper

__all__ = ["plan_side", "plan_stand", "plan_step_back", "plan_turn"]

_AHEAD: Final = np.array([0.0, 0.0, 1.0])
_TOGETHER_M: Final = 0.05


def plan_stand(state: BodyState) -> Plan:
    """Come to rest with the feet side by side, at the front foot when they are apart."""
    anchors = state.anchors()
    gap = foot_gap(state, _AHEAD)
    if abs(gap) > _TOGETHER_M:
        front = LEFT if gap > 0.0 else RIGHT
        center = anchors[front] - (standing_anchor(np.zeros(3), 0.0, front, 0.0))
        center[0] = 0.5 * (anchors[LEFT, 0] + anchors[RIGHT, 0])
    else:
        center = anchors.mean(axis=0)
    center[1] = state.floor_m
    feet = hold_feet(state)
    moving = [side for side in _order(state) if _misplaced(state, center, side)]
    for index, side in enumerate(moving):
        window = (0.0, 0.75) if len(moving) == 1 else ((0.0, 0.5), (0.5, 0.96))[index]
        anchor = standing_anchor(center, 0.0, side, state.floor_m)
        swing_foot(feet, state, Swing(side, anchor, sign(side) * TOE_OUT_RAD, *window, 0.05))
    top = center + np.array([0.0, STANDING_PELVIS_M, 0.0])
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, top)
    turn = np.zeros((len(PHASE), 3))
    return assemble(pelvis, turn, feet, Upper(swing=arm_swing(feet.balls, turn[:, 0])))


def plan_turn(state: BodyState, yaw_rad: float) -> Plan:
    """Turn on the spot, the inner foot first unless the other one is behind."""
    first = rear_foot(state, _AHEAD, LEFT if yaw_rad > 0.0 else RIGHT)
    clearance = 0.03 + 0.02 * min(abs(yaw_rad), 1.0)
    template = Swing(first, np.zeros(3), 0.0, 0.0, 0.5, clearance, heel_rad=0.25)
    return two_steps(state, settle_point(state), yaw_rad, first, template=template, dip_m=0.012)


def plan_side(state: BodyState, distance_m: float) -> Plan:
    """Step sideways (left positive) and close."""
    end = state.pelvis.value + np.array([distance_m, 0.0, 0.0])
    end[1] = state.floor_m
    first = rear_foot(state, _AHEAD, LEFT if distance_m > 0.0 else RIGHT)
    size = abs(distance_m) / 0.5
    template = Swing(first, end, 0.0, 0.0, 0.5, 0.04 + 0.02 * size, heel_rad=0.15)
    return two_steps(state, end, 0.0, first, template=template, dip_m=0.012 + 0.045 * size**2)


def plan_step_back(state: BodyState, x_m: float, z_m: float) -> Plan:
    """Step back and close."""
    end = state.pelvis.value + np.array([x_m, 0.0, z_m])
    end[1] = state.floor_m
    first = rear_foot(state, -_AHEAD, RIGHT)
    size = abs(z_m) / 0.6
    template = Swing(first, end, 0.0, 0.0, 0.5, 0.04 + 0.02 * size, heel_rad=0.15)
    return two_steps(state, end, 0.0, first, template=template, dip_m=0.012 + 0.03 * size**2, pitch_rad=0.05)


def _order(state: BodyState) -> tuple[int, int]:
    first = rear_foot(state, _AHEAD, RIGHT)
    return first, 1 - first


def _misplaced(state: BodyState, center: FloatArray, side: int) -> bool:
    anchor = standing_anchor(center, 0.0, side, state.floor_m)
    off = float(np.linalg.norm(state.anchors()[side] - anchor))
    turned_off = abs(float(state.foot_yaw.value[side]) - sign(side) * TOE_OUT_RAD)
    return off > 0.025 or turned_off > 0.15
