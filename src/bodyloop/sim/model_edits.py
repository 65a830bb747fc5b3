"""Run-time changes of a compiled model, found by comparing it with what it was when compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import mujoco
import numpy as np

from bodyloop.errors import SimulationError

__all__ = ["ModelWatch"]

_PREFIXES = (
    "actuator_",
    "body_",
    "cam_",
    "dof_",
    "eq_",
    "exclude_",
    "geom_",
    "jnt_",
    "light_",
    "mat_",
    "pair_",
    "qpos",
    "sensor_",
    "site_",
    "tendon_",
)


class ModelWatch:
    """Remembers a model as compiled; lists and re-applies later changes of any of its per-element fields.

    Watched: all array fields of bodies, joints, dofs, geoms, sites, equalities, pairs, actuators, tendons, sensors,
    cameras, lights and materials, ``qpos0``, ``qpos_spring``, and everything in ``opt`` and ``stat`` (the latter
    holds the solver scale). Meshes, textures and other bulk data are taken as constant.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._fields: dict[str, np.ndarray] = {
            name: field
            for name in dir(model)
            if name.startswith(_PREFIXES) and isinstance(field := getattr(model, name), np.ndarray)
        }
        self._scalars = [
            f"{part}.{name}"
            for part in ("opt", "stat")
            for name in dir(getattr(model, part))
            if not name.startswith("_")
        ]
        self._pristine = {name: field.tobytes() for name, field in self._fields.items()}
        self._pristine_scalars = {name: self._scalar(name).tobytes() for name in self._scalars}
        self.structure = self._structure()

    def _scalar(self, name: str) -> np.ndarray:
        part, field = name.split(".")
        return np.array(getattr(getattr(self._model, part), field))

    def _structure(self) -> str:
        """Digest of names, shapes and all integer fields: equal for the same scene on any machine."""
        digest = hashlib.sha256(self._model.names)
        for name, field in self._fields.items():
            digest.update(f"{name}{field.shape}".encode())
            if field.dtype.kind in "iub":
                digest.update(self._pristine[name])
        return digest.hexdigest()

    def edits(self) -> dict[str, np.ndarray]:
        """Copies of every watched field that differs, bit for bit, from the compiled model."""
        found = {name: field.copy() for name, field in self._fields.items() if field.tobytes() != self._pristine[name]}
        for name in self._scalars:
            value = self._scalar(name)
            if value.tobytes() != self._pristine_scalars[name]:
                found[name] = value
        return found

    def apply(self, edits: Mapping[str, np.ndarray]) -> None:
        """Bring the model to exactly these edits: everything else goes back to the compiled values.

        Raises:
            SimulationError: an edit names a field this model lacks, or has another shape.
        """
        for name, value in edits.items():
            known = (
                self._fields[name] if name in self._fields else self._scalar(name) if name in self._scalars else None
            )
            if known is None or known.shape != value.shape:
                raise SimulationError(f"snapshot holds model field {name} of shape {value.shape}, which does not fit")
        for name, field in self._fields.items():
            wanted = (
                np.ascontiguousarray(edits[name], dtype=field.dtype).tobytes()
                if name in edits
                else self._pristine[name]
            )
            if field.tobytes() != wanted:
                field[...] = np.frombuffer(wanted, dtype=field.dtype).reshape(field.shape)
        for name in self._scalars:
            value = self._scalar(name)
            wanted = (
                np.asarray(edits[name], dtype=value.dtype).tobytes() if name in edits else self._pristine_scalars[name]
            )
            if value.tobytes() != wanted:
                self._set_scalar(name, np.frombuffer(wanted, dtype=value.dtype).reshape(value.shape))

    def _set_scalar(self, name: str, value: np.ndarray) -> None:
        part, field = name.split(".")
        owner = getattr(self._model, part)
        if value.ndim:
            getattr(owner, field)[...] = value
        else:
            setattr(owner, field, value.item())
