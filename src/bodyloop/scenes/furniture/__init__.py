"""Procedural furniture: original designs made of boxes, cylinders and light meshes."""

from bodyloop.scenes.furniture.catalogue import make
from bodyloop.scenes.furniture.finishes import ceiling_finish, floor_finish, trim_finish, wall_finish
from bodyloop.scenes.furniture.kinds import KINDS, KindInfo, Placement
from bodyloop.scenes.furniture.kit import Furniture, material_key
from bodyloop.scenes.furniture.palette import PALETTES, Palette

__all__ = [
    "KINDS",
    "PALETTES",
    "Furniture",
    "KindInfo",
    "Palette",
    "Placement",
    "ceiling_finish",
    "floor_finish",
    "make",
    "material_key",
    "trim_finish",
    "wall_finish",
]
