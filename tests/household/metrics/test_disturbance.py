from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from bodyloop.household.metrics.contacts import ContactRows, OtherKind
from bodyloop.household.metrics.disturbance import (
    AffectedObject,
    DisturbanceTracker,
    ObjectTrack,
    path_length_m,
    tipping_angle_deg,
)


def chunk(frames: int, touched: list[tuple[int, int]], pairs: list[tuple[int, int, int]] = ()) -> ContactRows:
    """``touched`` holds (frame, object), ``pairs`` (frame, a, b)."""
    count = len(touched)
    return ContactRows(
        frames=frames,
        frame=np.array([f for f, _ in touched], dtype=np.int64),
        link=np.zeros(count, dtype=np.int64),
        kind=np.full(count, int(OtherKind.DYNAMIC_OBJECT)),
        object_id=np.array([i for _, i in touched], dtype=np.int64),
        height_m=np.zeros(count),
        distance_m=np.zeros(count),
        normal_up=np.zeros(count),
        normal_force_n=np.zeros(count),
        pair_frame=np.array([p[0] for p in pairs], dtype=np.int64),
        pair_ids=np.array([p[1:] for p in pairs], dtype=np.int64).reshape(-1, 2),
    )


def test_scenarios_agree_with_the_reference(cases, row_reader, assert_close) -> None:
    for scenario in cases("disturbance")["scenarios"]:
        reader, tracker = row_reader(by_name=True), DisturbanceTracker()
        for decision, agent, pairs in scenario["steps"]:
            tracker.record_step(decision, reader.read(agent, pairs))
        names = reader.object_names
        positions = {name: np.array(rows, dtype=np.float32) for name, rows in scenario["positions"].items()}
        tracks = {i: ObjectTrack(positions[name]) for i, name in names.items() if name in positions}
        expected = scenario["expected"]
        assert_close(tracker.finalize(tracks), expected["summary"], 1e-6, scenario["name"])
        assert {names[i]: vars(hit) for i, hit in tracker.affected.items()} == expected["affected"], scenario["name"]
        assert sorted(names[i] for i in tracker.direct) == expected["direct"]


def test_an_object_pushed_on_becomes_indirect_no_earlier_than_the_first_contact() -> None:
    tracker = DisturbanceTracker()
    tracker.record_step(0, chunk(3, [(1, 8)], [(0, 8, 9)]))
    assert set(tracker.affected) == {8}
    tracker.record_step(2, chunk(2, [], [(1, 9, 8)]))
    assert tracker.affected[9] == AffectedObject(2, 4, "indirect")


def test_noise_target_and_displacement_before_contact() -> None:
    tracker = DisturbanceTracker()
    tracker.record_step(0, chunk(4, [(1, 1), (1, 2)]))
    rows = np.zeros((4, 3))
    rows[:, 0] = [0.1, 0.3, 0.3001, 0.3]
    tracks = {1: ObjectTrack(rows, initial_position_m=np.zeros(3)), 2: ObjectTrack(np.zeros((4, 3)))}
    beside = tracker.beyond_paper(tracks, target_ids=[1], noise_m=2e-4)
    # The published length starts in the contact frame: only jitter is left of it.
    assert tracker.finalize(tracks)["affected_object_path_length_sum_m"] == pytest.approx(2e-4)
    assert beside["affected_object_path_length_above_noise_sum_m"] == pytest.approx(0.2)
    assert beside["affected_object_net_displacement_sum_m"] == pytest.approx(0.2)
    assert beside["disturbance_excluding_target_object_count"] == 1
    assert beside["disturbance_excluding_target_path_length_sum_m"] == 0.0


def test_a_contact_in_the_first_frame_measures_from_the_initial_pose() -> None:
    tracker = DisturbanceTracker()
    tracker.record_step(0, chunk(2, [(0, 1)]))
    track = ObjectTrack(np.array([[0.2, 0, 0], [0.5, 0, 0]]), initial_position_m=np.zeros(3))
    beside = tracker.beyond_paper({1: track}, [], 2e-4)
    assert beside["affected_object_path_length_above_noise_sum_m"] == pytest.approx(0.5)
    assert beside["affected_object_net_displacement_max_m"] == pytest.approx(0.5)


def test_tipping_is_seen_without_any_travel_and_spinning_is_not_tipping() -> None:
    start = Rotation.from_euler("z", 30, degrees=True)
    tip = (Rotation.from_euler("x", 70, degrees=True) * start).as_quat()
    spin = (Rotation.from_euler("z", 90, degrees=True) * start).as_quat()
    still = np.zeros((2, 3))
    assert tipping_angle_deg(ObjectTrack(still, np.array([start.as_quat(), tip]))) == pytest.approx(70.0)
    assert tipping_angle_deg(ObjectTrack(still, np.array([start.as_quat(), spin]))) == pytest.approx(0.0, abs=1e-6)
    assert tipping_angle_deg(ObjectTrack(still, np.array([tip]), None, start.as_quat())) == pytest.approx(70.0)
    assert tipping_angle_deg(ObjectTrack(still)) == 0.0
    assert tipping_angle_deg(ObjectTrack(still, np.full((2, 4), np.nan))) == 0.0


@given(st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=2, max_size=12), st.integers(0, 14))
def test_path_length_is_at_least_the_displacement_and_shrinks_with_later_starts(points, first: int) -> None:
    rows = np.array(points)
    whole = path_length_m(rows, 0)
    assert whole >= np.linalg.norm(rows[-1] - rows[0]) - 1e-9
    assert path_length_m(rows, first) <= whole + 1e-9
    assert path_length_m(rows, 0, noise_m=1e-3) <= whole + 1e-9


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=10), st.integers(0, 5))
def test_affected_objects_are_the_connected_component_of_the_seed(edges: list[tuple[int, int]], seed: int) -> None:
    tracker = DisturbanceTracker()
    tracker.record_step(0, chunk(1, [(0, seed)], [(0, a, b) for a, b in edges]))
    reached, frontier = {seed}, [seed]
    while frontier:
        node = frontier.pop()
        for a, b in edges:
            for near, far in ((a, b), (b, a)):
                if near == node and far not in reached:
                    reached.add(far)
                    frontier.append(far)
    assert set(tracker.affected) == reached
    assert tracker.direct == {seed}
