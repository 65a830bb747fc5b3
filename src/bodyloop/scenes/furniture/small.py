"""Small movable things: few touched boxes with a stable base, so that they rest."""

from __future__ import annotations

import math

from bodyloop.scenes.description import Vec3
from bodyloop.scenes.furniture.fittings import vessel
from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import mix, shade

__all__ = [
    "ball",
    "basket",
    "book",
    "bottle",
    "bowl",
    "box",
    "cushion",
    "fruit_bowl",
    "keyboard",
    "laptop",
    "mug",
    "pan",
    "plate",
    "shoe",
    "suitcase",
    "towel_roll",
    "toy",
    "vase",
]


def _colour(kit: Kit) -> Vec3:
    return kit.pick((kit.palette.accent, kit.palette.second_accent, kit.palette.fabric, kit.palette.pot))


def book(kit: Kit, style: int) -> None:
    """One book, or a pile of two or three."""
    z = 0.0
    for index in range(1 + style % 3):
        width, depth, thick = kit.uniform(0.14, 0.18), kit.uniform(0.2, 0.25), kit.uniform(0.018, 0.032)
        if 1 + style % 3 == 3:
            thick = 0.016
        cover = kit.mat("flat", shade(_colour(kit), float(kit.rng.uniform(0.7, 1.15))), specular=0.15)
        pages = kit.mat("linen", (0.95, 0.92, 0.84), 0.08)
        spin = turn("z", float(kit.rng.uniform(-0.3, 0.3)) if index else 0.0)
        kit.box(
            "pages",
            (width - 0.008, depth - 0.01, thick - 0.006),
            (0.003, 0, z + 0.003),
            pages,
            collide=False,
            rotation=spin,
        )
        for lift in (0.0, thick - 0.003):
            kit.box("cover", (width, depth, 0.003), (0, 0, z + lift), cover, collide=False, rotation=spin)
        kit.box(
            "spine",
            (0.003, depth, thick),
            (-width / 2, 0, z),
            cover,
            collide=False,
            rotation=turn("z", 0.0) if not index else spin,
        )
        z += thick
    kit.box("book_core", (0.15, 0.21, z), (0, 0, 0), kit.parts[0].material, visible=False)


def mug(kit: Kit, style: int) -> None:
    """Straight, tapered, round."""
    rgb = _colour(kit) if style != 1 else (0.94, 0.93, 0.9)
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
    rgb = _colour(kit)
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
    rgb = (0.95, 0.94, 0.92) if style != 1 else mix(_colour(kit), (1, 1, 1), 0.3)
    clay = kit.ceramic(rgb)
    kit.lathe(
        "plate",
        [(0.001, 0), (0.6 * r, 0), (r, 0.02), (r - 0.004, 0.024), (0.62 * r, 0.008), (0.001, 0.008)],
        (0, 0, 0),
        clay,
    )
    kit.lathe("line", [(0.93 * r, 0.0215), (0.88 * r, 0.0195)], (0, 0, 0.001), kit.ceramic(_colour(kit)))
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
        "cap", [(0.42 * r, 0), (0.42 * r, 0.014), (0.001, 0.014)], (0, 0, h - 0.014), kit.mat("flat", _colour(kit))
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
    clay = kit.mat("plaster", _colour(kit), 0.3, specular=0.15) if style % 2 else kit.ceramic(_colour(kit))
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


def box(kit: Kit, style: int) -> None:
    """Cardboard with tape, wooden crate, lidded storage box."""
    width, depth, height = kit.uniform(0.32, 0.42), kit.uniform(0.26, 0.33), kit.uniform(0.22, 0.3)
    if style == 1:
        wood = kit.wood()
        step = height / 4
        for index in range(4):
            for side in (-1, 1):
                kit.box(
                    "slat",
                    (width, 0.012, step - 0.012),
                    (0, side * (depth / 2 - 0.006), index * step),
                    wood,
                    collide=False,
                )
                kit.box(
                    "slat_end",
                    (0.012, depth - 0.024, step - 0.012),
                    (side * (width / 2 - 0.006), 0, index * step),
                    wood,
                    collide=False,
                )
        kit.box("bottom", (width - 0.02, depth - 0.02, 0.01), (0, 0, 0.0), wood, collide=False)
        kit.soft(
            "cloth",
            (width - 0.04, depth - 0.04, height - 0.05),
            (0, 0, 0.012),
            kit.cloth(kit.palette.accent, "striped_cloth", 0.3),
            0.03,
            collide=False,
        )
    else:
        board = (
            kit.mat("cardboard", (0.72, 0.55, 0.36), 0.5, specular=0.02)
            if style == 0
            else kit.cloth(_colour(kit), "linen", 0.3)
        )
        kit.box("box", (width, depth, height - (0.0 if style == 0 else 0.03)), (0, 0, 0), board, collide=False)
        if style == 0:
            tape = kit.mat("flat", (0.82, 0.72, 0.52), specular=0.3)
            kit.box("tape", (width + 0.001, 0.05, height + 0.001), (0, 0, 0), tape, collide=False)
            kit.box(
                "label",
                (0.12, 0.002, 0.08),
                (width * 0.2, -depth / 2 - 0.0005, height * 0.4),
                kit.mat("flat", (0.95, 0.95, 0.93)),
                collide=False,
            )
            kit.box(
                "seam",
                (width + 0.002, 0.003, 0.001),
                (0, 0, height + 0.001),
                kit.mat("flat", (0.45, 0.34, 0.22)),
                collide=False,
            )
        else:
            kit.soft(
                "lid",
                (width + 0.012, depth + 0.012, 0.06),
                (0, 0, height - 0.06),
                kit.cloth(kit.palette.linen, "linen", 0.3),
                0.01,
                collide=False,
            )
            kit.tube(
                "grip",
                0.007,
                [
                    (-0.05, -depth / 2, height * 0.55),
                    (-0.03, -depth / 2 - 0.02, height * 0.5),
                    (0.03, -depth / 2 - 0.02, height * 0.5),
                    (0.05, -depth / 2, height * 0.55),
                ],
                kit.mat("leather", kit.palette.wood_dark, 0.2),
            )
            kit.box("tag", (0.07, 0.003, 0.035), (0, -depth / 2 - 0.001, height * 0.62), kit.metal(), collide=False)
    kit.box("box_core", (width, depth, height), (0, 0, 0), kit.parts[0].material, visible=False)


def ball(kit: Kit, style: int) -> None:
    """Beach ball, football, basketball, plain. It rolls, with some resistance."""
    r = kit.uniform(0.105, 0.125)
    rgb = ((0.93, 0.92, 0.9), (0.93, 0.92, 0.9), (0.85, 0.42, 0.16), kit.palette.accent)[style]
    skin = kit.mat("leather" if style == 2 else "flat", rgb, 0.25, specular=0.3)
    kit.add("ball", "sphere", (r,), (0, 0, r), skin)
    if style == 2:
        dark = kit.mat("flat", (0.12, 0.09, 0.07))
        for rotation in (turn("x", 0.0), turn("x", math.pi / 2), turn("y", math.pi / 2)):
            kit.mesh(
                "seam",
                "lathe",
                (r * 1.004, -0.003, r * 1.006, 0.0, r * 1.004, 0.003),
                (0, 0, r),
                dark,
                rotation=rotation,
            )
    elif style == 1:
        spot = kit.mat("flat", (0.12, 0.12, 0.13), specular=0.3)
        phi = (1 + math.sqrt(5)) / 2
        for x, y, z in (
            (0, 1, phi),
            (0, -1, phi),
            (0, 1, -phi),
            (0, -1, -phi),
            (1, phi, 0),
            (-1, phi, 0),
            (1, -phi, 0),
            (-1, -phi, 0),
            (phi, 0, 1),
            (-phi, 0, 1),
            (phi, 0, -1),
            (-phi, 0, -1),
        ):
            norm = math.sqrt(1 + phi * phi)
            kit.add(
                "spot",
                "sphere",
                (r * 0.32,),
                (x / norm * r * 0.71, y / norm * r * 0.71, r + z / norm * r * 0.71),
                spot,
                collide=False,
            )
    else:
        for index, colour in enumerate((kit.palette.second_accent, kit.palette.fabric, kit.palette.accent)):
            band = kit.mat("flat", colour if style == 0 else shade(rgb, 0.75 + 0.15 * index), specular=0.3)
            low, high = -0.75 + 0.5 * index, -0.5 + 0.5 * index
            angles = [math.asin(low + (high - low) * k / 3) for k in range(4)]
            kit.mesh(
                "band",
                "lathe",
                [v for a in angles for v in (r * 1.004 * math.cos(a), r * 1.004 * math.sin(a))],
                (0, 0, r),
                band,
                rotation=turn("x", 0.5),
            )


def toy(kit: Kit, style: int) -> None:
    """Car, bear, blocks, train."""
    red, blue, yellow = (0.80, 0.20, 0.16), (0.20, 0.38, 0.68), (0.93, 0.74, 0.2)
    if style == 1:
        fur = kit.mat("carpet", (0.62, 0.43, 0.26), 0.15, specular=0.0)
        light = kit.mat("carpet", (0.82, 0.66, 0.46), 0.15, specular=0.0)
        kit.add("belly", "ellipsoid", (0.075, 0.065, 0.085), (0, 0, 0.085), fur, collide=False)
        kit.add("head", "ellipsoid", (0.06, 0.056, 0.055), (0, -0.005, 0.2), fur, collide=False)
        kit.add("snout", "ellipsoid", (0.026, 0.022, 0.02), (0, -0.055, 0.19), light, collide=False)
        kit.add("nose", "sphere", (0.009,), (0, -0.077, 0.196), kit.mat("flat", (0.1, 0.08, 0.07)), collide=False)
        for side in (-1, 1):
            kit.add("ear", "sphere", (0.023,), (side * 0.045, 0, 0.245), fur, collide=False)
            kit.add(
                "arm",
                "ellipsoid",
                (0.026, 0.03, 0.055),
                (side * 0.08, -0.025, 0.11),
                fur,
                collide=False,
                rotation=turn("y", side * -0.5),
            )
            kit.add("leg", "ellipsoid", (0.034, 0.06, 0.032), (side * 0.055, -0.065, 0.033), fur, collide=False)
            kit.add(
                "eye",
                "sphere",
                (0.007,),
                (side * 0.022, -0.052, 0.215),
                kit.mat("flat", (0.08, 0.06, 0.05)),
                collide=False,
            )
        kit.box("belly_core", (0.14, 0.12, 0.17), (0, 0, 0), fur, visible=False)
        kit.box("head_core", (0.09, 0.09, 0.08), (0, 0, 0.17), fur, visible=False)
        return
    if style == 2:
        for index, (rgb, x, y, z) in enumerate(
            (
                (red, -0.055, 0.02, 0),
                (blue, 0.055, 0.03, 0),
                (yellow, 0.0, -0.07, 0),
                ((0.3, 0.6, 0.3), -0.005, 0.02, 0.09),
            )
        ):
            kit.soft(
                "block",
                (0.088, 0.088, 0.088),
                (x, y, z),
                kit.mat("wood", rgb, 0.4),
                0.006,
                rotation=turn("z", 0.3 * index),
            )
        return
    rgb = red if style == 0 else blue
    paint = kit.mat("flat", rgb, specular=0.5, shininess=0.7)
    dark = kit.mat("flat", (0.1, 0.1, 0.11))
    wood = kit.wood()
    if style == 0:
        kit.soft("body", (0.13, 0.28, 0.06), (0, 0, 0.03), paint, 0.025, collide=False)
        kit.soft(
            "cabin",
            (0.11, 0.14, 0.06),
            (0, 0.02, 0.08),
            kit.mat("flat", (0.75, 0.86, 0.92), specular=0.8),
            0.025,
            collide=False,
        )
        kit.soft("roof", (0.11, 0.12, 0.02), (0, 0.02, 0.13), paint, 0.009, collide=False)
    else:
        kit.soft("body", (0.11, 0.3, 0.05), (0, 0, 0.03), wood, 0.01, collide=False)
        kit.add(
            "boiler", "cylinder", (0.045, 0.08), (0, -0.06, 0.12), paint, rotation=turn("x", math.pi / 2), collide=False
        )
        kit.soft("cab", (0.11, 0.1, 0.13), (0, 0.085, 0.08), kit.mat("flat", red), 0.01, collide=False)
        kit.rod("chimney", 0.018, 0.06, (0, -0.1, 0.155), kit.mat("flat", yellow), collide=False)
    for side in (-1, 1):
        for y in (-0.085, 0.085):
            kit.add(
                "wheel",
                "cylinder",
                (0.034, 0.012),
                (side * 0.062, y, 0.034),
                dark,
                rotation=turn("y", math.pi / 2),
                collide=False,
            )
            kit.add(
                "hub",
                "cylinder",
                (0.014, 0.014),
                (side * 0.062, y, 0.034),
                kit.mat("flat", yellow),
                rotation=turn("y", math.pi / 2),
                collide=False,
            )
    kit.box("toy_core", (0.14, 0.28, 0.1), (0, 0, 0), dark, visible=False)


def cushion(kit: Kit, style: int) -> None:
    """A floor cushion."""
    size, tall = kit.uniform(0.41, 0.49), kit.uniform(0.13, 0.17)
    cover = kit.cloth(_colour(kit), ("velvet", "woven_bands", "knit", "striped_cloth")[style], 0.4)
    kit.pillow("pillow", (size, size, tall), (0, 0, tall / 2), cover)
    piping = kit.cloth(kit.palette.linen, "linen")
    kit.add("button", "ellipsoid", (0.016, 0.016, 0.006), (0, 0, tall), piping, collide=False)
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        kit.add(
            "tassel",
            "ellipsoid",
            (0.014, 0.014, 0.01),
            (x * size * 0.49, y * size * 0.49, tall / 2),
            piping,
            collide=False,
        )
    kit.box("pillow_core", (size * 0.8, size * 0.8, tall), (0, 0, 0), cover, visible=False)


def basket(kit: Kit, style: int) -> None:
    """Wicker with a blanket, rope with toys, wire with towels."""
    r, h = kit.uniform(0.16, 0.19), kit.uniform(0.24, 0.29)
    cane = kit.mat(
        "wicker", (shade(kit.palette.wood, 1.1), (0.86, 0.82, 0.72), shade(kit.palette.wood_dark, 1.1))[style], 0.25
    )
    kit.lathe(
        "basket", [(0.001, 0), (0.88 * r, 0), (r, h), (r - 0.012, h), (0.84 * r, 0.03), (0.001, 0.03)], (0, 0, 0), cane
    )
    kit.lathe(
        "rim",
        [(r - 0.014, 0), (r + 0.006, 0.004), (r + 0.006, 0.016), (r - 0.014, 0.02)],
        (0, 0, h - 0.014),
        kit.mat("wicker", shade(kit.palette.wood_dark, 1.1), 0.1),
    )
    for side in (-1, 1):
        x = side * (r - 0.004)
        kit.tube("handle", 0.008, [(x, -0.06, h), (x, -0.045, h + 0.05), (x, 0.045, h + 0.05), (x, 0.06, h)], cane)
    fill = kit.cloth(kit.palette.accent, ("knit", "fabric", "striped_cloth")[style], 0.3)
    kit.soft("fill", (1.45 * r, 1.3 * r, 0.12), (0, 0, h - 0.085), fill, 0.05, collide=False)
    kit.soft(
        "fill",
        (1.0 * r, 1.1 * r, 0.08),
        (0.03, 0.01, h - 0.005),
        kit.cloth(kit.palette.linen, "knit", 0.3),
        0.035,
        collide=False,
    )
    kit.box("basket_core", (1.5 * r, 1.5 * r, h), (0, 0, 0), cane, visible=False)


def laptop(kit: Kit, style: int) -> None:
    """Open; silver or dark."""
    width, depth = 0.34, 0.235
    shell = kit.metal((0.72, 0.73, 0.75) if style == 0 else (0.22, 0.23, 0.25))
    kit.soft("base", (width, depth, 0.014), (0, 0, 0), shell, 0.006, collide=False)
    keys = kit.mat("keys", (0.13, 0.13, 0.14), 1.0, specular=0.1)
    kit.mesh("keys", "sheet", (width * 0.43, depth * 0.25), (0, 0.03, 0.0146), keys)
    kit.box(
        "pad",
        (0.1, 0.055, 0.001),
        (0, -0.075, 0.0138),
        kit.mat("flat", (0.55, 0.55, 0.57), specular=0.4),
        collide=False,
    )
    lean = turn("x", -0.28)
    center = (0.0, depth / 2 + 0.028, 0.118)
    kit.mesh("lid", "roundbox", (width / 2, 0.004, 0.112, 0.0035), center, shell, rotation=lean)
    lit = kit.mat("screen", kit.palette.second_accent, 1.0, seed=1 + 2 * style, emission=0.35)
    kit.mesh(
        "screen", "panel", (width / 2 - 0.012, 0.1), (0, center[1] - 0.0045, center[2] - 0.0012), lit, rotation=lean
    )
    kit.box("base_core", (width, depth, 0.016), (0, 0, 0), shell, visible=False)
    kit.add("lid_core", "box", (width / 2, 0.006, 0.11), center, shell, visible=False, rotation=lean)


def keyboard(kit: Kit, style: int) -> None:
    """With a mouse beside it."""
    width, depth = 0.36, 0.135
    shell = kit.mat("flat", (0.85, 0.85, 0.86) if style == 0 else (0.15, 0.15, 0.16), specular=0.2)
    kit.soft("board", (width, depth, 0.02), (0, 0, 0), shell, 0.006, collide=False)
    kit.mesh(
        "keys",
        "sheet",
        (width / 2 - 0.01, depth / 2 - 0.01),
        (0, 0, 0.0205),
        kit.mat("keys", (0.93, 0.93, 0.93) if style == 0 else (0.24, 0.24, 0.26), 1.0),
    )
    kit.add("mouse", "ellipsoid", (0.03, 0.05, 0.018), (width / 2 + 0.05, 0, 0.018), shell, collide=False)
    kit.box(
        "wheel",
        (0.006, 0.016, 0.008),
        (width / 2 + 0.05, -0.025, 0.028),
        kit.mat("flat", (0.1, 0.1, 0.1)),
        collide=False,
    )
    kit.box("board_core", (width, depth, 0.021), (0, 0, 0), shell, visible=False)


def shoe(kit: Kit, style: int) -> None:
    """One shoe: trainer, loafer, boot, slipper."""
    rgb = (_colour(kit), kit.palette.wood_dark, (0.18, 0.16, 0.15), kit.palette.second_accent)[style]
    upper = kit.mat("leather" if style != 3 else "knit", rgb, 0.3, specular=0.25)
    kit.soft(
        "sole",
        (0.09, 0.268, 0.022),
        (0, 0, 0),
        kit.mat("flat", (0.88, 0.87, 0.84) if style == 0 else (0.25, 0.2, 0.17)),
        0.013,
        collide=False,
    )
    kit.add("toe", "ellipsoid", (0.047, 0.085, 0.042), (0, -0.055, 0.046), upper, collide=False)
    kit.add("heel", "ellipsoid", (0.042, 0.06, 0.05), (0, 0.075, 0.052), upper, collide=False)
    kit.add("middle", "ellipsoid", (0.044, 0.1, 0.044), (0, 0.015, 0.052), upper, collide=False)
    if style == 2:
        kit.lathe("shaft", [(0.046, 0), (0.048, 0.06), (0.043, 0.06), (0.04, 0.0)], (0, 0.065, 0.075), upper)
    else:
        kit.add(
            "opening",
            "ellipsoid",
            (0.03, 0.045, 0.012),
            (0, 0.06, 0.09),
            kit.mat("flat", (0.12, 0.1, 0.1)),
            collide=False,
        )
    for index in range(3):
        kit.box(
            "lace",
            (0.05, 0.008, 0.006),
            (0, -0.02 + 0.025 * index, 0.083 + 0.004 * index),
            kit.mat("flat", (0.94, 0.93, 0.9)),
            collide=False,
        )
    kit.box("shoe_core", (0.09, 0.27, 0.075), (0, 0, 0), upper, visible=False)


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


def towel_roll(kit: Kit, style: int) -> None:
    """A rolled towel."""
    length, r = kit.uniform(0.32, 0.38), 0.07
    rgb = (kit.palette.linen, kit.palette.accent, kit.palette.second_accent)[style]
    cloth = kit.mat("carpet", rgb, 0.2, specular=0.0)
    side = turn("y", math.pi / 2)
    profile = [
        (0.001, -length / 2 + 0.012),
        (0.35 * r, -length / 2 + 0.004),
        (0.9 * r, -length / 2),
        (r, 0.012 - length / 2),
        (r, length / 2 - 0.012),
        (0.9 * r, length / 2),
        (0.35 * r, length / 2 - 0.004),
        (0.001, length / 2 - 0.012),
    ]
    kit.mesh("roll", "lathe", [v for p in profile for v in p], (0, 0, r), cloth, rotation=side)
    band = kit.cloth(shade(rgb, 0.7), "linen")
    for x in (-0.3, 0.3):
        kit.mesh("band", "lathe", (r + 0.0015, -0.012, r + 0.0015, 0.012), (x * length, 0, r), band, rotation=side)
    kit.soft("edge", (length * 0.98, 0.03, 0.016), (0, -r * 0.75, 0.02), cloth, 0.007, collide=False)
    kit.box("roll_core", (length, 1.2 * r, 2 * r), (0, 0, 0), cloth, visible=False)


def suitcase(kit: Kit, style: int) -> None:
    """Standing hard-shell case with wheels and a handle."""
    width, depth, height = 0.42, 0.25, kit.uniform(0.6, 0.66)
    shell = kit.mat("louvre" if style == 0 else "flat", _colour(kit), 0.6, specular=0.5)
    dark = kit.mat("flat", (0.12, 0.12, 0.13))
    kit.soft("shell", (width, depth, height - 0.1), (0, 0, 0.05), shell, 0.05, collide=False)
    kit.box("seam", (width + 0.004, 0.012, height - 0.12), (0, 0, 0.06), dark, collide=False)
    for x in (-1, 1):
        for y in (-1, 1):
            kit.add(
                "wheel",
                "ellipsoid",
                (0.014, 0.026, 0.026),
                (x * (width / 2 - 0.05), y * (depth / 2 - 0.05), 0.026),
                dark,
                collide=False,
            )
    kit.tube(
        "grip",
        0.01,
        [(-0.08, 0, height - 0.055), (-0.07, 0, height - 0.012), (0.07, 0, height - 0.012), (0.08, 0, height - 0.055)],
        dark,
    )
    kit.box("lock", (0.05, 0.01, 0.03), (width / 2 - 0.09, -depth / 2, height * 0.55), kit.metal(), collide=False)
    kit.box("shell_core", (width, depth, height - 0.05), (0, 0, 0), shell, visible=False)
