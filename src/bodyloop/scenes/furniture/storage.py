"""Shelves, wardrobes, dressers, racks."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.fittings import bar_handle, books, doors, knob, leaves, vessel
from bodyloop.scenes.furniture.kit import Kit
from bodyloop.scenes.furniture.palette import shade

__all__ = ["bookshelf", "coat_rack", "dresser", "shoe_rack", "wall_shelf", "wardrobe"]


def _carcass(kit: Kit, width: float, depth: float, height: float, board: str, back: str, *, low: float = 0.0) -> None:
    """Two sides, top, bottom and back panel; hollow to the eye, solid to the touch."""
    t = 0.025
    for side in (-1, 1):
        kit.box("side", (t, depth, height - low), (side * (width - t) / 2, 0, low), board, collide=False)
    kit.box("top", (width, depth, t), (0, 0, height - t), board, collide=False)
    kit.box("bottom", (width - 2 * t, depth - 0.02, t), (0, 0.01, low + 0.03), board, collide=False)
    kit.box("back", (width - 2 * t, 0.012, height - low), (0, depth / 2 - 0.006, low), back, collide=False)
    kit.core((width, depth, height), (0, 0, 0))


def _fill_shelf(kit: Kit, width: float, depth: float, room: float, z: float, choice: int) -> None:
    """Books and a few things on one board; ``room`` is the clear height."""
    tall = min(room - 0.03, 0.27)
    if choice == 0:
        books(kit, "books", width, depth * 0.8, tall, (0, -0.01, z))
    elif choice == 1:
        books(kit, "books", width * 0.55, depth * 0.8, tall, (-width * 0.22, -0.01, z))
        clay = kit.ceramic(kit.palette.pot)
        height = min(room - 0.05, 0.22)
        kit.lathe(
            "vase",
            [(0.001, 0), (0.04, 0), (0.062, 0.45 * height), (0.03, 0.8 * height), (0.036, height)],
            (width * 0.25, 0, z),
            clay,
        )
        vessel(kit, "bowl", 0.06, 0.06, (width * 0.4, -0.02, z), kit.ceramic(kit.palette.accent))
    elif choice == 2:
        books(kit, "books", width * 0.45, depth * 0.8, tall, (width * 0.26, -0.01, z))
        basket = kit.mat("wicker", shade(kit.palette.wood, 1.15), 0.25)
        kit.soft(
            "basket",
            (width * 0.42, depth * 0.8, min(room - 0.06, 0.2)),
            (-width * 0.26, -0.01, z),
            basket,
            0.02,
            collide=False,
        )
    else:
        books(kit, "pile", 0.24, depth * 0.7, 0.09, (-width * 0.28, -0.01, z), flat=True)
        books(kit, "books", width * 0.3, depth * 0.8, tall, (width * 0.02, -0.01, z))
        white = kit.ceramic(shade(kit.palette.pot, 1.2))
        kit.lathe(
            "pot", [(0.001, 0), (0.045, 0), (0.06, 0.08), (0.054, 0.08), (0.001, 0.07)], (width * 0.34, -0.01, z), white
        )
        leaves(kit, 4, min(room - 0.12, 0.2), 0.22, 18, (width * 0.34, -0.01, z + 0.06))


def bookshelf(kit: Kit, style: int) -> None:
    """Tall open case, with doors below, metal ladder, white with coloured back."""
    drawn = kit.uniform(0.82, 1.15), kit.uniform(0.29, 0.34)
    width, depth = kit.size or drawn
    height = kit.uniform(1.75, 2.05)
    count = 5
    if style == 2:
        _ladder_shelf(kit, width, depth, height)
        return
    board = kit.wood(repeat_m=1.2) if style != 3 else kit.lacquer((0.93, 0.93, 0.91))
    back = (
        kit.lacquer(kit.palette.second_accent)
        if style == 3
        else kit.wood(kit.palette.wood_dark if style else shade(kit.palette.wood, 0.85))
    )
    _carcass(kit, width, depth, height, board, back)
    kit.box("plinth", (width - 0.02, depth - 0.03, 0.06), (0, 0.01, 0), board, collide=False)
    start = 0.09
    if style == 1:
        doors(kit, width - 0.04, 0.5, 2, (0, -depth / 2 + 0.004, 0.07), kit.lacquer(), inset=True, handle="knob")
        kit.box("cornice", (width + 0.05, depth + 0.03, 0.035), (0, 0.015, height), board, collide=False)
        start, count = 0.6, 4
    room = (height - 0.03 - start) / count
    for index in range(count):
        z = start + index * room
        if index or style == 1:
            kit.box("board", (width - 0.05, depth - 0.02, 0.022), (0, 0.005, z - 0.022), board, collide=False)
        _fill_shelf(kit, width - 0.07, depth, room - 0.025, z, int(kit.rng.integers(4)))


def _ladder_shelf(kit: Kit, width: float, depth: float, height: float) -> None:
    iron = kit.metal(shade(kit.palette.metal, 0.3))
    wood = kit.wood(repeat_m=1.2)
    for x in (-1, 1):
        for y in (-1, 1):
            kit.box(
                "post",
                (0.025, 0.025, height),
                (x * (width / 2 - 0.0125), y * (depth / 2 - 0.0125), 0),
                iron,
                collide=False,
            )
    room = (height - 0.15) / 4
    for index in range(5):
        z = 0.12 + index * room
        kit.box("board", (width, depth, 0.028), (0, 0, z - 0.028), wood, collide=False)
        if index < 4:
            _fill_shelf(kit, width - 0.08, depth, room - 0.03, z, int(kit.rng.integers(4)))
    for side in (-1, 1):
        kit.tube(
            "brace",
            0.006,
            [(side * (width / 2 - 0.01), depth / 2, 0.2), (-side * (width / 2 - 0.01), depth / 2, height - 0.15)],
            iron,
        )
    kit.core((width, depth, height), (0, 0, 0))


def wardrobe(kit: Kit, style: int) -> None:
    """Panelled doors, mirror in the middle, sliding wood and cloth, louvred."""
    drawn = kit.uniform(1.1, 1.7), kit.uniform(0.59, 0.62)
    width, depth = kit.size or drawn
    height = kit.uniform(2.0, 2.15)
    count = max(2, round(width / 0.5))
    body = kit.wood(repeat_m=1.2) if style in (0, 2) else kit.lacquer()
    kit.box("body", (width, depth - 0.02, height - 0.08), (0, 0.01, 0.07), body)
    kit.box("plinth", (width - 0.04, depth - 0.08, 0.07), (0, 0.02, 0), kit.wood(kit.palette.wood_dark))
    kit.box("cornice", (width + 0.04, depth + 0.02, 0.03), (0, 0.01, height - 0.03), body, collide=False)
    front = -depth / 2
    tall = height - 0.14
    if style == 3:
        slats = kit.mat("louvre", shade(kit.palette.lacquer, 1.03), 0.9)
        doors(kit, width - 0.02, tall, count, (0, front, 0.08), kit.lacquer(), handle="knob")
        each = (width - 0.02) / count
        for index in range(count):
            x = -width / 2 + 0.01 + (index + 0.5) * each
            for low, high in ((0.1, 0.48), (0.52, 0.94)):
                kit.box(
                    "slats",
                    (each - 0.13, 0.008, (high - low) * tall),
                    (x, front - 0.018, 0.08 + low * tall),
                    slats,
                    collide=False,
                )
        return
    if style == 2:
        cloth = kit.mat("linen", kit.palette.linen, 0.5)
        kit.box(
            "slide",
            (width / 2 + 0.01, 0.02, tall),
            (-width / 4 + 0.005, front + 0.004, 0.08),
            kit.wood(),
            collide=False,
        )
        kit.box("slide_front", (width / 2, 0.02, tall), (width / 4 - 0.005, front - 0.014, 0.08), cloth, collide=False)
        for x in (-width / 2 + 0.06, width / 2 - 0.06):
            bar_handle(kit, 0.4, (x, front - 0.01 if x < 0 else front - 0.022, 1.05), upright=True)
        kit.box(
            "stile", (0.04, 0.024, tall), (0.0, front - 0.014, 0.08), kit.wood(kit.palette.wood_dark), collide=False
        )
        return
    doors(
        kit,
        width - 0.02,
        tall,
        count,
        (0, front, 0.08),
        body if style == 0 else kit.lacquer(),
        inset=True,
        handle="bar",
    )
    if style == 1:
        each = (width - 0.02) / count
        x = -width / 2 + 0.01 + (count // 2 + 0.5) * each
        glass = kit.mat("mirror", (0.86, 0.91, 0.94), 1.0, specular=0.9, shininess=0.9)
        kit.mesh("mirror", "panel", (each / 2 - 0.05, tall / 2 - 0.1), (x, front - 0.026, 0.08 + tall / 2), glass)


def dresser(kit: Kit, style: int) -> None:
    """Chest of drawers: two columns, tall with legs, cane doors, knobs on colour."""
    width, depth, height = kit.uniform(0.95, 1.3), kit.uniform(0.44, 0.48), kit.uniform(0.8, 0.92)
    wood = kit.wood(repeat_m=1.2)
    front = (kit.lacquer(), wood, wood, kit.lacquer(kit.palette.second_accent))[style]
    foot = (0.07, 0.16, 0.13, 0.1)[style]
    kit.support_height_m = height
    if style == 0:
        kit.box("plinth", (width - 0.06, depth - 0.06, foot), (0, 0.01, 0), kit.wood(kit.palette.wood_dark))
    else:
        kit.legs((width / 2 - 0.06, depth / 2 - 0.06), foot, 0.024, 0.015, kit.wood(kit.palette.wood_dark))
    kit.box("body", (width - 0.02, depth - 0.02, height - 0.025 - foot), (0, 0.01, foot), wood if style != 3 else front)
    kit.soft("top", (width, depth, 0.025), (0, 0, height - 0.025), wood, 0.007)
    face = -depth / 2
    tall = height - 0.025 - foot
    if style == 2:
        doors(kit, width - 0.05, tall - 0.03, 3, (0, face + 0.006, foot + 0.015), wood, handle="knob")
        cane = kit.mat("wicker", shade(kit.palette.wood, 1.2), 0.2)
        each = (width - 0.05) / 3
        for index in range(3):
            x = (index - 1) * each
            kit.box("cane", (each - 0.1, 0.008, tall - 0.15), (x, face - 0.012, foot + 0.075), cane, collide=False)
        return
    columns, rows = (2, 3) if style != 1 else (1, 4)
    wide, high = (width - 0.05) / columns, (tall - 0.02) / rows
    light = shade(kit.materials[front].rgb, 1.06)
    drawer = kit.lacquer(light) if style in (0, 3) else front
    for column in range(columns):
        for row in range(rows):
            x, z = (column - (columns - 1) / 2) * wide, foot + 0.01 + row * high
            kit.soft(
                "drawer",
                (wide - 0.012, 0.022, high - 0.014),
                (x, face + 0.004, z + 0.007),
                drawer,
                0.005,
                collide=False,
            )
            if style == 0:
                bar_handle(kit, 0.14, (x, face - 0.006, z + high / 2))
            else:
                for shift in (-0.25, 0.25) if wide > 0.5 else (0.0,):
                    knob(
                        kit,
                        (x + shift * wide, face - 0.016, z + high / 2),
                        kit.metal((0.75, 0.6, 0.35)) if style == 3 else None,
                    )


def _shoe(kit: Kit, x: float, y: float, z: float, colour: str, sole: str) -> None:
    kit.add("shoe", "ellipsoid", (0.04, 0.12, 0.045), (x, y, z + 0.045), colour, collide=False)
    kit.add("ankle", "ellipsoid", (0.036, 0.05, 0.045), (x, y + 0.06, z + 0.08), colour, collide=False)
    kit.soft("sole", (0.078, 0.24, 0.022), (x, y, z), sole, 0.01, collide=False)


def shoe_rack(kit: Kit, style: int) -> None:
    """Open rack with shoes, or a tilting cabinet with a bench top."""
    width, depth = kit.uniform(0.72, 0.92), kit.uniform(0.29, 0.33)
    wood = kit.wood()
    if style == 1:
        height = 0.88
        kit.box("body", (width, depth - 0.02, height - 0.05), (0, 0.01, 0.025), kit.lacquer())
        kit.box("plinth", (width - 0.04, depth - 0.06, 0.025), (0, 0.01, 0), kit.wood(kit.palette.wood_dark))
        kit.soft("top", (width + 0.02, depth, 0.025), (0, 0, height - 0.025), wood, 0.007)
        for index in range(2):
            z = 0.05 + index * 0.4
            kit.soft(
                "flap",
                (width - 0.02, 0.022, 0.385),
                (0, -depth / 2 + 0.004, z),
                kit.lacquer(shade(kit.palette.lacquer, 1.05)),
                0.006,
                collide=False,
            )
            bar_handle(kit, 0.2, (0, -depth / 2 - 0.006, z + 0.33))
        kit.support_height_m = height
        return
    height = 0.56
    for side in (-1, 1):
        kit.box("side", (0.025, depth, height), (side * (width / 2 - 0.0125), 0, 0), wood)
    kit.soft("top", (width + 0.02, depth + 0.01, 0.028), (0, 0, height), wood, 0.008)
    colours = (kit.palette.accent, kit.palette.wood_dark, (0.2, 0.2, 0.22), kit.palette.fabric, (0.88, 0.86, 0.82))
    sole = kit.mat("flat", (0.85, 0.84, 0.8))
    for index in range(2):
        z = 0.08 + 0.24 * index
        kit.box("board", (width - 0.05, depth, 0.018), (0, 0, z), wood, collide=False)
        for pair in range(3):
            colour = kit.mat("leather", colours[int(kit.rng.integers(len(colours)))], 0.3, specular=0.25)
            x = (pair - 1) * (width - 0.1) / 3
            for side in (-1, 1):
                _shoe(kit, x + side * 0.045, -0.01, z + 0.018, colour, sole)
    kit.core((width, depth, height), (0, 0, 0))
    kit.support_height_m = height + 0.028


def coat_rack(kit: Kit, style: int) -> None:
    """A stand with hooks, a coat and a hat; wood or metal."""
    height = kit.uniform(1.7, 1.78)
    wood = kit.wood() if style == 0 else kit.metal(shade(kit.palette.metal, 0.35))
    kit.lathe("foot", [(0.001, 0), (0.2, 0), (0.2, 0.02), (0.05, 0.045), (0.001, 0.045)], (0, 0, 0), wood)
    kit.lathe("pole", [(0.02, 0), (0.02, height - 0.03), (0.03, height - 0.015), (0.001, height)], (0, 0, 0), wood)
    kit.rod("pole_core", 0.05, height, (0, 0, 0), wood, visible=False)
    kit.rod("foot_core", 0.2, 0.03, (0, 0, 0), wood, visible=False)
    for index in range(6):
        angle = index * math.pi / 3 + 0.3
        x, y = math.cos(angle), math.sin(angle)
        z = height - 0.14 - 0.06 * (index % 2)
        kit.tube(
            "hook",
            0.008,
            [(0.015 * x, 0.015 * y, z), (0.12 * x, 0.12 * y, z + 0.03), (0.16 * x, 0.16 * y, z + 0.09)],
            wood,
        )
    coat = kit.cloth(kit.palette.fabric, "fabric", 0.3)
    kit.mesh(
        "coat",
        "oval",
        (0.5, 0.001, 0, 0.16, 0.0, 0.185, 0.1, 0.17, 0.55, 0.13, 0.78, 0.04, 0.86, 0.001, 0.86),
        (0.13, -0.03, height - 1.05),
        coat,
    )
    scarf = kit.cloth(kit.palette.accent, "knit", 0.25)
    kit.soft("scarf", (0.09, 0.05, 0.75), (-0.15, -0.06, height - 0.9), scarf, 0.02, collide=False)
    hat = kit.mat("wicker", shade(kit.palette.wood, 1.2), 0.2)
    kit.lathe(
        "hat",
        [(0.001, 0.01), (0.16, 0), (0.16, 0.01), (0.09, 0.02), (0.08, 0.1), (0.001, 0.12)],
        (0, 0, height - 0.01),
        hat,
    )


def wall_shelf(kit: Kit, style: int) -> None:
    """A board or two on the wall with things on it."""
    width, depth = kit.uniform(0.65, 0.95), kit.uniform(0.19, 0.23)
    wood = kit.wood()
    low = 1.45
    for index in range(1 if style == 0 else 2):
        z = low + 0.32 * index
        kit.box("board", (width, depth, 0.025), (0, 0, z - 0.025), wood)
        for side in (-1, 1):
            kit.box(
                "bracket",
                (0.02, depth - 0.04, 0.02),
                (side * width * 0.36, 0.02, z - 0.045),
                kit.metal(),
                collide=False,
            )
        _fill_shelf(kit, width - 0.06, depth, 0.28, z, int(kit.rng.integers(4)))
    if style == 2:
        for side in (-1, 1):
            kit.box("end", (0.02, depth, 0.34), (side * (width / 2 - 0.01), 0, low - 0.025), wood, collide=False)
