"""Balls and toys."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import shade

__all__ = [
    "ball",
    "toy",
]


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


_RED, _BLUE, _YELLOW = (0.80, 0.20, 0.16), (0.20, 0.38, 0.68), (0.93, 0.74, 0.2)


def toy(kit: Kit, style: int) -> None:
    """Car, bear, blocks, train."""
    if style == 1:
        _bear(kit)
    elif style == 2:
        _blocks(kit)
    else:
        _vehicle(kit, train=style == 3)


def _bear(kit: Kit) -> None:
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


def _blocks(kit: Kit) -> None:
    for index, (rgb, x, y, z) in enumerate(
        (
            (_RED, -0.055, 0.02, 0),
            (_BLUE, 0.055, 0.03, 0),
            (_YELLOW, 0.0, -0.07, 0),
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


def _vehicle(kit: Kit, *, train: bool) -> None:
    rgb = _BLUE if train else _RED
    paint = kit.mat("flat", rgb, specular=0.5, shininess=0.7)
    dark = kit.mat("flat", (0.1, 0.1, 0.11))
    wood = kit.wood()
    if not train:
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
        kit.soft("cab", (0.11, 0.1, 0.13), (0, 0.085, 0.08), kit.mat("flat", _RED), 0.01, collide=False)
        kit.rod("chimney", 0.018, 0.06, (0, -0.1, 0.155), kit.mat("flat", _YELLOW), collide=False)
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
                kit.mat("flat", _YELLOW),
                rotation=turn("y", math.pi / 2),
                collide=False,
            )
    kit.box("toy_core", (0.14, 0.28, 0.1), (0, 0, 0), dark, visible=False)
