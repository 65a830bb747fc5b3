"""Reading a rollout folder back, with every hash checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bodyloop.errors import ArtifactError
from bodyloop.household.replay_manifest import TRAJECTORY_AFTER, TRAJECTORY_BEFORE, load_manifest, load_rollout_record
from bodyloop.household.trajectory import Trajectory
from bodyloop.records.files import load_npz, verify_artifact
from bodyloop.records.record import Artifact, RolloutRecord

__all__ = ["Bundle", "load_bundle"]


@dataclass(frozen=True, eq=False)
class Bundle:
    """A verified rollout folder."""

    folder: Path
    manifest: Mapping[str, Any]
    record: RolloutRecord
    trajectory: Trajectory

    @property
    def complete_steps(self) -> list[int]:
        """Decisions whose requested and realized frames agree in number; a step that failed has no realized ones."""
        before, after = (_step_lengths(arrays) for arrays in (self.trajectory.before, self.trajectory.after))
        return [step for step, length in before.items() if after.get(step) == length]


def load_bundle(folder: Path) -> Bundle:
    """Load manifest, record and both archives of a rollout folder.

    Raises:
        ArtifactError: a file is missing, does not match its hash or lacks an array; the message names it.
    """
    manifest, record = load_manifest(folder), load_rollout_record(folder)
    for item in record.artifacts:
        _check(folder, item)
    listed = {item.path for item in record.artifacts}
    for name in (TRAJECTORY_BEFORE, TRAJECTORY_AFTER):
        if name not in listed:
            raise ArtifactError(f"{folder / name} is not listed in the manifest; run the rollout again")
    before, after = load_npz(folder / TRAJECTORY_BEFORE), load_npz(folder / TRAJECTORY_AFTER)
    _require(folder / TRAJECTORY_BEFORE, before, ("xb_world_75", "step_indices", "step_lengths", "x_initial_state"))
    _require(folder / TRAJECTORY_AFTER, after, ("transl", "global_orient", "body_pose", "object_names", "x_qpos"))
    return Bundle(folder, manifest, record, Trajectory(before, after))


def _check(folder: Path, item: Artifact) -> None:
    path = folder / item.path
    if not path.is_file():
        raise ArtifactError(f"{path} is missing; the manifest lists it")
    if not verify_artifact(folder, item):
        raise ArtifactError(f"{path} does not match its recorded size and hash; it was changed after the rollout")


def _require(path: Path, arrays: Mapping[str, np.ndarray[Any, Any]], names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in arrays]
    if missing:
        raise ArtifactError(f"{path}: array {missing[0]!r} is missing")


def _step_lengths(arrays: Mapping[str, np.ndarray[Any, Any]]) -> dict[int, int]:
    return {int(s): int(n) for s, n in zip(arrays["step_indices"], arrays["step_lengths"], strict=True)}
