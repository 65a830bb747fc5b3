"""Coverings of the rooms of a home: every room differs from every other in floor and wall."""

from __future__ import annotations

from bodyloop.scenes.description import Material
from bodyloop.scenes.furniture import PALETTES, ceiling_finish, floor_finish, trim_finish, wall_finish
from bodyloop.scenes.homes.plan import FloorPlan

__all__ = ["stage_materials"]

_WET = ("bathroom", "kitchen")


def stage_materials(plan: FloorPlan, number: int) -> dict[str, Material]:
    """Materials of the shell by the keys its parts use; ``number`` of the home varies the choice."""
    materials = _common(plan, number)
    counts = {"floor_dry": 0, "floor_wet": 0, "wall": 0, "tiles": 0}
    taken: set[Material] = set()
    for room in plan.rooms:
        palette = PALETTES[room.palette]
        floor_count = "floor_wet" if room.kind in _WET else "floor_dry"
        wall_count = "tiles" if room.kind == "bathroom" else "wall"
        for key, count, finish in (("floor", floor_count, floor_finish), ("wall", wall_count, wall_finish)):
            material = finish(room.kind, number + counts[count], palette)
            while material in taken:  # two choices of a palette may coincide
                counts[count] += 1
                material = finish(room.kind, number + counts[count], palette)
            counts[count] += 1
            taken.add(material)
            materials[f"{key}/{room.name}"] = material
    return materials


def _common(plan: FloorPlan, number: int) -> dict[str, Material]:
    palette = PALETTES[plan.rooms[0].palette]
    trim = trim_finish(palette, number)
    return {
        "ceiling": ceiling_finish(),
        "core": Material("flat", (0.90, 0.90, 0.88), specular=0.0, shininess=0.0),
        "door": Material("wood", palette.wood_dark, 0.9, 1, 0.2, 0.4),
        "door_panel": Material("wood", palette.wood, 0.9, 2, 0.2, 0.4),
        "glass": Material("flat", (0.80, 0.90, 0.95), specular=0.8, shininess=0.9, alpha=0.16),
        "metal": Material("flat", palette.metal, specular=0.75, shininess=0.7),
        "riser": Material("paint", (0.90, 0.89, 0.86), 1.0, 1, 0.05, 0.1),
        "threshold": Material("wood", palette.wood_dark, 0.8, 0, 0.15, 0.3),
        "tread": Material("wood", palette.wood, 0.8, 2, 0.2, 0.4),
        "trim": trim,
    }
