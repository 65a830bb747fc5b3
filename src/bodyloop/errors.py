"""The one exception tree of bodyloop.

::

    BodyloopError
    ├── ConfigError (ValueError)         a flag, profile or model configuration is wrong; exit status 2
    │   ├── UnknownNameError             a name is not known; the nearest known one is suggested
    │   └── FingerprintMismatchError     a run folder belongs to another configuration
    ├── DataError (ValueError)           an episode, scene or other input file has wrong content; exit status 2
    ├── MissingFileError (FileNotFoundError)  an input file does not exist; exit status 2
    ├── ArtifactError (ValueError)       a recorded artifact is missing or does not match its hash
    ├── MotionError (ValueError)         a motion chunk has a wrong shape or a number that is not finite
    ├── SimulationError (RuntimeError)   the engine diverged, or was used in the wrong order
    │   └── RenderingError               no usable OpenGL context
    ├── ModelError (RuntimeError)        a model did not give a usable reply
    │   ├── ReplyError                   the reply could not be understood; asked again
    │   └── AuthenticationError          credentials are missing or refused; never retried
    └── WorkerError (RuntimeError)       a worker process ended abnormally

A message says what failed, where, and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ArtifactError",
    "AuthenticationError",
    "BodyloopError",
    "ConfigError",
    "DataError",
    "FingerprintMismatchError",
    "MissingFileError",
    "ModelError",
    "MotionError",
    "RenderingError",
    "ReplyError",
    "SimulationError",
    "UnknownNameError",
    "WorkerError",
]


class BodyloopError(Exception):
    """Base of every error that bodyloop raises on purpose."""


class ConfigError(BodyloopError, ValueError):
    """A flag, a profile or a model configuration is wrong."""


class UnknownNameError(ConfigError):
    """A name is not one of the known ones; the message suggests the nearest."""

    def __init__(self, what: str, name: str, known: Iterable[str], *, where: str = "") -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        place = f" in {where}" if where else ""
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names[:20])}"
        super().__init__(f"unknown {what} {name!r}{place}; {hint}")


class FingerprintMismatchError(ConfigError):
    """A run folder was made under another configuration."""


class DataError(BodyloopError, ValueError):
    """An input file has wrong content."""


class MissingFileError(BodyloopError, FileNotFoundError):
    """An input file does not exist."""


class ArtifactError(BodyloopError, ValueError):
    """A recorded artifact is missing or does not match its hash."""


class MotionError(BodyloopError, ValueError):
    """A motion chunk has a wrong shape or a number that is not finite."""


class SimulationError(BodyloopError, RuntimeError):
    """The engine diverged, or was used in the wrong order."""


class RenderingError(SimulationError):
    """No usable OpenGL context."""


class ModelError(BodyloopError, RuntimeError):
    """A model did not give a usable reply."""


class ReplyError(ModelError):
    """A reply could not be understood; the call may be repeated."""


class AuthenticationError(ModelError):
    """Credentials are missing or refused; the call is not repeated."""


class WorkerError(BodyloopError, RuntimeError):
    """A worker process ended abnormally."""
