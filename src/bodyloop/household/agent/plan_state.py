"""Pure pieces of one planner decision: views of the reply, flags, and the small record handed onward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bodyloop.household.actions import is_stop
from bodyloop.household.types import SkillCall

__all__ = ["STOP_AFTER_SIT", "TURN_FOR_SIT", "flag", "is_finish_goal", "text_field"]

TURN_FOR_SIT: Final = "turn_for_sit"
STOP_AFTER_SIT: Final = "stop_after_sit"
_FINISH_GOALS: Final = frozenset({"stop", "stand", "stop/stand", "stop stand"})


def text_field(reply: Mapping[str, Any], key: str) -> str:
    """A reply field as stripped text; absent or null is empty."""
    value = reply.get(key)
    return "" if value is None else str(value).strip()


def _additional_info(reply: Mapping[str, Any]) -> dict[str, Any]:
    info = reply.get("additional_info")
    return dict(info) if isinstance(info, Mapping) else {}


def flag(info: Mapping[str, Any], name: str) -> bool:
    """True for boolean true or the text "true" in any letter case."""
    value = info.get(name)
    return value is True or (isinstance(value, str) and value.strip().lower() == "true")


def is_finish_goal(goal: str) -> bool:
    """True when a mid-level goal says that everything is done."""
    return goal.strip().lower() in _FINISH_GOALS


def _planner_from_plan_skill(reply: Mapping[str, Any]) -> dict[str, Any]:
    """The planning fields of a planner reply."""
    goal = text_field(reply, "mid_level_goal")
    return {
        "visible_state": text_field(reply, "visible_state"),
        "plan_status": "finish" if is_finish_goal(goal) else "continue",
        "plan": goal,
        "reason": text_field(reply, "mid_level_progress_analysis"),
    }


def _skiller_from_plan_skill(reply: Mapping[str, Any]) -> dict[str, Any]:
    """The executable fields of a planner reply."""
    return {
        "plan_following_state": text_field(reply, "mid_level_progress_analysis"),
        "skill_reason": text_field(reply, "low_level_action_reasoning"),
        "current_subgoal": text_field(reply, "mid_level_goal"),
        "action_id": reply.get("action_id"),
        "action_name": reply.get("action_name"),
        "additional_info": _additional_info(reply),
    }


def _combined_raw_plan(
    planner: Mapping[str, Any], skiller: Mapping[str, Any], verifier: Mapping[str, Any], final: SkillCall, plan: str
) -> dict[str, Any]:
    """The small view of a decision for environment and history; ``plan`` is the goal in force."""
    reasons = (
        f"planner: {planner['reason']}",
        f"skiller: {skiller['skill_reason']}",
        f"verifier: {text_field(verifier, 'reason')}",
    )
    return {
        "visual_state_description": planner["visible_state"],
        "reasoning_and_reflection": " | ".join(reasons),
        "current_subgoal": skiller["current_subgoal"] or plan,
        "language_plan": plan,
        "at_target": planner["plan_status"] == "finish" and is_stop(final),
    }
