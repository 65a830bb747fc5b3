"""Build the episodes of a home, and the lists of a set of homes.

Everything follows from the scene and its id: the same scene gives the same episodes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.errors import DataError
from bodyloop.household.difficulty import ObstacleMap, route_difficulty
from bodyloop.household.episode_files import category_maps, init_yaw_formula
from bodyloop.household.episodes import SUBSET_SCHEMA
from bodyloop.household.goal_points import Goal, find_goals, habitat_point, yaw_rotation_xyzw
from bodyloop.records.seeds import generator
from bodyloop.scenes.description import TARGET_CATEGORIES, SceneDescription
from bodyloop.scenes.routes import CELL_M, DistanceField, RouteGrid

__all__ = ["build_episodes", "build_lists"]

FloatArray = npt.NDArray[np.float64]

SHORTEST_M: Final = 1.0
SPAWN_CLEARANCE_M: Final = 0.35
_SPAWN_SPACING_M: Final = 0.8
_SMOKE_ROUTE_M: Final = (2.0, 6.0)
_LEVEL_M: Final = 0.01


@dataclass(frozen=True, eq=False)
class _Plan:
    """What all episodes of a home share."""

    scene: SceneDescription
    grid: RouteGrid
    obstacles: ObstacleMap
    rng: np.random.Generator


def build_episodes(
    scene: SceneDescription, *, count: int = 26, categories: Sequence[str] = TARGET_CATEGORIES
) -> dict[str, Any]:
    """The shard of a home: ``count`` episodes, spread evenly over the categories.

    Within a category the starts are spread from near to far (at least 1 m of way), each with 0.35 m of free floor around
    it and a random heading.

    Raises:
        DataError: a category has no goal that can be reached, or no start fits.
    """
    grid = RouteGrid.from_scene(scene, body_radius_m=0.28)
    goals = find_goals(scene, grid, tuple(categories))
    plan = _Plan(scene, grid, ObstacleMap(scene), generator(0, "household", scene.scene_id, 0, "episodes"))
    shares = _shares(count, len(categories))
    episodes: list[dict[str, Any]] = []
    for category, share in zip(categories, shares, strict=True):
        own = [goal for goal in goals if goal.category == category]
        if not own:
            raise DataError(f"scene {scene.scene_id}: no {category} can be seen and reached; move or add one")
        episodes.extend(_category_episodes(plan, category, own, share))
    for index, episode in enumerate(episodes):
        episode["episode_id"] = str(index)
    by_category = {
        f"{scene.scene_id}_{category}": [goal.to_json() for goal in goals if goal.category == category]
        for category in categories
    }
    return {"episodes": episodes, "goals_by_category": by_category, **category_maps()}


def _shares(count: int, parts: int) -> list[int]:
    return [count // parts + (index < count % parts) for index in range(parts)]


def _category_episodes(plan: _Plan, category: str, goals: list[Goal], count: int) -> list[dict[str, Any]]:
    field = plan.grid.field(np.concatenate([goal.points_m for goal in goals]))
    points = plan.grid.free_points(SPAWN_CLEARANCE_M)
    cells = np.round((points[:, :2] - plan.grid.origin_m) / CELL_M).astype(int)
    lengths = field.length_m[cells[:, 0], cells[:, 1]]
    usable = np.isfinite(lengths) & (lengths >= SHORTEST_M)
    if not usable.any():
        raise DataError(f"scene {plan.scene.scene_id}: no start at least {SHORTEST_M} m away from every {category}")
    starts = _spread(points[usable], lengths[usable], count, plan.rng)
    return [_episode(plan, category, goals, field, start) for start in starts]


def _spread(points: FloatArray, lengths: FloatArray, count: int, rng: np.random.Generator) -> list[FloatArray]:
    """``count`` points whose lengths run from short to long, apart from each other where there is room."""
    edges = np.linspace(lengths.min(), lengths.max(), count + 1)
    chosen: list[FloatArray] = []
    for low, high in pairwise(edges):
        band = np.flatnonzero((lengths >= low) & (lengths <= high))
        if not len(band):
            band = np.argsort(np.abs(lengths - 0.5 * (low + high)), kind="stable")[:20]
        gaps = np.array([min((math.dist(points[i][:2], p[:2]) for p in chosen), default=np.inf) for i in band])
        apart = band[gaps >= _SPAWN_SPACING_M]
        if not len(apart):
            apart = band[gaps == gaps.max()]
        chosen.append(points[int(rng.choice(apart))])
    return chosen


def _episode(plan: _Plan, category: str, goals: list[Goal], field: DistanceField, start: FloatArray) -> dict[str, Any]:
    path = field.path(start)
    length = field.distance(start)
    closest = min(goals, key=lambda goal: float(np.linalg.norm(goal.points_m - path[-1], axis=1).min()))
    position = habitat_point(start)
    rotation = yaw_rotation_xyzw(float(plan.rng.uniform(-math.pi, math.pi)))
    difficulty = route_difficulty(path, length, plan.scene.rooms, plan.obstacles)
    return {
        "episode_id": "",
        "scene_id": plan.scene.scene_id,
        "scene_dataset_config": "",
        "additional_obj_config_paths": [],
        "start_position": position,
        "start_rotation": rotation,
        "info": {
            "geodesic_distance": round(length, 5),
            "euclidean_distance": round(float(np.linalg.norm(path[-1] - start)), 5),
            "closest_goal_object_id": closest.object_id,
            "climbs": bool(np.ptp(path[:, 2]) > _LEVEL_M),
        },
        "goals": [],
        "start_room": None,
        "shortest_paths": None,
        "object_category": category,
        "init_offset": [-position[0] + 0.0, position[2], position[1]],
        "init_yaw": round(init_yaw_formula(rotation), 9),
        "difficulty": difficulty.to_json(),
    }


def build_lists(shards: Mapping[str, Mapping[str, Any]], *, split: str = "val") -> dict[str, dict[str, Any]]:
    """The lists ``smoke`` and ``val100`` over shards by scene id.

    ``smoke``: one level route of 2 to 6 m per category, two from each of three homes. ``val100``: 20 episodes from each
    of five homes, among them one where risers have to be climbed, if there is any.

    Raises:
        DataError: there are too few homes or episodes.
    """
    homes = sorted(shards)
    if len(homes) < 5:
        raise DataError(f"the lists need at least five homes, got {len(homes)}")
    smoke = _smoke_rows(shards, homes)
    chosen = _val100_homes(shards, homes)
    rows = [row for home in chosen for row in _val100_rows(shards[home]["episodes"], home)]
    total = sum(len(shard["episodes"]) for shard in shards.values())
    return {
        "smoke": _list("smoke", "One short level route per category, from three homes.", smoke, split, total),
        "val100": _list("val100", "Twenty episodes from each of five homes.", rows, split, total),
    }


def _smoke_rows(shards: Mapping[str, Mapping[str, Any]], homes: list[str]) -> list[dict[str, str]]:
    """Two categories from each of three homes, all six together; the first homes that allow it."""
    shortest = {home: _short_routes(shards[home]["episodes"]) for home in homes}
    for trio in permutations(homes, 3):
        rows: list[dict[str, str]] = []
        for index, home in enumerate(trio):
            for category in TARGET_CATEGORIES[2 * index : 2 * index + 2]:
                if category in shortest[home]:
                    rows.append(_row(home, shortest[home][category]))
        if len(rows) == len(TARGET_CATEGORIES):
            return rows
    raise DataError("no three homes offer a level route of 2 to 6 m for every category")


def _short_routes(episodes: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    low, high = _SMOKE_ROUTE_M
    for episode in sorted(episodes, key=lambda item: float(item["info"]["geodesic_distance"])):
        info = episode["info"]
        if low <= info["geodesic_distance"] <= high and not info["climbs"]:
            found.setdefault(episode["object_category"], episode)
    return found


def _val100_homes(shards: Mapping[str, Mapping[str, Any]], homes: list[str]) -> list[str]:
    """Every second home as far as they go, the last replaced by one with risers if none of them has any."""
    chosen = sorted([*homes[::2], *homes[1::2]][:5]) if len(homes) < 10 else homes[::2][:5]
    with_risers = [home for home in homes if any(e["info"]["climbs"] for e in shards[home]["episodes"])]
    if with_risers and not set(chosen) & set(with_risers):
        chosen = sorted([*chosen[:-1], with_risers[0]])
    return chosen


def _val100_rows(episodes: Sequence[Mapping[str, Any]], home: str, count: int = 20) -> list[dict[str, str]]:
    """``count`` episodes, taken from the categories in turn and listed in the shard's order."""
    if len(episodes) < count:
        raise DataError(f"scene {home}: needs {count} episodes for val100, has {len(episodes)}")
    turn: Counter[str] = Counter()
    order = []
    for index, episode in enumerate(episodes):
        order.append((turn[episode["object_category"]], index))
        turn[episode["object_category"]] += 1
    return [_row(home, episodes[index]) for index in sorted(index for _, index in sorted(order)[:count])]


def _row(home: str, episode: Mapping[str, Any]) -> dict[str, str]:
    return {
        "scene_id": home,
        "episode_id": str(episode["episode_id"]),
        "object_category": str(episode["object_category"]),
    }


def _list(name: str, description: str, rows: list[dict[str, str]], split: str, total: int) -> dict[str, Any]:
    scenes = sorted({row["scene_id"] for row in rows})
    return {
        "schema": SUBSET_SCHEMA,
        "name": name,
        "description": description,
        "source_split": f"fullval_{total}",
        "split": split,
        "seed": 0,
        "num_scenes": len(scenes),
        "episodes_per_scene": len(rows) // len(scenes),
        "scenes": scenes,
        "category_counts": dict(Counter(row["object_category"] for row in rows)),
        "n_episodes": len(rows),
        "episodes": rows,
    }
