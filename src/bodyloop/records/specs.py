"""What is to be run: episodes and rollouts, identified by stable ids and never by position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["EpisodeSpec", "RolloutSpec", "WorkerSlot"]


@dataclass(frozen=True)
class EpisodeSpec:
    """One fixed problem of a suite."""

    suite: str
    """Name of the suite that owns the episode."""
    episode_id: str
    """Stable and unique within the suite, for example ``home_01_ep_3_bed``."""
    group: str
    """Scene or task: the cluster for statistics and for scheduling."""
    premise_hash: str
    """SHA-256 of everything that fixes the problem (scene, start, goal)."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Limits by name, for example ``{"max_steps": 100}``."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels for tables, for example category and difficulty."""


@dataclass(frozen=True)
class RolloutSpec:
    """One attempt at an episode."""

    episode: EpisodeSpec
    rollout_index: int
    seed: int
    """Derived from the run seed and ids (see ``records.seeds``)."""
    folder: str
    """Rollout folder relative to the run folder, POSIX separators."""
    fingerprint: str = ""
    """Digest of the run's fingerprint; the worker writes it into the rollout's manifest and record."""

    @property
    def key(self) -> str:
        """Unique text key of the rollout inside a run."""
        return f"{self.episode.episode_id}#{self.rollout_index:02d}"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data without the fingerprint, which a run states once for all its rollouts."""
        data = asdict(self)
        del data["fingerprint"]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], fingerprint: str = "") -> RolloutSpec:
        """Inverse of :meth:`to_json`."""
        fields = {**data, "episode": EpisodeSpec(**data["episode"]), "fingerprint": fingerprint}
        return cls(**fields)


@dataclass(frozen=True)
class WorkerSlot:
    """Where a worker runs. A slot never influences results."""

    index: int
    device: str | None = None
    """Value for ``CUDA_VISIBLE_DEVICES``; ``None`` is a CPU slot."""
