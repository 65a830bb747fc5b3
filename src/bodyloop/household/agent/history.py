"""What is remembered between decisions: history items in memory, bounded rows in the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bodyloop.household.types import PlannerResult
from bodyloop.models.text import clip

__all__ = ["MIN_HISTORY_ROWS", "HistoryItem", "history_rows", "recent_actions"]

MIN_HISTORY_ROWS: Final = 10
"""The prompt shows at least this many decisions, whatever is configured."""

HistoryItem = Mapping[str, Any]


def _history_item(step: int, result: PlannerResult) -> dict[str, Any]:
    """The part of one decision that later prompts may need; images, raw replies and usage are not in it."""
    plan = result.raw_plan
    return {
        "step": step,
        "action": result.action.to_json(),
        "action_text": result.action.display_text,
        "visual_state_description": plan.get("visual_state_description", ""),
        "reasoning_and_reflection": plan.get("reasoning_and_reflection", ""),
        "current_subgoal": plan.get("current_subgoal", ""),
        "language_plan": plan.get("language_plan", ""),
        "planner_skill": dict(result.planner_skill),
        "verifier": dict(result.verifier),
    }


def _name(action: Any) -> str:
    return str(action.get("action_name") or action.get("skill") or "") if isinstance(action, Mapping) else ""


def _rejection(verifier: Mapping[str, Any]) -> str | None:
    """Why the proposal did not run, for decisions that the verifier replaced."""
    if str(verifier.get("verdict", "")).strip().lower() != "replace":
        return None
    proposed, final = _name(verifier.get("proposed_action")), _name(verifier.get("final_action"))
    reason = str(verifier.get("reason") or "").strip() or "not given"
    return f"{proposed} was proposed but {final} was executed; reason: {reason}"


def _row(item: HistoryItem) -> dict[str, Any]:
    planner: Mapping[str, Any] = item.get("planner_skill") or {}
    verifier: Mapping[str, Any] = item.get("verifier") or {}
    goal = planner.get("mid_level_goal") or item.get("language_plan") or item.get("current_subgoal")
    progress = planner.get("mid_level_progress_analysis") or item.get("reasoning_and_reflection")
    row = {
        "step": item.get("step"),
        "visible_state": clip(planner.get("visible_state") or item.get("visual_state_description"), 220),
        "mid_level_progress_analysis": clip(progress, 220),
        "mid_level_goal": clip(goal, 160),
        "low_level_action_reasoning": clip(planner.get("low_level_action_reasoning"), 180),
        "action_name": clip(planner.get("action_name") or item.get("action_text"), 80),
    }
    rejection = _rejection(verifier)
    if rejection is not None:
        row["verifier_rejection"] = clip(rejection, 240)
    return row


def history_rows(history: Sequence[HistoryItem], max_history: int = MIN_HISTORY_ROWS) -> list[dict[str, Any]]:
    """Prompt rows of the last decisions, oldest first, every text clipped to its limit."""
    return [_row(item) for item in history[-max(max_history, MIN_HISTORY_ROWS) :]]


def recent_actions(history: Sequence[HistoryItem], limit: int = MIN_HISTORY_ROWS) -> str:
    """Executed actions of the last decisions, run-length grouped: ``A x2; B x1``, or ``none``."""
    groups: list[tuple[str, int]] = []
    for item in history[-limit:]:
        text = str(item.get("action_text") or "")
        if groups and groups[-1][0] == text:
            groups[-1] = (text, groups[-1][1] + 1)
        else:
            groups.append((text, 1))
    return "; ".join(f"{text} x{count}" for text, count in groups) or "none"
