"""Streaming reductions of one trial per environment; constant memory, no host read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bodyloop.evaluation.arrays import Array
from bodyloop.evaluation.rules import Reduction, ThresholdFailure

__all__ = ["FrameRules", "Track", "Verdict", "judge_window"]


class Track:
    """Sum, extremes, last value and non-finite count of one component, each (N,) float64."""

    def __init__(self, xp: Any, num_envs: int, device: Any, reductions: frozenset[Reduction]) -> None:
        self._xp = xp
        self._reductions = reductions

        def full(value: float) -> Array:
            return xp.full((num_envs,), value, dtype=xp.float64, device=device)

        self.nonfinite = xp.zeros((num_envs,), dtype=xp.int64, device=device)
        self.sum, self.last = full(0.0), full(0.0)
        self.min, self.max = full(math.inf), full(-math.inf)

    def update(self, value: Array, active: Array, finite: Array) -> None:
        """Add one frame (N,) float64 of the active rows; sums and extremes are of finite values alone."""
        xp, wanted = self._xp, self._reductions
        counted = active & finite
        self.nonfinite = self.nonfinite + xp.astype(active & ~finite, xp.int64)
        if Reduction.SUM in wanted or Reduction.MEAN in wanted:
            self.sum = xp.where(counted, self.sum + value, self.sum)
        if Reduction.MIN in wanted:
            self.min = xp.where(counted & (value < self.min), value, self.min)
        if Reduction.MAX in wanted:
            self.max = xp.where(counted & (value > self.max), value, self.max)
        if Reduction.LAST in wanted:
            self.last = xp.where(active, value, self.last)

    def reduced(self, reduction: Reduction, frames: Array) -> Array:
        """Reduced value (N,); NaN for rows with a non-finite frame or without any."""
        xp = self._xp
        values: Mapping[Reduction, Array] = {
            Reduction.SUM: self.sum,
            Reduction.MIN: self.min,
            Reduction.MAX: self.max,
            Reduction.LAST: self.last,
        }
        value = self.mean(frames) if reduction is Reduction.MEAN else values[reduction]
        return xp.where((self.nonfinite == 0) & (frames > 0), value, xp.full_like(value, math.nan))

    def mean(self, frames: Array) -> Array:
        """Mean over finite frames (N,); NaN for rows without one."""
        xp = self._xp
        count = xp.astype(frames - self.nonfinite, xp.float64)
        return xp.where(count > 0, self.sum / xp.where(count > 0, count, xp.ones_like(count)), count * 0 + math.nan)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What one rule says of each environment; arrays (N,)."""

    failed: Array
    frame: Array
    """Failing frame from 1; -1 none."""
    value: Array


class FrameRules:
    """The ``any`` rules of one component, judged together at every frame; arrays (R, N)."""

    def __init__(self, rules: Mapping[str, ThresholdFailure], xp: Any, num_envs: int, device: Any) -> None:
        shape = (len(rules), num_envs)
        self._xp, self._names = xp, tuple(rules)
        self._above = xp.asarray([[rule.fail_above] for rule in rules.values()], device=device)
        self.failed = xp.zeros(shape, dtype=xp.bool, device=device)
        self._frame = xp.full(shape, -1, dtype=xp.int64, device=device)
        self._value = xp.full(shape, math.nan, dtype=xp.float64, device=device)

    def judge(self, value: Array, finite: Array, active: Array, frames: Array, thresholds: Array) -> None:
        """Judge one frame (N,) against thresholds (R, 1)."""
        xp = self._xp
        bad = xp.where(self._above, value > thresholds, value < thresholds) | ~finite
        rows = active & bad & ~self.failed
        self.failed = self.failed | rows
        self._frame = xp.where(rows, frames, self._frame)
        self._value = xp.where(rows, value, self._value)

    def verdicts(self) -> dict[str, Verdict]:
        """By rule."""
        return {
            name: Verdict(self.failed[i, :], self._frame[i, :], self._value[i, :]) for i, name in enumerate(self._names)
        }


def judge_window(rule: ThresholdFailure, track: Track, frames: Array, threshold: Array, xp: Any) -> Verdict:
    """Apply a rule that waits for the end to the frames (N,) of closed windows."""
    value = track.reduced(Reduction(rule.reduction), frames)
    beyond = value > threshold if rule.fail_above else value < threshold
    failed = (beyond | (track.nonfinite > 0)) & (frames > 0)
    return Verdict(failed, xp.where(failed, frames, xp.full_like(frames, -1)), value)
