"""The oracle as a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bodyloop.errors import ModelError
from bodyloop.household.agent.oracle.geometry import forward
from bodyloop.household.agent.oracle.policy import OraclePolicy
from bodyloop.household.agent.oracle.report import accept_reply, planner_reply
from bodyloop.household.agent.oracle.state import observe
from bodyloop.household.privileged import HouseholdView
from bodyloop.models.base import Message

__all__ = ["OracleModel"]

_NO_TOKENS: Final = {"prompt_tokens": 0, "completion_tokens": 0}
_FREE_LIMIT_M: Final = 3.0


class OracleModel:
    """Answers planner and verifier prompts from the simulator's state; the prompt's content plays no part.

    An upper bound and a test of everything below it, marked ``privileged`` in every record.
    """

    name = "oracle"
    privileged = True
    needs_image = False

    def __init__(self) -> None:
        self.last_usage: Mapping[str, Any] = {}
        self.current_episode_step = 0
        self._view: HouseholdView | None = None
        self._policy: OraclePolicy | None = None
        self._answered: tuple[int, str] | None = None

    def attach(self, view: HouseholdView) -> None:
        """Start an episode: everything learned about the one before is dropped.

        Raises:
            ModelError: the episode has no target in the scene.
        """
        self._view = view
        self._answered = None
        episode = view.episode
        if not view.goal_object_ids:
            raise ModelError(
                f"episode {episode.name}: the scene holds no {episode.object_label} that counts as the target"
            )
        self._policy = OraclePolicy(
            view.scene, episode.object_category, episode.object_label, tuple(view.goal_object_ids), episode.max_steps
        )

    def respond(self, messages: Sequence[Message]) -> str:
        """A planner or verifier reply as JSON text; the same decision asked again gets the same reply."""
        self.last_usage = dict(_NO_TOKENS)
        if _is_verifier_request(messages):
            return json.dumps(accept_reply())
        if self._answered is None or self._answered[0] != self.current_episode_step:
            self._answered = (self.current_episode_step, self._plan())
        return self._answered[1]

    def _plan(self) -> str:
        if self._view is None or self._policy is None:
            raise ModelError("the oracle has no view of an episode; attach(view) comes first")
        obs = observe(self._view, self.current_episode_step)
        decision = self._policy.decide(obs)
        free = self._policy.routes.free_length(obs.xy, forward(obs.yaw_rad), _FREE_LIMIT_M)
        label = self._view.episode.object_label
        return json.dumps(planner_reply(obs, decision, label, free, self._policy.way_m))


def _is_verifier_request(messages: Sequence[Message]) -> bool:
    """Verifier prompts ask for a final action, planner prompts never do."""
    for message in messages:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        if any("final_action_name" in part for part in parts):
            return True
    return False
