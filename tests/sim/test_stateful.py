from __future__ import annotations

import io
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bodyloop.errors import SimulationError
from bodyloop.sim.stateful import GeneratorState, Stateful, pack_state, unpack_state

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | hnp.arrays(st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_]), hnp.array_shapes(max_side=3))
)
KEYS = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=4)
STATES = st.dictionaries(
    KEYS, st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


@settings(max_examples=60, deadline=None)
@given(STATES)
def test_any_state_survives_an_npz_file_exactly(state: dict[str, Any]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{f"k/{key}": value for key, value in pack_state(state).items()})
    buffer.seek(0)
    with np.load(buffer, allow_pickle=False) as stored:
        back = unpack_state({key.removeprefix("k/"): stored[key] for key in stored.files})
    assert same(state, back)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.Philox, np.random.SFC64, np.random.MT19937])
def test_generators_continue(kind: type) -> None:
    part = GeneratorState(np.random.Generator(kind(5)))
    assert isinstance(part, Stateful)
    part.generator.normal(size=7)
    saved = pack_state(part.save_state())
    expected = part.generator.normal(size=9)
    other = GeneratorState(np.random.Generator(kind(77)))
    other.restore_state(unpack_state(saved))
    np.testing.assert_array_equal(other.generator.normal(size=9), expected)


def test_scalars_and_tuples() -> None:
    back = unpack_state(pack_state({"a": np.float32(0.1), "b": (1, 2)}))
    assert back["a"].dtype == np.float32
    assert back["a"] == np.float32(0.1)
    assert back["b"] == [1, 2]


@pytest.mark.parametrize(
    "state", [{"a": object()}, {"a": {1: 2}}, {"a": np.array([object()])}, {"a": [{"b": b"bytes"}]}]
)
def test_what_cannot_be_stored_exactly_is_refused(state: dict[str, Any]) -> None:
    with pytest.raises(SimulationError, match="state a"):
        pack_state(state)
