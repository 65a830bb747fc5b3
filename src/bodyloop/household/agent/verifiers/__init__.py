"""Verifier versions: ``none``, or a self-contained module ``v<digits>`` with the interface below."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from typing import Any, Protocol, cast

from bodyloop.errors import ConfigError, UnknownNameError
from bodyloop.household.types import SkillCall

__all__ = ["VerifierModule", "bundled_verifier_versions", "resolve_verifier_version"]

_INTERFACE = ("VERSION", "route_prompt", "verifier_prompt", "verifier_action", "normalize_verifier_plan")


class VerifierModule(Protocol):
    """What a verifier version offers."""

    VERSION: str

    def route_prompt(self, proposed: SkillCall, additional_info: Mapping[str, Any], /) -> str:
        """Name of the route that checks this proposal; empty when no check applies."""
        ...

    def verifier_prompt(
        self, goal: str, proposed: SkillCall, additional_info: Mapping[str, Any], recent_actions: str, /
    ) -> str:
        """Prompt text of the route; empty when no check applies, then no call is made."""
        ...

    def verifier_action(self, reply: Mapping[str, Any], proposed: SkillCall, /) -> SkillCall:
        """The final call under the verdict of ``reply``."""
        ...

    def normalize_verifier_plan(
        self, reply: Mapping[str, Any], proposed: SkillCall, final: SkillCall, /
    ) -> dict[str, Any]:
        """The stable record of a verdict."""
        ...


def bundled_verifier_versions() -> tuple[str, ...]:
    """Names of the verifier versions in this package, sorted."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if re.fullmatch(r"none|v[0-9]+", m.name)))


def resolve_verifier_version(version: str) -> VerifierModule:
    """The verifier module of a version, its interface checked.

    Raises:
        ConfigError: the name is malformed, not bundled, or the module lacks a part of the interface.
    """
    if not re.fullmatch(r"none|v[0-9]+", version):
        raise ConfigError(f"agent.verifier_version: {version!r} is malformed; use none or v and a number")
    if version not in bundled_verifier_versions():
        raise UnknownNameError("verifier version (not bundled)", version, bundled_verifier_versions())
    module = importlib.import_module(f"{__name__}.{version}")
    missing = [name for name in _INTERFACE if not hasattr(module, name)]
    if missing:
        raise ConfigError(f"verifier version {version} lacks {', '.join(missing)}")
    return cast("VerifierModule", module)
