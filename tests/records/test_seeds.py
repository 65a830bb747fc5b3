from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.records.seeds import derive_seed, generator, rollout_generator
from bodyloop.records.specs import EpisodeSpec, RolloutSpec

ARGUMENTS = st.tuples(
    st.integers(),
    st.text(max_size=5),
    st.text(max_size=5),
    st.integers(0, 5),
    st.text(max_size=5),
    st.none() | st.integers(0, 5),
)


def test_seeds_never_change_between_versions():
    assert derive_seed(0, "household", "home_01_ep_0_bed", 0) == 9209302003727506579
    assert derive_seed(0, "household", "home_01_ep_0_bed", 0, "motion", 3) == 5126342632162594497


@given(ARGUMENTS, ARGUMENTS)
def test_seeds_are_equal_exactly_when_all_names_are(a, b):
    assert (derive_seed(*a) == derive_seed(*b)) == (a == b)
    assert 0 <= derive_seed(*a) < 2**63


def test_names_do_not_run_into_each_other():
    assert derive_seed(0, "ab", "c", 0) != derive_seed(0, "a", "bc", 0)
    assert derive_seed(0, "a", "b", 0, "", None) != derive_seed(0, "a", "b", 0, "None")
    assert derive_seed(1, "a", "b", 0) != derive_seed(0, "a", "b", 1)


def test_streams_of_a_rollout_are_repeatable_and_unrelated():
    spec = RolloutSpec(EpisodeSpec("s", "e", "g", ""), 0, derive_seed(0, "s", "e", 0), "e")
    keys = [("motion", None), ("motion", 0), ("motion", 1), ("agent", 0)]
    draws = [rollout_generator(spec, *key).random(1000) for key in keys]
    for key, draw in zip(keys, draws, strict=True):
        np.testing.assert_array_equal(draw, rollout_generator(spec, *key).random(1000))
    for one, two in itertools.combinations(draws, 2):
        assert abs(np.corrcoef(one, two)[0, 1]) < 0.15


def test_the_global_generator_is_left_alone():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    generator(0, "s", "e", 0).random()
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_python_hash_randomisation_does_not_matter():
    with pytest.raises(TypeError):
        derive_seed({1, 2}, "s", "e", 0)
