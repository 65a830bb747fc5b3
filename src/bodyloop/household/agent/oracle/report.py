"""The oracle's words: what it sees, by ray casts alone, and its replies in the agent's JSON."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from bodyloop.household.actions import SKILL_TABLE
from bodyloop.household.agent.oracle.geometry import bearing, wrap
from bodyloop.household.agent.oracle.state import Decision, Observation

__all__ = ["accept_reply", "planner_reply", "visible_state"]

_SECTORS: Final = ((-math.inf, -35.0, "on the right"), (-35.0, -12.0, "ahead to the right"), (-12.0, 12.0, "ahead"),
                   (12.0, 35.0, "ahead to the left"), (35.0, math.inf, "on the left"))  # fmt: skip


def visible_state(obs: Observation, label: str, free_ahead_m: float) -> str:
    """A sentence about the goal, which claims it only when rays reach it, and one about the lane ahead."""
    lane = f"The floor straight ahead is free for about {free_ahead_m:.1f} m."
    if not obs.visible:
        return f"No {label} in view. {lane}"
    distances = {goal: _offset(obs, goal) for goal in sorted(obs.visible)}
    goal = min(distances, key=lambda g: (float(np.linalg.norm(distances[g])), g))
    degrees = math.degrees(wrap(bearing(distances[goal]) - obs.yaw_rad))
    sector = next(name for low, high, name in _SECTORS if low <= degrees <= high)
    return f"The {label} is visible {sector}, about {float(np.linalg.norm(distances[goal])):.1f} m away. {lane}"


def _offset(obs: Observation, goal: int) -> Any:
    lower, upper = obs.boxes[goal]
    return 0.5 * (lower + upper)[:2] - obs.xy


def planner_reply(
    obs: Observation, decision: Decision, label: str, free_ahead_m: float, way_m: float
) -> dict[str, Any]:
    """All fields of a planner reply."""
    way = f"about {way_m:.1f} m of way are left" if math.isfinite(way_m) else "the way is not known yet"
    return {
        "visible_state": visible_state(obs, label, free_ahead_m),
        "mid_level_progress_analysis": f"The goal is kept; {way}.",
        "mid_level_goal": decision.goal,
        "low_level_action_reasoning": decision.reason,
        "action_id": next(spec.action_id for spec in SKILL_TABLE if spec.skill == decision.call.skill),
        "action_name": decision.call.action_name,
        "additional_info": dict(decision.info),
        "target_visible": bool(obs.visible),
    }


def accept_reply() -> dict[str, Any]:
    """A verifier reply that keeps the proposal."""
    return {
        "verdict": "accept",
        "reason": "planned with full knowledge of the home",
        "final_action_id": None,
        "final_action_name": "",
    }
