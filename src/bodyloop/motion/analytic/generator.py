"""The analytic motion generator: a deterministic, memoryless planner for all eight skills."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.errors import UnknownNameError
from bodyloop.motion.analytic.anatomy import BALL_HEIGHT_M
from bodyloop.motion.analytic.conditions import (
    CLIMB_CLEARANCE_M,
    DESCENT_CLEARANCE_M,
    DESCENT_OVERHANG_M,
    condition_numbers,
)
from bodyloop.motion.analytic.plan import Plan, realize
from bodyloop.motion.analytic.reading import BodyState, read_body
from bodyloop.motion.analytic.seat import plan_rise, plan_sit
from bodyloop.motion.analytic.shuffles import (
    plan_side,
    plan_stand,
    plan_step_back,
    plan_turn,
)
from bodyloop.motion.analytic.stairs import plan_climb, plan_descend
from bodyloop.motion.analytic.stance import standing_state
from bodyloop.motion.analytic.walk import plan_walk
from bodyloop.motion.layout import frames_to_states, joint_positions
from bodyloop.motion.types import HISTORY_FRAMES, Condition

__all__ = ["AnalyticGenerator"]

Planner = Callable[[BodyState, tuple[float, ...]], Plan]


def _walk(state: BodyState, numbers: tuple[float, ...]) -> Plan:
    x_m, z_m, yaw_deg = numbers
    if state.seated:
        return plan_rise(state)
    if np.hypot(x_m, z_m) < 0.02:
        return plan_turn(state, np.deg2rad(yaw_deg))
    return plan_walk(state, x_m, z_m, float(np.deg2rad(yaw_deg)))


def _rising_first(plan: Planner) -> Planner:
    return lambda state, numbers: plan_rise(state) if state.seated else plan(state, numbers)


_PLANNERS: Final[Mapping[str, Planner]] = MappingProxyType(
    {
        "walk_forward": _walk,
        "stand": _rising_first(lambda state, _: plan_stand(state)),
        "turn": _rising_first(lambda state, n: plan_turn(state, float(np.deg2rad(n[0])))),
        "step_climb_up": _rising_first(lambda state, n: plan_climb(state, n[0] - CLIMB_CLEARANCE_M, n[1])),
        "sit": lambda state, n: plan_sit(state, n[0]),
        "step_back": _rising_first(lambda state, n: plan_step_back(state, n[0], n[1])),
        "side_walk": _rising_first(lambda state, n: plan_side(state, n[0])),
        "step_climb_down": _rising_first(
            lambda state, n: plan_descend(state, n[0] - DESCENT_CLEARANCE_M, n[1] - DESCENT_OVERHANG_M)
        ),
    }
)


class AnalyticGenerator:
    """Plans each chunk from the history alone; the same history and call always give the same frames.

    A chunk that starts seated and is not ``sit`` stands up; what it asked for beyond that is left to the next chunk.
    """

    name = "analytic"
    deterministic = True

    def load(self, skills: Sequence[str]) -> None:
        """Nothing to load; an unknown skill is refused."""
        for skill in skills:
            if skill not in _PLANNERS:
                raise UnknownNameError("skill", skill, _PLANNERS)

    def unload(self) -> None:
        """Nothing to release."""

    @property
    def seed_floor_y(self) -> float:
        """Height of the lowest joint of the seed above its soles, metres."""
        return BALL_HEIGHT_M

    def seed_state(self) -> FloatArray:
        """(5, 219) frames of someone standing still, arms hanging, feet at hip width."""
        return _seed_state().copy()

    def future(self, history: FloatArray, skill: str, condition: Condition, seed: int | None = None) -> FloatArray:  # noqa: ARG002
        """(15, 219) frames that follow ``history`` (5, 219); ``seed`` has no effect."""
        numbers = condition_numbers(skill, condition)
        state = read_body(np.asarray(history, dtype=np.float64))
        return frames_to_states(realize(_PLANNERS[skill](state, numbers), state))


@cache
def _seed_state() -> FloatArray:
    xb = realize(plan_stand(standing_state()), standing_state())[-1]
    xb[1] -= joint_positions(xb)[:, 1].min()
    return frames_to_states(np.repeat(xb[None], HISTORY_FRAMES, axis=0))
