from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from bodyloop.stats.unpaired import newcombe, unpaired_binary, unpaired_means

ARM = st.integers(1, 25).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_newcombes_published_example():
    """56 of 70 against 48 of 80 (Newcombe 1998, Statistics in Medicine 17, 873-890, method 10)."""
    assert newcombe(48, 80, 56, 70) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_boschloos_published_example():
    """74 of 105 against 43 of 75; the one-sided p-value of the SciPy manual is 0.0356."""
    effect = unpaired_binary(43, 74, 74, 105)
    assert effect.test == "Boschloo"
    assert effect.value == pytest.approx(74 / 105 - 43 / 74)
    assert unpaired_binary(31, 63, 74, 117).p_value == pytest.approx(2 * 0.0355641, abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(a=ARM, b=ARM)
def test_boschloo_is_never_above_fisher_and_symmetric(a, b):
    effect = unpaired_binary(*a, *b)
    one_sided = [fisher_exact([[a[0], b[0]], [a[1] - a[0], b[1] - b[0]]], side).pvalue for side in ("less", "greater")]
    assert 0.0 <= effect.p_value <= min(1.0, 2 * min(one_sided)) + 1e-9
    swapped = unpaired_binary(*b, *a)
    assert swapped.p_value == pytest.approx(effect.p_value, abs=1e-6)
    assert swapped.interval == pytest.approx((-effect.interval.high, -effect.interval.low))
    assert effect.interval.low - 1e-12 <= effect.value <= effect.interval.high + 1e-12


@pytest.mark.parametrize("successes", [0, 10])
def test_no_variation_is_no_evidence(successes):
    assert unpaired_binary(successes, 10, successes, 10).p_value == 1.0


def test_very_large_tables_use_the_score_test():
    effect = unpaired_binary(500, 1218, 560, 1218)
    assert effect.test == "score"
    assert effect.p_value == pytest.approx(0.0142, abs=1e-3)
    assert unpaired_binary(0, 600, 0, 600).p_value == 1.0


def test_impossible_counts_are_refused():
    with pytest.raises(ValueError, match="successes of"):
        unpaired_binary(0, 0, 1, 2)
    with pytest.raises(ValueError, match="successes of"):
        newcombe(3, 2, 1, 2)
    with pytest.raises(ValueError, match="each side"):
        unpaired_means([], [1.0])


def test_welch_of_two_means():
    """Student's sleep data, extra sleep under two drugs: t = -1.8608, df = 17.776, p = 0.07939 (R, t.test)."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    effect = unpaired_means(first, second)
    assert effect.p_value == pytest.approx(0.07939, abs=5e-6)
    assert effect.interval == pytest.approx((-0.2054832, 3.3654832), abs=1e-6)


def test_means_without_spread_have_no_interval():
    for sides in (([1.0], [2.0, 3.0]), ([1.0, 1.0], [1.0, 1.0])):
        effect = unpaired_means(*sides)
        assert (effect.interval, effect.p_value) == (None, 1.0)
    assert np.isclose(unpaired_means([1.0], [2.0, 3.0]).value, 1.5)
