"""Comparison with the reference numbers, and a body that walks in the bare room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from bodyloop.body.humanoid import add_humanoid
from bodyloop.body.kinematics import forward_kinematics, pelvis_position
from bodyloop.body.layout import xb75_to_pose
from bodyloop.body.mujoco_engine import MujocoHumanoid
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.rotations import matrix_to_rotvec, rotvec_to_matrix
from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.motion.types import Condition
from bodyloop.scenes.bare_room import bare_room
from bodyloop.scenes.builder import build_spec
from bodyloop.sim.world import World


class Reference:
    """Loads reference arrays and compares with their stated tolerances."""

    small = Path(__file__).parents[1] / "data" / "motion_canonical.npz"

    @staticmethod
    def load(path: Path) -> dict[str, npt.NDArray[np.floating]]:
        with np.load(path, allow_pickle=False) as data:
            return {key: data[key] for key in data.files}

    @staticmethod
    def angle_between(a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.float64]:
        turn = np.swapaxes(rotvec_to_matrix(a), -1, -2) @ rotvec_to_matrix(b)
        return np.linalg.norm(matrix_to_rotvec(turn), axis=-1)

    @classmethod
    def same_rotations(cls, ours: npt.ArrayLike, reference: npt.ArrayLike) -> None:
        """The bound grows near 0 and pi, where the reference's float32 logarithm loses digits."""
        error = cls.angle_between(ours, reference)
        size = np.linalg.norm(ours, axis=-1)
        bound = np.select([size < 0.01, size <= 2.5, size <= 3.05, size <= 3.13], [2e-4, 2e-5, 5e-4, 5e-3], np.inf)
        assert (error <= bound).all()

    @staticmethod
    def close(ours: npt.ArrayLike, reference: npt.ArrayLike) -> None:
        np.testing.assert_allclose(ours, reference, atol=5e-6, rtol=1e-5)


@pytest.fixture(scope="session")
def reference() -> type[Reference]:
    return Reference


@dataclass(frozen=True)
class Chunk:
    """What one skill call asked for and what physics made of it; trajectory frame unless said otherwise."""

    requested: npt.NDArray[np.floating]
    """(16, 75) requested motion-world frames, the first one from before the call."""
    pelvis: npt.NDArray[np.floating]
    """(16, 3) realized pelvis joint."""
    links: npt.NDArray[np.floating]
    """(16, 22, 3) realized link origins."""
    yaw_deg: npt.NDArray[np.floating]
    """(16,) realized heading, counter-clockwise from -Y, unwrapped."""
    wall_depth_m: float
    """Deepest penetration of a contact shape into the stage or a static object, floor included."""
    touched: set[str]
    """Bodies (``world`` for the stage) that the human touched at any frame."""

    @property
    def displacement(self) -> tuple[float, float]:
        """Realized pelvis displacement to the left and ahead of the first heading."""
        return self._local(self.pelvis[-1] - self.pelvis[0], self.yaw_deg[0])

    @property
    def asked_displacement(self) -> tuple[float, float]:
        x, _, z = self.requested[-1, :3] - self.requested[0, :3]
        return self._local(np.array([x, -z, 0.0]), self.asked_yaw_deg[0])

    @property
    def asked_yaw_deg(self) -> npt.NDArray[np.floating]:
        forward = rotvec_to_matrix(self.requested[:, 3:6])[:, :, 2]
        return np.degrees(np.unwrap(np.arctan2(forward[:, 0], forward[:, 2])))

    def slide_m(self) -> float:
        """Farthest that a toe joint travelled on the floor while the request kept it in place."""
        body = self.requested[:, 6:69].reshape(-1, 21, 3)
        asked = forward_kinematics(pelvis_position(self.requested[:, :3]), self.requested[:, 3:6], body)
        farthest = 0.0
        for side in ("left_foot", "right_foot"):
            toe = JOINT_NAMES.index(side)
            held = np.linalg.norm(np.diff(asked[:, toe], axis=0), axis=-1) < 0.0015
            start = 0
            for frame in range(1, len(asked)):
                if not held[frame - 1]:
                    start = frame
                gone = np.linalg.norm(self.links[frame, toe, :2] - self.links[start, toe, :2])
                farthest = max(farthest, float(gone))
        return farthest

    @staticmethod
    def _local(step: npt.NDArray[np.floating], yaw_deg: float) -> tuple[float, float]:
        angle = np.radians(yaw_deg)
        ahead, left = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
        return float(step[:2] @ left), float(step[:2] @ ahead)


class Walker:
    """The body in a world, moved by the skill runner, root height never commanded."""

    def __init__(self, model: mujoco.MjModel, x_m: float, y_m: float, yaw_deg: float, floor_m: float) -> None:
        self.world = World(model)
        self.body = MujocoHumanoid(self.world)
        self.runner = MotionSkillRunner(AnalyticGenerator())
        self.options = HalfPhysicsOptions()
        self.last = self.runner.reset((x_m, y_m, floor_m), yaw_deg)
        pose = xb75_to_pose(self.last[None])
        self.body.place(pose.transl[0], pose.global_orient[0], pose.body_pose[0])
        for _ in range(15):
            self._frame(pose.global_orient[0], pose.body_pose[0], np.zeros(3))

    def run(self, skill: str, condition: Condition = None) -> Chunk:
        motion = self.runner.generate(skill, condition)
        requested = np.concatenate([self.last[None], motion.xb_world_75]).astype(np.float64)
        pose = xb75_to_pose(requested)
        pelvis, links, yaw = [self.body.root_pose()[0]], [self.body.link_positions().copy()], [self.yaw_deg()]
        depth, touched = 0.0, set()
        for t in range(1, len(requested)):
            self._frame(pose.global_orient[t], pose.body_pose[t], pose.transl[t] - pose.transl[t - 1])
            pelvis.append(self.body.root_pose()[0])
            links.append(self.body.link_positions().copy())
            yaw.append(self.yaw_deg())
            depth = max(depth, self._depth_m())
            touched |= self._touched()
        self.last = motion.xb_world_75[-1]
        heading = np.degrees(np.unwrap(np.radians(yaw)))
        return Chunk(requested, np.array(pelvis), np.array(links), heading, depth, touched)

    def yaw_deg(self) -> float:
        forward = self.body.root_pose()[1][:, 2]
        return float(np.degrees(np.arctan2(forward[0], -forward[1])))

    def touching(self, name: str) -> set[str]:
        """Links that touch the body ``name`` (or the stage parts whose geom name starts with it)."""
        self.world.forward()
        model, found = self.world.model, set()
        for contact in self.world.data.contact:
            pair = [model.geom(int(geom)).name for geom in (contact.geom1, contact.geom2)]
            for mine, other in (pair, pair[::-1]):
                if mine.startswith("human/") and other.startswith(name) and contact.dist < 0.01:
                    found.add(mine.split("/")[1])
        return found

    def _frame(self, orient: npt.ArrayLike, body_pose: npt.ArrayLike, step: npt.ArrayLike) -> None:
        self.body.execute_frame(body_pose, orient, step, 1 / 30, self.options)

    def _touched(self) -> set[str]:
        geoms, model = self.world.data.contact.geom, self.world.model
        if len(geoms) == 0:
            return set()
        human = model.geom_contype[geoms] == 2
        others = geoms[~human & human.any(axis=1, keepdims=True)]
        return {model.body(int(body)).name for body in np.unique(model.geom_bodyid[others])}

    def _depth_m(self) -> float:
        contact, model = self.world.data.contact, self.world.model
        if len(contact.dist) == 0:
            return 0.0
        kinds = model.geom_contype[contact.geom]
        solid = (kinds == 1).any(axis=1) & (kinds == 2).any(axis=1)
        return float(np.max(-contact.dist[solid], initial=0.0))


@pytest.fixture(scope="session")
def bare_room_model() -> mujoco.MjModel:
    built = build_spec(bare_room())
    add_humanoid(built.spec)
    return built.spec.compile()


@pytest.fixture
def make_walker(bare_room_model: mujoco.MjModel) -> Callable[..., Walker]:
    """A settled body at (x, y) of the bare room, trajectory frame."""

    def make(x_m: float = 0.0, y_m: float = 0.0, yaw_deg: float = 0.0, floor_m: float = 0.0, **other: Any) -> Walker:
        return Walker(other.get("model", bare_room_model), x_m, y_m, yaw_deg, floor_m)

    return make
