"""The body as a model: names, masses, contact shapes, skin, and what the ego view sees of it."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from bodyloop.body.appearance import body_skins
from bodyloop.body.collision import SKIN_DEPTH_M, CollisionShape, collision_shapes
from bodyloop.body.humanoid import COLLISION_GROUP, SKIN_GROUP, STANDING_PELVIS_HEIGHT_M, add_humanoid, body_sha256
from bodyloop.body.kinematics import forward_kinematics
from bodyloop.body.mujoco_engine import MujocoHumanoid
from bodyloop.body.skeleton import JOINT_NAMES, LINK_MASSES_KG, MASS_KG, STATURE_M
from bodyloop.sim.cameras import CameraPose
from bodyloop.sim.world import World


@pytest.fixture(scope="module")
def world() -> World:
    spec = mujoco.MjSpec()
    add_humanoid(spec)
    return World(spec)


def geoms(world: World, group: int) -> np.ndarray:
    return np.flatnonzero(world.model.geom_group == group)


def skin_points(world: World, link: str = "") -> np.ndarray:
    """(n, 3) world positions of the visible vertices of a link, or of all."""
    model, data = world.model, world.data
    points = []
    for geom in geoms(world, SKIN_GROUP):
        if not model.geom(geom).name.startswith(f"human/{link}"):
            continue
        mesh = model.geom_dataid[geom]
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        points.append(
            model.mesh_vert[first : first + count] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        )
    return np.concatenate(points)


def test_names_and_size(world: World) -> None:
    model = world.model
    assert model.nv == 69
    assert model.joint("root").type[0] == int(mujoco.mjtJoint.mjJNT_FREE)
    for name in JOINT_NAMES:
        assert model.body_gravcomp[model.body(name).id] == 1.0
        assert model.body(name).mass[0] == pytest.approx(LINK_MASSES_KG[name])
        if name != "pelvis":
            joint = model.joint(name)
            assert joint.type[0] == int(mujoco.mjtJoint.mjJNT_BALL)
            assert not model.jnt_limited[joint.id]
            dofs = model.jnt_dofadr[joint.id] + np.arange(3)
            assert model.dof_armature[dofs].tolist() == [10.0] * 3
            assert not model.dof_damping[dofs].any()
    assert model.body_mass.sum() == pytest.approx(MASS_KG)
    assert {model.site(i).name for i in range(model.nsite)} == {"human/left_eye", "human/right_eye"}


def test_contact_shapes_and_skin_are_separate(world: World) -> None:
    model = world.model
    shapes, skins = geoms(world, COLLISION_GROUP), geoms(world, SKIN_GROUP)
    assert len(shapes) + len(skins) == model.ngeom
    assert not model.geom_contype[skins].any()
    assert not model.geom_conaffinity[skins].any()
    assert set(model.geom_contype[shapes]) == {2}
    assert set(model.geom_conaffinity[shapes]) == {5}
    assert set(model.geom_margin[shapes]) == {0.01}
    assert set(model.geom_gap[shapes]) == {0.0}
    assert set(model.geom_priority[shapes]) == {1}
    assert set(model.geom_friction[shapes, 0]) == {0.4}
    for name in JOINT_NAMES:
        body = model.body(name).id
        assert (model.geom_bodyid[shapes] == body).any(), name
        assert (model.geom_bodyid[skins] == body).any(), name


def test_pelvis_friction_is_its_own_parameter() -> None:
    spec = mujoco.MjSpec()
    add_humanoid(spec, friction=0.3, pelvis_friction=1.0)
    model = spec.compile()
    assert model.geom("human/pelvis/0").friction[0] == 1.0
    assert model.geom("human/left_ankle/0").friction[0] == 0.3


def test_stature_and_soles(world: World) -> None:
    points = skin_points(world)
    assert points[:, 2].max() == pytest.approx(STATURE_M, abs=0.015)
    for link in ("left_ankle", "right_foot"):
        assert skin_points(world, link)[:, 2].min() == pytest.approx(0.0, abs=1e-6)
        shapes = [g for g in geoms(world, COLLISION_GROUP) if world.model.geom(g).name.startswith(f"human/{link}")]
        lowest = min(world.data.geom_xpos[g, 2] - world.model.geom_size[g, 1] for g in shapes)
        assert lowest == pytest.approx(SKIN_DEPTH_M, abs=1e-9)
    assert abs(STANDING_PELVIS_HEIGHT_M - 0.976) < 1e-3


def test_contact_shapes_lie_inside_the_skin() -> None:
    """No contact shape shows in the rest pose (the hands' boxes also fill the gaps between the fingers)."""
    skins = [(skin.mesh.vertices + rest(skin.link), skin.mesh.faces) for skin in body_skins()]
    for shape in collision_shapes():
        if shape.link.endswith("wrist"):
            continue
        points = surface_points(shape) + rest(shape.link)
        inside = np.max([winding_number(points, *skin) for skin in skins], axis=0) > 0.5
        assert inside.mean() > 0.97, shape.link


def surface_points(shape: CollisionShape, count: int = 30) -> np.ndarray:
    rng = np.random.default_rng(0)
    a, b = np.array(shape.a), np.array(shape.b)
    direction = rng.normal(size=(count, 3))
    if shape.kind == "box":
        return a + b * direction / np.abs(direction).max(axis=1, keepdims=True)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    axis = (b - a) / np.linalg.norm(b - a)
    ends = np.where((direction @ axis)[:, None] > 0, b, a) + shape.radius * direction
    across = direction - np.outer(direction @ axis, axis)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    return np.concatenate([ends, a + rng.uniform(size=(count, 1)) * (b - a) + shape.radius * across])


def winding_number(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(n,) 1 inside a closed mesh, 0 outside: the sum of the solid angles of its triangles."""
    a, b, c = (vertices[faces[:, i]][None] - points[:, None] for i in range(3))
    la, lb, lc = (np.linalg.norm(x, axis=-1) for x in (a, b, c))
    dot_ab, dot_bc, dot_ca = (np.einsum("pfi,pfi->pf", x, y) for x, y in ((a, b), (b, c), (c, a)))
    triple = np.einsum("pfi,pfi->pf", a, np.cross(b, c))
    return np.arctan2(triple, la * lb * lc + dot_ab * lc + dot_bc * la + dot_ca * lb).sum(axis=1) / (2.0 * np.pi)


def test_body_is_symmetric() -> None:
    skins = body_skins()
    points = np.concatenate([skin.mesh.vertices + rest(skin.link) for skin in skins])
    mirrored = points * np.array([-1.0, 1.0, 1.0])
    np.testing.assert_allclose(
        np.sort(np.round(points, 6), axis=0)[:, 1:], np.sort(np.round(mirrored, 6), axis=0)[:, 1:]
    )
    assert points[:, 0].max() == pytest.approx(-points[:, 0].min(), abs=1e-9)


def rest(link: str) -> np.ndarray:
    return forward_kinematics(np.zeros(3), np.zeros(3), np.zeros((21, 3)))[JOINT_NAMES.index(link)]


def test_meshes_are_closed_and_light() -> None:
    skins = body_skins()
    for skin in skins:
        faces = skin.mesh.faces
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        forward = {tuple(edge) for edge in edges.tolist()}
        assert len(forward) == len(edges)
        assert all((b, a) in forward for a, b in forward), f"{skin.link} {skin.material}"
    assert sum(len(skin.mesh.vertices) for skin in skins) < 6000


def test_simulated_links_are_where_forward_kinematics_says(world: World) -> None:
    rng = np.random.default_rng(5)
    body = MujocoHumanoid(world)
    for _ in range(5):
        transl, orient, joints = rng.normal(size=3), rng.normal(size=3), 0.6 * rng.normal(size=(21, 3))
        body.place(transl, orient, joints)
        pose = body.read_pose()
        expected = forward_kinematics(pose.pelvis, orient, joints)
        np.testing.assert_allclose(body.link_positions(), expected, atol=1e-9)


def test_feet_are_at_the_bottom_edge_of_the_ego_view(world: World) -> None:
    body = MujocoHumanoid(world)
    body.place((0.0, 0.0, STANDING_PELVIS_HEIGHT_M + 0.22), (np.pi / 2, 0.0, 0.0), np.zeros((54, 3)))
    eye, axes = body.eye_pose()
    assert eye[2] == pytest.approx(0.936 * STATURE_M, abs=0.01)
    pitch = math.radians(38.0)
    forward = math.cos(pitch) * axes[:, 2] - math.sin(pitch) * axes[:, 1]
    camera = CameraPose(tuple(eye), tuple(forward), tuple(axes[:, 1]), 100.0)
    for side in ("left", "right"):
        pixels, depth = camera.project(skin_points(world, f"{side}_foot"), 448, 448)
        seen = (depth > 0) & (pixels[:, 1] < 448)
        assert 430 < pixels[seen, 1].min() < 445
        assert (np.sign(pixels[seen, 0] - 224) == (-1 if side == "left" else 1)).all()
    for link in ("head", "neck", "spine3", "pelvis"):
        pixels, depth = camera.project(skin_points(world, link), 448, 448)
        inside = (depth > 0) & (pixels >= 0).all(axis=1) & (pixels < 448).all(axis=1)
        assert not inside.any(), link


def test_hash_is_stable() -> None:
    assert body_sha256() == body_sha256()
    assert len(body_sha256()) == 64
