"""Small things that many pieces share: handles, knobs, rows of books, bowls, taps, cabinet fronts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bodyloop.scenes.description import NO_ROTATION, QuatXyzw, Vec3
from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import shade

__all__ = ["bar_handle", "books", "doors", "framed", "knob", "leaves", "pot", "tap", "vessel"]


def knob(kit: Kit, at: Vec3, material: str | None = None, *, rotation: QuatXyzw = NO_ROTATION) -> None:
    """A round knob on a front that faces -y."""
    metal = material or kit.metal()
    kit.add("knob", "ellipsoid", (0.014, 0.012, 0.014), at, metal, collide=False, rotation=rotation)


def bar_handle(kit: Kit, length: float, at: Vec3, *, upright: bool = False, material: str | None = None) -> None:
    """A bar on a front that faces -y, centred at ``at``."""
    metal = material or kit.metal()
    size = (0.012, 0.014, length) if upright else (length, 0.014, 0.012)
    kit.box("handle", size, (at[0], at[1] - 0.02, at[2] - size[2] / 2), metal, collide=False)
    for side in (-1, 1):
        shift = side * (length / 2 - 0.015)
        x, z = (at[0], at[2] + shift) if upright else (at[0] + shift, at[2])
        kit.box("stud", (0.008, 0.02, 0.008), (x, at[1] - 0.01, z - 0.004), metal, collide=False)


def books(kit: Kit, name: str, width: float, depth: float, height: float, at: Vec3, *, flat: bool = False) -> None:
    """A row of books standing on ``at`` (middle of the row), or lying as a pile of total ``height``."""
    spines = kit.mat("books", kit.palette.accent, 1.0, seed=int(kit.rng.integers(3)), specular=0.05)
    seed = int(kit.rng.integers(1000))
    if flat:  # the row lies on its side
        center = (at[0], at[1], at[2] + height / 2)
        kit.mesh(
            name,
            "books",
            (height, depth, width, seed),
            (center[0] - width / 2, center[1], center[2]),
            spines,
            rotation=turn("y", math.pi / 2),
        )
    else:
        kit.mesh(name, "books", (width, depth, height, seed), at, spines)


def vessel(kit: Kit, name: str, radius: float, height: float, at: Vec3, material: str) -> None:
    """An open bowl or cup with a wall."""
    wall = min(0.006, 0.15 * radius)
    outside = [(0.001, 0), (0.55 * radius, 0), (0.82 * radius, 0.35 * height), (radius, height)]
    inside = [
        (radius - wall, height),
        (0.82 * radius - wall, 0.35 * height + wall),
        (0.5 * radius, 2 * wall),
        (0.001, 2 * wall),
    ]
    kit.lathe(name, [*outside, *inside], at, material)


def pot(kit: Kit, radius: float, height: float, style: int, at: Vec3 = (0, 0, 0)) -> float:
    """A plant pot with soil; returns the height of the soil above ``at``."""
    rgb = kit.palette.pot if kit.rng.random() < 0.6 else shade(kit.palette.pot, 1.35)
    if style % 4 == 1:
        material = kit.mat("wicker", shade(kit.palette.wood, 1.05), 0.3)
    else:
        material = kit.mat("flat" if style % 4 else "plaster", rgb, 0.5, specular=0.3 if style % 4 else 0.05)
    outline: Sequence[tuple[float, float]] = (
        ((0.001, 0), (0.72, 0), (0.95, 0.84), (1.0, 0.84), (1.0, 1.0), (0.9, 1.0), (0.86, 0.86)),
        ((0.001, 0), (0.86, 0), (1.0, 0.45), (0.92, 1.0), (0.84, 1.0), (0.84, 0.86)),
        ((0.001, 0), (0.8, 0), (1.0, 0.06), (1.0, 0.98), (0.96, 1.0), (0.9, 1.0), (0.88, 0.86)),
        ((0.001, 0), (0.5, 0), (0.9, 0.3), (1.0, 0.62), (0.86, 1.0), (0.78, 1.0), (0.78, 0.86)),
    )[style % 4]
    kit.lathe("pot", [(max(r * radius, 0.001), z * height) for r, z in outline], at, material)
    soil = kit.mat("soil", (0.36, 0.26, 0.19), 0.3, specular=0.0)
    kit.lathe("soil", [(0.88 * radius, 0.86 * height), (0.001, 0.9 * height)], at, soil)
    return 0.88 * height


def leaves(kit: Kit, habit: int, height: float, spread: float, count: int, at: Vec3) -> None:
    """Foliage of one of the plant habits growing from ``at``."""
    banded = habit == 3
    rgb = (0.78, 0.74, 0.38) if banded else shade(kit.palette.leaf, float(kit.rng.uniform(0.85, 1.2)))
    green = kit.mat("leaf_banded" if banded else "leaf", rgb, 1.0, specular=0.12, shininess=0.3)
    kit.mesh(
        "leaves", "foliage", (habit, round(height, 3), round(spread, 3), count, int(kit.rng.integers(1000))), at, green
    )


def tap(kit: Kit, at: Vec3, height: float, reach: float) -> None:
    """A curved water tap standing on ``at``, its mouth towards -y."""
    metal = kit.metal((0.75, 0.76, 0.78))
    x, y, z = at
    arc = [
        (x, y - reach * (1 - math.cos(a)) / 2, z + height - reach / 2 + reach / 2 * math.sin(a))
        for a in (0.0, 0.6, 1.2, 1.9, 2.6, 3.14)
    ]
    kit.tube("tap", 0.011, [(x, y, z), *arc, (x, y - reach, z + height - reach / 2 - 0.03)], metal)
    kit.rod("tap_foot", 0.02, 0.03, at, metal, collide=False)
    kit.tube("lever", 0.006, [(x + 0.018, y, z + 0.03), (x + 0.07, y - 0.01, z + 0.06)], metal)


def doors(
    kit: Kit,
    width: float,
    height: float,
    count: int,
    at: Vec3,
    front: str,
    *,
    inset: bool = False,
    handle: str = "bar",
    gap: float = 0.004,
) -> None:
    """A row of cabinet doors on the plane y = at.y, facing -y; ``at`` is the middle of the lower edge."""
    each = width / count
    trim = kit.materials[front]
    shadow = kit.mat(trim.texture, shade(trim.rgb, 0.9), trim.repeat_m, seed=trim.seed, specular=trim.specular)
    for index in range(count):
        x = at[0] - width / 2 + (index + 0.5) * each
        kit.box("door", (each - gap, 0.018, height - gap), (x, at[1] - 0.009, at[2] + gap / 2), front, collide=False)
        if inset:
            kit.box(
                "inset", (each - 0.13, 0.006, height - 0.13), (x, at[1] - 0.018, at[2] + 0.065), shadow, collide=False
            )
        inner = 1 if index % 2 == 0 else -1
        if count % 2 and index == count - 1:
            inner = -1
        edge = x + inner * (each / 2 - 0.045)
        if handle == "bar":
            bar_handle(
                kit,
                min(0.16, height * 0.4),
                (edge, at[1] - 0.018, at[2] + height * (0.75 if height < 1.2 else 0.5)),
                upright=True,
            )
        elif handle == "knob":
            knob(kit, (edge, at[1] - 0.026, at[2] + height * (0.8 if height < 1.2 else 0.5)))


def framed(
    kit: Kit, name: str, width: float, height: float, at: Vec3, frame: str, thick: float = 0.03, deep: float = 0.03
) -> None:
    """Four bars around an upright opening; ``at`` is its middle, bars stand out to -y by ``deep``."""
    x, y, z = at
    for side in (-1, 1):
        kit.box(
            name,
            (thick, deep, height),
            (x + side * (width - thick) / 2, y - deep / 2, z - height / 2),
            frame,
            collide=False,
        )
        rail_z = z + side * (height - thick) / 2 - thick / 2
        kit.box(name, (width - 2 * thick, deep, thick), (x, y - deep / 2, rail_z), frame, collide=False)
