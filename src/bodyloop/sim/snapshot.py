"""The saved state of a world: plain arrays, no pickle."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bodyloop.errors import SimulationError
from bodyloop.records.files import load_npz, write_npz_atomic

__all__ = ["WorldSnapshot"]

_INTEGRATION = "integration"
_META = {"version": "meta/mujoco_version", "structure": "meta/structure"}
_EDIT, _PART = "edit/", "part/"


@dataclass(frozen=True)
class WorldSnapshot:
    """Everything needed to continue a world bit for bit, in this or another process."""

    integration: np.ndarray
    """(n,) float64: MuJoCo's integration state, warm start included."""
    mujoco_version: str
    """Exact engine version; another version refuses the snapshot."""
    structure: str
    """Digest of the model's names, sizes and integer fields."""
    edits: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Model fields changed since compilation."""
    parts: Mapping[str, Mapping[str, np.ndarray]] = field(default_factory=dict)
    """Packed state of every registered part."""

    def to_arrays(self) -> dict[str, np.ndarray]:
        """A flat mapping that an NPZ file can hold."""
        arrays = {_INTEGRATION: self.integration}
        for attribute, key in zip((self.mujoco_version, self.structure), _META.values(), strict=True):
            arrays[key] = np.frombuffer(attribute.encode(), dtype=np.uint8)
        arrays.update({_EDIT + name: value for name, value in self.edits.items()})
        for part, values in self.parts.items():
            arrays.update({f"{_PART}{part}:{key}": value for key, value in values.items()})
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> WorldSnapshot:
        """Inverse of `to_arrays`.

        Raises:
            SimulationError: the mapping is not a snapshot.
        """
        missing = [key for key in (_INTEGRATION, *_META.values()) if key not in arrays]
        if missing:
            raise SimulationError(f"not a world snapshot: {', '.join(missing)} missing")
        edits: dict[str, np.ndarray] = {}
        parts: dict[str, dict[str, np.ndarray]] = {}
        for key in arrays:
            if key.startswith(_EDIT):
                edits[key.removeprefix(_EDIT)] = arrays[key]
            elif key.startswith(_PART):
                part, _, name = key.removeprefix(_PART).partition(":")
                parts.setdefault(part, {})[name] = arrays[key]
        version, structure = (arrays[key].astype(np.uint8).tobytes().decode() for key in _META.values())
        return cls(np.array(arrays[_INTEGRATION], dtype=np.float64), version, structure, edits, parts)

    def save(self, path: Path) -> None:
        """Write to an NPZ file, complete or not at all."""
        write_npz_atomic(path, self.to_arrays())

    @classmethod
    def load(cls, path: Path) -> WorldSnapshot:
        """Read a file written by `save`."""
        return cls.from_arrays(load_npz(path))

    def digest(self) -> str:
        """SHA-256 over every array with its key, type and shape."""
        total = hashlib.sha256()
        for key, value in sorted(self.to_arrays().items()):
            total.update(f"{key}|{value.dtype.str}|{value.shape}|".encode())
            total.update(np.ascontiguousarray(value).tobytes())
        return total.hexdigest()
