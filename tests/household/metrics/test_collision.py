from __future__ import annotations

import numpy as np
import pytest

from bodyloop.errors import SimulationError
from bodyloop.household.metrics.collision import CollisionTracker, body_group, select_floor
from bodyloop.household.metrics.environment import RayHit
from bodyloop.household.metrics.settings import MetricSettings

FLAT = {"agent_translation": [0, 0.9, 0], "root_box_min_y": 0.0, "ray_hits": [[0.0, 3]]}


def row(
    part: str,
    height: float,
    *,
    kind: str = "stage",
    object_id: int = 5,
    motion: str | None = None,
    force: float = float("nan"),
):
    other = {"object_id": object_id, "type": kind, "name": kind} | ({"motion_type": motion} if motion else {})
    return {
        "body_part": part,
        "other": other,
        "other_object_id": object_id,
        "contact_distance": -0.001,
        "position_on_other_ws": [0.0, height, 0.0],
        "normal_force": force,
    }


def test_body_groups_agree_with_the_reference(cases) -> None:
    groups = cases("collision")["body_groups"]
    assert {name: body_group(name) for name in groups} == groups


def test_scenarios_agree_with_the_reference(cases, stub_environment, row_reader, assert_close) -> None:
    for scenario in cases("collision")["scenarios"]:
        reader = row_reader()
        steps = [(decision, reader.read(frames)) for decision, frames in scenario["steps"]]
        environment = stub_environment(scenario["reset"], reader)
        tracker = CollisionTracker(MetricSettings.from_mapping(scenario["config"]), reader.link_names)
        tracker.record_reset(environment)
        for decision, contacts in steps:
            tracker.record_step(decision, contacts)
        expected = scenario["expected"]
        assert_close(tracker.finalize(), expected["summary"], 1e-12, scenario["name"])
        assert environment.contact_queries == expected["contact_queries"]
        origin, reach = environment.ray
        assert origin == pytest.approx(expected["ray"]["origin"])
        assert reach == expected["ray"]["max"]


def test_use_in_the_wrong_order_is_refused(stub_environment, row_reader) -> None:
    environment = stub_environment(FLAT, row_reader())
    tracker = CollisionTracker()
    with pytest.raises(SimulationError):
        tracker.finalize()
    with pytest.raises(SimulationError):
        tracker.record_step(0, None)
    tracker.record_reset(environment)
    with pytest.raises(SimulationError):
        tracker.record_reset(environment)


def test_the_target_is_left_out_of_the_score_beside(stub_environment, row_reader) -> None:
    reader = row_reader()
    tracker = CollisionTracker()
    tracker.record_reset(stub_environment(FLAT, reader), target_ids=[42])
    tracker.record_step(0, reader.read([[row("pelvis", 0.45, kind="rigid_object", object_id=42, motion="STATIC")]]))
    tracker.record_step(1, reader.read([[row("left_wrist", 1.0)], [row("left_wrist", 1.0, force=30.0)]]))
    assert tracker.finalize()["collision_step_fraction"] == 1.0
    beside = tracker.beyond_paper()
    assert beside["collision_excluding_target_step_fraction"] == 0.5
    assert beside["time_in_contact_s"] == pytest.approx(3 / 30)
    assert beside["max_normal_force_n"] == 30.0
    assert beside["max_normal_impulse_n_s"] == pytest.approx(0.25)


def test_the_local_floor_forgives_standing_on_a_riser(stub_environment, row_reader) -> None:
    reader = row_reader()
    tracker = CollisionTracker()
    tracker.record_reset(stub_environment(FLAT, reader))
    step = reader.read([[row("left_foot", 0.17)], [row("left_foot", 0.17)]])
    tracker.record_step(0, step, np.array([0.17, 0.17]))
    tracker.record_step(1, step, np.array([0.17, 0.0]))
    tracker.record_step(2, step, np.array([np.nan, 0.17]))
    assert tracker.finalize()["collision_steps"] == 3
    # Decision 1 touches the riser from the lower floor; decision 2 has no floor below and falls back to the spawn floor.
    assert tracker.beyond_paper()["collision_local_floor_step_fraction"] == pytest.approx(2 / 3)


def test_the_highest_surface_not_above_the_body_is_the_floor() -> None:
    hits = [RayHit(2.6), RayHit(0.9, agent=True), RayHit(0.03), RayHit(-3.0)]
    assert select_floor(0.9, [None, 0.0, 0.4], hits, 0.05) == (0.03, "spawn_raycast")
    assert select_floor(0.9, [None, -1.0], hits[:3], 0.05) == (-1.0, "agent_min_y_fallback")
    assert select_floor(0.9, [], [], 0.05) == (0.9, "agent_min_y_fallback")


def test_forces_are_null_when_no_contact_has_one(stub_environment, row_reader) -> None:
    reader, tracker = row_reader(), CollisionTracker()
    tracker.record_reset(stub_environment(FLAT, reader))
    tracker.record_step(0, reader.read([[row("left_wrist", 1.0)]]))
    assert tracker.beyond_paper()["max_normal_impulse_n_s"] is None
