"""Runs household rollouts in one process; keeps the last home and the model between rollouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bodyloop.body.humanoid import body_sha256
from bodyloop.household.agent.factory import build_model
from bodyloop.household.agent.planner import PlannerOptions
from bodyloop.household.agent.psv_ego import PSVEgoAgent
from bodyloop.household.dataset import EpisodeDataset
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.envs.half_physics_env import EnvFlags
from bodyloop.household.envs.runtime import SceneRuntime
from bodyloop.household.evaluator import FindNavInteractEvaluator
from bodyloop.household.profile import HouseholdProfile
from bodyloop.household.replay_manifest import AssetFile, build_replay_metadata
from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.records.record import RolloutRecord
from bodyloop.records.specs import RolloutSpec

__all__ = ["HouseholdWorker", "RuntimeCache"]


class RuntimeCache:
    """Builds homes on demand and keeps the one used last."""

    def __init__(self, dataset: EpisodeDataset, profile: HouseholdProfile) -> None:
        self._dataset, self._profile = dataset, profile
        self._current: tuple[str, SceneRuntime] | None = None

    def get(self, scene_id: str) -> SceneRuntime:
        """The runtime of a home; another home's is closed first."""
        if self._current is None or self._current[0] != scene_id:
            self.close()
            self._current = (scene_id, SceneRuntime(self._dataset.load_scene(scene_id), self._profile))
        return self._current[1]

    def close(self) -> None:
        """Release the home."""
        if self._current is not None:
            self._current[1].close()
            self._current = None


class HouseholdWorker:
    """One evaluator for many rollouts; implements ``records.protocols.Worker``."""

    def __init__(
        self,
        dataset: EpisodeDataset,
        profile: HouseholdProfile,
        model: str,
        flags: EnvFlags,
        episode_of: Callable[[str], FindNavInteractEpisode],
    ) -> None:
        self._dataset, self._profile = dataset, profile
        self._episode_of = episode_of
        self._runtimes = RuntimeCache(dataset, profile)
        agent = profile.agent
        options = PlannerOptions(
            prompt_version=agent.prompt_version,
            verifier_version=agent.verifier_version,
            max_history=agent.max_history,
            plan_horizon_steps=agent.plan_horizon_steps,
        )
        self._flags = flags
        self._evaluator = FindNavInteractEvaluator(
            profile,
            FindNavInteractEnv(profile, self._runtimes, flags),
            MotionSkillRunner(AnalyticGenerator(), profile.motion.skills),
            PSVEgoAgent(build_model(model), options),
            self._metadata,
        )

    def run(self, batch: Sequence[RolloutSpec], run_dir: Path) -> Iterator[RolloutRecord]:
        """Run the rollouts one after another."""
        for spec in batch:
            episode = self._episode_of(spec.episode.episode_id)
            yield self._evaluator.run_rollout(episode, spec, run_dir / spec.folder)

    def _metadata(self, episode: FindNavInteractEpisode, spec: RolloutSpec) -> Mapping[str, Any]:
        """What a replay must know about this rollout."""
        profile, model = self._profile, self._evaluator.agent.model
        return build_replay_metadata(
            profile=profile.profile,
            episode=episode,
            rollout_index=spec.rollout_index,
            seed=spec.seed,
            physics=profile.physics.model_dump(mode="json"),
            rendering=profile.rendering.model_dump(mode="json"),
            agent={
                "model": model.name,
                "privileged": model.privileged,
                "prompt_version": profile.agent.prompt_version,
                "verifier_version": profile.agent.verifier_version,
                "instruction_version": profile.benchmark.instruction_version,
                "motion_generator": profile.motion.generator,
            },
            assets=self._assets(episode.scene_id),
            fingerprint=spec.fingerprint,
            body_sha256=body_sha256(),
            video_enabled=self._flags.video,
            compute_metrics=self._flags.metrics,
        )

    def _assets(self, scene_id: str) -> Mapping[str, AssetFile]:
        """The scene and the episode shard, named below the data set's folder."""
        paths = {"scene": self._dataset.scene_path(scene_id), "episodes": self._dataset.shard_path(scene_id)}
        return {name: AssetFile(path.relative_to(self._dataset.root).as_posix(), path) for name, path in paths.items()}

    def close(self) -> None:
        """Release the home, its render contexts, and the model's connection if it has one."""
        self._runtimes.close()
        close: Any = getattr(self._evaluator.agent.model, "close", None)
        if callable(close):
            close()
