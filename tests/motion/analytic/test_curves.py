"""Time curves: end conditions, smooth joins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.motion.analytic.anatomy import CHUNK_S, FRAME_S
from bodyloop.motion.analytic.curves import (
    PHASE,
    bump,
    clip_softly,
    ease,
    inertialize,
    keyed,
    quintic,
    soft_minimum,
)

NUMBER = st.floats(-3.0, 3.0)


@given(NUMBER, NUMBER, NUMBER, NUMBER)
def test_quintic_meets_its_ends(start: float, velocity: float, end: float, end_velocity: float) -> None:
    fine = np.linspace(0.0, 1.0, 2001)
    path = quintic(fine, start, velocity, end, end_velocity)
    rate = np.gradient(path, fine * CHUNK_S, edge_order=2)
    assert path[0] == pytest.approx(start, abs=1e-9)
    assert path[-1] == pytest.approx(end, abs=1e-9)
    assert rate[0] == pytest.approx(velocity, abs=2e-3)
    assert rate[-1] == pytest.approx(end_velocity, abs=2e-3)


def test_quintic_waits_before_and_after_its_window() -> None:
    path = quintic(PHASE, np.zeros(3), np.zeros(3), np.ones(3), window=(0.4, 0.8))
    assert path.shape == (17, 3)
    np.testing.assert_allclose(path[PHASE <= 0.4], 0.0)
    np.testing.assert_allclose(path[PHASE >= 0.8], 1.0)


@given(NUMBER, NUMBER)
def test_inertialize_starts_where_the_body_is(last: float, rate: float) -> None:
    target = np.sin(PHASE * 3.0)
    path = inertialize(target, np.array(last), np.array(rate), until=0.8)
    # One frame on, the body has moved with its own speed (the curve's acceleration is bounded by the jump to make up).
    first = last + rate * FRAME_S
    assert path[0] == pytest.approx(first, abs=0.05 * (1.0 + abs(last) + abs(rate)))
    np.testing.assert_allclose(path[12:], target[14:], atol=1e-12)


def test_inertialize_leaves_a_curve_that_already_fits() -> None:
    target = 0.3 + 0.5 * PHASE**3
    rate = (target[1] - target[0]) / FRAME_S
    np.testing.assert_allclose(inertialize(target, target[1], rate), target[2:], atol=1e-12)


def test_ease_bump_and_keys() -> None:
    assert ease(PHASE)[1] == 0.0
    assert ease(PHASE)[-1] == 1.0
    assert bump(np.array([0.0, 0.5, 1.0])) == pytest.approx([0.0, 1.0, 0.0])
    keys = [(0.0, 1.0), (0.5, -1.0), (1.0, 0.5)]
    assert keyed(np.array([-0.5, 0.0, 0.5, 1.0, 2.0]), keys) == pytest.approx([1.0, 1.0, -1.0, 0.5, 0.5])


@given(NUMBER, NUMBER)
def test_soft_limits_stay_on_the_right_side(value: float, limit: float) -> None:
    lower = float(soft_minimum(np.array(value), limit, 0.01))
    assert lower <= min(value, limit) + 1e-12
    assert lower >= min(value, limit) - 0.01
    clipped = float(clip_softly(np.array(value), -1.0, 1.0, 0.01))
    assert abs(clipped - np.clip(value, -1.0, 1.0)) < 0.01
