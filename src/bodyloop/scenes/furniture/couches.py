"""Couches and armchairs: a soft seat between arms and back; the front is flush, the seat a flat box to the touch."""

from __future__ import annotations

from dataclasses import dataclass

from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import mix

__all__ = ["armchair", "couch_2", "couch_3"]


@dataclass(frozen=True)
class _Frame:
    width: float
    depth: float
    seat: float
    height: float
    arm: float
    arm_height: float
    back: float
    places: int

    @property
    def inner(self) -> float:
        return self.width - 2 * self.arm

    @property
    def seat_depth(self) -> float:
        return self.depth - self.back


def couch_2(kit: Kit, style: int) -> None:
    """Couch with two places."""
    _couch(kit, kit.uniform(1.52, 1.72), style, 2)


def couch_3(kit: Kit, style: int) -> None:
    """Couch with three places."""
    _couch(kit, kit.uniform(2.0, 2.3), style, 3)


def armchair(kit: Kit, style: int) -> None:
    """One soft place; counts as a chair."""
    _couch(kit, kit.uniform(0.8, 0.9), (style + 1) % 3, 1)


def _couch(kit: Kit, width: float, style: int, places: int) -> None:
    single = places == 1
    seat = kit.uniform(0.42, 0.46) if single else kit.uniform(0.41, 0.46)
    arm = (0.14, 0.2, 0.07, 0.22)[style] - (0.02 if single else 0.0)
    frame = _Frame(
        width=width,
        depth=kit.uniform(0.82, 0.88) if single else kit.uniform(0.88, 0.96),
        seat=seat,
        height=kit.uniform(0.8, 0.88) if style != 2 else kit.uniform(0.76, 0.82),
        arm=arm,
        arm_height=seat + (0.16, 0.2, 0.18, 0.17)[style],
        back=(0.24, 0.26, 0.2, 0.27)[style],
        places=places,
    )
    if style == 3:
        cover = kit.mat(
            "leather", mix(kit.palette.wood_dark, kit.palette.fabric, 0.25), 0.6, specular=0.3, shininess=0.4
        )
    else:
        cover = kit.cloth(kit.palette.fabric, ("fabric", "velvet", "fabric")[style], (0.3, 0.7, 0.3)[style])
    _base(kit, frame, cover, style)
    _arms(kit, frame, cover, style)
    _seat_and_back(kit, frame, cover, style)
    _cushions(kit, frame)
    y = -frame.depth / 2 + 0.03 + 0.26
    kit.seat((0, y, frame.seat), (frame.inner - 0.04, 0.5))


def _base(kit: Kit, f: _Frame, cover: str, style: int) -> None:
    wood = kit.wood(kit.palette.wood_dark if style != 2 else kit.palette.wood)
    foot = (0.12, 0.05, 0.2, 0.04)[style]
    kit.soft(
        "base",
        (f.width - 2 * f.arm + 0.02, f.depth - 0.06, f.seat - 0.15 - foot),
        (0, 0, foot),
        cover,
        0.02,
        collide=False,
    )
    if style == 2:
        kit.box("apron", (f.width, f.depth - 0.1, 0.05), (0, 0.02, foot - 0.045), wood, collide=False)
    for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        at = (sx * (f.width / 2 - 0.07), sy * (f.depth / 2 - 0.09), 0.0)
        kit.lathe(f"foot{index}", [(0.001, 0), (0.014 if foot > 0.1 else 0.028, 0), (0.03, foot)], at, wood)
    # one solid block from the floor: calves of a sitter rest against its front
    kit.box("seat_core", (f.inner, f.depth - 0.06, f.seat), (0, 0, 0), cover, visible=False)


def _arms(kit: Kit, f: _Frame, cover: str, style: int) -> None:
    x = f.width / 2 - f.arm / 2
    length = f.depth - (0.02 if style != 1 else 0.0)
    for side in (-1, 1):
        if style == 2:
            wood = kit.wood()
            kit.box("arm_rest", (f.arm, length - 0.06, 0.035), (side * x, 0, f.arm_height - 0.035), wood)
            for y in (-length / 2 + 0.1, length / 2 - 0.12):
                kit.box("arm_post", (0.045, 0.055, f.arm_height - 0.03), (side * x, y, 0), wood)
            kit.core((f.arm, length - 0.2, f.arm_height - 0.05), (side * x, 0, 0.1), "arm_core")
            continue
        foot = (0.1, 0.05, 0, 0.03)[style]
        radius = (0.035, 0.05, 0, 0.08)[style]
        kit.soft("arm", (f.arm, length, f.arm_height - foot), (side * x, 0, foot), cover, radius, collide=False)
        if style == 1:
            roll = (0.105, length / 2 - 0.06)
            kit.add(
                "roll",
                "capsule",
                (roll[0] * 0.8, roll[1]),
                (side * (x + 0.012), 0, f.arm_height - 0.035),
                cover,
                rotation=turn("x", 1.5708),
                collide=False,
            )
        kit.box("arm_core", (f.arm, length, f.arm_height), (side * x, 0, 0), cover, visible=False)


def _seat_and_back(kit: Kit, f: _Frame, cover: str, style: int) -> None:
    back_y = f.depth / 2
    thick = 0.12
    kit.soft(
        "back",
        (f.width - (0.0 if style in (1, 3) else 2 * f.arm - 0.04), thick, f.height - 0.1),
        (0, back_y - thick / 2, 0.1),
        cover,
        0.045,
        collide=False,
    )
    kit.box("back_core", (f.width, f.back - 0.03, f.height), (0, back_y - (f.back - 0.03) / 2, 0), cover, visible=False)
    place = f.inner / f.places
    for index in range(f.places):
        x = -f.inner / 2 + (index + 0.5) * place
        front = -f.depth / 2 + 0.015
        deep = f.depth - f.back - 0.015 + 0.03
        kit.soft(
            f"seat{index}",
            (place - 0.008, deep, 0.17),
            (x, front + deep / 2, f.seat - 0.17),
            cover,
            0.045,
            collide=False,
        )
        tall = f.height - f.seat + (0.03 if style != 3 else 0.05)
        lean = turn("x", -0.16)
        center_z = f.seat + tall / 2 - 0.02
        kit.mesh(
            f"back{index}",
            "roundbox",
            (place / 2 - 0.006, 0.08, tall / 2, 0.06),
            (x, back_y - thick - 0.055, center_z),
            cover,
            rotation=lean,
        )


def _cushions(kit: Kit, f: _Frame) -> None:
    textures = ("velvet", "woven_bands", "knit", "striped_cloth")
    count = 1 if f.places == 1 else int(kit.rng.integers(2, 4))
    for index in range(count):
        rgb = kit.palette.accent if index % 2 == 0 else kit.palette.second_accent
        cover = kit.cloth(rgb, textures[int(kit.rng.integers(4))], 0.4)
        side = 1 if index % 2 else -1
        x = side * (f.inner / 2 - 0.21 - 0.28 * (index // 2)) if f.places > 1 else 0.05
        y = f.depth / 2 - f.back - 0.06
        size = 0.42 if index < 2 else 0.36
        rotation = turn("x", 1.20)
        kit.pillow(f"cushion{index}", (size, size, 0.15), (x, y, f.seat + size / 2 - 0.02), cover, rotation=rotation)
