from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bodyloop.errors import ArtifactError, MotionError
from bodyloop.household.bundle import load_bundle
from bodyloop.household.replay_manifest import (
    MANIFEST_NAME,
    AssetFile,
    build_replay_metadata,
    clear_rollout_artifacts,
    load_manifest,
    load_rollout_record,
    rewrite_replay_manifest,
    rollout_artifact_names,
)
from bodyloop.household.trajectory import InitialObject, ReplayInitialState, TrajectoryRecorder
from bodyloop.household.trajectory_arrays import condition_json, scalar_condition
from bodyloop.household.types import FindNavInteractEpisode, SkillCall
from bodyloop.motion.types import GeneratedMotion
from bodyloop.records.files import load_npz, sha256_file
from bodyloop.records.record import Outcome, RolloutRecord

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "trajectory" / "schema.json").read_text())

RECORD = RolloutRecord(
    suite="household",
    episode_id="home_01_ep_7_couch",
    group="home_01",
    rollout_index=0,
    seed=2**63 + 5,
    folder="home_01_ep_7_couch/rollout_00",
    model="oracle",
    outcome=Outcome.SUCCESS,
    privileged=True,
    metrics={"nav_sr_20cm": True, "final_body_target_aabb_distance_m": 0.1},
    tags={"category": "couch"},
    fingerprint="f" * 64,
    volatile={"wall_s": 12.5},
)


def metadata(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "profile": "homes_v1",
        "episode": episode(),
        "rollout_index": 0,
        "seed": RECORD.seed,
        "physics": {"backend": "hp", "fps": 30.0},
        "rendering": {"ego_fov_vertical_deg": 100.0},
        "agent": {"model": "oracle", "prompt_version": "v1", "verifier_version": "none"},
        "assets": {},
        "fingerprint": RECORD.fingerprint,
        "body_sha256": "b" * 64,
        "video_enabled": False,
        "compute_metrics": True,
    }
    return build_replay_metadata(**fields | changes)


def episode(**changes: Any) -> FindNavInteractEpisode:
    fields = {
        "name": "find_nav_interact_demo_ep7",
        "task_type": "find_nav_interact",
        "instruction": "Find the couch.",
        "scene_id": "scenes/demo.scene_instance.json",
        "scene_label": "demo",
        "scene_dataset_config": "demo.scene_dataset_config.json",
        "episode_id": "7",
        "object_category": "couch",
        "object_label": "couch",
        "init_offset": (-1.5, 2.25, 0.4),
        "init_yaw": 132.5,
        "max_steps": 100,
        "goals": (),
        "viewpoint_positions": (),
        "goal_objects": (),
        "dataset_start_position": (0.0, 0.0, 0.0),
        "dataset_start_rotation_xyzw": (0.0, 0.0, 0.0, 1.0),
        "geodesic_distance": None,
    }
    return FindNavInteractEpisode(**fields | changes)


def body(frames: int, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    shapes = {"transl": (frames, 3), "global_orient": (frames, 3), "body_pose": (frames, 54, 3)}
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def pose(frames: int, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {"position": random.normal(size=(frames, 3)), "rotation": random.normal(size=(frames, 4))}


WALK = SkillCall("walk_forward", [0.0, 0.4, 0.0], action_name="Walk<forward><normal>")


def recorder(steps: tuple[int, ...] = (0, 1), *, failed: tuple[int, ...] = (), qpos: bool = True) -> TrajectoryRecorder:
    initial = ReplayInitialState(
        xb_world_75=np.arange(75),
        human_transl=np.zeros(3),
        human_global_orient=np.zeros(3),
        human_body_pose=np.zeros((54, 3)),
        root_linear_velocity_m_s=[1.0, 2.0, 3.0],
        objects=[
            InitialObject("table_:0001", 4, [1, 2, 3], [0, 0, 0, 1]),
            InitialObject("ball_:0000", 9, [0, 0, 0], [0, 0, 0, 1]),
        ],
        integration_state=np.linspace(0, 1, 11),
    )
    made = TrajectoryRecorder(metadata(), initial)
    for step in steps:
        made.record_before(
            step, GeneratedMotion("walk_forward", 0.4, np.full((15, 75), step, np.float32), 100 + step), WALK
        )
        if step not in failed:
            objects = {"ball_:0000": pose(15, step), "table_:0001": pose(15, step + 50)}
            made.record_after(step, body(15, step), objects, np.full((15, 9), 0.1 + step) if qpos else None)
    return made


def kinds(arrays: Mapping[str, np.ndarray]) -> dict[str, list[Any]]:
    names = {"f": "float", "i": "int", "U": "text"}
    return {
        k: [names[a.dtype.kind] + ("" if a.dtype.kind == "U" else str(8 * a.dtype.itemsize)), list(a.shape)]
        for k, a in arrays.items()
    }


EXTRAS = {"x_initial_state": ["float64", [0]]}


def test_an_empty_rollout_has_every_published_array_with_its_type() -> None:
    trajectory = TrajectoryRecorder({}).materialize()
    before = dict(SCHEMA["empty_recorder"]["before"])
    after = dict(SCHEMA["empty_recorder"]["after"])
    for schema in (before, after):
        for name, (kind, shape) in schema.items():
            # The reference turns text columns of zero rows into float64.
            schema[name] = ["text" if kind == "float64" else kind, shape]
    assert kinds(trajectory.before) == before | EXTRAS
    assert kinds(trajectory.after) == after | {"x_qpos": ["float64", [0, 0]]}


def test_a_rollout_has_every_published_array_with_its_type() -> None:
    made = recorder(steps=(0, 1, 2, 4))
    before, after = kinds(made.materialize().before), kinds(made.materialize().after)
    published = {k: v for k, v in SCHEMA["before_schema"].items() if not k.startswith("initial_")}
    assert {k: before[k] for k in published} == published
    assert {k: before[k][0] for k in SCHEMA["before_schema"]} == {k: v[0] for k, v in SCHEMA["before_schema"].items()}
    published = {k: v for k, v in SCHEMA["after_schema"].items() if not k.startswith("object_")}
    assert {k: after[k] for k in published} == published
    assert after["object_001_rotation"] == ["float32", [60, 4]]


def test_frames_actions_and_objects_are_where_they_belong() -> None:
    made = recorder(steps=(0, 3))
    before, after = made.materialize().before, made.materialize().after
    assert before["step_indices"].tolist() == [0, 3]
    assert before["step_starts"].tolist() == [0, 15]
    assert before["step_action_text"].tolist() == ["Walk<forward><normal>"] * 2
    assert after["frame_step"].tolist() == [0] * 15 + [3] * 15
    assert after["object_names"].tolist() == ["ball_:0000", "table_:0001"]
    assert before["initial_object_ids"].tolist() == [9, 4]
    assert np.array_equal(after["object_001_position"][15:], pose(15, 53)["position"].astype(np.float32))
    # Velocities are stored in Habitat axes: (-x, z, y) of the trajectory frame.
    assert before["initial_human_root_linear_velocity"].tolist() == [-1.0, 3.0, 2.0]
    assert np.isnan(before["initial_human_root_angular_velocity"]).all()
    assert before["x_initial_state"].dtype == after["x_qpos"].dtype == np.float64
    assert after["x_qpos"].shape == (30, 9)


def test_an_object_that_is_absent_in_a_chunk_is_nan_there() -> None:
    made = TrajectoryRecorder({})
    made.record_after(0, body(2), {"late": pose(2)})
    made.record_after(1, body(3), {"other": pose(3)})
    after = made.materialize().after
    assert np.isnan(after["object_000_position"][2:]).all()
    assert np.isnan(after["object_001_rotation"][:2]).all()
    assert np.isfinite(after["object_001_rotation"][2:]).all()


def test_more_than_a_thousand_objects_keep_their_order() -> None:
    names = [f"cup_:{index:05d}" for index in range(1003)]
    made = TrajectoryRecorder({})
    made.record_after(
        0,
        body(1),
        {name: {"position": np.full((1, 3), i), "rotation": np.zeros((1, 4))} for i, name in enumerate(names)},
    )
    tracks = made.materialize().object_tracks()
    assert list(tracks) == names
    assert tracks["cup_:01002"].positions_m.tolist() == [[1002.0] * 3]


def test_tracks_know_the_pose_before_the_first_frame() -> None:
    track = recorder().materialize().object_tracks()["table_:0001"]
    assert track.initial_position_m.tolist() == [1.0, 2.0, 3.0]
    assert track.positions_m.shape == (30, 3)


BAD: dict[str, Any] = {
    "before xb (75,)": lambda r: r.record_before(0, np.zeros(75), WALK),
    "before xb (2, 74)": lambda r: r.record_before(0, np.zeros((2, 74)), WALK),
    "before xb (2, 219)": lambda r: r.record_before(0, np.zeros((2, 219)), WALK),
    "before xb (0, 75)": lambda r: r.record_before(0, np.zeros((0, 75)), WALK),
    "after transl (3,)": lambda r: r.record_after(0, body(3) | {"transl": np.zeros(3)}),
    "after orient length differs": lambda r: r.record_after(0, body(3) | {"global_orient": np.zeros((2, 3))}),
    "after pose (3,162)": lambda r: r.record_after(0, body(3) | {"body_pose": np.zeros((3, 162))}),
    "after pose (3,55,3)": lambda r: r.record_after(0, body(3) | {"body_pose": np.zeros((3, 55, 3))}),
    "after without body": lambda r: r.record_after(0, {}),
    "object position length differs": lambda r: r.record_after(
        0, body(3), {"a": pose(3) | {"position": np.zeros((2, 3))}}
    ),
    "object rotation (3,3)": lambda r: r.record_after(0, body(3), {"a": pose(3) | {"rotation": np.zeros((3, 3))}}),
    "object without rotation": lambda r: r.record_after(0, body(3), {"a": {"position": np.zeros((3, 3))}}),
    "objects None": lambda r: r.record_after(0, body(3), None),
    "good": lambda r: r.record_after(0, body(3), {"a": pose(3)}),
    "initial pose of 74 numbers": lambda r: TrajectoryRecorder({}, ReplayInitialState(xb_world_75=np.zeros(74))),
    "initial pose (1,75)": lambda r: TrajectoryRecorder({}, ReplayInitialState(xb_world_75=np.zeros((1, 75)))),
}


@pytest.mark.parametrize("row", SCHEMA["recorder_errors"], ids=lambda row: row["case"])
def test_shapes_are_checked_as_published(row: dict[str, Any]) -> None:
    made = TrajectoryRecorder({})
    if row["ok"]:
        BAD[row["case"]](made)
    else:
        with pytest.raises(ValueError):
            BAD[row["case"]](made)
        assert len(made.materialize().before["xb_world_75"]) == len(made.materialize().after["transl"]) == 0


def test_exact_positions_must_come_with_every_chunk() -> None:
    made = TrajectoryRecorder({})
    made.record_after(0, body(2), qpos=np.zeros((2, 9)))
    for qpos in (None, np.zeros((2, 8)), np.zeros((3, 9))):
        with pytest.raises(MotionError, match="qpos"):
            made.record_after(1, body(2), qpos=qpos)


def test_condition_columns_agree_with_the_reference() -> None:
    values = {"np.float32(0.5)": np.float32(0.5), "np.int64(3)": np.int64(3), "array([1., 2.])": np.array([1.0, 2.0])}
    values["{'a': np.float64(1.0)}"] = {"a": np.float64(1.0)}
    for row in SCHEMA["condition_columns"]:
        value = values.get(row["cond_repr"])
        value = json.loads(row["action_cond_json"]) if value is None else value
        assert condition_json(value) == row["action_cond_json"]
        number = scalar_condition(value)
        if isinstance(row["action_cond"], dict):
            assert np.isnan(number), row
        else:
            assert np.float32(number) == row["action_cond"]


def test_the_whole_reference_bundle_is_reproduced(conformance_dir: Path) -> None:
    data = np.load(conformance_dir / "household" / "trajectory.npz")
    meta = json.loads((conformance_dir / "household" / "trajectory.json").read_text())["input_meta"]
    names = meta["object_names_in_input_order"]
    human, habitat = "in/initial/human", lambda v: np.array([-v[0], v[2], v[1]])
    objects = [
        InitialObject(
            name,
            meta["object_ids"][i],
            data[f"in/initial/object/{i}/position"],
            data[f"in/initial/object/{i}/rotation"],
            habitat(data[f"in/initial/object/{i}/linear_velocity"]),
            habitat(data[f"in/initial/object/{i}/angular_velocity"]),
            meta["object_motion_type"],
        )
        for i, name in enumerate(names)
    ]
    initial = ReplayInitialState(
        data["in/initial/xb_world_75"],
        data[f"{human}/transl"],
        data[f"{human}/global_orient"],
        data[f"{human}/body_pose"],
        habitat(data[f"{human}/root_linear_velocity"]),
        habitat(data[f"{human}/root_angular_velocity"]),
        data[f"{human}/joint_velocities"],
        objects,
    )
    info = metadata(episode=episode(), profile="paper_fullval_v1")
    made = TrajectoryRecorder(info, initial)
    for action in meta["actions"]:
        step = action["step"]
        call = SkillCall(
            action["skill"], action["cond"], action_id=action["action_id"], action_name=action["action_name"]
        )
        made.record_before(step, data[f"in/step{step}/xb_world_75"], call)
        parts = {k: data[f"in/step{step}/after_{k}"] for k in ("transl", "global_orient", "body_pose")}
        keys = {
            i: f"in/step{step}/object/{i}" for i in range(len(names)) if f"in/step{step}/object/{i}/position" in data
        }
        made.record_after(
            step, parts, {names[i]: {p: data[f"{k}/{p}"] for p in ("position", "rotation")} for i, k in keys.items()}
        )
    for side, arrays in (("before", made.materialize().before), ("after", made.materialize().after)):
        expected = {key.removeprefix(f"{side}/"): data[key] for key in data.files if key.startswith(f"{side}/")}
        assert {k for k in arrays if not k.startswith("x_")} == set(expected)
        for name, array in expected.items():
            assert np.array_equal(arrays[name], array, equal_nan=array.dtype.kind == "f"), name


def test_the_manifest_has_the_published_blocks_and_the_missing_ones(tmp_path: Path, conformance_dir: Path) -> None:
    published = json.loads((conformance_dir / "household" / "trajectory.json").read_text())["manifest_without_files"]
    recorder().write(tmp_path, RECORD)
    manifest = load_manifest(tmp_path)
    assert published.keys() <= manifest.keys()
    for block in ("episode", "execution", "replay", "initial_state"):
        assert manifest[block].keys() == published[block].keys()
    assert manifest["episode"] == published["episode"]
    # The reference labels the Z-up arrays as Y up.
    assert manifest["coordinate_frames"]["trajectory_after"].startswith("trajectory frame: Z up")


def test_the_manifest_names_what_a_replay_depends_on(tmp_path: Path) -> None:
    (tmp_path / "step000_percept_mid_low.json").write_text("{}")
    recorder().write(tmp_path, RECORD)
    manifest = load_manifest(tmp_path)
    assert manifest["motion"]["noise_seeds"] == [[0, 100], [1, 101]]
    assert manifest["instruction"] == "Find the couch."
    assert {"bodyloop", "mujoco", "numpy"} <= manifest["versions"].keys()
    assert manifest["files"]["step000_percept_mid_low.json"]["sha256"] == sha256_file(
        tmp_path / "step000_percept_mid_low.json"
    )
    assert (manifest["body"]["sha256"], manifest["fingerprint"]) == ("b" * 64, "f" * 64)


def test_assets_are_hashed_and_no_machine_path_is_written(tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text("{}")
    assets = {"scene": AssetFile(str(scene), scene), "missing": AssetFile("data/none.json", tmp_path / "none.json")}
    info = metadata(assets=assets, episode=episode(scene_id=str(scene), scene_dataset_config=r"C:\data\homes.json"))
    assert info["assets"]["scene"] == {"path": "scene.json", "size_bytes": 2, "sha256": sha256_file(scene)}
    assert info["assets"]["missing"] == {"path": "data/none.json"}
    assert info["episode"]["scene_id"] == "scene.json"
    assert info["episode"]["scene_dataset_config"] == "homes.json"
    assert str(tmp_path) not in json.dumps(info)


def test_written_record_equals_the_one_read_back(tmp_path: Path) -> None:
    (tmp_path / "metrics.json").write_text("{}")
    written = recorder().write(tmp_path, RECORD)
    assert load_rollout_record(tmp_path).canonical() == written.canonical()
    assert [a.path for a in written.artifacts] == [
        "metrics.json",
        "trajectory_after.npz",
        "trajectory_before.npz",
        MANIFEST_NAME,
    ]
    bundle = load_bundle(tmp_path)
    assert bundle.record.canonical() == written.canonical()
    assert bundle.complete_steps == [0, 1]


def test_equal_rollouts_leave_equal_bytes_also_when_written_twice(tmp_path: Path) -> None:
    for name in ("a", "b"):
        recorder().write(tmp_path / name, RECORD)
    made = recorder()
    made.write(tmp_path / "b", RECORD)
    made.write(tmp_path / "b", RECORD)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "b").iterdir())
    assert all((tmp_path / "a" / f).read_bytes() == (tmp_path / "b" / f).read_bytes() for f in files)


@pytest.mark.parametrize("steps", [(), (0,), (0, 1, 2)])
def test_a_rollout_that_failed_early_still_loads(tmp_path: Path, steps: tuple[int, ...]) -> None:
    recorder(steps, failed=steps[-1:]).write(tmp_path, RECORD)
    bundle = load_bundle(tmp_path)
    assert bundle.complete_steps == list(steps[:-1])
    assert len(bundle.trajectory.before["xb_world_75"]) == 15 * len(steps)
    assert bundle.trajectory.before["x_initial_state"].shape == (11,)


def test_archives_load_without_pickle(tmp_path: Path) -> None:
    recorder().write(tmp_path, RECORD)
    for name in ("trajectory_before.npz", "trajectory_after.npz"):
        with np.load(tmp_path / name, allow_pickle=False) as archive:
            assert all(archive[key].dtype.kind in "fiU" for key in archive.files)
    meta = json.loads(str(load_npz(tmp_path / "trajectory_before.npz")["meta_json"]))
    assert (meta["schema"], meta["episode"]["episode_id"]) == ("humanclaw_trajectory_before_v2", "7")


def test_damage_is_named(tmp_path: Path) -> None:
    recorder().write(tmp_path, RECORD)
    path = tmp_path / "trajectory_after.npz"
    original = path.read_bytes()
    path.write_bytes(original[:-1] + bytes([original[-1] ^ 1]))
    with pytest.raises(ArtifactError, match=r"trajectory_after\.npz does not match"):
        load_bundle(tmp_path)
    path.unlink()
    with pytest.raises(ArtifactError, match=r"trajectory_after\.npz is missing"):
        load_bundle(tmp_path)
    (tmp_path / MANIFEST_NAME).write_text('{"schema": "other"}')
    with pytest.raises(ArtifactError, match="schema"):
        load_bundle(tmp_path)
    (tmp_path / MANIFEST_NAME).write_text('{"schema": "humanclaw_replay_v1"}')
    with pytest.raises(ArtifactError, match="no usable rollout record"):
        load_rollout_record(tmp_path)
    (tmp_path / MANIFEST_NAME).unlink()
    with pytest.raises(ArtifactError, match="did not finish"):
        load_manifest(tmp_path)


def test_rescoring_renews_files_and_record(tmp_path: Path) -> None:
    recorder().write(tmp_path, RECORD)
    (tmp_path / "metrics.json").write_text("{}")
    renewed = rewrite_replay_manifest(tmp_path, RECORD)
    assert "metrics.json" in [a.path for a in renewed.artifacts]
    assert load_bundle(tmp_path).record.canonical() == renewed.canonical()


def test_clearing_removes_only_what_a_rollout_owns(tmp_path: Path) -> None:
    mine = ["step000_verifier.json", "step1000_percept_mid_low.json", "metrics.json", "ego.mp4", MANIFEST_NAME]
    foreign = ["notes.txt", "step0_verifier.json", "step000_other.json"]
    for name in (*mine, *foreign):
        (tmp_path / name).touch()
    assert rollout_artifact_names(tmp_path) == sorted(mine)
    clear_rollout_artifacts(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(foreign)
    clear_rollout_artifacts(tmp_path / "not there")


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.sets(st.sampled_from("abc"))), max_size=5))
def test_any_sequence_of_chunks_materializes_consistently(chunks: list[tuple[int, set[str]]]) -> None:
    made = TrajectoryRecorder({})
    for step, (frames, names) in enumerate(chunks):
        made.record_after(step, body(frames), {name: pose(frames) for name in names})
    after = SimpleNamespace(**made.materialize().after)
    total = sum(frames for frames, _ in chunks)
    assert len(after.transl) == len(after.frame_step) == total == after.step_lengths.sum()
    assert after.object_names.tolist() == sorted(set().union(*(names for _, names in chunks)))
    finite = [np.isfinite(track.positions_m).all(axis=1).sum() for track in made.materialize().object_tracks().values()]
    assert finite == [sum(f for f, names in chunks if n in names) for n in after.object_names.tolist()]
