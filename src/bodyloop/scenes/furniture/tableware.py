"""Movable crockery, bottles, vases and pans; touched as boxes with a stable base, so that they rest."""

from __future__ import annotations

import math

from bodyloop.scenes.description import Vec3
from bodyloop.scenes.furniture.fittings import vessel
from bodyloop.scenes.furniture.kit import Kit
from bodyloop.scenes.furniture.palette import mix, shade

__all__ = [
    "bottle",
    "bowl",
    "fruit_bowl",
    "mug",
    "pan",
    "plate",
    "vase",
]


def mug(kit: Kit, style: int) -> None:
    """Straight, tapered, round."""
    rgb = kit.colour() if style != 1 else (0.94, 0.93, 0.9)
    clay = kit.ceramic(rgb)
    r, h = 0.041, kit.uniform(0.09, 0.1)
    belly = (1.0, 0.82, 1.08)[style]
    outside = [(0.001, 0), (0.85 * r * belly, 0), (r * belly, 0.35 * h), (r, h)]
    inside = [(r - 0.004, h), (r * belly - 0.004, 0.35 * h), (0.001, 0.012)]
    kit.lathe("cup", [*outside, *inside], (0, 0, 0), clay)
    kit.lathe(
        "drink", [(r * 0.93, 0.8 * h), (0.001, 0.8 * h)], (0, 0, 0), kit.mat("flat", (0.25, 0.14, 0.08), specular=0.4)
    )
    x = r * 0.95
    kit.tube(
        "handle",
        0.006,
        [
            (x, 0, 0.78 * h),
            (x + 0.028, 0, 0.74 * h),
            (x + 0.034, 0, 0.5 * h),
            (x + 0.022, 0, 0.27 * h),
            (x - 0.004, 0, 0.22 * h),
        ],
        clay,
    )
    kit.lathe(
        "foot", [(0.001, 0), (0.7 * r, 0), (0.7 * r, 0.004), (0.001, 0.004)], (0, 0, 0), kit.ceramic(shade(rgb, 0.8))
    )
    kit.box("cup_core", (1.5 * r, 1.5 * r, h), (0, 0, 0), clay, visible=False)


def bowl(kit: Kit, style: int) -> None:
    """Ceramic or wooden."""
    r, h = kit.uniform(0.09, 0.13), kit.uniform(0.075, 0.1)
    rgb = kit.colour()
    clay = kit.wood() if style == 1 else kit.ceramic(rgb)
    vessel(kit, "bowl", r, h, (0, 0, 0.006), clay)
    kit.lathe("foot", [(0.001, 0), (0.5 * r, 0), (0.5 * r, 0.01), (0.001, 0.01)], (0, 0, 0), clay)
    kit.lathe("band", [(0.93 * r, 0.72 * h), (0.985 * r, 0.92 * h)], (0, 0, 0.007), kit.ceramic(shade(rgb, 0.6)))
    kit.box("bowl_core", (1.2 * r, 1.2 * r, h), (0, 0, 0), clay, visible=False)


def fruit_bowl(kit: Kit, style: int) -> None:
    """A bowl with apples, oranges and a pear."""
    r, h = 0.14, 0.075
    clay = kit.wood(kit.palette.wood_dark) if style else kit.ceramic(kit.palette.linen)
    vessel(kit, "bowl", r, h, (0, 0, 0), clay)
    skins: tuple[Vec3, ...] = (
        (0.75, 0.16, 0.12),
        (0.93, 0.55, 0.12),
        (0.62, 0.70, 0.22),
        (0.90, 0.76, 0.2),
        (0.70, 0.2, 0.14),
    )
    for index, rgb in enumerate(skins):
        angle = index * 2 * math.pi / 5
        reach = 0.072 if index else 0.0
        at = (reach * math.cos(angle), reach * math.sin(angle), 0.07 + (0.03 if not index else 0.0))
        kit.add("fruit", "sphere", (0.037,), at, kit.mat("flat", rgb, specular=0.35), collide=False)
    kit.box("bowl_core", (0.18, 0.18, 0.1), (0, 0, 0), clay, visible=False)


def plate(kit: Kit, style: int) -> None:
    """A plate with a rim, some with a sandwich."""
    r = kit.uniform(0.11, 0.13)
    rgb = (0.95, 0.94, 0.92) if style != 1 else mix(kit.colour(), (1, 1, 1), 0.3)
    clay = kit.ceramic(rgb)
    kit.lathe(
        "plate",
        [(0.001, 0), (0.6 * r, 0), (r, 0.02), (r - 0.004, 0.024), (0.62 * r, 0.008), (0.001, 0.008)],
        (0, 0, 0),
        clay,
    )
    kit.lathe("line", [(0.93 * r, 0.0215), (0.88 * r, 0.0195)], (0, 0, 0.001), kit.ceramic(kit.colour()))
    kit.lathe("foot", [(0.001, 0), (0.55 * r, 0), (0.55 * r, 0.003), (0.001, 0.003)], (0, 0, 0), clay)
    if style == 2:
        bread = kit.mat("plaster", (0.82, 0.62, 0.36), 0.2)
        for z, material in ((0.009, bread), (0.022, kit.mat("leaf", (0.4, 0.6, 0.25), 0.1)), (0.03, bread)):
            kit.soft("slice", (0.1, 0.1, 0.014), (0, 0, z), material, 0.006, collide=False)
    kit.box("plate_core", (1.3 * r, 1.3 * r, 0.022), (0, 0, 0), clay, visible=False)


def bottle(kit: Kit, style: int) -> None:
    """Wine, water, milk."""
    glass = ((0.10, 0.25, 0.14), (0.55, 0.75, 0.85), (0.95, 0.94, 0.92))[style]
    r, h = kit.uniform(0.034, 0.041), kit.uniform(0.25, 0.3)
    body = kit.mat("flat", glass, specular=0.9, shininess=0.9)
    kit.lathe(
        "bottle",
        [(0.001, 0), (r, 0), (r, 0.6 * h), (0.8 * r, 0.68 * h), (0.38 * r, 0.78 * h), (0.36 * r, h - 0.012)],
        (0, 0, 0),
        body,
    )
    kit.lathe(
        "cap", [(0.42 * r, 0), (0.42 * r, 0.014), (0.001, 0.014)], (0, 0, h - 0.014), kit.mat("flat", kit.colour())
    )
    label = kit.mat("flat", (0.93, 0.9, 0.82), specular=0.05)
    kit.lathe("label", [(r + 0.0008, 0.2 * h), (r + 0.0008, 0.48 * h)], (0, 0, 0), label)
    kit.lathe("stripe", [(r + 0.0014, 0.3 * h), (r + 0.0014, 0.36 * h)], (0, 0, 0), kit.mat("flat", kit.palette.accent))
    kit.box("bottle_core", (1.6 * r, 1.6 * r, 0.7 * h), (0, 0, 0), body, visible=False)
    kit.box("neck_core", (0.7 * r, 0.7 * r, 0.28 * h), (0, 0, 0.7 * h), body, visible=False)


def vase(kit: Kit, style: int) -> None:
    """Four outlines; two hold dried grasses or twigs."""
    r, h = kit.uniform(0.065, 0.09), kit.uniform(0.22, 0.3)
    outline = (
        ((0.6, 0), (1.0, 0.4), (0.45, 0.85), (0.55, 1.0)),
        ((0.7, 0), (0.75, 0.1), (0.85, 0.9), (1.0, 1.0)),
        ((0.5, 0), (0.95, 0.2), (1.0, 0.5), (0.35, 0.72), (0.3, 0.95), (0.42, 1.0)),
        ((0.8, 0), (0.9, 0.5), (0.62, 0.75), (0.7, 1.0)),
    )[style]
    clay = kit.mat("plaster", kit.colour(), 0.3, specular=0.15) if style % 2 else kit.ceramic(kit.colour())
    kit.lathe(
        "vase",
        [(0.001, 0), *((a * r, b * h) for a, b in outline), (0.28 * r, 0.99 * h), (0.25 * r, 0.7 * h)],
        (0, 0, 0),
        clay,
    )
    kit.lathe("foot", [(0.001, 0), (0.62 * r, 0), (0.62 * r, 0.005), (0.001, 0.005)], (0, 0, 0), clay)
    straw = kit.mat("flat", (0.82, 0.70, 0.48) if style % 2 else shade(kit.palette.leaf, 1.1))
    for index in range(5):
        angle, lean = index * 1.3, 0.04 + 0.012 * index
        tip = (lean * math.cos(angle), lean * math.sin(angle), h + 0.14 + 0.02 * (index % 3))
        kit.tube("twig", 0.0022, [(0, 0, 0.7 * h), (0.4 * tip[0], 0.4 * tip[1], h + 0.02), tip], straw)
        kit.add(
            "tuft",
            "ellipsoid",
            (0.011, 0.011, 0.032),
            (tip[0], tip[1], tip[2]),
            kit.mat("knit", kit.palette.accent if not style % 2 else (0.88, 0.78, 0.58), 0.1),
            collide=False,
        )
    base = 1.25 * r * max(a for a, b in outline if b < 0.45)
    kit.box("vase_core", (base, base, h), (0, 0, 0), clay, visible=False)


def pan(kit: Kit, style: int) -> None:
    """Frying pan or pot with a handle."""
    r, h = kit.uniform(0.12, 0.14), (0.05, 0.05, 0.07)[style]
    iron = kit.mat("flat", (0.12, 0.12, 0.13), specular=0.5) if style != 1 else kit.metal((0.72, 0.45, 0.3))
    kit.lathe(
        "pan", [(0.001, 0), (0.85 * r, 0), (r, h), (r - 0.005, h), (0.84 * r, 0.008), (0.001, 0.008)], (0, 0, 0), iron
    )
    kit.tube(
        "handle",
        0.011,
        [(0, -r * 0.95, h - 0.012), (0, -r - 0.06, h + 0.004), (0, -r - 0.19, h + 0.01)],
        kit.wood(kit.palette.wood_dark),
    )
    kit.lathe("base", [(0.001, 0), (0.8 * r, 0), (0.8 * r, 0.002)], (0, 0, 0), kit.metal())
    kit.add("rivet", "sphere", (0.007,), (0, -r * 0.93, h - 0.014), kit.metal(), collide=False)
    kit.box("pan_core", (1.35 * r, 1.35 * r, h), (0, 0, 0), iron, visible=False)
    kit.box("handle_core", (0.024, 0.2, 0.022), (0, -r - 0.09, h - 0.012), iron, visible=False)
