"""Intervals for rates and means. Pure functions; random ones take a seed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv, ndtri

__all__ = ["MIN_CLUSTERS", "Interval", "Rate", "clopper_pearson", "cluster_bootstrap_mean", "jeffreys", "wilson"]

MIN_CLUSTERS = 20
"""Below this number of clusters the cluster bootstrap covers markedly less than it states."""


class Interval(NamedTuple):
    """A two-sided interval, bounds included."""

    low: float
    high: float


def clopper_pearson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Exact interval of a rate: covers with at least the stated confidence at every true rate.

    Raises ValueError unless 0 <= successes <= n and 0 < confidence < 1. Without trials it is (0, 1).
    """
    _check(successes, n, confidence)
    tail = (1.0 - confidence) / 2.0
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1.0 - tail)) if successes < n else 1.0
    return Interval(low, high)


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval: shorter than the exact one, but it undercovers near 0 and 1.

    Raises ValueError as :func:`clopper_pearson` does.
    """
    _check(successes, n, confidence)
    if n == 0:
        return Interval(0.0, 1.0)
    z = float(ndtri((1.0 + confidence) / 2.0))
    rate, weight = successes / n, z * z / n
    centre = (rate + weight / 2.0) / (1.0 + weight)
    half = z * float(np.sqrt(rate * (1.0 - rate) / n + weight / (4.0 * n))) / (1.0 + weight)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high)


def jeffreys(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Equal-tailed Bayesian interval under Jeffreys' prior, with the bound 0 at no success and 1 at no failure.

    Its coverage is right on average over rates and not at each one. Raises ValueError as :func:`clopper_pearson`.
    """
    _check(successes, n, confidence)
    tail = (1.0 - confidence) / 2.0
    shape = (successes + 0.5, n - successes + 0.5)
    low = float(betaincinv(*shape, tail)) if successes > 0 else 0.0
    high = float(betaincinv(*shape, 1.0 - tail)) if successes < n else 1.0
    return Interval(low, high)


def cluster_bootstrap_mean(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    confidence: float = 0.95,
    resamples: int = 4000,
    seed: int = 0,
) -> Interval | None:
    """Percentile interval of the pooled mean when values of one cluster (scene, task) belong together.

    Whole clusters are drawn with replacement. With fewer than :data:`MIN_CLUSTERS` clusters the interval is too short.

    Args:
        values: Finite numbers.
        clusters: The cluster of each value.
        confidence: Between 0 and 1.
        resamples: Number of bootstrap draws.
        seed: Equal seeds give equal intervals.

    Returns:
        The interval, or ``None`` with fewer than two clusters, where spread between clusters is unknown.
    """
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values but {len(clusters)} cluster labels")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    data = np.asarray(values, dtype=np.float64)
    if not np.isfinite(data).all():
        raise ValueError("values must be finite")
    codes: dict[Hashable, int] = {}
    index = np.array([codes.setdefault(label, len(codes)) for label in clusters], dtype=np.intp)
    if len(codes) < 2:
        return None
    sums = np.bincount(index, weights=data)
    sizes = np.bincount(index).astype(np.float64)
    generator = np.random.Generator(np.random.PCG64(seed))
    draws = generator.multinomial(len(codes), np.full(len(codes), 1.0 / len(codes)), size=resamples)
    means = (draws @ sums) / (draws @ sizes)
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


@dataclass(frozen=True)
class Rate:
    """A success rate that cannot be separated from its n, its coverage and its interval."""

    successes: int
    n: int
    """Scored trials."""
    attempted: int
    """Scored and unscored trials."""
    confidence: float = 0.95

    def __post_init__(self) -> None:
        _check(self.successes, self.n, self.confidence)
        if self.n > self.attempted:
            raise ValueError(f"{self.n} scored of {self.attempted} attempted trials")

    @property
    def value(self) -> float | None:
        """The rate, or ``None`` without a scored trial."""
        return self.successes / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        """Clopper-Pearson interval."""
        return clopper_pearson(self.successes, self.n, self.confidence)

    @property
    def coverage(self) -> float | None:
        """Scored share of the attempted trials, or ``None`` when nothing was attempted."""
        return self.n / self.attempted if self.attempted else None

    @property
    def bounds(self) -> Interval:
        """The rate if every unscored trial had failed, and if every one had succeeded."""
        if not self.attempted:
            return Interval(0.0, 1.0)
        missing = self.attempted - self.n
        return Interval(self.successes / self.attempted, (self.successes + missing) / self.attempted)


def _check(successes: int, n: int, confidence: float) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} trials")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
