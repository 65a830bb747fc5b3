"""Figures of a set of rollouts from their flat metrics: rates, means and pooled ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bodyloop.household.metrics.collision import BODY_GROUPS
from bodyloop.household.metrics.flat import Scalar, group_key
from bodyloop.household.metrics.settings import INTERACT_CATEGORIES
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.stats.intervals import Rate

__all__ = [
    "BEYOND_RATES",
    "INTERACT_RATES",
    "PAPER_RATES",
    "Row",
    "is_scored",
    "mean",
    "mean_values",
    "pooled_ratio",
    "rate",
    "record_rate",
    "summarise",
]

Row = Mapping[str, Scalar]

PAPER_RATES: Final = (
    "find_sr",
    "geo_find_sr",
    "nav_sr_20cm",
    "geo_nav_sr_20cm",
    "nav_sr_1m",
    "interact_sr",
    "geo_interact_sr",
)
"""Published success rates, in the order of the summary file."""

BEYOND_RATES: Final = ("success", "find_sr_careful", "find_sr_structured", "nav_sr_surface_20cm", "interact_sr_posture")
"""The project's own rates beside them."""

INTERACT_RATES: Final = frozenset({"interact_sr", "geo_interact_sr", "interact_sr_posture"})
"""Rates over the episodes whose target must be sat on."""


def rate(rows: Sequence[Row], key: str, attempted: int | None = None) -> Rate:
    """Rate of a true-or-false metric over the rows that have it; ``attempted`` defaults to all applicable rows."""
    applicable = [row for row in rows if key not in INTERACT_RATES or row.get("is_interact_episode")]
    values = [row[key] for row in applicable if isinstance(row.get(key), bool)]
    return Rate(sum(bool(v) for v in values), len(values), len(applicable) if attempted is None else attempted)


def record_rate(records: Sequence[RolloutRecord], key: str) -> Rate:
    """Rate over scored rollouts; unscored ones count as attempted, applicable by their category tag."""
    attempted = [r for r in records if key not in INTERACT_RATES or _is_interact(r)]
    return rate([r.metrics for r in attempted if is_scored(r)], key, len(attempted))


def is_scored(record: RolloutRecord) -> bool:
    """The rollout ended with a score."""
    return record.outcome in (Outcome.SUCCESS, Outcome.FAILURE)


def _is_interact(record: RolloutRecord) -> bool:
    known = record.metrics.get("is_interact_episode")
    return known if isinstance(known, bool) else record.tags.get("category") in INTERACT_CATEGORIES


def mean_values(rows: Sequence[Row], key: str) -> list[float]:
    """The numbers that enter a mean: rows without one are skipped."""
    values = (row.get(key) for row in rows)
    return [float(v) for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]


def mean(rows: Sequence[Row], key: str) -> float | None:
    """Mean over the rows that have the number; ``None`` if none has."""
    values = mean_values(rows, key)
    return sum(values) / len(values) if values else None


def pooled_ratio(rows: Sequence[Row], numerator: str, denominator: str) -> float | None:
    """Sum over sum, ``None`` without any numerator or with a zero denominator."""
    tops, bottom = mean_values(rows, numerator), sum(mean_values(rows, denominator))
    return sum(tops) / bottom if tops and bottom else None


def _percent(value: float | None) -> float | None:
    return None if value is None else 100.0 * value


def _published_percent(rows: Sequence[Row], key: str) -> float | None:
    """Published rule: a row without the field counts as not true."""
    applicable = [row for row in rows if key not in INTERACT_RATES or row.get("is_interact_episode") is True]
    return 100.0 * sum(row.get(key) is True for row in applicable) / len(applicable) if applicable else None


def summarise(rows: Sequence[Row]) -> dict[str, Any]:
    """The published blocks of ``metrics_summary.json``; a value that no row gives is ``None``."""
    physical = [row for row in rows if row.get("physical_metrics_eligible") is True]
    return {
        "counts": {
            "episodes": len(rows),
            "interact_episodes": sum(row.get("is_interact_episode") is True for row in rows),
            "physical_metric_episodes": len(physical),
            "initial_penetration_excluded": len(rows) - len(physical),
        },
        "high_level_success_percent": {key: _published_percent(rows, key) for key in PAPER_RATES},
        "body_scene": {
            "collision_step_percent": _percent(mean(physical, "collision_step_fraction")),
            "collision_by_body_group_percent": {
                group: _percent(mean(physical, group_key(group))) for group in BODY_GROUPS
            },
            "disturbed_objects_per_episode": mean(physical, "affected_dynamic_object_count"),
            "disturbed_object_path_length_mean_m": pooled_ratio(
                physical, "affected_object_path_length_sum_m", "mapped_affected_dynamic_object_count"
            ),
        },
        "action_quality": {"motion_jerk_m_s3": mean(physical, "motion_jerk_m_s3")},
        "cost": {
            "average_steps": mean(rows, "decision_steps"),
            "input_tokens_per_step": pooled_ratio(rows, "input_tokens", "decision_steps"),
            "visible_output_tokens_per_step": pooled_ratio(rows, "visible_output_tokens", "decision_steps"),
            "token_sources": sorted({str(row.get("token_source")) for row in rows}),
        },
    }
