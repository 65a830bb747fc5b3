"""Both sides of the physics boundary: the motion requested by the generator and the state the simulator made of it.

The float32 arrays have their published names and axes. Beside them the same archives hold what an exact replay needs in
float64: ``x_initial_state`` (engine state after settling) and ``x_qpos`` (F, nq).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.skeleton import POSE_ROWS
from bodyloop.errors import MotionError
from bodyloop.household.metrics.disturbance import ObjectTrack
from bodyloop.household.replay_manifest import TRAJECTORY_AFTER, TRAJECTORY_BEFORE, write_replay_manifest
from bodyloop.household.trajectory_arrays import (
    InitialObject,
    ReplayInitialState,
    absent_object,
    condition_json,
    expect_shape,
    float_array,
    initial_arrays,
    join_chunks,
    scalar_condition,
    state_field,
    step_table,
    text_column,
)
from bodyloop.household.types import SkillCall
from bodyloop.motion.types import FPS, XB_DIM, GeneratedMotion
from bodyloop.records.files import write_npz_atomic
from bodyloop.records.record import RolloutRecord

__all__ = ["InitialObject", "ReplayInitialState", "Trajectory", "TrajectoryRecorder"]

Array = npt.NDArray[Any]
FloatArray = npt.NDArray[np.float64]

_BEFORE_SCHEMA: Final = "humanclaw_trajectory_before_v2"
_AFTER_SCHEMA: Final = "humanclaw_trajectory_after_v1"


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Concatenated arrays of a rollout, by published name."""

    before: Mapping[str, Array]
    after: Mapping[str, Array]

    def object_tracks(self) -> dict[str, ObjectTrack]:
        """Realized poses of every movable object by name."""
        initial = {str(name): row for row, name in enumerate(self.before["initial_object_names"])}
        tracks = {}
        for index, name in enumerate(str(name) for name in self.after["object_names"]):
            row = initial.get(name)
            tracks[name] = ObjectTrack(
                self.after[f"object_{index:03d}_position"],
                self.after[f"object_{index:03d}_rotation"],
                None if row is None else self.before["initial_object_position"][row],
                None if row is None else self.before["initial_object_rotation"][row],
            )
        return tracks


@dataclass(frozen=True, eq=False)
class _Before:
    step: int
    xb: npt.NDArray[np.float32]
    action: SkillCall
    noise_seed: int | None


@dataclass(frozen=True, eq=False)
class _After:
    step: int
    transl: npt.NDArray[np.float32]
    global_orient: npt.NDArray[np.float32]
    body_pose: npt.NDArray[np.float32]
    objects: Mapping[str, tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]
    qpos: FloatArray


@dataclass
class TrajectoryRecorder:
    """Collects the chunks of one rollout; ``metadata`` is what :func:`build_replay_metadata` returned.

    Raises :class:`~bodyloop.errors.MotionError` naming the field for any array of a wrong shape.
    """

    metadata: Mapping[str, Any]
    initial: ReplayInitialState = field(default_factory=ReplayInitialState)
    _before: list[_Before] = field(default_factory=list, init=False)
    _after: list[_After] = field(default_factory=list, init=False)
    _trajectory: Trajectory | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._initial_arrays = initial_arrays(self.initial)
        self._fps = float(self.metadata.get("physics", {}).get("fps", FPS))

    def record_before(self, step: int, motion: GeneratedMotion | npt.ArrayLike, action: SkillCall) -> None:
        """Append one requested chunk (T, 75) and its action."""
        seed = motion.noise_seed if isinstance(motion, GeneratedMotion) else None
        chunk = float_array(motion.xb_world_75 if isinstance(motion, GeneratedMotion) else motion, "xb_world_75")
        if chunk.ndim != 2 or chunk.shape[1] != XB_DIM:
            raise MotionError(f"xb_world_75: expected shape (T, {XB_DIM}), got {chunk.shape}")
        self._before.append(_Before(step, chunk, action, seed))
        self._trajectory = None

    def record_after(
        self,
        step: int,
        body_state: Mapping[str, npt.ArrayLike],
        object_states: Mapping[str, Mapping[str, npt.ArrayLike]] | None = None,
        qpos: npt.ArrayLike | None = None,
    ) -> None:
        """Append the realized body and objects of the same frames, and the engine's exact ``qpos`` (T, nq)."""
        transl, orient, pose = (state_field(body_state, name) for name in ("transl", "global_orient", "body_pose"))
        frames = len(transl) if transl.ndim == 2 else -1
        expect_shape(transl, (frames, 3), "transl")
        expect_shape(orient, (frames, 3), "global_orient")
        expect_shape(pose, (frames, POSE_ROWS, 3), "body_pose")
        objects = {}
        for name, state in (object_states or {}).items():
            position, rotation = state_field(state, "position", name), state_field(state, "rotation", name)
            expect_shape(position, (frames, 3), f"{name}: position")
            expect_shape(rotation, (frames, 4), f"{name}: rotation")
            objects[name] = (position, rotation)
        self._after.append(_After(step, transl, orient, pose, objects, self._checked_qpos(qpos, frames)))
        self._trajectory = None

    def materialize(self) -> Trajectory:
        """All arrays, concatenated once and shared by metrics and files."""
        if self._trajectory is None:
            self._trajectory = Trajectory(self._before_arrays(), self._after_arrays())
        return self._trajectory

    def write(self, folder: Path, record: RolloutRecord) -> RolloutRecord:
        """Write both archives, then the manifest over everything the rollout left in ``folder``.

        Returns ``record`` with its artifacts filled in. Repeating the call replaces the files.
        """
        trajectory = self.materialize()
        write_npz_atomic(folder / TRAJECTORY_BEFORE, trajectory.before)
        write_npz_atomic(folder / TRAJECTORY_AFTER, trajectory.after)
        metadata = {
            **self.metadata,
            "motion": {"noise_seeds": [[chunk.step, chunk.noise_seed] for chunk in self._before]},
            "initial_state": {
                "stored_in": TRAJECTORY_BEFORE,
                "dynamic_object_count": len(self.initial.objects),
            },
        }
        return write_replay_manifest(folder, metadata, record)

    def _before_arrays(self) -> dict[str, Array]:
        chunks = self._before
        actions = [chunk.action for chunk in chunks]
        return {
            "xb_world_75": join_chunks([chunk.xb for chunk in chunks], (0, XB_DIM)),
            **step_table([(chunk.step, len(chunk.xb)) for chunk in chunks], self._fps),
            "step_action_skill": text_column([action.skill for action in actions]),
            "step_action_text": text_column([action.display_text for action in actions]),
            "step_action_cond": np.array([scalar_condition(action.cond) for action in actions], dtype=np.float32),
            "step_action_cond_json": text_column([condition_json(action.cond) for action in actions]),
            **self._initial_arrays,
            "meta_json": self._meta(_BEFORE_SCHEMA, "generated_motion_before_half_physics"),
        }

    def _after_arrays(self) -> dict[str, Array]:
        chunks = self._after
        lengths = [len(chunk.transl) for chunk in chunks]
        names = sorted(
            {str(n) for n in self._initial_arrays["initial_object_names"]}.union(*(c.objects for c in chunks))
        )
        arrays: dict[str, Array] = {
            "transl": join_chunks([chunk.transl for chunk in chunks], (0, 3)),
            "global_orient": join_chunks([chunk.global_orient for chunk in chunks], (0, 3)),
            "body_pose": join_chunks([chunk.body_pose for chunk in chunks], (0, POSE_ROWS, 3)),
            "frame_step": np.repeat(np.array([chunk.step for chunk in chunks], dtype=np.int32), lengths),
            **step_table([(chunk.step, length) for chunk, length in zip(chunks, lengths, strict=True)], self._fps),
            "object_names": text_column(names),
            "x_qpos": np.concatenate([chunk.qpos for chunk in chunks]) if chunks else np.zeros((0, 0)),
            "meta_json": self._meta(_AFTER_SCHEMA, "actual_half_physics_simulator_state"),
        }
        for index, name in enumerate(names):
            parts = [
                chunk.objects.get(name) or absent_object(length) for chunk, length in zip(chunks, lengths, strict=True)
            ]
            arrays[f"object_{index:03d}_position"] = join_chunks([part[0] for part in parts], (0, 3))
            arrays[f"object_{index:03d}_rotation"] = join_chunks([part[1] for part in parts], (0, 4))
        return arrays

    def _checked_qpos(self, qpos: npt.ArrayLike | None, frames: int) -> FloatArray:
        """(frames, nq); a rollout without exact positions has nq = 0 in every chunk."""
        exact = np.zeros((frames, 0)) if qpos is None else np.array(qpos, dtype=np.float64)
        width = self._after[0].qpos.shape[1] if self._after else (exact.shape[-1] if exact.ndim else 0)
        if exact.shape != (frames, width):
            raise MotionError(f"qpos: expected shape ({frames}, {width}) as in earlier chunks, got {exact.shape}")
        return exact

    def _meta(self, schema: str, source: str) -> Array:
        meta = {"schema": schema, "state_source": source, "episode": self.metadata.get("episode", {})}
        return np.array(json.dumps(meta, separators=(",", ":"), ensure_ascii=False))
