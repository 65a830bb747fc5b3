"""Coverage on a grid: computed exactly for rates, simulated for means. The whole grid is the table of the manual."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from bodyloop.stats.intervals import MIN_CLUSTERS, clopper_pearson, cluster_bootstrap_mean, jeffreys, wilson

MANUAL = Path(__file__).parents[2] / "docs" / "statistics.md"
METHODS = {"Clopper-Pearson": clopper_pearson, "Wilson": wilson, "Jeffreys": jeffreys}
RATES = np.arange(50, 100) / 100.0
SIZES = (10, 20, 30, 50, 75, 100, 150, 200, 300)
CLUSTERS = (5, 10, 20, 40, 80)


def rate_coverage(method, n):
    """Chance that the 95 % interval of ``n`` trials holds the true rate, for each of ``RATES``."""
    bounds = np.array([METHODS[method](successes, n) for successes in range(n + 1)])
    holds = (bounds[:, :1] <= RATES) & (bounds[:, 1:] >= RATES)
    return (binom.pmf(np.arange(n + 1)[:, None], n, RATES) * holds).sum(axis=0)


def cluster_coverage(clusters, *, trials, seed=0, success=0.7):
    """Share of simulated runs (5 episodes per scene, scenes differ) whose interval holds the true rate."""
    rng = np.random.default_rng([seed, clusters])
    labels = list(np.repeat(range(clusters), 5))
    held = 0
    for trial in range(trials):
        scenes = rng.beta(success * 4.0, (1.0 - success) * 4.0, size=clusters)
        values = rng.random((clusters, 5)) < scenes[:, None]
        low, high = cluster_bootstrap_mean(list(values.ravel().astype(float)), labels, resamples=1000, seed=trial)
        held += low <= success <= high
    return held / trials


def rate_rows(sizes):
    for n in sizes:
        cells = [rate_coverage(method, n) for method in METHODS]
        yield f"| {n} | " + " | ".join(f"{100 * c.mean():.1f} ({100 * c.min():.1f})" for c in cells) + " |"


@pytest.mark.parametrize("n", [10, 50, 100])
def test_rates_on_a_small_grid(n):
    assert rate_coverage("Clopper-Pearson", n).min() >= 0.95
    for method in ("Wilson", "Jeffreys"):
        assert rate_coverage(method, n).mean() >= 0.94


def test_the_manual_shows_these_numbers():
    text = MANUAL.read_text(encoding="utf-8")
    for row in rate_rows((10, 50, 100)):
        assert row in text


def test_cluster_bootstrap_from_twenty_clusters_on():
    assert cluster_coverage(MIN_CLUSTERS, trials=300) >= 0.90


@pytest.mark.slow
def test_rates_on_the_whole_grid():
    text = MANUAL.read_text(encoding="utf-8")
    for n in range(10, 301):
        assert rate_coverage("Clopper-Pearson", n).min() >= 0.95
    for method in ("Wilson", "Jeffreys"):
        means = [rate_coverage(method, n).mean() for n in range(10, 301)]
        assert min(means) >= 0.94
    assert [row for row in rate_rows(SIZES) if row not in text] == []


@pytest.mark.slow
@pytest.mark.parametrize("clusters", CLUSTERS)
def test_cluster_bootstrap_on_the_whole_grid(clusters):
    covered = cluster_coverage(clusters, trials=4000)
    assert f"| {clusters} | {100 * covered:.1f} |" in MANUAL.read_text(encoding="utf-8")
    if clusters >= MIN_CLUSTERS:
        assert covered >= 0.92
