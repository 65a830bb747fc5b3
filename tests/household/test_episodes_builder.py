"""Episodes built for a two-room home, difficulty of routes, and the lists over several homes."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bodyloop.errors import DataError
from bodyloop.household.dataset import open_dataset
from bodyloop.household.difficulty import ObstacleMap, count_rooms_entered, count_turns, rate, route_difficulty
from bodyloop.household.episode_builder import build_episodes, build_lists
from bodyloop.household.episode_files import header_content, init_yaw_formula, parse_shard, write_gzip_json, write_shard
from bodyloop.household.episodes import load_episode, load_episode_subset, select_episodes
from bodyloop.household.goal_points import find_goals
from bodyloop.scenes.bare_room import bare_room
from bodyloop.scenes.description import (
    TARGET_CATEGORIES,
    ObjectInstance,
    ObjectTemplate,
    Part,
    Room,
    SceneDescription,
    SeatSurface,
)
from bodyloop.scenes.routes import RouteGrid

Vec3 = tuple[float, float, float]
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
TURNED = (0.0, 0.0, 1.0, 0.0)


def box(name: str, half: Vec3, center: Vec3) -> Part:
    return Part(name, "box", half, center, "wood")


def block(category: str, half: Vec3, *, bottom: float = 0.0, seat: bool = False) -> ObjectTemplate:
    part = box("block", half, (0.0, 0.0, bottom + half[2]))
    surface = SeatSurface((0.0, 0.0, bottom + 2 * half[2]), (2 * half[0], 2 * half[1]))
    return ObjectTemplate(f"{category}-test", category, (part,), seats=(surface,) if seat else ())


TEMPLATES = (
    (block("bed", (0.8, 1.0, 0.25), seat=True), (2.9, 2.95, 0.0), UPRIGHT),
    (block("toilet", (0.2, 0.3, 0.21), seat=True), (-3.6, 3.4, 0.0), UPRIGHT),
    (block("tv", (0.5, 0.05, 0.3), bottom=0.8), (0.5, 3.9, 0.0), UPRIGHT),
    (block("potted_plant", (0.15, 0.15, 0.4)), (3.6, -3.6, 0.0), UPRIGHT),
)


def two_rooms(scene_id: str = "test_home") -> SceneDescription:
    """The bare room with a wall at y = 1 and a doorway of 1 m at x = -0.5, and all six categories."""
    scene = bare_room()
    wall = (box("wall/left", (1.5, 0.05, 1.3), (-2.5, 1.0, 1.3)), box("wall/right", (2.0, 0.05, 1.3), (2.0, 1.0, 1.3)))
    start = len(scene.instances)
    added = [
        ObjectInstance(start + k, f"{t.name}_:{start + k:04d}", t.name, position, rotation, "STATIC", "front")
        for k, (t, position, rotation) in enumerate(TEMPLATES)
    ]
    return replace(
        scene,
        scene_id=scene_id,
        rooms=(
            Room("front", "living_room", (-4.0, -4.0), (4.0, 1.0), 0.0, "floor", "wall"),
            Room("back", "bedroom", (-4.0, 1.0), (4.0, 4.0), 0.0, "floor", "wall"),
        ),
        stage=(*scene.stage, *wall),
        templates={**scene.templates, **{t.name: t for t, _, _ in TEMPLATES}},
        instances=(*scene.instances, *added),
    )


@pytest.fixture(scope="module")
def shard() -> dict[str, Any]:
    return build_episodes(two_rooms())


def world(position: list[float]) -> np.ndarray[Any, Any]:
    x, y, z = position
    return np.array([-x, z, y])


def test_counts_and_fields(shard: dict[str, Any]) -> None:
    parsed = parse_shard(json.loads(json.dumps(shard)), scene_id="test_home", where="built")
    assert [row.episode_id for row in parsed.episodes] == [str(k) for k in range(26)]
    counts = [sum(row.object_category == c for row in parsed.episodes) for c in TARGET_CATEGORIES]
    assert counts == [5, 5, 4, 4, 4, 4]
    assert set(parsed.goals_by_category) == {f"test_home_{c}" for c in TARGET_CATEGORIES}
    assert [goal.object_id for goal in parsed.goals_by_category["test_home_chair"]] == [1, 2]


def test_starts_are_free_and_ways_are_spread(shard: dict[str, Any]) -> None:
    grid = RouteGrid.from_scene(two_rooms())
    by_category: dict[str, list[float]] = {}
    for episode in shard["episodes"]:
        start = world(episode["start_position"])
        assert grid.clearance(start) >= 0.35
        assert start[2] == pytest.approx(grid.floor_height(start))
        assert episode["init_offset"] == pytest.approx(start)
        assert episode["init_yaw"] == pytest.approx(init_yaw_formula(episode["start_rotation"]), abs=1e-6)
        info = episode["info"]
        assert info["geodesic_distance"] >= 1.0
        assert info["euclidean_distance"] <= info["geodesic_distance"] + 0.05
        by_category.setdefault(episode["object_category"], []).append(info["geodesic_distance"])
    for lengths in by_category.values():
        assert lengths == sorted(lengths)
        assert lengths[-1] > lengths[0] + 2.0


def test_geodesic_distance_belongs_to_the_view_points(shard: dict[str, Any]) -> None:
    grid = RouteGrid.from_scene(two_rooms())
    for category in ("bed", "chair"):
        goals = shard["goals_by_category"][f"test_home_{category}"]
        points = [world(p["agent_state"]["position"]) for goal in goals for p in goal["view_points"]]
        field = grid.field(points)
        for episode in shard["episodes"]:
            if episode["object_category"] == category:
                length = field.distance(world(episode["start_position"]))
                assert episode["info"]["geodesic_distance"] == pytest.approx(length, abs=1e-4)


def test_view_points_see_their_goal_and_face_it(shard: dict[str, Any]) -> None:
    scene = two_rooms()
    grid = RouteGrid.from_scene(scene)
    for goals in shard["goals_by_category"].values():
        for goal in goals:
            center = world(goal["position"])
            assert scene.instances[goal["object_id"]].name == goal["object_name"]
            for point in goal["view_points"]:
                place = world(point["agent_state"]["position"])
                assert grid.is_free(place)
                assert 0.0 < point["iou"] <= 1.0
                away = (center - place)[:2]
                yaw = math.radians(init_yaw_formula(point["agent_state"]["rotation"]))
                facing = np.array([math.sin(yaw), -math.cos(yaw)])
                assert facing @ away == pytest.approx(np.linalg.norm(away), rel=1e-3)


def test_walls_hide_goals() -> None:
    scene = two_rooms()
    goals = find_goals(scene, RouteGrid.from_scene(scene), ("couch",))
    assert len(goals) == 1
    # The couch stands in the front room, 0.7 m from the wall: no place behind the wall sees it.
    assert len(goals[0].points_m) > 10
    assert goals[0].points_m[:, 1].max() < 1.0


def test_built_twice_is_the_same_and_scenes_differ(shard: dict[str, Any]) -> None:
    assert build_episodes(two_rooms()) == shard
    other = build_episodes(two_rooms("other_home"))
    assert [e["start_position"] for e in other["episodes"]] != [e["start_position"] for e in shard["episodes"]]


def test_targets_that_cannot_be_used_are_left_out() -> None:
    scene = two_rooms()
    bed = next(k for k, instance in enumerate(scene.instances) if instance.template == "bed-test")
    turned = replace(scene.instances[bed], position_m=(2.9, 2.95, 0.0), rotation_xyzw=TURNED)
    instances = (*scene.instances[:bed], turned, *scene.instances[bed + 1 :])
    # With its front at the wall nobody can stand before its seat.
    with pytest.raises(DataError, match="no bed can be seen and reached"):
        build_episodes(replace(scene, instances=instances))


# Difficulty


@pytest.mark.parametrize(
    ("numbers", "levels"),
    [
        ((3.59, 2, 1.99), ("easy", "easy", "easy", "easy")),
        ((3.6, 3, 2.0), ("medium", "medium", "medium", "medium")),
        ((8.39, 4, 3.99), ("medium", "medium", "medium", "medium")),
        ((8.4, 5, 4.0), ("hard", "hard", "hard", "hard")),
        ((1.0, 0, 4.0), ("easy", "easy", "hard", "medium")),
        ((1.0, 3, 0.0), ("easy", "medium", "easy", "easy")),
        ((9.0, 5, 3.0), ("hard", "hard", "medium", "hard")),
    ],
)
def test_levels(numbers: tuple[float, int, float], levels: tuple[str, ...]) -> None:
    found = rate(*numbers)
    assert (found.distance, found.choices, found.obstacles, found.label) == levels


def test_turns() -> None:
    straight = np.array([[0.0, 0], [1, 0], [2, 0.3]])
    assert count_turns(straight) == 0
    assert count_turns(np.array([[0.0, 0], [1, 0], [1, 1], [2, 1]])) == 2
    rounded = np.array([[0.0, 0], [1, 0], [1.2, 0.1], [1.3, 0.3], [1.3, 2]])
    assert count_turns(rounded) == 1
    weave = np.array([[0.0, 0], [1, 0], [1.1, 0.1], [2, 0.1]])
    assert count_turns(weave) == 0
    assert count_turns(np.zeros((1, 2))) == 0


def test_rooms_entered() -> None:
    rooms = two_rooms().rooms
    there = np.array([[0.0, -2, 0], [0, 2, 0]])
    assert count_rooms_entered(there, rooms) == 1
    assert count_rooms_entered(np.vstack([there, there[:1]]), rooms) == 2
    assert count_rooms_entered(there * [1, 0.1, 1], rooms) == 0


def test_obstacles_near() -> None:
    near = ObstacleMap(two_rooms())
    assert near.count_near((1.2, -1.3, 0.0)) == 1  # the first chair, 0.29 m away
    assert near.count_near((1.2, -2.25, 0.0)) == 2  # between both chairs
    assert near.count_near((-2.0, 0.0, 0.0)) == 0
    path = np.array([[1.2, -2.25, 0.0], [1.2, -2.24, 0.0]])
    assert route_difficulty(path, 0.01, (), near).obstacles_per_half_m == 2.0


# Lists


@pytest.fixture(scope="module")
def shards(shard: dict[str, Any]) -> dict[str, dict[str, Any]]:
    text = json.dumps(shard)
    return {name: json.loads(text.replace("test_home", name)) for name in (f"home_{k:02d}" for k in range(12))}


def test_smoke_and_val100(shards: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    lists = build_lists(shards)
    split = tmp_path / "episodes" / "val"
    write_gzip_json(split / "val.json.gz", header_content())
    for name, content in shards.items():
        write_shard(split / "content" / f"{name}.json.gz", content)
    (tmp_path / "lists").mkdir()
    for name, content in lists.items():
        (tmp_path / "lists" / f"{name}.json").write_text(json.dumps(content))
    dataset = open_dataset(tmp_path)
    smoke = select_episodes(dataset, "smoke")
    assert [row.object_category for row in smoke] == list(TARGET_CATEGORIES)
    assert [sum(row.scene_id == s for row in smoke) for s in sorted({r.scene_id for r in smoke})] == [2, 2, 2]
    for row in smoke:
        episode = load_episode(dataset, row.scene_id, row.episode_id)
        assert episode.geodesic_distance is not None
        assert 2.0 <= episode.geodesic_distance <= 6.0
    val100 = load_episode_subset("val100", dataset)
    scenes = lists["val100"]["scenes"]
    assert (len(val100), len(scenes)) == (100, 5)
    assert all(sum(row.scene_id == scene for row in val100) == 20 for scene in scenes)
    assert sum(lists["val100"]["category_counts"].values()) == 100


def test_val100_takes_a_home_with_risers(shards: dict[str, dict[str, Any]]) -> None:
    content = json.loads(json.dumps(shards))
    for name, item in content.items():
        for episode in item["episodes"]:
            episode["info"]["climbs"] = name == "home_11"
    assert "home_11" in build_lists(content)["val100"]["scenes"]
    assert all(row["scene_id"] != "home_11" for row in build_lists(content)["smoke"]["episodes"])


def test_lists_need_enough_homes(shards: dict[str, dict[str, Any]]) -> None:
    with pytest.raises(DataError, match="at least five homes"):
        build_lists({name: shards[name] for name in list(shards)[:4]})
    for item in (few := json.loads(json.dumps(shards))).values():
        item["episodes"] = item["episodes"][:19]
    with pytest.raises(DataError, match=r"no three homes|needs 20 episodes"):
        build_lists(few)
