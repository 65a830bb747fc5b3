"""Single stair risers, up and down: one foot after the other, both end side by side."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import STANDING_PELVIS_M
from bodyloop.motion.analytic.curves import PHASE, bump, ease, quintic
from bodyloop.motion.analytic.plan import Plan
from bodyloop.motion.analytic.reading import BodyState
from bodyloop.motion.analytic.stance import RIGHT, rear_foot, two_steps
from bodyloop.motion.analytic.steps import Swing

__all__ = ["plan_climb", "plan_descend"]

_AHEAD: Final = np.array([0.0, 0.0, 1.0])
_LOWERED: Final = 0.70
"""Phase by which the pelvis has come down; sooner would be a free fall."""
_REACH_DOWN_M: Final = 0.035
"""The leading foot goes this much further down than the pelvis. Where there is no stair it pushes no harder."""


def plan_climb(state: BodyState, riser_m: float, advance_m: float) -> Plan:
    """Up one riser: each foot goes up before it goes forward."""
    first = rear_foot(state, _AHEAD, RIGHT)
    end = _end(state, advance_m, riser_m)
    template = Swing(first, end, 0.0, 0.0, 0.5, 0.03, heel_rad=0.05, toe_rad=0.12, rise_first=0.22)
    second = {"heel_rad": 0.45, "toe_rad": 0.0}
    plan = two_steps(state, end, 0.0, first, template=template, second=second, latest=0.50)
    plan.pelvis[:, 1] = quintic(PHASE, state.pelvis.value[1], 0.0, end[1] + STANDING_PELVIS_M, window=(0.18, 1.0))
    plan.turn[:, 1] = 0.10 * bump(PHASE)
    return plan


def plan_descend(state: BodyState, riser_m: float, advance_m: float) -> Plan:
    """Down one riser: the pelvis sinks over the standing foot, each foot lands on its toes."""
    first = rear_foot(state, _AHEAD, RIGHT)
    end = _end(state, advance_m, -riser_m)
    template = Swing(first, end, 0.0, 0.0, 0.5, 0.03, heel_rad=0.20, toe_rad=-0.40, fall_last=0.10)
    second = {"heel_rad": 0.8, "toe_rad": -0.25, "fall_last": 0.2}
    plan = two_steps(state, end, 0.0, first, template=template, second=second, latest=0.52)
    plan.pelvis[:, 1] = quintic(
        PHASE, state.pelvis.value[1], state.pelvis.rate[1], end[1] + STANDING_PELVIS_M, window=(0.0, _LOWERED)
    )
    plan.balls[:, first, 1] = _lead_height(float(state.balls.value[first, 1]), state.floor_m, riser_m)
    return plan


def _lead_height(start_m: float, floor_m: float, riser_m: float) -> FloatArray:
    """Height of the leading foot (17,): it follows the pelvis down."""
    share = ease(PHASE, 0.0, _LOWERED) + _REACH_DOWN_M / riser_m * ease(PHASE, 0.15, 0.5)
    lifted = (start_m - floor_m) * (1.0 - ease(PHASE, 0.0, 0.4)) + 0.03 * bump(PHASE, 0.0, 0.5)
    return floor_m - riser_m * np.minimum(share, 1.0) + lifted


def _end(state: BodyState, advance_m: float, rise_m: float) -> FloatArray:
    end: FloatArray = state.pelvis.value + np.array([0.0, 0.0, advance_m])
    end[1] = state.floor_m + rise_m
    return end
