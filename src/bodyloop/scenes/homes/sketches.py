"""The twelve floor plans as sketches: letters on a coarse grid, one rectangle per room.

Letters: L living room, K kitchen, B and C bedrooms, T and U bathrooms, S study, H hall. Rows run from the far side (+Y) to the
near side. ``doors`` names pairs of rooms; ``=`` asks for a wide opening, ``<`` and ``>`` for the lower or upper end of the wall
they share, ``|`` for its middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["ROOM_KINDS", "SKETCHES", "Sketch"]

ROOM_KINDS: Mapping[str, str] = {
    "L": "living_room",
    "K": "kitchen",
    "B": "bedroom",
    "C": "bedroom",
    "T": "bathroom",
    "U": "bathroom",
    "S": "study",
    "H": "hall",
}


@dataclass(frozen=True)
class Sketch:
    """One floor plan; sizes are distances between wall middles, metres."""

    columns_m: tuple[float, ...]
    rows_m: tuple[float, ...]
    grid: tuple[str, ...]
    doors: tuple[str, ...]
    palette: str
    risers: Mapping[str, int] = field(default_factory=dict)
    """Raised rooms: number of risers up to them."""
    mirrored: bool = False


SKETCHES: Mapping[str, Sketch] = {
    "home_01": Sketch(
        (3.8, 2.5, 3.7),
        (4.7, 1.7, 3.8),
        ("LLK", "HHH", "BTS"),
        ("LH=|", "LK=|", "HB<", "HT|", "HS>"),
        "nordic",
    ),
    "home_02": Sketch(
        (4.5, 1.7, 3.3),
        (4.7, 3.9),
        ("LLK", "BHT"),
        ("LH|", "LK=|", "HB>", "HT>"),
        "coastal",
    ),
    "home_03": Sketch(
        (4.4, 1.9, 4.2),
        (4.5, 2.7, 4.0),
        ("LHK", "LHT", "BHS"),
        ("LH=|", "HK=|", "HT<", "HB>", "HS|"),
        "warm",
        {"S": 2},
    ),
    "home_04": Sketch(
        (4.0, 2.5, 3.5),
        (5.0, 3.7),
        ("LLK", "BTS"),
        ("LK=|", "LB<", "LT>", "KS>"),
        "forest",
        mirrored=True,
    ),
    "home_05": Sketch(
        (4.2, 2.8, 5.2),
        (4.4, 1.8, 4.4),
        ("BSK", "HHH", "CTL"),
        ("HB>", "HS|", "HK=|", "HC>", "HT|", "HL=|"),
        "city",
    ),
    "home_06": Sketch(
        (4.2, 1.7, 3.5),
        (4.7, 3.7, 3.6),
        ("LLK", "BHS", "CHT"),
        ("LH|", "LK=|", "HB>", "HS>", "HC<", "HT<"),
        "garden",
    ),
    "home_07": Sketch(
        (3.3, 3.5, 4.1),
        (3.3, 1.7, 4.7),
        ("TSB", "HHB", "KLL"),
        ("HT|", "HS|", "HB|", "HL=|", "KL=|"),
        "nordic",
        mirrored=True,
    ),
    "home_08": Sketch(
        (4.1, 3.0, 3.7),
        (4.7, 1.7, 3.9),
        ("SLL", "HHH", "BTK"),
        ("LS=|", "LH=|", "HB<", "HT|", "HK>"),
        "warm",
        {"S": 1},
    ),
    "home_09": Sketch(
        (5.2, 3.3),
        (4.9, 3.8),
        ("LK", "BT"),
        ("LK=|", "LB<", "BT|"),
        "coastal",
        mirrored=True,
    ),
    "home_10": Sketch(
        (3.9, 2.6, 3.3, 3.7),
        (4.6, 1.8, 4.0),
        ("LLKS", "HHHH", "BTUC"),
        ("LH=<", "LK=|", "HK|", "HS>", "HB<", "HT|", "HU|", "HC>"),
        "city",
    ),
    "home_11": Sketch(
        (4.0, 2.6, 3.7),
        (4.2, 5.0),
        ("BTS", "LLK"),
        ("LB|", "LT>", "LK=|", "KS>"),
        "forest",
        {"B": 3},
    ),
    "home_12": Sketch(
        (3.8, 2.6, 2.8, 3.7),
        (3.8, 1.8, 4.7),
        ("BTSC", "HHHH", "KKLL"),
        ("HB<", "HT|", "HS|", "HC>", "HK=|", "HL=|", "KL=|"),
        "garden",
    ),
}
"""The sketches by home id."""
