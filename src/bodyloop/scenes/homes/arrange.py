"""Free space of one room: what stands where, what must stay free, and whether a body still gets everywhere.

Heights are above the room's floor. Rectangles are axis-aligned; turned pieces are entered with the box around them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from bodyloop.scenes.homes.plan import FloorPlan, Opening, Rect, RoomPlan

__all__ = [
    "SIDES",
    "WALL_GAP_M",
    "Arrangement",
    "Side",
    "Solid",
    "across",
    "front_zone",
    "grown",
    "opposite",
    "overlap",
    "side_of",
    "turned_size",
    "wall_rect",
    "wall_span",
    "wall_yaw",
]

Side = Literal["n", "e", "s", "w"]
SIDES: Final[tuple[Side, ...]] = ("n", "e", "s", "w")
WALL_GAP_M: Final = 0.015
_YAWS: Final = {"n": 0.0, "w": math.pi / 2, "s": math.pi, "e": -math.pi / 2}
_OPPOSITE: Final[dict[Side, Side]] = {"n": "s", "s": "n", "e": "w", "w": "e"}
_CELL_M: Final = 0.05
_RADIUS_M: Final = 0.33
"""Body radius 0.28 m, one cell of tolerance."""
_STEP_OVER_M: Final = 0.04
_HEADROOM_M: Final = 1.9
_DOOR_DEPTH_M: Final = 0.9
_RISER_DEPTH_M: Final = 1.1
_TOUCH_M: Final = 0.38
_FRAME_M: Final = 0.1


@dataclass(frozen=True)
class Solid:
    """A box that others must not enter."""

    rect: Rect
    bottom_m: float
    top_m: float
    core: Rect | None = None
    """What a body cannot pass, if that is less (a plant's pot below its leaves)."""


def overlap(a: Rect, b: Rect, gap_m: float = 0.0) -> bool:
    """Whether two rectangles come nearer than ``gap_m``."""
    return a[0] < b[2] + gap_m and b[0] < a[2] + gap_m and a[1] < b[3] + gap_m and b[1] < a[3] + gap_m


def grown(rect: Rect, by_m: float) -> Rect:
    """The rectangle with a rim of ``by_m``."""
    return (rect[0] - by_m, rect[1] - by_m, rect[2] + by_m, rect[3] + by_m)


def opposite(side: Side) -> Side:
    """The facing wall."""
    return _OPPOSITE[side]


def wall_yaw(side: Side) -> float:
    """Yaw of a piece whose back is on a wall."""
    return _YAWS[side]


def wall_span(rect: Rect, side: Side) -> tuple[float, float]:
    """Ends of a wall along its direction."""
    return (rect[0], rect[2]) if side in "ns" else (rect[1], rect[3])


def across(rect: Rect, side: Side) -> float:
    """Distance from a wall to the facing one."""
    return rect[3] - rect[1] if side in "ns" else rect[2] - rect[0]


def wall_rect(room: Rect, side: Side, t: float, size: tuple[float, float], gap_m: float = WALL_GAP_M) -> Rect:
    """Footprint of a piece (width, depth) on a wall; ``t`` is its middle along the wall."""
    half, depth = size[0] / 2, size[1]
    if side == "n":
        return (t - half, room[3] - gap_m - depth, t + half, room[3] - gap_m)
    if side == "s":
        return (t - half, room[1] + gap_m, t + half, room[1] + gap_m + depth)
    if side == "e":
        return (room[2] - gap_m - depth, t - half, room[2] - gap_m, t + half)
    return (room[0] + gap_m, t - half, room[0] + gap_m + depth, t + half)


def front_zone(rect: Rect, side: Side, depth_m: float, *, start_m: float = 0.0) -> Rect:
    """Floor in front of a piece whose back is on ``side``, from ``start_m`` to ``depth_m`` before its front."""
    if side == "n":
        return (rect[0], rect[1] - depth_m, rect[2], rect[1] - start_m)
    if side == "s":
        return (rect[0], rect[3] + start_m, rect[2], rect[3] + depth_m)
    if side == "e":
        return (rect[0] - depth_m, rect[1], rect[0] - start_m, rect[3])
    return (rect[2] + start_m, rect[1], rect[2] + depth_m, rect[3])


def turned_size(size: tuple[float, float], yaw_rad: float) -> tuple[float, float]:
    """Extents along x and y of a turned rectangle."""
    c, s = abs(math.cos(yaw_rad)), abs(math.sin(yaw_rad))
    return (size[0] * c + size[1] * s, size[0] * s + size[1] * c)


def side_of(room: RoomPlan, opening: Opening) -> Side:
    """The wall of a room that holds an opening."""
    x0, y0, x1, y1 = room.rect
    if opening.along == "x":
        return "n" if abs(opening.at_m - y1) < abs(opening.at_m - y0) else "s"
    return "e" if abs(opening.at_m - x1) < abs(opening.at_m - x0) else "w"


class Arrangement:
    """The state of one room while it is furnished."""

    def __init__(self, plan: FloorPlan, room: RoomPlan) -> None:
        self.room = room
        self.rect = room.rect
        self.solids: list[Solid] = []
        self.openings: list[Solid] = []
        self.zones: list[Rect] = []
        """Floor that stays free of anything one could walk into."""
        self.access: list[Rect] = []
        """In each of these a body must be able to stand, coming from a door."""
        self.doors: list[tuple[float, float]] = []
        self._enter_openings(plan)

    def _enter_openings(self, plan: FloorPlan) -> None:
        inside = [t for t in plan.treads if overlap((*t.lower_m, *t.upper_m), self.rect, -0.01)]
        treads = [(*t.lower_m, *t.upper_m) for t in inside]
        self.zones += treads
        heights = {room.name: room.floor_height_m for room in plan.rooms}
        for opening in plan.openings_of(self.room):
            side = side_of(self.room, opening)
            half = opening.width_m / 2
            strip = wall_rect(self.rect, side, opening.center_m, (2 * half + 2 * _FRAME_M, 0.05), 0.0)
            bottom = opening.bottom_m - self.room.floor_height_m - 0.02
            if opening.kind == "window":
                self.openings.append(Solid(strip, bottom, opening.top_m - self.room.floor_height_m + _FRAME_M))
                continue
            self.openings.append(Solid(strip, -0.1, opening.top_m - self.room.floor_height_m + _FRAME_M))
            level = len({heights[name] for name in opening.rooms if name in heights}) < 2
            self._keep_doorway(side, opening, treads, _DOOR_DEPTH_M if level else _RISER_DEPTH_M)

    def _keep_doorway(self, side: Side, opening: Opening, treads: list[Rect], depth_m: float) -> None:
        at_wall = wall_rect(self.rect, side, opening.center_m, (opening.width_m + 0.2, 0.0), 0.0)
        zone = front_zone(at_wall, side, depth_m)
        start = 0.0
        flight = [t for t in treads if overlap(t, front_zone(at_wall, side, 1.6))]
        for tread in flight:
            far = {
                "n": at_wall[3] - tread[1],
                "s": tread[3] - at_wall[1],
                "e": at_wall[2] - tread[0],
                "w": tread[2] - at_wall[0],
            }
            start = max(start, far[side])
        if flight:
            wide = wall_rect(
                self.rect, side, opening.center_m, (max(opening.width_m + 0.2, _width(flight, side)), 0.0), 0.0
            )
            zone = front_zone(wide, side, start + _RISER_DEPTH_M)
        self.zones.append(zone)
        x0, y0, x1, y1 = front_zone(at_wall, side, start + 0.5, start_m=start + 0.4)
        self.doors.append(((x0 + x1) / 2, (y0 + y1) / 2))

    def inside(self, rect: Rect) -> bool:
        """Whether a rectangle lies in the room."""
        x0, y0, x1, y1 = self.rect
        return rect[0] >= x0 - 1e-9 and rect[1] >= y0 - 1e-9 and rect[2] <= x1 + 1e-9 and rect[3] <= y1 + 1e-9

    def fits(self, rect: Rect, bottom_m: float, top_m: float, *, gap_m: float = 0.01) -> bool:
        """Whether a piece stands there without touching another, an opening or floor to be kept free."""
        if not self.inside(rect):
            return False
        if bottom_m < _HEADROOM_M and any(overlap(rect, zone) for zone in self.zones):
            return False
        return not any(
            overlap(rect, other.rect, gap_m) and bottom_m < other.top_m and other.bottom_m < top_m
            for other in (*self.solids, *self.openings)
        )

    def is_free(self, zone: Rect) -> bool:
        """Whether a piece of floor lies in the room and nothing stands on it."""
        return self.inside(zone) and not any(
            overlap(zone, other.rect) and other.bottom_m < _HEADROOM_M and other.top_m > _STEP_OVER_M
            for other in self.solids
        )

    def connected(self, extra: Iterable[Solid] = (), access: Iterable[Rect] = ()) -> bool:
        """Whether a body still reaches every doorway and every place of access with ``extra`` pieces in the room."""
        labels = self._reachable((*self.solids, *extra))
        reached = {int(labels[self._index(point)]) for point in self.doors}
        if 0 in reached or len(reached) > 1:
            return False
        main = reached.pop() if reached else 0
        for rect in (*self.access, *access):
            low, high = self._index(rect[:2]), self._index(rect[2:])
            window = labels[low[0] : high[0] + 1, low[1] : high[1] + 1]
            if not (np.any(window == main) if main else np.any(window)):
                return False
        return True

    def touch_zone(self, rect: Rect) -> Rect:
        """Where a body stands when it is near enough to touch a piece."""
        return grown(rect, _TOUCH_M)

    def _index(self, point: tuple[float, float]) -> tuple[int, int]:
        nx, ny = self._shape()
        i = int((point[0] - self.rect[0]) / _CELL_M)
        j = int((point[1] - self.rect[1]) / _CELL_M)
        return min(max(i, 0), nx - 1), min(max(j, 0), ny - 1)

    def _shape(self) -> tuple[int, int]:
        x0, y0, x1, y1 = self.rect
        return max(1, round((x1 - x0) / _CELL_M)), max(1, round((y1 - y0) / _CELL_M))

    def _reachable(self, solids: Iterable[Solid]) -> npt.NDArray[np.int32]:
        """(nx, ny) labels of the connected places where a body fits; 0 where it does not."""
        nx, ny = self._shape()
        free = np.ones((nx, ny), dtype=bool)
        for solid in solids:
            if solid.bottom_m < _HEADROOM_M and solid.top_m > _STEP_OVER_M:
                rect = solid.core or solid.rect
                i0, j0 = self._index(rect[:2])
                i1, j1 = self._index((rect[2] - 1e-6, rect[3] - 1e-6))
                free[i0 : i1 + 1, j0 : j1 + 1] = False
        distance = ndimage.distance_transform_edt(np.pad(free, 1))[1:-1, 1:-1] * _CELL_M
        labels, _ = ndimage.label(distance >= _RADIUS_M)
        return np.asarray(labels, dtype=np.int32)


def _width(treads: list[Rect], side: Side) -> float:
    spans = [wall_span(tread, side) for tread in treads]
    return max(high for _, high in spans) - min(low for low, _ in spans)
