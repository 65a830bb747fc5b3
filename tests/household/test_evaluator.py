"""The episode loop end to end in the bare room: real body, real physics, real pictures."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bodyloop.errors import AuthenticationError, ModelError
from bodyloop.household.bundle import load_bundle
from bodyloop.records.record import Outcome

FAST, SLOW, STOP = "Walk<forward><fast>", "Walk<forward><slow>", "Stop/Stand"
AT_WALL = {"start": (0.0, -3.0, 0.0), "yaw": 0.0}


def _json(path):
    return json.loads(path.read_text())


def test_stop_at_once_leaves_exactly_the_baseline_files(run):
    record, folder = run([STOP], metrics=False)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "replay_manifest.json",
        "step000_percept_mid_low.json",
        "trajectory_after.npz",
        "trajectory_before.npz",
    ]
    assert record.outcome is Outcome.NOT_EVALUATED
    assert load_bundle(folder).trajectory.before["xb_world_75"].shape == (0, 75)


def test_a_stop_is_a_decision_without_frames(run):
    record, folder = run([SLOW, STOP])
    with np.load(folder / "trajectory_after.npz") as after:
        assert after["transl"].shape == (15, 3)
        assert after["step_indices"].tolist() == [0]
    assert record.usage["decision_steps"] == 2


def test_walking_into_a_wall_counts_every_blocked_decision(run):
    record, folder = run([FAST] * 10 + [STOP], category="couch", start=(0.0, -2.6, 0.0))
    metrics = _json(folder / "metrics.json")
    with np.load(folder / "trajectory_after.npz") as after:
        travelled = np.linalg.norm(np.diff(after["transl"][14::15, :2], axis=0), axis=1)
    blocked = int((travelled < 0.05).sum())
    assert blocked >= 5
    assert metrics["body_scene"]["collision_steps"] >= blocked
    assert record.outcome is Outcome.FAILURE


def test_pushing_a_chair_is_a_direct_disturbance(run):
    _, folder = run([FAST] * 5 + [STOP], category="chair", start=(1.2, -0.4, 0.0))
    scene = _json(folder / "metrics.json")["body_scene"]
    assert scene["direct_dynamic_object_count"] >= 1
    with np.load(folder / "trajectory_after.npz") as after:
        names = after["object_names"].tolist()
        column = names.index("chair-bare_:0001")
        path = np.linalg.norm(np.diff(after[f"object_{column:03d}_position"].astype(float), axis=0), axis=1).sum()
    assert scene["affected_object_path_length_sum_m"] >= 0.95 * path


def test_sitting_succeeds_only_on_the_target(run):
    sit = "Sit down<0.45>"
    on_seat, _ = run([sit, sit, sit, STOP], start=(1.78, 0.0, 0.0), yaw=-90.0)
    assert on_seat.metrics["interact_sr"] is True
    assert on_seat.metrics["interact_sr_posture"] is True
    assert on_seat.outcome is Outcome.SUCCESS
    in_the_air, _ = run([sit, sit, STOP], start=(0.0, 1.0, 0.0))
    assert in_the_air.metrics["interact_sr"] is False


def test_interaction_needs_the_stop(run):
    sit = "Sit down<0.45>"
    record, _ = run([sit, sit, sit], start=(1.78, 0.0, 0.0), yaw=-90.0, steps=3)
    assert record.metrics["geo_interact_sr"] is True
    assert record.metrics["interact_sr"] is False


def test_optional_work_is_not_done_when_off(make_evaluator, make_episode, scripted, rollout_spec, tmp_path):
    evaluator = make_evaluator(scripted([SLOW, SLOW, STOP]))
    evaluator.run_rollout(make_episode(), rollout_spec, tmp_path / "r")
    counters = evaluator.env.counters
    assert (counters.contact_queries, counters.semantic_renders, counters.exo_renders, counters.target_lookups) == (
        0,
        0,
        0,
        0,
    )
    assert counters.ego_renders == 3


def test_five_planner_failures_walk_slowly_and_are_counted(run):
    record, folder = run([ModelError("down")] * 5 + [STOP])
    assert record.fallback_decisions == 1
    with np.load(folder / "trajectory_before.npz") as before:
        assert before["step_action_skill"].tolist() == ["walk_forward"]
        assert before["step_action_cond_json"].tolist() == ["[0.0,0.2,0.0]"]
    step = _json(folder / "step000_percept_mid_low.json")
    assert step["attempts"] == 5
    assert "error" in step
    assert _json(folder / "metrics.json")["beyond_paper"]["agent"]["fallback_decisions"] == 1


def test_a_crash_leaves_a_partial_replay_and_no_metrics(run, tmp_path):
    with pytest.raises(AuthenticationError):
        run([SLOW, SLOW, AuthenticationError("no key")])
    folder = tmp_path / "rollout_00"
    assert not (folder / "metrics.json").exists()
    with np.load(folder / "trajectory_after.npz", allow_pickle=False) as after:
        assert after["step_indices"].tolist() == [0, 1]
    assert _json(folder / "replay_manifest.json")["record"]["failed"] is True


def test_video_has_the_reset_frame_and_every_realized_frame(run):
    from bodyloop.sim.video import probe_video

    record, folder = run([SLOW, STOP], video=True)
    assert {probe_video(folder / name).frames for name in ("ego.mp4", "exo.mp4")} == {16}
    assert {"ego.mp4", "exo.mp4"} <= {item.path for item in record.artifacts}


def test_a_rerun_removes_only_what_rollouts_own(run, tmp_path):
    folder = tmp_path / "rollout_00"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "step042_verifier.json").write_text("{}")
    run([STOP], metrics=False)
    assert (folder / "notes.txt").read_text() == "mine"
    assert not (folder / "step042_verifier.json").exists()
