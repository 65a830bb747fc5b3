"""From accumulators to outcomes and logs; the one place where results come to the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.evaluation.accumulators import Track, Verdict
from bodyloop.evaluation.arrays import Array, to_numpy
from bodyloop.evaluation.result import TrialOutcomes
from bodyloop.evaluation.rules import Reduction, ThresholdFailure

__all__ = ["BatchRecord", "build_outcomes", "logs_of"]

Column = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class BatchRecord:
    """A finished batch, still on the device; arrays (N,)."""

    trial_id: npt.NDArray[np.int64]
    window: npt.NDArray[np.int64]
    frames: Array
    rules: Mapping[str, Verdict]
    rule_tracks: Mapping[str, Track]
    metric_tracks: Mapping[str, Track]


def build_outcomes(
    records: Sequence[BatchRecord],
    metrics: Sequence[str],
    rule_names: Sequence[str],
    rules: Mapping[str, ThresholdFailure],
) -> tuple[TrialOutcomes, dict[str, Column]]:
    """Rows of every trial in order of trial number, and the count of non-finite frames by log name, (T,)."""
    columns = [_columns(record) for record in records]
    table: dict[str, Column] = {
        key: np.concatenate([part[key] for part in columns]) for key in (columns[0] if columns else ())
    }
    order = np.argsort(table["trial_id"], kind="stable") if columns else np.empty(0, np.int64)

    def column(key: str, dtype: Any) -> Column:
        return table[key][order].astype(dtype) if columns else np.empty(0, dtype)

    failed = {name: column(f"rule/{name}/failed", bool) for name in rule_names}
    frames = {name: column(f"rule/{name}/frame", np.int64) for name in rule_names}
    first_rule, first_frame = _first_failure(failed, frames, rules, len(order))
    outcomes = TrialOutcomes(
        trial_id=column("trial_id", np.int64),
        env=column("env", np.int64),
        window=column("window", np.int64),
        frames=column("frames", np.int64),
        failed=first_frame > 0,
        fail_frame=first_frame,
        fail_rule=first_rule,
        rule_failed=failed,
        rule_value={name: column(f"rule/{name}/value", np.float64) for name in rule_names},
        metric_mean={name: column(f"metric/{name}/mean", np.float64) for name in metrics},
        metric_min={name: column(f"metric/{name}/min", np.float64) for name in metrics},
        metric_max={name: column(f"metric/{name}/max", np.float64) for name in metrics},
    )
    nonfinite = {f"eval/{name}/nonfinite_frames": column(f"metric/{name}/nonfinite", np.int64) for name in metrics}
    nonfinite |= {
        f"eval/{name}/nonfinite_trials": column(f"rule/{name}/nonfinite", np.int64) > 0 for name in rule_names
    }
    return outcomes, nonfinite


def logs_of(outcomes: TrialOutcomes, nonfinite: Mapping[str, Column], steps: int) -> dict[str, float]:
    """Logs over measured trials; rates, means and extremes are absent when there is nothing to take them of."""
    measured = outcomes.measured
    count = int(measured.sum())
    logs = {"eval/num_evaluated": float(count), "eval/steps": float(steps)}
    if count == 0:
        return logs
    for name, means in outcomes.metric_mean.items():
        known = measured & np.isfinite(means)
        if known.any():
            logs[f"eval/{name}/mean"] = float(means[known].mean())
            logs[f"eval/{name}/min"] = float(outcomes.metric_min[name][known].min())
            logs[f"eval/{name}/max"] = float(outcomes.metric_max[name][known].max())
    for name, failed in outcomes.rule_failed.items():
        logs[f"eval/{name}/failure_rate"] = float(failed[measured].mean())
    for key, values in nonfinite.items():
        if values[measured].any():
            logs[key] = float(values[measured].sum())
    if outcomes.rule_failed:
        logs["eval/success_rate"] = float((~outcomes.failed)[measured].mean())
    logs["eval/truncated_rate"] = float((outcomes.frames < outcomes.window)[measured].mean())
    return logs


def _columns(record: BatchRecord) -> dict[str, Column]:
    """Host columns of the scored environments of one batch."""
    scored = np.flatnonzero(record.trial_id >= 0)
    device: dict[str, Array] = {"frames": record.frames}
    for name, verdict in record.rules.items():
        device |= {f"rule/{name}/{key}": getattr(verdict, key) for key in ("failed", "frame", "value")}
        device[f"rule/{name}/nonfinite"] = record.rule_tracks[name].nonfinite
    for name, track in record.metric_tracks.items():
        device |= {f"metric/{name}/{key}": getattr(track, key) for key in ("min", "max", "nonfinite")}
        device[f"metric/{name}/mean"] = track.mean(record.frames)
    columns = {key: to_numpy(values)[scored] for key, values in device.items()}
    for key in columns:
        if key.startswith("metric/") and key.endswith(("/min", "/max")):
            columns[key] = np.where(np.isfinite(columns[key]), columns[key], np.nan)
    window = record.window[scored]
    return {"trial_id": record.trial_id[scored], "env": np.where(window > 0, scored, -1), "window": window, **columns}


def _first_failure(
    failed: Mapping[str, Column], frames: Mapping[str, Column], rules: Mapping[str, ThresholdFailure], count: int
) -> tuple[tuple[str | None, ...], npt.NDArray[np.int64]]:
    """First failing rule and frame by trial; at one frame a rule that ends the trial comes before the others."""
    names = sorted(failed, key=lambda name: rules[name].reduction is not Reduction.ANY)
    first: list[str | None] = [None] * count
    frame = np.full(count, -1, np.int64)
    for name in names:
        for i in np.flatnonzero(failed[name]):
            if first[i] is None or frames[name][i] < frame[i]:
                first[i], frame[i] = name, frames[name][i]
    return tuple(first), frame
