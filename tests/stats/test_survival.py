from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.stats.survival import End, time_to_success

TRIALS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(list(End))), min_size=1, max_size=40)

WEEKS = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"


def test_the_published_leukaemia_data():
    """Weeks to relapse under 6-MP (Freireich et al. 1963): the textbook Kaplan-Meier example, + censored."""
    weeks = WEEKS.split()
    curve = time_to_success(
        [float(week.rstrip("+")) for week in weeks],
        [End.CENSORED if week.endswith("+") else End.SUCCESS for week in weeks],
    )
    np.testing.assert_array_equal(curve.times, [6, 7, 10, 13, 16, 22, 23])
    np.testing.assert_allclose(1 - curve.success, [0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448], atol=5e-4)
    assert curve.quantile(0.5) == 23.0
    # At 10 weeks by the formula: Greenwood's variance on the log-log scale.
    share, variance = 0.752941, 3 / (21 * 18) + 1 / (17 * 16) + 1 / (15 * 14)
    reach = 1.959964 * np.sqrt(variance) / -np.log(share)
    np.testing.assert_allclose(
        [1 - curve.high[2], 1 - curve.low[2]], [share ** np.exp(reach), share ** np.exp(-reach)], atol=1e-5
    )


def test_a_fall_is_not_a_time_out():
    """A trial that failed for good keeps counting; one that ran out of time says nothing about later."""
    fallen = time_to_success([2.0, 5.0], [End.FAILED, End.SUCCESS])
    timed_out = time_to_success([2.0, 5.0], [End.CENSORED, End.SUCCESS])
    assert (fallen.at(5.0), timed_out.at(5.0)) == (0.5, 1.0)
    assert fallen.quantile(0.9) is None


@given(TRIALS)
def test_a_curve_of_rates(trials):
    times, ends = [float(time) for time, _ in trials], [end for _, end in trials]
    curve = time_to_success(times, ends)
    assert (np.diff(curve.success) > 0.0).all()
    for low, share, high in zip(curve.low, curve.success, curve.high, strict=True):
        assert 0.0 <= low <= share + 1e-12
        assert share <= high + 1e-12 <= 1.0 + 1e-9
    assert curve.at(-1.0) == 0.0
    if End.CENSORED not in ends:
        assert curve.at(31.0) == pytest.approx(ends.count(End.SUCCESS) / len(ends))


def test_without_a_success_the_curve_is_flat():
    curve = time_to_success([3.0], [End.CENSORED])
    assert (len(curve.times), curve.at(9.0), curve.quantile(0.5)) == (0, 0.0, None)


@pytest.mark.parametrize(("times", "ends"), [([], []), ([1.0], []), ([-1.0], [End.SUCCESS]), ([np.nan], [End.FAILED])])
def test_bad_input_is_refused(times, ends):
    with pytest.raises(ValueError):
        time_to_success(times, ends)
