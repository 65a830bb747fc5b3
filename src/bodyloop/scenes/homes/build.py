"""A whole home: its shell and its furniture as one scene description."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from bodyloop.records.seeds import generator
from bodyloop.scenes.codec import decode_scene, encode_scene
from bodyloop.scenes.description import ObjectInstance, ObjectTemplate, QuatXyzw, SceneDescription, Vec3
from bodyloop.scenes.homes.architect import CEILING_M
from bodyloop.scenes.homes.architecture import build_stage
from bodyloop.scenes.homes.furnish import furnish
from bodyloop.scenes.homes.plan import FloorPlan, Placed
from bodyloop.scenes.homes.plans import SUITE, floor_plan

__all__ = ["assemble", "build_home"]

_DIGITS: Final = 5


def build_home(home_id: str) -> SceneDescription:
    """Generate a home; the same id gives the same home. Movable objects stand where they were put, not yet settled.

    Raises:
        UnknownNameError: no such home.
    """
    plan = floor_plan(home_id)
    scene = assemble(plan, furnish(plan, generator(0, SUITE, home_id, 0, "furniture")))
    return decode_scene(encode_scene(scene))  # with exactly the numbers that its file will hold


def assemble(plan: FloorPlan, placed: Sequence[Placed]) -> SceneDescription:
    """Scene of a floor plan with these pieces in it; object ids follow their order."""
    rooms, stage, floors, lights, materials = build_stage(plan)
    templates: dict[str, ObjectTemplate] = {}
    instances = []
    for object_id, piece in enumerate(placed):
        template = piece.furniture.template
        templates.setdefault(template.name, template)
        materials |= piece.furniture.materials
        instances.append(
            ObjectInstance(
                object_id,
                f"{template.name}_:{object_id:04d}",
                template.name,
                _rounded(piece.position_m),
                _about_z(piece.yaw_rad),
                "DYNAMIC" if piece.dynamic else "STATIC",
                piece.room,
            )
        )
    used = {part.material for part in stage} | {part.material for item in templates.values() for part in item.parts}
    return SceneDescription(
        scene_id=plan.home_id,
        rooms=rooms,
        stage=stage,
        floors=floors,
        materials={key: value for key, value in materials.items() if key in used},
        templates=templates,
        instances=tuple(instances),
        lights=lights,
        ceiling_height_m=CEILING_M,
    )


def _rounded(position_m: Vec3) -> Vec3:
    x, y, z = (round(float(value), _DIGITS) + 0.0 for value in position_m)
    return (x, y, z)


def _about_z(yaw_rad: float) -> QuatXyzw:
    half = math.remainder(yaw_rad, math.tau) / 2
    return (0.0, 0.0, round(math.sin(half), _DIGITS) + 0.0, round(math.cos(half), _DIGITS) + 0.0)
