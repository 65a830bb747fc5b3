"""The bare room: walls, a box to sit on, two risers up to a platform, two free chairs. A test scene for the body.

It spans 8 x 8 m around the origin. A body at yaw 0 looks along -Y:

- free floor along x = 0;
- the seat stands at (2.4, 0), front along -Y, top at 0.45 m;
- the risers rise along -Y at x = -2.8: faces at y = -1.0 and y = -1.3, then a platform 0.34 m high up to the far wall;
- two chairs of about 6 kg stand one behind the other at (1.2, -1.8) and (1.2, -2.7).
"""

from __future__ import annotations

from typing import Final

from bodyloop.scenes.description import (
    FloorRegion,
    Light,
    Material,
    ObjectInstance,
    ObjectTemplate,
    Part,
    Room,
    SceneDescription,
    SeatSurface,
)

__all__ = [
    "CHAIR_NAMES",
    "PLATFORM_HEIGHT_M",
    "RISER_FACES_Y_M",
    "RISER_HEIGHT_M",
    "RISER_X_M",
    "SEAT_HEIGHT_M",
    "SEAT_NAME",
    "SEAT_POSITION_M",
    "bare_room",
]

SEAT_HEIGHT_M: Final = 0.45
SEAT_POSITION_M: Final = (2.4, 0.0, 0.0)
SEAT_NAME: Final = "couch-bare_:0000"
RISER_HEIGHT_M: Final = 0.17
TREAD_DEPTH_M: Final = 0.30
PLATFORM_HEIGHT_M: Final = 2 * RISER_HEIGHT_M
RISER_X_M: Final = (-3.9, -1.7)
RISER_FACES_Y_M: Final = (-1.0, -1.0 - TREAD_DEPTH_M)
CHAIR_NAMES: Final = ("chair-bare_:0001", "chair-bare_:0002")

_HALF, _WALL, _CEILING = 4.0, 0.1, 2.6
_CHAIR_POSITIONS: Final = ((1.2, -1.8, 0.0), (1.2, -2.7, 0.0))
_UPRIGHT: Final = (0.0, 0.0, 0.0, 1.0)


def bare_room() -> SceneDescription:
    """The whole scene."""
    lower, upper = (-_HALF, -_HALF), (_HALF, _HALF)
    room = Room("bare", "hall", lower, upper, 0.0, "floor", "wall")
    instances = [ObjectInstance(0, SEAT_NAME, "couch-bare", SEAT_POSITION_M, _UPRIGHT, "STATIC", "bare")]
    for index, (name, position) in enumerate(zip(CHAIR_NAMES, _CHAIR_POSITIONS, strict=True), start=1):
        instances.append(ObjectInstance(index, name, "chair-bare", position, _UPRIGHT, "DYNAMIC", "bare"))
    return SceneDescription(
        scene_id="bare_room",
        rooms=(room,),
        stage=(*_shell(), *_risers()),
        floors=_floors(),
        materials=_materials(),
        templates={"couch-bare": _seat(), "chair-bare": _chair()},
        instances=tuple(instances),
        lights=(
            Light((0.0, 1.5, 2.4), (0.7, 0.68, 0.62), (0.6, 0.10, 0.03), casts_shadow=True),
            Light((-2.0, -2.0, 2.4), (0.4, 0.4, 0.4), (0.6, 0.15, 0.05)),
        ),
        ceiling_height_m=_CEILING,
    )


def _box(name: str, lower: tuple[float, float, float], upper: tuple[float, float, float], material: str) -> Part:
    """A box between two corners."""
    half = tuple(0.5 * (high - low) for low, high in zip(lower, upper, strict=True))
    x, y, z = (0.5 * (high + low) for low, high in zip(lower, upper, strict=True))
    return Part(name, "box", half, (x, y, z), material)


def _shell() -> list[Part]:
    a, b, top = _HALF, _HALF + _WALL, _CEILING
    return [
        _box("floor/bare", (-b, -b, -_WALL), (b, b, 0.0), "floor"),
        _box("wall/east", (a, -b, 0.0), (b, b, top), "wall"),
        _box("wall/west", (-b, -b, 0.0), (-a, b, top), "wall"),
        _box("wall/north", (-a, a, 0.0), (a, b, top), "wall"),
        _box("wall/south", (-a, -b, 0.0), (a, -a, top), "wall"),
    ]


def _risers() -> list[Part]:
    left, right = RISER_X_M
    first, second = RISER_FACES_Y_M
    return [
        _box("riser/1", (left, second, 0.0), (right, first, RISER_HEIGHT_M), "tread"),
        _box("riser/2", (left, -_HALF, 0.0), (right, second, PLATFORM_HEIGHT_M), "tread"),
    ]


def _floors() -> tuple[FloorRegion, ...]:
    left, right = RISER_X_M
    first, second = RISER_FACES_Y_M
    return (
        FloorRegion((-_HALF, -_HALF), (_HALF, _HALF), 0.0),
        FloorRegion((left, second), (right, first), RISER_HEIGHT_M, "tread"),
        FloorRegion((left, -_HALF), (right, second), PLATFORM_HEIGHT_M),
    )


def _materials() -> dict[str, Material]:
    return {
        "floor": Material("planks", (0.62, 0.47, 0.33), 1.2, 1),
        "wall": Material("plaster", (0.80, 0.79, 0.74), 2.0, 2, specular=0.05),
        "tread": Material("wood", (0.55, 0.40, 0.27), 0.8, 3),
        "fabric": Material("fabric", (0.52, 0.34, 0.30), 0.5, 4, specular=0.05),
        "wood": Material("wood", (0.66, 0.50, 0.34), 0.6, 5),
    }


def _seat() -> ObjectTemplate:
    base_top = SEAT_HEIGHT_M - 0.10
    return ObjectTemplate(
        name="couch-bare",
        category="couch",
        parts=(
            _box("base", (-0.35, -0.28, 0.0), (0.35, 0.28, base_top), "wood"),
            _box("cushion", (-0.34, -0.27, base_top), (0.34, 0.27, SEAT_HEIGHT_M), "fabric"),
        ),
        seats=(SeatSurface((0.0, 0.0, SEAT_HEIGHT_M), (0.68, 0.54)),),
        mass_kg=25.0,
    )


def _chair() -> ObjectTemplate:
    legs = [
        _box(f"leg{i}", (x - 0.018, y - 0.018, 0.0), (x + 0.018, y + 0.018, 0.42), "wood")
        for i, (x, y) in enumerate(((-0.19, -0.19), (0.19, -0.19), (-0.19, 0.19), (0.19, 0.19)))
    ]
    return ObjectTemplate(
        name="chair-bare",
        category="chair",
        parts=(
            *legs,
            _box("seat", (-0.21, -0.21, 0.42), (0.21, 0.21, 0.45), "wood"),
            _box("cushion", (-0.19, -0.19, 0.45), (0.19, 0.17, 0.47), "fabric"),
            _box("back", (-0.20, 0.185, 0.45), (0.20, 0.21, 0.90), "wood"),
        ),
        seats=(SeatSurface((0.0, 0.0, 0.47), (0.38, 0.36)),),
        mass_kg=6.0,
    )
