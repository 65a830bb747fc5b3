"""What every verifier version does with a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bodyloop.errors import ReplyError
from bodyloop.household.actions import _chooser_action, is_stop
from bodyloop.household.types import SkillCall

__all__ = ["apply_verdict", "normalized_record"]

_PLACEHOLDERS = frozenset({"<final action>", "<action name>", "..."})


def _wants_replacement(reply: Mapping[str, Any]) -> bool:
    verdict, name = reply.get("verdict"), reply.get("final_action_name")
    if not isinstance(verdict, str) or verdict.strip().lower() != "replace":
        return False
    return isinstance(name, str) and bool(name.strip()) and name.strip().lower() not in _PLACEHOLDERS


def _replacement(reply: Mapping[str, Any]) -> SkillCall | None:
    """The replacement a reply names; the name counts when the id contradicts it, an unreadable name is no replacement."""
    name = reply["final_action_name"]
    for choice in ({"action_id": reply.get("final_action_id"), "action_name": name}, {"action_name": name}):
        try:
            return _chooser_action(choice)
        except ReplyError:
            continue
    return None


def apply_verdict(reply: Mapping[str, Any], proposed: SkillCall) -> SkillCall:
    """The final call: a readable replacement, else the proposal.

    A verifier may not end an episode: the terminal action is refused as a replacement.
    """
    if not _wants_replacement(reply):
        return proposed
    replacement = _replacement(reply)
    if replacement is None or is_stop(replacement):
        return proposed
    return replacement


def _violation(reply: Mapping[str, Any], proposed: SkillCall) -> str | None:
    if not _wants_replacement(reply):
        return None
    replacement = _replacement(reply)
    if replacement is None:
        return "the replacement could not be read"
    if is_stop(replacement):
        return "the terminal action is not a replacement"
    return "the replacement equals the proposal" if replacement == proposed else None


def normalized_record(reply: Mapping[str, Any], proposed: SkillCall, final: SkillCall, version: str) -> dict[str, Any]:
    """All returned fields, the missing ones with defaults, and both actions; ``violation`` names a refused replacement."""
    record = {"verdict": "accept", "reason": "", **reply}
    record |= {
        "visual_state_description": reply.get("lane_observation") or record["reason"],
        "reasoning_and_reflection": record["reason"],
        "executable_plan": [{"action_id": final.action_id, "action_name": final.action_name}],
        "at_target": False,
        "proposed_action": proposed.to_json(),
        "final_action": final.to_json(),
        "verifier_version": version,
    }
    violation = _violation(reply, proposed)
    return record if violation is None else record | {"violation": violation}
