"""Lamps, rugs, pictures, mirrors, curtains, radiators, clocks."""

from __future__ import annotations

import math

from bodyloop.scenes.furniture.fittings import framed
from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import mix, shade

__all__ = ["ceiling_lamp", "clock", "curtain", "floor_lamp", "mirror", "picture", "radiator", "rug", "table_lamp"]

_GLOW = (1.0, 0.93, 0.78)


def _lampshade(kit: Kit, bottom: float, top: float, height: float, z: float) -> None:
    """A lit shade: outside, inside and the bulb."""
    rgb = mix(kit.palette.linen, kit.palette.accent, 0.12 if kit.rng.random() < 0.6 else 0.65)
    cloth = kit.mat("linen", rgb, 0.3, emission=0.35, specular=0.0)
    wall = 0.004
    profile = [(bottom, 0), (top, height), (top - wall, height), (bottom - wall, 0)]
    kit.lathe("shade", profile, (0, 0, z), cloth)
    trim = kit.cloth(shade(rgb, 0.8), "linen")
    kit.lathe("trim", [(bottom + 0.001, 0), (bottom + 0.001, 0.012)], (0, 0, z), trim)
    kit.add("bulb", "sphere", (0.035,), (0, 0, z + height * 0.45), kit.mat("flat", _GLOW, emission=1.0), collide=False)


def floor_lamp(kit: Kit, style: int) -> None:
    """Straight pole, tripod, arc, paper column."""
    height = kit.uniform(1.5, 1.68)
    metal = kit.metal(shade(kit.palette.metal, 0.35) if style != 2 else (0.72, 0.58, 0.35))
    if style == 1:
        wood = kit.wood()
        for index in range(3):
            angle = math.pi / 2 + index * 2 * math.pi / 3
            foot = (0.24 * math.cos(angle), 0.24 * math.sin(angle), 0.003)
            kit.tube(
                f"leg{index}", 0.014, [foot, (0.02 * math.cos(angle), 0.02 * math.sin(angle), height - 0.28)], wood
            )
        kit.rod("hub", 0.035, 0.05, (0, 0, height - 0.33), metal, collide=False)
        kit.rod("core", 0.1, height - 0.3, (0, 0, 0), metal, visible=False)
        _lampshade(kit, 0.21, 0.17, 0.28, height - 0.28)
        return
    if style == 3:
        paper = kit.mat("linen", (0.97, 0.93, 0.84), 0.4, emission=0.45, specular=0.0)
        rings = 9
        profile = [(0.001, 0.06)]
        for index in range(rings):
            z = 0.06 + (height - 0.1) * index / (rings - 1)
            profile += [(0.125, z), (0.14, z + (height - 0.1) / (rings - 1) / 2)] if index < rings - 1 else [(0.125, z)]
        kit.lathe("column", [*profile, (0.001, height - 0.04)], (0, 0, 0), paper)
        kit.lathe(
            "foot", [(0.001, 0), (0.18, 0), (0.18, 0.03), (0.001, 0.03)], (0, 0, 0), kit.wood(kit.palette.wood_dark)
        )
        kit.lathe(
            "cap", [(0.13, 0), (0.13, 0.03), (0.001, 0.03)], (0, 0, height - 0.04), kit.wood(kit.palette.wood_dark)
        )
        kit.rod("core", 0.14, height, (0, 0, 0), paper, visible=False)
        kit.lathe("band", [(0.135, 0), (0.135, 0.02)], (0, 0, 0.05), kit.wood(kit.palette.wood_dark))
        return
    kit.lathe("foot", [(0.001, 0), (0.15, 0), (0.15, 0.015), (0.03, 0.035), (0.001, 0.035)], (0, 0, 0), metal)
    kit.rod("foot_core", 0.15, 0.03, (0, 0, 0), metal, visible=False)
    if style == 2:
        kit.tube(
            "arm",
            0.012,
            [
                (0.0, 0.0, 0.03),
                (0.0, 0.0, 0.8),
                (0.0, -0.005, 1.2),
                (0.0, -0.06, height - 0.05),
                (0, -0.16, height + 0.02),
                (0, -0.26, height - 0.02),
                (0, -0.3, height - 0.1),
            ],
            metal,
        )
        kit.rod("core", 0.03, 1.3, (0, 0, 0), metal, visible=False)
        kit.lathe(
            "dome",
            [(0.13, 0), (0.12, 0.06), (0.07, 0.12), (0.02, 0.14), (0.001, 0.14)],
            (0, -0.3, height - 0.22),
            metal,
        )
        kit.lathe(
            "dome_in",
            [(0.001, 0.12), (0.06, 0.11), (0.11, 0.06), (0.128, 0)],
            (0, -0.3, height - 0.22),
            kit.mat("flat", _GLOW, emission=0.7),
        )
        kit.add(
            "bulb", "sphere", (0.04,), (0, -0.3, height - 0.18), kit.mat("flat", _GLOW, emission=1.0), collide=False
        )
        return
    kit.rod("pole", 0.011, height - 0.15, (0, 0, 0.03), metal, collide=False)
    kit.rod("core", 0.035, height - 0.3, (0, 0, 0), metal, visible=False)
    _lampshade(kit, 0.2, 0.14, 0.26, height - 0.26)


def table_lamp(kit: Kit, style: int) -> None:
    """Ceramic body, wooden cone, metal stem, glass globe."""
    height = kit.uniform(0.42, 0.52)
    clay = kit.ceramic(kit.palette.pot if style == 0 else kit.palette.second_accent)
    if style == 3:
        kit.lathe(
            "foot",
            [(0.001, 0), (0.08, 0), (0.08, 0.015), (0.02, 0.03), (0.015, 0.2)],
            (0, 0, 0),
            kit.metal((0.72, 0.58, 0.35)),
        )
        kit.add(
            "globe", "sphere", (0.11,), (0, 0, 0.29), kit.mat("flat", (1.0, 0.96, 0.88), emission=0.75), collide=False
        )
        kit.lathe("collar", [(0.04, 0), (0.045, 0.03)], (0, 0, 0.18), kit.metal((0.72, 0.58, 0.35)))
        kit.lathe("finial", [(0.02, 0), (0.001, 0.02)], (0, 0, 0.395), kit.metal((0.72, 0.58, 0.35)))
    else:
        stem = height - 0.2
        if style == 0:
            profile = [
                (0.001, 0),
                (0.06, 0),
                (0.065, 0.01),
                (0.095, 0.4 * stem),
                (0.07, 0.75 * stem),
                (0.025, 0.9 * stem),
                (0.012, stem),
            ]
            kit.lathe("body", profile, (0, 0, 0), clay)
        elif style == 1:
            kit.lathe("body", [(0.001, 0), (0.075, 0), (0.02, 0.9 * stem), (0.012, stem)], (0, 0, 0), kit.wood())
        else:
            kit.lathe(
                "body", [(0.001, 0), (0.085, 0), (0.085, 0.014), (0.014, 0.02), (0.01, stem)], (0, 0, 0), kit.metal()
            )
        kit.lathe(
            "foot", [(0.001, 0), (0.068, 0), (0.068, 0.008), (0.001, 0.008)], (0, 0, 0), kit.wood(kit.palette.wood_dark)
        )
        _lampshade(kit, 0.15, 0.11, 0.19, height - 0.2)
    kit.box("body_core", (0.12, 0.12, height - 0.08), (0, 0, 0), clay, visible=False)


def ceiling_lamp(kit: Kit, style: int) -> None:
    """Hangs from a 2.6 m ceiling: shade, globe, disc, cluster. Nothing touches it."""
    top = 2.6
    metal = kit.metal(shade(kit.palette.metal, 0.4))
    kit.lathe("rose", [(0.05, 0), (0.06, 0.02), (0.06, 0.03)], (0, 0, top - 0.03), metal)
    kit.box("cover", (0.05, 0.05, 0.01), (0, 0, top - 0.01), metal, collide=False)
    glow = kit.mat("flat", _GLOW, emission=0.9)
    if style == 2:
        kit.lathe("disc", [(0.001, 0), (0.2, 0.0), (0.23, 0.03), (0.23, 0.06), (0.001, 0.06)], (0, 0, top - 0.09), glow)
        kit.lathe("ring", [(0.225, 0), (0.245, 0), (0.245, 0.05), (0.225, 0.05)], (0, 0, top - 0.075), metal)
        return
    drop = (0.3, 0.34, 0, 0.3)[style]
    kit.rod("cord", 0.005, drop, (0, 0, top - drop), kit.mat("flat", (0.1, 0.1, 0.1)), collide=False)
    if style == 0:
        _lampshade(kit, 0.24, 0.18, 0.22, top - drop - 0.16)
    elif style == 1:
        kit.add(
            "globe",
            "sphere",
            (0.16,),
            (0, 0, top - drop - 0.08),
            kit.mat("flat", (1.0, 0.96, 0.88), emission=0.7),
            collide=False,
        )
        kit.lathe("collar", [(0.05, 0), (0.04, 0.04)], (0, 0, top - drop + 0.05), metal)
    else:
        for index in range(3):
            angle = index * 2 * math.pi / 3
            x, y = 0.16 * math.cos(angle), 0.16 * math.sin(angle)
            kit.tube(
                "arm",
                0.007,
                [(0, 0, top - drop), (0.6 * x, 0.6 * y, top - drop + 0.01), (x, y, top - drop - 0.03)],
                metal,
            )
            kit.add("bulb", "ellipsoid", (0.055, 0.055, 0.07), (x, y, top - drop - 0.09), glow, collide=False)


def rug(kit: Kit, style: int) -> None:
    """Thin, walked over without touching; comes to measure."""
    drawn = kit.uniform(1.6, 2.6), kit.uniform(1.1, 1.8)
    width, depth = kit.size or drawn
    colour = (kit.palette.accent, kit.palette.second_accent, kit.palette.fabric)[int(kit.rng.integers(3))]
    pile = kit.mat("rug", colour, 1.0, seed=style, specular=0.0, shininess=0.0)
    edge = kit.cloth(shade(colour, 0.7), "fabric", 0.2)
    thick = 0.01
    kit.box("base", (width, depth, thick - 0.001), (0, 0, 0), edge, collide=False)
    kit.mesh("pile", "sheet", (width / 2 - 0.004, depth / 2 - 0.004), (0, 0, thick), pile)
    fringe = kit.mat("linen", (0.9, 0.86, 0.76), 0.1, specular=0.0)
    for side in (-1, 1):
        kit.box("fringe", (0.05, depth - 0.02, 0.004), (side * (width / 2 + 0.02), 0, 0), fringe, collide=False)


def picture(kit: Kit, style: int) -> None:
    """A framed painting with a mount; comes to measure."""
    landscape = style in (0, 4, 5)
    long, short = kit.uniform(0.6, 1.0), kit.uniform(0.45, 0.6)
    width, tall = (long, short) if landscape else (short, long * 0.85)
    if kit.size:
        width, tall = kit.size
    middle = 1.55
    frame = (
        kit.wood()
        if kit.rng.random() < 0.5
        else kit.lacquer((0.12, 0.12, 0.12) if kit.rng.random() < 0.5 else (0.94, 0.94, 0.92))
    )
    framed(kit, "frame", width, tall, (0, 0.0, middle), frame, 0.025, 0.03)
    kit.box(
        "mount",
        (width - 0.02, 0.012, tall - 0.02),
        (0, -0.006, middle - tall / 2 + 0.01),
        kit.mat("linen", (0.96, 0.95, 0.92), 0.5),
        collide=False,
    )
    border = 0.06 if min(width, tall) > 0.4 else 0.03
    art = kit.mat(
        "painting",
        (kit.palette.accent, kit.palette.second_accent, kit.palette.fabric)[int(kit.rng.integers(3))],
        1.0,
        seed=style,
        specular=0.05,
    )
    kit.mesh("art", "panel", (width / 2 - border, tall / 2 - border), (0, -0.014, middle), art)


def mirror(kit: Kit, style: int) -> None:
    """Rectangular in wood, round in metal, tall."""
    glass = kit.mat("mirror", (0.86, 0.91, 0.94), 1.0, seed=style, specular=0.9, shininess=0.9)
    if style == 1:
        r = kit.uniform(0.28, 0.36)
        face = turn("x", math.pi / 2)
        ring = (r - 0.012, 0.0, r, 0.0, r, 0.03, r - 0.018, 0.03, r - 0.018, 0.012)
        kit.mesh("frame", "lathe", ring, (0, 0, 1.5), kit.metal((0.72, 0.58, 0.35)), rotation=face)
        disc = [
            value
            for k in range(24)
            for value in ((r - 0.015) * math.cos(k * math.pi / 12), (r - 0.015) * math.sin(k * math.pi / 12))
        ]
        pane = kit.mat("mirror", (0.86, 0.91, 0.94), 2.2 * r, specular=0.9)
        kit.mesh("glass", "prism", [0.002, *disc], (0, -0.014, 1.5), pane, rotation=face)
        kit.box(
            "strap",
            (0.03, 0.008, 0.16),
            (0, -0.004, 1.5 + r - 0.02),
            kit.mat("leather", kit.palette.wood_dark, 0.3),
            collide=False,
        )
        kit.add("peg", "sphere", (0.018,), (0, -0.015, 1.5 + r + 0.13), kit.metal((0.72, 0.58, 0.35)), collide=False)
        return
    width, tall = (kit.uniform(0.6, 0.85), 0.7) if style == 0 else (kit.uniform(0.5, 0.6), 1.3)
    middle = 1.5 if style == 0 else 1.15
    framed(kit, "frame", width, tall, (0, 0, middle), kit.wood(), 0.035, 0.03)
    kit.mesh("glass", "panel", (width / 2 - 0.03, tall / 2 - 0.03), (0, -0.012, middle), glass)


def curtain(kit: Kit, style: int) -> None:
    """Two drawn-back drapes on a rod; ``size`` gives the width of the window."""
    drawn = kit.uniform(1.4, 2.2), 0.12
    window, _ = kit.size or drawn
    width = window + 0.5
    top, bottom = 2.35, 0.06 if style != 1 else 0.75
    rgb = (kit.palette.linen, kit.palette.fabric, kit.palette.accent)[style]
    cloth = kit.mat("linen" if style != 2 else "velvet", mix(rgb, (1, 1, 1), 0.15), 0.5, specular=0.0)
    metal = kit.metal(shade(kit.palette.metal, 0.4))
    kit.add("rod", "capsule", (0.012, width / 2), (0, 0, top), metal, rotation=turn("y", math.pi / 2), collide=False)
    for side in (-1, 1):
        kit.add("finial", "sphere", (0.025,), (side * (width / 2 + 0.02), 0, top), metal, collide=False)
        wide = 0.34
        tall = (top - bottom) / 2
        kit.mesh("drape", "drape", (wide / 2, tall, 0.1, 5), (side * (width / 2 - wide / 2), 0, bottom + tall), cloth)
        tie = kit.cloth(shade(rgb, 0.75), "linen")
        kit.soft(
            "tie",
            (wide * 0.9, 0.11, 0.05),
            (side * (width / 2 - wide / 2 + 0.005), 0, 1.05 if style != 1 else 1.2),
            tie,
            0.02,
            collide=False,
        )


def radiator(kit: Kit, style: int) -> None:
    """Panel with fins, or a column radiator; on the wall."""
    width = kit.uniform(0.75, 1.1)
    white = kit.lacquer((0.95, 0.95, 0.94))
    low, tall = 0.12, 0.56
    if style == 0:
        for y in (-0.03, 0.025):
            kit.soft("panel", (width, 0.022, tall), (0, y, low), white, 0.008, collide=False)
        for index in range(round(width / 0.055)):
            x = -width / 2 + 0.03 + index * 0.055
            kit.box("rib", (0.018, 0.008, tall - 0.06), (x, -0.044, low + 0.03), white, collide=False)
        kit.box("grille", (width - 0.02, 0.07, 0.008), (0, 0, low + tall), white, collide=False)
    else:
        for index in range(round(width / 0.06)):
            x = -width / 2 + 0.03 + index * 0.06
            for y in (-0.03, 0.03):
                kit.add("column", "capsule", (0.018, tall / 2 - 0.018), (x, y, low + tall / 2), white, collide=False)
        for z in (low + 0.03, low + tall - 0.03):
            kit.add(
                "header",
                "capsule",
                (0.022, width / 2 - 0.03),
                (0, 0, z),
                white,
                rotation=turn("y", math.pi / 2),
                collide=False,
            )
    kit.core((width, 0.09, tall), (0, 0, low))
    kit.rod("valve", 0.018, 0.06, (width / 2 + 0.03, 0, low + 0.03), kit.metal(), collide=False)
    kit.rod("pipe", 0.009, low + 0.04, (width / 2 + 0.03, 0, 0), kit.metal(), collide=False)
    kit.box("bracket", (width * 0.6, 0.02, 0.04), (0, 0.05, low + tall * 0.7), white, collide=False)


def clock(kit: Kit, style: int) -> None:
    """Round wall clock: thin metal, wood, coloured rim."""
    r = kit.uniform(0.15, 0.17)
    rim = (kit.metal(shade(kit.palette.metal, 0.3)), kit.wood(), kit.lacquer(kit.palette.accent))[style]
    z = 1.85
    face = turn("x", math.pi / 2)
    kit.mesh(
        "rim",
        "lathe",
        (r - 0.02, 0.0, r, 0.0, r, 0.04, r - 0.016, 0.045, r - 0.02, 0.02),
        (0, 0, z),
        rim,
        rotation=face,
    )
    kit.mesh("back", "lathe", (r, 0.001, r - 0.01, 0.012, 0.001, 0.012), (0, 0, z), rim, rotation=face)
    dial = kit.mat("clock", kit.palette.accent, 1.0, specular=0.05)
    half = (r - 0.016) * 0.98
    kit.mesh(
        "plate", "lathe", (half, 0.013, 0.001, 0.0135), (0, 0, z), kit.mat("flat", (0.96, 0.95, 0.92)), rotation=face
    )
    kit.mesh("dial", "panel", (half * 0.71, half * 0.71), (0, -0.0155, z), dial)
