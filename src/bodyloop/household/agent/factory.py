"""From a model's name, or its configuration file, to a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from bodyloop.errors import MissingFileError, UnknownNameError
from bodyloop.household.agent.oracle import OracleModel
from bodyloop.household.agent.random_model import RandomModel
from bodyloop.household.profile import VlmSection
from bodyloop.models.base import Model
from bodyloop.models.config import ModelConfig, check_model_config, credential, load_model_config
from bodyloop.models.transports import build_transport

__all__ = ["BUILT_IN_MODELS", "ModelIdentity", "build_model", "check_credential", "check_model", "model_identity"]

BUILT_IN_MODELS: Final[Mapping[str, Callable[[], Model]]] = MappingProxyType(
    {"oracle": OracleModel, "random": RandomModel}
)


@dataclass(frozen=True)
class ModelIdentity:
    """What the records of a run say about its model."""

    name: str
    privileged: bool
    config: Mapping[str, Any] | None = None
    """Content of the configuration file that results depend on, without secrets; ``None`` for a built-in model."""

    def to_json(self) -> dict[str, Any]:
        """Plain data for the fingerprint."""
        named = {"name": self.name, "privileged": self.privileged}
        return named if self.config is None else {**named, "config": dict(self.config)}


def check_model(config: str, vlm: VlmSection | None = None) -> None:
    """Refuse a model that :func:`build_model` could not make, without making one.

    With ``vlm``, a configuration file is also held against what the profile demands.

    Raises:
        ConfigError: the name is not known (the nearest is suggested), or the file's content is wrong.
        MissingFileError: there is no such file.
    """
    if config not in BUILT_IN_MODELS:
        loaded = _load(config)
        if vlm is not None:
            required = vlm.required_model_config_fields
            check_model_config(loaded, config, temperature=vlm.temperature, required=required)


def check_credential(config: str) -> None:
    """Refuse a model whose key is not in the environment. Raises AuthenticationError naming the variable."""
    if config not in BUILT_IN_MODELS:
        credential(_load(config))


def build_model(config: str) -> Model:
    """A new model: ``oracle`` (privileged), ``random``, or a configuration file's. Raises as :func:`check_model`."""
    if config in BUILT_IN_MODELS:
        return BUILT_IN_MODELS[config]()
    return build_transport(_load(config))


def model_identity(config: str) -> ModelIdentity:
    """Who a model is, for the fingerprint and for the records of rollouts whose process died."""
    if config in BUILT_IN_MODELS:
        model = BUILT_IN_MODELS[config]()
        return ModelIdentity(model.name, model.privileged)
    loaded = _load(config)
    return ModelIdentity(loaded.model, False, loaded.identity())


def _load(config: str) -> ModelConfig:
    accepted = ", ".join(sorted(BUILT_IN_MODELS))
    path = Path(config)
    if path.is_file():
        return load_model_config(config)
    if path.suffix == ".json" or len(path.parts) > 1:
        raise MissingFileError(f"--model: model configuration {config} does not exist; built-in models: {accepted}")
    raise UnknownNameError(f"model (accepted: {accepted}, or a JSON file)", config, BUILT_IN_MODELS, where="--model")
