"""Two systems on different episodes, or on episodes that cannot be paired. Differences are always B - A."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import boschloo_exact, ttest_ind
from statsmodels.stats.proportion import confint_proportions_2indep, test_proportions_2indep

from bodyloop.stats.effects import Effect
from bodyloop.stats.intervals import Interval

__all__ = ["newcombe", "unpaired_binary", "unpaired_means"]

_EXACT_LIMIT = 250_000
"""Tables of larger ``n_a * n_b`` take Boschloo's test many seconds and the score test is as good there."""


def newcombe(successes_a: int, n_a: int, successes_b: int, n_b: int, confidence: float = 0.95) -> Interval:
    """Newcombe's interval of the difference of two independent rates (1998, method 10).

    Raises ValueError if a side is empty or a count impossible.
    """
    _check(successes_a, n_a)
    _check(successes_b, n_b)
    low, high = confint_proportions_2indep(
        successes_b, n_b, successes_a, n_a, method="newcomb", compare="diff", alpha=1.0 - confidence
    )
    return Interval(max(-1.0, float(low)), min(1.0, float(high)))


def unpaired_binary(successes_a: int, n_a: int, successes_b: int, n_b: int, confidence: float = 0.95) -> Effect:
    """Difference of two independent rates with Boschloo's exact test; with the score test for very large tables.

    Raises ValueError if a side is empty or a count impossible.
    """
    interval = newcombe(successes_a, n_a, successes_b, n_b, confidence)
    exact = n_a * n_b <= _EXACT_LIMIT
    return Effect(
        value=successes_b / n_b - successes_a / n_a,
        interval=interval,
        p_value=_boschloo(successes_a, n_a, successes_b, n_b) if exact else _score(successes_a, n_a, successes_b, n_b),
        n=n_a + n_b,
        test="Boschloo" if exact else "score",
        interval_method="Newcombe",
    )


def unpaired_means(first: Sequence[float], second: Sequence[float], confidence: float = 0.95) -> Effect:
    """Difference of two means of independent units (one value per unit) by Welch's method.

    Raises ValueError if a side has no value.
    """
    if not first or not second:
        raise ValueError("each side needs a value")
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    value = float(b.mean() - a.mean())
    if min(len(a), len(b)) < 2 or a.std() == b.std() == 0.0:  # no scale to judge a difference by
        interval, p_value = None, 1.0
    else:
        result = ttest_ind(b, a, equal_var=False)
        bounds = result.confidence_interval(confidence)
        interval, p_value = Interval(float(bounds.low), float(bounds.high)), float(result.pvalue)
    return Effect(value, interval, p_value, len(a) + len(b), "Welch", "Welch")


def _boschloo(successes_a: int, n_a: int, successes_b: int, n_b: int) -> float:
    if successes_a + successes_b in (0, n_a + n_b):
        return 1.0
    p_value = boschloo_exact([[successes_b, successes_a], [n_b - successes_b, n_a - successes_a]]).pvalue
    return min(1.0, float(p_value))


def _score(successes_a: int, n_a: int, successes_b: int, n_b: int) -> float:
    if successes_a + successes_b in (0, n_a + n_b):
        return 1.0
    result = test_proportions_2indep(
        successes_b, n_b, successes_a, n_a, method="score", compare="diff", correction=False
    )
    p_value = float(result.pvalue)
    return p_value if math.isfinite(p_value) else 1.0


def _check(successes: int, n: int) -> None:
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"{successes} successes of {n} trials")
