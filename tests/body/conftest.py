"""A recording engine without physics, readers of the reference numbers, and a scripted body in MuJoCo."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import mujoco
import numpy as np
import pytest

from bodyloop.body.half_physics import hp_step
from bodyloop.body.humanoid import add_humanoid
from bodyloop.body.layout import TRAJECTORY_PELVIS_OFFSET_M
from bodyloop.body.mujoco_engine import MujocoHumanoid
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.skeleton import JOINT_NAMES, REST_OFFSETS_M, SOLE_DEPTH_M
from bodyloop.scenes.description import SceneDescription
from bodyloop.sim.world import World

DATA = Path(__file__).parents[1] / "data" / "halfphysics"


class StubEngine:
    """Poses never change; every step adds a fixed kick to the root velocities; everything written is kept."""

    def __init__(self, frame: dict[str, Any]) -> None:
        self.frame = frame
        self.world_map = np.array(frame["W"], dtype=float)
        self.up_axis = 1
        self.joint_names = tuple(frame["names"])
        self.motors = np.zeros(len(self.joint_names), dtype=bool)
        self.gains = np.zeros(len(self.joint_names))
        self.targets = np.zeros((len(self.joint_names), 4))
        self.linear, self.angular = np.array(frame["v0"], float), np.array(frame["w0"], float)
        self.joint_velocities = np.zeros((0, 3))
        self.begun = False
        self.step_dt: list[float] = []
        self.linear_before: list[np.ndarray] = []
        self.angular_before: list[np.ndarray] = []
        self.motor_log: list[list[tuple[float, np.ndarray]]] = []
        self.created: list[int] = []
        self.removed: list[int] = []
        self.forces: dict[str, list[np.ndarray]] = {name: [] for name in frame["objs"]}
        self.steps = 0

    def root_pose(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.frame["p0"], float), np.array(self.frame["R0"], float)

    def joint_rotations(self) -> np.ndarray:
        return np.array(self.frame["quats"], float)

    def root_linear_velocity(self) -> np.ndarray:
        return self.linear.copy()

    def set_root_linear_velocity(self, velocity: np.ndarray) -> None:
        self.linear = np.array(velocity)

    def set_root_angular_velocity(self, velocity: np.ndarray) -> None:
        self.angular = np.array(velocity)

    def set_joint_velocities(self, velocities: np.ndarray) -> None:
        self.joint_velocities = np.array(velocities)

    def begin_frame(self) -> None:
        self.begun = True

    def objects_without_gravity(self) -> list[tuple[str, float]]:
        return [(name, mass) for name, (mass, kind) in self.frame["objs"].items() if kind == "DYNAMIC"]

    def apply_object_force(self, name: str, force: np.ndarray) -> None:
        self.forces[name].append(force)

    def create_motor(self, joint: int) -> None:
        self.motors[joint] = True
        self.created.append(joint)

    def remove_motor(self, joint: int) -> None:
        self.motors[joint] = False
        self.removed.append(joint)

    def set_motors(self, gains: np.ndarray, targets: np.ndarray) -> None:
        self.gains = np.where(self.motors, gains, self.gains)
        self.targets = np.where(self.motors[:, None], targets, self.targets)

    def step(self, timestep_s: float) -> None:
        if self.frame.get("fail_at") == self.steps:
            raise RuntimeError("the engine failed")
        self.steps += 1
        self.step_dt.append(timestep_s)
        self.linear_before.append(self.linear.copy())
        self.angular_before.append(self.angular.copy())
        self.motor_log.append(list(zip(self.gains.tolist(), self.targets.copy(), strict=True)))
        self.linear = self.linear + np.array(self.frame["kick"], float)
        self.angular = self.angular + np.array(self.frame["kickw"], float)


def options_of(frame: dict[str, Any]) -> HalfPhysicsOptions:
    """The frame's options; these frames request the vertical rate."""
    return HalfPhysicsOptions(root_vertical_command="requested", **frame["opt"])


@pytest.fixture
def run_stub() -> Callable[[dict[str, Any]], tuple[StubEngine, BaseException | None]]:
    def run(frame: dict[str, Any]) -> tuple[StubEngine, BaseException | None]:
        engine = StubEngine(frame)
        try:
            hp_step(engine, frame["pose"], frame["orient"], frame["step"], frame["dt"], options_of(frame))
        except Exception as error:
            return engine, error
        return engine, None

    return run


@pytest.fixture(scope="session")
def small_frames() -> dict[str, Any]:
    """A few whole frames of the reference controller."""
    return json.loads((DATA / "frames.json").read_text())


@pytest.fixture(scope="session")
def small_helpers() -> dict[str, np.ndarray]:
    """A few rows of the reference helpers."""
    with np.load(DATA / "helpers.npz", allow_pickle=False) as archive:
        return dict(archive)


def build_world(scene: SceneDescription | None = None, *, armature: float = 10.0) -> World:
    """A world with the humanoid, and the boxes of a scene if given."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = 1 / 120, (0.0, 0.0, -9.8)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    if scene is not None:
        add_boxes(spec, scene)
    add_humanoid(spec, armature=armature)
    return World(spec)


def add_boxes(spec: mujoco.MjSpec, scene: SceneDescription) -> None:
    box = mujoco.mjtGeom.mjGEOM_BOX
    for part in scene.stage:
        spec.worldbody.add_geom(
            name=f"stage/{part.name}", type=box, size=part.size_m, pos=part.position_m, contype=1, conaffinity=6
        )
    for item in scene.instances:
        template, free = scene.templates[item.template], item.motion_type == "DYNAMIC"
        body = spec.worldbody.add_body(name=item.name, pos=item.position_m)
        if free:
            body.add_joint(name=f"{item.name}/free", type=mujoco.mjtJoint.mjJNT_FREE)
        volume = sum(float(np.prod(part.size_m)) for part in template.parts)
        for part in template.parts:
            geom = body.add_geom(name=f"{item.name}/{part.name}", type=box, size=part.size_m, pos=part.position_m)
            geom.contype, geom.conaffinity = (4, 7) if free else (1, 6)
            geom.mass = template.mass_kg * float(np.prod(part.size_m)) / volume
            # Wooden legs on a wooden floor; priority lets this value win over the floor's.
            geom.friction, geom.priority = (0.35, 0.005, 0.0001), 1


class Puppet:
    """Scripted motion: two-link legs that keep the soles level, arms hanging, root height never commanded."""

    dt_s = 1 / 30
    thigh_m, shank_m = -REST_OFFSETS_M[4, 1], -REST_OFFSETS_M[7, 1]
    arms: ClassVar = {
        "left_shoulder": (0.0, 0.1, -1.2),
        "right_shoulder": (0.0, -0.1, 1.2),
        "left_elbow": (0.0, -0.25, 0.0),
        "right_elbow": (0.0, 0.25, 0.0),
    }

    def __init__(self, scene: SceneDescription | None, *, armature: float = 10.0) -> None:
        self.world = build_world(scene, armature=armature)
        self.body = MujocoHumanoid(self.world)
        self.options = HalfPhysicsOptions()
        self.orient = np.array([np.pi / 2, 0.0, 0.0])

    def pose(self, left: tuple[float, float], right: tuple[float, float], **joints: tuple[float, ...]) -> np.ndarray:
        """(54, 3) pose with each ankle at (forward, down) metres from its hip, soles level."""
        rows = dict(self.arms)
        for side, (forward, down) in (("left", left), ("right", right)):
            rows |= self._leg(side, forward, down)
        rows |= joints
        pose = np.zeros((54, 3))
        for name, rotvec in rows.items():
            pose[JOINT_NAMES.index(name) - 1] = rotvec
        return pose

    def standing(self, height_m: float, forward_m: float = 0.0, **joints: tuple[float, ...]) -> np.ndarray:
        """Both feet on one floor, the pelvis at a height above it."""
        leg = (forward_m, self.down(height_m))
        return self.pose(leg, leg, **joints)

    @staticmethod
    def down(pelvis_above_sole_m: float) -> float:
        """Hip above ankle for a level sole."""
        return float(pelvis_above_sole_m + REST_OFFSETS_M[1, 1] - SOLE_DEPTH_M)

    def _leg(self, side: str, forward: float, down: float) -> dict[str, tuple[float, float, float]]:
        a, b = self.thigh_m, self.shank_m
        reach = min(np.hypot(forward, down), a + b - 1e-4)
        knee = float(np.arccos(np.clip((reach**2 - a**2 - b**2) / (2 * a * b), -1.0, 1.0)))
        hip = float(np.arctan2(-forward, down) - np.arctan2(b * np.sin(knee), a + b * np.cos(knee)))
        angles = {"hip": hip, "knee": knee, "ankle": -hip - knee}
        return {f"{side}_{name}": (angle, 0.0, 0.0) for name, angle in angles.items()}

    def place(self, x: float, y: float, pelvis_m: float, pose: np.ndarray) -> None:
        self.body.place(np.array([x, y, pelvis_m]) - TRAJECTORY_PELVIS_OFFSET_M, self.orient, pose)

    def frame(self, pose: np.ndarray, step: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
        """Execute one frame; pelvis position (3,)."""
        self.body.execute_frame(pose, self.orient, np.array([*step, 0.0]), self.dt_s, self.options)
        return self.body.root_pose()[0]

    def contacts(self) -> tuple[np.ndarray, set[str]]:
        """Distances of the body's contacts, and the names of what it touches closer than 1 cm."""
        self.world.forward()
        contact, model = self.world.data.contact, self.world.model
        names = np.array([[model.geom(int(g)).name for g in pair] for pair in contact.geom]).reshape(-1, 2)
        human = np.char.startswith(names, "human/") if len(names) else np.zeros((0, 2), bool)
        rows = human.any(axis=1)
        return contact.dist[rows], set(names[rows][~human[rows]].tolist())


@pytest.fixture
def make_puppet() -> type[Puppet]:
    return Puppet
