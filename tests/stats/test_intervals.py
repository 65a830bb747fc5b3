from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, binomtest

from bodyloop.stats.intervals import Rate, clopper_pearson, cluster_bootstrap_mean, jeffreys, wilson

COUNTS = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CONFIDENCE = st.sampled_from([0.5, 0.9, 0.95, 0.99])
METHODS = {"exact": clopper_pearson, "wilson": wilson}


@pytest.mark.parametrize("method", METHODS)
@given(counts=COUNTS.filter(lambda counts: counts[1] > 0), confidence=CONFIDENCE)
def test_agrees_with_scipy(method, counts, confidence):
    ours = METHODS[method](*counts, confidence)
    theirs = binomtest(*counts).proportion_ci(confidence, method=method)
    np.testing.assert_allclose(ours, (theirs.low, theirs.high), atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
@given(counts=COUNTS, confidence=CONFIDENCE)
def test_holds_the_rate_and_mirrors(method, counts, confidence):
    successes, n = counts
    low, high = METHODS[method](successes, n, confidence)
    assert 0.0 <= low <= (successes / n if n else 0.5) <= high <= 1.0
    np.testing.assert_allclose(METHODS[method](n - successes, n, confidence), (1 - high, 1 - low), atol=1e-9)


@pytest.mark.parametrize(
    ("counts", "exact", "score"),
    [
        ((81, 263), (0.2527, 0.3676), (0.2553, 0.3662)),
        ((15, 148), (0.0578, 0.1617), (0.0624, 0.1605)),
        ((0, 20), (0.0, 0.1684), (0.0, 0.1611)),
        ((1, 29), (0.0009, 0.1776), (0.0061, 0.1718)),
    ],
)
def test_published_examples(counts, exact, score):
    """Newcombe 1998, Statistics in Medicine 17, 857-872, table I: methods 5 and 3."""
    assert clopper_pearson(*counts) == pytest.approx(exact, abs=5.1e-5)
    assert wilson(*counts) == pytest.approx(score, abs=5.1e-5)


@given(counts=COUNTS.filter(lambda counts: counts[1] > 0), confidence=CONFIDENCE)
def test_jeffreys_is_a_beta_quantile_inside_the_exact_interval(counts, confidence):
    successes, n = counts
    low, high = jeffreys(successes, n, confidence)
    posterior = beta(successes + 0.5, n - successes + 0.5)
    tail = (1.0 - confidence) / 2.0
    assert low == pytest.approx(posterior.ppf(tail) if successes else 0.0)
    assert high == pytest.approx(posterior.isf(tail) if successes < n else 1.0)
    outer = clopper_pearson(successes, n, confidence)
    assert outer.low <= low + 1e-12
    assert high <= outer.high + 1e-12


def test_no_trial_says_nothing():
    assert clopper_pearson(0, 0) == wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("n", [1, 5, 20, 50, 100])
def test_exact_interval_never_undercovers(n):
    """Coverage is computed, not sampled: the chance that the interval holds the true rate, on a grid of rates."""
    bounds = np.array([clopper_pearson(k, n) for k in range(n + 1)])
    rates = np.linspace(0.005, 0.995, 199)
    holds = (bounds[:, :1] <= rates) & (rates <= bounds[:, 1:])
    coverage = (binom.pmf(np.arange(n + 1)[:, None], n, rates) * holds).sum(axis=0)
    assert coverage.min() >= 0.95


def test_wilson_undercovers_near_the_ceiling_which_is_why_it_is_not_the_default():
    bounds = np.array([wilson(k, 50) for k in range(51)])
    rates = np.linspace(0.85, 0.99, 100)
    holds = (bounds[:, :1] <= rates) & (rates <= bounds[:, 1:])
    coverage = (binom.pmf(np.arange(51)[:, None], 50, rates) * holds).sum(axis=0)
    assert coverage.min() < 0.93


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(successes, n):
    for function in (clopper_pearson, wilson, jeffreys):
        with pytest.raises(ValueError, match="successes of"):
            function(successes, n)
    with pytest.raises(ValueError):
        Rate(successes, n, attempted=10)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95])
def test_impossible_confidence_is_refused(confidence):
    with pytest.raises(ValueError, match="confidence"):
        clopper_pearson(1, 2, confidence)
    with pytest.raises(ValueError, match="confidence"):
        cluster_bootstrap_mean([1.0, 2.0], ["a", "b"], confidence=confidence)


def test_a_rate_carries_n_coverage_and_bounds():
    rate = Rate(3, 4, attempted=8)
    assert (rate.value, rate.coverage) == (0.75, 0.5)
    assert rate.interval == clopper_pearson(3, 4)
    assert tuple(rate.bounds) == (3 / 8, 7 / 8)


def test_a_rate_of_nothing_has_no_value():
    assert Rate(0, 0, attempted=3).value is None
    assert Rate(0, 0, attempted=3).coverage == 0.0
    assert Rate(0, 0, attempted=0).coverage is None
    with pytest.raises(ValueError, match="5 scored of 4"):
        Rate(1, 5, attempted=4)


def test_bootstrap_is_seeded_and_ignores_label_names():
    values = np.random.default_rng(0).normal(size=60)
    numbers = list(np.repeat(range(12), 5))
    names = [f"scene {number}" for number in numbers]
    assert cluster_bootstrap_mean(values, numbers) == cluster_bootstrap_mean(values, names)
    assert cluster_bootstrap_mean(values, numbers, seed=1) != cluster_bootstrap_mean(values, numbers)


def test_bootstrap_needs_two_clusters_and_finite_values():
    assert cluster_bootstrap_mean([1.0, 2.0], ["a", "a"]) is None
    assert cluster_bootstrap_mean([], []) is None
    assert cluster_bootstrap_mean([2.0, 2.0], ["a", "b"]) == (2.0, 2.0)
    with pytest.raises(ValueError, match="finite"):
        cluster_bootstrap_mean([1.0, float("nan")], ["a", "b"])
    with pytest.raises(ValueError, match="2 values but 1"):
        cluster_bootstrap_mean([1.0, 2.0], ["a"])


def test_bootstrap_covers_the_mean_of_clustered_values_where_plain_resampling_does_not():
    """40 scenes of 5 values; scenes differ as much as values within one."""
    rng = np.random.default_rng(1)
    scenes = list(np.repeat(range(40), 5))
    held = {"clustered": 0, "plain": 0}
    trials = 300
    for trial in range(trials):
        values = np.repeat(rng.normal(size=40), 5) + 0.5 * rng.normal(size=200)
        for name, labels in (("clustered", scenes), ("plain", list(range(200)))):
            low, high = cluster_bootstrap_mean(values, labels, resamples=400, seed=trial)
            held[name] += low <= 0.0 <= high
    assert held["clustered"] / trials >= 0.91
    assert held["plain"] / trials < 0.75
