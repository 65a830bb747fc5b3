from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.records.fingerprint import Fingerprint

LEAF = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-1, 1) | st.text("ab", max_size=3)
TREE = st.dictionaries(
    st.text("xyz", min_size=1, max_size=2),
    st.recursive(LEAF, lambda t: st.lists(t, max_size=3) | st.dictionaries(st.text("uvw", min_size=1), t, max_size=3)),
    max_size=4,
)


def test_a_difference_is_named_by_its_path():
    one = Fingerprint({"profile": {"physics": {"friction": 0.4, "gains": [1, 2]}}, "seed": 0})
    two = Fingerprint({"profile": {"physics": {"friction": 0.5, "gains": [1]}}, "model": "m"})
    assert one.diff(two) == [
        'model: (absent) != "m"',
        "profile.physics.friction: 0.4 != 0.5",
        "profile.physics.gains[1]: 2 != (absent)",
        "seed: 0 != (absent)",
    ]


def test_long_values_are_shortened():
    (line,) = Fingerprint({"hash": "a" * 200}).diff(Fingerprint({"hash": "b"}))
    assert len(line) < 100


def test_types_count():
    assert Fingerprint({"a": 1}).diff(Fingerprint({"a": 1.0})) == ["a: 1 != 1.0"]
    assert Fingerprint({"a": 1}).diff(Fingerprint({"a": True})) == ["a: 1 != true"]
    assert Fingerprint({"a": {}}).diff(Fingerprint({"a": []})) == ["a: {} != []"]


def test_a_tuple_is_a_list_and_order_of_keys_does_not_count():
    one, two = Fingerprint({"a": (1, 2), "b": 3}), Fingerprint({"b": 3, "a": [1, 2]})
    assert one.digest == two.digest
    assert not one.diff(two)


def test_what_json_cannot_hold_is_refused():
    with pytest.raises(ValueError):
        Fingerprint({"a": float("inf")})
    with pytest.raises(TypeError):
        Fingerprint({"a": object()})


@given(TREE, TREE)
def test_digests_are_equal_exactly_when_there_is_no_difference(a, b):
    one, two = Fingerprint(a), Fingerprint(b)
    assert (one.digest == two.digest) == (not one.diff(two))
    assert Fingerprint(json.loads(json.dumps(a))).digest == one.digest
