"""Where to stand: poses from which a goal is touched, and places in front of its seats."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial.transform import Rotation

from bodyloop.household.agent.oracle.geometry import FloatArray, bearing, box_distance, leftward, placed_links, wrap
from bodyloop.household.agent.oracle.route_map import RouteMap
from bodyloop.household.agent.oracle.state import Observation
from bodyloop.scenes.description import SceneDescription, SeatSurface
from bodyloop.scenes.footprints import Footprint, instance_footprints

__all__ = ["GoalPose", "Seat", "find_seats", "seat_goals", "touch_goals"]

_REACH_M: Final = 0.75
"""Standing places are looked for this far around a goal's box."""
_TOUCH_M: Final = 0.14
_YAWS: Final = 12
_FRONT_GAPS_M: Final = (0.36, 0.42, 0.48, 0.54, 0.62)
"""Distances between pelvis and seat front at which the body turns to sit, best first."""
_SIDE_MARGIN_M: Final = 0.30
_LATERAL_STEP_M: Final = 0.15


@dataclass(frozen=True, eq=False)
class Seat:
    """One place to sit, in the world."""

    object_id: int
    front: FloatArray
    """(2,) point on the front edge, at floor level, in the middle of the sitter's place."""
    center: FloatArray
    """(2,) middle of the surface behind it."""
    facing_rad: float
    """Yaw of a sitter."""
    height_m: float
    """Surface, world."""


@dataclass(frozen=True, eq=False)
class GoalPose:
    """A standing place that counts as arrival."""

    xy: FloatArray
    yaw_rad: float
    object_id: int
    seat: Seat | None = None


def touch_goals(routes: RouteMap, relative: FloatArray, obs: Observation) -> list[GoalPose]:
    """Standing places whose nearest link origin would be within reach of a goal's box.

    ``relative`` are the links of the standing body (see ``relative_links``). Of the possible headings the one that looks
    at the goal most directly is taken. Without any place that close, the closest ones there are.
    """
    found: list[tuple[float, GoalPose]] = []
    for object_id, (lower, upper) in sorted(obs.boxes.items()):
        points = _cells_around(routes, lower, upper)
        if not len(points):
            continue
        yaws = np.arange(_YAWS) * (2.0 * math.pi / _YAWS)
        links = placed_links(
            relative, points[:, None, :2], np.broadcast_to(yaws, (len(points), _YAWS)), points[:, None, 2]
        )
        distances = box_distance(links, lower, upper)
        middle = 0.5 * (lower + upper)[:2]
        limit = max(_TOUCH_M, float(distances.min()) + 0.03)
        for point, row in zip(points, distances, strict=True):
            look = bearing(middle - point[:2])
            near = [index for index in range(_YAWS) if row[index] <= limit]
            if near:
                best = min(near, key=lambda index: (abs(wrap(float(yaws[index]) - look)), index))
                found.append((float(row[best]), GoalPose(point[:2], float(yaws[best]), object_id)))
    touching = [goal for distance, goal in found if distance <= _TOUCH_M]
    return touching or [goal for _, goal in found]


def _cells_around(routes: RouteMap, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """(n, 3) free places within reach of a box, on floors from which it is not overhead."""
    points = routes.grid.free_points()
    outside = np.maximum(np.maximum(lower[:2] - points[:, :2], points[:, :2] - upper[:2]), 0.0)
    near = np.hypot(outside[:, 0], outside[:, 1]) <= _REACH_M
    level = (points[:, 2] <= upper[2]) & (points[:, 2] >= lower[2] - 2.0)
    kept: FloatArray = points[near & level]
    return kept


def find_seats(
    scene: SceneDescription, poses: Mapping[int, tuple[FloatArray, FloatArray]], goal_ids: Collection[int]
) -> list[Seat]:
    """All places to sit on the goals; wide surfaces give several side by side."""
    seats = []
    for object_id in sorted(goal_ids):
        instance = scene.instances[object_id]
        position, quaternion = poses.get(
            object_id, (np.asarray(instance.position_m), np.asarray(instance.rotation_xyzw))
        )
        rotation = Rotation.from_quat(quaternion)
        footprints = [f for f in instance_footprints(scene, poses) if f.owner == object_id]
        for surface in scene.templates[instance.template].seats:
            seats.extend(_places(object_id, surface, np.asarray(position), rotation, footprints))
    return seats


def _places(
    object_id: int, surface: SeatSurface, position: FloatArray, rotation: Rotation, footprints: list[Footprint]
) -> list[Seat]:
    center = position + rotation.apply(surface.center_m)
    local = np.array([math.sin(surface.facing_yaw_rad), -math.cos(surface.facing_yaw_rad), 0.0])
    facing = bearing(rotation.apply(local))
    side, ahead = leftward(facing), np.array([math.sin(facing), -math.cos(facing)])
    # The surface lies along the object's axes, whichever way its sitter looks.
    along, across = abs(math.sin(surface.facing_yaw_rad)), abs(math.cos(surface.facing_yaw_rad))
    width_m, depth_m = (
        across * surface.size_m[0] + along * surface.size_m[1],
        along * surface.size_m[0] + across * surface.size_m[1],
    )
    spare = max(width_m / 2 - _SIDE_MARGIN_M, 0.0)
    count = int(spare / _LATERAL_STEP_M)
    places = []
    for index in sorted(range(-count, count + 1), key=abs):
        middle = center[:2] + index * _LATERAL_STEP_M * side
        reach = _front_reach(footprints, middle, ahead, float(center[2]))
        if reach is None:
            reach = depth_m / 2
        places.append(Seat(object_id, middle + reach * ahead, middle, facing, float(center[2])))
    return places


def _front_reach(footprints: list[Footprint], middle: FloatArray, ahead: FloatArray, surface_m: float) -> float | None:
    """How far the object extends in front of a point, below its seat surface and within the sitter's width."""
    side = np.array([-ahead[1], ahead[0]])
    reach = None
    for footprint in footprints:
        if footprint.bottom_m > surface_m - 0.03:
            continue
        outline = np.asarray(footprint.outline_m)
        edges = np.linspace(outline, np.roll(outline, -1, axis=0), 21).reshape(-1, 2) - middle
        inside = edges[np.abs(edges @ side) <= 0.18]
        if len(inside):
            reach = max(float((inside @ ahead).max()), -np.inf if reach is None else reach)
    return reach


def seat_goals(routes: RouteMap, seats: list[Seat]) -> list[GoalPose]:
    """Free places straight in front of the seats, for each the one nearest to the seat."""
    found = []
    for seat in seats:
        ahead = np.array([math.sin(seat.facing_rad), -math.cos(seat.facing_rad)])
        for gap in _FRONT_GAPS_M:
            xy = seat.front + gap * ahead
            if routes.grid.is_free(xy) and routes.free_length(xy, -ahead, gap - 0.2, slack_m=1.0) > gap - 0.3:
                found.append(GoalPose(xy, seat.facing_rad, seat.object_id, seat))
                break
    return found
