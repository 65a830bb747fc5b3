"""What an evaluation measures and what it calls failure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, fields
from typing import Any, Final

from bodyloop.errors import ConfigError, UnknownNameError
from bodyloop.evaluation.component import MdpComponent
from bodyloop.evaluation.errors import ConfigMigrationError
from bodyloop.evaluation.rules import ThresholdFailure

__all__ = ["SUCCESS_RATE_KEY", "EvaluatorConfig", "check_groups"]

SUCCESS_RATE_KEY: Final = "eval/success_rate"
_RESERVED: Final = frozenset(
    {"success_rate", "num_evaluated", "truncated_rate", "steps", "seconds"},
)


@dataclass
class EvaluatorConfig:
    """Measurements, failure rules and the score of an evaluation.

    The groups may change after construction; they are checked again when a manager is built.

    Raises:
        ConfigError: A name, an entry or the score key is not acceptable.
        ConfigMigrationError: ``evaluation_components`` is given; the message prints the replacement.
    """

    metric_components: dict[str, MdpComponent] = field(default_factory=dict)
    """Logged, without judgement."""
    failure_components: dict[str, ThresholdFailure] = field(default_factory=dict)
    """A trial that fails one of them fails."""
    score_key: str | None = None
    """``eval/success_rate`` selects best checkpoints by success; None selects nothing."""
    max_eval_steps: int = 600
    """Longest window, in control steps."""
    evaluation_components: InitVar[Mapping[str, Any] | None] = None

    def __post_init__(self, evaluation_components: Mapping[str, Any] | None) -> None:
        if evaluation_components is not None:
            raise ConfigMigrationError(_replacement(evaluation_components))
        self.validate()

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> EvaluatorConfig:
        """Build from a mapping. Raises :class:`UnknownNameError` for unknown keys, and the errors of the class."""
        known = {entry.name for entry in fields(cls)}
        for key in data:
            if key not in known and key != "evaluation_components":
                raise UnknownNameError("key", key, known, where="evaluator configuration")
        return cls(**data)

    @property
    def enabled(self) -> bool:
        """Whether there is anything to measure; if not, the score key does not matter."""
        return bool(self.metric_components or self.failure_components)

    def validate(self) -> None:
        """Check the groups, the score key and the window. Raises :class:`ConfigError`."""
        check_groups(self.metric_components, self.failure_components)
        if self.score_key not in (None, SUCCESS_RATE_KEY):
            raise ConfigError(f"score_key: expected None or {SUCCESS_RATE_KEY!r}, got {self.score_key!r}")
        if self.score_key is not None and self.enabled and not self.failure_components:
            raise ConfigError(f"score_key {self.score_key!r} needs at least one entry in failure_components")
        if isinstance(self.max_eval_steps, bool) or not isinstance(self.max_eval_steps, int) or self.max_eval_steps < 1:
            raise ConfigError(f"max_eval_steps: expected a positive integer, got {self.max_eval_steps!r}")


def check_groups(metrics: Mapping[str, MdpComponent], failures: Mapping[str, ThresholdFailure]) -> None:
    """Check names and types of both groups. Raises :class:`ConfigError`."""
    for group, entries in (("metric_components", metrics), ("failure_components", failures)):
        expected = MdpComponent if entries is metrics else ThresholdFailure
        for name, entry in entries.items():
            if not isinstance(name, str) or not name or "/" in name or name in _RESERVED:
                raise ConfigError(f"{group}: {name!r} cannot be a name: empty, with '/', or reserved")
            if not isinstance(entry, expected):
                raise ConfigError(
                    f"{group}[{name!r}]: expected {expected.__name__}, got {type(entry).__name__}"
                    + (f"; write ThresholdFailure({name}, THRESHOLD)" if isinstance(entry, MdpComponent) else "")
                )


def _replacement(old: Mapping[str, Any]) -> str:
    """The lines that replace the earlier single group."""
    lines = ["evaluation_components is no longer read. Regenerate the configuration with:"]
    for name, entry in old.items():
        settings = entry if isinstance(entry, Mapping) else getattr(entry, "static", {})
        lines.append(f"  metric_components[{name!r}] = {name}  # without 'threshold' and 'fail_above'")
        threshold = settings.get("threshold")
        if isinstance(threshold, int | float) and math.isfinite(threshold):
            lines.append(
                f"  failure_components[{name!r}] = ThresholdFailure({name}, {threshold!r}, "
                f"fail_above={bool(settings.get('fail_above', True))})"
            )
    return "\n".join(lines)
