"""The planner: one call for plan and skill, an optional verifier call, one authoritative action."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bodyloop.household.actions import _chooser_action, walk_call
from bodyloop.household.agent.calls import PLANNER_STAGE, VERIFIER_STAGE, StageCaller, StageResult, any_object
from bodyloop.household.agent.history import MIN_HISTORY_ROWS, HistoryItem, history_rows, recent_actions
from bodyloop.household.agent.image import EgoImage
from bodyloop.household.agent.plan_state import (
    TURN_FOR_SIT,
    _combined_raw_plan,
    _planner_from_plan_skill,
    _skiller_from_plan_skill,
    flag,
)
from bodyloop.household.agent.prompts import resolve_prompt_version
from bodyloop.household.agent.verifiers import resolve_verifier_version
from bodyloop.household.types import FindNavInteractEpisode, PlannerResult, SkillCall, StageOutput
from bodyloop.models.base import Model

__all__ = ["ACCEPT_FALLBACK", "WALK_FALLBACK", "PSVPlanSkillPlanner", "PlannerOptions"]

WALK_FALLBACK: Final = "walk_slow_after_retry_exhausted"
ACCEPT_FALLBACK: Final = "accept_after_retry_exhausted"


@dataclass(frozen=True)
class PlannerOptions:
    """Versions and bounds of the planner."""

    prompt_version: str = "v1"
    verifier_version: str = "none"
    max_history: int = MIN_HISTORY_ROWS
    plan_horizon_steps: int = 6
    show_plan_age: bool = False
    """Tell the model the goal in force, its age in decisions, and when the horizon asks for a new one."""


@dataclass
class PlanState:
    """What the planner carries from one decision to the next."""

    current_plan: str | None = None
    current_step: int = 0
    """Age of the plan in decisions."""
    turn_for_sit_sequence_verified: bool = False
    decisions: int = 0


@dataclass(frozen=True)
class _Verdict:
    final: SkillCall
    record: Mapping[str, Any]
    attempts: tuple[StageOutput, ...] = ()
    fallback: str | None = None


@dataclass
class PSVPlanSkillPlanner:
    """Turns image, instruction and bounded history into one :class:`PlannerResult` per decision."""

    model: Model
    options: PlannerOptions = field(default_factory=PlannerOptions)
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self._prompt = resolve_prompt_version(self.options.prompt_version)
        self._verifier = resolve_verifier_version(self.options.verifier_version)
        self._caller = StageCaller(self.model, sleep=self.sleep)
        self._goal = ""
        self.state = PlanState()

    def reset(self, episode: FindNavInteractEpisode) -> None:
        """Forget everything and take the episode's instruction."""
        self._goal = episode.instruction
        self.state = PlanState()

    def _call_with_retries(
        self, stage: str, prompt: str, image: EgoImage, check: Callable[[Mapping[str, Any]], object]
    ) -> StageResult:
        return self._caller._call_with_retries(stage, prompt, image, self.state.decisions, check)

    def _call(self, stage: str, prompt: str, image: EgoImage) -> StageOutput:
        """One attempt of a stage without repetition."""
        check = self._chooser_action if stage == PLANNER_STAGE else any_object
        return self._caller._call(stage, prompt, image, self.state.decisions, check)

    def _plan_skill_history(self, history: Sequence[HistoryItem]) -> list[dict[str, Any]]:
        """Bounded semantic history: no images, no raw replies, no usage."""
        return history_rows(history, self.options.max_history)

    def _plan_skill_prompt(self, history: Sequence[HistoryItem]) -> str:
        """The planner prompt of this decision."""
        data: dict[str, Any] = {
            "goal": self._goal,
            "current_ego_view_image": "attached",
            "current_step": self.state.decisions,
            "history": self._plan_skill_history(history),
        }
        if self.options.show_plan_age:
            data["current_mid_level_goal"] = self.state.current_plan
            data["current_mid_level_goal_age"] = self.state.current_step
            data["new_mid_level_goal_due"] = self.state.current_step >= self.options.plan_horizon_steps
        return self._prompt.render(data)

    def _chooser_action(self, reply: Mapping[str, Any]) -> SkillCall:
        """The validated call a reply asks for; see :func:`bodyloop.household.actions._chooser_action`."""
        return _chooser_action(reply)

    def _apply_plan_skill_output(self, planner: Mapping[str, Any]) -> str:
        """Take over a new mid-level goal, or renew the same one at the horizon; returns the goal in force."""
        state = self.state
        plan = str(planner["plan"]) or state.current_plan or "Stop/Stand"
        if plan != state.current_plan or state.current_step >= self.options.plan_horizon_steps:
            state.current_plan, state.current_step = plan, 0
        return plan

    def _gate_turn_for_sit_verifier(self, proposed: SkillCall, info: Mapping[str, Any]) -> dict[str, Any]:
        """Only the first turn of a sitting sequence is verified: later ones lose their flag before routing."""
        gated = dict(info)
        if proposed.skill == "turn" and flag(info, TURN_FOR_SIT) and self.state.turn_for_sit_sequence_verified:
            del gated[TURN_FOR_SIT]
        return gated

    def _update_turn_for_sit_state(self, final: SkillCall, info: Mapping[str, Any]) -> None:
        """A flagged turn that ran as a turn opens (or continues) the sitting sequence; anything else closes it."""
        self.state.turn_for_sit_sequence_verified = final.skill == "turn" and flag(info, TURN_FOR_SIT)

    def _verifier_prompt(self, proposed: SkillCall, info: Mapping[str, Any], history: Sequence[HistoryItem]) -> str:
        """Prompt of the route that applies to the proposal, or empty."""
        if not self._verifier.route_prompt(proposed, info):
            return ""
        return self._verifier.verifier_prompt(self._goal, proposed, info, recent_actions(history))

    def _verifier_action(self, reply: Mapping[str, Any], proposed: SkillCall) -> SkillCall:
        return self._verifier.verifier_action(reply, proposed)

    def _normalize_verifier_plan(
        self, reply: Mapping[str, Any], proposed: SkillCall, final: SkillCall
    ) -> dict[str, Any]:
        return self._verifier.normalize_verifier_plan(reply, proposed, final)

    def _accepted(self, proposed: SkillCall, reason: str, fallback: str | None = None) -> dict[str, Any]:
        """A verifier record without a verifier reply."""
        record = self._normalize_verifier_plan({"verdict": "accept", "reason": reason}, proposed, proposed)
        return record if fallback is None else record | {"fallback": fallback}

    def _verify(
        self, proposed: SkillCall, info: Mapping[str, Any], image: EgoImage, history: Sequence[HistoryItem]
    ) -> _Verdict:
        prompt = self._verifier_prompt(proposed, self._gate_turn_for_sit_verifier(proposed, info), history)
        if not prompt:
            return _Verdict(proposed, self._accepted(proposed, "no verification applies to this action"))
        result = self._call_with_retries(VERIFIER_STAGE, prompt, image, any_object)
        if result.reply is None:
            noted = result.with_note("the proposed action is accepted")
            record = self._accepted(proposed, "the verifier gave no usable reply", ACCEPT_FALLBACK)
            return _Verdict(proposed, record, noted.attempts, ACCEPT_FALLBACK)
        final = self._verifier_action(result.reply, proposed)
        return _Verdict(final, self._normalize_verifier_plan(result.reply, proposed, final), result.attempts)

    def _planner_exhausted(self, result: StageResult) -> tuple[dict[str, Any], _Verdict]:
        """One slow step forward instead of a decision; the goal in force stays."""
        action = walk_call("slow")
        stub = {
            "visible_state": "",
            "mid_level_progress_analysis": "the planner gave no usable reply",
            "mid_level_goal": self.state.current_plan or "",
            "low_level_action_reasoning": "one slow step forward, then plan again",
            "action_id": 0,
            "action_name": action.action_name,
            "additional_info": {},
        }
        noted = result.with_note("one slow step forward is executed instead")
        record = self._accepted(action, "the planner gave no usable reply", WALK_FALLBACK)
        return stub, _Verdict(action, record, noted.attempts, WALK_FALLBACK)

    def act(self, image: EgoImage, history: Sequence[HistoryItem], images: Sequence[EgoImage] = ()) -> PlannerResult:
        """Decide once. ``images`` (earlier views) is part of the interface and not used: one image per call.

        Raises:
            AuthenticationError: the provider refuses the credentials; never repeated.
            ConfigError: the model cannot work as configured.
        """
        del images
        prompt = self._plan_skill_prompt(history)
        result = self._call_with_retries(PLANNER_STAGE, prompt, image, self._chooser_action)
        if result.reply is None:
            reply, verdict = self._planner_exhausted(result)
            outputs = verdict.attempts
            info: Mapping[str, Any] = {}
        else:
            reply = dict(result.reply)
            info = _skiller_from_plan_skill(reply)["additional_info"]
            verdict = self._verify(self._chooser_action(reply), info, image, history)
            outputs = result.attempts + verdict.attempts
        planner, skiller = _planner_from_plan_skill(reply), _skiller_from_plan_skill(reply)
        plan = self._apply_plan_skill_output(planner)
        raw_plan = _combined_raw_plan(planner, skiller, verdict.record, verdict.final, plan)
        self._update_turn_for_sit_state(verdict.final, info)
        self.state.current_step += 1
        self.state.decisions += 1
        return PlannerResult(raw_plan, verdict.final, reply, verdict.record, outputs, verdict.fallback)
