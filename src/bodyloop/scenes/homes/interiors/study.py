"""Studies: a desk with a chair turned towards the room, and books."""

from __future__ import annotations

import math

from bodyloop.scenes.homes.arrange import front_zone
from bodyloop.scenes.homes.interiors.decorator import Decorator, Spot

__all__ = ["furnish_study"]


def furnish_study(room: Decorator) -> None:
    """Furnish a study.

    Raises:
        NoPlaceError: the desk does not fit.
    """
    room.curtains()
    desk = room.wall("desk", score=room.middle_score, clear_m=0.6, needed=True)
    assert desk is not None
    _workplace(room, desk)
    for _ in range(2 if room.area > 9 else 1):
        room.wall("bookshelf", clear_m=0.6)
    room.wall("potted_plant_large", score=room.corner_score, clear_m=0.0, touch=True)
    if room.area > 11:
        room.wall("armchair", score=room.corner_score, clear_m=0.8, touch=True)
        room.wall("floor_lamp", score=room.corner_score, clear_m=0.0)
    room.hang_above("picture", desk)
    room.mount("clock")
    room.mount("picture", score=room.middle_score)
    room.mount("radiator")
    for kind in ("bin", "box", "basket"):
        room.toss(kind)
    room.ceiling_lamp()


def _workplace(room: Decorator, desk: Spot) -> None:
    room.rug(_rug_area(desk))
    room.on_top(desk.placed, "laptop", at=(0.0, -0.05), turn_rad=0.08)
    room.on_top(desk.placed, "keyboard", at=(0.35, -0.2), turn_rad=0.05)
    room.scatter(desk.placed, ("mug", "book", "plant_pot_small"))
    chair = room.make("office_chair")
    reach = chair.footprint_m[1] / 2
    x0, y0, x1, y1 = front_zone(desk.rect, desk.side, 0.16 + 2 * reach, start_m=0.16)
    zones = list(room.space.zones)
    room.space.zones = zones[:-1]
    turn = float(room.rng.choice([1.0, -1.0])) * float(room.rng.uniform(0.1, 0.5))
    yaw = desk.placed.yaw_rad + math.pi + math.pi + turn
    placed = room.stand("office_chair", chair, [((x0 + x1) / 2, (y0 + y1) / 2, yaw)], touch=True)
    if placed is None:
        room.space.zones = zones
        return
    body = room.solid(chair, placed.position_m[:2], 0.0)
    room.space.zones.append(front_zone(body.rect, desk.side, 0.8))


def _rug_area(desk: Spot) -> tuple[float, float, float, float]:
    return front_zone(desk.rect, desk.side, 1.5, start_m=0.05)
