"""Per-environment state that snapshots and resets know about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import array_api_compat.numpy as numpy_namespace
import numpy as np
from array_api_compat import array_namespace

from bodyloop.errors import ConfigError, SimulationError
from bodyloop.evaluation.arrays import Array, is_array, namespace, to_numpy

__all__ = ["EpisodeTensors", "TensorInfo"]


@dataclass(frozen=True)
class TensorInfo:
    """What :meth:`EpisodeTensors.describe` says of one array."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    size_bytes: int


class EpisodeTensors:
    """A registry of arrays with one row per environment, and of child registries.

    Arrays are allocated once and changed in place, so views of them stay valid after :meth:`load_state`.
    """

    def __init__(
        self, num_envs: int, *, xp: Any = numpy_namespace, device: Any = None, check_constants: bool = False
    ) -> None:
        """An empty registry.

        Args:
            num_envs: Rows N of every array.
            xp: Array library.
            device: Device of the arrays.
            check_constants: Whether to hash constants, so that :meth:`load_state` reports a changed one.

        Raises:
            ConfigError: ``num_envs`` is not positive.
        """
        if num_envs < 1:
            raise ConfigError(f"num_envs: expected 1 or more, got {num_envs}")
        self.num_envs = num_envs
        self._xp, self._device, self._check_constants = namespace(xp), device, check_constants
        self._tensors: dict[str, tuple[Array, Array]] = {}
        self._constants: dict[str, tuple[Array, str]] = {}
        self._children: dict[str, EpisodeTensors] = {}

    def add(self, name: str, shape: Sequence[int], dtype: Any, reset_value: Any = 0) -> Array:
        """Allocate (N, *shape), filled with the reset value.

        Args:
            name: Unique identifier.
            shape: Shape of one row.
            dtype: Type of the array library.
            reset_value: Number, or array that broadcasts to ``shape``.

        Raises:
            ConfigError: The name is taken or no identifier, or the reset value does not fit.
        """
        self._claim(name)
        xp, full_shape = self._xp, (self.num_envs, *shape)
        row = xp.asarray(reset_value, dtype=dtype, device=self._device)
        try:
            tensor = xp.asarray(xp.broadcast_to(row, full_shape), copy=True)
        except (ValueError, RuntimeError) as error:
            raise ConfigError(f"{name}: reset value {tuple(row.shape)} does not fit rows {tuple(shape)}") from error
        self._tensors[name] = (tensor, row)
        return tensor

    def constant(self, name: str, tensor: Array) -> Array:
        """Register an array that never changes: neither reset nor part of snapshots. Returns it."""
        self._claim(name)
        if not is_array(tensor):
            raise ConfigError(f"constant {name!r}: expected an array, got {type(tensor).__name__}")
        self._constants[name] = (tensor, _digest(tensor) if self._check_constants else "")
        return tensor

    def child(self, name: str) -> EpisodeTensors:
        """A registry for an object that the component owns; part of everything its parent does."""
        self._claim(name)
        self._children[name] = EpisodeTensors(
            self.num_envs, xp=self._xp, device=self._device, check_constants=self._check_constants
        )
        return self._children[name]

    def save_state(self) -> dict[str, Any]:
        """Clones by name, nested for children."""
        own: dict[str, Any] = {name: self._xp.asarray(t, copy=True) for name, (t, _) in self._tensors.items()}
        return own | {name: child.save_state() for name, child in self._children.items()}

    def load_state(self, snapshot: Mapping[str, Any]) -> None:
        """Copy a snapshot into the arrays in place: everything or nothing.

        Raises:
            SimulationError: Names, shapes, types or devices differ, or a checked constant has changed. Nothing is
                written then.
        """
        self._check(snapshot, "")
        self._write(snapshot)

    def reset(self, env_ids: Any) -> None:
        """Write the reset values into some rows, also of children.

        Args:
            env_ids: Row numbers, or a mask (N,) of booleans.
        """
        mask = self._mask(env_ids)
        for tensor, row in self._tensors.values():
            rows = self._xp.reshape(mask, (self.num_envs,) + (1,) * (tensor.ndim - 1))
            tensor[...] = self._xp.where(rows, row, tensor)
        for child in self._children.values():
            child.reset(mask)

    def registered(self) -> Iterator[Array]:
        """Every array and constant, children included."""
        yield from (tensor for tensor, _ in self._tensors.values())
        yield from (tensor for tensor, _ in self._constants.values())
        for child in self._children.values():
            yield from child.registered()

    def describe(self, prefix: str = "") -> list[TensorInfo]:
        """Names, shapes, types and sizes, children with dotted names; without constants."""
        infos = [
            TensorInfo(prefix + name, tuple(t.shape), str(t.dtype), int(to_numpy(t).nbytes))
            for name, (t, _) in self._tensors.items()
        ]
        for name, child in self._children.items():
            infos += child.describe(f"{prefix}{name}.")
        return infos

    def _claim(self, name: str) -> None:
        if not name.isidentifier():
            raise ConfigError(f"{name!r} is not an identifier")
        if name in self._tensors or name in self._constants or name in self._children:
            raise ConfigError(f"{name!r} is registered twice")

    def _mask(self, env_ids: Any) -> Array:
        xp = self._xp
        if is_array(env_ids) and array_namespace(env_ids).isdtype(env_ids.dtype, "bool"):
            if tuple(env_ids.shape) != (self.num_envs,):
                raise SimulationError(f"reset: expected a mask ({self.num_envs},), got {tuple(env_ids.shape)}")
            return xp.asarray(env_ids, device=self._device)
        ids = to_numpy(env_ids) if is_array(env_ids) else np.asarray(env_ids, np.int64)
        if ids.size and (ids.min() < 0 or ids.max() >= self.num_envs):
            raise SimulationError(f"reset: an environment number lies outside 0..{self.num_envs - 1}")
        mask = np.zeros(self.num_envs, bool)
        mask[ids] = True
        return xp.asarray(mask, device=self._device)

    def _check(self, snapshot: Mapping[str, Any], prefix: str) -> None:
        known = {*self._tensors, *self._children}
        if set(snapshot) != known:
            different = ", ".join(sorted(f"{prefix}{name}" for name in set(snapshot) ^ known))
            raise SimulationError(f"snapshot does not fit the registry: {different} missing or unknown")
        for name, (tensor, _) in self._tensors.items():
            for what in ("shape", "dtype", "device"):
                want, got = getattr(tensor, what), getattr(snapshot[name], what, None)
                if want != got:
                    raise SimulationError(f"snapshot of {prefix}{name}: expected {what} {want}, got {got}")
        for name, (constant, digest) in self._constants.items():
            if digest and _digest(constant) != digest:
                raise SimulationError(f"constant {prefix}{name} has changed since it was registered")
        for name, child in self._children.items():
            if not isinstance(snapshot[name], Mapping):
                raise SimulationError(f"snapshot of {prefix}{name}: expected a mapping")
            child._check(snapshot[name], f"{prefix}{name}.")

    def _write(self, snapshot: Mapping[str, Any]) -> None:
        for name, (tensor, _) in self._tensors.items():
            tensor[...] = snapshot[name]
        for name, child in self._children.items():
            child._write(snapshot[name])


def _digest(tensor: Array) -> str:
    array = to_numpy(tensor)
    return hashlib.sha256(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes()).hexdigest()
