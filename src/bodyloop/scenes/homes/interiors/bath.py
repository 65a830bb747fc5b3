"""Bathrooms: toilet, washbasin, tub or shower, and the laundry."""

from __future__ import annotations

from bodyloop.scenes.homes.arrange import Solid, front_zone, grown
from bodyloop.scenes.homes.interiors.decorator import Decorator, Spot
from bodyloop.scenes.homes.plan import Rect

__all__ = ["furnish_bathroom"]

_TOILET_MARGIN_M = 0.24
"""Free wall at both sides of a toilet."""
_SEATED_M = 1.3
_BESIDE_M = 0.12


def furnish_bathroom(room: Decorator) -> None:
    """Furnish a bathroom.

    Raises:
        NoPlaceError: toilet or washbasin do not fit.
    """
    tub = _bathing(room)
    toilet = _toilet(room, tub)
    room.space.zones.append(_in_front(toilet))
    basin = room.wall("washbasin", score=room.middle_score, clear_m=0.65, needed=True)
    assert basin is not None
    room.hang_above("mirror", basin, room.make("mirror", int(room.rng.integers(2))))
    machine = room.wall("washing_machine", score=room.corner_score, clear_m=0.7)
    if machine is not None:
        room.scatter(machine.placed, ("towel_roll", "bottle"))
    if tub is not None:
        room.rug(front_zone(tub.rect, tub.side, 0.75, start_m=0.08))
    room.toss("laundry_basket")
    room.toss("bin")
    if room.area > 6:
        stool = room.toss("stool")
        if stool is None:
            room.toss("basket")
        room.wall("potted_plant_large", score=room.corner_score, clear_m=0.0, touch=True)
    room.space.solids.append(Solid(_in_front(toilet), 0.0, _SEATED_M))  # nothing low on the walls beside a sitter
    room.mount("radiator")
    room.mount("wall_shelf")
    room.mount("picture")
    room.ceiling_lamp()


def _toilet(room: Decorator, tub: Spot | None) -> Spot:
    """The toilet, with the tub or shower not right beside the floor in front of it."""
    mark = len(room.space.solids)
    if tub is not None:
        room.space.solids.append(Solid(grown(tub.rect, _BESIDE_M), 0.0, 1.0))
    spot = room.wall(
        "toilet", score=room.corner_score, clear_m=0.85, margin_m=_TOILET_MARGIN_M, touch=True, needed=True
    )
    assert spot is not None
    if tub is not None:
        del room.space.solids[mark]
    return spot


def _in_front(toilet: Spot) -> Rect:
    """Floor on which one stands and turns before sitting down, with nothing at its sides."""
    x0, y0, x1, y1 = front_zone(toilet.rect, toilet.side, 0.85)
    by = _TOILET_MARGIN_M
    return (x0 - by, y0, x1 + by, y1) if toilet.side in "ns" else (x0, y0 - by, x1, y1 + by)


def _bathing(room: Decorator) -> Spot | None:
    """A tub where there is room for it, else a shower."""
    if room.area > 5.5:
        tub = room.wall("bathtub", score=room.corner_score, clear_m=0.7)
        if tub is not None:
            return tub
    return room.wall("shower", score=room.corner_score, clear_m=0.6)
