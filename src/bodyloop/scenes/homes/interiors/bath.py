"""Bathrooms: toilet, washbasin, tub or shower, and the laundry."""

from __future__ import annotations

from bodyloop.scenes.homes.arrange import front_zone
from bodyloop.scenes.homes.interiors.decorator import Decorator, Spot

__all__ = ["furnish_bathroom"]


def furnish_bathroom(room: Decorator) -> None:
    """Furnish a bathroom.

    Raises:
        NoPlaceError: toilet or washbasin do not fit.
    """
    tub = _bathing(room)
    room.wall("toilet", score=room.corner_score, clear_m=0.85, margin_m=0.1, touch=True, needed=True)
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
    room.mount("radiator")
    room.mount("wall_shelf")
    room.mount("picture")
    room.ceiling_lamp()


def _bathing(room: Decorator) -> Spot | None:
    """A tub where there is room for it, else a shower."""
    if room.area > 5.5:
        tub = room.wall("bathtub", score=room.corner_score, clear_m=0.7)
        if tub is not None:
            return tub
    return room.wall("shower", score=room.corner_score, clear_m=0.6)
