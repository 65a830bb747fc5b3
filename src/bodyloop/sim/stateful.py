"""Parts of a world that hold state outside MuJoCo, and the pickle-free form that their state is kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from bodyloop.errors import SimulationError

__all__ = ["GeneratorState", "State", "Stateful", "pack_state", "unpack_state"]

State: TypeAlias = Mapping[str, Any]
"""Nested mappings and lists of numpy arrays, numpy scalars, str, int (any size), float, bool and None."""

_ARRAY = "__array__"
_JSON = "__json__"


@runtime_checkable
class Stateful(Protocol):
    """A part whose state belongs to the world's snapshot."""

    def save_state(self) -> State:
        """The whole state; what is returned is copied by the caller."""
        ...

    def restore_state(self, state: State) -> None:
        """Take over a state in place. Tuples come back as lists, numpy scalars as 0-d arrays."""
        ...


class GeneratorState:
    """Makes a numpy generator part of a snapshot."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def save_state(self) -> State:
        """State of the bit generator."""
        return dict(self.generator.bit_generator.state)

    def restore_state(self, state: State) -> None:
        """Continue from a saved bit generator."""
        self.generator.bit_generator.state = state


def pack_state(state: State) -> dict[str, np.ndarray]:
    """Flatten a state into arrays that an NPZ file can hold without pickle.

    Raises:
        SimulationError: a value is of a kind that cannot be stored exactly.
    """
    arrays: dict[str, np.ndarray] = {}
    text = json.dumps(_strip(state, "", arrays), sort_keys=True, separators=(",", ":"))
    arrays[_JSON] = np.frombuffer(text.encode(), dtype=np.uint8).copy()
    return arrays


def _strip(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        array = np.array(value)
        if array.dtype.hasobject:
            raise SimulationError(f"state {path or '/'} is an object array and cannot be saved")
        arrays[path] = array
        return {_ARRAY: path}
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise SimulationError(f"state {path or '/'} has a key that is not a string")
        return {key: _strip(item, f"{path}/{key}" if path else key, arrays) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strip(item, f"{path}/{i}", arrays) for i, item in enumerate(value)]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise SimulationError(f"state {path or '/'} is a {type(value).__name__} and cannot be saved")


def unpack_state(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Inverse of `pack_state`; arrays are copies."""
    text = np.asarray(arrays[_JSON], dtype=np.uint8).tobytes().decode()
    state = _fill(json.loads(text), arrays)
    assert isinstance(state, dict)
    return state


def _fill(value: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    if isinstance(value, dict):
        if set(value) == {_ARRAY}:
            return np.array(arrays[value[_ARRAY]])
        return {key: _fill(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, arrays) for item in value]
    return value
