from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bodyloop.errors import SimulationError
from bodyloop.sim.boxes import box_distance, entity_aabb, geom_aabbs, local_aabb, transform_aabb
from bodyloop.sim.world import World

MESH = '<asset><mesh name="wedge" vertex="0 0 0 .4 0 0 0 .3 0 0 0 .5 .1 .2 .3"/></asset>'
QUATS = [Rotation.random(rng=np.random.default_rng(seed)).as_quat(scalar_first=True) for seed in range(4)]
KINDS = [
    ("box", ".1 .2 .3"),
    ("sphere", ".25"),
    ("capsule", ".1 .3"),
    ("cylinder", ".15 .2"),
    ("ellipsoid", ".1 .2 .35"),
]


def surface(kind: str, size: list[float]) -> np.ndarray:
    """Dense points on the surface of a primitive, in its own frame."""
    u = np.linspace(0, 2 * np.pi, 181)
    v = np.linspace(-np.pi / 2, np.pi / 2, 181)
    ring, height = np.meshgrid(u, v)
    ball = np.stack([np.cos(height) * np.cos(ring), np.cos(height) * np.sin(ring), np.sin(height)], -1).reshape(-1, 3)
    if kind == "box":
        return np.array(np.meshgrid(*[(-s, s) for s in size])).reshape(3, -1).T
    if kind == "sphere":
        return ball * size[0]
    if kind == "ellipsoid":
        return ball * size
    if kind == "capsule":
        return np.concatenate([ball * size[0] + [0, 0, s * size[1]] for s in (-1, 1)])
    rim = np.stack([np.cos(u) * size[0], np.sin(u) * size[0], np.ones_like(u)], -1)
    return np.concatenate([rim * [1, 1, s * size[1]] for s in (-1, 1)])


@pytest.mark.parametrize(("kind", "size"), KINDS)
@pytest.mark.parametrize("quat", QUATS)
def test_boxes_of_turned_primitives_are_tight(make_world, kind: str, size: str, quat: np.ndarray) -> None:
    world = make_world(f'<geom type="{kind}" size="{size}" pos="1 2 3" quat="{" ".join(map(str, quat))}"/>')
    turned = Rotation.from_quat(quat, scalar_first=True).apply(surface(kind, [float(s) for s in size.split()]))
    turned += [1, 2, 3]
    expected = np.concatenate([turned.min(0), turned.max(0)])
    np.testing.assert_allclose(geom_aabbs(world, [0])[0], expected, atol=2e-4)


@pytest.mark.parametrize("quat", QUATS)
def test_boxes_of_meshes_use_their_vertices(make_world, quat: np.ndarray) -> None:
    text = " ".join(map(str, quat))
    world = make_world(f'<geom type="mesh" mesh="wedge" pos="1 2 3" quat="{text}"/>', MESH)
    vertices = np.array([[0, 0, 0], [0.4, 0, 0], [0, 0.3, 0], [0, 0, 0.5], [0.1, 0.2, 0.3]])
    turned = Rotation.from_quat(quat, scalar_first=True).apply(vertices) + np.array([1, 2, 3])
    np.testing.assert_allclose(geom_aabbs(world, [0])[0], np.concatenate([turned.min(0), turned.max(0)]), atol=1e-6)


def test_entity_box_is_the_union_and_follows_the_body(busy_world: World) -> None:
    geoms = [busy_world.model.geom(name).id for name in ("can/skin", "can/lid")]
    box = entity_aabb(busy_world, geoms)
    np.testing.assert_allclose(box, [0.04, -0.26, 1.3, 0.16, -0.14, 1.52])
    busy_world.data.qpos[busy_world.model.joint("can/free").qposadr[0]] += 1
    busy_world.forward()
    np.testing.assert_allclose(entity_aabb(busy_world, geoms) - box, [1, 0, 0, 1, 0, 0], atol=1e-12)


def test_local_box_transforms_like_a_scene_graph(make_world) -> None:
    world = make_world(
        '<body name="sofa" pos="1 0 0" euler="0 0 45"><geom type="box" size=".5 .2 .1"/>'
        '<geom type="box" size=".1 .1 .1" pos="0 0 .2" euler="0 0 90"/></body><geom size=".1"/>'
    )
    local = local_aabb(world.model, [1, 2])
    np.testing.assert_allclose(local, [-0.5, -0.2, -0.1, 0.5, 0.2, 0.3])
    body = world.data.body("sofa")
    grown = transform_aabb(local, body.xpos, body.xmat)
    half = 0.7 / np.sqrt(2)
    np.testing.assert_allclose(grown, [1 - half, -half, -0.1, 1 + half, half, 0.3])
    with pytest.raises(SimulationError, match="several bodies"):
        local_aabb(world.model, [0, 1])


def test_box_needs_a_geom(busy_world: World) -> None:
    with pytest.raises(SimulationError, match="at least one"):
        entity_aabb(busy_world, [])
    assert geom_aabbs(busy_world, []).shape == (0, 6)


def test_distances_to_boxes() -> None:
    boxes = [[0, 0, 0, 1, 1, 1], [5, 0, 0, 6, 1, 1]]
    points = [[0.5, 0.5, 0.5], [2, 2, 1], [-3, 0.5, 5]]
    expected = [[0, 4.5], [np.sqrt(2), np.sqrt(10)], [5, np.hypot(8, 4)]]
    np.testing.assert_allclose(box_distance(points, boxes), expected)
