"""The result of one rollout, in the one format that every suite, table and report shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bodyloop.records.specs import RolloutSpec

__all__ = ["Artifact", "Outcome", "RolloutRecord"]

Scalar = float | int | bool | str | None


class Outcome(StrEnum):
    """How a rollout ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNSCORED = "unscored"
    """Something outside the agent prevented a score; ``reason`` says what."""
    NOT_EVALUATED = "not_evaluated"
    """The run was not asked for metrics."""


@dataclass(frozen=True)
class Artifact:
    """One file of a rollout folder."""

    path: str
    """Relative to the rollout folder."""
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class RolloutRecord:
    """Everything tables and reports need to know about one rollout."""

    suite: str
    episode_id: str
    group: str
    rollout_index: int
    seed: int
    folder: str
    """Relative to the run folder."""
    model: str
    outcome: Outcome
    reason: str | None = None
    """For ``unscored``: ``provider``, ``infrastructure``, ``budget``, ``cancelled``, ``invalid input``, with detail after a colon."""
    failed: bool = False
    """The worker ended abnormally."""
    privileged: bool = False
    """The model saw more than the observation contract gives (an oracle)."""
    fallback_decisions: int = 0
    """Decisions that were not the model's own because its replies were unusable."""
    metrics: Mapping[str, Scalar] = field(default_factory=dict)
    """Flat metrics by published name."""
    usage: Mapping[str, Scalar] = field(default_factory=dict)
    cost_usd: float | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str = ""
    artifacts: tuple[Artifact, ...] = ()
    volatile: Mapping[str, Scalar] = field(default_factory=dict)
    """Times, host, worker: never compared, never hashed."""

    def canonical(self) -> dict[str, Any]:
        """The record as plain JSON data without ``volatile``: equal for equal rollouts."""
        data = self.to_json()
        del data["volatile"]
        return data

    def to_json(self) -> dict[str, Any]:
        """The whole record as plain JSON data."""
        return {
            "suite": self.suite,
            "episode_id": self.episode_id,
            "group": self.group,
            "rollout_index": self.rollout_index,
            "seed": self.seed,
            "folder": self.folder,
            "model": self.model,
            "outcome": str(self.outcome),
            "reason": self.reason,
            "failed": self.failed,
            "privileged": self.privileged,
            "fallback_decisions": self.fallback_decisions,
            "metrics": dict(self.metrics),
            "usage": dict(self.usage),
            "cost_usd": self.cost_usd,
            "tags": dict(self.tags),
            "fingerprint": self.fingerprint,
            "artifacts": [vars(artifact) for artifact in self.artifacts],
            "volatile": dict(self.volatile),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RolloutRecord:
        """Inverse of :meth:`to_json`; ``volatile`` may be absent."""
        fields = dict(data)
        fields["outcome"] = Outcome(fields["outcome"])
        fields["artifacts"] = tuple(Artifact(**row) for row in fields.get("artifacts", ()))
        return cls(**fields)

    @classmethod
    def of(cls, spec: RolloutSpec, outcome: Outcome, *, model: str, **fields: Any) -> RolloutRecord:
        """A record with the identity of ``spec``; ``fields`` are the other fields of the class."""
        return cls(
            suite=spec.episode.suite,
            episode_id=spec.episode.episode_id,
            group=spec.episode.group,
            rollout_index=spec.rollout_index,
            seed=spec.seed,
            folder=spec.folder,
            model=model,
            outcome=outcome,
            tags=dict(spec.episode.tags),
            fingerprint=spec.fingerprint,
            **fields,
        )

    @classmethod
    def unscored(cls, spec: RolloutSpec, reason: str, *, model: str, **fields: Any) -> RolloutRecord:
        """The record of a rollout that could not be scored, for example because its process died."""
        return cls.of(spec, Outcome.UNSCORED, model=model, reason=reason, **fields)

    @property
    def key(self) -> str:
        """Unique text key of the rollout inside a run."""
        return f"{self.episode_id}#{self.rollout_index:02d}"
