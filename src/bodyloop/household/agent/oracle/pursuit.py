"""Following a route: turns, walks and small corrections on level floor, single risers one chunk each."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from bodyloop.household.actions import (
    SIDE_STEP_RANGE_M,
    STEP_BACK_RANGE_M,
    climb_call,
    descend_call,
    side_step_call,
    step_back_call,
    turn_call,
    walk_call,
)
from bodyloop.household.agent.oracle.geometry import FloatArray, bearing, forward, leftward, wrap
from bodyloop.household.agent.oracle.route_map import RouteMap
from bodyloop.household.agent.oracle.state import WALKS, Decision, Observation
from bodyloop.scenes.description import FloorRegion

__all__ = ["Riser", "escape", "find_riser", "floor_at", "follow", "riser_step"]

_REACHED_M: Final = 0.16
_TURN_RAD: Final = math.radians(12.0)
_LOOSE_TURN_RAD: Final = math.radians(24.0)
"""The same right after a turn, or where the miss is small."""
_MISS_M: Final = 0.06
_FINE_TURN_RAD: Final = math.radians(6.0)
_SMALL_M: Final = 0.45
_SQUARE_RAD: Final = math.radians(7.0)
"""Largest angle to a riser's normal at which it is taken."""
_CLIMB_WINDOW_M: Final = (0.20, 0.26)
_DESCEND_WINDOW_M: Final = (0.10, 0.24)
_RISE_M: Final = 0.04
_SAMPLE_M: Final = 0.01
_LOOK_AHEAD_M: Final = 1.6


def follow(
    routes: RouteMap, obs: Observation, path: FloatArray, carry_m: float, goal: str, *, settled: bool = False
) -> Decision:
    """The next skill along ``path`` (n, 3), which starts near where the body comes to rest.

    ``carry_m`` is how far ahead a turn now would let the body drift; ``settled`` tells that the last skill was a turn,
    so that small errors are left for later.
    """
    rest = obs.xy + carry_m * forward(obs.yaw_rad)
    riser = find_riser(routes, path, rest, obs.floor_m)
    if riser is not None:
        return riser_step(routes, obs, riser, carry_m, goal)
    away = escape(routes, obs, path[0, :2], goal)
    if away is not None:
        return away
    corner, last = _next_corner(path, rest)
    return _toward(routes, obs, corner, rest, goal, final=last, settled=settled)


def _next_corner(path: FloatArray, rest: FloatArray) -> tuple[FloatArray, bool]:
    for index in range(1, len(path)):
        if float(np.linalg.norm(path[index, :2] - rest)) > _REACHED_M:
            return path[index, :2], index == len(path) - 1
    return path[-1, :2], True


def _toward(
    routes: RouteMap, obs: Observation, corner: FloatArray, rest: FloatArray, goal: str, *, final: bool, settled: bool
) -> Decision:
    """Walk towards a corner that is in line, else turn to it; near the end small steps in any direction."""
    offset = corner - rest
    error = wrap(bearing(offset) - obs.yaw_rad)
    if final and float(np.linalg.norm(offset)) <= _SMALL_M:
        step = _small_step(routes, obs, corner - obs.xy, goal)
        if step is not None:
            return step
    miss = float(np.linalg.norm(offset)) * abs(math.sin(error))
    if abs(error) > (_LOOSE_TURN_RAD if settled or miss < _MISS_M else _TURN_RAD):
        return Decision(turn_call(math.degrees(error)), goal, "the way leads off to the side")
    ahead = float((corner - obs.xy) @ forward(obs.yaw_rad))
    for distance, speed in WALKS:
        if distance <= ahead + 0.08 and _lane_is_free(routes, obs, distance):
            return Decision(walk_call(speed), goal, f"the lane ahead is free for {distance:.1f} m")
    if abs(error) > _FINE_TURN_RAD:
        return Decision(turn_call(math.degrees(error)), goal, "the way leads slightly off to the side")
    return _unblock(routes, obs, corner, goal)


def _lane_is_free(routes: RouteMap, obs: Observation, distance_m: float) -> bool:
    return routes.free_length(obs.xy, forward(obs.yaw_rad), distance_m) >= distance_m - 1e-6


def _unblock(routes: RouteMap, obs: Observation, corner: FloatArray, goal: str) -> Decision:
    """The way is straight ahead but too tight here: move to the freer side, else go on slowly."""
    side = leftward(obs.yaw_rad)
    room = {sign: routes.grid.clearance(obs.xy + 0.12 * sign * side) for sign in (1.0, -1.0)}
    better = 1.0 if room[1.0] >= room[-1.0] else -1.0
    if room[better] > routes.grid.clearance(obs.xy) + 0.03:
        return Decision(side_step_call(0.12 * better), goal, "the lane ahead is tight; there is more room to the side")
    del corner
    return Decision(walk_call("slow"), goal, "the lane ahead is tight but leads on")


def _small_step(routes: RouteMap, obs: Observation, offset: FloatArray, goal: str) -> Decision | None:
    """A side step or step back that covers most of a short offset, or ``None``."""
    ahead, left = float(offset @ forward(obs.yaw_rad)), float(offset @ leftward(obs.yaw_rad))
    if abs(left) >= SIDE_STEP_RANGE_M[0] and abs(ahead) < 0.14:
        size = min(abs(left), SIDE_STEP_RANGE_M[1])
        direction = math.copysign(1.0, left) * leftward(obs.yaw_rad)
        if routes.free_length(obs.xy, direction, size) >= size - 0.03:
            return Decision(side_step_call(math.copysign(size, left)), goal, "the place lies right beside me")
    if ahead <= -STEP_BACK_RANGE_M[0] and abs(left) < 0.14:
        size = min(-ahead, STEP_BACK_RANGE_M[1])
        if routes.free_length(obs.xy, -forward(obs.yaw_rad), size) >= size - 0.03:
            return Decision(step_back_call(size), goal, "the place lies right behind me")
    return None


def escape(routes: RouteMap, obs: Observation, refuge: FloatArray, goal: str) -> Decision | None:
    """A short move out of a place that is much tighter than planned routes are; ``None`` where it is not needed.

    ``refuge`` (2,) is the nearest free place.
    """
    here = routes.grid.clearance(obs.xy)
    if routes.on_flight(obs.xy):  # a drop is no obstacle to move away from
        return None
    if routes.grid.is_free(obs.xy) or here > routes.radius_m - 0.10 or float(np.linalg.norm(refuge - obs.xy)) < 0.08:
        return None
    ahead, side = forward(obs.yaw_rad), leftward(obs.yaw_rad)
    moves = [(walk_call("slow"), 0.2 * ahead)]
    for size in (0.1, 0.2, 0.3):
        moves.append((step_back_call(size), -size * ahead))
        moves += [(side_step_call(sign * size), sign * size * side) for sign in (1.0, -1.0)]
    ranked = sorted(
        (float(np.linalg.norm(obs.xy + move - refuge)), index)
        for index, (_, move) in enumerate(moves)
        if routes.grid.clearance(obs.xy + move) > here + 0.02
        and abs(floor_at(routes.floors, obs.xy + move) - obs.floor_m) < _RISE_M
    )
    if not ranked:
        return None
    return Decision(moves[ranked[0][1]][0], goal, "too close to an obstacle; back to free floor")


@dataclass(frozen=True, eq=False)
class Riser:
    """The next change of floor height on a route."""

    direction: FloatArray
    """(2,) unit vector across the riser, in the direction of travel; along a world axis."""
    distance_m: float
    """From the place where the body comes to rest to the edge."""
    rise_m: float


def floor_at(floors: tuple[FloorRegion, ...], xy: FloatArray) -> float:
    """Height of the highest floor region under a point, NaN outside."""
    heights = [
        region.height_m
        for region in floors
        if region.lower_m[0] <= xy[0] <= region.upper_m[0] and region.lower_m[1] <= xy[1] <= region.upper_m[1]
    ]
    return max(heights, default=float("nan"))


def find_riser(routes: RouteMap, path: FloatArray, rest: FloatArray, floor_m: float) -> Riser | None:
    """The riser that the leg of the route at hand crosses within sight, if any; the feet stand at ``floor_m``."""
    for start, end in itertools.pairwise(path):
        if float(np.linalg.norm(end[:2] - rest)) <= 0.05:
            continue
        if _crosses(routes, start, end):
            return _measure(routes, rest, end[:2], floor_m)
        if float(np.linalg.norm(end[:2] - rest)) > _REACHED_M:
            return None
    return None


def _crosses(routes: RouteMap, start: FloatArray, end: FloatArray) -> bool:
    """Routes meet risers only on legs along a world axis."""
    if float(np.abs(end[:2] - start[:2]).min()) > 1e-6:
        return False
    count = max(2, int(float(np.abs(end[:2] - start[:2]).max()) / _SAMPLE_M))
    heights = [floor_at(routes.floors, start[:2] + (end - start)[:2] * t) for t in np.linspace(0.0, 1.0, count)]
    return bool(np.nanmax(heights) - np.nanmin(heights) > _RISE_M)


def _measure(routes: RouteMap, rest: FloatArray, end: FloatArray, floor_m: float) -> Riser | None:
    offset = end - rest
    axis = int(np.argmax(np.abs(offset)))
    direction = np.zeros(2)
    direction[axis] = math.copysign(1.0, float(offset[axis]))
    reach = min(abs(float(offset[axis])), _LOOK_AHEAD_M)
    samples = np.arange(0.0, reach, _SAMPLE_M)
    heights = np.array([floor_at(routes.floors, rest + direction * sample) for sample in samples])
    level = np.abs(heights - floor_m) <= _RISE_M
    if not len(samples) or not level.any():
        # The trunk leans over a step that the feet are not on, and the route goes up.
        return Riser(direction, 0.0, _RISE_M * 2) if len(samples) and heights[0] > floor_m else None
    first = int(np.argmax(level))
    beyond = np.flatnonzero(~level[first:])
    if not len(beyond):
        return None
    at = first + int(beyond[0])
    return Riser(direction, float(samples[at]), float(heights[at] - floor_m))


def riser_step(routes: RouteMap, obs: Observation, riser: Riser, carry_m: float, goal: str) -> Decision:
    """Face the riser squarely, come to the right distance, take it."""
    error = wrap(bearing(riser.direction) - obs.yaw_rad)
    if abs(error) > _SQUARE_RAD:
        return Decision(turn_call(math.degrees(error)), goal, "the step must be taken squarely")
    del routes
    low, high = _CLIMB_WINDOW_M if riser.rise_m > 0 else _DESCEND_WINDOW_M
    distance = riser.distance_m + carry_m  # from the pelvis: a step up or down cancels the drift
    if low <= distance <= high:
        call = climb_call() if riser.rise_m > 0 else descend_call()
        return Decision(call, goal, f"the edge of the step is {distance:.2f} m ahead and I face it squarely")
    for length, speed in WALKS:
        if low <= distance - length <= high or distance - length >= high + 0.36:
            return Decision(walk_call(speed), goal, f"the edge of the step is {distance:.2f} m ahead")
    back = _correction(distance, low, high)
    return Decision(step_back_call(back), goal, "a little more room before the edge of the step")


def _correction(distance_m: float, low_m: float, high_m: float) -> float:
    """Step back after which the edge is right at the feet, or a whole number of walks away."""
    middle = 0.5 * (low_m + high_m)
    for length in (0.0, 0.2, 0.4, 0.6):
        back = max(middle + length - distance_m, STEP_BACK_RANGE_M[0])
        if low_m <= distance_m + back - length <= high_m and back <= STEP_BACK_RANGE_M[1]:
            return back
    return STEP_BACK_RANGE_M[0]
