"""Forward replay: execute the saved chunks from the saved state and compare every engine position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.body.layout import xb75_to_pose
from bodyloop.errors import ArtifactError
from bodyloop.household.bundle import Bundle
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.types import FindNavInteractEpisode

__all__ = ["ReplayResult", "check_replayable", "chunks", "replay", "restore_initial_state"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ReplayResult:
    """What a replay found; ``worst_*`` speak of the largest difference of ``x_qpos``."""

    frames: int
    exact: bool
    worst_error: float = 0.0
    worst_step: int | None = None
    worst_frame: int | None = None
    worst_index: int | None = None

    @property
    def place(self) -> str:
        """Where the largest difference is; empty if there is none."""
        if self.exact:
            return ""
        return f"decision {self.worst_step}, frame {self.worst_frame}, qpos[{self.worst_index}]"


def check_replayable(bundle: Bundle, env: FindNavInteractEnv) -> None:
    """Raises ArtifactError for another MuJoCo version or other physics settings than the rollout's."""
    recorded, here = bundle.manifest["versions"]["mujoco"], version("mujoco")
    if recorded != here:
        raise ArtifactError(f"{bundle.folder}: made with mujoco {recorded}, installed is {here}; install {recorded}")
    physics: Mapping[str, Any] = env.profile.physics.model_dump(mode="json")
    for name in sorted(set(physics) | set(bundle.manifest["physics"])):
        old, new = bundle.manifest["physics"].get(name), physics.get(name)
        if old != new:
            raise ArtifactError(f"{bundle.folder}: physics.{name} was {old!r}, the profile now says {new!r}")


def restore_initial_state(bundle: Bundle, env: FindNavInteractEnv, episode: FindNavInteractEpisode) -> None:
    """Reset, then make the engine state the saved one; a state that already agrees is left untouched."""
    check_replayable(bundle, env)
    before = bundle.trajectory.before
    pose = xb75_to_pose(before["initial_xb_world_75"])
    env.reset(episode, pose.transl, pose.global_orient, pose.body_pose)
    saved, world = before["x_initial_state"], env.runtime.world
    live = world.integration_state()
    if saved.shape != live.shape:
        raise ArtifactError(f"{bundle.folder}: x_initial_state has {saved.size} numbers, the scene has {live.size}")
    if not np.array_equal(saved, live):
        world.set_integration_state(saved)


def chunks(bundle: Bundle) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
    """Decision number and requested (T, 75) motion of every completely executed chunk."""
    before, complete = bundle.trajectory.before, set(bundle.complete_steps)
    columns = (before[name] for name in ("step_indices", "step_starts", "step_lengths"))
    for step, start, length in zip(*columns, strict=True):
        if int(step) in complete:
            yield int(step), before["xb_world_75"][start : start + length]


def replay(bundle: Bundle, env: FindNavInteractEnv, episode: FindNavInteractEpisode) -> ReplayResult:
    """Execute a bundle and compare ``x_qpos`` bit for bit.

    Raises:
        ArtifactError: the bundle cannot be compared here; the message says why.
    """
    restore_initial_state(bundle, env, episode)
    steps: list[tuple[int, int]] = []
    rows: list[FloatArray] = []
    for step, chunk in chunks(bundle):
        _, _, _, info = env.step(chunk)
        rows.append(info["qpos"])
        steps.extend((step, frame) for frame in range(len(chunk)))
    saved = bundle.trajectory.after["x_qpos"]
    live = np.concatenate(rows) if rows else np.empty_like(saved)
    return _compare(saved, live, steps, bundle)


def _compare(saved: FloatArray, live: FloatArray, steps: list[tuple[int, int]], bundle: Bundle) -> ReplayResult:
    if saved.shape != live.shape:
        raise ArtifactError(f"{bundle.folder}: x_qpos has shape {saved.shape}, the replay gives {live.shape}")
    if saved.tobytes() == live.tobytes():
        return ReplayResult(len(saved), exact=True)
    error = np.nan_to_num(np.abs(saved - live), nan=np.inf)
    row, column = (int(index) for index in np.unravel_index(int(error.argmax()), error.shape))
    return ReplayResult(len(saved), False, float(error[row, column]), *steps[row], column)
