"""Chairs, stools, benches. Movable ones touch the floor with four round feet."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import shade

__all__ = ["bench", "dining_chair", "office_chair", "stool"]


def dining_chair(kit: Kit, style: int) -> None:
    """Slatted wood, padded shell, spindle back, plywood on metal."""
    width, depth = kit.uniform(0.43, 0.47), kit.uniform(0.44, 0.48)
    seat, height = kit.uniform(0.44, 0.465), kit.uniform(0.84, 0.94)
    wood = kit.wood() if style != 3 else kit.metal(shade(kit.palette.metal, 0.3))
    top = 0.018 if style != 3 else 0.011
    kit.legs((width / 2 - 0.035, depth / 2 - 0.04), seat - 0.03, top, 0.6 * top, wood)
    if style == 1:
        cloth = kit.cloth(kit.palette.accent)
        kit.soft("seat", (width, depth, 0.075), (0, 0, seat - 0.075), cloth, 0.035, collide=False)
        _shell_back(kit, width, depth, seat, height, cloth)
    else:
        kit.soft(
            "seat",
            (width, depth, 0.035),
            (0, 0, seat - 0.035),
            kit.wood() if style == 3 else wood,
            0.014,
            collide=False,
        )
        (_slat_back, _slat_back, _spindle_back, _ply_back)[style](kit, width, depth, seat, height, wood)
    if style in (0, 2):
        for side in (-1, 1):
            bar = (0.016, depth - 0.1, 0.022)
            kit.box("stretcher", bar, (side * (width / 2 - 0.035), 0, 0.2), wood, collide=False)
    kit.box("seat_core", (width, depth, 0.05), (0, 0, seat - 0.05), wood, visible=False)
    back = (width, 0.045, height - seat)
    kit.box("back_core", back, (0, depth / 2 - 0.02, seat), wood, visible=False)
    kit.seat((0, -0.03, seat), (width, depth - 0.08))


def _slat_back(kit: Kit, width: float, depth: float, seat: float, height: float, wood: str) -> None:
    for side in (-1, 1):
        kit.box(
            "post",
            (0.034, 0.03, height - seat),
            (side * (width / 2 - 0.025), depth / 2 - 0.02, seat),
            wood,
            collide=False,
        )
    for index in range(3):
        z = seat + (height - seat) * (0.35 + 0.24 * index)
        kit.soft(f"slat{index}", (width - 0.06, 0.02, 0.055), (0, depth / 2 - 0.02, z), wood, 0.008, collide=False)


def _shell_back(kit: Kit, width: float, depth: float, seat: float, height: float, cloth: str) -> None:
    tall = height - seat
    kit.soft("back", (width - 0.02, 0.06, tall), (0, depth / 2 - 0.03, seat - 0.02), cloth, 0.028, collide=False)
    for side in (-1, 1):
        size = (0.05, depth * 0.42, 0.2)
        kit.soft("wing", size, (side * (width / 2 - 0.025), depth * 0.25, seat - 0.01), cloth, 0.023, collide=False)


def _spindle_back(kit: Kit, width: float, depth: float, seat: float, height: float, wood: str) -> None:
    y = depth / 2 - 0.025
    for index in range(6):
        x = (index - 2.5) * (width - 0.09) / 5
        kit.tube(f"spindle{index}", 0.008, [(x, y, seat - 0.01), (x * 1.06, y + 0.012, height - 0.04)], wood)
    crest = [
        (-width / 2 + 0.005, y, height - 0.05),
        (-width / 4, y + 0.02, height - 0.025),
        (0, y + 0.026, height - 0.02),
    ]
    crest += [(-x, py, pz) for x, py, pz in reversed(crest[:2])]
    kit.tube("crest", 0.019, crest, wood)


def _ply_back(kit: Kit, width: float, depth: float, seat: float, height: float, metal: str) -> None:
    tall = (height - seat) * 0.5
    kit.mesh(
        "back",
        "roundbox",
        (width / 2 - 0.01, 0.009, tall / 2, 0.008),
        (0, depth / 2 - 0.025, height - tall / 2),
        kit.wood(),
        rotation=turn("x", -0.08),
    )
    for side in (-1, 1):
        x = side * (width / 2 - 0.08)
        kit.tube(
            "stay",
            0.011,
            [
                (x, depth / 2 - 0.06, seat - 0.02),
                (x, depth / 2 - 0.015, seat + 0.12),
                (x, depth / 2 - 0.005, height - 0.08),
            ],
            metal,
        )


def office_chair(kit: Kit, style: int) -> None:
    """Swivel chair on a five-star foot; it does not swivel here."""
    seat, height = kit.uniform(0.45, 0.475), kit.uniform(0.94, 1.06)
    dark = kit.mat("flat", (0.13, 0.13, 0.14), specular=0.3)
    cloth = kit.cloth((0.16, 0.17, 0.19) if style else kit.palette.fabric)
    for arm in range(5):
        angle = math.pi / 2 + arm * 2 * math.pi / 5
        x, y = 0.26 * math.cos(angle), 0.26 * math.sin(angle)
        kit.tube(f"star{arm}", 0.018, [(0, 0, 0.115), (0.5 * x, 0.5 * y, 0.1), (x, y, 0.07)], dark)
        kit.add(
            f"castor{arm}",
            "ellipsoid",
            (0.02, 0.03, 0.03),
            (x, y, 0.03),
            dark,
            collide=False,
            rotation=turn("z", angle),
        )
        kit.add(f"castor{arm}_core", "capsule", (0.025, 0.01), (x, y, 0.035), dark, visible=False)
    kit.rod("column", 0.026, seat - 0.19, (0, 0, 0.1), kit.metal())
    kit.soft("seat", (0.49, 0.47, 0.085), (0, -0.01, seat - 0.085), cloth, 0.035, collide=False)
    kit.box("seat_core", (0.48, 0.46, 0.06), (0, -0.01, seat - 0.06), dark, visible=False)
    back = 0.21
    tall = height - seat - 0.1
    lean = turn("x", -0.1)
    center = (0, back + 0.02, height - tall / 2)
    if style:
        net = kit.mat("wicker", (0.22, 0.23, 0.25), 0.12)
        kit.mesh("back", "roundbox", (0.215, 0.014, tall / 2, 0.013), center, net, rotation=lean)
        kit.tube(
            "frame",
            0.013,
            [
                (-0.2, 0.2, seat + 0.1),
                (-0.215, 0.26, height - 0.05),
                (0, 0.27, height),
                (0.215, 0.26, height - 0.05),
                (0.2, 0.2, seat + 0.1),
            ],
            dark,
        )
    else:
        kit.mesh("back", "roundbox", (0.22, 0.035, tall / 2, 0.034), center, cloth, rotation=lean)
    kit.box("back_core", (0.43, 0.05, tall), (0, back + 0.02, height - tall), dark, visible=False)
    kit.tube("stay", 0.022, [(0, 0.1, seat - 0.09), (0, 0.22, seat - 0.05), (0, 0.26, seat + 0.2)], dark)
    for side in (-1, 1):
        x = side * 0.265
        kit.tube("arm_post", 0.012, [(side * 0.2, 0.03, seat - 0.07), (x, 0.03, seat), (x, 0.03, seat + 0.19)], dark)
        kit.soft("arm_pad", (0.06, 0.24, 0.03), (x, 0.0, seat + 0.185), dark, 0.014, collide=False)
    kit.seat((0, -0.03, seat), (0.46, 0.4))


def stool(kit: Kit, style: int) -> None:
    """Round wooden, padded, or square with a hand hole."""
    size, seat = kit.uniform(0.34, 0.38), kit.uniform(0.44, 0.46)
    wood = kit.wood()
    kit.legs((size * 0.34, size * 0.34), seat - 0.03, 0.017, 0.013, wood)
    if style == 2:
        kit.soft("top", (size, size, 0.03), (0, 0, seat - 0.03), wood, 0.012, collide=False)
    else:
        kit.lathe(
            "top",
            [
                (0.001, 0),
                (size / 2 - 0.01, 0),
                (size / 2, 0.012),
                (size / 2, 0.026),
                (size / 2 - 0.008, 0.035),
                (0.001, 0.035),
            ],
            (0, 0, seat - 0.035),
            wood,
        )
    if style == 1:
        pad = kit.cloth(kit.palette.accent, "velvet", 0.3)
        kit.lathe(
            "pad",
            [(0.001, 0), (size / 2, 0), (size / 2 + 0.006, 0.02), (size / 2 - 0.02, 0.04), (0.001, 0.045)],
            (0, 0, seat - 0.045),
            pad,
        )
    kit.box("top_core", (size * 0.86, size * 0.86, 0.04), (0, 0, seat - 0.04), wood, visible=False)
    for y in (-1, 1):
        kit.box("rung", (size * 0.62, 0.016, 0.016), (0, y * size * 0.34, 0.18), wood, collide=False)
    kit.seat((0, 0, seat), (size * 0.86, size * 0.86))


def bench(kit: Kit, style: int) -> None:
    """Hall bench: open with a shelf, chest with lid, padded on metal."""
    width, depth, seat = kit.uniform(0.92, 1.18), kit.uniform(0.36, 0.41), kit.uniform(0.44, 0.47)
    wood = kit.wood()
    pad = kit.cloth(kit.palette.fabric)
    if style == 1:
        kit.box("chest", (width - 0.03, depth - 0.03, seat - 0.1), (0, 0, 0.03), kit.lacquer())
        kit.box("plinth", (width - 0.06, depth - 0.06, 0.03), (0, 0, 0), kit.wood(kit.palette.wood_dark))
        for side in (-1, 0, 1):
            panel = (width / 3 - 0.05, 0.012, seat - 0.2)
            kit.box(
                "panel",
                panel,
                (side * width / 3, -depth / 2 + 0.012, 0.08),
                kit.lacquer(shade(kit.palette.lacquer, 0.94)),
                collide=False,
            )
        kit.box("lid", (width, depth, 0.03), (0, 0, seat - 0.07), wood)
    else:
        frame = wood if style == 0 else kit.metal(shade(kit.palette.metal, 0.3))
        kit.legs((width / 2 - 0.05, depth / 2 - 0.05), seat - 0.05, 0.024, 0.016, frame)
        kit.box("top", (width, depth, 0.035), (0, 0, seat - 0.07), wood)
        kit.box("shelf", (width - 0.12, depth - 0.1, 0.02), (0, 0, 0.15), wood)
        kit.core((width - 0.1, depth - 0.08, seat - 0.07), (0, 0, 0), "under_core")
    kit.soft("pad", (width - 0.02, depth - 0.02, 0.045), (0, 0, seat - 0.045), pad, 0.02)
    for side in (-1, 1):
        button = kit.cloth(kit.palette.accent, "velvet", 0.4)
        kit.pillow(
            "cushion",
            (0.34, 0.34, 0.12),
            (side * (width / 2 - 0.2), depth / 2 - 0.1, seat + 0.13),
            button,
            rotation=turn("x", 1.25),
        ) if side > 0 or style == 2 else None
    kit.seat((0, 0, seat), (width - 0.1, depth - 0.04))
