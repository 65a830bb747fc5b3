"""The arrays of the replay archives: exact types, shapes and axes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.skeleton import POSE_ROWS
from bodyloop.errors import MotionError
from bodyloop.motion.types import XB_DIM

__all__ = [
    "InitialObject",
    "ReplayInitialState",
    "absent_object",
    "condition_json",
    "expect_shape",
    "float_array",
    "initial_arrays",
    "join_chunks",
    "scalar_condition",
    "state_field",
    "step_table",
    "text_column",
]

Array = npt.NDArray[Any]
FloatArray = npt.NDArray[np.float64]

_JOINT_VELOCITIES: Final = 3 * POSE_ROWS


@dataclass(frozen=True, eq=False)
class InitialObject:
    """One movable object at reset; trajectory frame (Z up), metres and radians."""

    name: str
    object_id: int
    position_m: npt.ArrayLike
    rotation_xyzw: npt.ArrayLike
    linear_velocity_m_s: npt.ArrayLike | None = None
    angular_velocity_rad_s: npt.ArrayLike | None = None
    motion_type: str = "MotionType.DYNAMIC"


@dataclass(frozen=True, eq=False)
class ReplayInitialState:
    """The exact state after reset; absent parts are ``None``. Trajectory frame except ``xb_world_75``."""

    xb_world_75: npt.ArrayLike | None = None
    """(75,) pose that the generator gave to reset, motion world."""
    human_transl: npt.ArrayLike | None = None
    human_global_orient: npt.ArrayLike | None = None
    human_body_pose: npt.ArrayLike | None = None
    """(54, 3)."""
    root_linear_velocity_m_s: npt.ArrayLike | None = None
    root_angular_velocity_rad_s: npt.ArrayLike | None = None
    joint_velocities_rad_s: npt.ArrayLike | None = None
    """(162,) in the joints' own frames."""
    objects: Sequence[InitialObject] = ()
    integration_state: FloatArray | None = None
    """Engine state vector that continues bit for bit."""


def _habitat_axes(vectors: FloatArray) -> FloatArray:
    """Trajectory-frame vectors (..., 3) in Habitat axes: (-x, z, y)."""
    turned: FloatArray = vectors[..., [0, 2, 1]] * np.array([-1.0, 1.0, 1.0])
    return turned


def initial_arrays(state: ReplayInitialState) -> dict[str, Array]:
    """The ``initial_*`` arrays; absent human fields have zero rows, absent velocities are NaN."""
    objects = sorted(state.objects, key=lambda item: item.name)
    count = len(objects)
    arrays: dict[str, Array] = {
        "initial_xb_world_75": _optional(state.xb_world_75, (XB_DIM,), (0, XB_DIM), "initial_xb_world_75"),
        "initial_human_transl": _optional(state.human_transl, (3,), (0, 3), "initial_human_transl"),
        "initial_human_global_orient": _optional(
            state.human_global_orient, (3,), (0, 3), "initial_human_global_orient"
        ),
        "initial_human_body_pose": _optional(
            state.human_body_pose, (POSE_ROWS, 3), (0, POSE_ROWS, 3), "initial_human_body_pose"
        ),
        "initial_human_joint_velocities": _optional(
            state.joint_velocities_rad_s, (_JOINT_VELOCITIES,), (0,), "initial_human_joint_velocities"
        ),
        "initial_object_names": text_column([item.name for item in objects]),
        "initial_object_ids": np.array([item.object_id for item in objects], dtype=np.int32),
        "initial_object_motion_types": text_column([item.motion_type for item in objects]),
        "initial_object_position": np.array([item.position_m for item in objects], dtype=np.float32).reshape(count, 3),
        "initial_object_rotation": np.array([item.rotation_xyzw for item in objects], dtype=np.float32).reshape(
            count, 4
        ),
        "initial_object_linear_velocity": _velocities([item.linear_velocity_m_s for item in objects]),
        "initial_object_angular_velocity": _velocities([item.angular_velocity_rad_s for item in objects]),
        "x_initial_state": np.zeros(0)
        if state.integration_state is None
        else np.array(state.integration_state, dtype=np.float64),
    }
    has_human = state.human_transl is not None
    for name, value in (
        ("initial_human_root_linear_velocity", state.root_linear_velocity_m_s),
        ("initial_human_root_angular_velocity", state.root_angular_velocity_rad_s),
    ):
        arrays[name] = _velocities([value])[0] if has_human or value is not None else np.zeros((0, 3), np.float32)
    return arrays


def _velocities(values: Sequence[npt.ArrayLike | None]) -> npt.NDArray[np.float32]:
    """(N, 3) in Habitat axes, NaN where unavailable."""
    unknown = np.full(3, np.nan)
    rows = np.array([unknown if value is None else np.asarray(value, dtype=np.float64) for value in values])
    return _habitat_axes(rows.reshape(len(values), 3)).astype(np.float32)


def _optional(
    value: npt.ArrayLike | None, shape: tuple[int, ...], absent: tuple[int, ...], name: str
) -> npt.NDArray[np.float32]:
    if value is None:
        return np.zeros(absent, dtype=np.float32)
    array = float_array(value, name)
    if array.shape not in (shape, (1, *shape)):
        raise MotionError(f"{name}: expected shape {shape}, got {array.shape}")
    return array.reshape(shape)


def float_array(value: npt.ArrayLike, name: str) -> npt.NDArray[np.float32]:
    """Own float32 copy. Raises ``MotionError`` naming ``name`` if it is not numeric."""
    try:
        return np.array(value, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise MotionError(f"{name}: not a numeric array") from error


def state_field(state: Mapping[str, npt.ArrayLike], key: str, owner: str = "body_state") -> npt.NDArray[np.float32]:
    """Float32 array under ``key`` of a state mapping."""
    if not isinstance(state, Mapping) or key not in state:
        raise MotionError(f"{owner}: field {key!r} is missing")
    return float_array(state[key], f"{owner}: {key}")


def expect_shape(array: Array, shape: tuple[int, ...], name: str) -> None:
    """Raise ``MotionError`` unless the shape is right; -1 stands for the unknown number of frames."""
    if array.shape != shape:
        expected = tuple("T" if size == -1 else size for size in shape)
        raise MotionError(f"{name}: expected shape {expected}, got {array.shape}")


def absent_object(frames: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Position (T, 3) and rotation (T, 4) of an object that is not there: NaN."""
    return np.full((frames, 3), np.nan, np.float32), np.full((frames, 4), np.nan, np.float32)


def join_chunks(parts: Sequence[npt.NDArray[np.float32]], empty: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Chunks one after another, or an array of shape ``empty``."""
    return np.concatenate(parts) if parts else np.zeros(empty, dtype=np.float32)


def text_column(values: Sequence[str]) -> Array:
    """Text column; zero rows keep a text type."""
    return np.array(values, dtype=np.str_) if values else np.empty(0, dtype="<U1")


def step_table(steps: Sequence[tuple[int, int]], fps: float) -> dict[str, Array]:
    """Frame rate and step table of (decision, frame count) rows."""
    lengths = np.array([length for _, length in steps], dtype=np.int32)
    return {
        "fps": np.array(fps, dtype=np.float32),
        "step_indices": np.array([step for step, _ in steps], dtype=np.int32),
        "step_starts": (np.cumsum(lengths) - lengths).astype(np.int32),
        "step_lengths": lengths,
    }


def scalar_condition(condition: object) -> float:
    """The condition as a number, NaN for everything that is not one (also for true and false)."""
    if isinstance(condition, (bool, np.bool_)) or not isinstance(condition, (int, float, np.integer, np.floating)):
        return float("nan")
    return float(condition)


def condition_json(condition: object) -> str:
    """Compact JSON of a skill condition; NumPy values become plain ones."""

    def plain(value: Any) -> Any:
        return value.tolist()

    return json.dumps(condition, separators=(",", ":"), ensure_ascii=False, default=plain)
