"""The MuJoCo engine: exact free motion, frames of velocities, gravity modes, motors, guards."""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bodyloop.body.half_physics import approximate_joint_velocities
from bodyloop.body.humanoid import add_humanoid
from bodyloop.body.mujoco_engine import MujocoHumanoid
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.rotations import quat_multiply, rotvec_to_quat
from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.errors import MotionError, SimulationError
from bodyloop.scenes.bare_room import bare_room
from bodyloop.sim.world import World

DT = 1 / 30
UPRIGHT = np.array([np.pi / 2, 0.0, 0.0])
STILL = np.zeros((54, 3))


@pytest.fixture
def body(make_puppet) -> MujocoHumanoid:
    return make_puppet(None).body


def test_place_and_read(body: MujocoHumanoid) -> None:
    rng = np.random.default_rng(1)
    transl, orient, joints = rng.normal(size=3), rng.normal(size=3), np.zeros((54, 3))
    joints[:21] = 0.8 * rng.normal(size=(21, 3))
    body.place(transl, orient, joints)
    pose = body.read_pose()
    np.testing.assert_allclose(pose.transl, transl, atol=1e-12)
    np.testing.assert_allclose(pose.global_orient, orient, atol=1e-12)
    np.testing.assert_allclose(pose.body_pose, joints, atol=1e-12)
    assert pose.body_pose.dtype == np.float64


def test_free_motion_keeps_velocities_exactly(body: MujocoHumanoid) -> None:
    rng = np.random.default_rng(2)
    body.place(rng.normal(size=3), rng.normal(size=3), 0.5 * rng.normal(size=(21, 3)))
    body.set_root_linear_velocity(rng.normal(size=3))
    body.set_root_angular_velocity(3.0 * rng.normal(size=3))
    body.set_joint_velocities(5.0 * rng.normal(size=(21, 3)))
    before = body.world.data.qvel.copy()
    for _ in range(40):
        body.step(1 / 120)
    np.testing.assert_array_equal(body.world.data.qvel, before)


def test_velocity_frames(body: MujocoHumanoid) -> None:
    """A root turn is commanded in world axes, a joint turn in the child's own frame."""
    orient = np.array([0.4, -0.9, 1.3])
    joints = np.zeros((21, 3))
    joints[:] = np.random.default_rng(3).normal(size=(21, 3)) * 0.5
    body.place(np.zeros(3), orient, joints)
    omega, local = np.array([0.3, -0.2, 0.5]), np.full((21, 3), 0.7)
    start = body.joint_rotations()
    body.set_root_angular_velocity(omega)
    body.set_joint_velocities(local)
    np.testing.assert_allclose(body.root_angular_velocity(), omega, atol=1e-12)
    for _ in range(12):
        body.step(1 / 120)
    turned = Rotation.from_rotvec(0.1 * omega) * Rotation.from_rotvec(orient)
    np.testing.assert_allclose(body.root_pose()[1], turned.as_matrix(), atol=1e-9)
    expected = quat_multiply(start, rotvec_to_quat(0.1 * local))
    assert np.abs(np.einsum("ij,ij->i", body.joint_rotations(), expected)).min() > 1 - 1e-12
    np.testing.assert_allclose(approximate_joint_velocities(start, body.joint_rotations(), 0.1), local, atol=1e-9)


def test_link_velocities_are_differences_of_positions(body: MujocoHumanoid) -> None:
    rng = np.random.default_rng(4)
    body.place(rng.normal(size=3), rng.normal(size=3), 0.3 * rng.normal(size=(21, 3)))
    body.set_root_linear_velocity(np.array([0.5, -0.2, 0.1]))
    body.set_joint_velocities(0.5 * rng.normal(size=(21, 3)))
    positions = body.link_positions()
    linear, angular = body.link_velocities()
    body.step(1 / 120)
    np.testing.assert_allclose((body.link_positions() - positions) * 120, linear, atol=2e-2)
    assert angular.shape == (22, 3)


@pytest.mark.parametrize(
    ("mode", "closed_form"),
    [("pre", -4.9 * (1 + 1 / 30)), ("substep", -4.9 * (1 + 1 / 120)), ("midpoint", -4.9)],
)
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_free_fall_for_one_second(body: MujocoHumanoid, mode: str, closed_form: float, scale: float) -> None:
    body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
    options = HalfPhysicsOptions(root_gravity_mode=mode, root_gravity_scale=scale)  # type: ignore[arg-type]
    start = body.root_pose()[0][2]
    for frame in range(30):
        body.execute_frame(STILL, UPRIGHT, np.zeros(3), DT, options)
        if mode == "midpoint":
            time = (frame + 1) * DT
            assert body.root_pose()[0][2] - start == pytest.approx(-4.9 * time**2 * scale, abs=1e-9)
    assert body.root_pose()[0][2] - start == pytest.approx(closed_form * scale, abs=1e-9)


def test_free_fall_agrees_with_the_reference(body: MujocoHumanoid, conformance_dir: Path) -> None:
    rows = json.loads((conformance_dir / "household" / "halfphysics_frames.json").read_text())["free_fall"]
    for row in rows:
        body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
        options = HalfPhysicsOptions(root_gravity_mode=row["mode"], root_gravity_scale=row["scale"])
        start = body.root_pose()[0][2]
        heights = []
        for _ in range(row["frames"]):
            body.execute_frame(STILL, UPRIGHT, np.zeros(3), DT, options)
            heights.append(body.root_pose()[0][2] - start)
        np.testing.assert_allclose(heights, row["y_after_each_frame"], atol=1e-9)


def test_command_schedule_in_free_air(body: MujocoHumanoid, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something pushes the root after every substep; the command comes back on substeps 0 and 2 only."""
    seen, step = [], body.step

    def pushed(timestep_s: float) -> None:
        seen.append(body.root_linear_velocity())
        step(timestep_s)
        body.set_root_linear_velocity(body.root_linear_velocity() + np.array([5.0, 0.0, 0.0]))

    monkeypatch.setattr(body, "step", pushed)
    body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
    body.execute_frame(STILL, UPRIGHT, np.array([0.3, 0.0, 0.4]), DT, HalfPhysicsOptions())
    np.testing.assert_allclose([v[0] for v in seen], [9.0, 14.0, 9.0, 14.0], atol=1e-9)
    np.testing.assert_allclose([v[2] for v in seen], [-9.8 / 240 * (2 * k + 1) for k in range(4)], atol=1e-12)


def test_requested_vertical_rate_is_written_once(body: MujocoHumanoid) -> None:
    body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
    options = HalfPhysicsOptions(root_vertical_command="requested", root_gravity_scale=0.0)
    height = body.root_pose()[0][2]
    body.execute_frame(STILL, UPRIGHT, np.array([0.0, 0.0, 0.05]), DT, options)
    assert body.root_pose()[0][2] - height == pytest.approx(0.05, abs=1e-9)


def test_targets_are_reached_in_one_frame_below_the_cap_and_limited_above(body: MujocoHumanoid) -> None:
    body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
    target = np.zeros((54, 3))
    target[JOINT_NAMES.index("left_knee") - 1] = (0.4, 0.0, 0.0)
    body.execute_frame(target, UPRIGHT, np.zeros(3), DT, HalfPhysicsOptions(pjsc_lambda=0.0))
    np.testing.assert_allclose(body.read_pose().body_pose, target, atol=1e-9)
    target[JOINT_NAMES.index("left_knee") - 1] = (0.4 + 2.0, 0.0, 0.0)
    knee = HalfPhysicsOptions(pjsc_lambda=0.0)
    body.execute_frame(target, UPRIGHT, np.zeros(3), DT, knee)
    bent = body.read_pose().body_pose[JOINT_NAMES.index("left_knee") - 1, 0]
    assert bent == pytest.approx(0.4 + np.pi / 6, abs=1e-6)


def test_motors_add_to_the_current_joint_velocity(body: MujocoHumanoid) -> None:
    body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
    knee = body.joint_names.index("left_knee")
    body.create_motor(knee)
    target = body.joint_rotations()
    target[knee] = rotvec_to_quat([0.1, 0.0, 0.0])
    body.set_joint_velocities(np.full((21, 3), 0.5))
    body.set_motors(np.full(21, 0.5), target)
    body.step(1 / 120)
    expected = np.full((21, 3), 0.5)
    expected[knee, 0] += 0.5 * 24.0 * 0.1
    np.testing.assert_allclose(body.joint_velocities(), expected, atol=1e-9)
    body.remove_motor(knee)
    body.set_motors(np.ones(21), target)
    body.step(1 / 120)
    np.testing.assert_allclose(body.joint_velocities(), expected, atol=1e-9)


def test_objects_fall_while_the_body_floats() -> None:
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = 1 / 120, (0.0, 0.0, -9.8)
    ball = spec.worldbody.add_body(name="ball_:0000", pos=(3.0, 0.0, 50.0))
    ball.add_joint(name="ball_:0000/free", type=mujoco.mjtJoint.mjJNT_FREE)
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(0.1, 0, 0), mass=2.0)
    add_humanoid(spec)
    world = World(spec)
    body = MujocoHumanoid(world)
    body.place((0.0, 0.0, 50.0), UPRIGHT, STILL)
    height = body.root_pose()[0][2]
    for _ in range(15):
        body.execute_frame(STILL, UPRIGHT, np.zeros(3), DT, HalfPhysicsOptions(root_gravity_scale=0.0))
    assert body.root_pose()[0][2] == pytest.approx(height, abs=1e-12)
    assert 50.0 - world.data.body("ball_:0000").xpos[2] == pytest.approx(4.9 * 0.25, rel=0.05)
    with pytest.raises(SimulationError, match="ball"):
        body.apply_object_force("ball_:0000", np.zeros(3))


def test_the_same_frames_give_the_same_bits(make_puppet) -> None:
    states = []
    for _ in range(2):
        body = make_puppet(None).body
        body.place((0.0, 0.0, 5.0), UPRIGHT, STILL)
        for k in range(10):
            body.execute_frame(
                np.full((54, 3), 0.02 * k), UPRIGHT, np.array([0.01, 0.0, 0.0]), DT, HalfPhysicsOptions()
            )
        states.append(body.world.state_hash())
    assert states[0] == states[1]


def test_a_restored_snapshot_continues_bit_for_bit(make_puppet) -> None:
    puppet = make_puppet(bare_room())
    pose = puppet.standing(0.95)
    puppet.place(1.2, -0.9, 0.95, pose)
    for _ in range(8):
        puppet.frame(pose, (0.0, -0.02))
    snapshot = puppet.world.snapshot()
    hashes = []
    for _ in range(2):
        for _ in range(20):
            puppet.frame(pose, (0.0, -0.02))
        hashes.append(puppet.world.state_hash())
        puppet.world.restore(snapshot)
    assert hashes[0] == hashes[1]


def test_guards(body: MujocoHumanoid, make_puppet) -> None:
    with pytest.raises(MotionError, match="body_pose"):
        body.execute_frame(np.zeros((22, 3)), UPRIGHT, np.zeros(3), DT, HalfPhysicsOptions())
    with pytest.raises(MotionError, match="root rotation"):
        body.execute_frame(STILL, np.array([np.nan, 0, 0]), np.zeros(3), DT, HalfPhysicsOptions())
    with pytest.raises(SimulationError, match="the controller asks for"):
        body.execute_frame(STILL, UPRIGHT, np.zeros(3), 1 / 60, HalfPhysicsOptions())
    with pytest.raises(SimulationError, match="m/s"):
        body.execute_frame(STILL, UPRIGHT, np.array([3.0, 0.0, 0.0]), DT, HalfPhysicsOptions())
    with pytest.raises(SimulationError, match="no humanoid"):
        MujocoHumanoid(World(mujoco.MjSpec()))
