"""The furniture shop: ``make`` builds a design of any kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bodyloop.errors import UnknownNameError
from bodyloop.scenes.furniture import bathroom, beds, chairs, couches, tables
from bodyloop.scenes.furniture.blocks import plain
from bodyloop.scenes.furniture.kinds import KINDS
from bodyloop.scenes.furniture.kit import Furniture, Kit
from bodyloop.scenes.furniture.palette import Palette

__all__ = ["MAKERS", "make"]

Maker = Callable[[Kit, int], None]

MAKERS: dict[str, Maker] = {
    "double_bed": beds.double_bed,
    "single_bed": beds.single_bed,
    "couch_2": couches.couch_2,
    "couch_3": couches.couch_3,
    "armchair": couches.armchair,
    "dining_chair": chairs.dining_chair,
    "office_chair": chairs.office_chair,
    "stool": chairs.stool,
    "bench": chairs.bench,
    "toilet": bathroom.toilet,
    "washbasin": bathroom.washbasin,
    "bathtub": bathroom.bathtub,
    "shower": bathroom.shower,
    "washing_machine": bathroom.washing_machine,
    "laundry_basket": bathroom.laundry_basket,
    "bin": bathroom.bin_,
    "dining_table": tables.dining_table,
    "coffee_table": tables.coffee_table,
    "side_table": tables.side_table,
    "desk": tables.desk,
    "nightstand": tables.nightstand,
}
"""The design function of every kind."""


def make(
    kind: str, style: int, rng: np.random.Generator, palette: Palette, size: tuple[float, float] | None = None
) -> Furniture:
    """Design one object.

    Args:
        kind: a key of ``KINDS``.
        style: design number, taken modulo the number of styles of the kind.
        rng: draws dimensions and colours; the same state gives the same object.
        palette: colour scheme.
        size: wanted (width, depth) in metres for kinds that come to measure: rug, curtain, kitchen_counter, kitchen_island,
            bookshelf, wardrobe, dining_table, desk, picture, mirror (for the wall-mounted ones the depth is ignored).

    Raises:
        UnknownNameError: no such kind.
    """
    if kind not in KINDS:
        raise UnknownNameError("furniture kind", kind, KINDS)
    info = KINDS[kind]
    kit = Kit(kind, palette, rng, size)
    MAKERS.get(kind, plain)(kit, style % info.styles)
    return kit.finish(info.category, kit.uniform(*info.mass_kg))
