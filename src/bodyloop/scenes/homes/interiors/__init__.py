"""Interiors: what goes into each kind of room, and where."""

from bodyloop.scenes.homes.interiors.bath import furnish_bathroom
from bodyloop.scenes.homes.interiors.bedroom import furnish_bedroom
from bodyloop.scenes.homes.interiors.decorator import Decorator, NoPlaceError, Spot
from bodyloop.scenes.homes.interiors.entrance import furnish_hall
from bodyloop.scenes.homes.interiors.kitchen import furnish_kitchen
from bodyloop.scenes.homes.interiors.living import furnish_living_room
from bodyloop.scenes.homes.interiors.study import furnish_study

__all__ = [
    "Decorator",
    "NoPlaceError",
    "Spot",
    "furnish_bathroom",
    "furnish_bedroom",
    "furnish_hall",
    "furnish_kitchen",
    "furnish_living_room",
    "furnish_study",
]
