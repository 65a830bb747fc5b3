"""Delayed rendering: both videos of a saved rollout from its exact positions; physics never advances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.errors import ArtifactError, ConfigError, DataError
from bodyloop.household.bundle import Bundle
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.envs.half_physics_env import VideoFrameSink
from bodyloop.household.replay import restore_initial_state
from bodyloop.household.replay_manifest import TRAJECTORY_AFTER
from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.household.video import EGO_VIDEO, EXO_VIDEO, RolloutVideoWriter
from bodyloop.records.files import load_json, sha256_file, write_json_atomic

__all__ = ["RENDER_REPORT", "Encoder", "render_frames", "render_rollout"]

RENDER_REPORT: Final = "render_report.json"
_SCHEMA: Final = "humanclaw_saved_trajectory_render_v1"
_PRESETS: Final = ("ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow")


@dataclass(frozen=True)
class Encoder:
    """libx264 settings."""

    crf: int = 20
    preset: str = "veryfast"

    def __post_init__(self) -> None:
        if not 0 <= self.crf <= 51:
            raise ConfigError(f"crf: expected 0 to 51, got {self.crf}")
        if self.preset not in _PRESETS:
            raise ConfigError(f"preset: expected one of {', '.join(_PRESETS)}, got {self.preset!r}")

    def to_json(self) -> dict[str, Any]:
        """The report's ``encoder`` block."""
        return {"codec": "libx264", "preset": self.preset, "crf": self.crf}


def render_frames(
    bundle: Bundle, env: FindNavInteractEnv, episode: FindNavInteractEpisode, sink: VideoFrameSink
) -> int:
    """Hand every saved frame (ego, exo) to ``sink``; returns their number. ``env`` has video on."""
    qpos: npt.NDArray[np.float64] = bundle.trajectory.after["x_qpos"]
    if not len(qpos) or not np.isfinite(qpos).all():
        raise ArtifactError(f"{bundle.folder / TRAJECTORY_AFTER}: no frames, or a position that is not finite")
    restore_initial_state(bundle, env, episode)
    data = env.runtime.world.data
    if qpos.shape[1] != len(data.qpos):
        raise ArtifactError(f"{bundle.folder}: x_qpos has {qpos.shape[1]} columns, the scene has {len(data.qpos)}")
    env.set_video_frame_sink(sink)
    for row in qpos:
        data.qpos[:] = row
        data.qvel[:] = 0.0
        env.runtime.refresh()
        env.emit_initial_video_frame()
    env.set_video_frame_sink(None)
    return len(qpos)


def render_rollout(
    bundle: Bundle,
    env: FindNavInteractEnv,
    episode: FindNavInteractEpisode,
    output: Path,
    encoder: Encoder,
    *,
    force: bool = False,
) -> Mapping[str, Any]:
    """Write ``ego.mp4``, ``exo.mp4`` and ``render_report.json``; a finished equal rendering is kept.

    Raises:
        DataError: ``output`` is inside the rollout folder.
        ArtifactError: the bundle cannot be rendered here.
    """
    if output.resolve().is_relative_to(bundle.folder.resolve()):
        raise DataError(f"{output} is inside the rollout folder {bundle.folder}; choose another output folder")
    report = _report(bundle, env, encoder)
    if not force and _complete(output, report):
        return {**report, "status": "already_complete"}
    (output / RENDER_REPORT).unlink(missing_ok=True)
    output.mkdir(parents=True, exist_ok=True)
    writer = RolloutVideoWriter(output, env.profile.physics.fps, crf=encoder.crf, preset=encoder.preset)
    try:
        render_frames(bundle, env, episode, writer.append)
    except BaseException:
        writer.abort()
        raise
    writer.close()
    write_json_atomic(output / RENDER_REPORT, report)
    return report


def _report(bundle: Bundle, env: FindNavInteractEnv, encoder: Encoder) -> dict[str, Any]:
    source, rendering = bundle.folder / TRAJECTORY_AFTER, env.profile.rendering
    frames, fps = len(bundle.trajectory.after["x_qpos"]), float(env.profile.physics.fps)
    zero = ("physics_steps", "vlm_calls", "motion_generation_calls", "contact_queries", "semantic_renders")
    return {
        "schema": _SCHEMA,
        "status": "complete",
        "source": {"path": source.name, "size_bytes": source.stat().st_size, "sha256": sha256_file(source)},
        "method": "saved engine positions assigned frame by frame, then rendered; no physics",
        **dict.fromkeys(zero, 0),
        "frames": frames,
        "fps": fps,
        "duration_s": frames / fps,
        "dynamic_objects_restored_per_frame": len(bundle.trajectory.after["object_names"]),
        "ego_resolution": list(rendering.ego_resolution),
        "exo_resolution": list(rendering.third_person_resolution),
        "rendering": rendering.model_dump(mode="json"),
        "encoder": encoder.to_json(),
        "videos": [EGO_VIDEO, EXO_VIDEO],
    }


def _complete(output: Path, report: Mapping[str, Any]) -> bool:
    videos = [output / name for name in (EGO_VIDEO, EXO_VIDEO)]
    if not all(path.is_file() and path.stat().st_size for path in (*videos, output / RENDER_REPORT)):
        return False
    try:
        return bool(load_json(output / RENDER_REPORT) == report)
    except ArtifactError:
        return False
