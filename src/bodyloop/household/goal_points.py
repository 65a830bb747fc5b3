"""The goals of a home: which targets can be reached, and from where they are seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.household.agent.oracle.goals import find_seats
from bodyloop.scenes.description import SceneDescription
from bodyloop.scenes.footprints import Footprint, instance_footprints, part_bounds, stage_footprints
from bodyloop.scenes.routes import CELL_M, RouteGrid

__all__ = ["Goal", "find_goals", "habitat_point", "yaw_rotation_xyzw"]

FloatArray = npt.NDArray[np.float64]

_NEAR_M, _FAR_M = 0.30, 1.20
_EYE_HEIGHT_M: Final = 1.55
_REACH_M: Final = 1.30
"""A target whose box begins higher above the floor cannot be touched."""
_SEAT_GAPS_M: Final = (0.30, 0.35, 0.40, 0.45)
_EVERY_CELLS: Final = 2
_MOST_POINTS: Final = 48
_SAMPLES: Final = (0.15, 0.5, 0.85)
_SEATED: Final = ("bed", "couch", "toilet")


@dataclass(frozen=True, eq=False)
class Goal:
    """One reachable target instance. World frame, Z up, metres."""

    object_id: int
    name: str
    category: str
    lower_m: FloatArray
    upper_m: FloatArray
    points_m: FloatArray
    """(n, 3) view points: free places from which part of the target is seen; z is the floor."""
    visible: FloatArray
    """(n,) visible share of the target's box."""

    @property
    def center_m(self) -> FloatArray:
        """(3,) middle of the box."""
        return np.asarray(0.5 * (self.lower_m + self.upper_m))

    def to_json(self) -> dict[str, Any]:
        """The goal object of a shard."""
        return {
            "position": habitat_point(self.center_m),
            "radius": None,
            "object_id": self.object_id,
            "object_name": self.name,
            "object_name_id": None,
            "object_category": self.category,
            "room_id": None,
            "room_name": None,
            "view_points": [
                {"agent_state": {"position": habitat_point(point), "rotation": self._facing(point)}, "iou": share}
                for point, share in zip(self.points_m, self.visible.tolist(), strict=True)
            ],
        }

    def _facing(self, point: FloatArray) -> list[float]:
        away = self.center_m - point
        return yaw_rotation_xyzw(math.atan2(float(away[0]), -float(away[1])))


def habitat_point(point: npt.ArrayLike) -> list[float]:
    """A world point (3,) in Habitat axes, rounded to five decimals."""
    x, y, z = (float(value) for value in np.asarray(point, dtype=float))
    return [round(-x, 5) + 0.0, round(z, 5) + 0.0, round(y, 5) + 0.0]


def yaw_rotation_xyzw(yaw_rad: float) -> list[float]:
    """Rotation (xyzw) in Habitat axes of a heading counter-clockwise from -Y, rounded to five decimals."""
    return [0.0, round(math.sin(yaw_rad / 2), 5) + 0.0, 0.0, round(math.cos(yaw_rad / 2), 5) + 0.0]


def find_goals(scene: SceneDescription, grid: RouteGrid, categories: tuple[str, ...]) -> tuple[Goal, ...]:
    """Targets of the given categories that a walker can see, reach and, where asked for, sit on."""
    free = _main_floor(grid)
    footprints = [*stage_footprints(scene), *instance_footprints(scene)]
    goals = []
    for instance in scene.instances:
        category = scene.templates[instance.template].category
        if category not in categories:
            continue
        if category in _SEATED and not _can_sit(scene, grid, instance.object_id, free):
            continue
        lower, upper = _box(scene, instance.object_id)
        points = _points_around(lower, upper, grid, free)
        shares = _visible_shares(points, lower, upper, [f for f in footprints if f.owner != instance.object_id])
        points, shares = points[shares > 0], shares[shares > 0]
        keep = np.unique(np.linspace(0, len(points) - 1, min(len(points), _MOST_POINTS)).round().astype(int))
        if len(points):
            goal = Goal(instance.object_id, instance.name, category, lower, upper, points[keep], shares[keep])
            goals.append(goal)
    return tuple(goals)


def _main_floor(grid: RouteGrid) -> npt.NDArray[np.bool_]:
    """Cells of the largest floor whose places can all be reached from each other."""
    remaining = grid.open_floor.copy()
    best = np.zeros_like(remaining)
    while remaining.sum() > best.sum():
        cells = np.argwhere(remaining)
        start = grid.point((int(cells[0][0]), int(cells[0][1])))
        reached = np.isfinite(grid.field([start]).length_m) & grid.open_floor
        reached[tuple(cells[0])] = True
        if reached.sum() > best.sum():
            best = reached
        remaining &= ~reached
    return best


def _box(scene: SceneDescription, object_id: int) -> tuple[FloatArray, FloatArray]:
    """World box of an object's parts."""
    instance = scene.instances[object_id]
    bounds = []
    for part in scene.templates[instance.template].parts:
        if part.collide:
            mesh = scene.meshes.get(part.mesh) if part.mesh is not None else None
            vertices = None if mesh is None else np.asarray(mesh[0], dtype=float)
            bounds.append(part_bounds(part, instance.position_m, instance.rotation_xyzw, vertices))
    return np.min([low for low, _ in bounds], axis=0), np.max([high for _, high in bounds], axis=0)


def _can_sit(scene: SceneDescription, grid: RouteGrid, object_id: int, free: npt.NDArray[np.bool_]) -> bool:
    """Whether a walker can stand straight in front of one of the object's seats."""
    for seat in find_seats(scene, {}, [object_id]):
        ahead = np.array([math.sin(seat.facing_rad), -math.cos(seat.facing_rad)])
        for gap in _SEAT_GAPS_M:
            cell = grid.cell(seat.front + gap * ahead)
            if cell is not None and free[cell]:
                return True
    return False


def _points_around(lower: FloatArray, upper: FloatArray, grid: RouteGrid, free: npt.NDArray[np.bool_]) -> FloatArray:
    """(n, 3) places on a 0.1 m lattice around a box, on floors from which it can be touched."""
    cells = np.argwhere(free)
    cells = cells[np.all(cells % _EVERY_CELLS == 0, axis=1)]
    xy = grid.origin_m + CELL_M * cells
    floor = grid.height_m[cells[:, 0], cells[:, 1]]
    gap = np.maximum(np.maximum(lower[:2] - xy, xy - upper[:2]), 0.0)
    distance = np.hypot(gap[:, 0], gap[:, 1])
    level = (lower[2] <= floor + _REACH_M) & (upper[2] > floor + 0.05)
    chosen = (distance >= _NEAR_M) & (distance <= _FAR_M) & level
    return np.asarray(np.column_stack([xy, floor])[chosen])


def _visible_shares(points: FloatArray, lower: FloatArray, upper: FloatArray, blockers: list[Footprint]) -> FloatArray:
    """(n,) share of 27 points in a box that are seen from eye height above the given places."""
    if not len(points):
        return np.zeros(0)
    low, high = lower[:2] - _FAR_M, upper[:2] + _FAR_M
    near = [f for f in blockers if np.all(f.outline_m.max(axis=0) >= low) and np.all(f.outline_m.min(axis=0) <= high)]
    eyes = points + np.array([0.0, 0.0, _EYE_HEIGHT_M])
    grid = np.stack(np.meshgrid(_SAMPLES, _SAMPLES, _SAMPLES, indexing="ij"), axis=-1).reshape(-1, 3)
    samples = lower + grid * (upper - lower)
    hidden = np.zeros((len(eyes), len(samples)), dtype=bool)
    for footprint in near:
        hidden |= _crosses(eyes[:, None, :], samples[None, :, :], footprint)
    return np.asarray(np.round(1.0 - hidden.mean(axis=1), 5))


def _crosses(start: FloatArray, end: FloatArray, footprint: Footprint) -> npt.NDArray[np.bool_]:
    """Whether straight lines meet the upright prism over a footprint."""
    outline = footprint.outline_m
    edge = np.roll(outline, -1, axis=0) - outline
    normal = np.column_stack([edge[:, 1], -edge[:, 0]])
    offset = np.sum(normal * outline, axis=1)
    normals = np.vstack([np.column_stack([normal, np.zeros(len(normal))]), [[0, 0, 1.0], [0, 0, -1.0]]])
    offsets = np.concatenate([offset, [footprint.top_m, -footprint.bottom_m]])
    # Inside means normal . p <= offset; clip the line p = start + t (end - start) against every face.
    height = start @ normals.T - offsets
    slope = (end - start) @ normals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        place = -height / slope
    enter = np.where(slope < 0, place, np.where((slope == 0) & (height > 0), np.inf, -np.inf)).max(axis=-1)
    leave = np.where(slope > 0, place, np.inf).min(axis=-1)
    return np.asarray(np.maximum(enter, 0.0) < np.minimum(leave, 1.0) - 1e-9)
