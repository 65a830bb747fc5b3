"""A recording engine without physics, and readers of the reference numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bodyloop.body.half_physics import hp_step
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.rotations import rotvec_to_matrix

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


@pytest.fixture
def root_matrix() -> Callable[[list[float]], np.ndarray]:
    return lambda rotvec: rotvec_to_matrix(np.array(rotvec))
