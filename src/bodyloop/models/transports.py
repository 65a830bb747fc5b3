"""From a model configuration to a model."""

from __future__ import annotations

from bodyloop.models.base import Model
from bodyloop.models.config import FilesystemQueueConfig, ModelConfig
from bodyloop.models.filesystem_queue import FilesystemQueueModel
from bodyloop.models.openai_compatible import ChatCompletionsModel

__all__ = ["build_transport"]


def build_transport(config: ModelConfig) -> Model:
    """The model a configuration describes. Raises ConfigError if its queue folder cannot be used."""
    if isinstance(config, FilesystemQueueConfig):
        return FilesystemQueueModel(config)
    return ChatCompletionsModel(config)
