"""Other movable things: books, boxes, baskets, shoes, luggage. Few touched boxes with a stable base, so that they rest."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import shade

__all__ = [
    "basket",
    "book",
    "box",
    "cushion",
    "keyboard",
    "laptop",
    "shoe",
    "suitcase",
    "towel_roll",
]


def book(kit: Kit, style: int) -> None:
    """One book, or a pile of two or three."""
    z = 0.0
    for index in range(1 + style % 3):
        width, depth, thick = kit.uniform(0.14, 0.18), kit.uniform(0.2, 0.25), kit.uniform(0.018, 0.032)
        if 1 + style % 3 == 3:
            thick = 0.016
        cover = kit.mat("flat", shade(kit.colour(), float(kit.rng.uniform(0.7, 1.15))), specular=0.15)
        pages = kit.mat("linen", (0.95, 0.92, 0.84), 0.08)
        angle = float(kit.rng.uniform(-0.3, 0.3)) if index else 0.0
        spin = turn("z", angle)
        body = (width - 0.008, depth - 0.01, thick - 0.006)
        kit.box("pages", body, (0, 0, z + 0.003), pages, collide=False, rotation=spin)
        for lift in (0.0, thick - 0.003):
            kit.box("cover", (width, depth, 0.003), (0, 0, z + lift), cover, collide=False, rotation=spin)
        back = (-width / 2 * math.cos(angle), -width / 2 * math.sin(angle), z)
        kit.box("spine", (0.003, depth, thick), back, cover, collide=False, rotation=spin)
        z += thick
    kit.box("book_core", (0.15, 0.21, z), (0, 0, 0), kit.parts[0].material, visible=False)


def box(kit: Kit, style: int) -> None:
    """Cardboard with tape, wooden crate, lidded storage box."""
    width, depth, height = kit.uniform(0.32, 0.42), kit.uniform(0.26, 0.33), kit.uniform(0.22, 0.3)
    (_carton, _crate, _storage_box)[style](kit, width, depth, height)
    kit.box("box_core", (width, depth, height), (0, 0, 0), kit.parts[0].material, visible=False)


def _crate(kit: Kit, width: float, depth: float, height: float) -> None:
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


def _carton(kit: Kit, width: float, depth: float, height: float) -> None:
    board = kit.mat("cardboard", (0.72, 0.55, 0.36), 0.5, specular=0.02)
    kit.box("box", (width, depth, height), (0, 0, 0), board, collide=False)
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


def _storage_box(kit: Kit, width: float, depth: float, height: float) -> None:
    board = kit.cloth(kit.colour(), "linen", 0.3)
    kit.box("box", (width, depth, height - 0.03), (0, 0, 0), board, collide=False)
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


def cushion(kit: Kit, style: int) -> None:
    """A floor cushion."""
    size, tall = kit.uniform(0.41, 0.49), kit.uniform(0.13, 0.17)
    cover = kit.cloth(kit.colour(), ("velvet", "woven_bands", "knit", "striped_cloth")[style], 0.4)
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
    rgb = (kit.colour(), kit.palette.wood_dark, (0.18, 0.16, 0.15), kit.palette.second_accent)[style]
    upper = kit.mat("leather" if style != 3 else "knit", rgb, 0.3, specular=0.25)
    rubber = kit.mat("flat", (0.88, 0.87, 0.84) if style == 0 else (0.25, 0.2, 0.17))
    kit.mesh("sole", "oval", (2.9, 0.001, 0.0, 0.044, 0.0, 0.048, 0.012, 0.044, 0.026, 0.001, 0.026), (0, 0, 0), rubber)
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
    kit.mesh("roll", "lathe", [v for p in profile for v in p], (0, 0, r + 0.0015), cloth, rotation=side)
    band = kit.cloth(shade(rgb, 0.7), "linen")
    for x in (-0.3, 0.3):
        kit.mesh(
            "band", "lathe", (r + 0.0015, -0.012, r + 0.0015, 0.012), (x * length, 0, r + 0.0015), band, rotation=side
        )
    kit.soft("edge", (length * 0.98, 0.03, 0.016), (0, -r * 0.75, 0.02), cloth, 0.007, collide=False)
    kit.box("roll_core", (length, 1.2 * r, 2 * r + 0.0015), (0, 0, 0), cloth, visible=False)


def suitcase(kit: Kit, style: int) -> None:
    """Standing hard-shell case with wheels and a handle."""
    width, depth, height = 0.42, 0.25, kit.uniform(0.6, 0.66)
    shell = kit.mat("louvre" if style == 0 else "flat", kit.colour(), 0.6, specular=0.5)
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
