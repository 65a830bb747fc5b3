"""Planner prompts: one self-contained module ``v<digits>`` per version, with ``VERSION`` and ``render(input)``."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from typing import Any, Protocol, cast

from bodyloop.errors import ConfigError, UnknownNameError

__all__ = ["PromptModule", "bundled_prompt_versions", "resolve_prompt_version"]


class PromptModule(Protocol):
    """What a prompt version offers."""

    VERSION: str

    def render(self, input: Mapping[str, Any], /) -> str:
        """The whole prompt text around the input object."""
        ...


def bundled_prompt_versions() -> tuple[str, ...]:
    """Names of the prompt versions in this package, sorted."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if re.fullmatch(r"v[0-9]+", m.name)))


def resolve_prompt_version(version: str) -> PromptModule:
    """The prompt module of a version such as ``v1``.

    Raises:
        ConfigError: the name is malformed, or no such version is bundled.
    """
    if not re.fullmatch(r"v[0-9]+", version):
        raise ConfigError(f"agent.prompt_version: {version!r} is malformed; use v and a number, for example v1")
    if version not in bundled_prompt_versions():
        raise UnknownNameError("prompt version (not bundled)", version, bundled_prompt_versions())
    return cast("PromptModule", importlib.import_module(f"{__name__}.{version}"))
