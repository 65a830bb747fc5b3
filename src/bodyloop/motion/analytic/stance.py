"""Where the feet go, which one steps first, and the plan that two steps make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import BALL_AHEAD_M, STANDING_PELVIS_M
from bodyloop.motion.analytic.curves import PHASE, bump, quintic
from bodyloop.motion.analytic.plan import Plan
from bodyloop.motion.analytic.reading import BodyState, Track, heading, turned
from bodyloop.motion.analytic.steps import FootPaths, Swing, hold_feet, keep_near_heading, swing_foot
from bodyloop.motion.analytic.upper import Upper, upper_rotations
from bodyloop.motion.layout import JOINTS

__all__ = [
    "LEFT",
    "RIGHT",
    "STANCE_HALF_WIDTH_M",
    "TOE_OUT_RAD",
    "arm_swing",
    "assemble",
    "foot_gap",
    "rear_foot",
    "settle_point",
    "sign",
    "standing_anchor",
    "standing_state",
    "two_steps",
]

LEFT, RIGHT = 0, 1
STANCE_HALF_WIDTH_M: Final = 0.095
TOE_OUT_RAD: Final = 0.10
_ARM_GAIN_RAD_PER_M: Final = 0.62
_APART_M: Final = 0.10
_STOP_SHARE: Final = 0.36
"""Way of a smooth stop within a chunk, as a share of speed times chunk length."""


def sign(side: int) -> float:
    """+1 for the left foot, -1 for the right."""
    return 1.0 - 2.0 * side


def standing_anchor(center: FloatArray, yaw_rad: float, side: int, floor_m: float) -> FloatArray:
    """(3,) ankle floor point of a foot of someone standing at ``center`` and looking along ``yaw_rad``."""
    anchor: FloatArray = center + turned(sign(side) * STANCE_HALF_WIDTH_M, 0.0, yaw_rad)
    anchor[1] = floor_m
    return anchor


def standing_state() -> BodyState:
    """Someone standing still at the origin, soles at height zero."""

    def still(value: npt.ArrayLike) -> Track:
        array = np.asarray(value, dtype=np.float64)
        return Track(array, np.zeros_like(array))

    foot_yaw = np.array([TOE_OUT_RAD, -TOE_OUT_RAD])
    anchors = np.stack([standing_anchor(np.zeros(3), 0.0, side, 0.0) for side in (LEFT, RIGHT)])
    return BodyState(
        pelvis=still([0.0, STANDING_PELVIS_M, 0.0]),
        turn=still(np.zeros(3)),
        balls=still(anchors + BALL_AHEAD_M * heading(foot_yaw)),
        foot_yaw=still(foot_yaw),
        foot_pitch=still(np.zeros(2)),
        upper=still(upper_rotations(Upper(), 1)[0]),
        toes=still(np.zeros(2)),
        joints=np.zeros((JOINTS, 3)),
        floor_m=0.0,
        seated=False,
    )


def foot_gap(state: BodyState, direction: FloatArray) -> float:
    """How far the left foot is ahead of the right one along ``direction``."""
    anchors = state.anchors()
    return float((anchors[LEFT] - anchors[RIGHT]) @ direction)


def rear_foot(state: BodyState, direction: FloatArray, otherwise: int) -> int:
    """The foot that is free to step along ``direction``; ``otherwise`` when the feet are side by side."""
    lift = state.balls.value[:, 1] - state.floor_m
    if abs(lift[LEFT] - lift[RIGHT]) > 0.02:
        return int(np.argmax(lift))
    gap = foot_gap(state, direction)
    return otherwise if abs(gap) < _APART_M else (LEFT if gap < 0.0 else RIGHT)


def settle_point(state: BodyState) -> FloatArray:
    """(3,) floor point where the pelvis comes to rest without a further step of its own."""
    point: FloatArray = state.pelvis.value + _STOP_SHARE * 0.5 * state.pelvis.rate
    point[1] = state.floor_m
    return point


def arm_swing(balls: FloatArray, yaw_rad: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Forward swing of the left and right arm (N,): each follows the opposite foot."""
    gap = ((balls[:, RIGHT] - balls[:, LEFT]) * heading(yaw_rad)).sum(-1)
    swing = _ARM_GAIN_RAD_PER_M * gap
    return swing, -swing


def assemble(pelvis: FloatArray, turn: FloatArray, feet: FootPaths, upper: Upper) -> Plan:
    """A plan from its curves; feet turn on their balls where the pelvis twists too far."""
    keep_near_heading(feet, turn[:, 0])
    return Plan(
        pelvis=pelvis,
        turn=turn,
        balls=feet.balls,
        foot_yaw=feet.yaw,
        foot_pitch=feet.pitch,
        upper=upper_rotations(upper, len(PHASE)),
        toe_follow=feet.toe_follow,
        extension=feet.extension,
    )


def two_steps(
    state: BodyState,
    end: FloatArray,
    yaw_rad: float,
    first: int,
    *,
    template: Swing | None = None,
    second: Mapping[str, float] = MappingProxyType({}),
    latest: float = 0.64,
    dip_m: float = 0.0,
    pitch_rad: float = 0.03,
) -> Plan:
    """Move to stand at ``end`` (3,; its y is the floor there) looking along ``yaw_rad``, one foot after the other.

    ``template`` shapes both steps, ``second`` replaces fields of the second one. The foot with the longer way gets more
    time, but the second one starts by phase ``latest``.
    """
    feet = hold_feet(state)
    base = template or Swing(first, end, yaw_rad, 0.0, 0.5, 0.05)
    anchors = [standing_anchor(end, yaw_rad, side, float(end[1])) for side in (LEFT, RIGHT)]
    middle = min(_takeover(state, anchors, first), latest)
    for side, start, until, other in ((first, 0.0, middle, {}), (1 - first, middle, 0.97, second)):
        yaw = yaw_rad + sign(side) * TOE_OUT_RAD
        step = replace(base, side=side, anchor=anchors[side], yaw_rad=yaw, start=start, end=until, **other)
        swing_foot(feet, state, step)
    top = np.array([end[0], end[1] + STANDING_PELVIS_M, end[2]])
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, top)
    pelvis[:, 1] -= dip_m * bump(PHASE)
    turn = np.zeros((len(PHASE), 3))
    turn[:, 0] = quintic(PHASE, state.turn.value[0], state.turn.rate[0], yaw_rad)
    turn[:, 1] = pitch_rad * bump(PHASE)
    swing = arm_swing(feet.balls, turn[:, 0])
    return assemble(pelvis, turn, feet, Upper(swing=(0.7 * swing[0], 0.7 * swing[1])))


def _takeover(state: BodyState, anchors: list[FloatArray], first: int) -> float:
    ways = np.linalg.norm(state.anchors() - np.stack(anchors), axis=-1)
    share = (ways[first] - ways[1 - first]) / (ways.sum() + 0.2)
    return float(np.clip(0.49 + 0.3 * share, 0.36, 0.64))
