"""Noticing that the body does not do what it was told, and what to do about it."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from bodyloop.household.actions import side_step_call, step_back_call, turn_call, walk_call
from bodyloop.household.agent.oracle.geometry import FloatArray, forward, leftward
from bodyloop.household.agent.oracle.route_map import Blockage, RouteMap
from bodyloop.household.agent.oracle.state import Observation, Outcome
from bodyloop.household.types import SkillCall

__all__ = ["ProgressWatch"]

_WALK_SHARE: Final = 0.45
_TURN_SHARE: Final = 0.5
_IDLE_SHARE: Final = 0.3
_BLOCK_AHEAD_M: Final = 0.36
_BLOCK_STEPS: Final = 30
_LOOP: Final = 10
"""Decisions without getting anywhere after which something else is tried."""
_LOOP_M: Final = 0.15


@dataclass
class ProgressWatch:
    """Compares commanded with realised motion; holds the moves that free the body and the places it could not pass."""

    pending: deque[SkillCall] = field(default_factory=deque)
    blockages: list[Blockage] = field(default_factory=list)
    stuck: int = 0
    loops: int = 0
    idle: int = 0
    _trail: deque[FloatArray] = field(default_factory=lambda: deque(maxlen=_LOOP))

    def note(self, routes: RouteMap, obs: Observation, before: Observation, outcome: Outcome) -> None:
        """Judge the last skill; fills ``pending`` when the body is blocked."""
        self.blockages = [b for b in self.blockages if b.until_step > obs.step]
        self._trail.append(np.array([*obs.xy, obs.yaw_rad]))
        skill = outcome.call.skill
        if skill == "walk_forward" and outcome.share < _WALK_SHARE:
            self._blocked_ahead(routes, obs, before)
        elif skill == "turn" and abs(outcome.turned_rad) < math.radians(60) and outcome.share < _TURN_SHARE:
            self.pending.append(_roomiest(routes, obs))
        elif skill == "walk_forward":
            self.stuck = 0
        self._note_idle(outcome)
        if not self.pending and self._is_looping():
            self._break_loop(routes, obs)

    def _note_idle(self, outcome: Outcome) -> None:
        """A step back or to the side that twice leads nowhere is followed by something else."""
        skill = outcome.call.skill
        self.idle = self.idle + 1 if skill in ("step_back", "side_walk") and outcome.share < _IDLE_SHARE else 0
        if self.idle >= 2:
            self.idle = 0
            self.pending.append(walk_call("slow") if skill == "step_back" else step_back_call(0.2))

    def _blocked_ahead(self, routes: RouteMap, obs: Observation, before: Observation) -> None:
        self.stuck += 1
        size = 0.14 + 0.06 * min(self.stuck, 3)
        place = obs.xy + _BLOCK_AHEAD_M * forward(before.yaw_rad)
        self.blockages.append(Blockage(float(place[0]), float(place[1]), size, obs.step + _BLOCK_STEPS))
        self.pending.append(step_back_call(0.15 + 0.1 * min(self.stuck, 3)))
        if self.stuck > 1:
            self.pending.append(_roomiest(routes, obs, sideways=True))

    def _is_looping(self) -> bool:
        if len(self._trail) < _LOOP:
            return False
        trail = np.array(self._trail)
        return float(np.linalg.norm(trail[:, :2] - trail[-1, :2], axis=1).max()) < _LOOP_M

    def _break_loop(self, routes: RouteMap, obs: Observation) -> None:
        self.loops += 1
        self._trail.clear()
        self.pending.append(_roomiest(routes, obs))
        if self.loops % 2 == 0:
            self.pending.append(turn_call(60.0 if self.loops % 4 == 0 else -60.0))
            self.pending.append(_roomiest(routes, obs, sideways=True))

    def forget_trail(self) -> None:
        """The body rests on purpose, for example on a seat."""
        self._trail.clear()


def _roomiest(routes: RouteMap, obs: Observation, *, sideways: bool = False) -> SkillCall:
    """Of a side step left, right and (unless ``sideways``) a step back, the one that ends with most room around."""
    ahead, side = forward(obs.yaw_rad), leftward(obs.yaw_rad)
    moves = [(side_step_call(0.2), 0.2 * side), (side_step_call(-0.2), -0.2 * side)]
    if not sideways:
        moves.insert(0, (step_back_call(0.2), -0.2 * ahead))
    return max(moves, key=lambda move: routes.grid.clearance(obs.xy + move[1]))[0]
