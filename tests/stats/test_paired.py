from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from bodyloop.stats.paired import PairedCounts, newcombe_paired, paired_binary, paired_means, sign_flip_test

COUNTS = st.tuples(*[st.integers(0, 60)] * 4).filter(any).map(lambda cells: PairedCounts(*cells))

# Bentur et al. 2009 and Cavo et al. 2012, the worked examples of Fagerland, Lydersen and Laake (2013, 2014).
AIRWAYS = PairedCounts(both=1, only_a=1, only_b=7, neither=12)
RESPONSE = PairedCounts(both=59, only_a=6, only_b=16, neither=80)


@pytest.mark.parametrize(
    ("counts", "p_value", "value", "interval"),
    [(AIRWAYS, 0.0703, 0.2857, (0.026, 0.507)), (RESPONSE, 0.0525, 0.0621, (0.0046, 0.1186))],
)
def test_published_examples(counts, p_value, value, interval):
    effect = paired_binary(counts)
    assert effect.p_value == pytest.approx(p_value, abs=5e-5)
    assert effect.value == pytest.approx(value, abs=5e-5)
    digits = 5e-4 if counts is AIRWAYS else 5e-5
    assert effect.interval == pytest.approx(interval, abs=digits)


@given(counts=COUNTS)
def test_mcnemar_is_the_sign_test_of_the_discordant_pairs(counts):
    discordant = counts.only_a + counts.only_b
    expected = binomtest(counts.only_a, discordant).pvalue if discordant else 1.0
    assert paired_binary(counts).p_value == pytest.approx(expected)


@given(counts=COUNTS, confidence=st.sampled_from([0.8, 0.95, 0.99]))
def test_interval_holds_the_difference_and_mirrors(counts, confidence):
    low, high = newcombe_paired(counts, confidence)
    assert low >= -1.0
    assert low - 1e-12 <= paired_binary(counts).value <= high + 1e-12
    assert high <= 1.0
    swapped = PairedCounts(counts.both, counts.only_b, counts.only_a, counts.neither)
    assert newcombe_paired(swapped, confidence) == pytest.approx((-high, -low), abs=1e-9)
    failures = PairedCounts(counts.neither, counts.only_b, counts.only_a, counts.both)
    assert newcombe_paired(failures, confidence) == pytest.approx((-high, -low), abs=1e-9)


def test_identical_systems_differ_in_nothing():
    effect = paired_binary(PairedCounts(30, 0, 0, 20))
    assert (effect.value, effect.p_value) == (0.0, 1.0)
    assert effect.interval is not None
    assert effect.interval.low < 0.0 < effect.interval.high


def test_counting_pairs():
    pairs = [(True, True), (True, False), (False, True), (False, True), (False, False)]
    assert PairedCounts.of(pairs) == (1, 1, 2, 1)
    assert PairedCounts.of(pairs).discordance == 3 / 5


def test_no_pairs_are_refused():
    with pytest.raises(ValueError, match="no pairs"):
        paired_binary(PairedCounts(0, 0, 0, 0))
    with pytest.raises(ValueError, match="no pairs"):
        paired_means([], [])
    with pytest.raises(ValueError):
        paired_means([1.0], ["a", "b"])
    with pytest.raises(ValueError, match="finite"):
        paired_means([1.0, float("nan")], ["a", "b"])


def test_newcombe_covers_the_difference():
    rng = np.random.default_rng(0)
    held = []
    for n, cells in [(30, (0.6, 0.1, 0.2, 0.1)), (100, (0.8, 0.03, 0.07, 0.1)), (60, (0.2, 0.25, 0.25, 0.3))]:
        draws = [PairedCounts(*row) for row in rng.multinomial(n, cells, size=1000).tolist()]
        intervals = [newcombe_paired(counts) for counts in draws]
        held.append(np.mean([low <= cells[2] - cells[1] <= high for low, high in intervals]))
    assert min(held) >= 0.93


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9))
def test_sign_flips_are_enumerated(differences):
    patterns = np.array(np.meshgrid(*[[-1, 1]] * len(differences))).reshape(len(differences), -1)
    sums = np.array(differences) @ patterns
    observed = sum(differences)
    tails = [np.mean(sums >= observed), np.mean(sums <= observed)]
    assert sign_flip_test(differences) == pytest.approx(min(1.0, 2 * min(tails)))


def test_drawn_sign_flips_are_seeded_and_never_give_zero():
    differences = list(np.random.default_rng(0).normal(0.2, 1.0, size=60))
    assert sign_flip_test(differences, resamples=999) == sign_flip_test(differences, resamples=999)
    assert sign_flip_test([1.0] * 60, resamples=999) > 0.0
    assert sign_flip_test([0.0] * 60, resamples=99) == 1.0
    assert sign_flip_test([3.0]) == 1.0


def test_units_are_flipped_as_a_whole():
    effect = paired_means([1.0] * 40, [number // 10 for number in range(40)])
    assert (effect.n, effect.value) == (4, 1.0)
    assert effect.p_value == 2 / 16


def test_permutation_keeps_its_level_for_clustered_differences():
    rng = np.random.default_rng(2)
    values = np.repeat(rng.normal(size=(300, 10)), 4, axis=1) + 0.3 * rng.normal(size=(300, 40))
    sums = values.reshape(300, 10, 4).sum(axis=2)
    clustered = np.mean([sign_flip_test(list(row), resamples=1024) <= 0.05 for row in sums])
    plain = np.mean([sign_flip_test(list(row), resamples=200) <= 0.05 for row in values[:150]])
    assert clustered <= 0.08
    assert plain > 0.2
