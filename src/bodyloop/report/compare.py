"""Two runs compared: effect, interval, p, coverage, what could have been found, and which rollouts flipped.

The difference is always B - A: A is the baseline, B the candidate.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from bodyloop.errors import ConfigError, DataError, UnknownNameError
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.report.pairing import ComparedRun, check_protocol, common_keys
from bodyloop.stats.effects import Effect, difference_bounds, holm
from bodyloop.stats.intervals import Interval, Rate, cluster_bootstrap_mean
from bodyloop.stats.paired import PairedCounts, paired_binary, paired_means
from bodyloop.stats.power import detectable_mean, detectable_means, detectable_paired, detectable_unpaired
from bodyloop.stats.unpaired import unpaired_binary, unpaired_means

__all__ = ["SUCCESS", "Arm", "CompareOptions", "Comparison", "MetricComparison", "Verdict", "compare_runs", "gate"]

SCHEMA = "bodyloop_compare_v1"
SUCCESS = "success"
MIN_COVERAGE = 0.95
"""With less, no claim is made: the missing rollouts could decide it."""
_MIN_GROUPS = 6
"""Fewer groups than this cannot reach p = 0.05 when signs are flipped by group."""

Value = float | None


class Verdict(StrEnum):
    """What the data allow to say about B."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE_SHOWN = "no difference shown"
    NO_CLAIM = "no claim"


@dataclass(frozen=True)
class CompareOptions:
    """What to compare and how to judge it."""

    metrics: tuple[str, ...] = (SUCCESS,)
    """The declared family: p-values are adjusted by Holm over it."""
    allow: tuple[str, ...] = ()
    unpaired: bool = False
    lower_is_better: tuple[str, ...] = ()
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True)
class Arm:
    """One side of one metric."""

    mean: float
    n: int
    """Values that entered the comparison."""
    planned: int
    interval: Interval | None
    """Clopper-Pearson for rates; for means cluster bootstrap over groups, over episodes if groups are few."""
    unscored: Mapping[str, int]
    """Planned rollouts without a value, by reason."""


@dataclass(frozen=True)
class MetricComparison:
    """One metric of two runs."""

    name: str
    binary: bool
    lower_is_better: bool
    a: Arm
    b: Arm
    effect: Effect
    unit: str
    """What counts as independent: ``pair``, ``episode``, ``group`` or ``rollout``."""
    p_adjusted: float
    """Holm over all metrics of the comparison."""
    coverage: float
    """Share of the planned pairs (unpaired: of the rollouts of the worse side) with a value."""
    detectable: float | None
    """Smallest true difference that this comparison finds in 80 % of the cases, at the level of the family divided by
    its size; ``None`` if there is none, or if the data show no spread to tell it from."""
    group_interval: Interval | None
    """The paired difference, groups (scenes, tasks) resampled; ``None`` with fewer than six, where it means nothing."""
    n_groups: int
    bounds: Interval | None
    """Of the difference in rates, over everything that could have become of the missing rollouts."""
    gained: tuple[str, ...]
    """Rollouts where only B succeeded."""
    lost: tuple[str, ...]
    verdict: Verdict


@dataclass(frozen=True)
class Comparison:
    """All metrics of two runs."""

    a: ComparedRun
    b: ComparedRun
    paired: bool
    options: CompareOptions
    common: int
    differences: tuple[str, ...]
    """Fingerprint fields that differ and were allowed to."""
    metrics: tuple[MetricComparison, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, the same for the same two runs."""
        sides = {
            side: {
                "run": run.name,
                "model": run.models,
                "fingerprint": run.plan.fingerprint.digest,
                "seed": run.plan.seed,
                "planned": len(run.specs),
                "not_in_other": len(run.specs) - self.common,
            }
            for side, run in (("a", self.a), ("b", self.b))
        }
        return {
            "schema": SCHEMA,
            "suite": self.a.plan.suite,
            "design": "paired" if self.paired else "unpaired",
            "confidence": self.options.confidence,
            **sides,
            "common_rollouts": self.common,
            "allowed_differences": list(self.differences),
            "metrics": [_plain(asdict(metric)) for metric in self.metrics],
        }


@dataclass(frozen=True)
class _Trial:
    key: str
    episode: str
    group: str
    value: Value
    reason: str


def compare_runs(a: ComparedRun, b: ComparedRun, options: CompareOptions) -> Comparison:
    """Compare two runs on every metric of ``options``.

    Raises:
        FingerprintMismatchError: They are under different protocols.
        ConfigError: They have no common rollouts, other premises, or an unknown metric.
        DataError: Nothing is scored, or a metric is not a number.
    """
    names = tuple(dict.fromkeys(options.metrics))
    stray = set(options.lower_is_better) - set(names)
    if stray:
        raise UnknownNameError("metric", min(stray), names, where="--lower-is-better")
    differences = check_protocol(a, b, options.allow)
    keys_a: Sequence[str] = list(a.specs)
    keys_b: Sequence[str] = list(b.specs)
    common = len(a.specs.keys() & b.specs.keys())
    if not options.unpaired:
        keys_a = keys_b = common_keys(a, b)
    results = [_compare(name, _trials(a, keys_a, name), _trials(b, keys_b, name), options) for name in names]
    adjusted = holm({result.name: result.effect.p_value for result in results})
    judged = tuple(_judge(replace(result, p_adjusted=adjusted[result.name]), options) for result in results)
    return Comparison(a, b, not options.unpaired, options, common, tuple(differences), judged)


def _trials(run: ComparedRun, keys: Sequence[str], name: str) -> list[_Trial]:
    if name != SUCCESS:
        known = {metric for key in keys if key in run.records for metric in run.records[key].metrics}
        if name not in known:
            raise UnknownNameError("metric", name, {SUCCESS, *known}, where=run.name)
    trials = []
    for key in keys:
        episode = run.specs[key].episode
        value, reason = _value(run, key, name)
        trials.append(_Trial(key, episode.episode_id, episode.group, value, reason))
    return trials


def _value(run: ComparedRun, key: str, name: str) -> tuple[Value, str]:
    record = run.records.get(key)
    if record is None:
        return None, "not run"
    if record.outcome is Outcome.UNSCORED:
        return None, (record.reason or "no reason").partition(":")[0]
    if name == SUCCESS:
        if record.outcome is Outcome.NOT_EVALUATED:
            return None, "not evaluated"
        return float(record.outcome is Outcome.SUCCESS), ""
    return _metric(record, name, run.name)


def _metric(record: RolloutRecord, name: str, where: str) -> tuple[Value, str]:
    value = record.metrics.get(name)
    if value is None:
        return None, "no value"
    if isinstance(value, str):
        raise DataError(f"{where}: metric {name!r} of {record.key} is the text {value!r}, not a number")
    if not math.isfinite(value):
        return None, "not finite"
    return float(value), ""


def _compare(name: str, a: list[_Trial], b: list[_Trial], options: CompareOptions) -> MetricComparison:
    binary = name == SUCCESS or all(trial.value in (None, 0.0, 1.0) for trial in (*a, *b))
    if options.unpaired:
        used_a = [trial for trial in a if trial.value is not None]
        used_b = [trial for trial in b if trial.value is not None]
        coverage = min(len(used_a) / len(a), len(used_b) / len(b))
    else:
        pairs = [(x, y) for x, y in zip(a, b, strict=True) if x.value is not None and y.value is not None]
        used_a, used_b = [x for x, _ in pairs], [y for _, y in pairs]
        coverage = len(pairs) / len(a)
    if not used_a or not used_b:
        reasons = ", ".join(f"{count} {reason}" for reason, count in _reasons([*a, *b]).items())
        raise DataError(f"metric {name!r}: no {'rollout' if options.unpaired else 'pair'} has a value ({reasons})")
    judge = _unpaired if options.unpaired else _paired
    effect, unit, detectable = judge(used_a, used_b, binary, options)
    changes = [_number(y) - _number(x) for x, y in zip(used_a, used_b, strict=True)] if not options.unpaired else []
    return MetricComparison(
        name=name,
        binary=binary,
        lower_is_better=name in options.lower_is_better,
        a=_arm(a, used_a, binary, options),
        b=_arm(b, used_b, binary, options),
        effect=effect,
        unit=unit,
        p_adjusted=effect.p_value,
        coverage=coverage,
        detectable=detectable,
        group_interval=_by_group(used_a, changes, options),
        n_groups=len({trial.group for trial in (*used_a, *used_b)}),
        bounds=difference_bounds([t.value for t in a], [t.value for t in b]) if binary else None,
        gained=tuple(x.key for x, change in zip(used_a, changes, strict=False) if binary and change > 0),
        lost=tuple(x.key for x, change in zip(used_a, changes, strict=False) if binary and change < 0),
        verdict=Verdict.NO_CLAIM,
    )


def _by_group(trials: list[_Trial], changes: list[float], options: CompareOptions) -> Interval | None:
    if not changes or _unit(trials) != "group":
        return None
    groups = [trial.group for trial in trials]
    return cluster_bootstrap_mean(changes, groups, confidence=options.confidence, seed=options.seed)


def _unit(trials: Sequence[_Trial]) -> str:
    return "group" if len({trial.group for trial in trials}) >= _MIN_GROUPS else "episode"


def _labels(trials: Sequence[_Trial]) -> list[str]:
    by_group = _unit(trials) == "group"
    return [trial.group if by_group else trial.episode for trial in trials]


def _paired(
    a: list[_Trial], b: list[_Trial], binary: bool, options: CompareOptions
) -> tuple[Effect, str, float | None]:
    level = (1.0 - options.confidence) / len(set(options.metrics))
    if binary and not _repeats(a):
        counts = PairedCounts.of((x.value == 1.0, y.value == 1.0) for x, y in zip(a, b, strict=True))
        effect = paired_binary(counts, options.confidence)
        return effect, "pair", detectable_paired(counts.n, counts.discordance, alpha=level)
    units = _labels(a)
    changes = [_number(y) - _number(x) for x, y in zip(a, b, strict=True)]
    effect = paired_means(changes, units, confidence=options.confidence, seed=options.seed)
    means = list(_unit_means(units, changes).values())
    deviation = float(np.std(means, ddof=1)) if len(means) > 1 else 0.0
    return effect, _unit(a), detectable_mean(len(means), deviation, alpha=level)


def _unpaired(
    a: list[_Trial], b: list[_Trial], binary: bool, options: CompareOptions
) -> tuple[Effect, str, float | None]:
    level = (1.0 - options.confidence) / len(set(options.metrics))
    if binary and not _repeats(a) and not _repeats(b):
        hits_a, hits_b = (sum(trial.value == 1.0 for trial in side) for side in (a, b))
        effect = unpaired_binary(hits_a, len(a), hits_b, len(b), options.confidence)
        return effect, "rollout", detectable_unpaired(hits_a / len(a), len(a), len(b), alpha=level)
    means_a, means_b = (_unit_means([t.episode for t in side], map(_number, side)) for side in (a, b))
    sides = (list(means_a.values()), list(means_b.values()))
    effect = unpaired_means(*sides, options.confidence)
    deviation = float(np.sqrt(np.mean([np.var(side, ddof=1) for side in sides]))) if min(map(len, sides)) > 1 else 0.0
    return effect, "episode", detectable_means(len(sides[0]), len(sides[1]), deviation, alpha=level)


def _judge(result: MetricComparison, options: CompareOptions) -> MetricComparison:
    if result.coverage < MIN_COVERAGE:
        return replace(result, verdict=Verdict.NO_CLAIM)
    if result.p_adjusted > 1.0 - options.confidence or result.effect.value == 0.0:
        return replace(result, verdict=Verdict.NO_DIFFERENCE_SHOWN)
    return replace(result, verdict=Verdict.WORSE if _is_worse(result) else Verdict.BETTER)


def _is_worse(metric: MetricComparison) -> bool:
    return metric.effect.value > 0.0 if metric.lower_is_better else metric.effect.value < 0.0


def gate(comparison: Comparison, level: float) -> list[str]:
    """Why a gate at this level stays shut, one line per metric; empty if it opens.

    B must not be worse with an adjusted p of at most ``level``, and coverage must allow a claim: a candidate does not
    pass by crashing.
    """
    lines = []
    for metric in comparison.metrics:
        if metric.coverage < MIN_COVERAGE:
            lines.append(f"{metric.name}: coverage {100 * metric.coverage:.1f}% is below {100 * MIN_COVERAGE:.0f}%")
        elif _is_worse(metric) and metric.p_adjusted <= level:
            lines.append(f"{metric.name}: B is worse (p = {metric.p_adjusted:.3g} <= {level:g})")
    return lines


def _arm(planned: list[_Trial], used: list[_Trial], binary: bool, options: CompareOptions) -> Arm:
    values = [_number(trial) for trial in used]
    interval: Interval | None
    if binary:
        interval = Rate(int(sum(values)), len(values), len(planned), options.confidence).interval
    else:
        interval = cluster_bootstrap_mean(values, _labels(used), confidence=options.confidence, seed=options.seed)
    return Arm(math.fsum(values) / len(values), len(values), len(planned), interval, _reasons(planned))


def _reasons(trials: Iterable[_Trial]) -> dict[str, int]:
    return dict(sorted(Counter(trial.reason for trial in trials if trial.value is None).items()))


def _repeats(trials: Sequence[_Trial]) -> bool:
    return len({trial.episode for trial in trials}) < len(trials)


def _unit_means(units: Sequence[Hashable], values: Iterable[float]) -> dict[Hashable, float]:
    members: dict[Hashable, list[float]] = {}
    for unit, value in zip(units, values, strict=True):
        members.setdefault(unit, []).append(value)
    return {unit: math.fsum(part) / len(part) for unit, part in members.items()}


def _number(trial: _Trial) -> float:
    if trial.value is None:
        raise ConfigError(f"rollout {trial.key} has no value")
    return trial.value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value
