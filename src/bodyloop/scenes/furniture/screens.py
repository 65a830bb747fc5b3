"""Televisions, standing and on the wall; the screen ends below 1.3 m."""

from __future__ import annotations

from bodyloop.scenes.furniture.fittings import books, doors, leaves, vessel
from bodyloop.scenes.furniture.kit import Kit
from bodyloop.scenes.furniture.palette import shade

__all__ = ["tv_on_stand", "wall_tv"]

_BLACK = (0.055, 0.055, 0.06)


def _set(kit: Kit, width: float, bottom: float, y: float) -> float:
    """The screen with its bezel, front at ``y``; returns the height of its top."""
    tall = width * 0.565
    black = kit.mat("flat", _BLACK, specular=0.5, shininess=0.6)
    kit.soft("case", (width, 0.045, tall), (0, y + 0.0225, bottom), black, 0.008, collide=False)
    kit.box("case_core", (width, 0.05, tall), (0, y + 0.022, bottom), black, visible=False)
    seed = int(kit.rng.integers(4))
    lit = kit.mat(
        "screen",
        kit.palette.second_accent,
        1.0,
        seed=seed,
        specular=0.9,
        shininess=0.9,
        emission=0.35 if seed % 2 else 0.0,
    )
    kit.mesh("screen", "panel", (width / 2 - 0.014, tall / 2 - 0.016), (0, y - 0.001, bottom + tall / 2 + 0.003), lit)
    lamp = kit.mat("flat", (0.8, 0.15, 0.12), emission=0.5)
    kit.box("lamp", (0.012, 0.004, 0.004), (width / 2 - 0.06, y - 0.001, bottom + 0.004), lamp, collide=False)
    return bottom + tall


def tv_on_stand(kit: Kit, style: int) -> None:
    """On a lowboard: doors, open shelves, slatted wood, on legs."""
    width, depth, height = kit.uniform(1.3, 1.7), kit.uniform(0.41, 0.45), kit.uniform(0.4, 0.46)
    wood = kit.wood(repeat_m=1.2)
    foot = (0.05, 0.05, 0.12, 0.15)[style]
    if style < 2:
        kit.box("plinth", (width - 0.08, depth - 0.06, foot), (0, 0.01, 0), kit.wood(kit.palette.wood_dark))
    else:
        kit.legs((width / 2 - 0.09, depth / 2 - 0.07), foot, 0.024, 0.014, kit.wood(kit.palette.wood_dark))
    kit.soft("top", (width, depth, 0.028), (0, 0, height - 0.028), wood, 0.008)
    body = (width - 0.02, depth - 0.03, height - 0.028 - foot)
    front = -depth / 2 + 0.006
    tall = height - 0.05 - foot
    if style == 1:
        dark = kit.mat("flat", (0.16, 0.13, 0.11))
        kit.box("body", body, (0, 0.012, foot), wood)
        kit.box("niche", (width * 0.36, 0.02, tall - 0.03), (0, front + 0.004, foot + 0.025), dark, collide=False)
        kit.box(
            "player",
            (width * 0.28, 0.06, 0.055),
            (0, front, foot + 0.03),
            kit.mat("flat", _BLACK, specular=0.4),
            collide=False,
        )
        books(kit, "books", width * 0.2, 0.06, tall * 0.6, (width * 0.04, front, foot + 0.09))
        for side in (-1, 1):
            x = side * width * 0.335
            kit.box("drawer", (width * 0.29, 0.02, tall - 0.01), (x, front, foot + 0.012), kit.lacquer(), collide=False)
    elif style == 2:
        kit.box("body", body, (0, 0.012, foot), wood)
        slats = kit.mat("panels", shade(kit.palette.wood, 0.92), 0.5)
        for side in (-1, 0, 1):
            kit.box(
                "front",
                (width / 3 - 0.02, 0.02, tall - 0.01),
                (side * (width / 3 - 0.006), front, foot + 0.012),
                slats,
                collide=False,
            )
    else:
        kit.box("body", body, (0, 0.012, foot), kit.lacquer() if style == 0 else wood)
        doors(
            kit,
            width - 0.03,
            tall,
            4 if style == 0 else 3,
            (0, front, foot + 0.01),
            kit.lacquer() if style == 0 else kit.wood(),
            handle="knob",
        )
    screen = min(kit.uniform(0.95, 1.2), width - 0.2)
    black = kit.mat("flat", _BLACK, specular=0.5)
    y = -0.02
    kit.soft("foot_plate", (0.42, 0.2, 0.014), (0, y + 0.02, height), black, 0.005, collide=False)
    kit.box("neck", (0.12, 0.03, 0.1), (0, y + 0.05, height + 0.01), black, collide=False)
    _set(kit, screen, height + 0.075, y)
    kit.soft(
        "soundbar",
        (screen * 0.7, 0.06, 0.05),
        (0, -depth / 2 + 0.09, height),
        kit.cloth((0.14, 0.14, 0.15), "fabric", 0.15),
        0.015,
        collide=False,
    )
    _decorate(kit, width, height, screen)


def _decorate(kit: Kit, width: float, height: float, screen: float) -> None:
    spare = (width - screen) / 2
    if spare < 0.12:
        return
    x = screen / 2 + spare / 2
    clay = kit.ceramic(kit.palette.pot)
    if kit.rng.random() < 0.5:
        kit.lathe("pot", [(0.001, 0), (0.05, 0), (0.065, 0.09), (0.058, 0.09), (0.001, 0.08)], (x, 0, height), clay)
        leaves(kit, 4, 0.2, 0.24, 18, (x, 0, height + 0.07))
    else:
        kit.lathe("vase", [(0.001, 0), (0.05, 0), (0.075, 0.12), (0.03, 0.24), (0.038, 0.28)], (x, 0, height), clay)
    books(kit, "pile", 0.2, 0.16, 0.07, (-x, 0.02, height), flat=True)
    vessel(kit, "bowl", 0.06, 0.05, (-x, 0.02, height + 0.07), kit.ceramic(kit.palette.accent))


def wall_tv(kit: Kit, style: int) -> None:
    """Flat on the wall above a floating ledge or on a bracket; low, its middle near 0.95 m."""
    width = kit.uniform(0.95, 1.3)
    tall = width * 0.565
    low = 1.27 - tall
    top = _set(kit, width, low, -0.03)
    black = kit.mat("flat", _BLACK)
    kit.box("bracket", (0.3, 0.03, 0.3), (0, 0.03, low + tall / 2 - 0.15), black, collide=False)
    kit.box(
        "cable", (0.03, 0.012, max(low - 0.06, 0.05)), (0, 0.038, 0.05), kit.lacquer((0.9, 0.9, 0.89)), collide=False
    )
    if style == 1:
        kit.soft(
            "soundbar",
            (width * 0.75, 0.07, 0.06),
            (0, 0.01, low - 0.1),
            kit.cloth((0.14, 0.14, 0.15), "fabric", 0.15),
            0.02,
        )
    kit.box(
        "glow",
        (width * 0.6, 0.006, 0.01),
        (0, 0.012, top - 0.02),
        kit.mat("flat", (0.9, 0.85, 0.7), emission=0.6),
        collide=False,
    )
