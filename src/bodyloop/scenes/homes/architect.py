"""From a sketch to a floor plan: clear rooms, doorways, windows, treads."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from bodyloop.scenes.description import FloorRegion
from bodyloop.scenes.homes.plan import FloorPlan, Opening, Rect, RoomPlan
from bodyloop.scenes.homes.sketches import ROOM_KINDS, Sketch

__all__ = ["CEILING_M", "RISER_M", "TREAD_M", "WALL_M", "draw_plan"]

WALL_M: Final = 0.12
CEILING_M: Final = 2.6
"""Ceiling above the floor of each room."""
RISER_M: Final = 0.17
TREAD_M: Final = 0.30

_HALF: Final = WALL_M / 2
_DOOR_TOP_M: Final = 2.06
_LINTEL_M: Final = 0.08
"""Least wall above a doorway, seen from its lower room."""
_CORNER_M: Final = 0.24
"""Wall kept between a doorway at the end of a wall and the corner."""
_FLIGHT_WIDTH_M: Final = 1.4


def draw_plan(home_id: str, sketch: Sketch, rng: np.random.Generator) -> FloorPlan:
    """Floor plan of a sketch; ``rng`` varies its measures by a few centimetres. The home is centred on the origin."""
    cells = _cells(sketch, rng)
    names = _names(cells)
    rooms = tuple(
        RoomPlan(
            names[letter],
            ROOM_KINDS[letter],
            _grown(cells[letter], -_HALF),
            _round(RISER_M * sketch.risers.get(letter, 0)),
            sketch.palette,
        )
        for letter in cells
    )
    by_letter = dict(zip(cells, rooms, strict=True))
    doors = tuple(_door(text, by_letter, rng) for text in sketch.doors)
    treads = tuple(tread for door in doors for tread in _treads(door, {room.name: room for room in rooms}))
    entrance = _entrance(rooms)
    windows = tuple(window for room in rooms for window in _windows(room, rooms, entrance, rng))
    return FloorPlan(home_id, rooms, (*doors, entrance, *windows), treads)


def _round(value: float) -> float:
    return round(float(value), 4) + 0.0


def _grown(rect: Rect, by: float) -> Rect:
    return (_round(rect[0] - by), _round(rect[1] - by), _round(rect[2] + by), _round(rect[3] + by))


def _cells(sketch: Sketch, rng: np.random.Generator) -> dict[str, Rect]:
    """Rectangle of every letter between wall middles."""
    columns = np.array(sketch.columns_m) + 0.05 * rng.integers(0, 3, len(sketch.columns_m))
    rows = np.array(sketch.rows_m) + 0.05 * rng.integers(0, 3, len(sketch.rows_m))
    x = np.concatenate([[0.0], np.cumsum(columns)]) - columns.sum() / 2
    y = rows.sum() / 2 - np.concatenate([[0.0], np.cumsum(rows)])
    found: dict[str, Rect] = {}
    for letter in dict.fromkeys("".join(sketch.grid)):
        spots = [(r, c) for r, line in enumerate(sketch.grid) for c, mark in enumerate(line) if mark == letter]
        r0, c0 = min(r for r, _ in spots), min(c for _, c in spots)
        r1, c1 = max(r for r, _ in spots) + 1, max(c for _, c in spots) + 1
        if len(spots) != (r1 - r0) * (c1 - c0):
            raise ValueError(f"room {letter} is no rectangle in {sketch.grid}")
        left, right = (-x[c1], -x[c0]) if sketch.mirrored else (x[c0], x[c1])
        found[letter] = (_round(left), _round(y[r1]), _round(right), _round(y[r0]))
    return found


def _names(cells: dict[str, Rect]) -> dict[str, str]:
    kinds = [ROOM_KINDS[letter] for letter in cells]
    names = {}
    for index, letter in enumerate(cells):
        number = kinds[:index].count(kinds[index])
        names[letter] = kinds[index] if not number else f"{kinds[index]}_{number + 1}"
    return names


def _shared(a: RoomPlan, b: RoomPlan) -> tuple[Literal["x", "y"], float, float, float]:
    """The wall between two rooms: its direction, its middle plane, and the span both rooms have on it."""
    ax0, ay0, ax1, ay1 = a.rect
    bx0, by0, bx1, by1 = b.rect
    for low, high in ((ay1, by0), (by1, ay0)):
        if abs(high - low - WALL_M) < 1e-3:
            return "x", _round((low + high) / 2), max(ax0, bx0), min(ax1, bx1)
    for low, high in ((ax1, bx0), (bx1, ax0)):
        if abs(high - low - WALL_M) < 1e-3:
            return "y", _round((low + high) / 2), max(ay0, by0), min(ay1, by1)
    raise ValueError(f"{a.name} and {b.name} share no wall")


def _door(text: str, rooms: dict[str, RoomPlan], rng: np.random.Generator) -> Opening:
    a, b = rooms[text[0]], rooms[text[1]]
    along, at, low, high = _shared(a, b)
    stepped = a.floor_height_m != b.floor_height_m
    if "=" in text:
        width = min(_round(2.0 + 0.1 * rng.integers(0, 4)), high - low - 0.7)
    else:
        width = _FLIGHT_WIDTH_M if stepped else _round(1.0 + 0.05 * rng.integers(0, 4))
    reach = width / 2 + (_CORNER_M if not stepped else 0.5)
    center = {"<": low + reach, ">": high - reach}.get(text[-1], (low + high) / 2)
    floor = max(a.floor_height_m, b.floor_height_m)
    lower_ceiling = min(a.floor_height_m, b.floor_height_m) + CEILING_M
    top = min(floor + (_DOOR_TOP_M + 0.1 if "=" in text else _DOOR_TOP_M), lower_ceiling - _LINTEL_M)
    return Opening("door", along, at, _round(center), _round(width), floor, _round(top), (a.name, b.name))


def _treads(door: Opening, rooms: dict[str, RoomPlan]) -> list[FloorRegion]:
    """Treads up to a raised room: all but the last in the lower room, the last one in the doorway."""
    a, b = (rooms[name] for name in door.rooms)
    if a.floor_height_m == b.floor_height_m:
        return []
    low, high = sorted((a, b), key=lambda room: room.floor_height_m)
    axis = 1 if door.along == "x" else 0
    outward = -1.0 if low.rect[axis] < door.at_m - WALL_M else 1.0
    count = round((high.floor_height_m - low.floor_height_m) / RISER_M)
    treads = []
    for step in range(1, count + 1):
        face = door.at_m + outward * (_HALF + TREAD_M * (count - step))
        back = (
            door.at_m + outward * (_HALF + TREAD_M * (count - step - 1))
            if step < count
            else door.at_m - outward * _HALF
        )
        span = (door.center_m - door.width_m / 2, door.center_m + door.width_m / 2)
        depth = (min(face, back), max(face, back))
        (x0, x1), (y0, y1) = (span, depth) if door.along == "x" else (depth, span)
        height = _round(low.floor_height_m + RISER_M * step)
        treads.append(FloorRegion((_round(x0), _round(y0)), (_round(x1), _round(y1)), height, "tread"))
    return treads


def _outer_walls(room: RoomPlan, rooms: tuple[RoomPlan, ...]) -> list[tuple[Literal["x", "y"], float, float, float]]:
    """Stretches of wall of a room with nothing behind them: direction, middle plane, span."""
    x0, y0, x1, y1 = room.rect
    found = []
    sides: tuple[tuple[Literal["x", "y"], float, float, float, int, int], ...] = (
        ("x", y0 - _HALF, x0, x1, 1, 3),
        ("x", y1 + _HALF, x0, x1, 3, 1),
        ("y", x0 - _HALF, y0, y1, 0, 2),
        ("y", x1 + _HALF, y0, y1, 2, 0),
    )
    for along, at, low, high, _, other in sides:
        axis = 0 if along == "x" else 1
        taken = [
            (r.rect[axis] - WALL_M, r.rect[axis + 2] + WALL_M)
            for r in rooms
            if r is not room and abs(r.rect[other] - (2 * at - room.rect[(other + 2) % 4])) < 1e-3
        ]
        for start, end in _gaps(low, high, taken):
            found.append((along, _round(at), _round(start), _round(end)))
    return found


def _gaps(low: float, high: float, taken: list[tuple[float, float]]) -> list[tuple[float, float]]:
    gaps, start = [], low
    for a, b in sorted((a, b) for a, b in taken if a < high and b > low):
        if a - start > 0.3:
            gaps.append((start, a))
        start = max(start, b)
    if high - start > 0.3:
        gaps.append((start, high))
    return gaps


def _entrance(rooms: tuple[RoomPlan, ...]) -> Opening:
    """The closed front door: in the hall if it has an outer wall, else in the living room."""
    order = sorted(
        rooms, key=lambda room: ("hall", "living_room").index(room.kind) if room.kind in ("hall", "living_room") else 9
    )
    for room in order:
        walls = [wall for wall in _outer_walls(room, rooms) if wall[3] - wall[2] >= 1.3]
        if walls and room.floor_height_m == 0:
            along, at, low, high = min(walls, key=lambda wall: (wall[3] - wall[2], wall[1], wall[2]))
            center = (low + high) / 2 if room.kind == "hall" else high - 0.9
            return Opening("entrance", along, at, _round(center), 0.95, 0.0, _DOOR_TOP_M, (room.name,))
    raise ValueError("no room has an outer wall for the front door")


def _windows(room: RoomPlan, rooms: tuple[RoomPlan, ...], entrance: Opening, rng: np.random.Generator) -> list[Opening]:
    walls = [
        wall
        for wall in _outer_walls(room, rooms)
        if wall[3] - wall[2] >= 1.5 and not (room.name in entrance.rooms and wall[1] == entrance.at_m)
    ]
    walls.sort(key=lambda wall: (wall[2] - wall[3], wall[1]))
    if room.kind == "hall":
        walls = []
    bath = room.kind == "bathroom"
    found = []
    for along, at, low, high in walls[: 1 if bath else 2]:
        width = 0.8 if bath else min(_round(1.3 + 0.1 * rng.integers(0, 5)), _round(high - low - 1.0))
        sill = 1.3 if bath else 0.92
        bottom, top = room.floor_height_m + sill, room.floor_height_m + 2.12
        found.append(
            Opening("window", along, at, _round((low + high) / 2), width, _round(bottom), _round(top), (room.name,))
        )
    return found
