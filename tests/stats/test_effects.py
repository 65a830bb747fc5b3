from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bodyloop.stats.effects import difference_bounds, holm

VALUES = st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=12)


def test_holms_steps():
    """Smallest times m, next times m - 1, never decreasing, at most 1."""
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})
    assert holm({"a": 0.7, "b": 0.6}) == {"a": 1.0, "b": 1.0}
    assert holm({"a": 0.02}) == {"a": 0.02}
    assert holm({}) == {}


@settings(max_examples=20)  # statsmodels collects garbage in every call
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8))
def test_holm_lies_between_the_raw_value_and_bonferroni(values):
    p_values = {f"metric {index}": value for index, value in enumerate(values)}
    adjusted = holm(p_values)
    for name, raw in p_values.items():
        assert raw - 1e-12 <= adjusted[name] <= min(1.0, raw * len(p_values)) + 1e-12


@given(VALUES, VALUES, st.data())
def test_bounds_hold_whatever_the_missing_values_are(first, second, data):
    low, high = difference_bounds(first, second)
    filled = [
        [data.draw(st.sampled_from([0.0, 1.0])) if value is None else value for value in side]
        for side in (first, second)
    ]
    difference = sum(filled[1]) / len(second) - sum(filled[0]) / len(first)
    assert low - 1e-12 <= difference <= high + 1e-12


def test_bounds_without_missing_values_are_the_difference():
    assert difference_bounds([0.0, 1.0], [1.0, 1.0]) == (0.5, 0.5)
    assert difference_bounds([None], [1.0]) == (0.0, 1.0)
    with pytest.raises(ValueError, match="at least one"):
        difference_bounds([], [1.0])
