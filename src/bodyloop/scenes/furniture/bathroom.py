"""Bathroom and laundry."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.fittings import bar_handle, doors, tap
from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import mix, shade

__all__ = ["bathtub", "bin_", "laundry_basket", "shower", "toilet", "washbasin", "washing_machine"]

_WATER = (0.62, 0.76, 0.82)


def toilet(kit: Kit, style: int) -> None:
    """Close-coupled with a cistern, wall-hung on a panel, one smooth body. The lid is up."""
    seat = kit.uniform(0.405, 0.425)
    white = kit.ceramic()
    width, bowl = 0.37, 0.47
    panel = (0.17, 0.12, 0.16)[style]
    middle = -0.06
    stretch = 1.22
    r = width / 2
    foot = ((0.12, 0.0), (0.115, 0.12), (0.1, 0.2)) if style == 0 else ((0.145, 0.0), (0.15, 0.2))
    bottom = 0.0 if style != 1 else 0.12
    start = (
        [(0.001, bottom), *(p for p in foot if p[1] >= bottom)]
        if style != 1
        else [(0.001, 0.12), (0.1, 0.13), (0.14, 0.2)]
    )
    outside = [*start, (0.168, 0.33), (0.176, seat - 0.03)]
    hollow = [(0.125, seat - 0.03), (0.105, seat - 0.12), (0.05, seat - 0.2), (0.001, seat - 0.21)]
    kit.mesh("bowl", "oval", _flat(stretch, [*outside, *hollow]), (0, middle, 0), white)
    ring = [
        (0.112, seat - 0.028),
        (r - 0.006, seat - 0.028),
        (r, seat - 0.014),
        (r - 0.012, seat),
        (0.126, seat),
        (0.112, seat - 0.012),
    ]
    kit.mesh("seat", "oval", _flat(stretch, ring), (0, middle, 0), kit.ceramic((0.97, 0.97, 0.96)))
    water = kit.mat("flat", _WATER, specular=0.6)
    kit.mesh("water", "oval", _flat(stretch, [(0.075, seat - 0.16), (0.001, seat - 0.16)]), (0, middle, 0), water)
    back = middle + r * stretch
    lid = kit.ceramic((0.97, 0.97, 0.96))
    outline = [(0.17 * math.cos(a), 0.20 * math.sin(a)) for a in (math.pi * k / 7 for k in range(15))][:-1]
    kit.mesh(
        "lid",
        "prism",
        [0.009, *(v for p in outline for v in p)],
        (0, back - 0.015, seat + 0.2),
        lid,
        rotation=turn("x", 1.42),
    )
    kit.box("bowl_core", (width - 0.03, bowl - 0.02, seat), (0, middle, 0), white, visible=False)
    _cistern(kit, style, back, panel, seat, white)
    kit.seat((0, middle - 0.02, seat), (width - 0.03, bowl - 0.06))


def _flat(stretch: float, profile: list[tuple[float, float]]) -> list[float]:
    return [stretch, *(value for pair in profile for value in pair)]


def _cistern(kit: Kit, style: int, back: float, depth: float, seat: float, white: str) -> None:
    chrome = kit.metal((0.78, 0.79, 0.8))
    y = back + depth / 2 - 0.005
    if style == 1:
        board = kit.mat("small_tiles", mix(kit.palette.lacquer, (1, 1, 1), 0.3), 0.9, specular=0.3)
        kit.box("panel", (0.46, depth, 1.0 - 0.15), (0, y, 0), board)
        kit.box("shelf", (0.48, depth + 0.02, 0.025), (0, y, 0.85), kit.wood())
        kit.soft("plate", (0.22, 0.014, 0.14), (0, y - depth / 2 - 0.004, 0.66), chrome, 0.006, collide=False)
        for side in (-1, 1):
            kit.box("button", (0.08, 0.008, 0.1), (side * 0.05, y - depth / 2 - 0.012, 0.68), white, collide=False)
        return
    tall = 0.36
    if style == 2:
        kit.soft("skirt", (0.35, 0.3, seat - 0.03), (0, back - 0.02, 0), white, 0.05, collide=False)
    else:
        kit.soft("neck", (0.2, 0.24, seat - 0.06), (0, back - 0.04, 0), white, 0.05, collide=False)
    kit.soft("tank", (0.39, depth, tall), (0, y, seat - 0.02), white, 0.03)
    kit.soft("tank_lid", (0.41, depth + 0.02, 0.03), (0, y, seat - 0.02 + tall), white, 0.012, collide=False)
    kit.rod("button", 0.028, 0.01, (0, y, seat + tall + 0.008), chrome, collide=False)
    kit.box("neck_core", (0.3, depth, seat), (0, y, 0), white, visible=False)


def washbasin(kit: Kit, style: int) -> None:
    """Vanity with a top bowl, pedestal, floating drawer unit."""
    width, depth = kit.uniform(0.62, 0.85) if style != 1 else 0.56, kit.uniform(0.44, 0.48)
    white = kit.ceramic()
    rim = 0.86
    if style == 1:
        kit.mesh(
            "pedestal",
            "oval",
            _flat(0.9, [(0.001, 0), (0.12, 0), (0.085, 0.15), (0.08, 0.5), (0.12, rim - 0.14)]),
            (0, 0.04, 0),
            white,
        )
        basin_z = rim - 0.17
    else:
        low = 0.12 if style == 0 else 0.38
        wood = kit.wood()
        kit.box("cabinet", (width, depth - 0.02, rim - 0.13 - low), (0, 0.01, low), wood)
        if style == 0:
            kit.box("plinth", (width - 0.06, depth - 0.1, low), (0, 0.02, 0), kit.wood(kit.palette.wood_dark))
            doors(kit, width, rim - 0.15 - low, 2, (0, -depth / 2, low), kit.lacquer(), inset=True, handle="knob")
        else:
            kit.box(
                "drawer",
                (width - 0.01, 0.018, rim - 0.16 - low),
                (0, -depth / 2 - 0.006, low + 0.015),
                kit.lacquer(),
                collide=False,
            )
            bar_handle(kit, 0.3, (0, -depth / 2 - 0.015, rim - 0.24))
        kit.box(
            "top",
            (width + 0.02, depth, 0.03),
            (0, 0, rim - 0.13),
            kit.mat("stone", (0.88, 0.87, 0.85), 0.4, specular=0.4),
        )
        basin_z = rim - 0.1
    r, wide = (0.2, 1.0) if style != 1 else (0.27, 0.8)
    height = rim - basin_z
    profile = [
        (0.001, 0),
        (0.6 * r, 0),
        (0.95 * r, 0.7 * height),
        (r, height),
        (r - 0.012, height),
        (0.8 * r, 0.45 * height),
        (0.3 * r, 0.16 * height),
        (0.001, 0.15 * height),
    ]
    kit.mesh("basin", "oval", _flat(wide, profile), (0, -0.02, basin_z), white)
    kit.rod("drain", 0.02, 0.004, (0, -0.02, basin_z + 0.17 * height), kit.metal(), collide=False)
    tap(
        kit,
        (0, depth / 2 - 0.07 if style != 1 else 0.15, basin_z if style != 1 else rim - 0.01),
        0.27 if style != 1 else 0.17,
        0.15,
    )
    kit.core((width if style != 1 else 0.5, depth - 0.02, rim - 0.02), (0, 0, 0))
    soap = kit.mat("flat", kit.palette.accent, specular=0.3)
    kit.lathe(
        "soap",
        [(0.001, 0), (0.03, 0), (0.03, 0.09), (0.012, 0.1), (0.01, 0.13), (0.001, 0.13)],
        (width / 2 - 0.08 if style != 1 else 0.2, 0.12, rim - 0.1 if style != 1 else rim - 0.02),
        soap,
    )


def bathtub(kit: Kit, style: int) -> None:
    """Built-in with an apron, free-standing oval, panelled wood. Water inside."""
    length, width, rim = kit.uniform(1.62, 1.72), kit.uniform(0.73, 0.78), kit.uniform(0.56, 0.6)
    white = kit.ceramic()
    water = kit.mat("flat", _WATER, specular=0.7, shininess=0.9)
    r = length / 2
    stretch = width / length
    if style == 1:
        profile = [
            (0.001, 0),
            (0.78 * r, 0.0),
            (0.86 * r, 0.1),
            (0.95 * r, 0.4),
            (r, rim),
            (r - 0.03, rim),
            (0.88 * r, 0.35),
            (0.74 * r, 0.14),
            (0.001, 0.13),
        ]
        kit.mesh("tub", "oval", _flat(stretch, profile), (0, 0, 0), white)
        kit.mesh("water", "oval", _flat(stretch, [(0.87 * r, 0.34), (0.001, 0.34)]), (0, 0, 0), water)
    else:
        apron = kit.mat("panels", kit.palette.lacquer, 1.2) if style == 2 else white
        for side in (-1, 1):
            kit.box("apron", (length, 0.05, rim - 0.03), (0, side * (width / 2 - 0.03), 0), apron, collide=False)
            kit.box("end", (0.05, width - 0.06, rim - 0.03), (side * (length / 2 - 0.03), 0, 0), apron, collide=False)
            kit.soft(
                "rim", (length, 0.085, 0.04), (0, side * (width / 2 - 0.0425), rim - 0.04), white, 0.018, collide=False
            )
            kit.soft(
                "rim_end",
                (0.11, width - 0.1, 0.04),
                (side * (length / 2 - 0.055), 0, rim - 0.04),
                white,
                0.018,
                collide=False,
            )
        kit.box("floor", (length - 0.1, width - 0.1, 0.1), (0, 0, 0.05), white, collide=False)
        kit.box("water", (length - 0.11, width - 0.11, 0.02), (0, 0, 0.43), water, collide=False)
    tap(kit, (length / 2 - 0.09, 0.0, rim - 0.02), 0.2, 0.12) if style != 1 else _floor_tap(kit, r, rim)
    kit.core((length - 0.04, width - 0.03, rim), (0, 0, 0))
    towel = kit.cloth(kit.palette.accent, "striped_cloth", 0.4)
    kit.soft("towel", (0.34, 0.06, 0.36), (-length / 4, -width / 2 - 0.002, rim - 0.34), towel, 0.02, collide=False)


def _floor_tap(kit: Kit, r: float, rim: float) -> None:
    metal = kit.metal((0.75, 0.76, 0.78))
    x, y = 0.62 * r, 0.34
    kit.tube(
        "floor_tap",
        0.014,
        [(x, y, 0), (x, y, rim + 0.3), (x - 0.02, y - 0.04, rim + 0.34), (x - 0.05, y - 0.14, rim + 0.3)],
        metal,
    )


def shower(kit: Kit, style: int) -> None:
    """Corner cubicle with two glass walls, the open side at the front."""
    size = kit.uniform(0.87, 0.93)
    white, chrome = kit.ceramic(), kit.metal((0.76, 0.77, 0.79))
    tile = kit.mat(
        "metro_tiles" if style else "small_tiles", mix(kit.palette.second_accent, (1, 1, 1), 0.6), 0.9, specular=0.3
    )
    glass = kit.mat("flat", (0.80, 0.92, 0.93), alpha=0.28, specular=0.9, shininess=0.9)
    kit.soft("tray", (size, size, 0.06), (0, 0, 0), white, 0.02)
    kit.rod("drain", 0.045, 0.004, (0, 0, 0.06), chrome, collide=False)
    kit.box("back", (size, 0.03, 2.05), (0, size / 2 - 0.015, 0), tile)
    kit.box("side", (0.03, size - 0.03, 2.05), (size / 2 - 0.015, -0.015, 0), tile)
    kit.box("glass", (0.012, size - 0.06, 1.95), (-size / 2 + 0.012, 0, 0.06), glass)
    kit.box("screen", (size * 0.42, 0.012, 1.95), (-size * 0.27, -size / 2 + 0.012, 0.06), glass)
    for x, y in ((-size / 2 + 0.012, -size / 2 + 0.012), (-size * 0.06, -size / 2 + 0.012)):
        kit.box("post", (0.024, 0.024, 1.99), (x, y, 0.06), chrome, collide=False)
    kit.box("rail", (0.024, size, 0.024), (-size / 2 + 0.012, 0, 2.03), chrome, collide=False)
    y = size / 2 - 0.06
    kit.tube(
        "pipe",
        0.012,
        [(0, y, 1.0), (0, y, 1.98), (0, y - 0.03, 2.04), (0, y - 0.12, 2.06), (0, y - 0.25, 2.05)],
        chrome,
    )
    kit.lathe("rose", [(0.001, 0), (0.11, 0), (0.11, 0.012), (0.02, 0.025), (0.015, 0.05)], (0, y - 0.25, 2.0), chrome)
    kit.box("mixer", (0.26, 0.05, 0.05), (0, y + 0.01, 0.98), chrome, collide=False)
    kit.box("shelf", (0.2, 0.1, 0.012), (0.28, y, 1.25), chrome, collide=False)
    kit.rod("bottle", 0.028, 0.18, (0.25, y, 1.262), kit.mat("flat", kit.palette.accent), collide=False)


def washing_machine(kit: Kit, style: int) -> None:
    """Front loader in white, steel or with a wooden worktop."""
    white = kit.ceramic() if style != 1 else kit.metal((0.66, 0.67, 0.69))
    dark = kit.mat("flat", (0.12, 0.13, 0.15), specular=0.8, shininess=0.9)
    kit.soft("body", (0.6, 0.58, 0.83), (0, 0.01, 0.015), white, 0.012)
    kit.box("foot", (0.5, 0.48, 0.015), (0, 0.01, 0), kit.mat("flat", (0.1, 0.1, 0.1)), collide=False)
    ring = [(0.13, 0.0), (0.19, 0.0), (0.195, 0.02), (0.175, 0.035), (0.15, 0.03), (0.13, 0.01)]
    front = -0.28
    face = turn("x", math.pi / 2)
    kit.mesh(
        "ring", "lathe", [v for p in ring for v in p], (0, front, 0.43), kit.metal((0.72, 0.73, 0.75)), rotation=face
    )
    kit.mesh(
        "door", "lathe", (0.15, 0.0, 0.145, 0.025, 0.08, 0.045, 0.001, 0.05), (0, front, 0.43), dark, rotation=face
    )
    kit.box("panel", (0.58, 0.012, 0.1), (0, front - 0.004, 0.735), kit.mat("flat", (0.88, 0.88, 0.89)), collide=False)
    kit.box("drawer", (0.17, 0.012, 0.08), (-0.19, front - 0.01, 0.745), white, collide=False)
    kit.mesh(
        "dial", "lathe", (0.034, 0.0, 0.032, 0.025, 0.001, 0.026), (0.05, front - 0.008, 0.785), white, rotation=face
    )
    kit.box("display", (0.12, 0.008, 0.045), (0.19, front - 0.01, 0.762), dark, collide=False)
    kit.box("flap", (0.14, 0.01, 0.07), (0.2, front - 0.004, 0.05), white, collide=False)
    kit.support_height_m = 0.845
    if style == 2:
        kit.box("worktop", (0.6, 0.6, 0.025), (0, 0, 0.845), kit.wood())
        kit.support_height_m = 0.87


def laundry_basket(kit: Kit, style: int) -> None:
    """Wicker with lid, cloth on a frame, slatted plastic."""
    width, depth, height = kit.uniform(0.41, 0.47), kit.uniform(0.37, 0.42), kit.uniform(0.52, 0.58)
    if style == 0:
        cane = kit.mat("wicker", shade(kit.palette.wood, 1.1), 0.35)
        kit.mesh(
            "basket",
            "oval",
            _flat(depth / width, [(0.001, 0), (0.8 * width / 2, 0), (width / 2, height - 0.06)]),
            (0, 0, 0),
            cane,
        )
        kit.mesh(
            "lid",
            "oval",
            _flat(depth / width, [(0.5 * width, 0), (0.51 * width, 0.03), (0.42 * width, 0.05), (0.001, 0.06)]),
            (0, 0, height - 0.06),
            cane,
        )
        kit.mesh(
            "rim",
            "oval",
            _flat(depth / width, [(0.48 * width, 0), (0.515 * width, 0), (0.515 * width, 0.02), (0.48 * width, 0.02)]),
            (0, 0, height - 0.075),
            kit.wood(kit.palette.wood_dark),
        )
    elif style == 1:
        bag = kit.cloth(kit.palette.linen, "linen", 0.4)
        kit.soft("bag", (width - 0.05, depth - 0.05, height - 0.08), (0, 0, 0.05), bag, 0.05, collide=False)
        for x in (-1, 1):
            for y in (-1, 1):
                kit.rod(
                    "post",
                    0.012,
                    height,
                    (x * (width / 2 - 0.014), y * (depth / 2 - 0.014), 0),
                    kit.wood(),
                    collide=False,
                )
        kit.soft(
            "linen",
            (width - 0.1, depth - 0.1, 0.09),
            (0, 0, height - 0.06),
            kit.cloth(kit.palette.accent, "linen", 0.3),
            0.04,
            collide=False,
        )
    else:
        shell = kit.mat("louvre", kit.palette.second_accent, 0.6, specular=0.3)
        kit.soft("shell", (width, depth, height - 0.05), (0, 0, 0), shell, 0.04, collide=False)
        kit.soft(
            "linen",
            (width - 0.06, depth - 0.06, 0.12),
            (0, 0, height - 0.12),
            kit.cloth(kit.palette.linen, "knit", 0.3),
            0.05,
            collide=False,
        )
        kit.soft(
            "sock",
            (0.16, 0.1, 0.06),
            (0.06, -0.04, height - 0.03),
            kit.cloth(kit.palette.accent, "knit", 0.2),
            0.025,
            collide=False,
        )
    kit.parts.reverse()
    kit.box("basket_core", (width * 0.82, depth * 0.82, height), (0, 0, 0), kit.parts[0].material, visible=False)
    kit.add("band", "box", (width * 0.3, 0.008, 0.012), (0, -depth * 0.46, height * 0.72), kit.wood(), collide=False)


def bin_(kit: Kit, style: int) -> None:
    """Pedal bin, paper basket, swing-top."""
    radius = kit.uniform(0.125, 0.145)
    height = (0.42, 0.32, 0.56)[style]
    body = (
        kit.metal((0.6, 0.61, 0.63))
        if style == 0
        else kit.mat("wicker" if style == 1 else "flat", shade(kit.palette.second_accent, 0.9), 0.25)
    )
    dark = kit.mat("flat", (0.14, 0.14, 0.15), specular=0.3)
    kit.lathe("foot", [(0.001, 0), (radius, 0), (radius, 0.02), (0.001, 0.02)], (0, 0, 0), dark)
    top = radius if style != 1 else radius * 1.1
    if style == 1:
        kit.lathe(
            "body",
            [(radius * 0.86, 0.02), (top, height), (top - 0.006, height), (radius * 0.8, 0.04), (0.001, 0.04)],
            (0, 0, 0),
            body,
        )
        for x, y, r in ((0.02, 0.03, 0.05), (-0.04, -0.02, 0.045)):
            kit.add(
                "paper",
                "sphere",
                (r,),
                (x, y, height - 0.06),
                kit.mat("plaster", (0.93, 0.93, 0.91), 0.1),
                collide=False,
            )
    else:
        kit.lathe("body", [(radius - 0.004, 0.02), (radius - 0.004, height - 0.06)], (0, 0, 0), body)
        kit.lathe(
            "lid",
            [(radius, 0), (radius, 0.02), (radius * 0.7, 0.055), (0.001, 0.06)],
            (0, 0, height - 0.06),
            dark if style == 0 else kit.lacquer(),
        )
        kit.box("pedal", (0.06, 0.05, 0.012), (0, -radius - 0.015, 0.012), dark, collide=False)
    side = radius * 1.5
    kit.box("body_core", (side, side, height), (0, 0, 0), dark, visible=False)
