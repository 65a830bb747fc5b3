"""Beds: frame, mattress, bedding, headboard. One sits on the foot or on either side."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import mix, shade

__all__ = ["double_bed", "single_bed"]

_WHITE = (0.96, 0.95, 0.93)


def double_bed(kit: Kit, style: int) -> None:
    """Bed for two: slatted wood, tufted cloth, metal bars, drawers."""
    _bed(kit, kit.uniform(1.5, 1.82), kit.uniform(2.05, 2.12), kit.uniform(0.5, 0.56), style, pillows=2)


def single_bed(kit: Kit, style: int) -> None:
    """Bed for one."""
    _bed(kit, kit.uniform(0.95, 1.1), kit.uniform(2.03, 2.08), kit.uniform(0.47, 0.53), (style + 1) % 4, pillows=1)


def _bed(kit: Kit, width: float, length: float, height: float, style: int, pillows: int) -> None:
    back = length / 2
    base = 0.24 if style == 3 else 0.28
    _frame(kit, width, length, base, style)
    _headboard(kit, width, back, style)
    linen = kit.cloth(kit.palette.linen, "linen", 0.5)
    mattress = kit.cloth(_WHITE, "quilt", 0.4)
    top = height - 0.03
    kit.soft("mattress", (width - 0.06, length - 0.03, top - base), (0, -0.01, base), mattress, 0.05, collide=False)
    kit.box("mattress_core", (width, length, height - base), (0, 0, base), mattress, visible=False)
    _bedding(kit, width, length, base, height, linen)
    _pillows(kit, width, back, height, pillows, linen)
    for x, y, size, yaw in (
        (0.0, -back + 0.27, (width - 0.3, 0.5), 0.0),
        (width / 2 - 0.27, -0.15, (0.5, 1.1), math.pi / 2),
        (-width / 2 + 0.27, -0.15, (0.5, 1.1), -math.pi / 2),
    ):
        kit.seat((x, y, height), size, round(yaw, 6))


def _frame(kit: Kit, width: float, length: float, base: float, style: int) -> None:
    wood = kit.wood()
    if style == 1:
        cloth = kit.cloth(kit.palette.fabric)
        kit.soft("frame", (width, length, base - 0.07), (0, 0, 0.07), cloth, 0.03)
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            kit.rod(
                f"foot{index}",
                0.025,
                0.07,
                (sx * (width / 2 - 0.1), sy * (length / 2 - 0.1), 0),
                kit.wood(kit.palette.wood_dark),
            )
    elif style == 2:
        iron = kit.metal(shade(kit.palette.metal, 0.35))
        kit.box("frame", (width, length, 0.05), (0, 0, base - 0.05), iron)
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            kit.rod(f"foot{index}", 0.02, base - 0.05, (sx * (width / 2 - 0.04), sy * (length / 2 - 0.04), 0), iron)
        kit.core((width - 0.2, length - 0.2, base - 0.05), (0, 0, 0))
    elif style == 3:
        kit.box("frame", (width, length, base), (0, 0, 0), wood)
        front = kit.lacquer()
        for index, y in enumerate((-0.27 * length, 0.2 * length)):
            for side in (-1, 1):
                x = side * (width / 2 + 0.004)
                kit.box(f"drawer{index}", (0.014, 0.42 * length, 0.17), (x, y, 0.04), front, collide=False)
                kit.box("handle", (0.02, 0.12, 0.014), (x + side * 0.008, y, 0.125), kit.metal(), collide=False)
    else:
        kit.box("rail", (width, length, 0.1), (0, 0, base - 0.1), wood)
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            kit.box(
                f"foot{index}", (0.08, 0.08, base - 0.1), (sx * (width / 2 - 0.09), sy * (length / 2 - 0.09), 0), wood
            )
        kit.core((width - 0.3, length - 0.3, base - 0.1), (0, 0, 0))


def _headboard(kit: Kit, width: float, back: float, style: int) -> None:
    wood = kit.wood(repeat_m=1.1)
    if style == 1:
        cloth = kit.cloth(kit.palette.fabric)
        count = 4 if width > 1.3 else 3
        panel = width / count
        kit.box("headboard", (width, 0.05, 1.06), (0, back + 0.025, 0), cloth)
        for index in range(count):
            x = -width / 2 + (index + 0.5) * panel
            kit.soft(f"tuft{index}", (panel - 0.006, 0.07, 0.56), (x, back - 0.005, 0.48), cloth, 0.03, collide=False)
    elif style == 2:
        iron = kit.metal(shade(kit.palette.metal, 0.35))
        for side in (-1, 1):
            kit.rod("post", 0.022, 1.05, (side * (width / 2 - 0.022), back + 0.02, 0), iron)
            kit.add("knob", "sphere", (0.034,), (side * (width / 2 - 0.022), back + 0.02, 1.07), iron, collide=False)
        kit.box("rail_top", (width - 0.04, 0.026, 0.03), (0, back + 0.02, 0.96), iron)
        kit.box("rail_low", (width - 0.04, 0.026, 0.03), (0, back + 0.02, 0.6), iron)
        count = round(width / 0.16)
        for index in range(1, count):
            x = -width / 2 + index * width / count
            kit.rod(f"bar{index}", 0.008, 0.34, (x, back + 0.02, 0.62), iron, collide=False)
    elif style == 3:
        kit.box("headboard", (width, 0.06, 0.95), (0, back + 0.03, 0), wood)
        kit.box("ledge", (width + 0.04, 0.1, 0.03), (0, back + 0.04, 0.95), wood)
        for side in (-1, 1):
            kit.box(
                "panel",
                (width / 2 - 0.1, 0.016, 0.3),
                (side * width / 4, back - 0.004, 0.58),
                kit.lacquer(),
                collide=False,
            )
    else:
        for side in (-1, 1):
            kit.box("post", (0.07, 0.06, 1.05), (side * (width / 2 - 0.035), back + 0.03, 0), wood)
        for index in range(4):
            kit.box(
                f"slat{index}",
                (width - 0.12, 0.032, 0.1),
                (0, back + 0.03, 0.5 + 0.13 * index),
                wood,
                collide=index == 2,
            )
        kit.box("cap", (width + 0.02, 0.07, 0.035), (0, back + 0.03, 1.03), wood, collide=False)


def _bedding(kit: Kit, width: float, length: float, base: float, height: float, linen: str) -> None:
    cover_rgb = kit.palette.accent if kit.rng.random() < 0.4 else mix(kit.palette.fabric, (1, 1, 1), 0.25)
    texture, repeat = (("quilt", 0.55), ("linen", 0.6), ("woven_bands", 0.5), ("striped_cloth", 0.9))[
        int(kit.rng.integers(4))
    ]
    cover = kit.cloth(cover_rgb, texture, repeat)
    reach = length * 0.66
    depth = height - base + 0.02
    kit.soft(
        "duvet",
        (width + 0.03, reach, depth),
        (0, -length / 2 + reach / 2 - 0.012, height - depth),
        cover,
        0.045,
        collide=False,
    )
    fold_y = -length / 2 + reach
    kit.soft("fold", (width + 0.035, 0.26, 0.05), (0, fold_y - 0.06, height - 0.035), linen, 0.024, collide=False)
    throw = kit.cloth(kit.palette.second_accent, "knit", 0.35)
    kit.soft(
        "throw",
        (width + 0.045, 0.42, depth - 0.05),
        (0, -length / 2 + 0.42, height - depth + 0.057),
        throw,
        0.03,
        collide=False,
    )


def _pillows(kit: Kit, width: float, back: float, height: float, count: int, linen: str) -> None:
    accent = kit.cloth(kit.palette.accent, "velvet", 0.4)
    place = (width - 0.1) / count
    for index in range(count):
        x = -width / 2 + 0.05 + (index + 0.5) * place
        size = (min(place - 0.04, 0.74), 0.46, 0.19)
        kit.pillow(f"pillow{index}", size, (x, back - 0.27, height + 0.06), linen, rotation=turn("x", 0.28))
        if count > 1 or kit.rng.random() < 0.6:
            small = (0.40, 0.40, 0.15)
            kit.pillow(
                f"cushion{index}", small, (x * 0.75, back - 0.46, height + 0.14), accent, rotation=turn("x", 0.95)
            )
