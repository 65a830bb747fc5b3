"""Sitting down: turn the back to the seat, step back to it, sit until the pelvis rests on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from bodyloop.household.actions import side_step_call, sit_call, step_back_call, stop_call, turn_call, walk_call
from bodyloop.household.agent.oracle.geometry import bearing, forward, leftward, wrap
from bodyloop.household.agent.oracle.goals import Seat
from bodyloop.household.agent.oracle.state import Decision, Observation, Outcome
from bodyloop.household.agent.plan_state import STOP_AFTER_SIT, TURN_FOR_SIT

__all__ = ["SeatApproach"]

_TURN_RAD: Final = math.radians(12.0)
_LATERAL_M: Final = 0.10
_GAP_M: Final = 0.17
"""Wanted distance between pelvis and seat front before sitting down; the sitter's pelvis comes about 0.35 m back."""
_GAP_STEP_M: Final = 0.05
_GAP_SLACK_M: Final = 0.07
_SITS: Final = 3
_MOST_SITS: Final = 5
_MOST_ATTEMPTS: Final = 4
_LOST_M: Final = 1.0


@dataclass
class SeatApproach:
    """The last steps to one seat, from the place in front of it on."""

    seat: Seat
    goal: str
    sits: int = 0
    attempts: int = 0
    touching: bool = False
    """The last step back was stopped by the seat."""
    looked: int = 0
    height_m: float = 0.0
    """Seat height above the floor the sitter stood on."""

    def lost(self, obs: Observation) -> bool:
        """Too far from the seat to go on without a new route."""
        return self.sits == 0 and float(np.linalg.norm(obs.xy - self.seat.front)) > _LOST_M

    @property
    def failed(self) -> bool:
        """Sitting down here has been tried often enough."""
        return self.attempts >= _MOST_ATTEMPTS

    def note(self, outcome: Outcome) -> None:
        """Learn from what the last skill did."""
        self.touching = outcome.call.skill == "step_back" and outcome.share < 0.5

    def decide(self, obs: Observation, seen: bool) -> Decision:
        """The next skill; ``seen`` tells whether the goal has been in view."""
        if self.sits:
            return self._sitting(obs)
        offset = obs.xy - self.seat.front
        gap = float(offset @ forward(self.seat.facing_rad))
        left = float(offset @ leftward(self.seat.facing_rad))
        if not seen and self.looked < 2:
            look = wrap(bearing(self.seat.center - obs.xy) - obs.yaw_rad)
            if abs(look) > _TURN_RAD:
                self.looked += 1
                return Decision(turn_call(math.degrees(look)), self.goal, "I look at the seat first")
        error = wrap(self.seat.facing_rad - obs.yaw_rad)
        if abs(error) > _TURN_RAD:
            reason = "no distance is left; this turn brings the seat behind me"
            return Decision(turn_call(math.degrees(error)), self.goal, reason, {TURN_FOR_SIT: True})
        if abs(left) > _LATERAL_M:
            return Decision(side_step_call(-left), self.goal, "the seat is not straight behind me")
        wanted = _GAP_M - _GAP_STEP_M * self.attempts
        if gap > wanted + _GAP_SLACK_M and not self.touching:
            return Decision(step_back_call(gap - wanted), self.goal, "the backs of my legs do not meet the seat yet")
        return self._sit(obs)

    def _sit(self, obs: Observation) -> Decision:
        if not self.sits:
            self.height_m = self.seat.height_m - obs.floor_m - 0.01
        self.sits += 1
        return Decision(sit_call(self.height_m), self.goal, "the seat is right behind my legs")

    def _sitting(self, obs: Observation) -> Decision:
        if obs.pelvis_on_target and self.sits >= _SITS:
            return Decision(stop_call(), "Stop/Stand", "I sit on it; the backs of my legs rest", {STOP_AFTER_SIT: True})
        if self.sits < _MOST_SITS:
            return self._sit(obs)
        self.sits, self.touching = 0, False
        self.attempts += 1
        return Decision(walk_call("slow"), self.goal, "I missed the seat; stand up and try again")
