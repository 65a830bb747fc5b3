"""The shell of a home: walls with openings, linings, floors, risers, ceilings, skirting, frames, windows, the front door.

A wall is a solid core that bodies touch and, on each side, a thin lining in the room's own covering. All ornaments (linings,
casings, skirting, glass) are looked at only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bodyloop.scenes.description import FloorRegion, Part
from bodyloop.scenes.homes.architect import CEILING_M, WALL_M
from bodyloop.scenes.homes.joinery import joinery_parts
from bodyloop.scenes.homes.plan import FloorPlan, Opening, Rect, RoomPlan
from bodyloop.scenes.homes.solids import axis_box, box

__all__ = ["floor_regions", "stage_parts"]

_HALF: Final = WALL_M / 2
_LINING_M: Final = 0.004
_SLAB_M: Final = 0.10
_SKIRTING_M: Final = (0.012, 0.08)
_NOSE_M: Final = 0.006


@dataclass(frozen=True)
class _Run:
    """A straight stretch of wall core."""

    along: str
    at_m: float
    low_m: float
    high_m: float
    top_m: float


def stage_parts(plan: FloorPlan) -> tuple[Part, ...]:
    """All parts of the shell, world frame."""
    parts = [*_floors(plan), *_risers(plan), *_cores(plan)]
    for room in plan.rooms:
        parts += _linings(plan, room)
        parts += _skirting(plan, room)
    parts += joinery_parts(plan)
    return tuple(parts)


def floor_regions(plan: FloorPlan) -> tuple[FloorRegion, ...]:
    """Floors of the rooms, thresholds of the doorways, treads."""
    regions = [FloorRegion(room.rect[:2], room.rect[2:], room.floor_height_m) for room in plan.rooms]
    levels = {room.name: room.floor_height_m for room in plan.rooms}
    for door in plan.openings:
        if door.kind == "door" and len({levels[name] for name in door.rooms}) == 1:
            x0, y0, x1, y1 = _opening_rect(door)
            regions.append(FloorRegion((x0, y0), (x1, y1), door.bottom_m))
    return (*regions, *plan.treads)


def _opening_rect(door: Opening) -> Rect:
    span = (door.center_m - door.width_m / 2, door.center_m + door.width_m / 2)
    depth = (door.at_m - _HALF, door.at_m + _HALF)
    (x0, x1), (y0, y1) = (span, depth) if door.along == "x" else (depth, span)
    return (round(x0, 4), round(y0, 4), round(x1, 4), round(y1, 4))


def _floors(plan: FloorPlan) -> Iterator[Part]:
    for room in plan.rooms:
        x0, y0, x1, y1 = (value + sign * _HALF for value, sign in zip(room.rect, (-1, -1, 1, 1), strict=True))
        top, ceiling = room.floor_height_m, room.floor_height_m + CEILING_M
        yield box(f"floor/{room.name}", (x0, y0, -_SLAB_M), (x1, y1, top), f"floor/{room.name}")
        yield box(f"ceiling/{room.name}", (x0, y0, ceiling), (x1, y1, ceiling + _SLAB_M), "ceiling", collide=False)


def _risers(plan: FloorPlan) -> Iterator[Part]:
    for index, tread in enumerate(plan.treads):
        (x0, y0), (x1, y1) = tread.lower_m, tread.upper_m
        yield box(f"riser/{index}", (x0, y0, 0.0), (x1, y1, tread.height_m), "riser")
        # a slightly larger board on top shows the edge of the tread
        yield box(
            f"riser/board_{index}",
            (x0 - _NOSE_M, y0 - _NOSE_M, tread.height_m - 0.03),
            (x1 + _NOSE_M, y1 + _NOSE_M, tread.height_m + 0.001),
            "tread",
            collide=False,
        )


def _runs(plan: FloorPlan) -> list[_Run]:
    """Straight walls between rooms and around the home, merged along their line."""
    pieces: dict[tuple[str, float], list[tuple[float, float, float]]] = {}
    for room in plan.rooms:
        x0, y0, x1, y1 = (value + sign * _HALF for value, sign in zip(room.rect, (-1, -1, 1, 1), strict=True))
        top = room.floor_height_m + CEILING_M
        for at in (y0, y1):
            pieces.setdefault(("x", round(at, 4)), []).append((x0, x1, top))
        for at in (x0, x1):
            pieces.setdefault(("y", round(at, 4)), []).append((y0, y1, top))
    runs = []
    for (along, at), spans in sorted(pieces.items()):
        runs += [_Run(along, at, *span) for span in _merged(spans)]
    return runs


def _merged(spans: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Cover the union of spans with stretches of one height each, the higher of two neighbours winning."""
    cuts = sorted({round(value, 4) for low, high, _ in spans for value in (low, high)})
    found: list[tuple[float, float, float]] = []
    for low, high in pairwise(cuts):
        tops = [top for a, b, top in spans if a <= low + 1e-6 and b >= high - 1e-6]
        if not tops:
            continue
        if found and abs(found[-1][1] - low) < 1e-6 and abs(found[-1][2] - max(tops)) < 1e-6:
            found[-1] = (found[-1][0], high, max(tops))
        else:
            found.append((low, high, max(tops)))
    return found


def _cores(plan: FloorPlan) -> Iterator[Part]:
    thick = _HALF - _LINING_M
    for number, run in enumerate(_runs(plan)):
        openings = [
            item
            for item in plan.openings
            if item.kind != "entrance"
            and item.along == run.along
            and abs(item.at_m - run.at_m) < 1e-3
            and run.low_m <= item.center_m <= run.high_m
        ]
        low, high = run.low_m - thick, run.high_m + thick
        for index, (a, b, bottom, top) in enumerate(_around(low, high, 0.0, run.top_m, openings)):
            yield axis_box(
                f"wall/{number}_{index}", run.along, (a, b), (run.at_m - thick, run.at_m + thick), (bottom, top), "core"
            )


def _around(
    low: float, high: float, bottom: float, top: float, openings: list[Opening]
) -> Iterator[tuple[float, float, float, float]]:
    """Rectangles (low, high, bottom, top) that cover a wall but for its openings."""
    start = low
    for item in sorted(openings, key=lambda opening: opening.center_m):
        left, right = item.center_m - item.width_m / 2, item.center_m + item.width_m / 2
        if left > start + 1e-6:
            yield start, left, bottom, top
        if item.kind == "window" or item.bottom_m > bottom + 1e-6:
            yield left, right, bottom, item.bottom_m
        if top > item.top_m + 1e-6:
            yield left, right, item.top_m, top
        start = right
    if high > start + 1e-6:
        yield start, high, bottom, top


def _sides(room: RoomPlan) -> tuple[tuple[str, str, float, float, float, float], ...]:
    """Inner wall faces of a room: name, direction, face, outward sign, span."""
    x0, y0, x1, y1 = room.rect
    return (
        ("south", "x", y0, -1.0, x0, x1),
        ("north", "x", y1, 1.0, x0, x1),
        ("west", "y", x0, -1.0, y0, y1),
        ("east", "y", x1, 1.0, y0, y1),
    )


def _openings_in(plan: FloorPlan, room: RoomPlan, along: str, face: float) -> list[Opening]:
    return [
        item
        for item in plan.openings_of(room)
        if item.along == along and abs(item.at_m - face) < WALL_M and item.kind != "entrance"
    ]


def _linings(plan: FloorPlan, room: RoomPlan) -> Iterator[Part]:
    floor = room.floor_height_m
    for name, along, face, sign, low, high in _sides(room):
        openings = _openings_in(plan, room, along, face)
        depth = tuple(sorted((face, face + sign * _LINING_M)))
        # below a raised doorway stands the flight, flush with the wall
        patches = (
            patch
            for patch in _around(low, high, floor, floor + CEILING_M, openings)
            if not any(item.kind == "door" and abs(patch[3] - item.bottom_m) < 1e-6 for item in openings)
        )
        for index, (a, b, bottom, top) in enumerate(patches):
            yield axis_box(
                f"lining/{room.name}_{name}_{index}",
                along,
                (a, b),
                (depth[0], depth[1]),
                (bottom, top),
                f"wall/{room.name}",
                collide=False,
            )


def _skirting(plan: FloorPlan, room: RoomPlan) -> Iterator[Part]:
    thick, tall = _SKIRTING_M
    floor = room.floor_height_m
    for name, along, face, sign, low, high in _sides(room):
        doors = [
            item
            for item in plan.openings_of(room)
            if item.kind != "window" and item.along == along and abs(item.at_m - face) < WALL_M
        ]
        start, index = low, 0
        stretches = []
        for door in sorted(doors, key=lambda item: item.center_m):
            stretches.append((start, door.center_m - door.width_m / 2 - 0.07))
            start = door.center_m + door.width_m / 2 + 0.07
        for a, b in (*stretches, (start, high)):
            if b - a < 0.03:
                continue
            depth = tuple(sorted((face, face - sign * thick)))
            yield axis_box(
                f"skirting/{room.name}_{name}_{index}",
                along,
                (a, b),
                (depth[0], depth[1]),
                (floor, floor + tall),
                "trim",
                collide=False,
            )
            index += 1
