"""A comparison in words: table cells, notes and Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from bodyloop.report.compare import SUCCESS, Arm, Comparison, MetricComparison, Verdict
from bodyloop.stats.intervals import MIN_CLUSTERS, Interval

__all__ = ["COLUMNS", "comparison_markdown", "comparison_notes", "comparison_rows", "comparison_title", "flip_notes"]

COLUMNS = ("metric", "A", "B", "B - A", "interval", "p", "n", "coverage", "verdict")


def comparison_title(comparison: Comparison) -> list[str]:
    """What is compared."""
    sides = (("A", comparison.a), ("B", comparison.b))
    lines = [f"{side}: {run.name} ({run.models}, seed {run.plan.seed})" for side, run in sides]
    if not comparison.paired:
        lines.append("unpaired: the runs are treated as independent samples, which shows less than pairs do")
    lines += [f"differs (A != B): {line}" for line in comparison.differences]
    return lines


def comparison_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row of :data:`COLUMNS` per metric; rates and their differences in percent and points."""
    return [_row(metric) for metric in comparison.metrics]


def comparison_notes(comparison: Comparison) -> list[str]:
    """Lines that belong under the table."""
    level = f"{100 * comparison.options.confidence:g}%"
    notes = []
    if len(comparison.metrics) > 1:
        notes.append(f"p: adjusted by Holm over {len(comparison.metrics)} metrics")
    only_a, only_b = len(comparison.a.specs) - comparison.common, len(comparison.b.specs) - comparison.common
    if comparison.paired and (only_a or only_b):
        notes.append(f"left out: {only_a} rollouts planned only in A, {only_b} only in B")
    for metric in comparison.metrics:
        notes += [f"{metric.name}: {note}" for note in _metric_notes(metric, level)]
    return notes


def flip_notes(metric: MetricComparison, limit: int | None = None) -> list[str]:
    """Which rollouts changed sides, at most ``limit`` of each kind."""
    lines = []
    for what, keys in (("only B", metric.gained), ("only A", metric.lost)):
        if keys:
            shown = ", ".join(keys[:limit])
            more = f" and {len(keys) - limit} more" if limit is not None and len(keys) > limit else ""
            lines.append(f"{metric.name} in {what} ({len(keys)}): {shown}{more}")
    return lines


def comparison_markdown(comparison: Comparison) -> str:
    """The whole comparison as a Markdown document, every flipped rollout named."""
    lines = ["# Comparison", "", *(f"- {line}" for line in comparison_title(comparison)), ""]
    lines += [_pipes(COLUMNS), _pipes(["---"] * len(COLUMNS)), *map(_pipes, comparison_rows(comparison)), ""]
    lines += [f"- {note}" for note in comparison_notes(comparison)]
    flips = [line for metric in comparison.metrics for line in flip_notes(metric)]
    if flips:
        lines += ["", "## Flipped", "", *(f"- {line}" for line in flips)]
    return "\n".join(lines) + "\n"


def _row(metric: MetricComparison) -> tuple[str, ...]:
    return (
        _label(metric),
        _arm(metric.a, metric.binary),
        _arm(metric.b, metric.binary),
        _difference(metric.effect.value, metric.binary),
        _range(metric.effect.interval, metric.binary, signed=True),
        _p(metric.p_adjusted),
        f"{metric.effect.n} {metric.unit}s",
        f"{100 * metric.coverage:.0f}%",
        str(metric.verdict),
    )


def _label(metric: MetricComparison) -> str:
    if metric.name == SUCCESS:
        return metric.name
    # Said of every other metric, because it is an assumption where the user did not say it.
    return f"{metric.name} ({'lower' if metric.lower_is_better else 'higher'} is better)"


def _metric_notes(metric: MetricComparison, level: str) -> list[str]:
    effect = metric.effect
    notes = [f"{effect.test} test, {effect.interval_method} {level} interval"]
    notes += _reach(metric)
    if metric.group_interval is not None and metric.unit != "group":
        few = f"; too short with fewer than {MIN_CLUSTERS}" if metric.n_groups < MIN_CLUSTERS else ""
        shown = _range(metric.group_interval, metric.binary, signed=True)
        notes.append(f"{level} interval with {metric.n_groups} groups (scenes, tasks) resampled: {shown}{few}")
        if (
            metric.verdict in (Verdict.BETTER, Verdict.WORSE)
            and metric.group_interval.low <= 0.0 <= metric.group_interval.high
        ):
            notes.append("that interval holds 0: the difference is shown for these episodes, not for other scenes")
    elif "bootstrap" in effect.interval_method and effect.n < MIN_CLUSTERS:
        notes.append(f"the interval is too short with fewer than {MIN_CLUSTERS} {metric.unit}s")
    for side, arm in (("A", metric.a), ("B", metric.b)):
        if arm.unscored:
            reasons = ", ".join(f"{count} {reason}" for reason, count in arm.unscored.items())
            notes.append(f"without a value in {side}: {reasons}")
    if metric.bounds is not None and (metric.a.unscored or metric.b.unscored):
        notes.append(f"whatever became of them, the difference lies in {_range(metric.bounds, True, signed=True)}")
    return notes


def _reach(metric: MetricComparison) -> list[str]:
    """What a comparison without a finding could have found."""
    if metric.verdict is Verdict.NO_CLAIM:
        return ["no claim: coverage is below 95%, the missing rollouts could decide it"]
    if metric.verdict is not Verdict.NO_DIFFERENCE_SHOWN:
        return []
    if metric.detectable is None:
        return ["no difference shown, which says little: these data cannot tell how large a one would have been found"]
    size = _difference(metric.detectable, metric.binary).lstrip("+")
    return [f"no difference shown; a true difference of {size} would be found in 80% of such comparisons"]


def _arm(arm: Arm, binary: bool) -> str:
    mean = f"{100 * arm.mean:.1f}%" if binary else f"{arm.mean:.4g}"
    return f"{mean} {_range(arm.interval, binary)} n={arm.n}/{arm.planned}"


def _difference(value: float, binary: bool) -> str:
    return f"{100 * value:+.1f} points" if binary else f"{value:+.4g}"


def _range(interval: Interval | None, binary: bool, *, signed: bool = False) -> str:
    if interval is None:
        return "--"
    sign = "+" if signed else ""
    if binary:
        return f"[{100 * interval.low:{sign}.1f}, {100 * interval.high:{sign}.1f}]"
    return f"[{interval.low:{sign}.4g}, {interval.high:{sign}.4g}]"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _pipes(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
