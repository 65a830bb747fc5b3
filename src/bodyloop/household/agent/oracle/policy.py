"""The oracle's decision logic: a function of snapshots, without simulator or model protocol."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from bodyloop.household.actions import step_back_call, stop_call, turn_call
from bodyloop.household.agent.oracle.geometry import FloatArray, forward, relative_links
from bodyloop.household.agent.oracle.goals import GoalPose, find_seats, seat_goals, touch_goals
from bodyloop.household.agent.oracle.pursuit import follow
from bodyloop.household.agent.oracle.route_map import BODY_RADIUS_M, RouteMap
from bodyloop.household.agent.oracle.seating import SeatApproach
from bodyloop.household.agent.oracle.state import Decision, Observation, Outcome
from bodyloop.household.agent.oracle.touching import TouchApproach, facing_turn
from bodyloop.household.agent.oracle.watch import ProgressWatch
from bodyloop.household.types import SkillCall
from bodyloop.scenes.description import SceneDescription
from bodyloop.scenes.routes import DistanceField

__all__ = ["SITTING_CATEGORIES", "OraclePolicy"]

SITTING_CATEGORIES: Final = ("bed", "couch", "toilet")

_TOUCH_M: Final = 0.15
"""Distance between a link origin and a goal's box at which the body has arrived."""
_ENOUGH_M: Final = 0.19
"""The same where nothing better can be had."""
_ARRIVED_M: Final = 0.30
_SEAT_ARRIVED_M: Final = 0.17
_SEEN_WITHIN_M: Final = 4.5
"""A goal in view within this distance fills enough of the picture."""
_CONCESSIONS: Final = ((BODY_RADIUS_M, False), (0.24, False), (0.20, False), (0.26, True), (0.20, True))
"""(body radius, push through movable objects) that routes are planned with, tried in order."""
_CONCESSION_STEPS: Final = 20
"""Decisions for which a concession is kept once the normal body found no way."""
_HOPELESS_STEPS: Final = 8
"""Decisions until a way is looked for again after there was none."""
_CLEARANCE_WEIGHT: Final = 1.5
_LOOK_RAD: Final = math.radians(15.0)
_MOST_LOOKS: Final = 4


class OraclePolicy:
    """Plans a route to the nearest place that fulfils the task and follows it, replanning at every decision."""

    def __init__(
        self, scene: SceneDescription, category: str, label: str, goal_ids: tuple[int, ...], max_steps: int
    ) -> None:
        self._scene = scene
        self._goal_ids = goal_ids
        self._max_steps = max_steps
        self._sitting = category in SITTING_CATEGORIES
        self._goal = f"Go to the {label}" + (" and sit on it" if self._sitting else " and touch it")
        self.routes = RouteMap(scene, goal_ids)
        self._watch = ProgressWatch()
        self._goals: list[GoalPose] = []
        self._field: DistanceField | None = None
        self._planned_version = -1
        self._given_up: list[FloatArray] = []
        self._approach: SeatApproach | None = None
        self._touch: TouchApproach | None = None
        self._relative: FloatArray | None = None
        self._previous: tuple[Observation, SkillCall] | None = None
        self._carry_m = 0.0
        self._sightings = 0
        self._looks = 0
        self._conceded = 0
        self._conceded_until = 0
        self._hopeless_until = 0
        self.way_m = float("inf")
        """Length of the way that is left, for the report."""

    def decide(self, obs: Observation) -> Decision:
        """The next skill. Snapshots come in order, one per decision."""
        if self._relative is None:
            self._relative = relative_links(obs.links, obs.xy, obs.yaw_rad, obs.floor_m)
        self.routes.update(obs.poses, self._watch.blockages)
        self._learn(obs)
        decision = self._decide(obs)
        self._previous = (obs, decision.call)
        return decision

    @property
    def seen(self) -> bool:
        """The goal has been in view near enough, more than once."""
        return self._sightings >= 2

    def _learn(self, obs: Observation) -> None:
        for goal in obs.visible:
            lower, upper = obs.boxes[goal]
            if float(np.linalg.norm(0.5 * (lower + upper)[:2] - obs.xy)) <= _SEEN_WITHIN_M:
                self._sightings += 1
                break
        self._carry_m = 0.0
        if self._previous is None:
            return
        before, call = self._previous
        outcome = Outcome.between(call, before, obs)
        self._carry_m = outcome.carry_m
        if self._approach is not None:
            self._approach.note(outcome)
            self._watch.forget_trail()
        else:
            self._watch.note(self.routes, obs, before, outcome)
            self.routes.update(obs.poses, self._watch.blockages)

    def _decide(self, obs: Observation) -> Decision:
        if obs.step >= self._max_steps - 1:
            return Decision(stop_call(), "Stop/Stand", "this is the last decision")
        if self._approach is not None:
            if not (self._approach.lost(obs) or self._approach.failed):
                return self._approach.decide(obs, self.seen)
            self._give_up(self._approach.seat.front)
            self._approach = None
        if self._watch.pending:
            return Decision(self._watch.pending.popleft(), self._goal, "I did not get on; another way")
        if not self._sitting and obs.touch_distance() <= _TOUCH_M:
            return self._arrived(obs)
        if self._touch is not None:
            return self._touching(obs, obs.xy)
        return self._travel(obs)

    def _arrived(self, obs: Observation) -> Decision:
        """Touching: look at the goal if it has not been in view yet, then stop."""
        turn = facing_turn(obs)
        if not self.seen and self._looks < _MOST_LOOKS:
            self._looks += 1
            if abs(turn) > _LOOK_RAD:
                return Decision(turn_call(math.degrees(turn)), self._goal, "I look at it before I stop")
            if not obs.visible:
                return Decision(step_back_call(0.3), self._goal, "I am too close to see it")
        return Decision(stop_call(), "Stop/Stand", "my body touches it")

    def _travel(self, obs: Observation) -> Decision:
        rest = obs.xy + self._carry_m * forward(obs.yaw_rad)
        path = self._path(obs, rest)
        if not len(path):
            return self._no_way(obs)
        if len(path) == 1 or self.way_m <= (_SEAT_ARRIVED_M if self._sitting else _ARRIVED_M):
            return self._final_steps(obs, path[-1, :2])
        settled = self._previous is not None and self._previous[1].skill == "turn"
        return follow(self.routes, obs, path, self._carry_m, self._goal, settled=settled)

    def _final_steps(self, obs: Observation, end: FloatArray) -> Decision:
        goal = min(self._goals, key=lambda pose: float(np.linalg.norm(pose.xy - end)))
        if goal.seat is not None:
            self._approach = SeatApproach(goal.seat, self._goal)
            return self._approach.decide(obs, self.seen)
        self._touch = TouchApproach(self._goal)
        return self._touching(obs, goal.xy)

    def _touching(self, obs: Observation, place: FloatArray) -> Decision:
        assert self._relative is not None
        assert self._touch is not None
        move = self._touch.decide(self.routes, obs, self._relative, self._carry_m)
        if move is not None:
            return move
        self._touch = None
        if obs.touch_distance() <= _ENOUGH_M:
            return self._arrived(obs)
        self._give_up(place)
        return Decision(step_back_call(0.2), self._goal, "it cannot be touched from here")

    def _give_up(self, place: FloatArray) -> None:
        self._given_up.append(place)
        self._planned_version = -1

    def _path(self, obs: Observation, rest: FloatArray) -> FloatArray:
        """The way from ``rest`` to the nearest goal place, with concessions if there is none otherwise."""
        if obs.step < self._hopeless_until:
            return np.zeros((0, 3))
        if obs.step >= self._conceded_until:
            self._conceded = 0
        for index in range(self._conceded, len(_CONCESSIONS)):
            radius, through = _CONCESSIONS[index]
            self.routes.update(obs.poses, self._watch.blockages, radius, through_movables=through)
            self._plan(obs)
            assert self._field is not None
            path = self._field.path(rest)
            if len(path):
                if index > self._conceded:
                    self._conceded, self._conceded_until = index, obs.step + _CONCESSION_STEPS
                self.way_m = float(np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1).sum())
                self.way_m += float(np.linalg.norm(path[0, :2] - rest))
                return path
        radius, through = _CONCESSIONS[0]
        self.routes.update(obs.poses, self._watch.blockages, radius, through_movables=through)
        return np.zeros((0, 3))

    def _plan(self, obs: Observation) -> None:
        if self._planned_version == self.routes.version:
            return
        assert self._relative is not None
        if self._sitting:
            goals = seat_goals(self.routes, find_seats(self._scene, obs.poses, self._goal_ids))
        else:
            goals = touch_goals(self.routes, self._relative, obs)
        self._goals = [g for g in goals if all(np.linalg.norm(g.xy - place) > 0.3 for place in self._given_up)]
        points = np.array([goal.xy for goal in self._goals]).reshape(-1, 2)
        self._field = (
            self.routes.grid.field(points, clearance_weight=_CLEARANCE_WEIGHT)
            if len(points)
            else (DistanceField.compute(self.routes.grid, [], 0.0))
        )
        self._planned_version = self.routes.version

    def _no_way(self, obs: Observation) -> Decision:
        """Nothing leads there: forget what was held to be blocked, and look around meanwhile."""
        if obs.step >= self._hopeless_until:
            self._hopeless_until = obs.step + _HOPELESS_STEPS
            self._watch.blockages.clear()
            self._given_up.clear()
            self._planned_version = -1
        if obs.touch_distance() <= _ENOUGH_M and not self._sitting:
            return self._arrived(obs)
        return Decision(turn_call(60.0), self._goal, "I see no way yet")
