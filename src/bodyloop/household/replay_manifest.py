"""``replay_manifest.json``: everything a replay depends on, and the hash of every other file of the rollout folder.

It is written last and holds no absolute path and no time, so equal rollouts leave equal folders.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from bodyloop.errors import ArtifactError, MissingFileError
from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.records.files import artifact, load_json, sha256_file, write_json_atomic
from bodyloop.records.record import Artifact, RolloutRecord

__all__ = [
    "MANIFEST_NAME",
    "MANIFEST_SCHEMA",
    "TRAJECTORY_AFTER",
    "TRAJECTORY_BEFORE",
    "AssetFile",
    "build_replay_metadata",
    "clear_rollout_artifacts",
    "load_manifest",
    "load_rollout_record",
    "rewrite_replay_manifest",
    "rollout_artifact_names",
    "write_replay_manifest",
]

MANIFEST_SCHEMA: Final = "humanclaw_replay_v1"
MANIFEST_NAME: Final = "replay_manifest.json"
TRAJECTORY_BEFORE: Final = "trajectory_before.npz"
TRAJECTORY_AFTER: Final = "trajectory_after.npz"

_OWNED: Final = re.compile(
    r"step\d{3,}_(?:percept_mid_low|verifier)\.json"
    rf"|{re.escape(TRAJECTORY_BEFORE)}|{re.escape(TRAJECTORY_AFTER)}|{re.escape(MANIFEST_NAME)}"
    r"|metrics\.json|ego\.mp4|exo\.mp4"
)
_PACKAGES: Final = ("bodyloop", "mujoco", "numpy", "scipy", "coal", "av")

_FRAMES: Final = {
    "trajectory_before": "motion world: Y up, metres, yaw 0 looks along +Z",
    "trajectory_after": "trajectory frame: Z up, metres, (x, -z, y) of the motion world",
    "objects": "trajectory frame: Z up, metres",
    "object_rotation": "xyzw quaternion",
    "initial_velocities": "Habitat axes: Y up, (-x, z, y) of the trajectory frame; joint velocities in joint frames",
    "x_initial_state": "engine integration state after settling, float64",
    "x_qpos": "engine positions, trajectory frame, quaternions wxyz, float64",
}


@dataclass(frozen=True)
class AssetFile:
    """An input file of the rollout."""

    path: str
    """Relative to the package or the data set; absolute paths are cut to their name."""
    file: Path | None = None
    """Where it lies on this machine; hashed, never written down."""

    def to_json(self) -> dict[str, Any]:
        """``{path, size_bytes, sha256}``, or only the path when there is no such file."""
        entry: dict[str, Any] = {"path": _portable(self.path)}
        if self.file is not None and self.file.is_file():
            entry |= {"size_bytes": self.file.stat().st_size, "sha256": sha256_file(self.file)}
        return entry


def build_replay_metadata(
    *,
    profile: str,
    episode: FindNavInteractEpisode,
    rollout_index: int,
    seed: int,
    physics: Mapping[str, Any],
    rendering: Mapping[str, Any],
    agent: Mapping[str, Any],
    assets: Mapping[str, AssetFile],
    fingerprint: str,
    body_sha256: str,
    video_enabled: bool,
    compute_metrics: bool,
) -> dict[str, Any]:
    """The manifest without ``files``, ``record``, ``motion`` and ``initial_state``, which the writer adds.

    ``physics`` and ``rendering`` are the profile's sections (camera field of view and pitch are in the latter); ``agent``
    names model, prompt and verifier versions and the hash of the model configuration.
    """
    return {
        "schema": MANIFEST_SCHEMA,
        "profile": profile,
        "episode": {
            "episode_id": episode.episode_id,
            "scene_id": _portable(episode.scene_id),
            "scene_label": episode.scene_label,
            "scene_dataset_config": _portable(episode.scene_dataset_config),
            "object_category": episode.object_category,
            "init_offset": list(episode.init_offset),
            "init_yaw": episode.init_yaw,
            "max_steps": episode.max_steps,
            "rollout_index": rollout_index,
        },
        "instruction": episode.instruction,
        "seed": seed,
        "physics": dict(physics),
        "rendering": dict(rendering),
        "execution": {
            "video_enabled": video_enabled,
            "compute_metrics": compute_metrics,
            "pre_motion_metric_reset": compute_metrics,
        },
        "agent": dict(agent),
        "assets": {name: asset.to_json() for name, asset in sorted(assets.items())},
        "body": {"sha256": body_sha256},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}},
        "fingerprint": fingerprint,
        "coordinate_frames": dict(_FRAMES),
        "replay": {
            "input": TRAJECTORY_BEFORE,
            "reference_output": TRAJECTORY_AFTER,
            "initial_state_location": TRAJECTORY_BEFORE,
        },
    }


def rollout_artifact_names(folder: Path) -> list[str]:
    """Sorted names of the files in ``folder`` that a rollout owns."""
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if _OWNED.fullmatch(path.name) and path.is_file())


def clear_rollout_artifacts(folder: Path) -> None:
    """Remove what an earlier rollout left in ``folder``, the manifest first; foreign files stay."""
    names = rollout_artifact_names(folder)
    for name in sorted(names, key=lambda name: name != MANIFEST_NAME):
        (folder / name).unlink()


def write_replay_manifest(folder: Path, metadata: Mapping[str, Any], record: RolloutRecord) -> RolloutRecord:
    """Write the manifest over every owned file in ``folder``; returns ``record`` with all artifacts.

    The manifest holds the canonical record except its artifacts, which are its ``files`` block.
    """
    files = [artifact(folder, name) for name in rollout_artifact_names(folder) if name != MANIFEST_NAME]
    stored = record.canonical()
    del stored["artifacts"]
    manifest = {
        **metadata,
        "files": {item.path: {"size_bytes": item.size_bytes, "sha256": item.sha256} for item in files},
        "record": stored,
    }
    write_json_atomic(folder / MANIFEST_NAME, manifest)
    return replace(record, artifacts=(*files, artifact(folder, MANIFEST_NAME)))


def rewrite_replay_manifest(folder: Path, record: RolloutRecord) -> RolloutRecord:
    """Renew ``files`` and ``record`` of an existing manifest, for example after rescoring."""
    return write_replay_manifest(folder, load_manifest(folder), record)


def load_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a rollout folder.

    Raises :class:`~bodyloop.errors.ArtifactError` naming the file if it is missing, broken or of another schema.
    """
    path = folder / MANIFEST_NAME
    try:
        manifest = load_json(path)
    except MissingFileError as error:
        raise ArtifactError(f"{path} is missing; the rollout did not finish, run it again") from error
    schema = manifest.get("schema") if isinstance(manifest, dict) else None
    if schema != MANIFEST_SCHEMA:
        raise ArtifactError(f"{path}: schema is {schema!r}, expected {MANIFEST_SCHEMA!r}")
    assert isinstance(manifest, dict)
    return manifest


def load_rollout_record(folder: Path) -> RolloutRecord:
    """Rebuild the record of a finished rollout from its manifest alone (without ``volatile``).

    Raises :class:`~bodyloop.errors.ArtifactError` if the manifest holds none.
    """
    manifest = load_manifest(folder)
    try:
        record = RolloutRecord.from_json(manifest["record"])
        files = [Artifact(name, entry["sha256"], entry["size_bytes"]) for name, entry in manifest["files"].items()]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{folder / MANIFEST_NAME}: no usable rollout record ({error!r})") from error
    return replace(record, artifacts=(*sorted(files, key=lambda a: a.path), artifact(folder, MANIFEST_NAME)))


def _portable(path: str) -> str:
    """``path`` without the part that belongs to one machine."""
    for kind in (PurePosixPath, PureWindowsPath):
        if kind(path).is_absolute():
            return kind(path).name
    return path
