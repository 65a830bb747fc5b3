"""No verifier: every proposal is accepted without a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bodyloop.household.agent.verifiers.verdict import apply_verdict, normalized_record
from bodyloop.household.types import SkillCall

__all__ = ["VERSION", "normalize_verifier_plan", "route_prompt", "verifier_action", "verifier_prompt"]

VERSION: Final = "none"


def route_prompt(proposed: SkillCall, additional_info: Mapping[str, Any], /) -> str:  # noqa: ARG001
    """No route ever applies."""
    return ""


def verifier_prompt(
    goal: str,  # noqa: ARG001
    proposed: SkillCall,  # noqa: ARG001
    additional_info: Mapping[str, Any],  # noqa: ARG001
    recent_actions: str,  # noqa: ARG001
    /,
) -> str:
    """No prompt, hence no call."""
    return ""


def verifier_action(reply: Mapping[str, Any], proposed: SkillCall, /) -> SkillCall:
    """The final call under the verdict of ``reply``."""
    return apply_verdict(reply, proposed)


def normalize_verifier_plan(reply: Mapping[str, Any], proposed: SkillCall, final: SkillCall, /) -> dict[str, Any]:
    """The stable record of a verdict."""
    return normalized_record(reply, proposed, final, VERSION)
