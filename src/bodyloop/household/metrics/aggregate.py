"""Reduces the metric files of a run to ``metrics_summary.json``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bodyloop.errors import ArtifactError, DataError
from bodyloop.household.metrics.flat import flat_metrics
from bodyloop.household.metrics.summary import (
    BEYOND_RATES,
    PAPER_RATES,
    Row,
    is_scored,
    mean,
    rate,
    record_rate,
    summarise,
)
from bodyloop.records.files import load_json, write_json_atomic
from bodyloop.records.record import RolloutRecord
from bodyloop.stats.intervals import Rate

__all__ = ["SUMMARY_NAME", "aggregate_metric_files", "aggregate_metrics", "write_metrics_summary"]

SUMMARY_SCHEMA: Final = "humanclaw_paper_metrics_summary_v1"
SUMMARY_NAME: Final = "metrics_summary.json"
METRICS_NAME: Final = "metrics.json"

_BEYOND_MEANS: Final = (
    "nav_surface_distance_m",
    "collision_excluding_target_step_fraction",
    "collision_local_floor_step_fraction",
    "collision_local_floor_excluding_target_step_fraction",
    "time_in_contact_s",
    "disturbance_excluding_target_object_count",
    "affected_object_net_displacement_sum_m",
    "realized_motion_jerk_m_s3",
    "articulated_motion_jerk_m_s3",
    "fallback_decisions",
    "fallback_decision_fraction",
    "false_claim_steps",
)


def aggregate_metrics(files: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Published summary of parsed ``metrics.json`` contents."""
    return {"schema": SUMMARY_SCHEMA, **summarise([flat_metrics(content) for content in files])}


def aggregate_metric_files(run_dir: Path, records: Sequence[RolloutRecord]) -> dict[str, Any]:
    """Summary of exactly the selected rollouts, read from their metric files below ``run_dir``.

    Rollouts without a score or without a file are listed under ``selected`` with the reason; they lower the coverage of
    every rate and enter no mean.

    Raises:
        ArtifactError: a metric file is not JSON.
        DataError: the files come from several profiles.
    """
    files: dict[str, dict[str, Any]] = {}
    missing = []
    for record in sorted(records, key=lambda r: r.key):
        path = run_dir / record.folder / METRICS_NAME
        if is_scored(record) and path.is_file():
            files[record.key] = _read(path)
        else:
            reason = record.reason or (f"no {METRICS_NAME}" if is_scored(record) else str(record.outcome))
            missing.append({"episode_id": record.episode_id, "rollout_index": record.rollout_index, "reason": reason})
    profiles = sorted({str(content.get("profile")) for content in files.values()})
    if len(profiles) > 1:
        raise DataError(f"{run_dir}: metric files of several profiles ({', '.join(profiles)}) cannot share one summary")
    rows = {key: flat_metrics(content) for key, content in files.items()}
    return {
        **aggregate_metrics(files.values()),
        "profile": profiles[0] if profiles else None,
        "selected": {"rollouts": len(records), "scored": len(files), "missing": missing},
        "intervals": {key: _rate_json(_rate(rows, records, key)) for key in (*PAPER_RATES, *BEYOND_RATES)},
        "by_category": _groups(rows, records, "category"),
        "by_difficulty": _groups(rows, records, "difficulty"),
        "by_scene": _groups(rows, records, None),
        "beyond_paper": {key: mean(list(rows.values()), key) for key in _BEYOND_MEANS},
    }


def write_metrics_summary(run_dir: Path, records: Sequence[RolloutRecord]) -> Path:
    """Write ``metrics_summary.json`` into the run folder and return its path."""
    path = run_dir / SUMMARY_NAME
    write_json_atomic(path, aggregate_metric_files(run_dir, records))
    return path


def _read(path: Path) -> dict[str, Any]:
    content = load_json(path)
    if not isinstance(content, dict):
        raise ArtifactError(f"{path}: expected a JSON object; recompute it with `bodyloop rescore --write`")
    return content


def _rate(rows: Mapping[str, Row], records: Sequence[RolloutRecord], key: str) -> Rate:
    """Rate from the files; the attempted number counts every selected rollout it applies to."""
    scored = [rows[record.key] for record in records if record.key in rows]
    return rate(scored, key, max(record_rate(records, key).attempted, rate(scored, key).attempted))


def _rate_json(value: Rate) -> dict[str, Any]:
    low, high = value.interval
    return {
        "percent": None if value.value is None else 100.0 * value.value,
        "successes": value.successes,
        "n": value.n,
        "attempted": value.attempted,
        "coverage": value.coverage,
        "low_percent": 100.0 * low,
        "high_percent": 100.0 * high,
        "method": "clopper_pearson",
        "confidence": value.confidence,
    }


def _groups(rows: Mapping[str, Row], records: Sequence[RolloutRecord], tag: str | None) -> dict[str, Any]:
    """Main rates per value of a tag (or per scene)."""
    groups: dict[str, list[RolloutRecord]] = defaultdict(list)
    for record in records:
        groups[record.group if tag is None else record.tags.get(tag, "unknown")].append(record)
    return {
        name: {
            key: _rate_json(_rate(rows, members, key)) for key in ("find_sr", "nav_sr_20cm", "interact_sr", "success")
        }
        for name, members in sorted(groups.items())
    }
