"""Bedrooms: the bed with its nightstands, a wardrobe and a chest of drawers."""

from __future__ import annotations

from bodyloop.scenes.homes.arrange import Side, front_zone, wall_span
from bodyloop.scenes.homes.interiors.decorator import Decorator, Score, Spot

__all__ = ["furnish_bedroom"]


def furnish_bedroom(room: Decorator) -> None:
    """Furnish a bedroom.

    Raises:
        NoPlaceError: the bed does not fit.
    """
    room.curtains()
    bed = _bed(room)
    _nightstands(room, bed)
    closet = room.make("wardrobe", size=None if room.area > 14 else (1.2, 0.6))
    if room.wall("wardrobe", closet, score=room.corner_score, clear_m=0.75) is None:
        room.wall("wardrobe", room.make("wardrobe", size=(1.1, 0.6)), score=room.corner_score, clear_m=0.6)
    dresser = room.wall("dresser", clear_m=0.7)
    if dresser is not None:
        room.hang_above("mirror", dresser)
        room.scatter(dresser.placed, ("potted_plant_small", "vase", "book", "bowl"))
    if room.area > 12:
        room.wall("dining_chair", clear_m=0.8, touch=True, score=room.corner_score)
    if room.area > 13:
        room.wall("potted_plant_large", score=room.corner_score, clear_m=0.0, touch=True)
    if room.area > 16:
        room.wall("armchair", score=room.corner_score, clear_m=0.8, touch=True)
    if room.area > 14 and room.chance(0.6):
        room.wall("bookshelf", clear_m=0.6)
    _walls(room, bed)
    for kind in ("cushion", "box", "suitcase", "toy")[: 2 + int(room.area > 12)]:
        room.toss(kind)
    room.ceiling_lamp()


def _bed(room: Decorator) -> Spot:
    wide = room.area > 10.5
    for kind, beside in (("double_bed", 0.85), ("single_bed", 0.85)):
        if kind == "double_bed" and not wide:
            continue
        piece = room.make(kind)
        margin = 0.5 if wide else 0.0
        for rim in (margin, 0.0):
            bed = room.wall(
                kind, piece, score=_head_score(room), clear_m=0.7, beside_m=beside, margin_m=rim, touch=True
            )
            if bed is not None:
                return bed
    found = room.wall("single_bed", clear_m=0.8, beside_m=0.8, needed=True, touch=True)
    assert found is not None
    return found


def _head_score(room: Decorator) -> Score:
    """The middle of a wall without a window."""
    lit = {side for side, _ in room.windows}

    def score(side: Side, t: float) -> float:
        return 0.5 * room.middle_score(side, t) + (0.6 if side in lit else 0.0)

    return score


def _nightstands(room: Decorator, bed: Spot) -> None:
    low, high = wall_span(bed.rect, bed.side)
    style = int(room.rng.integers(3))
    stand, lamp = room.make("nightstand", style), room.make("table_lamp")
    half = stand.footprint_m[0] / 2 + 0.02
    for target in (low - half, high + half):
        spot = room.wall("nightstand", stand, sides=(bed.side,), score=_at(target), clear_m=0.0)
        if spot is None:
            continue
        room.on_top(spot.placed, "table_lamp", lamp, at=(0.0, 0.04))
        room.on_top(spot.placed, "book" if target < bed.t else "mug", at=(0.1, -0.1))
    depth = min(1.6, 0.5 * (bed.rect[3] - bed.rect[1] + bed.rect[2] - bed.rect[0]))
    x0, y0, x1, y1 = front_zone(bed.rect, bed.side, 0.55, start_m=-depth * 0.75)
    room.rug((x0 - 0.4, y0, x1 + 0.4, y1) if bed.side in "ns" else (x0, y0 - 0.4, x1, y1 + 0.4))


def _at(target: float) -> Score:
    def score(_: Side, t: float) -> float:
        return 10.0 * abs(t - target)

    return score


def _walls(room: Decorator, bed: Spot) -> None:
    room.hang_above("picture", bed)
    room.mount("radiator")
    if room.area > 14:
        room.mount("wall_tv", score=lambda side, t: room.near_score(bed.center)(side, t), clear_m=0.7)
    room.mount("picture", score=room.middle_score)
    room.mount("wall_shelf")
