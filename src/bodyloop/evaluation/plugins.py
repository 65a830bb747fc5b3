"""Aggregates over recorded trajectories, fed batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bodyloop.evaluation.arrays import Array, to_numpy
from bodyloop.evaluation.context import read_path

__all__ = ["ChannelRecorder", "Plugin"]


class Plugin(Protocol):
    """An aggregate that needs whole trajectories."""

    @property
    def channels(self) -> Sequence[str]:
        """Context paths to record; a path that the context lacks is not collected."""

    def begin(self) -> None:
        """Forget earlier trials: an evaluation starts."""

    def add_trials(self, trials: Sequence[Mapping[str, npt.NDArray[Any]]]) -> None:
        """Take finished trials: arrays (K, ...) of the K recorded frames by collected path, failing frame included."""

    def logs(self) -> dict[str, float]:
        """Log entries over all trials so far."""

    def notes(self) -> list[str]:
        """Gaps in words."""


class ChannelRecorder:
    """Keeps the scored frames of one batch for the plugins; memory is one batch."""

    def __init__(self, plugins: Sequence[Plugin]) -> None:
        self._plugins = tuple(plugins)
        self._paths = tuple(dict.fromkeys(path for plugin in self._plugins for path in plugin.channels))
        self.begin()

    def begin(self) -> None:
        """Forget the batch before."""
        self._frames: list[dict[str, npt.NDArray[Any]]] = []
        self._active: list[npt.NDArray[np.bool_]] = []

    def record(self, context: Mapping[str, Any], active: Array) -> None:
        """Keep one frame of the channels that the context has."""
        values = {path: read_path(context, path) for path in self._paths}
        self._frames.append({path: to_numpy(value) for path, value in values.items() if value is not None})
        self._active.append(to_numpy(active))

    def deliver(self) -> None:
        """Hand each measured trial to every plugin, without frames after its end."""
        if not self._active:
            return
        active = np.stack(self._active)
        collected = {path: np.stack([frame[path] for frame in self._frames]) for path in self._frames[0]}
        for plugin in self._plugins:
            own = {path: values for path, values in collected.items() if path in plugin.channels}
            trials = [
                {path: values[active[:, env], env] for path, values in own.items()}
                for env in np.flatnonzero(active.any(axis=0))
            ]
            plugin.add_trials(trials)
        self.begin()
