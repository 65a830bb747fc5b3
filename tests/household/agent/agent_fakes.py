"""Scripted models and small episodes for the agent tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bodyloop.household.types import FindNavInteractEpisode

Step = str | Exception | Mapping[str, Any] | Callable[[Sequence[Mapping[str, Any]]], str]


def episode(category: str = "chair", **changes: Any) -> FindNavInteractEpisode:
    fields: dict[str, Any] = {
        "name": "hc_find_nav_interact_home_ep0",
        "task_type": "find_nav_interact",
        "instruction": f"find the {category}",
        "scene_id": "home",
        "scene_label": "home",
        "scene_dataset_config": "",
        "episode_id": "0",
        "object_category": category,
        "object_label": category,
        "init_offset": (0.0, 0.0, 0.0),
        "init_yaw": 0.0,
        "max_steps": 100,
        "goals": (),
        "viewpoint_positions": (),
        "goal_objects": (),
        "dataset_start_position": (0.0, 0.0, 0.0),
        "dataset_start_rotation_xyzw": (0.0, 0.0, 0.0, 1.0),
        "geodesic_distance": None,
    }
    return FindNavInteractEpisode(**(fields | changes))


def plan(name: str, goal: str = "cross the room", **changes: Any) -> dict[str, Any]:
    return {
        "visible_state": "a couch ahead, 2 m",
        "mid_level_progress_analysis": "kept",
        "mid_level_goal": goal,
        "low_level_action_reasoning": "lane is clear",
        "action_name": name,
        "additional_info": {},
        **changes,
    }


@dataclass
class ScriptedModel:
    """Answers from a list; exceptions are raised, mappings become JSON."""

    replies: list[Step]
    usage: Mapping[str, Any] = field(default_factory=lambda: {"prompt_tokens": 10, "completion_tokens": 2})
    name: str = "scripted"
    privileged: bool = False
    needs_image: bool = True
    last_usage: Mapping[str, Any] = field(default_factory=dict)
    current_episode_step: int = -1
    seen: list[Sequence[Mapping[str, Any]]] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)

    def respond(self, messages: Sequence[Mapping[str, Any]]) -> str:
        self.seen.append(messages)
        self.steps.append(self.current_episode_step)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        self.last_usage = self.usage
        if callable(reply):
            return reply(messages)
        return reply if isinstance(reply, str) else json.dumps(reply)

    @property
    def prompts(self) -> list[str]:
        return [messages[0]["content"][0]["text"] for messages in self.seen]
