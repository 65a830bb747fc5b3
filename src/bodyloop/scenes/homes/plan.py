"""The floor plan of a home: what the architect hands to the furnisher. Trajectory frame (Z up), metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bodyloop.scenes.description import FloorRegion
from bodyloop.scenes.furniture import Furniture

__all__ = ["FloorPlan", "Opening", "Placed", "Rect", "RoomPlan"]

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1."""


@dataclass(frozen=True)
class Opening:
    """A doorway, a window or the closed front door in a wall along x (constant y) or along y (constant x)."""

    kind: Literal["door", "window", "entrance"]
    along: Literal["x", "y"]
    """Direction in which the wall runs."""
    at_m: float
    """The wall's constant coordinate (its middle plane)."""
    center_m: float
    """Middle of the opening along the wall."""
    width_m: float
    bottom_m: float
    """World height of the sill or threshold."""
    top_m: float
    rooms: tuple[str, ...]
    """The rooms on its two sides; one room for an outside opening."""


@dataclass(frozen=True)
class RoomPlan:
    """One rectangular room; the rectangle is the clear floor between the inner wall faces."""

    name: str
    kind: str
    """``living_room``, ``bedroom``, ``kitchen``, ``bathroom``, ``study`` or ``hall``."""
    rect: Rect
    floor_height_m: float
    palette: str
    """Key of ``scenes.furniture.PALETTES``."""


@dataclass(frozen=True)
class FloorPlan:
    """Rooms, openings and treads of one home."""

    home_id: str
    rooms: tuple[RoomPlan, ...]
    openings: tuple[Opening, ...]
    treads: tuple[FloorRegion, ...]
    """Treads up to a raised room, from below; the last one lies in the doorway, level with that room. Kind ``tread``."""

    def openings_of(self, room: RoomPlan) -> tuple[Opening, ...]:
        """Doors and windows of one room."""
        return tuple(opening for opening in self.openings if room.name in opening.rooms)


@dataclass(frozen=True)
class Placed:
    """One piece of furniture in a room."""

    furniture: Furniture
    kind: str
    room: str
    position_m: tuple[float, float, float]
    """Origin of the template in the world; z is the supporting surface (floor or top) or the floor for mounted pieces."""
    yaw_rad: float
    """Counter-clockwise; 0 keeps the front along -Y."""
    dynamic: bool
