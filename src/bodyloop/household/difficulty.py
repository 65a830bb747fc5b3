"""How hard a route is: its length, its choice points and how crowded it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.scenes.description import Room, SceneDescription
from bodyloop.scenes.footprints import instance_footprints
from bodyloop.scenes.routes import HEADROOM_M, STEP_OVER_M

__all__ = ["LEVELS", "Difficulty", "ObstacleMap", "count_rooms_entered", "count_turns", "rate", "route_difficulty"]

FloatArray = npt.NDArray[np.float64]

LEVELS: Final = ("easy", "medium", "hard")
_DISTANCE_M: Final = (3.6, 8.4)
_CHOICES: Final = (3, 5)
_OBSTACLES: Final = (2.0, 4.0)
_TURN_RAD: Final = math.radians(30.0)
_SAME_CORNER_M: Final = 0.5
_NEAR_M: Final = 0.75
_STEP_M: Final = 0.5
_ROOM_STEP_M: Final = 0.1


@dataclass(frozen=True)
class Difficulty:
    """Levels (``easy``, ``medium``, ``hard``) of a route and the numbers behind them."""

    distance: str
    choices: str
    obstacles: str
    label: str
    """Mean of the three."""
    choice_points: int
    obstacles_per_half_m: float
    """Mean number of objects within 0.75 m, over points 0.5 m apart."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "distance": self.distance,
            "choices": self.choices,
            "obstacles": self.obstacles,
            "label": self.label,
            "choice_points": self.choice_points,
            "obstacles_per_half_m": self.obstacles_per_half_m,
        }


class ObstacleMap:
    """Which objects stand near a point of the floor plan."""

    def __init__(self, scene: SceneDescription) -> None:
        footprints = list(instance_footprints(scene))
        self._outlines = np.array([f.outline_m for f in footprints]).reshape(len(footprints), -1, 2)
        self._owners = np.array([f.owner for f in footprints], dtype=int)
        self._bottom = np.array([f.bottom_m for f in footprints])
        self._top = np.array([f.top_m for f in footprints])

    def count_near(self, point: npt.ArrayLike, radius_m: float = _NEAR_M) -> int:
        """Number of objects in a walker's way within ``radius_m`` of a point (3,): x, y, floor height."""
        x, y, floor = (float(value) for value in np.asarray(point, dtype=float))
        low = (self._top > floor + STEP_OVER_M) & (self._bottom < floor + HEADROOM_M)
        if not low.any():
            return 0
        distance = _outline_distance(self._outlines[low], np.array([x, y]))
        return len(np.unique(self._owners[low][distance <= radius_m]))


def _outline_distance(outlines: FloatArray, point: FloatArray) -> FloatArray:
    """Distance (n,) of a point to convex counter-clockwise outlines (n, k, 2); 0 inside."""
    edges = np.roll(outlines, -1, axis=1) - outlines
    away = point - outlines
    squared = np.maximum(np.sum(edges * edges, axis=2), 1e-18)
    share = np.clip(np.sum(away * edges, axis=2) / squared, 0.0, 1.0)
    gap = np.linalg.norm(away - share[..., None] * edges, axis=2).min(axis=1)
    inside = np.all(edges[..., 0] * away[..., 1] - edges[..., 1] * away[..., 0] >= 0.0, axis=1)
    return np.where(inside, 0.0, gap)


def count_turns(path: FloatArray) -> int:
    """Turns of more than 30 degrees on a way (n, >=2); corners less than 0.5 m apart are one turn."""
    legs = np.diff(path[:, :2], axis=0)
    lengths = np.linalg.norm(legs, axis=1)
    legs, lengths = legs[lengths > 1e-9], lengths[lengths > 1e-9]
    if len(legs) < 2:
        return 0
    heading = np.arctan2(legs[:, 1], legs[:, 0])
    bends = np.angle(np.exp(1j * np.diff(heading)))
    turns, current = 0, float(bends[0])
    for bend, length in zip(bends[1:], lengths[1:-1], strict=True):
        if length < _SAME_CORNER_M:
            current += float(bend)
            continue
        turns += abs(current) > _TURN_RAD
        current = float(bend)
    return turns + (abs(current) > _TURN_RAD)


def count_rooms_entered(path: FloatArray, rooms: tuple[Room, ...]) -> int:
    """Rooms entered on a way (n, >=2), without the one it starts in; coming back counts again."""
    entered = [name for name in (_room_at(point, rooms) for point in _samples(path, _ROOM_STEP_M)) if name is not None]
    return sum(before != after for before, after in pairwise(entered))


def _room_at(point: FloatArray, rooms: tuple[Room, ...]) -> str | None:
    for room in rooms:
        inside = np.all(point[:2] >= room.lower_m) and np.all(point[:2] <= room.upper_m)
        if inside:
            return room.name
    return None


def _samples(path: FloatArray, step_m: float) -> FloatArray:
    """Points (m, d) along a way (n, d), at most ``step_m`` apart in the plane, with both ends."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1))])
    places = np.linspace(0.0, along[-1], max(2, math.ceil(along[-1] / step_m) + 1))
    return np.column_stack([np.interp(places, along, column) for column in path.T])


def route_difficulty(path: FloatArray, length_m: float, rooms: tuple[Room, ...], obstacles: ObstacleMap) -> Difficulty:
    """Difficulty of the way ``path`` (n, 3) of length ``length_m``."""
    choices = count_turns(path) + count_rooms_entered(path, rooms)
    counts = [obstacles.count_near(point) for point in _samples(path, _STEP_M)]
    return rate(length_m, choices, round(float(np.mean(counts)), 3))


def rate(length_m: float, choice_points: int, obstacles_per_half_m: float) -> Difficulty:
    """Levels for the three numbers: up to 3.6 and 8.4 m, 2 and 4 choice points, 2 and 4 objects; a limit is the harder."""
    bins = (
        int(np.searchsorted(_DISTANCE_M, length_m, side="right")),
        int(np.searchsorted(_CHOICES, choice_points, side="right")),
        int(np.searchsorted(_OBSTACLES, obstacles_per_half_m, side="right")),
    )
    label = round(sum(bins) / 3)
    distance, choices, obstacles = (LEVELS[index] for index in bins)
    return Difficulty(distance, choices, obstacles, LEVELS[label], choice_points, obstacles_per_half_m)
