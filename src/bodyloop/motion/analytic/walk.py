"""Walking: one step per chunk, the rear foot swings past the other; the pelvis keeps its speed at the joins."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import CHUNK_S, STANDING_PELVIS_M
from bodyloop.motion.analytic.curves import PHASE, bump, ease, quintic
from bodyloop.motion.analytic.plan import Plan
from bodyloop.motion.analytic.reading import BodyState, heading, turned
from bodyloop.motion.analytic.stance import RIGHT, TOE_OUT_RAD, arm_swing, assemble, rear_foot, sign
from bodyloop.motion.analytic.steps import FootPaths, Swing, hold_feet, swing_foot
from bodyloop.motion.analytic.upper import Upper

__all__ = ["plan_walk"]

_END_SPEED: Final = 0.85
"""Speed at the end of a chunk as a share of its mean speed."""
_LEAD: Final = 0.30
"""Lead of the front foot over the pelvis at the end, as a share of the displacement."""
_LANDING: Final = 0.82
_PRE_SWING: Final = 0.02
"""Shortening of the rear leg while both feet are down, as a share of its length: about 23 degrees of knee flexion."""
_LOWEST: Final = 0.90
_LONG_STEP_M: Final = 0.6


def plan_walk(state: BodyState, x_m: float, z_m: float, yaw_rad: float) -> Plan:
    """Displace the pelvis by (x, z) of the canonical frame and turn by ``yaw_rad``; both met exactly."""
    distance = float(np.hypot(x_m, z_m))
    direction = np.array([x_m, 0.0, z_m]) / max(distance, 1e-9)
    size = min(distance / _LONG_STEP_M, 1.2)
    end = state.pelvis.value + np.array([x_m, 0.0, z_m])
    tangent = turned(direction[0], direction[2], 0.5 * yaw_rad)
    pelvis = quintic(PHASE, state.pelvis.value, state.pelvis.rate, end, _END_SPEED * distance / CHUNK_S * tangent)
    side = rear_foot(state, direction, RIGHT)
    pelvis[:, 1] = _height(state.floor_m, size)
    pelvis += -sign(side) * 0.020 * bump(PHASE, 0.0, _LANDING)[:, None] * turned(1.0, 0.0, 0.5 * yaw_rad)
    turn = np.zeros((len(PHASE), 3))
    turn[:, 0] = quintic(PHASE, state.turn.value[0], state.turn.rate[0], yaw_rad)
    turn[:, 1] = 0.02 + 0.03 * size
    turn[:, 2] = -sign(side) * 0.03 * size * bump(PHASE, 0.0, _LANDING)
    feet = _feet(state, side, end, tangent, distance, yaw_rad)
    return assemble(pelvis, turn, feet, _upper(feet, turn, size))


def _height(floor_m: float, size: float) -> FloatArray:
    """Pelvis height (17,): highest over the standing foot, lowest while both feet are down."""
    fall = 0.040 * size**1.5
    wave: FloatArray = 0.5 + 0.5 * np.cos(2.0 * np.pi * (PHASE - _LOWEST))
    height: FloatArray = floor_m + STANDING_PELVIS_M - 0.006 - 0.004 * size - fall * wave
    return height


def _feet(
    state: BodyState, side: int, end: FloatArray, tangent: FloatArray, distance_m: float, yaw_rad: float
) -> FootPaths:
    feet = hold_feet(state)
    size = min(distance_m / _LONG_STEP_M, 1.2)
    half_width = 0.085 - 0.020 * min(size, 1.0)
    anchor = end + _LEAD * distance_m * tangent + turned(sign(side) * half_width, 0.0, yaw_rad)
    anchor[1] = state.floor_m
    forward = float(tangent @ heading(yaw_rad)) > 0.5
    swing = Swing(
        side=side,
        anchor=anchor,
        yaw_rad=yaw_rad + sign(side) * 0.7 * TOE_OUT_RAD,
        start=0.0,
        end=_LANDING,
        clearance_m=0.03 + 0.03 * size,
        heel_rad=0.25 + 0.60 * size if forward else 0.2,
        toe_rad=0.06 + 0.20 * size if forward else 0.0,
    )
    swing_foot(feet, state, swing)
    # The rear knee gives before its foot leaves the floor, unless the step is so long that the leg must stay straight.
    behind = float(np.linalg.norm((end - state.anchors()[1 - side])[[0, 2]]))
    feet.extension[:, 1 - side] -= _PRE_SWING * float(np.clip((0.56 - behind) / 0.12, 0.0, 1.0)) * ease(PHASE, 0.7, 1.0)
    return feet


def _upper(feet: FootPaths, turn: FloatArray, size: float) -> Upper:
    swing = arm_swing(feet.balls, turn[:, 0])
    bend = [0.10 * size + 0.5 * np.maximum(part, 0.0) for part in swing]
    return Upper(
        lean=-0.5 * turn[:, 1], twist=-0.08 * swing[0], side=-0.6 * turn[:, 2], swing=swing, elbow=(bend[0], bend[1])
    )
