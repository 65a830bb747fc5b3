"""The route grid of the running episode: kept up to date with moved objects and with places that proved blocked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from bodyloop.household.agent.oracle.geometry import FloatArray
from bodyloop.scenes.description import FloorRegion, SceneDescription
from bodyloop.scenes.routes import CELL_M, LEVEL_TOLERANCE_M, RouteGrid

__all__ = ["BODY_RADIUS_M", "Blockage", "RouteMap"]

BODY_RADIUS_M: Final = 0.28
_FLIGHT_ROOM_M: Final = 0.40
"""Room to both sides wanted on risers, where arms swing and nothing can be corrected."""
_MOVED_M: Final = 0.04
_TURNED_DOT: Final = 0.9995
"""Two quaternions with a smaller absolute dot product are more than about 3.6 degrees apart."""

_AWAY: Final = (np.array([0.0, 0.0, -100.0]), np.array([0.0, 0.0, 0.0, 1.0]))
"""Far below every floor."""

Poses = Mapping[int, tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class Blockage:
    """A disc of standing places that turned out to be blocked, until a decision."""

    x_m: float
    y_m: float
    radius_m: float
    until_step: int


class RouteMap:
    """A :class:`RouteGrid` for current poses. ``radius_m`` is the body radius it was built for."""

    def __init__(self, scene: SceneDescription, goal_ids: Collection[int], radius_m: float = BODY_RADIUS_M) -> None:
        self._scene = scene
        self._goal_ids = sorted(goal_ids)
        self.radius_m = radius_m
        self._through_movables = False
        self._built_with: Poses | None = None
        self._blockages: tuple[Blockage, ...] = ()
        self._plain: RouteGrid | None = None
        self._grid: RouteGrid | None = None
        self.other_clearance_m: FloatArray = np.zeros((0, 0))
        """Distance to the nearest obstacle that is no goal, per cell."""
        self._flights: npt.NDArray[np.bool_] = np.zeros((0, 0), dtype=bool)
        self.version = 0
        """Changes whenever the grid does."""

    @property
    def grid(self) -> RouteGrid:
        """The current grid; :meth:`update` comes first."""
        assert self._grid is not None
        return self._grid

    @property
    def floors(self) -> tuple[FloorRegion, ...]:
        """Floor regions of the scene."""
        return self._scene.floors

    def update(
        self,
        poses: Poses,
        blockages: Collection[Blockage] = (),
        radius_m: float | None = None,
        *,
        through_movables: bool | None = None,
    ) -> None:
        """Rebuild what has changed since the last call.

        ``through_movables`` leaves out movable objects that are no goals: they can be pushed aside if they must.
        ``None`` keeps radius or choice as they are.
        """
        radius = self.radius_m if radius_m is None else radius_m
        through = self._through_movables if through_movables is None else through_movables
        wanted = tuple(sorted(blockages, key=lambda b: (b.until_step, b.x_m, b.y_m)))
        rebuilt = (
            self._plain is None or radius != self.radius_m or through != self._through_movables or self._moved(poses)
        )
        if rebuilt:
            self.radius_m = radius
            self._built_with = {key: (np.array(p), np.array(q)) for key, (p, q) in poses.items()}
            self._through_movables = through
            shown = {key: _AWAY if through and key not in self._goal_ids else pose for key, pose in poses.items()}
            plain = RouteGrid.from_scene(self._scene, body_radius_m=radius, poses=shown)
            self.other_clearance_m = _clearance_without(plain, self._goal_ids)
            self._flights = plain.corridor >= 0
            self._plain = replace(plain, corridor=_centred(plain.corridor, self.other_clearance_m))
        if rebuilt or wanted != self._blockages:
            assert self._plain is not None
            self._blockages = wanted
            self._grid = _blocked(self._plain, wanted)
            self.version += 1

    def _moved(self, poses: Poses) -> bool:
        assert self._built_with is not None
        for key, (position, rotation) in poses.items():
            before = self._built_with.get(key)
            if before is None or float(np.linalg.norm(position - before[0])) > _MOVED_M:
                return True
            if abs(float(rotation @ before[1])) < _TURNED_DOT:
                return True
        return False

    def on_flight(self, xy: FloatArray) -> bool:
        """Whether a point lies on a flight of risers or one of its landings."""
        cell = self.grid.cell(xy)
        return cell is not None and bool(self._flights[cell])

    def other_clearance(self, xy: FloatArray) -> float:
        """Distance from a point to the nearest obstacle that is no goal; 0 outside."""
        cell = self.grid.cell(xy)
        return 0.0 if cell is None else float(self.other_clearance_m[cell])

    def free_length(self, xy: FloatArray, direction: FloatArray, limit_m: float, slack_m: float = 0.05) -> float:
        """How far a body can move straight from ``xy``, up to ``limit_m``.

        A place counts as free with ``slack_m`` less clearance than planned routes have, and as long as it is no tighter
        than where the body already is; the floor must stay level.
        """
        grid, step = self.grid, CELL_M / 2
        here, floor = grid.clearance(xy), grid.floor_height(xy)
        needed = min(self.radius_m - slack_m, here - 1e-6)
        for index in range(1, round(limit_m / step) + 1):
            cell = grid.cell(xy + direction * (index * step))
            if cell is None or not abs(grid.height_m[cell] - floor) <= LEVEL_TOLERANCE_M:
                return (index - 1) * step
            if grid.clearance_m[cell] < needed and grid.corridor[cell] < 0:
                return (index - 1) * step
        return limit_m


def _clearance_without(grid: RouteGrid, goal_ids: list[int]) -> FloatArray:
    free = (grid.coverage == -2) | np.isin(grid.coverage, goal_ids)
    free &= ~np.isnan(grid.height_m)
    padded = np.pad(free, 1, constant_values=False)
    return np.maximum(np.asarray(ndimage.distance_transform_edt(padded))[1:-1, 1:-1] * CELL_M - CELL_M / 2, 0.0)


def _centred(corridor: npt.NDArray[np.int8], clearance_m: FloatArray) -> npt.NDArray[np.int8]:
    """Flights of risers without the lanes next to their walls, wherever a lane farther off is left."""
    narrowed = corridor.copy()
    labels, count = ndimage.label(corridor >= 0)
    for label in range(1, count + 1):
        flight = labels == label
        axis = int(corridor[flight][0])
        roomy = flight & (clearance_m >= _FLIGHT_ROOM_M)
        # A lane runs along the direction of travel: it counts if it is roomy over the whole length.
        lanes = np.all(roomy == flight, axis=axis) & np.any(flight, axis=axis)
        if lanes.any():
            keep = np.broadcast_to(np.expand_dims(lanes, axis), flight.shape)
            narrowed[flight & ~keep] = -1
    return narrowed


def _blocked(grid: RouteGrid, blockages: tuple[Blockage, ...]) -> RouteGrid:
    if not blockages:
        return grid
    x = grid.origin_m[0] + CELL_M * np.arange(grid.height_m.shape[0])[:, None]
    y = grid.origin_m[1] + CELL_M * np.arange(grid.height_m.shape[1])[None, :]
    closed = np.zeros(grid.height_m.shape, dtype=bool)
    for blockage in blockages:
        closed |= (x - blockage.x_m) ** 2 + (y - blockage.y_m) ** 2 < blockage.radius_m**2
    return replace(grid, open_floor=grid.open_floor & ~closed, corridor=np.where(closed, np.int8(-1), grid.corridor))
