from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bodyloop.stats.paired import PairedCounts, paired_binary
from bodyloop.stats.power import (
    detectable_mean,
    detectable_means,
    detectable_paired,
    detectable_unpaired,
    pairs_needed,
    power_paired,
    trials_needed,
)


def test_published_sample_sizes():
    """R's manual of power.prop.test: .50 against .75 at 90 % power takes 76.7 per group."""
    assert trials_needed(0.50, 0.75, power=0.9) == 77
    assert trials_needed(0.75, 0.50, power=0.9) == 77
    # The textbook paired t test: 34 pairs find half a standard deviation; 64 per group without pairs (Cohen 1988).
    assert detectable_mean(34, 1.0) == pytest.approx(0.5, abs=0.01)
    assert detectable_means(64, 64, 2.0) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(("n", "difference", "discordance"), [(20, 0.3, 0.5), (60, 0.1, 0.2), (100, 0.0, 0.3)])
def test_power_agrees_with_simulation(n, difference, discordance):
    cells = [(1 - discordance) / 2, (discordance - difference) / 2, (discordance + difference) / 2]
    draws = np.random.default_rng(0).multinomial(n, [*cells, cells[0]], size=3000)
    p_values = {tuple(row): paired_binary(PairedCounts(*row)).p_value for row in np.unique(draws, axis=0).tolist()}
    found = np.mean([p_values[tuple(row)] <= 0.05 for row in draws.tolist()])
    assert power_paired(n, difference, discordance) == pytest.approx(found, abs=0.03)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(0, 300), discordance=st.floats(0.0, 1.0))
def test_the_exact_test_never_exceeds_its_level(n, discordance):
    assert power_paired(n, 0.0, discordance) <= 0.05 + 1e-9


@settings(max_examples=40, deadline=None)
@given(n=st.integers(10, 400), discordance=st.floats(0.0, 0.8))
def test_detectable_difference_has_the_stated_power(n, discordance):
    gap = detectable_paired(n, discordance)
    assert gap is not None
    assert power_paired(n, gap, max(gap, discordance)) == pytest.approx(0.8, abs=0.02)
    larger = detectable_paired(4 * n, discordance)
    assert larger is not None
    assert larger < gap


def test_pairs_needed_is_just_enough():
    n = pairs_needed(0.1, 0.2)
    assert power_paired(n, 0.1, 0.2) >= 0.8 > power_paired(n - 1, 0.1, 0.2)
    # Connor (1987): (1.96 sqrt(.2) + .8416 sqrt(.2 - .01))^2 / .01 = 155; the exact test takes some more.
    assert 155 <= n <= 175
    assert pairs_needed(-0.1, 0.2) == n


def test_the_examples_of_the_manual():
    assert pairs_needed(difference=0.05, discordance=0.20) == 658
    assert detectable_paired(n=100, discordance=0.20) == pytest.approx(0.128, abs=5e-4)


def test_too_few_pairs_find_nothing():
    assert detectable_paired(5, 0.5) is None  # five differences in one direction: p = 0.0625
    assert detectable_paired(6, 0.5) is not None
    assert detectable_paired(0, 0.0) is None
    assert detectable_unpaired(0.5, 1, 10) is None
    assert detectable_mean(1, 1.0) is detectable_means(2, 1, 1.0) is None
    assert detectable_mean(10, 0.0) is detectable_means(10, 10, 0.0) is None


def test_unpaired_difference_inverts_the_planner():
    gap = detectable_unpaired(0.9, 100, 100)
    assert gap is not None
    assert trials_needed(0.9, 0.9 - gap) == pytest.approx(100, abs=2)
    assert detectable_unpaired(0.1, 100, 100) == pytest.approx(gap, abs=1e-3)


@pytest.mark.parametrize("arguments", [(10, 0.3, 0.2), (10, 0.1, 1.2), (-1, 0.1, 0.2), (10, 0.1, 0.2, 0.0)])
def test_impossible_designs_are_refused(arguments):
    with pytest.raises(ValueError, match="impossible"):
        power_paired(*arguments)


def test_no_difference_takes_no_number():
    with pytest.raises(ValueError, match="difference of 0"):
        pairs_needed(0.0, 0.2)
    with pytest.raises(ValueError, match="must differ"):
        trials_needed(0.4, 0.4)
