"""A scene as plain data: what every scene source produces and every consumer reads.

World frame: the trajectory frame, Z up, metres. An object's own frame is Z up with its origin on the floor
(or mounting plane) below the middle of its footprint; its front looks along -Y, its left side along +X.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "TARGET_CATEGORIES",
    "FloorRegion",
    "Light",
    "Material",
    "ObjectInstance",
    "ObjectTemplate",
    "Part",
    "Room",
    "SceneDescription",
    "SeatSurface",
]

TARGET_CATEGORIES = ("chair", "bed", "potted_plant", "toilet", "tv", "couch")
"""The six goal categories, in the order of their task ids."""

Vec3 = tuple[float, float, float]
QuatXyzw = tuple[float, float, float, float]

Shape = Literal["box", "cylinder", "capsule", "ellipsoid", "sphere", "mesh"]
MotionType = Literal["STATIC", "DYNAMIC"]
NO_ROTATION: QuatXyzw = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Material:
    """Surface look. Textures are procedural (``scenes.textures``) and tinted by ``rgb``."""

    texture: str
    """Pattern name, for example ``planks``, ``plaster``, ``fabric``, ``carpet``, ``tiles``, ``wood``; ``flat`` for none."""
    rgb: Vec3
    """Base colour, 0..1."""
    repeat_m: float = 1.0
    """Edge length of one texture tile on the surface."""
    seed: int = 0
    """Variation of the pattern."""
    specular: float = 0.2
    shininess: float = 0.3
    emission: float = 0.0
    alpha: float = 1.0


@dataclass(frozen=True)
class Part:
    """One geometric piece of an object (object frame) or of the stage (world frame)."""

    name: str
    shape: Shape
    size_m: tuple[float, ...]
    """MuJoCo sizes: box half extents (3); cylinder and capsule radius, half length; ellipsoid radii (3); sphere radius; mesh: the
    parameters of its generator, or empty."""
    position_m: Vec3
    material: str
    """Key of ``SceneDescription.materials``."""
    rotation_xyzw: QuatXyzw = NO_ROTATION
    collide: bool = True
    visible: bool = True
    mesh: str | None = None
    """For ``mesh``: name of a generator in ``scenes.shapes`` (with its parameters in ``size_m``), or key of ``SceneDescription.meshes``."""


@dataclass(frozen=True)
class SeatSurface:
    """A flat place to sit, in the object frame."""

    center_m: Vec3
    """Middle of the surface; z is the seat height above the object's origin."""
    size_m: tuple[float, float]
    """Width (x) and depth (y)."""
    facing_yaw_rad: float = 0.0
    """Direction a sitter looks at, counter-clockwise about +Z from the object's front (-Y)."""


@dataclass(frozen=True)
class ObjectTemplate:
    """An object design, shared by its instances."""

    name: str
    """``<kind>-<content hash>``, unique in a scene."""
    category: str
    """A target category or another noun such as ``table``, ``lamp``, ``shelf``."""
    parts: tuple[Part, ...]
    seats: tuple[SeatSurface, ...] = ()
    mass_kg: float = 10.0
    support_height_m: float | None = None
    """Height of a flat top that carries other objects, if any."""


@dataclass(frozen=True)
class ObjectInstance:
    """One placed object."""

    object_id: int
    """Index into ``SceneDescription.instances``."""
    name: str
    """``<template name>_:NNNN``; the MuJoCo body carries it."""
    template: str
    position_m: Vec3
    rotation_xyzw: QuatXyzw
    motion_type: MotionType
    room: str


@dataclass(frozen=True)
class Room:
    """An axis-aligned room."""

    name: str
    kind: str
    """``living_room``, ``bedroom``, ``kitchen``, ``bathroom``, ``study`` or ``hall``."""
    lower_m: tuple[float, float]
    upper_m: tuple[float, float]
    floor_height_m: float
    floor_material: str
    wall_material: str


@dataclass(frozen=True)
class FloorRegion:
    """A horizontal rectangle one can stand on: a room floor, a raised part, or one tread of a flight of risers."""

    lower_m: tuple[float, float]
    upper_m: tuple[float, float]
    height_m: float
    kind: Literal["floor", "tread"] = "floor"


@dataclass(frozen=True)
class Light:
    """A point light below the ceiling."""

    position_m: Vec3
    rgb: Vec3
    attenuation: Vec3 = (1.0, 0.0, 0.0)
    casts_shadow: bool = False


@dataclass(frozen=True)
class SceneDescription:
    """A whole home."""

    scene_id: str
    rooms: tuple[Room, ...]
    stage: tuple[Part, ...]
    """Walls, floors, ceilings, skirting, frames, windows, risers, in the world frame. The part name starts with its kind and a slash."""
    floors: tuple[FloorRegion, ...]
    materials: dict[str, Material]
    templates: dict[str, ObjectTemplate]
    instances: tuple[ObjectInstance, ...]
    lights: tuple[Light, ...]
    meshes: dict[str, tuple[tuple[Vec3, ...], tuple[tuple[int, int, int], ...]]] = field(default_factory=dict)
    """Light triangle meshes by name: vertices and faces."""
    ceiling_height_m: float = 2.6
