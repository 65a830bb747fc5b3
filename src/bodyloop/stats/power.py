"""How large a difference can be found, and how many episodes that takes.

Defaults are the usual ones: a two-sided test at level 0.05 that finds the difference in 80 % of the studies.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import bisect
from scipy.stats import binom
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.proportion import power_proportions_2indep, samplesize_proportions_2indep_onetail

__all__ = [
    "detectable_mean",
    "detectable_means",
    "detectable_paired",
    "detectable_unpaired",
    "pairs_needed",
    "power_paired",
    "trials_needed",
]

_MAX_PAIRS = 10_000_000
_TOLERANCE = 1e-4
_NEVER = 1e-12
"""Discordance that no feasible number of pairs would ever show."""


def power_paired(n: int, difference: float, discordance: float, alpha: float = 0.05) -> float:
    """Chance that the exact McNemar test on ``n`` pairs finds a difference, computed exactly.

    Args:
        n: Pairs.
        difference: True difference of the two rates; its sign does not matter.
        discordance: True share of pairs in which only one system succeeds, at least ``difference``.
        alpha: Two-sided level.

    Raises:
        ValueError: The difference exceeds the discordance, or a number is out of range.
    """
    gap = abs(difference)
    if n < 0 or not gap <= discordance <= 1.0 or not 0.0 < alpha < 1.0:
        raise ValueError(f"impossible: {n} pairs, difference {difference}, discordance {discordance}, level {alpha}")
    if discordance < _NEVER:
        return 0.0
    lowest, highest = (int(binom.ppf(tail, n, discordance)) for tail in (1e-12, 1.0 - 1e-12))
    discordant = np.arange(max(0, lowest), highest + 1)
    # The largest count in the smaller cell that is still significant; -1 if none is.
    largest = np.asarray(binom.ppf(alpha / 2.0, discordant, 0.5))
    critical = largest - (np.asarray(binom.cdf(largest, discordant, 0.5)) > alpha / 2.0)
    share = (discordance + gap) / (2.0 * discordance)
    found = np.asarray(binom.cdf(critical, discordant, 1.0 - share) + binom.cdf(critical, discordant, share))
    return min(1.0, float(np.asarray(binom.pmf(discordant, n, discordance)) @ found))


def detectable_paired(n: int, discordance: float, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Smallest difference of paired rates found with the given power; ``None`` if not even a difference of 1 is.

    A difference larger than ``discordance`` (say from a pilot) is taken to raise the discordance to itself.
    """
    return _smallest(lambda gap: power_paired(n, gap, max(gap, discordance), alpha), power)


def pairs_needed(difference: float, discordance: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Pairs for the exact McNemar test to find a difference. Raises ValueError if it is 0 or exceeds the discordance."""
    if difference == 0.0:
        raise ValueError("no number of pairs finds a difference of 0")
    high = 1
    while power_paired(high, difference, discordance, alpha) < power:
        high *= 2
        if high > _MAX_PAIRS:
            raise ValueError(f"a difference of {difference} needs more than {_MAX_PAIRS} pairs")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if power_paired(middle, difference, discordance, alpha) < power:
            low = middle
        else:
            high = middle
    return high


def detectable_unpaired(rate: float, n_a: int, n_b: int, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Smallest difference from ``rate`` (in the direction with more room) that two independent samples can show.

    Normal approximation; ``None`` if no difference within [0, 1] can be shown.
    """
    if min(n_a, n_b) < 2 or not 0.0 <= rate <= 1.0:
        return None
    base = max(rate, 1.0 - rate)  # by symmetry: go down from the larger of the two

    def reached(gap: float) -> float:
        value = power_proportions_2indep(-gap, base, nobs1=n_b, ratio=n_a / n_b, alpha=alpha, return_results=False)
        return float(value) if math.isfinite(value) else 0.0

    return _smallest(reached, power, limit=base)


def trials_needed(rate_a: float, rate_b: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Trials per side for two independent samples to show the difference of two rates (normal approximation).

    Raises ValueError if the rates are equal or not between 0 and 1.
    """
    if rate_a == rate_b or not (0.0 <= rate_a <= 1.0 and 0.0 <= rate_b <= 1.0):
        raise ValueError(f"rates must differ and lie between 0 and 1, got {rate_a} and {rate_b}")
    gap = abs(rate_b - rate_a)
    return math.ceil(float(samplesize_proportions_2indep_onetail(gap, min(rate_a, rate_b), power, alpha=alpha)))


def detectable_mean(n: int, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Smallest mean difference that ``n`` paired units with this standard deviation can show (t test).

    ``None`` with fewer than two units, or without any spread to tell it from.
    """
    if n < 2 or deviation <= 0.0:
        return None
    return deviation * float(TTestPower().solve_power(nobs=n, alpha=alpha, power=power))


def detectable_means(n_a: int, n_b: int, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Smallest difference of the means of two independent samples with this standard deviation (t test).

    ``None`` with fewer than two values on a side, or without any spread.
    """
    if min(n_a, n_b) < 2 or deviation <= 0.0:
        return None
    effect = TTestIndPower().solve_power(nobs1=n_a, ratio=n_b / n_a, alpha=alpha, power=power)
    return deviation * float(effect)


def _smallest(reached: Callable[[float], float], power: float, limit: float = 1.0) -> float | None:
    """Where an increasing function of the difference first gets to ``power``."""
    if reached(limit) < power:
        return None
    if reached(_TOLERANCE) >= power:
        return _TOLERANCE
    return float(bisect(lambda gap: reached(gap) - power, _TOLERANCE, limit, xtol=_TOLERANCE / 10.0))
