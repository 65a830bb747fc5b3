"""The twelve floor plans of homes-v1."""

from __future__ import annotations

from functools import cache
from typing import Final

from bodyloop.errors import UnknownNameError
from bodyloop.records.seeds import generator
from bodyloop.scenes.homes.architect import draw_plan
from bodyloop.scenes.homes.plan import FloorPlan
from bodyloop.scenes.homes.sketches import SKETCHES

__all__ = ["HOME_IDS", "SUITE", "floor_plan"]

SUITE: Final = "homes-v1"
"""Names the random choices of this collection."""
HOME_IDS: Final = tuple(SKETCHES)
"""``home_01`` to ``home_12``."""


@cache
def floor_plan(home_id: str) -> FloorPlan:
    """Rooms, openings and treads of a home.

    Raises:
        UnknownNameError: no such home.
    """
    if home_id not in SKETCHES:
        raise UnknownNameError("home", home_id, HOME_IDS)
    return draw_plan(home_id, SKETCHES[home_id], generator(0, SUITE, home_id, 0, "plan"))
