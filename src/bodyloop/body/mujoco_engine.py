"""The humanoid in a MuJoCo world, driven by half-physics.

MuJoCo needs no patch: between the two halves of a step the body's bias forces are cancelled, so in free motion its
velocities stay exactly what the controller wrote; the body carries no weight of its own (``gravcomp``), while engine
gravity keeps acting on objects. The world is the trajectory frame (Z up).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from bodyloop.body.half_physics import hp_step
from bodyloop.body.humanoid import ROOT_JOINT
from bodyloop.body.layout import TRAJECTORY_PELVIS_OFFSET_M, BodyPose
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.rotations import (
    FloatArray,
    quat_inverse,
    quat_multiply,
    quat_to_matrix,
    quat_to_rotvec,
    rotvec_to_quat,
    wxyz_to_xyzw,
    xyzw_to_wxyz,
)
from bodyloop.body.skeleton import BODY_JOINTS, JOINT_NAMES, POSE_ROWS
from bodyloop.errors import MotionError, SimulationError
from bodyloop.sim.world import World

__all__ = ["MOTOR_ERROR_REDUCTION", "MujocoHumanoid"]

MOTOR_ERROR_REDUCTION: Final = 0.2
"""Share of a motor's angle error that a gain of 1 asks to remove per substep (24 rad/s per rad at 120 Hz)."""

EYE_AHEAD_M: Final = 0.02
"""The ego view starts this far in front of the eyes."""


class MujocoHumanoid:
    """Reads, places and drives the humanoid of a world; implements ``HalfPhysicsEngine``.

    Raises:
        SimulationError: the world holds no humanoid.
    """

    world_map: FloatArray = np.eye(3)
    up_axis: int = 2
    joint_names: Sequence[str] = JOINT_NAMES[1:]

    def __init__(self, world: World) -> None:
        self.world = world
        self._model, self._data = world.model, world.data
        root = self._joint(ROOT_JOINT)
        joints = [self._joint(name) for name in self.joint_names]
        self._root_qpos = int(self._model.jnt_qposadr[root])
        self._root_dof = int(self._model.jnt_dofadr[root])
        self._joint_qpos = self._model.jnt_qposadr[joints][:, None] + np.arange(4)
        self._joint_dofs = self._model.jnt_dofadr[joints][:, None] + np.arange(3)
        self._dofs = np.concatenate([self._root_dof + np.arange(6), self._joint_dofs.ravel()])
        self._bodies = np.array([self._model.body(name).id for name in JOINT_NAMES])
        self._head = int(self._bodies[JOINT_NAMES.index("head")])
        self._eyes = [self._model.site(f"human/{side}_eye").id for side in ("left", "right")]
        self.motors: npt.NDArray[np.bool_] = np.zeros(BODY_JOINTS, dtype=bool)
        self._gains, self._targets = np.zeros(BODY_JOINTS), self.joint_rotations()

    # -- poses -----------------------------------------------------------------------------------------------------

    def place(self, transl: npt.ArrayLike, global_orient: npt.ArrayLike, body_pose: npt.ArrayLike) -> None:
        """Put the body at rest into a pose of the trajectory frame: (3,), axis-angle (3,) and (54, 3) or (21, 3)."""
        rotvecs = _joint_rows(body_pose)
        data, root = self._data, self._root_qpos
        data.qpos[root : root + 3] = np.asarray(transl, dtype=np.float64) + TRAJECTORY_PELVIS_OFFSET_M
        data.qpos[root + 3 : root + 7] = xyzw_to_wxyz(rotvec_to_quat(global_orient))
        data.qpos[self._joint_qpos] = xyzw_to_wxyz(rotvec_to_quat(rotvecs))
        for array in (data.qvel, data.qfrc_applied, data.qacc_warmstart):
            array[self._dofs] = 0.0
        self.world.forward()

    def read_pose(self) -> BodyPose:
        """The realized pose, float64, trajectory frame; rows 21..53 of the body pose are zero."""
        data, root = self._data, self._root_qpos
        body_pose = np.zeros((POSE_ROWS, 3))
        body_pose[:BODY_JOINTS] = quat_to_rotvec(self.joint_rotations())
        orient = quat_to_rotvec(wxyz_to_xyzw(data.qpos[root + 3 : root + 7]))
        return BodyPose(data.qpos[root : root + 3] - TRAJECTORY_PELVIS_OFFSET_M, orient, body_pose)

    def link_positions(self) -> FloatArray:
        """(22, 3) link origins of the current state, world, in the order of ``JOINT_NAMES``."""
        mujoco.mj_kinematics(self._model, self._data)
        positions: FloatArray = self._data.xpos[self._bodies]
        return positions

    def link_rotations(self) -> FloatArray:
        """(22, 3, 3) link orientations of the current state, world."""
        mujoco.mj_kinematics(self._model, self._data)
        return np.array(self._data.xmat[self._bodies], dtype=np.float64).reshape(-1, 3, 3)

    def link_velocities(self) -> tuple[FloatArray, FloatArray]:
        """Linear and angular velocity of the link origins, (22, 3) each, world axes, m/s and rad/s."""
        model, data = self._model, self._data
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        twist = np.empty((len(self._bodies), 6))
        kind = int(mujoco.mjtObj.mjOBJ_XBODY)
        for row, body in zip(twist, self._bodies, strict=True):
            mujoco.mj_objectVelocity(model, data, kind, int(body), row, 0)
        return twist[:, 3:].copy(), twist[:, :3].copy()

    def eye_pose(self, ahead_m: float = EYE_AHEAD_M) -> tuple[FloatArray, FloatArray]:
        """Where the ego view starts (3,), ``ahead_m`` before the middle of the eyes, and the head's axes (3, 3) as columns.

        Column 0 points to the body's left, 1 up, 2 forward.
        """
        mujoco.mj_kinematics(self._model, self._data)
        axes = np.array(self._data.xmat[self._head], dtype=np.float64).reshape(3, 3)
        middle = self._data.site_xpos[self._eyes].mean(axis=0)
        return middle + ahead_m * axes[:, 2], axes

    # -- driving ---------------------------------------------------------------------------------------------------

    def execute_frame(
        self,
        body_pose: npt.ArrayLike,
        global_orient: npt.ArrayLike,
        transl_step: npt.ArrayLike,
        dt_s: float,
        options: HalfPhysicsOptions,
    ) -> None:
        """Resolve one requested frame and check that the world is still finite.

        ``body_pose`` (54, 3) or (21, 3) and ``global_orient`` (3,) are absolute, ``transl_step`` (3,) is relative to the
        realized root; trajectory frame. Raises ``MotionError`` for a wrong request, ``SimulationError`` for a diverged world.
        """
        hp_step(self, _joint_rows(body_pose), global_orient, transl_step, dt_s, options)
        self.world.check_finite()

    def root_pose(self) -> tuple[FloatArray, FloatArray]:
        """Pelvis position (3,) and rotation matrix (3, 3)."""
        root = self._root_qpos
        quat = wxyz_to_xyzw(self._data.qpos[root + 3 : root + 7])
        return self._data.qpos[root : root + 3].copy(), quat_to_matrix(quat)

    def joint_rotations(self) -> FloatArray:
        """(21, 4) joint quaternions xyzw."""
        return wxyz_to_xyzw(self._data.qpos[self._joint_qpos])

    def root_linear_velocity(self) -> FloatArray:
        """(3,) m/s, world axes."""
        velocity: FloatArray = self._data.qvel[self._root_dof : self._root_dof + 3].copy()
        return velocity

    def root_angular_velocity(self) -> FloatArray:
        """(3,) rad/s, world axes."""
        local = self._data.qvel[self._root_dof + 3 : self._root_dof + 6]
        velocity: FloatArray = self.root_pose()[1] @ local
        return velocity

    def set_root_linear_velocity(self, velocity: FloatArray) -> None:
        """Write (3,) m/s, world axes."""
        self._data.qvel[self._root_dof : self._root_dof + 3] = velocity

    def set_root_angular_velocity(self, velocity: FloatArray) -> None:
        """Write (3,) rad/s, world axes; the engine keeps it in the pelvis frame."""
        self._data.qvel[self._root_dof + 3 : self._root_dof + 6] = velocity @ self.root_pose()[1]

    def joint_velocities(self) -> FloatArray:
        """(21, 3) rad/s, child frames."""
        velocities: FloatArray = self._data.qvel[self._joint_dofs]
        return velocities

    def set_joint_velocities(self, velocities: FloatArray) -> None:
        """Write (21, 3) rad/s, child frames."""
        self._data.qvel[self._joint_dofs] = velocities

    def begin_frame(self) -> None:
        """Nothing to do: the body floats by ``gravcomp``, and sleeping is off."""

    def objects_without_gravity(self) -> Sequence[tuple[str, float]]:
        """Empty: engine gravity pulls every object, which equals their weight as a force in every substep."""
        return ()

    def apply_object_force(self, name: str, force: FloatArray) -> None:
        """Never asked for here."""
        raise SimulationError(f"engine gravity already acts on {name!r}; a second force {force} would double it")

    def create_motor(self, joint: int) -> None:
        """Let a joint have a motor."""
        self.motors[joint] = True

    def remove_motor(self, joint: int) -> None:
        """Take a joint's motor away."""
        self.motors[joint] = False

    def set_motors(self, gains: FloatArray, targets: FloatArray) -> None:
        """Gains (21,) and target quaternions (21, 4) of the next step."""
        self._gains, self._targets = np.where(self.motors, gains, 0.0), targets

    def step(self, timestep_s: float) -> None:
        """One substep in which only contacts and motors change the body's velocities."""
        model, data = self._model, self._data
        if abs(model.opt.timestep - timestep_s) > 1e-9:
            raise SimulationError(
                f"the world steps {model.opt.timestep:.6f} s but the controller asks for {timestep_s:.6f} s; build the"
                " world with frame time / substeps"
            )
        if self._gains.any():
            self._drive_motors(timestep_s)
        mujoco.mj_step1(model, data)
        data.qfrc_applied[self._dofs] = data.qfrc_bias[self._dofs] - data.qfrc_passive[self._dofs]
        mujoco.mj_step2(model, data)

    def _drive_motors(self, timestep_s: float) -> None:
        """Add to the CURRENT joint velocities; writing them anew would erase what contacts did."""
        error = quat_to_rotvec(quat_multiply(quat_inverse(self.joint_rotations()), self._targets))
        rate = self._gains[:, None] * (MOTOR_ERROR_REDUCTION / timestep_s)
        self._data.qvel[self._joint_dofs] += rate * error

    def _joint(self, name: str) -> int:
        joint = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_JOINT, name)
        if joint < 0:
            raise SimulationError(f"the world holds no humanoid: joint {name!r} is missing; add one with add_humanoid")
        return int(joint)


def _joint_rows(body_pose: npt.ArrayLike) -> FloatArray:
    rows = np.asarray(body_pose, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3 or len(rows) not in (POSE_ROWS, BODY_JOINTS):
        raise MotionError(f"body_pose: expected shape ({POSE_ROWS}, 3) or ({BODY_JOINTS}, 3), got {rows.shape}")
    return rows[:BODY_JOINTS]
