"""The household suite as ``runs`` sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version as package_version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bodyloop import __version__
from bodyloop.errors import ArtifactError, ConfigError, UnknownNameError
from bodyloop.household.dataset import open_dataset
from bodyloop.household.episodes import (
    EpisodeRow,
    apply_instruction_version,
    load_episode,
    load_episodes,
    select_episodes,
)
from bodyloop.household.profile import HouseholdProfile, load_household_profile
from bodyloop.household.replay_manifest import (
    MANIFEST_NAME,
    TRAJECTORY_AFTER,
    TRAJECTORY_BEFORE,
    load_rollout_record,
)
from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.household.video import EGO_VIDEO, EXO_VIDEO
from bodyloop.records.files import sha256_file, sha256_json
from bodyloop.records.protocols import Worker
from bodyloop.records.record import RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec, WorkerSlot

if TYPE_CHECKING:
    from bodyloop.household.worker import RuntimeCache

__all__ = ["HouseholdSuite", "rollout_dir", "safe_name"]

_DEFAULT_PROFILE: Final = "homes_v1"
_ENGINE_PACKAGES: Final = ("mujoco", "numpy", "scipy", "coal")


def safe_name(text: str) -> str:
    """A name that is safe in a path: letters, digits, ``-_.``; anything else becomes ``_``; never empty."""
    return re.sub(r"[^0-9A-Za-z\-_.]", "_", text).strip("_") or "unknown"


def rollout_dir(episode_key: str, rollout_index: int) -> str:
    """Deterministic rollout folder below the run folder."""
    return f"{episode_key}/rollout_{rollout_index:02d}"


def _episode_key(row: EpisodeRow) -> str:
    return f"{safe_name(row.scene_id)}_ep{safe_name(row.episode_id)}_{safe_name(row.object_category)}"


@dataclass(frozen=True)
class _Config:
    """The suite part of a run configuration."""

    model: str
    profile: str = _DEFAULT_PROFILE
    episodes: str = "one"
    scene_id: str | None = None
    episode_id: str | None = None
    object_category: str | None = None
    max_steps: int | None = None
    metrics: bool = False
    video: bool = False

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> _Config:
        unknown = set(config) - set(cls.__dataclass_fields__)
        if unknown:
            raise UnknownNameError("household setting", min(unknown), cls.__dataclass_fields__)
        if not config.get("model"):
            raise ConfigError("household runs need a model: oracle, random, or a model configuration (JSON)")
        settings = cls(**config)
        if settings.max_steps is not None and (isinstance(settings.max_steps, bool) or settings.max_steps < 1):
            raise ConfigError(f"max_steps: expected a number of decisions of at least 1, got {settings.max_steps!r}")
        return settings


class HouseholdSuite:
    """Find, navigate to and interact with objects in homes."""

    name = "household"
    version = "1"
    model = ""
    privileged = False

    def prepare(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Everything that can be known to be wrong before a simulator starts; see :meth:`check_config_valid`."""
        self._config = _Config.read(config)
        self._profile = load_household_profile(self._config.profile)
        self._dataset = open_dataset(self._profile.benchmark.dataset, self._profile.benchmark.split)
        self.check_config_valid()
        self._rows = self._select()
        self._specs = {_episode_key(row): row for row in self._rows}
        return {
            "profile": self._profile.to_json(),
            "episode_data": self._dataset.data_sha256(),
            "model": self._identity.to_json(),
            "prompts": self._prompt_hashes(),
            "max_steps": self._max_steps(),
            "body": self._body_hash(),
            "versions": {"bodyloop": __version__, **{name: package_version(name) for name in _ENGINE_PACKAGES}},
        }

    def check_config_valid(self) -> None:
        """Model, prompt and verifier versions, skills and data, before heavy work.

        Raises :class:`~bodyloop.errors.ConfigError`, ``DataError`` or ``MissingFileError``.
        """
        from bodyloop.household.agent.factory import check_model, model_identity
        from bodyloop.household.agent.prompts import resolve_prompt_version
        from bodyloop.household.agent.verifiers import resolve_verifier_version
        from bodyloop.motion.types import SKILLS

        check_model(self._config.model, self._profile.vlm)
        self._identity = model_identity(self._config.model)
        self.model, self.privileged = self._identity.name, self._identity.privileged
        resolve_prompt_version(self._profile.agent.prompt_version)
        resolve_verifier_version(self._profile.agent.verifier_version)
        for skill in self._profile.motion.skills:
            if skill not in SKILLS:
                raise UnknownNameError("skill", skill, SKILLS, where=f"profile {self._profile.profile}, motion.skills")
        self._dataset.verify()

    def _select(self) -> Sequence[EpisodeRow]:
        config = self._config
        return select_episodes(
            self._dataset,
            config.episodes,
            scene_id=config.scene_id,
            episode_id=config.episode_id,
            object_category=config.object_category,
        )

    def _max_steps(self) -> int:
        limit = self._profile.benchmark.max_steps
        return limit if self._config.max_steps is None else min(limit, self._config.max_steps)

    def _prompt_hashes(self) -> dict[str, str]:
        """Hashes of the prompt and verifier modules; their text is part of what is evaluated."""
        agent = self._profile.agent
        modules = {"prompts": agent.prompt_version, "verifiers": agent.verifier_version}
        folder = files("bodyloop.household.agent")
        return {
            f"{kind} {version}": sha256((folder / kind / f"{version}.py").read_bytes()).hexdigest()
            for kind, version in modules.items()
        }

    @staticmethod
    def _body_hash() -> str:
        from bodyloop.body.humanoid import body_sha256

        return body_sha256()

    def _episode(self, key: str) -> FindNavInteractEpisode:
        row = self._specs[key]
        episode = load_episode(self._dataset, row.scene_id, row.episode_id, max_steps=self._max_steps())
        return apply_instruction_version(episode, self._profile.benchmark.instruction_version)

    def episodes(self) -> Sequence[EpisodeSpec]:
        """The selected episodes, in shard order; only asked for when a run is about to start.

        Raises AuthenticationError if the model's key is missing: nothing could be run, while results stay readable.
        """
        from bodyloop.household.agent.factory import check_credential

        check_credential(self._config.model)
        version = self._profile.benchmark.instruction_version
        loaded = load_episodes(self._dataset, self._rows, max_steps=self._max_steps())
        scenes = {row.scene_id: sha256_file(self._dataset.scene_path(row.scene_id)) for row in self._rows}
        return [
            self._spec(row, apply_instruction_version(episode, version), scenes[row.scene_id])
            for row, episode in zip(self._rows, loaded, strict=True)
        ]

    def _spec(self, row: EpisodeRow, episode: FindNavInteractEpisode, scene_sha256: str) -> EpisodeSpec:
        premise = {
            "instruction": episode.instruction,
            "start": [*episode.init_offset, episode.init_yaw],
            "goals": [goal.object_id for goal in episode.goal_objects],
            "scene": scene_sha256,
            "max_steps": episode.max_steps,
        }
        tags = {
            "category": row.object_category,
            "scene": row.scene_id,
            "difficulty": str(episode.difficulty.get("label", "unknown")),
        }
        limits = {"max_steps": episode.max_steps}
        return EpisodeSpec(self.name, _episode_key(row), row.scene_id, sha256_json(premise), limits, tags)

    def rollout_folder(self, episode: EpisodeSpec, rollout_index: int) -> str:
        """``<scene>_ep<id>_<category>/rollout_NN``."""
        return rollout_dir(episode.episode_id, rollout_index)

    def required_artifacts(self) -> Sequence[str]:
        """The replay bundle, and what the current flags add."""
        names = [MANIFEST_NAME, TRAJECTORY_BEFORE, TRAJECTORY_AFTER]
        if self._config.metrics:
            names.append("metrics.json")
        if self._config.video:
            names += [EGO_VIDEO, EXO_VIDEO]
        return names

    def load_record(self, run_dir: Path, spec: RolloutSpec) -> RolloutRecord | None:
        """The record stored in the rollout's manifest."""
        try:
            return load_rollout_record(run_dir / spec.folder)
        except ArtifactError:
            return None

    def open_worker(self, slot: WorkerSlot) -> Worker:
        """A worker for this process; the slot's device is not used, everything runs on the CPU."""
        del slot
        from bodyloop.household.envs.half_physics_env import EnvFlags
        from bodyloop.household.worker import HouseholdWorker

        flags = EnvFlags(metrics=self._config.metrics, video=self._config.video)
        return HouseholdWorker(self._dataset, self._profile, self._config.model, flags, self._episode)

    def offline(self) -> tuple[HouseholdProfile, RuntimeCache, Callable[[str], FindNavInteractEpisode]]:
        """Profile, homes and episodes by key, for work on saved rollouts; the caller closes the homes."""
        from bodyloop.household.worker import RuntimeCache

        return self._profile, RuntimeCache(self._dataset, self._profile), self._episode

    def finish(self, run_dir: Path, records: Sequence[RolloutRecord]) -> None:
        """Write ``metrics_summary.json`` over the selected set, in metric mode only."""
        from bodyloop.household.metrics.aggregate import write_metrics_summary

        if self._config.metrics:
            write_metrics_summary(run_dir, records)

    def summary(self, run_dir: Path, records: Sequence[RolloutRecord]) -> Mapping[str, Any]:
        """The content of ``metrics_summary.json``."""
        from bodyloop.household.metrics.aggregate import aggregate_metric_files

        return aggregate_metric_files(run_dir, records)

    def tables(self, records: Sequence[RolloutRecord]) -> Sequence[Any]:
        """The paper table with intervals, by category, and its notes; nothing if no rollout has metrics."""
        from bodyloop.household.tables import breakdown_table, paper_notes, paper_tables

        if not any(record.metrics for record in records):
            return []
        tables = [*paper_tables(records), breakdown_table(records, "category")]
        return [*(table.to_rich() for table in tables), *paper_notes(records)]

    def profile_json(self, name_or_path: str | None) -> Mapping[str, Any]:
        """The content of a profile."""
        return load_household_profile(name_or_path or _DEFAULT_PROFILE).to_json()
