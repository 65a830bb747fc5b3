"""The furniture shop: ``make`` builds a design of any kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bodyloop.errors import UnknownNameError
from bodyloop.scenes.furniture import (
    bathroom,
    beds,
    chairs,
    couches,
    decor,
    kitchen,
    plants,
    screens,
    small,
    storage,
    tables,
    tableware,
    toys,
)
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
    "bookshelf": storage.bookshelf,
    "coat_rack": storage.coat_rack,
    "dresser": storage.dresser,
    "shoe_rack": storage.shoe_rack,
    "wall_shelf": storage.wall_shelf,
    "wardrobe": storage.wardrobe,
    "tv_on_stand": screens.tv_on_stand,
    "wall_tv": screens.wall_tv,
    "plant_pot_small": plants.plant_pot_small,
    "potted_plant_large": plants.potted_plant_large,
    "potted_plant_small": plants.potted_plant_small,
    "fridge": kitchen.fridge,
    "kitchen_counter": kitchen.kitchen_counter,
    "kitchen_island": kitchen.kitchen_island,
    "sink_cabinet": kitchen.sink_cabinet,
    "stove": kitchen.stove,
    "ceiling_lamp": decor.ceiling_lamp,
    "clock": decor.clock,
    "curtain": decor.curtain,
    "floor_lamp": decor.floor_lamp,
    "mirror": decor.mirror,
    "picture": decor.picture,
    "radiator": decor.radiator,
    "rug": decor.rug,
    "table_lamp": decor.table_lamp,
    "ball": toys.ball,
    "basket": small.basket,
    "book": small.book,
    "bottle": tableware.bottle,
    "bowl": tableware.bowl,
    "box": small.box,
    "cushion": small.cushion,
    "fruit_bowl": tableware.fruit_bowl,
    "keyboard": small.keyboard,
    "laptop": small.laptop,
    "mug": tableware.mug,
    "pan": tableware.pan,
    "plate": tableware.plate,
    "shoe": small.shoe,
    "suitcase": small.suitcase,
    "towel_roll": small.towel_roll,
    "toy": toys.toy,
    "vase": tableware.vase,
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
    MAKERS[kind](kit, style % info.styles)
    return kit.finish(info.category, kit.uniform(*info.mass_kg))
