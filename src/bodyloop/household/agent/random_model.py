"""A model that draws valid actions at random: the floor under every score."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from bodyloop.household.actions import (
    SIDE_STEP_RANGE_M,
    SIT_RANGE_M,
    SKILL_TABLE,
    STEP_BACK_RANGE_M,
    TURN_RANGE_DEG,
    WALK_DISTANCES_M,
    climb_call,
    descend_call,
    side_step_call,
    sit_call,
    step_back_call,
    stop_call,
    turn_call,
    walk_call,
)
from bodyloop.household.types import FindNavInteractEpisode, SkillCall
from bodyloop.models.base import Message
from bodyloop.records.seeds import derive_seed

__all__ = ["RandomModel"]

_DEFAULT_MAX_STEPS: Final = 100
_NO_TOKENS: Final = {"prompt_tokens": 0, "completion_tokens": 0}


class RandomModel:
    """Each of the seven skills that go on is equally likely, its arguments uniform over their range.

    It never stops before the last allowed decision, and stops there. Every decision has a generator of its own, so the
    same seed, episode and rollout give the same actions whatever happened before.
    """

    name = "random"
    privileged = False
    needs_image = False

    def __init__(self, seed: int = 0) -> None:
        self.last_usage: Mapping[str, Any] = {}
        self.current_episode_step = 0
        self._seed = seed
        self._episode_id = ""
        self._max_steps = _DEFAULT_MAX_STEPS

    def seed_rollout(self, seed: int) -> None:
        """Take the seed of the rollout about to start."""
        self._seed = seed

    def reset(self, episode: FindNavInteractEpisode) -> None:
        """Take the episode's name and decision limit."""
        self._episode_id = episode.name
        self._max_steps = episode.max_steps

    def respond(self, messages: Sequence[Message]) -> str:  # noqa: ARG002
        """A planner reply as JSON text; the messages play no part."""
        self.last_usage = dict(_NO_TOKENS)
        last = self.current_episode_step >= self._max_steps - 1
        call = stop_call() if last else _draw(self._generator())
        reply: dict[str, Any] = {
            "visible_state": "Not looked at.",
            "mid_level_progress_analysis": "Actions are drawn at random.",
            "mid_level_goal": "Stop/Stand" if last else "Move about at random",
            "low_level_action_reasoning": "this is the last decision" if last else "drawn at random",
            "action_id": next(spec.action_id for spec in SKILL_TABLE if spec.skill == call.skill),
            "action_name": call.action_name,
            "additional_info": {},
        }
        return json.dumps(reply)

    def _generator(self) -> np.random.Generator:
        seed = derive_seed(self._seed, "household", self._episode_id, 0, "random model", self.current_episode_step)
        return np.random.Generator(np.random.PCG64(seed))


def _draw(rng: np.random.Generator) -> SkillCall:
    def between(limits: tuple[float, float]) -> float:
        return round(float(rng.uniform(*limits)), 2)

    sign = 1.0 if rng.integers(2) else -1.0
    options: tuple[SkillCall, ...] = (
        walk_call(list(WALK_DISTANCES_M)[rng.integers(len(WALK_DISTANCES_M))]),
        turn_call(sign * round(between(TURN_RANGE_DEG))),
        climb_call(),
        sit_call(between(SIT_RANGE_M)),
        step_back_call(between(STEP_BACK_RANGE_M)),
        side_step_call(sign * between(SIDE_STEP_RANGE_M)),
        descend_call(),
    )
    return options[int(rng.integers(len(options)))]
