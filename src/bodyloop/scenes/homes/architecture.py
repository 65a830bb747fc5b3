"""The shell of a home from its floor plan: floors, walls, ceilings, joinery, lamps and their materials."""

from __future__ import annotations

from typing import Final

from bodyloop.scenes.description import FloorRegion, Light, Material, Part, Room
from bodyloop.scenes.homes.plan import FloorPlan
from bodyloop.scenes.homes.plans import HOME_IDS
from bodyloop.scenes.homes.stage import floor_regions, stage_parts
from bodyloop.scenes.homes.surfaces import stage_materials

__all__ = ["Stage", "build_stage"]

_LAMP_HEIGHT_M: Final = 2.3
_LAMP_RGB: Final = {
    "bathroom": (0.96, 0.98, 1.0),
    "kitchen": (1.0, 0.98, 0.94),
    "study": (1.0, 0.96, 0.88),
}
_WARM: Final = (1.0, 0.94, 0.83)
_ATTENUATION: Final = (0.6, 0.1, 0.03)

Stage = tuple[tuple[Room, ...], tuple[Part, ...], tuple[FloorRegion, ...], tuple[Light, ...], dict[str, Material]]


def build_stage(plan: FloorPlan) -> Stage:
    """Rooms, parts, floors, lights and materials of the shell, world frame.

    Every room has a floor and a wall covering of its own. Every walkable spot lies in one of the floors.
    """
    number = HOME_IDS.index(plan.home_id) if plan.home_id in HOME_IDS else 0
    rooms = tuple(
        Room(
            room.name,
            room.kind,
            room.rect[:2],
            room.rect[2:],
            room.floor_height_m,
            f"floor/{room.name}",
            f"wall/{room.name}",
        )
        for room in plan.rooms
    )
    return rooms, stage_parts(plan), floor_regions(plan), _lamps(rooms), stage_materials(plan, number)


def _lamps(rooms: tuple[Room, ...]) -> tuple[Light, ...]:
    """One lamp below the middle of every ceiling."""
    lamps = []
    for room in rooms:
        x, y = (round((a + b) / 2, 4) for a, b in zip(room.lower_m, room.upper_m, strict=True))
        z = round(room.floor_height_m + _LAMP_HEIGHT_M, 4)
        lamps.append(Light((x, y, z), _LAMP_RGB.get(room.kind, _WARM), _ATTENUATION))
    return tuple(lamps)
