"""Routes on a floor plan: a 0.05 m grid over every floor level, with obstacles grown by the body's radius.

Levels meet only at risers. A flight of risers is crossed inside a corridor (its width less the body's radius) and only
along its own direction, so every route meets a riser at a right angle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from bodyloop.scenes.description import FloorRegion, SceneDescription
from bodyloop.scenes.footprints import Footprint, Pose, instance_footprints, stage_footprints

__all__ = ["CELL_M", "DistanceField", "RouteGrid"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Cell = tuple[int, int]

CELL_M: Final = 0.05
STEP_OVER_M: Final = 0.04
"""Anything lower than this above the floor (rugs, mats) is no obstacle."""
HEADROOM_M: Final = 1.75
MAX_RISER_M: Final = 0.25
LEVEL_TOLERANCE_M: Final = 0.03
COMFORT_M: Final = 0.55
"""Clearance from which on a cell carries no clearance cost."""
_LANDING_M: Final = 0.10


@dataclass(frozen=True, eq=False)
class RouteGrid:
    """Where a standing body fits. All maps are (nx, ny); cell (i, j) has its middle at ``origin + CELL_M * (i, j)``."""

    origin_m: FloatArray
    body_radius_m: float
    height_m: FloatArray
    """Floor height, NaN where there is no floor."""
    clearance_m: FloatArray
    """Distance to the nearest obstacle, drop or wall on the same level."""
    open_floor: BoolArray
    """Cells where the body stands freely on one level."""
    corridor: npt.NDArray[np.int8]
    """Direction of travel over a flight of risers: 0 along x, 1 along y, -1 elsewhere."""
    coverage: npt.NDArray[np.int32]
    """Owner of the obstacle over a cell: object id, -1 for the stage, -2 for none."""

    @classmethod
    def from_scene(
        cls, scene: SceneDescription, *, body_radius_m: float = 0.28, poses: Mapping[int, Pose] | None = None
    ) -> RouteGrid:
        """Grid of a scene; ``poses`` gives current (position, rotation_xyzw) of objects by id."""
        lower = np.min([region.lower_m for region in scene.floors], axis=0)
        upper = np.max([region.upper_m for region in scene.floors], axis=0)
        origin = np.asarray(lower, dtype=float) + CELL_M / 2
        shape = tuple(int(n) for n in np.maximum(1, np.round((upper - lower) / CELL_M)))
        height = _heights(scene.floors, origin, (shape[0], shape[1]))
        coverage = np.full(shape, -2, dtype=np.int32)
        for footprint in stage_footprints(scene):
            _cover(coverage, height, footprint, origin)
        for footprint in instance_footprints(scene, poses):
            _cover(coverage, height, footprint, origin)
        blocked = (coverage != -2) | np.isnan(height)
        clearance = _level_clearance(blocked, height)
        corridor = _corridors(scene.floors, height, _distance(blocked) >= body_radius_m, body_radius_m, origin)
        return cls(origin, body_radius_m, height, clearance, clearance >= body_radius_m, corridor, coverage)

    def cell(self, xy: npt.ArrayLike) -> Cell | None:
        """Cell under a point, or None outside the grid."""
        index = np.round((np.asarray(xy, dtype=float)[:2] - self.origin_m) / CELL_M).astype(int)
        inside = bool(np.all(index >= 0) and np.all(index < self.height_m.shape))
        return (int(index[0]), int(index[1])) if inside else None

    def point(self, cell: Cell) -> FloatArray:
        """Middle of a cell (3,): x, y and floor height."""
        return np.array([*(self.origin_m + CELL_M * np.asarray(cell)), self.height_m[cell]])

    @cached_property
    def passable(self) -> BoolArray:
        """Cells a body may be in: open floor and corridors over risers."""
        return np.asarray(self.open_floor | (self.corridor >= 0))

    @cached_property
    def _passable_cells(self) -> IntArray:
        return np.argwhere(self.passable)

    def is_free(self, xy: npt.ArrayLike) -> bool:
        """Whether a body with its axis at ``xy`` touches nothing."""
        cell = self.cell(xy)
        return cell is not None and bool(self.passable[cell])

    def floor_height(self, xy: npt.ArrayLike) -> float:
        """Floor height under a point, NaN where there is no floor."""
        cell = self.cell(xy)
        return float("nan") if cell is None else float(self.height_m[cell])

    def clearance(self, xy: npt.ArrayLike) -> float:
        """Distance from a point to the nearest obstacle or drop, metres; 0 outside."""
        cell = self.cell(xy)
        return 0.0 if cell is None else float(self.clearance_m[cell])

    def nearest_free(self, xy: npt.ArrayLike, limit_m: float = 0.5) -> FloatArray | None:
        """Middle (3,) of the passable cell nearest to ``xy`` within ``limit_m``, or None."""
        point = np.asarray(xy, dtype=float)[:2]
        cells = self._passable_cells
        if not len(cells):
            return None
        distances = np.linalg.norm(self.origin_m + CELL_M * cells - point, axis=1)
        best = int(np.argmin(distances))
        return self.point((int(cells[best][0]), int(cells[best][1]))) if distances[best] <= limit_m else None

    def free_points(self, clearance_m: float = 0.0) -> FloatArray:
        """(n, 3) middles of the open-floor cells with at least the given clearance."""
        cells = np.argwhere(self.open_floor & (self.clearance_m >= clearance_m))
        heights = self.height_m[cells[:, 0], cells[:, 1]]
        return np.column_stack([self.origin_m + CELL_M * cells, heights])

    def field(self, goal_points: npt.ArrayLike, *, clearance_weight: float = 0.0) -> DistanceField:
        """Shortest ways from everywhere to the nearest of ``goal_points`` (n, >=2).

        ``clearance_weight`` > 0 makes cells nearer than 0.55 m to an obstacle cost up to (1 + weight) times more.
        Goals that are not free move to the nearest free cell within 0.5 m, or are left out.
        """
        goals = [self.nearest_free(point) for point in np.atleast_2d(np.asarray(goal_points, dtype=float))]
        return DistanceField.compute(self, [g for g in goals if g is not None], clearance_weight)


@dataclass(frozen=True, eq=False)
class DistanceField:
    """Shortest ways on a grid to a set of goals."""

    grid: RouteGrid
    length_m: FloatArray
    """(nx, ny) length of the way, infinite where there is none."""
    next_cell: IntArray
    """(nx, ny) flat index of the next cell on the way, -1 at goals and where there is none."""

    @classmethod
    def compute(cls, grid: RouteGrid, goals: list[FloatArray], clearance_weight: float) -> DistanceField:
        """Multi-source Dijkstra over the eight neighbours."""
        shape, size = grid.height_m.shape, grid.height_m.size
        if not goals:
            return cls(grid, np.full(shape, np.inf), np.full(shape, -1, dtype=np.int64))
        sources = np.unique([np.ravel_multi_index(grid.cell(goal) or (0, 0), shape) for goal in goals])
        graph = _graph(grid, clearance_weight)
        cost, previous, _ = dijkstra(graph, directed=False, indices=sources, return_predecessors=True, min_only=True)
        following = np.where(previous < 0, -1, previous).astype(np.int64)
        lengths = _lengths(following, shape)
        lengths[~np.isfinite(cost)] = np.inf
        assert lengths.size == size
        return cls(grid, lengths.reshape(shape), following.reshape(shape))

    def distance(self, xy: npt.ArrayLike) -> float:
        """Length of the way from a point, metres; infinite if there is none."""
        start = self.grid.nearest_free(xy)
        if start is None:
            return float("inf")
        cell = self.grid.cell(start)
        assert cell is not None
        return float(self.length_m[cell])

    def path(self, xy: npt.ArrayLike) -> FloatArray:
        """(n, 3) corners of the way from a point to its goal: x, y, floor height. Empty (0, 3) if there is no way."""
        start = self.grid.nearest_free(xy)
        cell = None if start is None else self.grid.cell(start)
        if cell is None or not np.isfinite(self.length_m[cell]):
            return np.zeros((0, 3))
        cells = [cell]
        while (following := int(self.next_cell[cells[-1]])) >= 0:
            row, column = np.unravel_index(following, self.length_m.shape)
            cells.append((int(row), int(column)))
        return np.array([self.grid.point(c) for c in _straighten(self.grid, cells)])


def _heights(floors: tuple[FloorRegion, ...], origin: FloatArray, shape: tuple[int, int]) -> FloatArray:
    height = np.full(shape, -np.inf)
    for region in floors:
        window = _window(region.lower_m, region.upper_m, origin, shape)
        height[window] = np.maximum(height[window], region.height_m)
    return np.where(np.isinf(height), np.nan, height)


def _window(
    lower: npt.ArrayLike, upper: npt.ArrayLike, origin: FloatArray, shape: tuple[int, int]
) -> tuple[slice, slice]:
    first = np.ceil((np.asarray(lower) - origin) / CELL_M - 1e-6).astype(int)
    last = np.floor((np.asarray(upper) - origin) / CELL_M + 1e-6).astype(int) + 1
    first, last = np.clip(first, 0, shape), np.clip(last, 0, shape)
    return slice(int(first[0]), int(last[0])), slice(int(first[1]), int(last[1]))


def _cover(coverage: npt.NDArray[np.int32], height: FloatArray, footprint: Footprint, origin: FloatArray) -> None:
    outline = footprint.outline_m
    window = _window(outline.min(axis=0), outline.max(axis=0), origin, (height.shape[0], height.shape[1]))
    floor = height[window]
    if not floor.size:
        return
    x = origin[0] + CELL_M * np.arange(window[0].start, window[0].stop)
    y = origin[1] + CELL_M * np.arange(window[1].start, window[1].stop)
    edge = np.roll(outline, -1, axis=0) - outline
    # Inside a counter-clockwise outline every edge has the point on its left.
    left = edge[:, 0, None, None] * (y[None, None, :] - outline[:, 1, None, None]) - edge[:, 1, None, None] * (
        x[None, :, None] - outline[:, 0, None, None]
    )
    inside = np.all(left >= -1e-9, axis=0)
    inside &= (footprint.top_m > floor + STEP_OVER_M) & (footprint.bottom_m < floor + HEADROOM_M)
    coverage[window][inside] = footprint.owner


def _distance(blocked: BoolArray) -> FloatArray:
    """Distance from cell middles to the edge of the nearest blocked cell; the rim of the grid counts as blocked."""
    padded = np.pad(~blocked, 1, constant_values=False)
    inner = np.asarray(ndimage.distance_transform_edt(padded))[1:-1, 1:-1]
    return np.asarray(np.maximum(inner * CELL_M - CELL_M / 2, 0.0))


def _level_clearance(blocked: BoolArray, height: FloatArray) -> FloatArray:
    clearance = np.zeros(height.shape)
    for level in np.unique(np.round(height[~np.isnan(height)], 3)):
        here = np.abs(np.nan_to_num(height, nan=np.inf) - level) <= LEVEL_TOLERANCE_M
        clearance = np.where(here, _distance(blocked | ~here), clearance)
    return clearance


def _corridors(
    floors: tuple[FloorRegion, ...], height: FloatArray, fits: BoolArray, radius: float, origin: FloatArray
) -> npt.NDArray[np.int8]:
    """Mark the cells from which treads are crossed: their width less the body's radius, with a landing at both ends."""
    corridor = np.full(height.shape, -1, dtype=np.int8)
    for region in floors:
        if region.kind != "tread":
            continue
        extent = np.subtract(region.upper_m, region.lower_m)
        axis = int(np.argmin(extent))
        grow = np.full(2, -min(radius, extent[1 - axis] / 2 - CELL_M))
        grow[axis] = radius + _LANDING_M
        window = _window(region.lower_m - grow, region.upper_m + grow, origin, (height.shape[0], height.shape[1]))
        corridor[window] = np.where(fits[window], axis, corridor[window])
    return corridor


def _graph(grid: RouteGrid, clearance_weight: float) -> csr_array:
    """Undirected graph over all cells with travel costs."""
    index = np.arange(grid.height_m.size).reshape(grid.height_m.shape)
    crowding = np.clip((COMFORT_M - grid.clearance_m) / COMFORT_M, 0.0, 1.0)
    cost = 1.0 + clearance_weight * np.where(grid.open_floor, crowding, 0.0)
    starts, ends, weights = [], [], []
    for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
        here, there = _shifted(step)
        allowed = _allowed(grid, step, here, there)
        length = CELL_M * float(np.hypot(*step))
        starts.append(index[here][allowed])
        ends.append(index[there][allowed])
        weights.append(length * 0.5 * (cost[here] + cost[there])[allowed])
    data = (np.concatenate(weights), (np.concatenate(starts), np.concatenate(ends)))
    return csr_array(data, shape=(index.size, index.size))


def _shifted(step: Cell) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    dx, dy = step
    low = slice(None, -1) if dy else slice(None)
    high = slice(1, None) if dy else slice(None)
    x_here, x_there = (slice(None, -1), slice(1, None)) if dx else (slice(None), slice(None))
    return (x_here, high if dy < 0 else low), (x_there, low if dy < 0 else high)


def _allowed(grid: RouteGrid, step: Cell, here: tuple[slice, slice], there: tuple[slice, slice]) -> BoolArray:
    rise = np.abs(grid.height_m[here] - grid.height_m[there])
    level = rise <= LEVEL_TOLERANCE_M
    allowed = grid.open_floor[here] & grid.open_floor[there] & level
    if 0 in step:
        axis = 1 if step[0] == 0 else 0
        along = (grid.corridor[here] == axis) & (grid.corridor[there] == axis)
        allowed |= along & (rise <= MAX_RISER_M)
    return np.asarray(allowed)


def _lengths(following: IntArray, shape: tuple[int, ...]) -> FloatArray:
    """Length of the chain of next cells from every cell, by pointer jumping."""
    index = np.arange(following.size)
    target = np.where(following < 0, index, following)
    rows, columns = np.unravel_index(index, shape)
    length = CELL_M * np.hypot(rows - rows[target], columns - columns[target])
    while np.any(target != target[target]):
        length = length + length[target]
        target = target[target]
    return np.asarray(length)


def _straighten(grid: RouteGrid, cells: list[Cell]) -> list[Cell]:
    """Drop the cells between which the straight line is as free as the way itself."""
    kept, start = [cells[0]], 0
    while start < len(cells) - 1:
        end = _farthest(grid, cells, start)
        kept.append(cells[end])
        start = end
    return kept


def _farthest(grid: RouteGrid, cells: list[Cell], start: int) -> int:
    narrowest, best = np.inf, start + 1
    for end in range(start + 1, min(len(cells), start + 120)):
        narrowest = min(narrowest, grid.clearance_m[cells[end]])
        if not _same_leg(grid, cells[start], cells[end]):
            break
        if _straight(grid, cells[start], cells[end], min(narrowest, COMFORT_M)):
            best = end
    return best


def _same_leg(grid: RouteGrid, a: Cell, b: Cell) -> bool:
    """Open floor is one leg, a corridor over risers another; a corridor's outer ends belong to both."""
    if grid.open_floor[a] and grid.open_floor[b]:
        return bool(abs(grid.height_m[a] - grid.height_m[b]) <= LEVEL_TOLERANCE_M)
    axis = int(grid.corridor[a])
    return axis >= 0 and int(grid.corridor[b]) == axis and a[1 - axis] == b[1 - axis]


def _straight(grid: RouteGrid, a: Cell, b: Cell, clearance_m: float) -> bool:
    if not (grid.open_floor[a] and grid.open_floor[b]):
        return True
    count = 2 * max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1
    rows = np.round(np.linspace(a[0], b[0], count)).astype(int)
    columns = np.round(np.linspace(a[1], b[1], count)).astype(int)
    level = np.abs(grid.height_m[rows, columns] - grid.height_m[a]) <= LEVEL_TOLERANCE_M
    free = grid.open_floor[rows, columns] & (grid.clearance_m[rows, columns] >= clearance_m - 1e-9)
    return bool(np.all(level & free))
