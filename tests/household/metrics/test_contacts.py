from __future__ import annotations

import time

import numpy as np

from bodyloop.body.skeleton import JOINT_NAMES, joint_index
from bodyloop.household.metrics.collision import CollisionTracker
from bodyloop.household.metrics.contacts import ContactRows, OtherKind, contact_rows, pelvis_target_mask
from bodyloop.household.metrics.disturbance import DisturbanceTracker
from bodyloop.sim.entities import EntityKind

# Geoms: 0 floor, 1 pelvis, 2 left foot, 3 static couch (object 4), 4 movable box (object 5), 5 movable ball (object 6).
KIND = np.array([OtherKind.STAGE, OtherKind.AGENT, OtherKind.AGENT, OtherKind.STATIC_OBJECT, 3, 3])
ENTITY = np.array([-1, -2, -2, 4, 5, 6])
LINK = np.array([-1, 0, joint_index("left_foot"), -1, -1, -1])


def frame(
    pairs: list[tuple[int, int]], distance: float = -0.004, normal: tuple[float, float, float] = (0, 0, 1)
) -> ContactRows:
    count = len(pairs)
    return contact_rows(
        geom1=[a for a, _ in pairs],
        geom2=[b for _, b in pairs],
        distance_m=[distance] * count,
        position_m=np.tile([0.0, 0.0, 0.5], (count, 1)),
        normal=np.tile(normal, (count, 1)),
        normal_force_n=np.arange(count, dtype=float),
        geom_kind=KIND,
        geom_entity=ENTITY,
        geom_link=LINK,
    )


def test_kinds_are_those_of_the_simulator() -> None:
    assert {kind.name: int(kind) for kind in EntityKind}.items() <= {kind.name: int(kind) for kind in OtherKind}.items()


def test_rows_name_the_link_and_the_other_side_whatever_the_order() -> None:
    rows = frame([(0, 2), (1, 3)])
    assert rows.link.tolist() == [joint_index("left_foot"), 0]
    assert rows.kind.tolist() == [OtherKind.STAGE, OtherKind.STATIC_OBJECT]
    assert rows.object_id.tolist() == [-1, 4]
    assert rows.normal_force_n.tolist() == [0.0, 1.0]


def test_the_normal_points_from_the_other_side_to_the_body_and_height_is_on_the_other_surface() -> None:
    rows = frame([(0, 2), (1, 3)])
    # Floor below foot: the normal already points up to the body. Pelvis first: it points down to the couch.
    assert rows.normal_up.tolist() == [1.0, -1.0]
    assert np.allclose(rows.height_m, [0.502, 0.498])
    apart = frame([(0, 2)], distance=0.01)
    assert np.allclose(apart.height_m, [0.495])


def test_self_contact_is_dropped_and_movable_pairs_are_kept_apart() -> None:
    rows = frame([(1, 2), (4, 5), (2, 4), (3, 4), (0, 5)])
    assert rows.kind.tolist() == [OtherKind.DYNAMIC_OBJECT]
    assert rows.pair_ids.tolist() == [[5, 6]]


def test_a_frame_without_contacts_still_is_a_frame() -> None:
    assert frame([]).frames == 1
    joined = ContactRows.concatenate([frame([]), frame([(0, 2)]), frame([]), frame([(4, 5)])])
    assert (joined.frames, joined.frame.tolist(), joined.pair_frame.tolist()) == (4, [1], [3])
    assert not joined.last_frame.any()
    assert ContactRows.concatenate([]).frames == 0


def test_pelvis_target_contact_needs_the_instance() -> None:
    rows = frame([(1, 3), (2, 3), (1, 4)])
    assert pelvis_target_mask(rows, [4]).tolist() == [True, False, False]
    assert pelvis_target_mask(rows, []).tolist() == [False, False, False]


def test_one_decision_of_contacts_costs_less_than_two_milliseconds(stub_environment, row_reader) -> None:
    frames = [frame([(0, 2), (1, 3), (2, 4), (4, 5)] * 5) for _ in range(15)]
    environment = stub_environment({"agent_translation": [0, 1, 0], "ray_hits": [[0.0, 3]]}, row_reader())
    collision, disturbance = CollisionTracker(link_names=JOINT_NAMES), DisturbanceTracker()
    collision.record_reset(environment, [4])
    best = np.inf
    for decision in range(20):
        started = time.perf_counter()
        rows = ContactRows.concatenate([frame([(0, 2), (1, 3), (2, 4), (4, 5)] * 5) for _ in frames])
        collision.record_step(decision, rows, np.zeros(15))
        disturbance.record_step(decision, rows)
        best = min(best, time.perf_counter() - started)
    assert best < 2e-3
