"""How long success takes when some trials end before it could be seen."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import CensoredData, ecdf

__all__ = ["End", "SuccessCurve", "time_to_success"]


class End(StrEnum):
    """How a trial ended."""

    SUCCESS = "success"
    CENSORED = "censored"
    """It ran into its limit: success might have come later."""
    FAILED = "failed"
    """It ended for good (a fall, a wrong claim): success can no longer come."""


@dataclass(frozen=True)
class SuccessCurve:
    """Share of trials that have succeeded by each time (Kaplan-Meier; shape (k,), only times with a success)."""

    times: npt.NDArray[np.float64]
    success: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    n: int
    confidence: float

    def at(self, time: float) -> float:
        """Share of trials that succeed within ``time``."""
        index = int(np.searchsorted(self.times, time, side="right"))
        return float(self.success[index - 1]) if index else 0.0

    def quantile(self, share: float) -> float | None:
        """Earliest time by which this share has succeeded; ``None`` if that was not seen."""
        reached = np.flatnonzero(self.success >= share - 1e-12)
        return float(self.times[reached[0]]) if len(reached) else None


def time_to_success(times: Sequence[float], ends: Sequence[End], confidence: float = 0.95) -> SuccessCurve:
    """The curve with pointwise log-log intervals.

    Trials that failed for good stay in the denominator for ever: they do not succeed at any time, whereas a trial
    that ran into its limit says nothing about the time after.

    Args:
        times: When each trial ended (steps or seconds), finite and not negative.
        ends: How it ended.
        confidence: Of each point of the curve.

    Raises:
        ValueError: Nothing is given, the lengths differ, or a time is negative or not finite.
    """
    at = np.asarray(times, dtype=np.float64)
    if len(at) == 0 or len(at) != len(ends):
        raise ValueError(f"{len(at)} times but {len(ends)} ends")
    if not np.isfinite(at).all() or (at < 0.0).any() or not 0.0 < confidence < 1.0:
        raise ValueError("times must be finite and not negative, and confidence between 0 and 1")
    kinds = np.array([str(end) for end in ends])
    succeeded = kinds == End.SUCCESS
    beyond = at.max() + 1.0
    right = np.where(kinds == End.FAILED, beyond, at)[~succeeded]
    curve = ecdf(CensoredData(uncensored=at[succeeded], right=right)).cdf
    keep = np.isin(curve.quantiles, at[succeeded])
    low, high = _band(curve, keep, confidence)
    return SuccessCurve(curve.quantiles[keep], curve.probabilities[keep], low, high, len(at), confidence)


def _band(
    curve: Any, keep: npt.NDArray[np.bool_], confidence: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # undefined where all have succeeded, see below
        band = curve.confidence_interval(confidence, method="log-log")
    low, high = band.low.probabilities[keep], band.high.probabilities[keep]
    # Where all have succeeded, the share is at least what it was before.
    low = np.maximum.accumulate(np.where(np.isfinite(low), low, 0.0))
    return low, np.where(np.isfinite(high), high, 1.0)
