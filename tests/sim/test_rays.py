from __future__ import annotations

import math

import numpy as np
import pytest

from bodyloop.errors import SimulationError
from bodyloop.sim.rays import cast_ray, cast_rays, cast_rays_from
from bodyloop.sim.world import World

ROOM = """
<geom name="floor" type="box" size="2 2 .1" pos="0 0 -.1"/>
<geom name="wall" type="box" size=".1 2 1" pos="2 0 1" group="4"/>
<body name="ball" pos="1 0 .5"><freejoint/><geom name="ball" size=".2" group="1"/></body>
"""


@pytest.fixture
def room(make_world) -> World:
    return make_world(ROOM)


def name(world: World, geom: int) -> str:
    return world.model.geom(geom).name


def test_nearest_hit_and_distance_in_metres(room: World) -> None:
    distance, geom = cast_ray(room, (0, 0, 0.5), (10, 0, 0))
    assert name(room, geom) == "ball"
    assert distance == pytest.approx(0.8)


def test_exclusions(room: World) -> None:
    distance, geom = cast_ray(room, (0, 0, 0.5), (1, 0, 0), exclude_body="ball")
    assert (name(room, geom), distance) == ("wall", pytest.approx(1.9))
    assert cast_ray(room, (0, 0, 0.5), (1, 0, 0), exclude_body="ball", geomgroups=[0]) == (math.inf, -1)
    assert name(room, cast_ray(room, (0, 0, 0.5), (1, 0, 0), geomgroups=[4])[1]) == "wall"
    assert cast_ray(room, (0, 0, 0.5), (0, 0, -1), static=False) == (math.inf, -1)


def test_misses_are_infinite(room: World) -> None:
    assert cast_ray(room, (0, 0, 0.5), (0, 0, 1)) == (math.inf, -1)


def test_batches_equal_single_rays(room: World) -> None:
    angles = np.linspace(-2, 2, 41)
    directions = np.stack([np.cos(angles), 0.1 * np.sin(angles), np.sin(angles)], axis=1)
    distances, geoms = cast_rays_from(room, (0, 0, 0.5), directions)
    single = [cast_ray(room, (0, 0, 0.5), direction) for direction in directions]
    np.testing.assert_allclose(distances, [s[0] for s in single])
    assert geoms.tolist() == [s[1] for s in single]
    assert {name(room, g) for g in geoms if g >= 0} == {"ball", "wall", "floor"}
    again, geoms_again = cast_rays(room, np.tile([0, 0, 0.5], (41, 1)), directions)
    np.testing.assert_allclose(again, distances)
    assert geoms_again.tolist() == geoms.tolist()


def test_batch_cutoff_and_empty(room: World) -> None:
    distances, geoms = cast_rays_from(room, (0, 0, 0.5), [(1, 0, 0)], exclude_body="ball", max_distance_m=1.0)
    assert (distances[0], geoms[0]) == (math.inf, -1)
    assert cast_rays_from(room, (0, 0, 0.5), np.empty((0, 3)))[0].shape == (0,)
    assert cast_rays(room, np.empty((0, 3)), np.empty((0, 3)))[1].dtype == np.int32


@pytest.mark.parametrize("direction", [(0, 0, 0), (math.nan, 0, 1), (math.inf, 0, 0)])
def test_bad_directions_are_refused(room: World, direction: tuple[float, ...]) -> None:
    with pytest.raises(SimulationError, match="direction"):
        cast_ray(room, (0, 0, 0), direction)
