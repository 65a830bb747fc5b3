from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bodyloop.household.metrics.contacts import ContactRows, MetricFrames, OtherKind
from bodyloop.household.metrics.environment import Posture
from bodyloop.household.metrics.flat import flat_metrics
from bodyloop.household.metrics.interact import sits_on_seat
from bodyloop.household.metrics.recorder import PaperMetricRecorder
from bodyloop.household.metrics.settings import MetricSettings
from bodyloop.household.trajectory import TrajectoryRecorder
from bodyloop.household.types import PlannerResult, SkillCall, StageOutput


def episode(category: str, **changes: Any) -> SimpleNamespace:
    fields = {"episode_id": "5", "scene_label": "scene_x", "object_category": category, "difficulty": {"label": "easy"}}
    return SimpleNamespace(**fields | changes)


def decision(text: str, skill: str, usages: list[dict[str, int]] | None = None, **changes: Any) -> PlannerResult:
    stages = tuple(StageOutput("percept_mid_low", {}, "r" * 40, "p" * 400, usage=usage) for usage in usages or [])
    fields = {
        "raw_plan": {},
        "action": SkillCall(skill, None),
        "planner_skill": {"visible_state": text},
        "verifier": {},
    }
    return PlannerResult(**fields | {"stage_outputs": stages} | changes)


def motion(
    frames: int, xb_root: np.ndarray | None = None, objects: dict[str, np.ndarray] | None = None
) -> TrajectoryRecorder:
    made = TrajectoryRecorder({})
    xb = np.zeros((frames, 75), dtype=np.float32)
    if xb_root is not None and frames:
        xb[:, :6] = xb_root
    made.record_before(0, xb, SkillCall("walk_forward", None))
    state = {
        "transl": np.zeros((frames, 3)),
        "global_orient": np.zeros((frames, 3)),
        "body_pose": np.zeros((frames, 54, 3)),
    }
    poses = {
        name: {"position": rows, "rotation": np.tile([0, 0, 0, 1.0], (frames, 1))}
        for name, rows in (objects or {}).items()
    }
    made.record_after(0, state, poses)
    return made


def test_whole_episodes_agree_with_the_reference(cases, stub_environment, row_reader, assert_close) -> None:
    data = cases("episode_metrics")
    for scenario in data["scenarios"]:
        reader = row_reader()
        environment = stub_environment(scenario["env"], reader)
        recorder = PaperMetricRecorder(
            environment,
            episode(scenario["object_category"]),
            profile="paper_fullval_v1",
            rest_joints_m=data["rest_joints_22"],
        )
        recorder.record_reset()
        for step, item in enumerate(scenario["steps"]):
            result = decision(item["visible_state"], item["skill"], item["usages"])
            recorder.record_decision(step, item["find_observation"], result)
            if item["skill"] != "stand":
                contacts = reader.read(item["agent_contacts"], item["dynamic_contacts"])
                recorder.record_motion(step, item["skill"], {"metric_frames": MetricFrames(contacts)})
        objects = {name: np.array(rows) for name, rows in scenario["object_positions"].items()}
        made = motion(len(scenario["xb_root_6"]), np.array(scenario["xb_root_6"]), objects)
        metrics = recorder.finalize(made.materialize())
        assert_close(metrics, scenario["expected"], 1e-9, scenario["name"])
        for block, expected in scenario["expected"].items():
            assert not isinstance(expected, dict) or set(metrics[block]) == set(expected), block
        json.dumps(metrics, allow_nan=False)


@pytest.fixture
def sit(stub_environment, row_reader):
    """A recorder after one sit chunk whose last frame has the pelvis on object 42, and its environment."""

    def run(normal_up: float = 1.0, stop: bool = True, object_id: int = 42) -> tuple[PaperMetricRecorder, Any]:
        start = {"agent_translation": [0, 0.9, 0], "root_box_min_y": 0.0, "ray_hits": [[0.0, 3]]}
        environment = stub_environment(
            start | {"target_ids": [42], "is_interact": True, "final_distance": 0.05}, row_reader()
        )
        environment.seats = {42: [0.45]}
        environment.body_posture = Posture(0.55, 10.0)
        recorder = PaperMetricRecorder(environment, episode("couch"), profile="homes_v1")
        recorder.record_reset()
        recorder.record_decision(0, {"available": True, "target_pixel_count": 900}, decision("A couch.", "sit"))
        one, none = np.ones(1, dtype=np.int64), np.empty(0, dtype=np.int64)
        rows = ContactRows(
            15, 14 * one, 0 * one, int(OtherKind.STATIC_OBJECT) * one, object_id * one,
            np.array([0.45]), np.array([-0.002]), np.array([normal_up]), np.array([400.0]), none, none.reshape(0, 2),
        )  # fmt: skip
        recorder.record_motion(0, "sit", {"metric_frames": MetricFrames(rows, np.zeros(15))})
        if stop:
            recorder.record_decision(1, {"available": True, "target_pixel_count": 900}, decision("A couch.", "stand"))
        return recorder, environment

    return run


def test_a_posture_checked_sit(sit) -> None:
    recorder, environment = sit()
    environment.surface = 0.0
    metrics = recorder.finalize(motion(15).materialize())
    assert metrics["success"]["interact_sr"] is True
    assert metrics["beyond_paper"]["interact"] == {
        "interact_sr_posture": True,
        "pelvis_height_above_seat_m": pytest.approx(0.1),
        "torso_tilt_deg": 10.0,
    }
    assert metrics["outcome"] == {"success": True, "rule": "nav_sr_20cm and interact_sr"}
    assert metrics["beyond_paper"]["nav"]["nav_sr_surface_20cm"] is True
    collision = metrics["beyond_paper"]["collision"]
    assert metrics["body_scene"]["collision_step_fraction"] == 1.0
    assert collision["collision_excluding_target_step_fraction"] == 0.0


def test_leaning_against_the_side_is_no_posture_checked_sit(sit) -> None:
    metrics = sit(normal_up=0.1)[0].finalize(motion(15).materialize())
    assert metrics["success"]["interact_sr"] is True
    assert metrics["beyond_paper"]["interact"]["interact_sr_posture"] is False


def test_without_stop_nothing_succeeds(sit) -> None:
    metrics = sit(stop=False)[0].finalize(motion(15).materialize())
    success = metrics["success"]
    assert (success["geo_nav_sr_20cm"], success["geo_interact_sr"]) == (True, True)
    assert not any((success["nav_sr_20cm"], success["interact_sr"], metrics["outcome"]["success"]))
    assert metrics["beyond_paper"]["interact"]["interact_sr_posture"] is False


def test_another_instance_is_not_the_target(sit) -> None:
    metrics = sit(object_id=41)[0].finalize(motion(15).materialize())
    assert metrics["success"]["interact_sr"] is False
    assert metrics["outcome"]["success"] is False


@pytest.mark.parametrize(
    ("posture", "above", "normal", "seated"),
    [
        (Posture(0.5, 10.0), 0.15, 0.9, True),
        (Posture(0.5, 10.0), -0.16, 0.9, False),
        (Posture(0.5, 45.0), 0.1, 0.9, False),
        (Posture(0.5, 10.0), 0.1, 0.5, False),
        (Posture(0.5, 10.0), None, 0.9, False),
    ],
)
def test_seat_rule(posture: Posture, above: float | None, normal: float, seated: bool) -> None:
    assert sits_on_seat(posture, above, normal, MetricSettings()) is seated


def test_fallbacks_failed_calls_and_difficulty_are_reported(sit) -> None:
    recorder, _ = sit(stop=False)
    failed = StageOutput("percept_mid_low", {}, "", "p" * 8, error="timeout")
    recorder.record_decision(1, {}, decision("", "walk_forward", fallback="walk_forward_slow", stage_outputs=(failed,)))
    metrics = recorder.finalize(motion(30).materialize())
    agent = metrics["beyond_paper"]["agent"]
    assert agent["fallback_decisions"] == 1
    assert agent["fallback_decision_fraction"] == 0.5
    assert agent["fallbacks_by_kind"] == {"walk_forward_slow": 1}
    assert agent["failed_vlm_calls"] == 1
    assert metrics["cost"]["vlm_calls"] == 1
    flat = flat_metrics(metrics)
    assert (flat["difficulty"], flat["success"], flat["fallback_decisions"]) == ("easy", False, 1)


def test_realized_and_articulated_jerk_stand_beside_the_requested_one(sit) -> None:
    recorder, _ = sit()
    made = TrajectoryRecorder({})
    frames = np.arange(60) / 30.0
    xb = np.zeros((60, 75))
    xb[:, 0], xb[:, 6] = frames**3, np.sin(8 * frames)
    made.record_before(0, xb, SkillCall("walk_forward", None))
    made.record_after(
        0, {"transl": np.zeros((60, 3)), "global_orient": np.zeros((60, 3)), "body_pose": np.zeros((60, 54, 3))}
    )
    metrics = recorder.finalize(made.materialize())
    moved = metrics["beyond_paper"]["motion"]
    assert metrics["action_quality"]["motion_jerk_m_s3"] > 5.0
    assert moved["realized_motion_jerk_m_s3"] == pytest.approx(0.0, abs=1e-9)
    assert moved["articulated_motion_jerk_m_s3"] > metrics["action_quality"]["motion_jerk_m_s3"]
    assert len(moved["rest_joints_sha256"]) == 64


def test_flat_names_do_not_collide(sit) -> None:
    metrics = sit()[0].finalize(motion(15).materialize())
    blocks = [metrics[k] for k in ("success", "body_scene", "action_quality", "cost")] + list(
        metrics["beyond_paper"].values()
    )
    names = [key for block in blocks for key, value in block.items() if not isinstance(value, dict)]
    assert len(names) == len(set(names))
    flat = flat_metrics(metrics)
    assert set(names) <= set(flat)
    assert flat["collision_leg_step_fraction"] == 0.0
    assert flat["success"] is True
    assert flat_metrics({"success": {"d": float("nan")}}) == {"d": None}
    assert flat_metrics({}) == {}


def test_settings_come_from_a_profile_section() -> None:
    made = MetricSettings.from_mapping({"nav_distance_m": 0.5, "unknown": 1})
    assert (made.nav_distance_m, made.find_pixel_threshold) == (0.5, 100)
