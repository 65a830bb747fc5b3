"""Halls: shoes, coats, a bench, a mirror."""

from __future__ import annotations

from bodyloop.scenes.homes.arrange import grown
from bodyloop.scenes.homes.interiors.decorator import Decorator

__all__ = ["furnish_hall"]


def furnish_hall(room: Decorator) -> None:
    """Furnish a hall or corridor with what leaves the ways open."""
    rack = room.wall("shoe_rack", clear_m=0.5)
    if rack is not None:
        room.hang_above("mirror", rack, room.make("mirror", int(room.rng.integers(2))))
        room.scatter(rack.placed, ("plant_pot_small", "bowl", "book"))
    bench = room.wall("bench", clear_m=0.6)
    if bench is not None:
        room.hang_above("picture", bench)
    narrow = min(room.size) < 2.2
    room.wall("coat_rack", score=room.corner_score, clear_m=0.0, limit=0.5 if narrow else 1.5)
    room.wall("potted_plant_large", score=room.corner_score, clear_m=0.0, touch=True, limit=0.45 if narrow else 1.5)
    room.mount("picture", score=room.middle_score)
    room.mount("picture")
    room.mount("radiator")
    room.mount("clock")
    _runner(room)
    shoe, at = room.make("shoe"), None if rack is None else rack.center
    first = room.toss("shoe", shoe, near=at)
    if first is not None:
        room.toss("shoe", shoe, near=first.position_m[:2])
    if room.area > 6:
        room.toss("suitcase", near=None if bench is None else bench.center)
    room.toss("ball" if room.chance(0.4) else "box")
    room.ceiling_lamp()


def _runner(room: Decorator) -> None:
    """A long rug down the middle."""
    x0, y0, x1, y1 = room.room.rect
    treads = room.plan.treads
    w, d = x1 - x0, y1 - y0
    area = grown((x0 + 0.25 * w, y0 + 0.25 * d, x1 - 0.25 * w, y1 - 0.25 * d), 0.0)
    if w > 1.5 * d:
        area = (x0 + 0.2 * w, (y0 + y1) / 2 - 0.4, x1 - 0.2 * w, (y0 + y1) / 2 + 0.4)
    elif d > 1.5 * w:
        area = ((x0 + x1) / 2 - 0.4, y0 + 0.2 * d, (x0 + x1) / 2 + 0.4, y1 - 0.2 * d)
    if not any(_meets(area, (*tread.lower_m, *tread.upper_m)) for tread in treads):
        room.rug(area)


def _meets(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
