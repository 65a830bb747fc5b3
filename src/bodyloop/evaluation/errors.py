"""Errors of measurements: all belong to the exception tree of :mod:`bodyloop.errors`."""

from __future__ import annotations

from bodyloop.errors import ConfigError, SimulationError

__all__ = [
    "BindingError",
    "ConfigMigrationError",
    "EmptyEvaluationError",
    "MeasurementError",
    "UnregisteredStateError",
]


class BindingError(ConfigError):
    """A kernel parameter has no source, an unknown one, more than one candidate, or one that this context lacks."""


class ConfigMigrationError(ConfigError):
    """A configuration of the earlier form; the message prints the lines that replace it."""


class UnregisteredStateError(ConfigError):
    """A component holds a per-environment array that its :class:`~bodyloop.evaluation.EpisodeTensors` does not know."""


class MeasurementError(SimulationError):
    """A measurement did not return one real value per environment."""


class EmptyEvaluationError(SimulationError):
    """An evaluation measured no trial, so it says nothing."""
