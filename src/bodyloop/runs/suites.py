"""Finding a suite: by entry point name, by ``module:Class``, or by ``file.py:Class``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import cast

from bodyloop.errors import ConfigError, MissingFileError, UnknownNameError
from bodyloop.records.protocols import Suite

__all__ = ["load_suite", "suite_names"]

GROUP = "bodyloop.suites"


def suite_names() -> list[str]:
    """Names of the installed suites, sorted."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def load_suite(reference: str) -> Suite:
    """A fresh suite object, not prepared yet.

    Raises:
        ConfigError: The suite is unknown or cannot be imported.
    """
    factory = _attribute(reference) if ":" in reference else _entry_point(reference)
    if not callable(factory):
        raise ConfigError(f"suite {reference!r} is not a class")
    return cast("Suite", factory())


def _entry_point(name: str) -> object:
    found = entry_points(group=GROUP, name=name)
    if not found:
        raise UnknownNameError("suite", name, suite_names())
    try:
        return next(iter(found)).load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"suite {name!r} cannot be loaded: {error}; is its extra installed?") from error


def _attribute(reference: str) -> object:
    place, _, name = reference.rpartition(":")
    try:
        module = _module_from_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        return getattr(module, name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"suite {reference!r} cannot be loaded: {error}") from error


def _module_from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise MissingFileError(f"suite file {path} does not exist")
    name = f"bodyloop_suite_{path.stem}"  # a file called random.py shadows nothing
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module
