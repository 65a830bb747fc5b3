"""Furnishing a home: every room by its own rules, until all rooms and the home as a whole are right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from bodyloop.scenes.description import TARGET_CATEGORIES
from bodyloop.scenes.homes.interiors import (
    Decorator,
    NoPlaceError,
    furnish_bathroom,
    furnish_bedroom,
    furnish_hall,
    furnish_kitchen,
    furnish_living_room,
    furnish_study,
)
from bodyloop.scenes.homes.plan import FloorPlan, Placed, RoomPlan

__all__ = ["furnish"]

_PROGRAMS: Final[dict[str, Callable[[Decorator], None]]] = {
    "living_room": furnish_living_room,
    "bedroom": furnish_bedroom,
    "kitchen": furnish_kitchen,
    "bathroom": furnish_bathroom,
    "study": furnish_study,
    "hall": furnish_hall,
}
_ATTEMPTS: Final = 12
_MODEST_FROM: Final = 5
_ENOUGH: Final = 3


def furnish(plan: FloorPlan, rng: np.random.Generator) -> tuple[Placed, ...]:
    """Furnish a home.

    Args:
        plan: rooms, openings and treads.
        rng: the same state gives the same furniture.

    Returns:
        All pieces, room by room; things on tops come after what carries them.

    Raises:
        NoPlaceError: a room is too small for what it must hold, or a target category is missing.
    """
    seeds = rng.integers(2**62, size=len(plan.rooms))
    placed = [piece for room, seed in zip(plan.rooms, seeds, strict=True) for piece in _room(plan, room, int(seed))]
    missing = set(TARGET_CATEGORIES) - {piece.furniture.template.category for piece in placed}
    if missing:
        raise NoPlaceError(f"{plan.home_id}: nothing of category {', '.join(sorted(missing))}")
    return tuple(placed)


def _room(plan: FloorPlan, room: RoomPlan, seed: int) -> list[Placed]:
    """The best furnished of the first few arrangements that work."""
    best: list[Placed] = []
    found = 0
    problem: NoPlaceError | None = None
    for attempt in range(_ATTEMPTS):
        decorator = Decorator(plan, room, np.random.default_rng([seed, attempt]), modest=attempt >= _MODEST_FROM)
        try:
            _PROGRAMS[room.kind](decorator)
        except NoPlaceError as error:
            problem = error
            continue
        found += 1
        if len(decorator.placed) > len(best):
            best = decorator.placed
        if found == _ENOUGH:
            break
    if not best and problem is not None:
        raise problem
    return best
