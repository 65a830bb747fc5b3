"""Two systems on the same episodes. Differences are always B - A."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar

from bodyloop.stats.effects import Effect
from bodyloop.stats.intervals import Interval, cluster_bootstrap_mean, wilson

__all__ = ["PairedCounts", "newcombe_paired", "paired_binary", "paired_means", "sign_flip_test"]


class PairedCounts(NamedTuple):
    """How often which of two systems succeeded on the same episodes."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Self:
        """Count pairs ``(A succeeded, B succeeded)``."""
        rows = list(pairs)
        a_only = sum(a and not b for a, b in rows)
        b_only = sum(b and not a for a, b in rows)
        both = sum(a and b for a, b in rows)
        return cls(both, a_only, b_only, len(rows) - both - a_only - b_only)

    @property
    def n(self) -> int:
        """Number of pairs."""
        return sum(self)

    @property
    def discordance(self) -> float:
        """Share of pairs in which one system succeeded and the other did not."""
        return (self.only_a + self.only_b) / self.n


def newcombe_paired(counts: PairedCounts, confidence: float = 0.95) -> Interval:
    """Newcombe's square-and-add interval of the difference of two paired rates (1998, method 10).

    Raises ValueError without pairs, or if ``confidence`` is not between 0 and 1.
    """
    n = _pairs(counts)
    rate_a, rate_b = (counts.both + counts.only_a) / n, (counts.both + counts.only_b) / n
    a = wilson(counts.both + counts.only_a, n, confidence)
    b = wilson(counts.both + counts.only_b, n, confidence)
    phi = _correlation(counts)

    def reach(x: float, y: float) -> float:
        return math.sqrt(max(0.0, x * x - 2.0 * phi * x * y + y * y))

    difference = rate_b - rate_a
    low = difference - reach(rate_b - b.low, a.high - rate_a)
    high = difference + reach(rate_a - a.low, b.high - rate_b)
    return Interval(max(-1.0, low), min(1.0, high))


def paired_binary(counts: PairedCounts, confidence: float = 0.95) -> Effect:
    """Difference of two paired rates with the exact McNemar test. Raises ValueError without pairs."""
    n = _pairs(counts)
    table = [[counts.both, counts.only_a], [counts.only_b, counts.neither]]
    return Effect(
        value=(counts.only_b - counts.only_a) / n,
        interval=newcombe_paired(counts, confidence),
        p_value=float(mcnemar(table, exact=True).pvalue),
        n=n,
        test="exact McNemar",
        interval_method="Newcombe (paired)",
    )


def paired_means(
    differences: Sequence[float], units: Sequence[Hashable], *, confidence: float = 0.95, seed: int = 0
) -> Effect:
    """Mean of paired differences when those of one unit (an episode, a scene) belong together.

    Args:
        differences: B - A of each pair, finite.
        units: The unit of each pair; signs are flipped and units are resampled as a whole.
        confidence: Between 0 and 1.
        seed: Of the bootstrap and of the permutations, if these are too many to enumerate.

    Raises:
        ValueError: There are no pairs, the lengths differ, or a number is not finite.
    """
    if not differences:
        raise ValueError("no pairs")
    interval = cluster_bootstrap_mean(differences, units, confidence=confidence, seed=seed)
    sums: dict[Hashable, float] = {}
    for unit, difference in zip(units, differences, strict=True):
        sums[unit] = sums.get(unit, 0.0) + difference
    return Effect(
        value=math.fsum(differences) / len(differences),
        interval=interval,
        p_value=sign_flip_test(list(sums.values()), seed=seed),
        n=len(sums),
        test="paired permutation",
        interval_method="cluster bootstrap",
    )


def sign_flip_test(differences: Sequence[float], *, resamples: int = 9999, seed: int = 0) -> float:
    """Two-sided p-value of no difference: under it the sign of each unit's difference is a coin toss.

    All sign patterns are enumerated where there are no more than ``resamples``, else that many are drawn.
    """
    data = np.asarray(differences, dtype=np.float64)
    if len(data) < 2:
        return 1.0  # SciPy asks for two, and one sign decides nothing
    result = permutation_test(
        (data,),
        _sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        batch=500,
        random_state=np.random.Generator(np.random.PCG64(seed)),
    )
    return float(result.pvalue)


def _sum(values: npt.NDArray[np.float64], axis: int = -1) -> npt.NDArray[np.float64]:
    return np.asarray(values.sum(axis=axis))


def _correlation(counts: PairedCounts) -> float:
    """Correlation of the two outcomes, Newcombe's continuity correction included."""
    both, only_a, only_b, neither = counts
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if margins == 0:
        return 0.0
    excess = float(both * neither - only_a * only_b)
    if excess > 0:
        excess = max(0.0, excess - counts.n / 2.0)
    return excess / math.sqrt(margins)


def _pairs(counts: PairedCounts) -> int:
    if counts.n == 0 or min(counts) < 0:
        raise ValueError(f"no pairs, or negative counts: {tuple(counts)}")
    return counts.n
