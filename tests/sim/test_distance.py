from __future__ import annotations

import itertools
import math

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bodyloop.errors import SimulationError
from bodyloop.sim.distance import DistanceQuery, geom_set_distance
from bodyloop.sim.world import World

MESH = '<asset><mesh name="wedge" vertex="0 0 0 .4 0 0 0 .3 0 0 0 .5 .2 .2 .3"/></asset>'
SHAPES = {
    "box": 'type="box" size=".2 .3 .1"',
    "sphere": 'type="sphere" size=".25"',
    "capsule": 'type="capsule" size=".1 .3"',
    "cylinder": 'type="cylinder" size=".15 .2"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "mesh": 'type="mesh" mesh="wedge"',
}


def placed(shape: str, position: np.ndarray, quat_wxyz: np.ndarray, name: str) -> str:
    where = f'pos="{" ".join(map(str, position))}" quat="{" ".join(map(str, quat_wxyz))}"'
    return f'<geom name="{name}" {SHAPES[shape]} {where}/>'


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations_with_replacement(SHAPES, 2)))
def test_agrees_with_the_engine(make_world, first: str, second: str) -> None:
    rng = np.random.default_rng(len(first) * 31 + len(second))
    for _ in range(6):
        quats = Rotation.random(2, rng=rng).as_quat(scalar_first=True)
        way = rng.normal(size=3)
        way *= rng.uniform(0.9, 2.0) / np.linalg.norm(way)
        world = make_world(placed(first, np.zeros(3), quats[0], "a") + placed(second, way, quats[1], "b"), MESH)
        found = DistanceQuery(world).pair(0, 1)
        segment = np.zeros(6)
        expected = mujoco.mj_geomDistance(world.model, world.data, 0, 1, 10.0, segment)
        assert found.distance_m > 0
        assert found.distance_m == pytest.approx(expected, abs=2e-5)
        assert np.linalg.norm(found.point_a_m - found.point_b_m) == pytest.approx(found.distance_m, abs=2e-5)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ('type="sphere" size=".2"', 'type="sphere" size=".3" pos="1 0 0"', 0.5),
        ('type="sphere" size=".2"', 'type="sphere" size=".3" pos=".4 0 0"', -0.1),
        ('type="box" size=".5 .5 .5"', 'type="box" size=".5 .5 .5" pos="2 2 0"', math.sqrt(2)),
        ('type="box" size=".5 .5 .5"', 'type="box" size=".5 .5 .5" pos=".9 .2 .1"', -0.1),
        ('type="capsule" size=".1 .5"', 'type="capsule" size=".1 .5" pos="1 0 0" euler="90 0 0"', 0.8),
        ('type="capsule" size=".1 .5"', 'type="sphere" size=".1" pos="0 0 .65"', -0.05),
        ('type="cylinder" size=".3 .5"', 'type="sphere" size=".1" pos="0 0 1"', 0.4),
        ('type="cylinder" size=".3 .5"', 'type="sphere" size=".1" pos=".7 0 0"', 0.3),
        ('type="ellipsoid" size=".1 .2 .3"', 'type="box" size=".1 .1 .1" pos="0 0 1"', 0.6),
        ('type="ellipsoid" size=".1 .2 .3"', 'type="sphere" size=".1" pos="0 .6 0"', 0.3),
        ('type="plane" size="1 1 1"', 'type="sphere" size=".1" pos="9 0 .4"', 0.3),
        ('type="plane" size="1 1 1"', 'type="box" size=".1 .1 .1" pos="0 0 .05"', -0.05),
        ('type="mesh" mesh="cube"', 'type="sphere" size=".1" pos="1 0 0"', 0.4),
        ('type="mesh" mesh="cube"', 'type="box" size=".1 .1 .1" pos=".55 0 0"', -0.05),
    ],
)
def test_known_distances(make_world, a: str, b: str, expected: float) -> None:
    corners = " ".join(" ".join(map(str, c)) for c in itertools.product((-0.5, 0.5), repeat=3))
    extra = f'<asset><mesh name="cube" vertex="{corners}"/></asset>'
    world = make_world(f"<geom {a}/><geom {b}/>", extra if "mesh" in a else "")
    query = DistanceQuery(world)
    assert query.pair(0, 1).distance_m == pytest.approx(expected, abs=1e-5)
    assert query.pair(1, 0).distance_m == pytest.approx(expected, abs=1e-5)


def test_between_sets_finds_the_nearest_pair_and_prunes(make_world, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    spheres = "".join(f'<geom size=".05" pos="{x} {y} {z}"/>' for x, y, z in rng.uniform(0, 3, (40, 3)))
    world = make_world(spheres)
    left, right = np.arange(20), np.arange(20, 40)
    center = world.data.geom_xpos
    brute = np.linalg.norm(center[left, None] - center[None, right], axis=-1) - 0.1
    query = DistanceQuery(world)
    asked = []
    original = query.pair
    monkeypatch.setattr(query, "pair", lambda a, b: asked.append((a, b)) or original(a, b))
    found = query.between(left, right)
    assert found.distance_m == pytest.approx(brute.min(), abs=1e-6)
    assert (found.geom_a, found.geom_b - 20) == np.unravel_index(brute.argmin(), brute.shape)
    assert len(asked) < 40
    np.testing.assert_allclose(np.linalg.norm(found.point_a_m - center[found.geom_a]), 0.05, atol=1e-6)


def test_between_reports_the_deepest_overlap(make_world) -> None:
    world = make_world('<geom size=".2"/><geom size=".2" pos=".35 0 0"/><geom size=".2" pos="-.1 0 0"/>')
    found = DistanceQuery(world).between([0], [1, 2])
    assert (found.geom_b, found.distance_m) == (2, pytest.approx(-0.3, abs=1e-6))


def test_far_pairs_are_infinite(make_world) -> None:
    world = make_world('<geom size=".1"/><geom size=".1" pos="3 0 0"/>')
    found = DistanceQuery(world).between([0], [1], max_distance_m=1.0)
    assert (found.distance_m, found.geom_a) == (math.inf, -1)
    assert geom_set_distance(world, [0], [1], max_distance_m=1.0) == math.inf
    assert geom_set_distance(world, [0], [1]) == pytest.approx(2.8, abs=1e-6)


def test_distances_follow_the_state(busy_world: World) -> None:
    ball, floor = busy_world.model.geom("ball/skin").id, busy_world.model.geom("floor").id
    query = DistanceQuery(busy_world)
    assert query.pair(ball, floor).distance_m == pytest.approx(1.5, abs=1e-6)
    busy_world.data.qpos[busy_world.model.joint("ball/free").qposadr[0] + 2] = 0.5
    busy_world.forward()
    assert query.pair(ball, floor).distance_m == pytest.approx(0.4, abs=1e-6)


def test_what_has_no_distance_is_refused(make_world) -> None:
    world = make_world(
        '<geom type="plane" size="1 1 1"/><geom type="plane" size="1 1 1" pos="0 0 1"/><geom size=".1"/>'
    )
    query = DistanceQuery(world)
    with pytest.raises(SimulationError, match="planes"):
        query.pair(0, 1)
    with pytest.raises(SimulationError, match="at least one"):
        query.between([], [2])
    field = '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 1 1 0"/></asset>'
    hilly = make_world('<geom name="hill" type="hfield" hfield="h"/><geom size=".1"/>', field)
    with pytest.raises(SimulationError, match="hill"):
        DistanceQuery(hilly).pair(0, 1)
