"""Can every room and every kind of goal be reached on foot?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.scenes.description import TARGET_CATEGORIES, ObjectInstance, Room, SceneDescription
from bodyloop.scenes.footprints import Footprint, part_bounds, stage_footprints
from bodyloop.scenes.routes import DistanceField, RouteGrid

__all__ = ["Reach", "category_reach", "narrowest_doorway", "unconnected_rooms"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

WAY_RADIUS_M: Final = 0.30
"""Half the width of a way."""
STAND_RADIUS_M: Final = 0.20
"""Half the width of the place where one finally stands."""
LAST_STEPS_M: Final = 0.8
"""From the end of the way to that place."""
HEADINGS: Final = 24
_AROUND_M: Final = 0.8
_WALL_M: Final = 0.5
"""Rooms farther apart than this have no wall in common."""
_SCAN_M: Final = 0.005
_MAIN_SHARE: Final = 0.5


@dataclass(frozen=True)
class Reach:
    """How near one can stand to the objects of a category."""

    distance_m: float
    """From the nearest link origin to the nearest object's box; infinite where no way leads."""
    reached: int
    """Objects within the limit."""
    count: int

    @property
    def detail(self) -> str:
        """Reached out of all."""
        return f"{self.reached} of {self.count}"


def unconnected_rooms(scene: SceneDescription) -> list[str]:
    """Rooms most of whose free floor no way from the other rooms leads to."""
    grid = RouteGrid.from_scene(scene, body_radius_m=WAY_RADIUS_M)
    connected = _connected(scene, grid)
    lost = []
    for room in scene.rooms:
        inside = _inside(grid, room) & grid.open_floor
        if not inside.any() or (inside & connected).sum() < _MAIN_SHARE * inside.sum():
            lost.append(room.name)
    return lost


def category_reach(scene: SceneDescription, links_m: FloatArray, limit_m: float) -> dict[str, Reach]:
    """Nearest standing pose to every goal category, by category.

    One walks on a way 0.6 m wide and then steps nearer over at most 0.8 m to a place 0.4 m wide.
    ``links_m`` (n, 3) are link origins of a standing body at the origin, looking along -Y.
    """
    way = RouteGrid.from_scene(scene, body_radius_m=WAY_RADIUS_M)
    place = RouteGrid.from_scene(scene, body_radius_m=STAND_RADIUS_M)
    points = _standing_points(place, _connected(scene, way))
    turned = _turned(links_m)
    found = {}
    for category in TARGET_CATEGORIES:
        goals = [item for item in scene.instances if scene.templates[item.template].category == category]
        distances = [_nearest(points, turned, *instance_box(scene, item)) for item in goals]
        near = sum(distance <= limit_m for distance in distances)
        found[category] = Reach(min(distances, default=np.inf), near, len(goals))
    return found


def instance_box(scene: SceneDescription, instance: ObjectInstance) -> tuple[FloatArray, FloatArray]:
    """Lower and upper corner (3,) of what can be touched of an object."""
    parts = [part for part in scene.templates[instance.template].parts if part.collide]
    bounds = [part_bounds(part, instance.position_m, instance.rotation_xyzw) for part in parts]
    return np.min([low for low, _ in bounds], axis=0), np.max([high for _, high in bounds], axis=0)


def _connected(scene: SceneDescription, grid: RouteGrid) -> BoolArray:
    """Cells that ways connect with each other: the largest such region that starts in the middle of a room."""
    best = np.zeros(grid.open_floor.shape, dtype=bool)
    for room in scene.rooms:
        inside = np.where(_inside(grid, room) & grid.open_floor, grid.clearance_m, -1.0)
        start = np.unravel_index(int(np.argmax(inside)), inside.shape)
        if inside[start] < 0 or best[start]:
            continue
        field = DistanceField.compute(grid, [grid.point((int(start[0]), int(start[1])))], 0.0)
        region = np.isfinite(field.length_m)
        best = region if region.sum() > best.sum() else best
    return best


def _inside(grid: RouteGrid, room: Room) -> BoolArray:
    x = grid.origin_m[0] + 0.05 * np.arange(grid.height_m.shape[0])
    y = grid.origin_m[1] + 0.05 * np.arange(grid.height_m.shape[1])
    in_x = (x > room.lower_m[0]) & (x < room.upper_m[0])
    in_y = (y > room.lower_m[1]) & (y < room.upper_m[1])
    return np.asarray(in_x[:, None] & in_y[None, :])


def _standing_points(place: RouteGrid, connected: BoolArray) -> FloatArray:
    """(n, 3) free places on one level within a few steps of the connected ways."""
    ends = [place.point((int(row), int(column))) for row, column in np.argwhere(connected & place.passable)]
    steps = DistanceField.compute(place, ends, 0.0).length_m
    cells = np.argwhere((steps <= LAST_STEPS_M) & place.open_floor)
    return np.array([place.point((int(row), int(column))) for row, column in cells]).reshape(-1, 3)


def _turned(links_m: FloatArray) -> FloatArray:
    """(headings, n, 3) links under every heading."""
    angles = np.arange(HEADINGS) * (2.0 * np.pi / HEADINGS)
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y, z = links_m.T
    turned = np.stack([cosine * x - sine * y, sine * x + cosine * y, np.broadcast_to(z, (HEADINGS, len(z)))], axis=-1)
    return np.asarray(turned)


def _nearest(points: FloatArray, turned: FloatArray, lower: FloatArray, upper: FloatArray) -> float:
    gap = np.maximum(np.maximum(lower[:2] - points[:, :2], points[:, :2] - upper[:2]), 0.0)
    near = points[np.linalg.norm(gap, axis=1) <= _AROUND_M]
    if not len(near):
        return float("inf")
    links = near[:, None, None, :] + turned[None]
    outside = np.maximum(np.maximum(lower - links, links - upper), 0.0)
    return float(np.linalg.norm(outside, axis=-1).min())


def narrowest_doorway(scene: SceneDescription) -> tuple[float, str]:
    """Clear width (m) of the narrowest doorway and the rooms it joins; infinite where there is none."""
    walls = list(stage_footprints(scene))
    best, names = float("inf"), "no doorway"
    for first, second in combinations(scene.rooms, 2):
        for width in _doorways(first, second, walls):
            if width < best:
                best, names = width, f"{first.name} - {second.name}"
    return best, names


def _doorways(first: Room, second: Room, walls: list[Footprint]) -> Iterator[float]:
    """Widths of the gaps between the wall pieces that part two rooms, at walking height."""
    floor = max(first.floor_height_m, second.floor_height_m)
    for axis in (0, 1):
        low, high = sorted((first, second), key=lambda room: room.lower_m[axis])
        start, end = low.upper_m[axis], high.lower_m[axis]
        side = 1 - axis
        from_m = max(first.lower_m[side], second.lower_m[side])
        to_m = min(first.upper_m[side], second.upper_m[side])
        if not (-1e-6 <= end - start <= _WALL_M and to_m - from_m > 0.3):
            continue
        covered = np.zeros(int((to_m - from_m) / _SCAN_M), dtype=bool)
        for wall in walls:
            lower, upper = wall.outline_m.min(axis=0), wall.outline_m.max(axis=0)
            between = lower[axis] < end + 0.02 and upper[axis] > start - 0.02
            if between and wall.top_m > floor + 0.05 and wall.bottom_m < floor + 1.9:
                first_cell, last_cell = np.round((np.array([lower[side], upper[side]]) - from_m) / _SCAN_M).astype(int)
                covered[max(first_cell, 0) : max(last_cell, 0)] = True
        yield from _gaps(covered)


def _gaps(covered: BoolArray) -> Iterator[float]:
    edges = np.flatnonzero(np.diff(np.concatenate([[True], covered, [True]]).astype(int)))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if end - start > 4:
            yield float((end - start) * _SCAN_M)
