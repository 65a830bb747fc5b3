"""From a model's name to a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bodyloop.errors import ConfigError, UnknownNameError
from bodyloop.household.agent.oracle import OracleModel
from bodyloop.household.agent.random_model import RandomModel
from bodyloop.models.base import Model

__all__ = ["BUILT_IN_MODELS", "build_model", "check_model", "model_identity"]

BUILT_IN_MODELS: Final[Mapping[str, Callable[[], Model]]] = MappingProxyType(
    {"oracle": OracleModel, "random": RandomModel}
)


def check_model(config: str) -> None:
    """Refuse a model that :func:`build_model` could not make, without making one.

    Raises:
        ConfigError: the name is not known; the message lists the accepted ones and suggests the nearest.
    """
    if config in BUILT_IN_MODELS:
        return
    accepted = ", ".join(sorted(BUILT_IN_MODELS))
    if config.lower().endswith(".json") or Path(config).suffix:
        raise ConfigError(f"--model: model configuration files are not supported ({config}); use one of: {accepted}")
    raise UnknownNameError(f"model (accepted: {accepted})", config, BUILT_IN_MODELS, where="--model")


def build_model(config: str) -> Model:
    """A new model by name: ``oracle`` (privileged) or ``random``. Raises as :func:`check_model` does."""
    check_model(config)
    return BUILT_IN_MODELS[config]()


def model_identity(config: str) -> tuple[str, bool]:
    """Name of a model and whether it is privileged, for the records of rollouts whose process died."""
    model = build_model(config)
    return model.name, model.privileged
