"""What can be furnished: every kind with its category, size, place and weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bodyloop.scenes.description import MotionType

__all__ = ["KINDS", "KindInfo", "Placement"]

Placement = Literal["wall", "corner", "floor", "top", "wall_mounted", "ceiling"]
Range = tuple[float, float]


@dataclass(frozen=True)
class KindInfo:
    """Metadata of one kind; sizes are the limits over all its styles."""

    kind: str
    category: str
    """Target category or another noun."""
    placement: Placement
    """``wall``: back against a wall; ``corner``; ``floor``: free-standing; ``top``: on another object's support height (or the
    floor); ``wall_mounted``: back plane on a wall, parts already at their height above the floor."""
    width_m: Range
    depth_m: Range
    height_m: Range
    mass_kg: Range
    motion: MotionType = "STATIC"
    """Usual motion type; a DYNAMIC kind may still be placed STATIC."""
    styles: int = 3
    """Number of designs; ``style`` is taken modulo this."""
    front_clearance_m: float = 0.0
    """Free floor worth keeping in front (-Y) to use it."""
    rooms: tuple[str, ...] = ()
    """Room kinds where one expects it; empty for anywhere."""


def _static(
    kind: str,
    category: str,
    placement: Placement,
    w: Range,
    d: Range,
    h: Range,
    kg: Range,
    styles: int = 3,
    front: float = 0.6,
    rooms: str = "",
) -> KindInfo:
    return KindInfo(kind, category, placement, w, d, h, kg, "STATIC", styles, front, tuple(rooms.split()))


def _movable(
    kind: str,
    category: str,
    placement: Placement,
    w: Range,
    d: Range,
    h: Range,
    kg: Range,
    styles: int = 3,
    rooms: str = "",
) -> KindInfo:
    return KindInfo(kind, category, placement, w, d, h, kg, "DYNAMIC", styles, 0.0, tuple(rooms.split()))


_LIVING, _BED, _KITCHEN, _BATH, _STUDY, _HALL = "living_room", "bedroom", "kitchen", "bathroom", "study", "hall"

KINDS: dict[str, KindInfo] = {
    info.kind: info
    for info in (
        # beds and seats
        _static("double_bed", "bed", "wall", (1.56, 1.87), (2.1, 2.23), (0.97, 1.11), (60, 90), 4, 0.7, _BED),
        _static("single_bed", "bed", "wall", (1, 1.15), (2.08, 2.19), (0.97, 1.11), (35, 50), 3, 0.7, _BED),
        _static("couch_2", "couch", "wall", (1.52, 1.73), (0.86, 1.01), (0.79, 0.92), (45, 60), 4, 0.7, _LIVING),
        _static("couch_3", "couch", "wall", (2.01, 2.31), (0.86, 1.01), (0.79, 0.92), (60, 80), 4, 0.7, _LIVING),
        _static("armchair", "chair", "corner", (0.8, 0.91), (0.8, 0.93), (0.8, 0.9), (22, 30), 3, 0.6, _LIVING),
        _movable("dining_chair", "chair", "floor", (0.42, 0.48), (0.43, 0.51), (0.83, 0.95), (5, 8), 4, _KITCHEN),
        _movable("office_chair", "chair", "floor", (0.58, 0.6), (0.52, 0.54), (0.94, 1.08), (7, 10), 2, _STUDY),
        _movable("stool", "stool", "floor", (0.33, 0.4), (0.33, 0.4), (0.43, 0.47), (3, 5), 3),
        _static("bench", "bench", "wall", (0.93, 1.19), (0.35, 0.42), (0.72, 0.77), (12, 18), 3, 0.6, _HALL),
        _static("toilet", "toilet", "wall", (0.4, 0.49), (0.57, 0.64), (0.79, 0.88), (30, 40), 3, 0.65, _BATH),
        # screens and plants
        _static("tv_on_stand", "tv", "wall", (1.32, 1.7), (0.41, 0.49), (1.03, 1.21), (30, 45), 4, 0.8, _LIVING),
        _static("wall_tv", "tv", "wall_mounted", (0.96, 1.31), (0.07, 0.09), (1.26, 1.28), (12, 18), 2, 0.6),
        _static(
            "potted_plant_large", "potted_plant", "corner", (0.39, 0.75), (0.36, 0.76), (1, 1.27), (10, 18), 5, 0.3
        ),
        _static("potted_plant_small", "potted_plant", "top", (0.18, 0.34), (0.18, 0.33), (0.34, 0.47), (1.5, 3), 4),
        # tables
        _static("dining_table", "table", "floor", (1.01, 1.75), (0.81, 1.13), (0.73, 0.76), (30, 50), 4, 0.6, _KITCHEN),
        _static("coffee_table", "table", "floor", (0.79, 1.15), (0.52, 0.81), (0.39, 0.46), (12, 22), 4, 0.4, _LIVING),
        _static("side_table", "table", "corner", (0.42, 0.51), (0.42, 0.51), (0.49, 0.59), (5, 9), 3, 0.2),
        _static("desk", "desk", "wall", (1.26, 1.56), (0.61, 0.74), (0.94, 1.27), (25, 40), 3, 0.9, _STUDY),
        _static("nightstand", "nightstand", "wall", (0.42, 0.51), (0.36, 0.45), (0.49, 0.57), (9, 14), 3, 0.3, _BED),
        # storage
        _static("bookshelf", "shelf", "wall", (0.83, 1.21), (0.28, 0.41), (1.75, 2.06), (50, 90), 4, 0.5),
        _static("wardrobe", "wardrobe", "wall", (1.17, 1.74), (0.64, 0.7), (1.99, 2.15), (70, 110), 4, 0.7, _BED),
        _static("dresser", "dresser", "wall", (0.96, 1.31), (0.46, 0.52), (0.79, 0.92), (35, 55), 4, 0.7, _BED),
        _static("shoe_rack", "shelf", "wall", (0.74, 0.95), (0.29, 0.37), (0.58, 0.89), (10, 16), 2, 0.4, _HALL),
        _static("coat_rack", "rack", "corner", (0.51, 0.52), (0.39, 0.41), (1.81, 1.9), (6, 9), 2, 0.3, _HALL),
        # kitchen
        _static(
            "kitchen_counter", "counter", "wall", (1.26, 2.39), (0.61, 0.63), (1.39, 2.16), (60, 140), 4, 0.8, _KITCHEN
        ),
        _static("sink_cabinet", "sink", "wall", (0.86, 1.16), (0.61, 0.63), (1.22, 1.23), (40, 60), 3, 0.8, _KITCHEN),
        _static("stove", "stove", "wall", (0.59, 0.61), (0.63, 0.64), (1, 1.04), (45, 55), 3, 0.8, _KITCHEN),
        _static("fridge", "fridge", "wall", (0.61, 0.71), (0.66, 0.68), (1.71, 1.86), (60, 85), 3, 0.8, _KITCHEN),
        _static(
            "kitchen_island", "counter", "floor", (1.26, 1.56), (0.71, 0.86), (0.89, 0.91), (70, 110), 3, 0.8, _KITCHEN
        ),
        # bathroom and laundry
        _static("washbasin", "sink", "wall", (0.53, 0.86), (0.44, 0.53), (1.02, 1.05), (18, 40), 3, 0.6, _BATH),
        _static("bathtub", "bathtub", "wall", (1.62, 1.73), (0.75, 0.82), (0.74, 0.96), (50, 70), 3, 0.7, _BATH),
        _static("shower", "shower", "corner", (0.86, 0.94), (0.86, 0.94), (2.06, 2.08), (50, 70), 2, 0.6, _BATH),
        _static(
            "washing_machine", "appliance", "wall", (0.59, 0.61), (0.62, 0.64), (0.84, 0.88), (60, 75), 3, 0.7, _BATH
        ),
        _movable("laundry_basket", "basket", "floor", (0.4, 0.48), (0.36, 0.44), (0.51, 0.62), (1.5, 3), 3, _BATH),
        _movable("bin", "bin", "floor", (0.25, 0.33), (0.27, 0.33), (0.31, 0.57), (1, 2.5), 3),
        # light and decoration
        _static("floor_lamp", "lamp", "corner", (0.29, 0.45), (0.35, 0.59), (1.5, 1.7), (4, 8), 4, 0.2),
        _static("table_lamp", "lamp", "top", (0.21, 0.31), (0.21, 0.31), (0.41, 0.52), (1, 2.5), 4),
        _static("ceiling_lamp", "lamp", "ceiling", (0.31, 0.5), (0.31, 0.5), (2.59, 2.61), (1, 3), 4),
        _static("rug", "rug", "floor", (1.2, 3.1), (0.8, 2.2), (0.008, 0.015), (4, 12), 8),
        _static("picture", "picture", "wall_mounted", (0.44, 1.01), (0.02, 0.04), (1.77, 1.98), (1, 4), 8),
        _static("mirror", "mirror", "wall_mounted", (0.5, 0.83), (0.02, 0.04), (1.79, 2.02), (4, 8), 3),
        _static("curtain", "curtain", "wall_mounted", (2.04, 2.79), (0.1, 0.12), (2.37, 2.38), (2, 5), 3),
        _static("radiator", "radiator", "wall_mounted", (0.81, 1.16), (0.1, 0.12), (0.67, 0.7), (15, 25), 2),
        _static("clock", "clock", "wall_mounted", (0.29, 0.35), (0.04, 0.05), (1.99, 2.03), (0.5, 1.5), 3),
        _static("wall_shelf", "shelf", "wall_mounted", (0.66, 0.96), (0.18, 0.24), (1.68, 2.03), (4, 8), 3),
        # small movables
        _movable("book", "book", "top", (0.14, 0.25), (0.2, 0.3), (0.01, 0.07), (0.2, 0.9), 4),
        _movable("mug", "mug", "top", (0.11, 0.13), (0.07, 0.1), (0.08, 0.11), (0.25, 0.4), 3),
        _movable("bowl", "bowl", "top", (0.17, 0.27), (0.17, 0.27), (0.07, 0.11), (0.3, 0.8), 3),
        _movable("plate", "plate", "top", (0.21, 0.27), (0.21, 0.27), (0.02, 0.05), (0.3, 0.6), 3),
        _movable("bottle", "bottle", "top", (0.06, 0.09), (0.06, 0.09), (0.24, 0.31), (0.4, 1.1), 3),
        _movable("vase", "vase", "top", (0.12, 0.19), (0.14, 0.19), (0.42, 0.52), (0.6, 1.8), 4),
        _movable("box", "box", "floor", (0.32, 0.43), (0.25, 0.37), (0.21, 0.3), (1, 6), 3),
        _movable("ball", "ball", "floor", (0.2, 0.26), (0.2, 0.26), (0.2, 0.26), (0.4, 0.7), 4),
        _movable("toy", "toy", "floor", (0.14, 0.24), (0.18, 0.31), (0.14, 0.28), (0.3, 1.2), 4),
        _movable("cushion", "cushion", "floor", (0.42, 0.52), (0.42, 0.52), (0.13, 0.18), (0.5, 1.0), 4),
        _movable("basket", "basket", "floor", (0.32, 0.4), (0.32, 0.4), (0.31, 0.37), (1, 3), 3),
        _movable("laptop", "laptop", "top", (0.33, 0.35), (0.29, 0.31), (0.22, 0.23), (1.2, 2.0), 2),
        _movable("keyboard", "keyboard", "top", (0.43, 0.45), (0.13, 0.14), (0.03, 0.04), (0.5, 0.9), 2),
        _movable("shoe", "shoe", "floor", (0.09, 0.1), (0.27, 0.28), (0.09, 0.14), (0.3, 0.5), 4, _HALL),
        _movable("pan", "pan", "top", (0.23, 0.29), (0.42, 0.48), (0.06, 0.1), (0.8, 1.6), 3, _KITCHEN),
        _movable("towel_roll", "towel", "top", (0.31, 0.39), (0.13, 0.15), (0.13, 0.15), (0.3, 0.6), 3, _BATH),
        _movable("plant_pot_small", "pot", "top", (0.11, 0.18), (0.11, 0.18), (0.17, 0.29), (0.6, 1.5), 4),
        _movable("fruit_bowl", "bowl", "top", (0.27, 0.29), (0.27, 0.29), (0.13, 0.15), (1, 2), 2, _KITCHEN),
        _movable("suitcase", "suitcase", "floor", (0.42, 0.43), (0.25, 0.26), (0.59, 0.67), (4, 10), 3),
    )
}
"""Every kind by name."""
