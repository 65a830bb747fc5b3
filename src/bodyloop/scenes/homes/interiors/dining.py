"""A table to eat at, with movable chairs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bodyloop.scenes.furniture import Furniture
from bodyloop.scenes.homes.interiors.decorator import Decorator
from bodyloop.scenes.homes.plan import Placed, Rect

__all__ = ["dining_group"]

_TUCKED_M = 0.12
"""How far the chairs stand under the table."""
_AT_ENDS = 1
"""Instead of a number of chairs: one at each end of the table."""
_SIZES = ((4, (1.5, 0.85)), (4, (1.35, 0.8)), (2, (1.05, 0.8)), (_AT_ENDS, (1.05, 0.8)))
"""Chairs along the long sides, width and depth of the table; from large to small."""


def dining_group(room: Decorator, seats: int) -> Placed | None:
    """A table with movable chairs around it, wherever the ways stay open; smaller if it must be."""
    for count, size in _SIZES if seats > 2 else _SIZES[2:]:
        style = int(room.rng.choice([0, 2, 3]))
        table = room.make("dining_table", style, size)
        chair = room.make("dining_chair")
        for x, y, yaw in _table_places(room):
            if not room.space.fits(room.solid(table, (x, y), yaw).rect, 0.0, 1.0, gap_m=0.05):
                continue
            group = _chairs(table, chair, count, (x, y), yaw)
            bodies = [room.solid(table, (x, y), yaw), *(room.solid(chair, (cx, cy), a) for cx, cy, a in group)]
            if not all(room.space.fits(b.rect, 0.0, 1.0, gap_m=0.05) for b in bodies):
                continue
            if not room.space.connected(bodies, [room.space.touch_zone(b.rect) for b in bodies[1:]]):
                continue
            placed = room.keep("dining_table", table, (x, y), yaw)
            for cx, cy, angle in group:
                turned = angle + float(room.rng.uniform(-0.06, 0.06))
                room.keep("dining_chair", chair, (cx, cy), turned)
            room.space.access += [room.space.touch_zone(b.rect) for b in bodies[1:]]
            _set_table(room, placed, count)
            return placed
    return None


def _table_places(room: Decorator) -> Iterator[tuple[float, float, float]]:
    """Places on a 0.2 m grid, best first: near the middle of the free floor."""
    x0, y0, x1, y1 = room.room.rect
    free = [
        (x0 + 0.2 * i, y0 + 0.2 * j)
        for i in range(3, int((x1 - x0) / 0.2) - 2)
        for j in range(3, int((y1 - y0) / 0.2) - 2)
    ]

    def crowding(place: tuple[float, float]) -> float:
        x, y = place
        gaps = [_distance(place, solid.rect) for solid in room.space.solids if solid.bottom_m < 1.0]
        return -min([x - x0, x1 - x, y - y0, y1 - y, *gaps]) + 0.1 * float(room.rng.random())

    for x, y in sorted(free, key=crowding):
        turns = (0.0, math.pi / 2) if x1 - x0 >= y1 - y0 else (math.pi / 2, 0.0)
        for yaw in turns:
            yield x, y, yaw


def _distance(point: tuple[float, float], rect: Rect) -> float:
    dx = max(rect[0] - point[0], 0.0, point[0] - rect[2])
    dy = max(rect[1] - point[1], 0.0, point[1] - rect[3])
    return math.hypot(dx, dy)


def _chairs(
    table: Furniture, chair: Furniture, count: int, at: tuple[float, float], yaw: float
) -> list[tuple[float, float, float]]:
    """(x, y, yaw) of chairs along both long sides, drawn out a little."""
    w, d = table.footprint_m
    legs_m = [abs(p.position_m[0]) for p in table.template.parts if p.collide and p.position_m[2] < 0.6]
    tucked = _TUCKED_M if min(legs_m) > w / 2 - 0.15 else -0.03
    half = chair.footprint_m[1] / 2 - tucked
    if count == _AT_ENDS:
        seats = [(side * (w / 2 + half), 0.0, side * -math.pi / 2) for side in (-1, 1)]
    else:
        xs = (-w / 5, w / 5) if count > 2 else (0.0,)
        seats = [(x, side * (d / 2 + half), 0.0 if side > 0 else math.pi) for side in (-1, 1) for x in xs]
    c, s = math.cos(yaw), math.sin(yaw)
    return [(at[0] + c * x - s * y, at[1] + s * x + c * y, yaw + facing) for x, y, facing in seats]


def _set_table(room: Decorator, table: Placed, count: int) -> None:
    room.on_top(table, "fruit_bowl", at=(0.0, 0.0))
    w, d = table.furniture.footprint_m
    plate, mug = room.make("plate"), room.make("mug")
    if count == _AT_ENDS:
        places = [(side * (w / 2 - 0.2), 0.0) for side in (-1, 1)]
    else:
        xs = (-w / 5, w / 5) if count > 2 else (0.0,)
        places = [(x, side * (d / 2 - 0.2)) for side in (-1, 1) for x in xs]
    for at in places:
        room.on_top(table, "plate", plate, at=at)
    room.on_top(table, "mug", mug)
    room.on_top(table, "bottle")
