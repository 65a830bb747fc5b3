"""The model protocol: text and one image in, text out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

__all__ = ["Message", "Model", "PrivilegedModel", "SeededModel"]

Message = Mapping[str, Any]
"""OpenAI-style message: ``{"role": ..., "content": [{"type": "text", ...}, {"type": "image_url", ...}]}``."""


class Model(Protocol):
    """Anything that answers a prompt.

    A model may set ``needs_image = False``: then its messages come without the image part and no picture is encoded.
    """

    name: str
    privileged: bool
    """True if the model sees more than its messages; then it must be a :class:`PrivilegedModel`."""
    last_usage: Mapping[str, Any]
    """Usage of the latest call as the provider reported it; reset at call start."""
    current_episode_step: int
    """Written by the caller before each call."""

    def respond(self, messages: Sequence[Message]) -> str:
        """The reply text. Raises :class:`~bodyloop.errors.ModelError`."""
        ...


@runtime_checkable
class PrivilegedModel(Protocol):
    """A model that also reads simulator state, for upper bounds and tests."""

    def attach(self, view: Any) -> None:
        """Receive the read-only view of the episode about to start."""
        ...


@runtime_checkable
class SeededModel(Protocol):
    """A model that draws random numbers."""

    def seed_rollout(self, seed: int) -> None:
        """Receive the seed of the rollout about to start."""
        ...
