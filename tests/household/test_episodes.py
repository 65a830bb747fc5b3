"""Episodes: listing, selection, loading, instructions, and every way a file can be wrong."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.errors import BodyloopError, ConfigError, DataError, MissingFileError, UnknownNameError
from bodyloop.household.dataset import EpisodeDataset, open_dataset, write_manifest
from bodyloop.household.episode_files import (
    category_label,
    category_maps,
    header_content,
    init_offset_formula,
    init_yaw_formula,
    parse_shard,
    read_shard,
    scene_label,
    short_scene_id,
    template_hash,
    write_gzip_json,
    write_shard,
)
from bodyloop.household.episodes import (
    EpisodeRow,
    apply_instruction_version,
    list_episode_specs,
    load_episode,
    load_episode_subset,
    load_episodes,
    normalize_instruction_version,
    select_episodes,
)
from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.scenes.bare_room import bare_room
from bodyloop.scenes.codec import save_scene, scene_sha256

DATA = Path(__file__).parents[1] / "data" / "episodes"


def make_goal(object_id: int, category: str, points: int = 2) -> dict[str, Any]:
    return {
        "position": [1.0, 0.4, float(object_id)],
        "object_id": object_id,
        "object_name": f"{category}-ab12_:{object_id:04d}",
        "object_category": category,
        "view_points": [
            {"agent_state": {"position": [0.5 * k, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0]}, "iou": 0.5}
            for k in range(points)
        ],
    }


def make_episode(scene: str, number: int, category: str) -> dict[str, Any]:
    return {
        "episode_id": str(number),
        "scene_id": scene,
        "scene_dataset_config": "",
        "start_position": [1.0, 0.17, -2.0],
        "start_rotation": [0.0, 1.0, 0.0, 0.0],
        "info": {"geodesic_distance": 3.5, "euclidean_distance": 3.0, "closest_goal_object_id": 0},
        "object_category": category,
        "init_offset": [-1.0, -2.0, 0.17],
        "init_yaw": 180.0,
        "difficulty": {"distance": "easy", "choices": "easy", "obstacles": "hard", "label": "medium"},
    }


def make_shard(scene: str, categories: tuple[str, ...] = ("bed", "tv", "bed")) -> dict[str, Any]:
    unique = list(dict.fromkeys(categories))
    return {
        "episodes": [make_episode(scene, k, category) for k, category in enumerate(categories)],
        "goals_by_category": {f"{scene}_{c}": [make_goal(k, c)] for k, c in enumerate(unique)},
        **category_maps(),
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    split = tmp_path / "episodes" / "val"
    write_gzip_json(split / "val.json.gz", header_content())
    for scene in ("home_02", "home_01"):
        write_shard(split / "content" / f"{scene}.json.gz", make_shard(scene))
    lists = tmp_path / "lists"
    lists.mkdir()
    rows = [{"scene_id": "home_02", "episode_id": "1", "object_category": "tv"}]
    (lists / "smoke.json").write_text(json.dumps({"schema": "bodyloop_episode_subset_v1", "episodes": rows}))
    return tmp_path


@pytest.fixture
def dataset(root: Path) -> EpisodeDataset:
    return open_dataset(root)


def replace_shard(root: Path, scene: str, content: Any) -> None:
    write_gzip_json(root / "episodes" / "val" / "content" / f"{scene}.json.gz", content)


def test_rows_follow_file_names_and_shards(dataset: EpisodeDataset) -> None:
    rows = list_episode_specs(dataset)
    assert [(r.scene_id, r.episode_id, r.object_category) for r in rows] == [
        (scene, episode, category)
        for scene in ("home_01", "home_02")
        for episode, category in (("0", "bed"), ("1", "tv"), ("2", "bed"))
    ]


def test_loaded_episode(dataset: EpisodeDataset) -> None:
    episode = load_episode(dataset, "home_01", "1", max_steps=7)
    assert episode.name == "find_nav_interact_home_01_ep1"
    assert (episode.scene_id, episode.object_label, episode.max_steps) == ("home_01", "TV", 7)
    assert episode.goal_objects[0].template_hash == "tv-ab12"
    assert episode.goal_objects[0].object_id == 1
    assert episode.viewpoint_positions == ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0))
    assert episode.goals[0]["object_name"] == "tv-ab12_:0001"
    assert episode.difficulty["label"] == "medium"
    assert episode.geodesic_distance == 3.5


def test_position_counts_within_the_category(dataset: EpisodeDataset) -> None:
    assert load_episode(dataset, "home_01", 1, object_category="bed").episode_id == "2"
    assert load_episode(dataset, "home_01", object_category="tv").episode_id == "1"
    assert load_episode(dataset, "home_01").episode_id == "0"
    with pytest.raises(DataError, match=r"position 2 is out of range; use 0 to 1"):
        load_episode(dataset, "home_01", 2, object_category="bed")
    with pytest.raises(DataError, match="position -1"):
        load_episode(dataset, "home_01", -1)


def test_unknown_names_suggest_the_nearest(dataset: EpisodeDataset) -> None:
    with pytest.raises(MissingFileError, match="did you mean 'home_01'"):
        load_episode(dataset, "home_1", "0")
    with pytest.raises(UnknownNameError, match="home_01"):
        load_episode(dataset, "home_01", "9")
    with pytest.raises(UnknownNameError, match="did you mean 'bed'"):
        load_episode(dataset, "home_01", object_category="beds")


def test_many_episodes_equal_single_ones(dataset: EpisodeDataset) -> None:
    rows = list_episode_specs(dataset)[::-1]
    many = list(load_episodes(dataset, rows, instruction_version="v1"))
    single = [load_episode(dataset, r.scene_id, r.episode_id, instruction_version="v1") for r in rows]
    assert many == single


def test_missing_spawn_fields_follow_the_formulas(root: Path) -> None:
    shard = make_shard("home_01")
    del shard["episodes"][0]["init_offset"], shard["episodes"][0]["init_yaw"]
    replace_shard(root, "home_01", shard)
    episode = load_episode(open_dataset(root), "home_01", "0")
    assert episode.init_offset == (-1.0, -2.0, 0.0)
    assert episode.init_yaw == pytest.approx(180.0)


def test_instruction_versions(dataset: EpisodeDataset) -> None:
    bed, tv = (load_episode(dataset, "home_01", name) for name in ("0", "1"))
    sitting = apply_instruction_version(bed, " V1 ")
    assert sitting.instruction.startswith(bed.instruction)
    assert sitting.instruction.endswith("sit down on the bed.")
    assert apply_instruction_version(sitting, "1") == sitting
    assert apply_instruction_version(sitting, "v0") == bed
    assert apply_instruction_version(tv, "v1") == tv
    with pytest.raises(UnknownNameError, match="v2"):
        apply_instruction_version(bed, "v2")


@given(st.text(max_size=6))
def test_versions_are_v0_or_v1_or_refused(text: str) -> None:
    try:
        assert normalize_instruction_version(text) in ("v0", "v1")
    except UnknownNameError:
        assert text.strip().lower() not in ("", "0", "1", "v0", "v1")


def edited(*path: Any, value: Any = None, drop: bool = False) -> Any:
    def edit(shard: dict[str, Any]) -> dict[str, Any]:
        item: Any = shard
        for step in path[:-1]:
            item = item[step]
        if drop:
            del item[path[-1]]
        else:
            item[path[-1]] = value
        return shard

    return edit


BROKEN = {
    "no episodes field": (edited("episodes", drop=True), "episodes: Field required"),
    "empty": (edited("episodes", value=[]), "episodes: the shard holds no episode"),
    "no start": (edited("episodes", 1, "start_position", drop=True), r"episodes\[1\].start_position: Field required"),
    "short start": (edited("episodes", 0, "start_position", value=[1, 2]), r"episodes\[0\].start_position"),
    "text start": (edited("episodes", 0, "start_position", 1, value="0"), r"episodes\[0\].start_position\[1\]"),
    "true start": (edited("episodes", 0, "start_position", 1, value=True), r"episodes\[0\].start_position\[1\]"),
    "bad offset": (edited("episodes", 0, "init_offset", value=[1.0, 2.0]), r"episodes\[0\].init_offset"),
    "offset text": (edited("episodes", 0, "init_offset", value="x"), r"episodes\[0\].init_offset"),
    "yaw text": (edited("episodes", 0, "init_yaw", value="east"), r"episodes\[0\].init_yaw"),
    "number id": (edited("episodes", 0, "episode_id", value=0), r"episodes\[0\].episode_id"),
    "double id": (edited("episodes", 1, "episode_id", value="0"), r"episodes\[1\].episode_id: '0' occurs twice"),
    "other scene": (edited("episodes", 1, "scene_id", value="home_09"), r"episodes\[1\].scene_id: names 'home_09'"),
    "no rotation": (edited("episodes", 0, "start_rotation", value=[0, 0, 0, 0]), r"episodes\[0\].start_rotation"),
    "goal id": (
        edited("goals_by_category", "home_01_bed", 0, "object_id", value=-1),
        r"goals_by_category.home_01_bed\[0\].object_id",
    ),
    "goal centre": (edited("goals_by_category", "home_01_bed", 0, "position", drop=True), r"\[0\].position"),
    "array": (lambda shard: [shard], "content: "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_shards_name_file_and_field(root: Path, name: str) -> None:
    edit, message = BROKEN[name]
    replace_shard(root, "home_01", edit(make_shard("home_01")))
    with pytest.raises(DataError, match=message) as caught:
        list_episode_specs(open_dataset(root))
    assert "home_01.json.gz" in str(caught.value)
    assert "build-homes" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_are_finite(root: Path, number: str) -> None:
    text = json.dumps(make_shard("home_01")).replace("0.17", number, 1)
    path = root / "episodes" / "val" / "content" / "home_01.json.gz"
    path.write_bytes(gzip.compress(text.encode()))
    with pytest.raises(DataError, match=f"holds {number}"):
        read_shard(path)


def test_overflowing_numbers_are_refused(root: Path) -> None:
    text = json.dumps(make_shard("home_01")).replace("0.17", "1e999", 1)
    path = root / "episodes" / "val" / "content" / "home_01.json.gz"
    path.write_bytes(gzip.compress(text.encode()))
    with pytest.raises(DataError, match=r"episodes\[0\].start_position\[1\]"):
        read_shard(path)


@pytest.mark.parametrize("cut", ["text", "tail", "flip", "json", "binary"])
def test_corrupt_files(root: Path, cut: str) -> None:
    path = root / "episodes" / "val" / "content" / "home_01.json.gz"
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        {
            "text": b"hello",
            "tail": data[:-20],
            "flip": data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :],
            "json": gzip.compress(b'{"episodes": ['),
            "binary": gzip.compress(b"\xff\xfe\x00"),
        }[cut]
    )
    with pytest.raises(DataError, match=r"home_01.json.gz"):
        read_shard(path)


@given(st.binary(max_size=60))
def test_any_bytes_give_one_clear_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("shard") / "x.json.gz"
    path.write_bytes(gzip.compress(data) if data[:1] < b"\x80" else data)
    with pytest.raises(BodyloopError, match=r"x.json.gz"):
        read_shard(path)


def test_targets_need_goals_and_view_points(root: Path) -> None:
    shard = make_shard("home_01")
    shard["goals_by_category"]["home_01_bed"] = []
    shard["goals_by_category"]["home_01_tv"][0]["view_points"] = []
    replace_shard(root, "home_01", shard)
    dataset = open_dataset(root)
    with pytest.raises(DataError, match=r"episode 0: goals_by_category\['home_01_bed'\] has no goal"):
        load_episode(dataset, "home_01", "0")
    with pytest.raises(DataError, match="has no view point"):
        load_episode(dataset, "home_01", "1")


finite = st.floats(-100, 100, allow_nan=False)


@given(
    st.lists(st.tuples(finite, finite, finite, st.floats(-180, 180), st.sampled_from(["bed", "tv"])), min_size=1),
)
def test_written_shards_read_back(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    shard = make_shard("s", tuple(row[4] for row in rows))
    for episode, (x, y, z, yaw, _) in zip(shard["episodes"], rows, strict=True):
        episode.update(start_position=[x, y, z], init_offset=[-x, z, y], init_yaw=yaw)
    path = tmp_path_factory.mktemp("shard") / "s.json.gz"
    write_shard(path, shard)
    first = path.read_bytes()
    loaded = read_shard(path)
    write_shard(path, shard)
    assert path.read_bytes() == first
    for episode, (x, y, z, yaw, category) in zip(loaded.episodes, rows, strict=True):
        assert (episode.start_position, episode.init_yaw, episode.object_category) == ((x, y, z), yaw, category)
    assert loaded.raw_goals == shard["goals_by_category"]


def test_writing_refuses_what_reading_would(tmp_path: Path) -> None:
    shard = make_shard("s")
    del shard["episodes"][0]["start_rotation"]
    with pytest.raises(DataError, match="start_rotation"):
        write_shard(tmp_path / "s.json.gz", shard)
    assert not list(tmp_path.iterdir())


@given(st.floats(-math.pi, math.pi))
def test_yaw_formula_inverts_the_rotation(yaw: float) -> None:
    found = init_yaw_formula([0.0, math.sin(yaw / 2), 0.0, math.cos(yaw / 2)])
    assert -180.0 < found <= 180.0
    assert math.cos(math.radians(found) - yaw) == pytest.approx(1.0, abs=1e-12)


# Selection


def test_one_takes_the_first_row(dataset: EpisodeDataset) -> None:
    assert select_episodes(dataset) == (EpisodeRow("home_01", "0", "bed"),)
    assert select_episodes(dataset, "ONE", scene_id="home_02", episode_id="2") == (EpisodeRow("home_02", "2", "bed"),)


def test_one_with_filters_needs_exactly_one_match(dataset: EpisodeDataset) -> None:
    with pytest.raises(ConfigError, match=r"object_category='bed' match 4 episodes, but must match exactly one"):
        select_episodes(dataset, "one", object_category="bed")
    with pytest.raises(ConfigError, match=r"match 0 episodes.*did you mean 'home_02'"):
        select_episodes(dataset, "one", scene_id="home_002")


def test_lists_and_filters(dataset: EpisodeDataset, tmp_path: Path) -> None:
    assert len(select_episodes(dataset, "fullval")) == 6
    assert len(select_episodes(dataset, "FullVal", object_category="bed")) == 4
    assert select_episodes(dataset, "Smoke") == (EpisodeRow("home_02", "1", "tv"),)
    with pytest.raises(ConfigError, match="match 0 episodes"):
        select_episodes(dataset, "smoke", object_category="bed")
    rows = [{"scene_id": "home_02", "episode_id": e, "object_category": "bed"} for e in ("2", "0")]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"episodes": rows}))
    assert [row.episode_id for row in select_episodes(dataset, str(path))] == ["2", "0"]


ROW = {"scene_id": "home_01", "episode_id": "0", "object_category": "bed"}
BAD_LISTS = [
    ("not JSON", "{", "not valid JSON"),
    ("array", [ROW], "episodes: must be an array"),
    ("no array", {"episodes": ROW}, "episodes: must be an array"),
    ("row", {"episodes": ["home_01"]}, r"episodes\[0\]: must be an object"),
    ("number", {"episodes": [{**ROW, "episode_id": 0}]}, r"episodes\[0\].episode_id: must be text"),
    ("missing", {"episodes": [{"scene_id": "home_01"}]}, r"episodes\[0\].episode_id: must be text"),
    ("double", {"episodes": [ROW, ROW]}, r"episodes\[1\]: the row occurs twice"),
    ("category", {"episodes": [{**ROW, "object_category": "tv"}]}, r"episodes\[0\]: no episode '0' of category 'tv'"),
    ("scene", {"episodes": [{**ROW, "scene_id": "x"}]}, r"episodes\[0\]: no episode .* in scene 'x'"),
    ("count", {"episodes": [ROW], "n_episodes": 2}, "n_episodes: says 2, but there are 1 rows"),
    ("schema", {"episodes": [ROW], "schema": "other"}, "schema: 'other' is not known"),
    ("empty", {"episodes": []}, "the list is empty"),
]


@pytest.mark.parametrize(("content", "message"), [row[1:] for row in BAD_LISTS], ids=[row[0] for row in BAD_LISTS])
def test_bad_lists(dataset: EpisodeDataset, tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(DataError, match=message) as caught:
        load_episode_subset(path, dataset)
    assert "list.json" in str(caught.value)


def test_unknown_lists(dataset: EpisodeDataset) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'smoke'"):
        select_episodes(dataset, "smok")
    with pytest.raises(MissingFileError, match=re.escape("none/list.json: no such list")):
        select_episodes(dataset, "none/list.json")


# Data sets


def test_unknown_data_sets(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'homes_v1'"):
        open_dataset("homes_v2")
    with pytest.raises(MissingFileError, match="episodes/val"):
        open_dataset(tmp_path)
    write_gzip_json(tmp_path / "val" / "val.json.gz", header_content())
    with pytest.raises(MissingFileError, match="no episode shard"):
        open_dataset(tmp_path)
    write_gzip_json(tmp_path / "val" / "val.json.gz", {"episodes": []})
    with pytest.raises(DataError, match="category_to_task_category_id"):
        open_dataset(tmp_path)


def test_manifest_guards_every_file(root: Path) -> None:
    dataset = open_dataset(root)
    dataset.verify()
    plain = dataset.data_sha256()
    write_manifest(root, "test")
    dataset.verify()
    assert dataset.data_sha256() == plain
    smoke = root / "lists" / "smoke.json"
    text = smoke.read_text()
    smoke.write_text(text.replace('"1"', '"2"'))
    with pytest.raises(DataError, match=r"smoke.json: differs"):
        dataset.verify()
    smoke.unlink()
    with pytest.raises(DataError, match=r"smoke.json: listed"):
        dataset.verify()
    smoke.write_text(text)
    (root / "lists" / "more.json").write_text("{}")
    with pytest.raises(DataError, match=r"more.json: not listed"):
        dataset.verify()


def test_manifest_errors(root: Path) -> None:
    dataset = open_dataset(root)
    for text in ("{", "[]", '{"schema": "bodyloop_dataset_v1", "files": {"a": 1}}'):
        (root / "manifest.json").write_text(text)
        with pytest.raises(DataError, match=r"manifest.json"):
            dataset.verify()


def test_missing_scene(dataset: EpisodeDataset) -> None:
    with pytest.raises(MissingFileError, match=r"home_01.json.gz: no such scene"):
        dataset.load_scene("home_01")


def test_scenes_are_loaded_by_id(root: Path) -> None:
    (root / "scenes").mkdir()
    scene = replace(bare_room(), scene_id="home_01")
    save_scene(scene, root / "scenes" / "home_01.json.gz")
    save_scene(scene, root / "scenes" / "home_02.json.gz")
    dataset = open_dataset(root)
    assert scene_sha256(dataset.load_scene("home_01")) == scene_sha256(scene)
    with pytest.raises(DataError, match="describes 'home_01' instead of 'home_02'"):
        dataset.load_scene("home_02")


# Numbers of the published implementation

FUNCTIONS: dict[str, Any] = {
    "template_hash": template_hash,
    "short_scene_id": lambda text: short_scene_id(text, "fallback_9"),
    "scene_label": scene_label,
    "category_label": category_label,
    "init_offset_formula": init_offset_formula,
    "init_yaw_formula": init_yaw_formula,
    "instruction_version": lambda text: normalize_instruction_version(text) == "v1",
}


def check_helpers(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        function = FUNCTIONS[row["fn"]]
        if row["ok"]:
            result = function(row["args"])
            expected = tuple(row["result"]) if isinstance(row["result"], list) else row["result"]
            assert result == (pytest.approx(expected, abs=1e-9) if row["fn"].startswith("init") else expected), row
        else:
            with pytest.raises(ValueError):
                function(row["args"])


def check_spawns(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        offset = init_offset_formula(row["dataset_start_position"])
        assert offset == pytest.approx(row["formula_init_offset"], abs=1e-9)
        yaw = init_yaw_formula(row["dataset_start_rotation_xyzw"])
        assert yaw == pytest.approx(row["formula_init_yaw"], abs=1e-9)
        assert category_label(row["object_category"]) == row["object_label"]


def test_reference_helpers() -> None:
    content = json.loads((DATA / "helpers.json").read_text())
    check_helpers(content["helpers"])
    check_spawns(content["spawns"])


def test_all_reference_helpers(conformance_dir: Path) -> None:
    content = json.loads((conformance_dir / "household" / "episodes.json").read_text())
    check_helpers([row for row in content["helpers"] if row["fn"] != "load_episode"])
    check_spawns(content["episodes"])


@pytest.fixture(scope="module")
def published(published_data_dir: Path) -> EpisodeDataset:
    return open_dataset(published_data_dir / "humanclaw" / "benchmark")


def test_published_shards(published: EpisodeDataset, published_data_dir: Path) -> None:
    facts = json.loads((published_data_dir / "humanclaw" / "facts.json").read_text())
    assert sorted(facts["scenes"]) == list(published.scene_ids)
    assert dict(published.category_ids) == facts["split_header"]["category_to_task_category_id"]
    rows = list_episode_specs(published)
    for scene_id, fact in facts["scenes"].items():
        episodes = list(load_episodes(published, [row for row in rows if row.scene_id == scene_id]))
        check_scene(episodes, fact)
        first = load_episode(published, scene_id)
        for field in ("episode_id", "object_category", "init_yaw", "geodesic_distance"):
            assert getattr(first, field) == fact["first_episode"][field]
        assert list(first.init_offset) == fact["first_episode"]["init_offset"]
        assert list(first.dataset_start_position) == fact["first_episode"]["start_position"]


def check_scene(episodes: list[FindNavInteractEpisode], fact: dict[str, Any]) -> None:
    assert len(episodes) == fact["episodes"]
    assert dict(Counter(episode.object_category for episode in episodes)) == fact["episodes_by_category"]
    lengths = [episode.geodesic_distance for episode in episodes if episode.geodesic_distance is not None]
    assert [min(lengths), max(lengths)] == list(fact["geodesic_distance_m"].values())
    formula = [init_offset_formula(episode.dataset_start_position) for episode in episodes]
    equal = sum(math.dist(a, b.init_offset) <= 1e-6 for a, b in zip(formula, episodes, strict=True))
    assert equal == fact["episodes_with_init_offset_equal_to_formula"]
    assert sum(episode.init_offset[2] != 0.0 for episode in episodes) == fact["episodes_with_nonzero_init_height"]
    goals = {episode.object_category: episode for episode in episodes}
    for category, counts in fact["goals_by_category"].items():
        if category in goals:
            assert len(goals[category].goal_objects) == counts["goals"]
            assert len(goals[category].viewpoint_positions) == counts["view_points"]
    for episode in episodes:
        assert episode.init_yaw == pytest.approx(init_yaw_formula(episode.dataset_start_rotation_xyzw), abs=1e-9)
        assert episode.difficulty == {}


def test_published_records(published: EpisodeDataset, conformance_dir: Path) -> None:
    content = json.loads((conformance_dir / "household" / "episodes.json").read_text())
    rows = [row for row in content["episodes"] if row["scene_id"] in published.scene_ids]
    assert rows
    for row in rows:
        episode = load_episode(published, row["scene_id"], row["episode_id"])
        for name in ("task_type", "scene_id", "scene_label", "object_category", "object_label", "geodesic_distance"):
            assert getattr(episode, name) == row[name]
        assert episode.name == row["name"].removeprefix("hc_")
        assert episode.init_offset == pytest.approx(row["init_offset"], abs=1e-9)
        assert episode.init_yaw == pytest.approx(row["init_yaw"], abs=1e-9)
        assert (len(episode.goals), len(episode.goal_objects)) == (row["n_goals"], row["n_goal_objects"])
        assert len(episode.viewpoint_positions) == row["n_viewpoints"]
        first = row["first_goal_object"]
        assert episode.goal_objects[0].object_name == first["object_name"]
        assert episode.goal_objects[0].template_hash == first["template_hash"]
        assert (apply_instruction_version(episode, "v1") != episode) == row["sit_sentence_added"]


def test_published_list_needs_its_shards(published: EpisodeDataset) -> None:
    with pytest.raises(DataError, match=r"val100.json: episodes\[0\]: no episode"):
        load_episode_subset("val100", published)


def test_parsing_takes_the_scene_from_the_file_name() -> None:
    shard = make_shard("a_b")
    for episode in shard["episodes"]:
        episode["scene_id"] = "data/scenes/a_b.scene_instance.json"
    assert parse_shard(shard, scene_id="a_b", where="x").scene_id == "a_b"
