"""What an evaluation found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.evaluation.errors import EmptyEvaluationError
from bodyloop.records.files import sha256_json

__all__ = ["EvaluationResult", "TrialOutcomes", "merge_logs"]


@dataclass(frozen=True, eq=False)
class TrialOutcomes:
    """One row per trial, column-wise on the host, in order of trial number. ``T`` trials."""

    trial_id: npt.NDArray[np.int64]
    env: npt.NDArray[np.int64]
    """Environment that ran the trial; -1 when none did."""
    window: npt.NDArray[np.int64]
    """Scored frames that the trial was granted."""
    frames: npt.NDArray[np.int64]
    """Scored frames; 0 is an unmeasured trial. The failing frame is the last one of a trial that a rule ended."""
    failed: npt.NDArray[np.bool_]
    fail_frame: npt.NDArray[np.int64]
    """First failing frame, counted from 1; -1 without failure."""
    fail_rule: tuple[str | None, ...]
    """First failing rule, by frame and then by order of declaration."""
    rule_failed: Mapping[str, npt.NDArray[np.bool_]]
    rule_value: Mapping[str, npt.NDArray[np.float64]]
    """Reduced value by rule; for ``any`` the value at failure, NaN when it passed."""
    metric_mean: Mapping[str, npt.NDArray[np.float64]]
    """Means over finite scored frames; NaN without one. Likewise minimum and maximum."""
    metric_min: Mapping[str, npt.NDArray[np.float64]]
    metric_max: Mapping[str, npt.NDArray[np.float64]]

    @property
    def measured(self) -> npt.NDArray[np.bool_]:
        """Trials with at least one scored frame, (T,)."""
        return self.frames > 0

    def __len__(self) -> int:
        return len(self.trial_id)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One plain, JSON-ready mapping per trial; a number that does not exist is None."""
        for i in range(len(self)):
            row: dict[str, Any] = {
                "trial_id": int(self.trial_id[i]),
                "env": int(self.env[i]),
                "status": ("failed" if self.failed[i] else "passed") if self.measured[i] else "unmeasured",
                "frames": int(self.frames[i]),
                "window": int(self.window[i]),
                "fail_rule": self.fail_rule[i],
                "fail_frame": int(self.fail_frame[i]) if self.failed[i] else None,
            }
            for name, values in self.rule_value.items():
                row[f"{name}/failed"] = bool(self.rule_failed[name][i])
                row[f"{name}/value"] = _number(values[i])
            for kind in ("mean", "min", "max"):
                columns: Mapping[str, npt.NDArray[np.float64]] = getattr(self, f"metric_{kind}")
                row.update({f"{name}/{kind}": _number(values[i]) for name, values in columns.items()})
            yield row


@dataclass(frozen=True, eq=False)
class EvaluationResult:
    """Logs, score, count and outcomes of a finished evaluation; nothing in it changes when the environment moves on."""

    logs: Mapping[str, float]
    score: float | None
    """Share of successful trials when it is the score key and a trial was measured; higher is better."""
    count: int
    """Measured trials."""
    outcomes: TrialOutcomes
    protocol: Mapping[str, Any]
    """How was measured: components, rules, windows and what the caller stated. JSON-ready."""
    artifacts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Gaps of diagnostics, in words; a zero or absent entry named here is not a good score."""

    @property
    def protocol_hash(self) -> str:
        """SHA-256 of the protocol; results of different protocols are not comparable."""
        return sha256_json(dict(self.protocol))

    def require_measured(self) -> EvaluationResult:
        """Itself. Raises :class:`EmptyEvaluationError` when no trial was measured."""
        if self.count == 0:
            raise EmptyEvaluationError(f"no trial was measured, of {len(self.outcomes)} planned")
        return self

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "logs": dict(self.logs),
            "score": self.score,
            "count": self.count,
            "protocol": dict(self.protocol),
            "protocol_hash": self.protocol_hash,
            "artifacts": dict(self.artifacts),
            "notes": list(self.notes),
            "trials": list(self.outcomes.rows()),
        }


def merge_logs(parts: Iterable[tuple[Mapping[str, float], int]]) -> dict[str, float]:
    """Combine logs of several workers, each with its number of measured trials.

    A key becomes the average over the workers that have it, weighted by trials; ``eval/num_evaluated`` is summed.
    Workers without trials have no weight, and workers may have different keys. For keys that end in ``/min`` and
    ``/max`` the true extremes are added as ``/global_min`` and ``/global_max``.
    """
    weighted = [(logs, count) for logs, count in parts if count > 0]
    merged: dict[str, float] = {}
    for key in dict.fromkeys(key for logs, _ in weighted for key in logs):
        having = [(logs[key], count) for logs, count in weighted if key in logs]
        merged[key] = math.fsum(value * count for value, count in having) / sum(count for _, count in having)
        stem, _, kind = key.rpartition("/")
        if kind in ("min", "max"):
            merged[f"{stem}/global_{kind}"] = (min if kind == "min" else max)(value for value, _ in having)
    merged["eval/num_evaluated"] = float(sum(count for _, count in weighted))
    return merged


def _number(value: np.float64) -> float | None:
    return float(value) if np.isfinite(value) else None
