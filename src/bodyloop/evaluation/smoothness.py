"""How smooth recorded motion and actions are."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.errors import ConfigError

__all__ = ["SmoothnessCalculator", "normalized_jerk"]

Array = npt.NDArray[np.float64]

_LOG = logging.getLogger(__name__)
_MIN_PATH_M: Final = 0.1
_PATH_REGULARISER_M2: Final = 0.1


def normalized_jerk(positions_m: Array, dt_s: float, window: int) -> Array:
    """Normalised jerk of every window of consecutive frames.

    The duration to the fifth times the integral of squared jerk, over the squared path length (at least 0.1 m) plus
    0.1 square metres. It depends on the frame rate: compare only values of one rate.

    Args:
        positions_m: (K, B, 3) positions of bodies.
        dt_s: Seconds between frames.
        window: Frames per window, 4 or more.

    Returns:
        (K - window + 1, B); empty when there are fewer frames.
    """
    if len(positions_m) < window:
        return np.empty((0, positions_m.shape[1]))
    velocity = np.diff(positions_m, axis=0) / dt_s
    jerk = np.diff(velocity, n=2, axis=0) / dt_s**2
    path = _window_sums(np.linalg.norm(velocity, axis=-1), window - 1) * dt_s
    energy = _window_sums((jerk**2).sum(axis=-1), window - 3) * dt_s
    duration = (window - 1) * dt_s
    return np.asarray(duration**5 * energy / (np.maximum(path, _MIN_PATH_M) ** 2 + _PATH_REGULARISER_M2))


class SmoothnessCalculator:
    """Plugin: jerk of body positions, and changes of actions and joint targets between frames.

    The jerk computation is lenient: a :class:`RuntimeError`, :class:`ValueError` or :class:`IndexError` in it is logged
    as a warning, and the other entries are still reported. A jerk entry of zero means that no trial had enough frames;
    :meth:`notes` says so. Both are gaps, not good scores.
    """

    def __init__(
        self,
        dt_s: float,
        *,
        positions: str = "current.rigid_body_pos",
        actions: str | None = "previous_action",
        targets: str | None = "current_processed_action",
        window_s: float = 0.4,
        high_jerk: float = 6500.0,
    ) -> None:
        """Name the channels.

        Args:
            dt_s: Control period.
            positions: Path of body positions (N, B, 3) in metres.
            actions: Path of raw policy outputs (N, A), without unit.
            targets: Path of joint targets (N, A) in radians.
            window_s: Length of the jerk windows.
            high_jerk: A window with a body above this counts as high.

        Raises:
            ConfigError: ``dt_s`` or ``window_s`` is not positive.
        """
        if dt_s <= 0 or window_s <= 0:
            raise ConfigError(f"dt_s and window_s must be positive, got {dt_s} and {window_s}")
        self.dt_s, self.window, self.high_jerk = dt_s, max(4, round(window_s / dt_s)), high_jerk
        self._positions, self._actions, self._targets = positions, actions, targets
        self.begin()

    def begin(self) -> None:
        """Forget earlier trials."""
        self._jerk: list[float] = []
        self._high: list[float] = []
        self._deltas: dict[str, list[tuple[float, float]]] = {}
        self._collected = self._gave_up = False

    @property
    def channels(self) -> Sequence[str]:
        """Paths to record."""
        return [path for path in (self._positions, self._actions, self._targets) if path is not None]

    def add_trials(self, trials: Sequence[Mapping[str, npt.NDArray[Any]]]) -> None:
        """Take the recorded frames of finished trials."""
        for trial in trials:
            for path, unit in ((self._actions, "raw"), (self._targets, "rad")):
                if path is not None and path in trial and len(trial[path]) >= 2:
                    steps = np.abs(np.diff(np.asarray(trial[path], np.float64), axis=0))
                    self._deltas.setdefault(unit, []).append((float(steps.mean()), float(steps.max(axis=1).mean())))
        try:
            for trial in trials:
                if self._positions in trial:
                    self._collected = True
                    self._add_jerk(np.asarray(trial[self._positions], np.float64))
        except (RuntimeError, ValueError, IndexError) as error:
            self._gave_up = True
            _LOG.warning("smoothness: jerk could not be computed: %s", error)

    def logs(self) -> dict[str, float]:
        """Means over trials; no jerk entries without recorded positions or after an error in their computation."""
        logs: dict[str, float] = {}
        for unit, deltas in self._deltas.items():
            mean, largest = np.mean(deltas, axis=0)
            scales = {unit: 1.0, "deg": 180 / np.pi} if unit == "rad" else {unit: 1.0}
            for name, scale in scales.items():
                logs[f"eval/action_delta_mean_{name}"] = float(mean * scale)
                logs[f"eval/action_delta_max_{name}"] = float(largest * scale)
                logs[f"eval/action_rate_mean_{name}_s"] = float(mean * scale / self.dt_s)
        if self._collected and not self._gave_up:
            positive = [value for value in self._jerk if value > 0]
            logs["eval/normalized_jerk_mean"] = float(np.mean(positive)) if positive else 0.0
            logs["eval/high_jerk_frame_percentage_mean"] = 100 * float(np.mean(self._high)) if self._high else 0.0
        return logs

    def notes(self) -> list[str]:
        """Gaps in words."""
        if not self._collected:
            return [f"smoothness: {self._positions} was not collected; no jerk entries"]
        if self._gave_up:
            return ["smoothness: the jerk computation failed; no jerk entries"]
        if not self._jerk:
            return [f"smoothness: no trial has {self.window} frames; the jerk entries are zero for lack of data"]
        return []

    def _add_jerk(self, positions_m: Array) -> None:
        values = normalized_jerk(positions_m, self.dt_s, self.window)
        if len(values):
            self._jerk.append(float(values.mean()))
            self._high.append(float((values > self.high_jerk).any(axis=1).mean()))


def _window_sums(values: Array, size: int) -> Array:
    """Sums over ``size`` consecutive rows."""
    return np.asarray(np.lib.stride_tricks.sliding_window_view(values, size, axis=0).sum(axis=-1))
