"""Living rooms: a seating group facing the television, shelves and plants around it."""

from __future__ import annotations

import numpy as np

from bodyloop.scenes.furniture import Furniture
from bodyloop.scenes.homes.arrange import SIDES, Side, across, front_zone, opposite, overlap, wall_rect, wall_span
from bodyloop.scenes.homes.interiors.decorator import Decorator, NoPlaceError, Score, Spot
from bodyloop.scenes.homes.interiors.dining import dining_group

__all__ = ["furnish_living_room"]

_SOFA_CLEAR_M = 0.85


def furnish_living_room(room: Decorator) -> None:
    """Furnish a living room.

    Raises:
        NoPlaceError: the seating group does not fit.
    """
    if not room.modest:
        room.curtains()
    couch, screen = _seating(room)
    if room.modest:
        room.curtains()
    _middle(room, couch, screen)
    _around(room, couch, screen)
    _walls(room, couch)
    _things(room)
    room.ceiling_lamp()


def _seating(room: Decorator) -> tuple[Spot, Spot]:
    """Couch and television face each other; the couch stands at a wall or free in the room."""
    kind = "couch_3" if max(room.size) > 3.6 and room.area > 13 else "couch_2"
    piece, screen = room.make(kind), room.make("tv_on_stand")
    start = room.mark()
    for side, t, shift, gap in _seating_places(room, piece, screen):
        facing = opposite(side)
        found = room.place(
            "tv_on_stand",
            screen,
            facing,
            wall_rect(room.room.rect, facing, t, screen.footprint_m),
            clear_m=0.8,
            touch=True,
        )
        if found is not None:
            rect = wall_rect(room.room.rect, side, t + shift, piece.footprint_m, gap)
            couch = room.place(kind, piece, side, rect, clear_m=_SOFA_CLEAR_M, touch=True)
            if couch is not None:
                return couch, found
        room.undo(start)
    raise NoPlaceError(f"{room.room.name}: no place for couch and television")


def _seating_places(room: Decorator, piece: Furniture, screen: Furniture) -> list[tuple[Side, float, float, float]]:
    """(side of the couch's back, place of the television along its wall, shift of the couch, gap behind it), best first."""
    found: list[tuple[float, Side, float, float, float]] = []
    for side in SIDES:
        free = across(room.room.rect, side) - piece.footprint_m[1] - screen.footprint_m[1]
        low, high = wall_span(room.room.rect, side)
        half = screen.footprint_m[0] / 2 + 0.1
        gaps = [0.015, *(free - view for view in (2.5, 2.75, 3.0) if free - view >= 0.85)]
        turn = 0.5 * float(room.rng.random())
        for gap in gaps:
            view = free - gap
            if view < _SOFA_CLEAR_M + 0.75:
                continue
            price = 0.6 * abs(view - 2.7) + (0.5 if gap > 0.1 else 0.0) + turn
            for t in np.arange(low + half, high - half, 0.2):
                off = abs(float(t) - (low + high) / 2) + 3.0 * _in_a_lane(room, piece, side, float(t), gap)
                found += [
                    (price + 0.3 * off + 0.9 * abs(shift), side, float(t), shift, gap)
                    for shift in (0.0, -0.3, 0.3, -0.6, 0.6)
                ]
    return [place[1:] for place in sorted(found)]


def _in_a_lane(room: Decorator, piece: Furniture, side: Side, t: float, gap: float) -> bool:
    """Whether the place of the coffee table lies before a doorway."""
    couch = wall_rect(room.room.rect, side, t, (1.0, piece.footprint_m[1]), gap)
    table = front_zone(couch, side, _SOFA_CLEAR_M + 0.55, start_m=_SOFA_CLEAR_M)
    return any(overlap(table, lane) for lane in room.doorways)


def _middle(room: Decorator, couch: Spot, screen: Spot) -> None:
    """Rug and coffee table between couch and television."""
    depth = _view(couch, screen)
    lane = front_zone(couch.rect, couch.side, min(depth - 0.35, 2.4), start_m=0.25)
    room.rug(lane)
    table = min((room.make("coffee_table") for _ in range(3)), key=lambda piece: piece.footprint_m[1])
    if depth >= _SOFA_CLEAR_M + table.footprint_m[1] + 0.8:
        x0, y0, x1, y1 = front_zone(
            couch.rect, couch.side, _SOFA_CLEAR_M + 0.02 + table.footprint_m[1], start_m=_SOFA_CLEAR_M + 0.02
        )
        yaw = couch.placed.yaw_rad
        placed = room.stand("coffee_table", table, [((x0 + x1) / 2, (y0 + y1) / 2, yaw)])
        if placed is not None:
            room.scatter(placed, ("book", "mug", "bowl", "vase"))
            return


def _view(couch: Spot, screen: Spot) -> float:
    """Free distance between couch and television."""
    low, high = (1, 3) if couch.side in "ns" else (0, 2)
    return max(screen.rect[low] - couch.rect[high], couch.rect[low] - screen.rect[high])


def _around(room: Decorator, couch: Spot, screen: Spot) -> None:
    """Plants, armchair, lamp and shelves along the walls."""
    plant = room.wall("potted_plant_large", score=_beside(room, screen), clear_m=0.0, touch=True)
    if plant is None:
        raise NoPlaceError(f"{room.room.name}: no place for a plant")
    middle = ((couch.center[0] + screen.center[0]) / 2, (couch.center[1] + screen.center[1]) / 2)
    flanks: tuple[Side, ...] = ("e", "w") if couch.side in "ns" else ("n", "s")
    room.wall("armchair", sides=flanks, score=room.near_score(middle), clear_m=0.8, touch=True)
    lamp_table = room.wall("side_table", score=room.near_score(couch.center), clear_m=0.0)
    if lamp_table is not None:
        room.on_top(lamp_table.placed, "table_lamp", at=(0.0, 0.05))
        room.scatter(lamp_table.placed, ("book", "mug"))
    room.wall("floor_lamp", score=room.near_score(couch.center), clear_m=0.0)
    for _ in range(2 if room.area > 16 else 1):
        room.wall("bookshelf", score=lambda side, t: 0.7 * room.middle_score(side, t), clear_m=0.6)
    if room.area > 20:
        room.wall("couch_2" if room.area > 26 else "armchair", clear_m=0.8, touch=True)
        if room.area > 25 and room.chance(0.6):
            dining_group(room, 2)
        dresser = room.wall("dresser", clear_m=0.6)
        if dresser is not None:
            room.scatter(dresser.placed, ("table_lamp", "potted_plant_small", "book"))
    if room.area > 15:
        room.wall("potted_plant_large", score=room.corner_score, clear_m=0.0, touch=True)


def _beside(room: Decorator, screen: Spot) -> Score:
    def score(side: Side, t: float) -> float:
        value = room.near_score(screen.center)(side, t) + room.corner_score(side, t)
        return value if side == screen.side else value + 0.8

    return score


def _walls(room: Decorator, couch: Spot) -> None:
    room.mount("picture", sides=(couch.side,), score=lambda _, t: abs(t - couch.t))
    others = [side for side in SIDES if side != couch.side]
    room.mount("radiator")
    room.mount("clock", sides=others, score=room.middle_score)
    room.mount("picture", sides=others, score=room.middle_score)
    if room.area > 14:
        room.mount("wall_shelf", sides=others)
        low, high = wall_span(room.room.rect, couch.side)
        if high - low > 4.5:
            room.mount("picture", sides=(couch.side,))


def _things(room: Decorator) -> None:
    for kind in ("basket", "ball", "toy", "cushion", "box")[: 3 + int(room.area > 15) + int(room.area > 20)]:
        room.toss(kind)
