"""A MuJoCo model with its data: stepping, exact snapshots, numerical guards."""

from __future__ import annotations

import mujoco
import numpy as np

from bodyloop.errors import SimulationError
from bodyloop.sim.model_edits import ModelWatch
from bodyloop.sim.snapshot import WorldSnapshot
from bodyloop.sim.stateful import Stateful, pack_state, unpack_state

__all__ = ["MAX_OBJECT_SPEED_M_S", "World", "WorldSnapshot"]

MAX_OBJECT_SPEED_M_S = 20.0
"""A free body faster than this means that the simulation has blown up."""

_STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


class World:
    """The model and data of one episode.

    MuJoCo's reset on bad numbers is switched off, so that a divergence is seen by `check_finite` and not hidden.
    """

    def __init__(self, spec: mujoco.MjSpec | mujoco.MjModel) -> None:
        self.model: mujoco.MjModel = spec.compile() if isinstance(spec, mujoco.MjSpec) else spec
        if self.model.opt.enableflags & int(mujoco.mjtEnableBit.mjENBL_SLEEP):
            raise SimulationError("sleeping is enabled in this model; snapshots would not be exact, switch it off")
        self.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        self.data = mujoco.MjData(self.model)
        self._watch = ModelWatch(self.model)
        self._parts: dict[str, Stateful] = {}
        self._state_size = mujoco.mj_stateSize(self.model, _STATE)
        joints = np.flatnonzero(self.model.jnt_type == _FREE)
        self._free_joints = joints
        self._free_dofs = self.model.jnt_dofadr[joints][:, None] + np.arange(3)
        mujoco.mj_forward(self.model, self.data)

    def register(self, name: str, part: Stateful) -> None:
        """Make a part's state belong to this world's snapshots.

        Raises:
            SimulationError: the name is taken or holds a colon.
        """
        if name in self._parts or ":" in name:
            raise SimulationError(f"a part named {name!r} cannot be registered: name taken or holding a colon")
        self._parts[name] = part

    def step(self, count: int = 1) -> None:
        """Advance by ``count`` time steps. Contacts and poses then lag ``qpos`` by one step until `forward`."""
        mujoco.mj_step(self.model, self.data, count)

    def forward(self) -> None:
        """Recompute poses and contacts from the current state; changes nothing that integration reads."""
        mujoco.mj_forward(self.model, self.data)

    def integration_state(self) -> np.ndarray:
        """(n,) float64 copy of MuJoCo's integration state (time, qpos, qvel, warm start, applied forces, ...)."""
        state = np.empty(self._state_size)
        mujoco.mj_getState(self.model, self.data, state, _STATE)
        return state

    def set_integration_state(self, state: np.ndarray) -> None:
        """Take over an integration state, then recompute poses and contacts.

        Raises:
            SimulationError: the state belongs to another model.
        """
        if state.shape != (self._state_size,):
            raise SimulationError(f"integration state has shape {state.shape}, this model needs ({self._state_size},)")
        mujoco.mj_setState(self.model, self.data, np.ascontiguousarray(state, dtype=np.float64), _STATE)
        mujoco.mj_forward(self.model, self.data)

    def snapshot(self) -> WorldSnapshot:
        """Everything needed to continue bit for bit: integration state, model edits, registered parts."""
        parts = {name: pack_state(part.save_state()) for name, part in self._parts.items()}
        return WorldSnapshot(
            self.integration_state(), mujoco.mj_versionString(), self._watch.structure, self._watch.edits(), parts
        )

    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to a snapshot, in place, then recompute poses and contacts.

        Raises:
            SimulationError: other engine version, other model, or other registered parts; nothing is changed then.
        """
        self._check_fits(snapshot)
        self._watch.apply(snapshot.edits)
        for name, part in self._parts.items():
            part.restore_state(unpack_state(snapshot.parts[name]))
        self.set_integration_state(snapshot.integration)

    def _check_fits(self, snapshot: WorldSnapshot) -> None:
        version = mujoco.mj_versionString()
        if snapshot.mujoco_version != version:
            raise SimulationError(
                f"snapshot was made by MuJoCo {snapshot.mujoco_version}, this is {version}; replays need the same one"
            )
        if snapshot.structure != self._watch.structure or snapshot.integration.shape != (self._state_size,):
            raise SimulationError("snapshot belongs to another model (names, sizes or types differ)")
        if set(snapshot.parts) != set(self._parts):
            raise SimulationError(f"snapshot holds parts {sorted(snapshot.parts)}, this world {sorted(self._parts)}")

    def state_hash(self) -> str:
        """SHA-256 of everything that `snapshot` holds."""
        return self.snapshot().digest()

    def warnings(self) -> dict[str, int]:
        """Engine warnings so far, by name; empty when all is well."""
        counts = self.data.warning.number
        names = mujoco.mjtWarning.__members__.items()
        return {name: int(counts[int(kind)]) for name, kind in names if int(kind) < len(counts) and counts[int(kind)]}

    def check_finite(self) -> None:
        """Guard against a diverged simulation.

        Raises:
            SimulationError: a coordinate or speed is not finite, or a free body moves faster than 20 m/s.
        """
        data = self.data
        when = f"at t = {data.time:.4f} s"
        if not np.isfinite(data.qvel).all():
            joint = int(self.model.dof_jntid[np.flatnonzero(~np.isfinite(data.qvel))[0]])
            raise SimulationError(f"{self._joint_text(joint)} has a speed that is not finite {when}")
        if not np.isfinite(data.qpos).all():
            address = np.flatnonzero(~np.isfinite(data.qpos))[0]
            joint = int(np.searchsorted(self.model.jnt_qposadr, address, side="right") - 1)
            raise SimulationError(f"{self._joint_text(joint)} has a position that is not finite {when}")
        speed = np.linalg.norm(data.qvel[self._free_dofs], axis=1)
        if speed.size and speed.max() > MAX_OBJECT_SPEED_M_S:
            joint = int(self._free_joints[int(speed.argmax())])
            raise SimulationError(
                f"{self._joint_text(joint)} moves at {speed.max():.1f} m/s {when}; the limit is {MAX_OBJECT_SPEED_M_S:.0f} m/s"
            )

    def _joint_text(self, joint: int) -> str:
        body = self.model.body(int(self.model.jnt_bodyid[joint])).name
        return f"joint {self.model.joint(joint).name!r} of body {body!r}"
