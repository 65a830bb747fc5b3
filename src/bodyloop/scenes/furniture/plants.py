"""Plants in pots, 1.3 m at most."""

from __future__ import annotations

from bodyloop.scenes.furniture.fittings import leaves, pot
from bodyloop.scenes.furniture.kit import Kit
from bodyloop.scenes.furniture.palette import shade

__all__ = ["plant_pot_small", "potted_plant_large", "potted_plant_small"]

_LARGE = ((0, 60), (1, 22), (2, 15), (3, 14), (4, 110))  # habit, leaves
_SMALL = ((4, 60), (3, 9), (1, 16), (2, 9))


def potted_plant_large(kit: Kit, style: int) -> None:
    """On the floor: ficus, palm, monstera, snake plant, bush."""
    habit, count = _LARGE[style]
    height, spread = kit.uniform(1.0, 1.26), kit.uniform(0.58, 0.78)
    if habit == 3:
        spread = 0.5
    radius, tall = kit.uniform(0.15, 0.19), kit.uniform(0.26, 0.34)
    soil = pot(kit, radius, tall, int(kit.rng.integers(4)))
    wood = kit.wood(kit.palette.wood_dark)
    kit.lathe(
        "saucer",
        [(0.001, 0), (radius * 0.95, 0), (radius * 1.02, 0.022), (radius * 0.96, 0.022), (0.001, 0.012)],
        (0, 0, 0),
        wood,
    )
    kit.rod("pot_core", radius, tall, (0, 0, 0), wood, visible=False)
    kit.rod("stem_core", 0.05, (height - tall) * 0.7, (0, 0, tall), wood, visible=False)
    leaves(kit, habit, height - soil, spread, count, (0, 0, soil))


def potted_plant_small(kit: Kit, style: int) -> None:
    """For a sill, table or shelf."""
    habit, count = _SMALL[style]
    height, spread = kit.uniform(0.34, 0.46), kit.uniform(0.25, 0.34)
    radius, tall = kit.uniform(0.075, 0.095), kit.uniform(0.12, 0.15)
    soil = pot(kit, radius, tall, int(kit.rng.integers(4)))
    clay = kit.ceramic(shade(kit.palette.pot, 0.85))
    kit.lathe(
        "saucer",
        [(0.001, 0), (radius, 0), (radius * 1.12, 0.014), (radius * 1.05, 0.014), (0.001, 0.008)],
        (0, 0, 0),
        clay,
    )
    side = 1.6 * radius
    kit.box("pot_core", (side, side, tall), (0, 0, 0), clay, visible=False)
    leaves(kit, habit, height - soil, spread, count, (0, 0, soil))


def plant_pot_small(kit: Kit, style: int) -> None:
    """A little pot with a succulent or herbs; movable."""
    radius, tall = kit.uniform(0.055, 0.075), kit.uniform(0.09, 0.12)
    soil = pot(kit, radius, tall, style)
    side = 1.5 * radius
    kit.box("pot_core", (side, side, tall), (0, 0, 0), kit.parts[0].material, visible=False)
    kit.lathe("foot", [(0.001, 0), (radius * 0.8, 0), (radius * 0.85, 0.006), (0.001, 0.006)], (0, 0, 0), kit.ceramic())
    leaves(kit, 4 if style % 2 else 3, kit.uniform(0.1, 0.18), 2.4 * radius, 26 if style % 2 else 9, (0, 0, soil))
