"""Kitchens: a line of fittings along one wall and a place to eat."""

from __future__ import annotations

from bodyloop.scenes.furniture import Furniture
from bodyloop.scenes.homes.arrange import SIDES, Side, Solid, front_zone, wall_rect, wall_span, wall_yaw
from bodyloop.scenes.homes.interiors.decorator import Decorator, NoPlaceError
from bodyloop.scenes.homes.interiors.dining import dining_group
from bodyloop.scenes.homes.plan import Placed, Rect

__all__ = ["furnish_kitchen"]

_SEAM_M = 0.012
_CLEAR_M = 0.85


def furnish_kitchen(room: Decorator) -> None:
    """Furnish a kitchen.

    Raises:
        NoPlaceError: no wall takes the line of fittings.
    """
    counters = _line(room)
    dining_group(room, 4 if room.area > 11 else 2)
    for counter in counters:
        room.scatter(counter, ("pan", "bottle", "plant_pot_small", "bowl", "mug"))
    room.toss("bin")
    if room.area > 12:
        room.wall("potted_plant_large", score=room.corner_score, clear_m=0.0, touch=True)
    if room.area > 16:
        cabinet = room.wall("dresser", clear_m=0.6)
        if cabinet is not None:
            room.scatter(cabinet.placed, ("fruit_bowl", "vase", "plate"))
    room.mount("clock", score=room.middle_score)
    room.mount("picture", score=room.middle_score)
    room.mount("wall_shelf")
    room.mount("radiator")
    room.ceiling_lamp()
    if room.chance(0.6):
        room.toss("box")


def _line(room: Decorator) -> list[Placed]:
    """Fridge, counter, sink, stove (and a second counter) side by side; returns the counters."""
    upper = int(room.rng.integers(4))
    fridge, stove, sink = room.make("fridge"), room.make("stove"), room.make("sink_cabinet")
    # At a wall with windows the counters are low; as a last resort sink and stove reach above the sill, too.
    for low in (False, True, None):
        for long, second in ((2.2, 1.3), (1.8, 0.0), (1.4, 0.0), (1.3, 0.0), (0.8, 0.0)):
            line = [
                ("fridge", fridge),
                _counter(room, upper, long, low is not False),
                ("sink_cabinet", sink),
                ("stove", stove),
            ]
            if second:
                line.insert(3, _counter(room, upper, second, low is not False))
            for side in _walls_by_length(room):
                for flip in (False, True):
                    placed = _try_line(room, line[::-1] if flip else line, side, low is None)
                    if placed:
                        return [piece for piece in placed if piece.furniture.template.category == "counter"]
    raise NoPlaceError(f"{room.room.name}: no wall for the kitchen line")


def _counter(room: Decorator, style: int, width: float, low: bool) -> tuple[str, Furniture]:
    """A counter; a low one has nothing above its top and stands under windows."""
    kind = "kitchen_island" if low else "kitchen_counter"
    return kind, room.make(kind, style, (width, 0.62))


def _walls_by_length(room: Decorator) -> list[Side]:
    lit = {side for side, _ in room.windows}

    def length(side: Side) -> float:
        low, high = wall_span(room.room.rect, side)
        return low - high + (1.0 if side in lit else 0.0) + 0.5 * float(room.rng.random())

    return sorted(SIDES, key=length)


def _try_line(room: Decorator, line: list[tuple[str, Furniture]], side: Side, crowded: bool) -> list[Placed]:
    """Place the whole line on one wall, starting in a corner if it can."""
    total = sum(piece.footprint_m[0] + _SEAM_M for _, piece in line)
    low, high = wall_span(room.room.rect, side)
    room_left = high - low - total - 0.02
    if room_left < 0:
        return []
    shifts = sorted(
        {0.0, room_left, *(0.1 * k for k in range(int(room_left / 0.1)))}, key=lambda s: min(s, room_left - s)
    )
    for shift in shifts:
        t, rects = low + 0.015 + shift, []
        for _, piece in line:
            w = piece.footprint_m[0]
            rects.append(wall_rect(room.room.rect, side, t + w / 2, piece.footprint_m))
            t += w + _SEAM_M
        if _line_fits(room, line, rects, side, crowded):
            placed = []
            for (kind, piece), rect in zip(line, rects, strict=True):
                middle = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
                placed.append(room.keep(kind, piece, middle, wall_yaw(side)))
                room.space.zones.append(front_zone(rect, side, _CLEAR_M))
            return placed
    return []


def _height(kind: str, piece: Furniture) -> float:
    """Height that matters under a window: the lip of a worktop may touch the sill."""
    return 0.85 if kind == "kitchen_island" else piece.height_m


def _line_fits(
    room: Decorator, line: list[tuple[str, Furniture]], rects: list[Rect], side: Side, crowded: bool
) -> bool:
    for (kind, piece), rect in zip(line, rects, strict=True):
        height = 0.85 if crowded and kind != "fridge" else _height(kind, piece)
        if not room.space.fits(rect, 0.0, height) or not room.space.is_free(front_zone(rect, side, _CLEAR_M)):
            return False
    return room.space.connected([Solid(rect, 0.0, 2.0) for rect in rects])
