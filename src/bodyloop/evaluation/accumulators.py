"""Streaming reductions of one trial per environment; constant memory, no host read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bodyloop.evaluation.arrays import Array
from bodyloop.evaluation.rules import Reduction, ThresholdFailure

__all__ = ["RuleState", "Track"]


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


class RuleState:
    """Verdict of one rule per environment: failed, frame from 1 (-1 none) and value, each (N,)."""

    def __init__(self, rule: ThresholdFailure, xp: Any, num_envs: int, device: Any) -> None:
        self.rule = rule
        self._xp = xp
        self.failed = xp.zeros((num_envs,), dtype=xp.bool, device=device)
        self.frame = xp.full((num_envs,), -1, dtype=xp.int64, device=device)
        self.value = xp.full((num_envs,), math.nan, dtype=xp.float64, device=device)

    def judge_frame(self, value: Array, finite: Array, active: Array, frames: Array, threshold: Array) -> None:
        """Apply an ``any`` rule to one frame."""
        self._fail(active & ~self.failed & (self._beyond(value, threshold) | ~finite), value, frames)

    def judge_window(self, track: Track, frames: Array, threshold: Array) -> None:
        """Apply the other reductions to the frames of the closed window."""
        self.value = track.reduced(Reduction(self.rule.reduction), frames)
        bad = self._beyond(self.value, threshold) | (track.nonfinite > 0)
        self._fail(bad & (frames > 0), self.value, frames)

    def _beyond(self, value: Array, threshold: Array) -> Array:
        return value > threshold if self.rule.fail_above else value < threshold

    def _fail(self, rows: Array, value: Array, frames: Array) -> None:
        xp = self._xp
        self.failed = self.failed | rows
        self.frame = xp.where(rows, frames, self.frame)
        self.value = xp.where(rows, value, self.value)
