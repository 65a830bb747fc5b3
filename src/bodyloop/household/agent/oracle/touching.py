"""The last steps to a goal that only has to be touched: small skills that bring a body link close to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.household.actions import side_step_call, step_back_call, turn_call, walk_call
from bodyloop.household.agent.oracle.geometry import FloatArray, bearing, box_distance, placed_links, wrap
from bodyloop.household.agent.oracle.route_map import RouteMap
from bodyloop.household.agent.oracle.state import Decision, Observation, commanded
from bodyloop.household.types import SkillCall

__all__ = ["TouchApproach", "facing_turn"]

_ROOM_M: Final = 0.20
"""Clearance kept to everything that is no goal."""
_GOAL_ROOM_M: Final = 0.15
_CLOSE_ENOUGH_M: Final = 0.12
_MOVE_COST_M: Final = 0.03
_GAIN_M: Final = 0.02
_MOST_MOVES: Final = 8


@dataclass
class TouchApproach:
    """Tries short sequences of skills in thought and takes the first of the best one."""

    goal: str
    moves: int = 0

    def decide(self, routes: RouteMap, obs: Observation, relative: FloatArray, carry_m: float) -> Decision | None:
        """The next skill; ``None`` when nothing brings the standing body's links (``relative``) closer."""
        self.moves += 1
        if self.moves > _MOST_MOVES:
            return None
        calls, first, cost, xy, yaw = _sequences(routes, obs, carry_m)
        links = placed_links(relative, xy, yaw, np.full(len(yaw), obs.floor_m))
        distance = np.min([box_distance(links, lower, upper) for lower, upper in obs.boxes.values()], axis=0)
        score = np.maximum(distance, _CLOSE_ENOUGH_M) + cost
        if not len(score) or float(score.min()) > obs.touch_distance() - _GAIN_M:
            return None
        best = int(np.argmin(score))
        return Decision(calls[first[best]], self.goal, f"a few small steps bring me within {distance[best]:.2f} m")


def facing_turn(obs: Observation) -> float:
    """Signed turn (rad) that would face the middle of the nearest goal."""
    middles = [0.5 * (lower + upper)[:2] for lower, upper in obs.boxes.values()]
    nearest = min(middles, key=lambda middle: float(np.linalg.norm(middle - obs.xy)))
    return wrap(bearing(nearest - obs.xy) - obs.yaw_rad)


@cache
def _moves() -> tuple[SkillCall, ...]:
    moves = [walk_call("slow"), walk_call("normal")]
    moves += [side_step_call(sign * size) for size in (0.1, 0.2, 0.3) for sign in (1.0, -1.0)]
    moves += [step_back_call(size) for size in (0.1, 0.2, 0.3)]
    moves += [turn_call(sign * size) for size in (15.0, 30.0, 60.0, 90.0, 120.0) for sign in (1.0, -1.0)]
    return tuple(moves)


@cache
def _effects() -> FloatArray:
    """(m, 3) displacement ahead and left, and turn, of the moves."""
    return np.array([commanded(call) for call in _moves()])


def _advance(xy: FloatArray, yaw: FloatArray, carry_m: float) -> tuple[FloatArray, FloatArray]:
    """Poses (n, m, 2) and (n, m) after every move from every pose; a turn drifts ahead by ``carry_m``."""
    ahead, left, turn = _effects().T
    ahead = ahead + carry_m * (turn != 0.0)
    sine, cosine = np.sin(yaw)[:, None], np.cos(yaw)[:, None]
    x = xy[:, 0, None] + ahead * sine + left * cosine
    y = xy[:, 1, None] - ahead * cosine + left * sine
    return np.stack([x, y], axis=-1), yaw[:, None] + turn


def _sequences(
    routes: RouteMap, obs: Observation, carry_m: float
) -> tuple[Sequence[SkillCall], FloatArray, FloatArray, FloatArray, FloatArray]:
    """All sequences of one or two moves through free places: first move, cost, final poses."""
    calls = _moves()
    limit = min(_ROOM_M, routes.other_clearance(obs.xy) - 1e-6)
    start_xy, start_yaw = _advance(obs.xy[None], np.array([obs.yaw_rad]), carry_m)
    xy1, yaw1 = start_xy[0], start_yaw[0]
    free1 = _free(routes, xy1, limit)
    index1 = np.flatnonzero(free1)
    xy2, yaw2 = _advance(xy1[index1], yaw1[index1], 0.0)
    free2 = _free(routes, xy2.reshape(-1, 2), limit)
    first = np.concatenate([index1, np.repeat(index1, len(calls))[free2]])
    cost = np.concatenate([np.full(len(index1), _MOVE_COST_M), np.full(int(free2.sum()), 2 * _MOVE_COST_M)])
    xy = np.concatenate([xy1[index1], xy2.reshape(-1, 2)[free2]])
    yaw = np.concatenate([yaw1[index1], yaw2.ravel()[free2]])
    return calls, first, cost, xy, yaw


def _free(routes: RouteMap, xy: FloatArray, limit_m: float) -> npt.NDArray[np.bool_]:
    rooms = np.array([(routes.other_clearance(point), routes.grid.clearance(point)) for point in xy]).reshape(-1, 2)
    return np.asarray((rooms[:, 0] >= limit_m) & (rooms[:, 1] >= min(_GOAL_ROOM_M, limit_m)))
