"""The only household episode loop, with the objects it connects and the artifacts it leaves.

Order of one decision: target pixels of the image, the agent, its records, the decision metrics, motion, physics,
realized trajectory, motion metrics, history. Everything is finalized in ``finally``: a failed provider or engine still
leaves a replay of what happened, but never a ``metrics.json``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from bodyloop.body.layout import xb75_to_pose
from bodyloop.household.agent.history import HistoryItem, _history_item
from bodyloop.household.agent.psv_ego import PSVEgoAgent
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.envs.privileged_view import PrivilegedView
from bodyloop.household.metrics.flat import flat_metrics
from bodyloop.household.metrics.recorder import STOP_SKILL, PaperMetricRecorder
from bodyloop.household.metrics.settings import MetricSettings
from bodyloop.household.profile import HouseholdProfile
from bodyloop.household.replay_manifest import clear_rollout_artifacts
from bodyloop.household.step_records import write_step_vlm_records
from bodyloop.household.trajectory import TrajectoryRecorder
from bodyloop.household.types import FindNavInteractEpisode, HalfPhysicsObservation, PlannerResult
from bodyloop.household.video import RolloutVideoWriter
from bodyloop.models.base import PrivilegedModel, SeededModel
from bodyloop.models.usage import UsageTracker
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.records.files import write_json_atomic
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.seeds import derive_seed
from bodyloop.records.specs import RolloutSpec

__all__ = ["FindNavInteractEvaluator"]

MetadataFactory = Callable[[FindNavInteractEpisode, RolloutSpec], Mapping[str, Any]]


@dataclass
class _Rollout:
    """State of the rollout in progress."""

    spec: RolloutSpec
    episode: FindNavInteractEpisode
    folder: Path
    observation: HalfPhysicsObservation
    trajectory: TrajectoryRecorder
    metrics: PaperMetricRecorder | None
    history: list[HistoryItem] = field(default_factory=list)
    usage: UsageTracker = field(default_factory=UsageTracker)
    fallbacks: Counter[str] = field(default_factory=Counter)


class FindNavInteractEvaluator:
    """Connects environment, motion, agent and recorders, and runs rollouts one after another."""

    def __init__(
        self,
        profile: HouseholdProfile,
        env: FindNavInteractEnv,
        motion: MotionSkillRunner,
        agent: PSVEgoAgent,
        metadata: MetadataFactory,
    ) -> None:
        self.profile = profile
        self.env = env
        self.motion = motion
        self.agent = agent
        self._metadata = metadata

    def run_rollout(self, episode: FindNavInteractEpisode, spec: RolloutSpec, folder: Path) -> RolloutRecord:
        """Run one rollout in ``folder`` and return its record once every artifact is in place.

        Whatever the loop raises is raised again after the partial replay was written.
        """
        clear_rollout_artifacts(folder)
        folder.mkdir(parents=True, exist_ok=True)
        video = RolloutVideoWriter(folder, self.profile.physics.fps) if self.env.flags.video else None
        rollout: _Rollout | None = None
        finished = False
        try:
            rollout = self._reset(episode, spec, folder, video)
            self._run_decisions(rollout)
            finished = True
        finally:
            record = self._finalize_rollout_artifacts(rollout, video, finished=finished)
        assert record is not None
        return record

    def _reset(
        self, episode: FindNavInteractEpisode, spec: RolloutSpec, folder: Path, video: RolloutVideoWriter | None
    ) -> _Rollout:
        """Agent, motion and environment at the start pose; recorders hold the exact reset state."""
        if isinstance(self.agent.model, SeededModel):
            self.agent.model.seed_rollout(spec.seed)
        self.agent.reset(episode)
        observation, xb = self._reset_env_for_rollout(episode)
        if isinstance(self.agent.model, PrivilegedModel) and self.agent.model.privileged:
            self.agent.model.attach(PrivilegedView(self.env))
        if video is not None:
            self.env.set_video_frame_sink(video.append)
            self.env.emit_initial_video_frame()
        trajectory = self._new_trajectory_recorder(episode, spec, xb)
        metrics = self._new_metric_recorder(episode, spec) if self.env.flags.metrics else None
        return _Rollout(spec, episode, folder, observation, trajectory, metrics)

    def _reset_env_for_rollout(
        self, episode: FindNavInteractEpisode
    ) -> tuple[HalfPhysicsObservation, np.ndarray[Any, np.dtype[np.float32]]]:
        """Reset motion first, then put the body into the same pose."""
        xb = self.motion.reset(episode.init_offset, episode.init_yaw)
        pose = xb75_to_pose(xb)
        return self.env.reset(episode, pose.transl, pose.global_orient, pose.body_pose), xb

    def _new_trajectory_recorder(
        self, episode: FindNavInteractEpisode, spec: RolloutSpec, xb: np.ndarray[Any, np.dtype[np.float32]]
    ) -> TrajectoryRecorder:
        """Captures the exact reset state and the replay metadata."""
        return TrajectoryRecorder(self._metadata(episode, spec), self.env.replay_initial_state(xb))

    def _new_metric_recorder(self, episode: FindNavInteractEpisode, spec: RolloutSpec) -> PaperMetricRecorder:
        """The metric stack, built only when asked for."""
        recorder = PaperMetricRecorder(
            self.env,
            episode,
            profile=self.profile.profile,
            rollout_index=spec.rollout_index,
            settings=MetricSettings.from_mapping(self.profile.metrics.model_dump()),
        )
        recorder.record_reset()
        return recorder

    def _run_decisions(self, rollout: _Rollout) -> None:
        """Closed-loop decisions until Stop or the step limit."""
        done, step = False, 0
        while not done:
            done = self._run_decision(rollout, step)
            step += 1

    def _run_decision(self, rollout: _Rollout, step: int) -> bool:
        """One decision; returns whether the episode is over."""
        image = rollout.observation.head_rgb
        found = self.env.metric_find_observation() if rollout.metrics is not None else None
        self.agent.model.current_episode_step = step
        result = self.agent.act(image, rollout.history, [])
        self._note_usage(rollout, result)
        write_step_vlm_records(rollout.folder, step, result)
        if rollout.metrics is not None and found is not None:
            rollout.metrics.record_decision(step, found, result)
        done = self._execute(rollout, step, result)
        rollout.history.append(_history_item(step, result))
        return done

    def _execute(self, rollout: _Rollout, step: int, result: PlannerResult) -> bool:
        """Run the authoritative action: Stop commits the pose, everything else is generated and simulated."""
        call = result.action
        if call.skill == STOP_SKILL:
            stop = {"stop": True, "skill": STOP_SKILL, "action": call.to_json()}
            rollout.observation, _, done, _ = self.env.step(stop)
            return done
        seed = derive_seed(
            rollout.spec.seed, "household", rollout.spec.episode.episode_id, rollout.spec.rollout_index, "motion", step
        )
        motion = self.motion.generate(call.skill, call.cond, seed)
        rollout.trajectory.record_before(step, motion, call)
        rollout.observation, _, done, info = self.env.step(motion)
        rollout.trajectory.record_after(step, info["body_state"], info["object_states"], info["qpos"])
        if rollout.metrics is not None:
            rollout.metrics.record_motion(step, call.skill, info)
        return done

    def _note_usage(self, rollout: _Rollout, result: PlannerResult) -> None:
        if result.fallback is not None:
            rollout.fallbacks[result.fallback] += 1
        for stage in result.stage_outputs:
            rollout.usage.record(
                stage.usage, prompt=stage.prompt, raw_output=stage.raw_output, failed=stage.error is not None
            )

    def _finalize_rollout_artifacts(
        self, rollout: _Rollout | None, video: RolloutVideoWriter | None, *, finished: bool
    ) -> RolloutRecord | None:
        """Unload motion, close video, metrics if the loop did not raise, replay bundle, leave the scene."""
        try:
            self.motion.unload()
            if video is not None:
                video.close()
        finally:
            try:
                record = None if rollout is None else self._write_outputs(rollout, finished=finished)
            finally:
                self.env.close()
        return record

    def _write_outputs(self, rollout: _Rollout, *, finished: bool) -> RolloutRecord:
        """``metrics.json`` of a finished rollout, then the bundle whose manifest seals the folder."""
        steps = len(rollout.history)
        base = RolloutRecord.unscored(
            rollout.spec, "infrastructure: the rollout did not finish", model=self.agent.model.name, failed=True
        )
        record = replace(
            base,
            privileged=self.agent.model.privileged,
            fallback_decisions=sum(rollout.fallbacks.values()),
            usage=rollout.usage.summary(steps),
        )
        if finished:
            record = replace(record, outcome=Outcome.NOT_EVALUATED, reason=None, failed=False)
            if rollout.metrics is not None:
                metrics = rollout.metrics.finalize(rollout.trajectory.materialize())
                write_json_atomic(rollout.folder / "metrics.json", metrics)
                outcome = Outcome.SUCCESS if metrics["outcome"]["success"] else Outcome.FAILURE
                record = replace(record, outcome=outcome, metrics=flat_metrics(metrics))
        return rollout.trajectory.write(rollout.folder, record)
