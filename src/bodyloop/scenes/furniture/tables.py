"""Tables, desks, nightstands."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.fittings import bar_handle, books, knob
from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import shade

__all__ = ["coffee_table", "desk", "dining_table", "nightstand", "side_table"]


def _size(kit: Kit, width: tuple[float, float], depth: tuple[float, float]) -> tuple[float, float]:
    drawn = kit.uniform(*width), kit.uniform(*depth)
    return kit.size or drawn


def dining_table(kit: Kit, style: int) -> None:
    """Four square legs, round pedestal, trestle, tapered legs with a light top."""
    width, depth = _size(kit, (1.25, 1.75), (0.82, 0.92))
    height = kit.uniform(0.735, 0.755)
    wood, dark = kit.wood(repeat_m=1.2), kit.wood(kit.palette.wood_dark)
    kit.support_height_m = height
    if style == 1:
        radius = min(width, depth + 0.2, 1.2) / 2
        rim = [
            (0.001, 0),
            (radius - 0.03, 0),
            (radius, 0.018),
            (radius, 0.028),
            (radius - 0.005, 0.034),
            (0.001, 0.034),
        ]
        kit.lathe("top", rim, (0, 0, height - 0.034), wood)
        kit.rod("top_core", radius, 0.034, (0, 0, height - 0.034), wood, visible=False)
        column = [
            (0.26, 0),
            (0.26, 0.02),
            (0.1, 0.06),
            (0.05, 0.12),
            (0.045, 0.4),
            (0.06, 0.55),
            (0.16, height - 0.036),
        ]
        kit.lathe("column", column, (0, 0, 0), dark)
        kit.rod("column_core", 0.07, height - 0.05, (0, 0, 0), dark, visible=False)
        kit.rod("foot_core", 0.24, 0.04, (0, 0, 0), dark, visible=False)
        return
    kit.soft("top", (width, depth, 0.036), (0, 0, height - 0.036), wood, 0.008)
    if style == 2:
        for side in (-1, 1):
            x = side * (width / 2 - 0.2)
            kit.box("foot", (0.09, depth - 0.12, 0.06), (x, 0, 0), dark)
            kit.box("post", (0.08, 0.14, height - 0.14), (x, 0, 0.06), dark)
            kit.box("bearer", (0.08, depth - 0.2, 0.05), (x, 0, height - 0.086), dark, collide=False)
        kit.box("beam", (width - 0.4, 0.04, 0.1), (0, 0, 0.3), dark)
        return
    if style == 3:
        kit.legs((width / 2 - 0.09, depth / 2 - 0.09), height - 0.036, 0.034, 0.018, dark)
    else:
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            at = (sx * (width / 2 - 0.05), sy * (depth / 2 - 0.05), 0.0)
            kit.box(f"leg{index}", (0.07, 0.07, height - 0.036), at, wood)
    for side in (-1, 1):
        kit.box(
            "apron", (width - 0.2, 0.022, 0.08), (0, side * (depth / 2 - 0.06), height - 0.116), wood, collide=False
        )
        kit.box(
            "apron_end", (0.022, depth - 0.2, 0.08), (side * (width / 2 - 0.06), 0, height - 0.116), wood, collide=False
        )


def coffee_table(kit: Kit, style: int) -> None:
    """Shelf below, round tripod, glass on metal, block with drawer."""
    width, depth, height = kit.uniform(0.85, 1.15), kit.uniform(0.52, 0.68), kit.uniform(0.4, 0.45)
    wood, dark = kit.wood(), kit.wood(kit.palette.wood_dark)
    kit.support_height_m = height
    if style == 1:
        radius = 0.4
        kit.lathe(
            "top",
            [(0.001, 0), (radius - 0.02, 0), (radius, 0.014), (radius, 0.03), (0.001, 0.03)],
            (0, 0, height - 0.03),
            wood,
        )
        kit.rod("top_core", radius, 0.03, (0, 0, height - 0.03), wood, visible=False)
        for index in range(3):
            angle = math.pi / 2 + index * 2 * math.pi / 3
            x, y = math.cos(angle), math.sin(angle)
            kit.tube(f"leg{index}", 0.018, [(0.34 * x, 0.34 * y, 0.005), (0.24 * x, 0.24 * y, height - 0.03)], dark)
        kit.core((0.36, 0.36, height - 0.03), (0, 0, 0))
        return
    if style == 2:
        glass = kit.mat("flat", (0.72, 0.84, 0.84), alpha=0.45, specular=0.9, shininess=0.9)
        metal = kit.metal(shade(kit.palette.metal, 0.45))
        kit.box("top", (width, depth, 0.02), (0, 0, height - 0.02), glass)
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            kit.box(
                f"leg{index}",
                (0.025, 0.025, height - 0.02),
                (sx * (width / 2 - 0.02), sy * (depth / 2 - 0.02), 0),
                metal,
            )
        for side in (-1, 1):
            kit.box(
                "rail", (width - 0.03, 0.02, 0.02), (0, side * (depth / 2 - 0.02), height - 0.045), metal, collide=False
            )
        kit.box("shelf", (width - 0.05, depth - 0.05, 0.02), (0, 0, 0.12), dark)
        books(kit, "magazines", 0.28, 0.2, 0.04, (-0.15, 0.04, 0.14), flat=True)
        return
    kit.soft("top", (width, depth, 0.035), (0, 0, height - 0.035), wood, 0.009)
    if style == 3:
        kit.box("body", (width - 0.08, depth - 0.08, height - 0.1), (0, 0, 0.065), kit.lacquer())
        kit.box("plinth", (width - 0.16, depth - 0.16, 0.065), (0, 0, 0), dark)
        kit.box(
            "drawer",
            (width - 0.2, 0.014, 0.16),
            (0, -depth / 2 + 0.036, 0.14),
            kit.lacquer(shade(kit.palette.lacquer, 0.93)),
            collide=False,
        )
        knob(kit, (0, -depth / 2 + 0.02, 0.22))
        return
    for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        kit.box(
            f"leg{index}", (0.05, 0.05, height - 0.035), (sx * (width / 2 - 0.04), sy * (depth / 2 - 0.04), 0), wood
        )
    kit.box("shelf", (width - 0.1, depth - 0.1, 0.02), (0, 0, 0.12), wood)
    books(kit, "magazines", 0.3, 0.22, 0.05, (0.12, 0, 0.14), flat=True)


def side_table(kit: Kit, style: int) -> None:
    """Round on three legs, square with shelf, drum."""
    size, height = kit.uniform(0.43, 0.5), kit.uniform(0.5, 0.58)
    wood = kit.wood()
    kit.support_height_m = height
    if style == 1:
        kit.soft("top", (size, size, 0.025), (0, 0, height - 0.025), wood, 0.008)
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            kit.box(
                f"leg{index}", (0.035, 0.035, height - 0.025), (sx * (size / 2 - 0.03), sy * (size / 2 - 0.03), 0), wood
            )
        kit.box("shelf", (size - 0.07, size - 0.07, 0.02), (0, 0, 0.16), wood)
        return
    radius = size / 2
    kit.lathe(
        "top",
        [(0.001, 0), (radius - 0.014, 0), (radius, 0.01), (radius, 0.024), (0.001, 0.024)],
        (0, 0, height - 0.024),
        wood,
    )
    kit.rod("top_core", radius, 0.024, (0, 0, height - 0.024), wood, visible=False)
    if style == 2:
        drum = kit.mat("wicker", shade(kit.palette.wood, 1.1), 0.25)
        kit.lathe(
            "drum", [(radius * 0.72, 0), (radius * 0.9, height * 0.5), (radius * 0.72, height - 0.024)], (0, 0, 0), drum
        )
        for z in (0.0, height * 0.5 - 0.008):
            ring = radius * (0.74 if z == 0 else 0.91)
            kit.lathe(
                "ring",
                [(ring - 0.01, 0), (ring, 0), (ring, 0.016), (ring - 0.01, 0.016)],
                (0, 0, z),
                kit.wood(kit.palette.wood_dark),
            )
        kit.rod("drum_core", radius * 0.85, height - 0.03, (0, 0, 0), wood, visible=False)
        return
    for index in range(3):
        angle = math.pi / 2 + index * 2 * math.pi / 3
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        kit.tube(
            f"leg{index}",
            0.014,
            [(0.9 * x, 0.9 * y, 0.006), (0.5 * x, 0.5 * y, height - 0.024)],
            kit.wood(kit.palette.wood_dark),
        )
    kit.rod("leg_core", 0.5 * radius, height - 0.03, (0, 0, 0), wood, visible=False)


def desk(kit: Kit, style: int) -> None:
    """With drawers on one side, trestles, panel ends with a shelf."""
    width, depth = _size(kit, (1.25, 1.55), (0.62, 0.72))
    height = kit.uniform(0.73, 0.75)
    wood = kit.wood(repeat_m=1.2)
    kit.support_height_m = height
    kit.soft("top", (width, depth, 0.03), (0, 0, height - 0.03), wood, 0.006)
    if style == 1:
        metal = kit.metal(shade(kit.palette.metal, 0.3))
        for side in (-1, 1):
            x = side * (width / 2 - 0.16)
            for y in (-1, 1):
                foot = (x + side * 0.08, y * (depth / 2 - 0.06), 0.005)
                kit.tube("leg", 0.018, [foot, (x, y * (depth / 2 - 0.16), height - 0.03)], metal)
            kit.box("bearer", (0.05, depth - 0.2, 0.03), (x, 0, height - 0.06), metal, collide=False)
            kit.box("end_core", (0.12, depth - 0.1, height - 0.03), (x + side * 0.04, 0, 0), metal, visible=False)
    else:
        side_board = kit.lacquer() if style == 0 else wood
        for side in (-1, 1):
            kit.box("end", (0.03, depth - 0.04, height - 0.03), (side * (width / 2 - 0.03), 0, 0), side_board)
        kit.box(
            "back_panel", (width - 0.08, 0.02, 0.35), (0, depth / 2 - 0.05, height - 0.4), side_board, collide=False
        )
    if style == 0:
        kit.box("drawers", (0.4, depth - 0.06, height - 0.1), (width / 2 - 0.25, 0, 0.06), kit.lacquer())
        for index in range(3):
            z = 0.09 + 0.2 * index
            kit.box(
                f"drawer{index}",
                (0.38, 0.016, 0.18),
                (width / 2 - 0.25, -depth / 2 + 0.025, z),
                kit.lacquer(shade(kit.palette.lacquer, 1.05)),
                collide=False,
            )
            bar_handle(kit, 0.12, (width / 2 - 0.25, -depth / 2 + 0.012, z + 0.12))
    if style == 2:
        kit.box("shelf", (width, 0.2, 0.02), (0, depth / 2 - 0.1, height + 0.28), wood)
        for side in (-1, 1):
            kit.box("upright", (0.025, 0.2, 0.28), (side * (width / 2 - 0.03), depth / 2 - 0.1, height), wood)
        books(kit, "books", width * 0.4, 0.16, 0.22, (-width * 0.22, depth / 2 - 0.1, height + 0.3))
    else:
        books(kit, "books", 0.3, 0.17, 0.23, (-width / 2 + 0.25, depth / 2 - 0.14, height))
    pen_pot = kit.ceramic(kit.palette.accent)
    kit.lathe(
        "pen_pot",
        [(0.001, 0), (0.036, 0), (0.038, 0.1), (0.033, 0.1), (0.031, 0.02), (0.001, 0.02)],
        (width / 2 - 0.15, depth / 2 - 0.14, height),
        pen_pot,
    )


def nightstand(kit: Kit, style: int) -> None:
    """Two drawers, open shelf on legs, cane door."""
    width, depth, height = kit.uniform(0.43, 0.5), kit.uniform(0.37, 0.42), kit.uniform(0.5, 0.56)
    wood = kit.wood()
    front = kit.lacquer() if style == 0 else wood
    kit.support_height_m = height
    foot = (0.08, 0.2, 0.14)[style]
    kit.legs((width / 2 - 0.04, depth / 2 - 0.04), foot, 0.018, 0.012, kit.wood(kit.palette.wood_dark))
    kit.soft("top", (width, depth, 0.022), (0, 0, height - 0.022), wood, 0.006)
    if style == 1:
        for side in (-1, 1):
            kit.box("side", (0.02, depth - 0.02, height - 0.022 - foot), (side * (width / 2 - 0.012), 0, foot), wood)
        kit.box("floor", (width - 0.04, depth - 0.03, 0.02), (0, 0, foot), wood)
        kit.box("back", (width - 0.04, 0.012, height - 0.022 - foot), (0, depth / 2 - 0.02, foot), wood)
        books(kit, "books", 0.2, 0.15, 0.045, (0.03, -0.02, foot + 0.02), flat=True)
        kit.core((width - 0.05, depth - 0.05, height - 0.05 - foot), (0, 0, foot))
        return
    kit.box("body", (width - 0.02, depth - 0.02, height - 0.022 - foot), (0, 0, foot), wood if style else kit.lacquer())
    if style == 0:
        tall = (height - 0.022 - foot) / 2
        for index in range(2):
            z = foot + index * tall
            kit.box(
                f"drawer{index}",
                (width - 0.06, 0.018, tall - 0.025),
                (0, -depth / 2 + 0.006, z + 0.012),
                front,
                collide=False,
            )
            knob(kit, (0, -depth / 2 - 0.012, z + tall / 2))
    else:
        cane = kit.mat("wicker", shade(kit.palette.wood, 1.15), 0.16)
        kit.box(
            "door",
            (width - 0.06, 0.018, height - 0.09 - foot),
            (0, -depth / 2 + 0.006, foot + 0.03),
            wood,
            collide=False,
        )
        kit.box(
            "cane",
            (width - 0.13, 0.018, height - 0.16 - foot),
            (0, -depth / 2 + 0.002, foot + 0.065),
            cane,
            collide=False,
        )
        knob(kit, (width / 2 - 0.055, -depth / 2 - 0.01, (height + foot) / 2), rotation=turn("x", 0.0))
