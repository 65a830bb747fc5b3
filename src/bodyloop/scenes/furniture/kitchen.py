"""Kitchen: cabinets with worktops, sink, stove, fridge, island."""

from __future__ import annotations

from bodyloop.scenes.furniture.fittings import bar_handle, doors, tap
from bodyloop.scenes.furniture.kit import Kit, turn
from bodyloop.scenes.furniture.palette import shade

__all__ = ["fridge", "kitchen_counter", "kitchen_island", "sink_cabinet", "stove"]

_TOP_M = 0.9


def _fronts(kit: Kit, style: int) -> str:
    """Material of the cabinet doors, the same for one palette and style."""
    if style % 3 == 1:
        return kit.mat("wood", kit.palette.wood, 0.9, seed=1, specular=0.18)
    return kit.lacquer(kit.palette.lacquer if style % 3 == 0 else kit.palette.second_accent)


def _worktop(kit: Kit, style: int) -> str:
    if style % 3 == 2:
        return kit.mat("wood", kit.palette.wood, 0.9, seed=2, specular=0.25)
    rgb = (0.88, 0.87, 0.85) if style % 3 == 0 else (0.34, 0.34, 0.36)
    return kit.mat("stone", rgb, 0.4, seed=1, specular=0.5, shininess=0.6)


def _base(kit: Kit, width: float, depth: float, style: int, *, worktop: bool = True) -> None:
    kit.box(
        "plinth",
        (width, depth - 0.1, 0.09),
        (0, 0.04, 0),
        kit.mat("flat", shade(kit.palette.wood_dark, 0.6)),
        collide=False,
    )
    kit.box(
        "body", (width, depth - 0.05, _TOP_M - 0.13), (0, 0.02, 0.09), kit.lacquer((0.88, 0.88, 0.86)), collide=False
    )
    if worktop:
        kit.box("worktop", (width, depth, 0.04), (0, 0, _TOP_M - 0.04), _worktop(kit, style), collide=False)
    kit.core((width, depth - 0.02, _TOP_M), (0, 0.01, 0))
    kit.support_height_m = _TOP_M


def kitchen_counter(kit: Kit, style: int) -> None:
    """Base cabinets, from style 2 on with wall cabinets above; comes to measure."""
    drawn = kit.uniform(1.2, 2.4), 0.62
    width, depth = kit.size or drawn
    _base(kit, width, depth, style)
    front = _fronts(kit, style)
    count = max(2, round(width / 0.55))
    face = -depth / 2 + 0.045
    each = width / count
    for index in range(count):
        x = -width / 2 + (index + 0.5) * each
        if index == 0:
            for row in range(3):
                z, tall = 0.1 + (0.0, 0.3, 0.56)[row], (0.29, 0.25, 0.19)[row]
                kit.box("drawer", (each - 0.006, 0.018, tall), (x, face - 0.009, z), front, collide=False)
                bar_handle(kit, 0.16, (x, face - 0.018, z + tall - 0.06))
        else:
            kit.box("drawer", (each - 0.006, 0.018, 0.15), (x, face - 0.009, 0.7), front, collide=False)
            bar_handle(kit, 0.16, (x, face - 0.018, 0.775))
            doors(kit, each, 0.59, 1, (x, face, 0.1), front, handle="bar")
    kit.box(
        "splash",
        (width, 0.012, 0.5),
        (0, depth / 2 - 0.006, _TOP_M),
        kit.mat("metro_tiles", (0.93, 0.93, 0.91), 0.9, specular=0.4),
        collide=False,
    )
    _on_top(kit, width, depth)
    if style >= 2:
        kit.box("wall_body", (width, 0.33, 0.7), (0, depth / 2 - 0.165, 1.45), kit.lacquer((0.88, 0.88, 0.86)))
        doors(kit, width, 0.7, count, (0, depth / 2 - 0.33, 1.45), front, handle="knob")
        kit.box(
            "light",
            (width * 0.8, 0.03, 0.012),
            (0, depth / 2 - 0.2, 1.437),
            kit.mat("flat", (1.0, 0.95, 0.82), emission=0.8),
            collide=False,
        )


def _on_top(kit: Kit, width: float, depth: float) -> None:
    board = kit.mat("wood", shade(kit.palette.wood, 1.1), 0.5)
    y = depth / 2 - 0.1
    kit.box(
        "board",
        (0.3, 0.02, 0.22),
        (-width / 2 + 0.25, depth / 2 - 0.04, _TOP_M),
        board,
        collide=False,
        rotation=turn("x", -0.12),
    )
    for index, rgb in enumerate((kit.palette.accent, kit.palette.linen, kit.palette.pot)):
        radius, tall = 0.045 + 0.006 * index, 0.11 + 0.03 * index
        kit.lathe(
            "jar",
            [(0.001, 0), (radius, 0), (radius, tall), (0.001, tall)],
            (width / 2 - 0.15 - 0.13 * index, y, _TOP_M),
            kit.ceramic(rgb),
        )
        kit.lathe(
            "jar_lid",
            [(radius, 0), (radius, 0.012), (0.012, 0.02), (0.012, 0.035), (0.001, 0.035)],
            (width / 2 - 0.15 - 0.13 * index, y, _TOP_M + tall),
            board,
        )


def sink_cabinet(kit: Kit, style: int) -> None:
    """Cabinet with a steel or ceramic sink and a tall tap."""
    width, depth = kit.uniform(0.85, 1.15), 0.62
    _base(kit, width, depth, style, worktop=False)
    doors(kit, width, 0.74, 2, (0, -depth / 2 + 0.045, 0.1), _fronts(kit, style), handle="bar")
    stone = _worktop(kit, style)
    bowl_w, bowl_d = 0.46, 0.38
    side = (width - bowl_w) / 2
    for s in (-1, 1):
        kit.box("worktop", (side, depth, 0.04), (s * (bowl_w + side) / 2, 0, _TOP_M - 0.04), stone, collide=False)
    kit.box(
        "worktop_front",
        (bowl_w, (depth - bowl_d) / 2, 0.04),
        (0, -(depth + bowl_d) / 4, _TOP_M - 0.04),
        stone,
        collide=False,
    )
    kit.box(
        "worktop_back",
        (bowl_w, (depth - bowl_d) / 2, 0.04),
        (0, (depth + bowl_d) / 4, _TOP_M - 0.04),
        stone,
        collide=False,
    )
    steel = kit.metal((0.7, 0.71, 0.73)) if style != 2 else kit.ceramic()
    kit.box("bowl", (bowl_w, bowl_d, 0.01), (0, 0, _TOP_M - 0.16), steel, collide=False)
    for s in (-1, 1):
        kit.box("bowl_side", (0.008, bowl_d, 0.16), (s * bowl_w / 2, 0, _TOP_M - 0.155), steel, collide=False)
        kit.box("bowl_end", (bowl_w, 0.008, 0.16), (0, s * bowl_d / 2, _TOP_M - 0.155), steel, collide=False)
    tap(kit, (0, bowl_d / 2 + 0.05, _TOP_M), 0.32, 0.2)
    kit.box(
        "splash",
        (width, 0.012, 0.3),
        (0, depth / 2 - 0.006, _TOP_M),
        kit.mat("metro_tiles", (0.93, 0.93, 0.91), 0.9, specular=0.4),
        collide=False,
    )
    kit.rod(
        "soap",
        0.028,
        0.15,
        (0.17, bowl_d / 2 + 0.06, _TOP_M),
        kit.mat("flat", kit.palette.accent, specular=0.4),
        collide=False,
    )
    kit.support_height_m = None


def stove(kit: Kit, style: int) -> None:
    """Oven with a hob: black glass, gas in steel, cream enamel."""
    width, depth = 0.6, 0.62
    shell = (kit.lacquer((0.92, 0.92, 0.91)), kit.metal((0.66, 0.67, 0.69)), kit.lacquer((0.90, 0.85, 0.74)))[style]
    dark = kit.mat("flat", (0.08, 0.08, 0.09), specular=0.9, shininess=0.9)
    kit.box("body", (width, depth - 0.04, 0.86), (0, 0.02, 0.02), shell)
    kit.box("foot", (width - 0.06, depth - 0.12, 0.02), (0, 0.02, 0), kit.mat("flat", (0.1, 0.1, 0.1)), collide=False)
    front = -depth / 2 + 0.03
    kit.soft("door", (width - 0.02, 0.035, 0.5), (0, front, 0.2), shell if style != 0 else dark, 0.008, collide=False)
    kit.box("window", (width - 0.16, 0.01, 0.28), (0, front - 0.016, 0.28), dark, collide=False)
    bar_handle(kit, width - 0.1, (0, front - 0.016, 0.66))
    kit.box("drawer", (width - 0.02, 0.03, 0.14), (0, front, 0.05), shell, collide=False)
    kit.box("panel", (width, 0.05, 0.12), (0, front + 0.005, 0.75), shell if style else dark, collide=False)
    knob_rgb = kit.metal((0.75, 0.75, 0.77))
    for index in range(5):
        x = (index - 2) * 0.1
        kit.mesh(
            "knob",
            "lathe",
            (0.022, 0, 0.019, 0.025, 0.001, 0.026),
            (x, front - 0.02, 0.81),
            knob_rgb,
            rotation=turn("x", 1.5708),
        )
    kit.box("hob", (width, depth - 0.03, 0.018), (0, 0.01, 0.88), dark if style != 1 else shell)
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = (sx * 0.14, 0.02 + sy * 0.14, 0.898)
            r = 0.085 if sx * sy > 0 else 0.07
            if style == 0:
                kit.lathe("ring", [(r, 0), (r, 0.001), (r - 0.008, 0.001)], at, kit.mat("flat", (0.5, 0.16, 0.12)))
            else:
                iron = kit.mat("flat", (0.12, 0.12, 0.12))
                kit.lathe("burner", [(0.04, 0), (0.04, 0.012), (0.001, 0.015)], at, iron)
                for angle in (0.0, 1.5708):
                    kit.box(
                        "grate",
                        (2 * r, 0.01, 0.012),
                        (at[0], at[1], at[2] + 0.016),
                        iron,
                        collide=False,
                        rotation=turn("z", angle),
                    )
    steel = kit.metal((0.68, 0.69, 0.71))
    kit.lathe(
        "pot",
        [(0.001, 0), (0.085, 0), (0.09, 0.01), (0.09, 0.11), (0.084, 0.11), (0.084, 0.02), (0.001, 0.02)],
        (0.14, 0.16, 0.925 if style else 0.9),
        steel,
    )
    for side in (-1, 1):
        kit.tube("pot_handle", 0.006, [(0.14 + side * 0.088, 0.16, 1.0), (0.14 + side * 0.115, 0.16, 1.005)], steel)
    kit.box("splash", (width, 0.014, 0.08), (0, depth / 2 - 0.007, 0.88), shell, collide=False)


def fridge(kit: Kit, style: int) -> None:
    """Two doors in steel, white with notes, rounded in colour."""
    width, depth = kit.uniform(0.61, 0.7), 0.66
    height = (1.85, 1.8, 1.72)[style]
    shell = (kit.mat("metal", (0.70, 0.71, 0.73), 0.8, specular=0.5), kit.ceramic(), kit.lacquer(kit.palette.accent))[
        style
    ]
    split = height * (0.36 if style == 0 else 0.66)
    radius = 0.05 if style == 2 else 0.012
    kit.box("body", (width - 0.01, depth - 0.08, height - 0.03), (0, 0.03, 0.03), shell)
    kit.box("foot", (width - 0.04, depth - 0.14, 0.03), (0, 0.03, 0), kit.mat("flat", (0.1, 0.1, 0.1)), collide=False)
    face = -depth / 2 + 0.04
    kit.soft("door_low", (width, 0.07, split - 0.06), (0, face, 0.05), shell, radius)
    kit.soft("door_high", (width, 0.07, height - split), (0, face, split), shell, radius)
    chrome = kit.metal((0.78, 0.79, 0.8))
    x = -width / 2 + 0.06
    bar_handle(kit, 0.32, (x, face - 0.035, split - 0.24), upright=True, material=chrome)
    bar_handle(kit, 0.32, (x, face - 0.035, split + 0.26), upright=True, material=chrome)
    if style == 1:
        for index, rgb in enumerate(
            ((0.95, 0.88, 0.4), kit.palette.accent, (0.95, 0.95, 0.93), kit.palette.second_accent)
        ):
            at = (0.05 + 0.11 * (index % 2), face - 0.037, 1.3 - 0.14 * (index // 2) - 0.3)
            kit.box(
                "note",
                (0.08, 0.003, 0.09),
                at,
                kit.mat("flat", rgb, specular=0.0),
                collide=False,
                rotation=turn("y", 0.06 * (index - 1.5)),
            )
    else:
        kit.box("badge", (0.09, 0.004, 0.02), (0.08, face - 0.036, height - 0.12), chrome, collide=False)
    kit.support_height_m = None


def kitchen_island(kit: Kit, style: int) -> None:
    """Free-standing block with an overhanging top, a bowl and a board."""
    drawn = kit.uniform(1.25, 1.55), kit.uniform(0.72, 0.85)
    width, depth = kit.size or drawn
    front = _fronts(kit, style)
    kit.box("plinth", (width - 0.14, depth - 0.14, 0.09), (0, 0, 0), kit.mat("flat", shade(kit.palette.wood_dark, 0.6)))
    kit.box("body", (width - 0.08, depth - 0.1, _TOP_M - 0.13), (0, 0, 0.09), front)
    doors(
        kit,
        width - 0.1,
        0.74,
        max(2, round(width / 0.5)),
        (0, -depth / 2 + 0.048, 0.1),
        front,
        inset=style == 0,
        handle="bar",
    )
    panels = kit.mat("panels", shade(kit.materials[front].rgb, 0.97), 1.0)
    kit.box("back", (width - 0.08, 0.012, _TOP_M - 0.14), (0, depth / 2 - 0.046, 0.095), panels, collide=False)
    kit.soft("top", (width, depth, 0.045), (0, 0, _TOP_M - 0.045), _worktop(kit, style + 2), 0.008)
    kit.support_height_m = _TOP_M
