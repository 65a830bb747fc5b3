"""The one collector of all metrics of a rollout."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from bodyloop.body.kinematics import forward_kinematics
from bodyloop.body.skeleton import BODY_JOINTS, rest_positions
from bodyloop.household.metrics.collision import CollisionTracker
from bodyloop.household.metrics.contacts import MetricFrames
from bodyloop.household.metrics.disturbance import DisturbanceTracker, ObjectTrack
from bodyloop.household.metrics.environment import MetricEnvironment
from bodyloop.household.metrics.find import FindTracker
from bodyloop.household.metrics.interact import InteractTracker
from bodyloop.household.metrics.jerk import point_jerk, root_rigid_motion_jerk
from bodyloop.household.metrics.settings import MetricSettings
from bodyloop.household.types import FindNavInteractEpisode, PlannerResult
from bodyloop.models.usage import UsageTracker
from bodyloop.records.files import sha256_json

__all__ = ["METRICS_SCHEMA", "STOP_SKILL", "MetricTrajectory", "PaperMetricRecorder"]

METRICS_SCHEMA: Final = "humanclaw_paper_metrics_v1"
STOP_SKILL: Final = "stand"

_COST_KEYS: Final = (
    "decision_steps",
    "vlm_calls",
    "token_source",
    "input_tokens",
    "visible_output_tokens",
    "reasoning_tokens",
    "input_tokens_per_step",
    "visible_output_tokens_per_step",
)
"""Published fields of the ``cost`` block."""

FloatArray = npt.NDArray[np.float64]


class MetricTrajectory(Protocol):
    """What the final metrics read of a materialized trajectory."""

    @property
    def before(self) -> Mapping[str, npt.NDArray[Any]]:
        """Arrays of the requested motion."""
        ...

    @property
    def after(self) -> Mapping[str, npt.NDArray[Any]]:
        """Arrays of the realized motion."""
        ...

    def object_tracks(self) -> Mapping[str, ObjectTrack]:
        """Realized object poses by name."""
        ...


class PaperMetricRecorder:
    """Collects one rollout: ``record_reset``, then per decision ``record_decision`` and ``record_motion``, then ``finalize``.

    Built only when metrics are on. It reads the environment and never changes it.
    """

    def __init__(
        self,
        environment: MetricEnvironment,
        episode: FindNavInteractEpisode,
        *,
        profile: str,
        rollout_index: int = 0,
        settings: MetricSettings | None = None,
        rest_joints_m: npt.ArrayLike | None = None,
    ) -> None:
        self.settings = settings or MetricSettings()
        self._env = environment
        self._episode = episode
        self._profile = profile
        self._rollout_index = rollout_index
        self._rest = rest_positions() if rest_joints_m is None else np.asarray(rest_joints_m, dtype=np.float64)
        self._find = FindTracker(episode.object_category, self.settings.find_pixel_threshold)
        self._interact = InteractTracker(self.settings)
        self._collision = CollisionTracker(self.settings)
        self._disturbance = DisturbanceTracker()
        self._usage = UsageTracker()
        self._decisions = 0
        self._active_stop = False
        self._fallbacks: Counter[str] = Counter()

    def record_reset(self) -> None:
        """After the environment's reset, before the first decision."""
        self._collision.record_reset(self._env, self._env.target_ids())

    def record_decision(self, step: int, find_observation: Mapping[str, Any], result: PlannerResult) -> None:
        """One decision together with the target pixels of the image it was made on."""
        self._decisions += 1
        self._find.record(step, find_observation, result.planner_skill)
        self._active_stop |= result.action.skill == STOP_SKILL
        if result.fallback is not None:
            self._fallbacks[result.fallback] += 1
        for stage in result.stage_outputs:
            self._usage.record(
                stage.usage, prompt=stage.prompt, raw_output=stage.raw_output, failed=stage.error is not None
            )

    def record_motion(self, step: int, skill: str, info: Mapping[str, Any]) -> None:
        """One executed motion chunk, from the ``info`` of the environment's step."""
        frames: MetricFrames | None = info.get("metric_frames")
        contacts = frames.contacts if frames is not None else None
        self._collision.record_step(step, contacts, frames.local_floor_m if frames is not None else None)
        self._disturbance.record_step(step, contacts)
        self._interact.record_motion(skill, contacts, self._env)

    def finalize(self, trajectory: MetricTrajectory) -> dict[str, Any]:
        """The content of ``metrics.json``, from the live final state and the materialized trajectory."""
        success = self._success()
        tracks = self._tracks(trajectory)
        cost = self._usage.summary(self._decisions)
        return {
            "schema": METRICS_SCHEMA,
            "profile": self._profile,
            "episode": {
                "episode_id": self._episode.episode_id,
                "scene_id": self._episode.scene_label,
                "object_category": self._episode.object_category,
                "rollout_index": self._rollout_index,
            },
            "success": success,
            "body_scene": {
                "physical_metrics_eligible": True,
                **self._collision.finalize(),
                **self._disturbance.finalize(tracks),
            },
            "action_quality": {"motion_jerk_m_s3": self._root_jerk(trajectory.before["xb_world_75"])},
            "cost": {key: cost[key] for key in _COST_KEYS},
            "outcome": _outcome(success),
            "beyond_paper": self._beyond_paper(trajectory, tracks, cost),
        }

    def _success(self) -> dict[str, Any]:
        find, settings = self._find, self.settings
        distance = float(self._env.metric_target_geometry()["body_target_aabb_distance_m"])
        near = distance <= settings.nav_distance_m
        return {
            "find_sr": find.find_sr,
            "geo_find_sr": find.geo_find_sr,
            "max_target_pixel_count": find.max_target_pixel_count,
            "find_pixel_threshold": find.pixel_threshold,
            "nav_sr_20cm": self._active_stop and near,
            "geo_nav_sr_20cm": near,
            "nav_sr_1m": self._active_stop and distance < settings.nav_relaxed_distance_m,
            "final_body_target_aabb_distance_m": distance,
            "active_stop": self._active_stop,
            **self._interact.success(interact_episode=self._env.is_interact_episode(), active_stop=self._active_stop),
        }

    def _beyond_paper(
        self, trajectory: MetricTrajectory, tracks: Mapping[int, ObjectTrack], cost: Mapping[str, Any]
    ) -> dict[str, Any]:
        find = self._find
        surface = self._env.nav_surface_distance_m()
        return {
            "find": {
                "find_sr_structured": find.find_sr_structured,
                "find_sr_careful": find.find_sr_careful,
                "first_rendered_step": find.first_rendered_step,
                "first_find_step": find.first_find_step,
                "claimed_steps": find.claimed_steps,
                "false_claim_steps": find.false_claim_steps,
            },
            "nav": {
                "nav_surface_distance_m": surface,
                "nav_sr_surface_20cm": None
                if surface is None
                else self._active_stop and surface <= self.settings.nav_distance_m,
                "skipped_goals": self._env.skipped_goals,
            },
            "interact": self._interact.beyond_paper(
                interact_episode=self._env.is_interact_episode(), active_stop=self._active_stop
            ),
            "collision": self._collision.beyond_paper(),
            "disturbance": self._disturbance.beyond_paper(
                tracks, self._env.target_ids(), self.settings.displacement_noise_m
            ),
            "motion": self._motion(trajectory),
            "agent": {
                **{key: value for key, value in cost.items() if key not in _COST_KEYS},
                "fallback_decisions": sum(self._fallbacks.values()),
                "fallback_decision_fraction": sum(self._fallbacks.values()) / max(1, self._decisions),
                "fallbacks_by_kind": dict(sorted(self._fallbacks.items())),
            },
            "episode": {"difficulty": self._episode.difficulty.get("label")},
        }

    def _motion(self, trajectory: MetricTrajectory) -> dict[str, Any]:
        before, after = trajectory.before["xb_world_75"], trajectory.after
        realized = np.zeros((len(after["transl"]), 75))
        realized[:, :3], realized[:, 3:6] = after["transl"], after["global_orient"]
        body = np.asarray(before)[:, 6 : 6 + 3 * BODY_JOINTS].reshape(len(before), BODY_JOINTS, 3)
        return {
            "realized_motion_jerk_m_s3": self._root_jerk(realized),
            "articulated_motion_jerk_m_s3": self._joint_jerk(before[:, :3], before[:, 3:6], body),
            "realized_articulated_motion_jerk_m_s3": self._joint_jerk(
                after["transl"], after["global_orient"], after["body_pose"]
            ),
            "rest_joints_sha256": sha256_json(self._rest.tolist()),
        }

    def _root_jerk(self, xb: npt.ArrayLike) -> float | None:
        settings = self.settings
        return _finite_or_none(
            root_rigid_motion_jerk(
                xb,
                self._rest,
                smooth_window=settings.jerk_smooth_window,
                stride=settings.jerk_stride,
                fps=settings.fps,
            )
        )

    def _joint_jerk(self, transl: npt.ArrayLike, orient: npt.ArrayLike, body: npt.ArrayLike) -> float | None:
        settings = self.settings
        points = forward_kinematics(transl, orient, body)
        return _finite_or_none(
            point_jerk(points, smooth_window=settings.jerk_smooth_window, stride=settings.jerk_stride, fps=settings.fps)
        )

    def _tracks(self, trajectory: MetricTrajectory) -> dict[int, ObjectTrack]:
        """Object tracks by id; objects that the trajectory does not hold are left out."""
        by_name = trajectory.object_tracks()
        return {i: by_name[name] for i, name in self._env.object_names().items() if name in by_name}


def _outcome(success: Mapping[str, Any]) -> dict[str, Any]:
    """Household success: at the target after an explicit Stop, and sitting on it where that is the task."""
    interact = bool(success["is_interact_episode"])
    reached = bool(success["nav_sr_20cm"])
    return {
        "success": reached and (not interact or bool(success["interact_sr"])),
        "rule": "nav_sr_20cm and interact_sr" if interact else "nav_sr_20cm",
    }


def _finite_or_none(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
