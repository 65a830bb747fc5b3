"""Planner and verifier calls, retries, plan state, the authoritative action."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from agent_fakes import ScriptedModel, Step, episode, plan
from PIL import Image

from bodyloop.errors import AuthenticationError, ConfigError, ModelError
from bodyloop.household.agent import planner as planner_module
from bodyloop.household.agent.history import _history_item
from bodyloop.household.agent.planner import ACCEPT_FALLBACK, WALK_FALLBACK, PlannerOptions
from bodyloop.household.agent.psv_ego import PSVEgoAgent
from bodyloop.household.agent.verifiers.verdict import apply_verdict, normalized_record
from bodyloop.household.types import PlannerResult

IMAGE = np.arange(4 * 4 * 3, dtype=np.uint8).reshape(4, 4, 3)


class Runner:
    """An agent on scripted replies, keeping the history as the evaluator does."""

    def __init__(self, *replies: Step, options: PlannerOptions | None = None, **model: Any) -> None:
        self.model = ScriptedModel(list(replies), **model)
        self.sleeps: list[float] = []
        self.agent = PSVEgoAgent(self.model, options, sleep=self.sleeps.append)
        self.agent.reset(episode())
        self.history: list[dict[str, Any]] = []

    def act(self) -> PlannerResult:
        result = self.agent.act(IMAGE, self.history, [])
        self.history.append(_history_item(len(self.history), result))
        return result

    def input(self) -> dict[str, Any]:
        prompt = self.model.prompts[-1]
        return json.JSONDecoder().raw_decode(prompt, prompt.index('{\n  "goal"'))[0]  # type: ignore[no-any-return]


def test_one_call_one_action() -> None:
    run = Runner(plan("Turn<left><30>", action_id=2))
    result = run.act()
    assert result.action.skill == "turn"
    assert result.fallback is None
    assert [o.stage for o in result.stage_outputs] == ["percept_mid_low"]
    assert result.stage_outputs[0].usage == {"prompt_tokens": 10, "completion_tokens": 2}
    assert result.verifier["verdict"] == "accept"
    assert result.verifier["verifier_version"] == "none"
    assert result.raw_plan == {
        "visual_state_description": "a couch ahead, 2 m",
        "reasoning_and_reflection": "planner: kept | skiller: lane is clear | verifier: no verification applies to this action",
        "current_subgoal": "cross the room",
        "language_plan": "cross the room",
        "at_target": False,
    }
    assert run.sleeps == []


def test_message_layout_and_lossless_image() -> None:
    run = Runner(plan("Stop/Stand"))
    run.act()
    (message,) = run.model.seen[0]
    assert message["role"] == "user"
    text, image = message["content"]
    assert text["type"] == "text"
    url = image["image_url"]["url"]
    assert url.startswith("data:image/png;base64,")
    decoded = Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1])))
    assert np.array_equal(np.asarray(decoded), IMAGE)


def test_image_is_encoded_once_and_only_when_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    saves: list[str] = []
    real = Image.Image.save

    def counting(self: Image.Image, *args: Any, **kwargs: Any) -> None:
        saves.append("png")
        real(self, *args, **kwargs)

    monkeypatch.setattr(Image.Image, "save", counting)
    Runner("no", "no", plan("Stop/Stand")).act()
    assert len(saves) == 1
    blind = Runner(plan("Stop/Stand"), needs_image=False)
    blind.act()
    assert len(saves) == 1
    assert len(blind.model.seen[0][0]["content"]) == 1


@pytest.mark.parametrize("bad", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3))])
def test_wrong_images_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="ego image"):
        Runner(plan("Stop/Stand")).agent.act(bad, [], [])


UNUSABLE: list[Step] = [ModelError("503"), TimeoutError("slow"), "prose", "{}", plan("Fly"), plan("Walk", action_id=3)]


@pytest.mark.parametrize("bad", UNUSABLE, ids=str)
def test_unusable_replies_are_asked_again_at_the_same_state(bad: Step) -> None:
    run = Runner(bad, plan("Turn<right><20>"))
    result = run.act()
    assert result.action.action_name == "Turn<right><20>"
    assert run.sleeps == [1.0]
    first, second = result.stage_outputs
    assert first.error
    assert second.error is None
    assert first.prompt == second.prompt
    assert run.model.steps == [0, 0]


def test_exhausted_planner_walks_slowly_without_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = checking_verifier([])
    monkeypatch.setattr(planner_module, "resolve_verifier_version", lambda _: verifier)
    run = Runner(plan("Stop/Stand", goal="reach the door"), *(["prose"] * 5), plan("Stop/Stand"), {"verdict": "accept"})
    run.model.replies.insert(1, {"verdict": "accept"})
    run.act()
    result = run.act()
    assert result.action.action_name == "Walk<forward><slow>"
    assert result.fallback == result.verifier["fallback"] == WALK_FALLBACK
    assert run.sleeps == [1.0, 2.0, 4.0, 8.0]
    assert len(result.stage_outputs) == 5
    assert {o.stage for o in result.stage_outputs} == {"percept_mid_low"}
    assert "ReplyError" in str(result.stage_outputs[-1].error)
    assert "slow step forward" in str(result.stage_outputs[-1].error)
    assert result.stage_outputs[-1].raw_output == "prose"
    assert result.planner_skill["mid_level_goal"] == "reach the door"
    assert run.act().fallback is None


def test_empty_reply_never_stops() -> None:
    run = Runner(*(["{}"] * 5))
    result = run.act()
    assert result.action.skill == "walk_forward"
    assert result.raw_plan["at_target"] is False


@pytest.mark.parametrize("error", [AuthenticationError("key refused"), ConfigError("no such deployment")])
def test_credential_and_configuration_errors_end_the_run(error: Exception) -> None:
    run = Runner(error, plan("Stop/Stand"))
    with pytest.raises(type(error)):
        run.act()
    assert run.sleeps == []
    assert len(run.model.seen) == 1


def test_a_defect_of_a_privileged_model_is_not_hidden() -> None:
    with pytest.raises(KeyError):
        Runner(KeyError("bug"), privileged=True).act()


def test_usage_of_a_failed_attempt_is_not_the_one_before() -> None:
    result = Runner(plan("Fly"), ModelError("503"), plan("Stop/Stand")).act()
    assert [bool(o.usage) for o in result.stage_outputs] == [True, False, True]


def test_prompt_input_and_history_bounds() -> None:
    names = [f"Turn<left><{10 + i}>" for i in range(14)]
    run = Runner(*(plan(name, visible_state="x" * 300) for name in names), plan("Stop/Stand"))
    for _ in range(15):
        run.act()
    data = run.input()
    assert list(data) == ["goal", "current_ego_view_image", "current_step", "history"]
    assert data["goal"] == "find the chair"
    assert data["current_ego_view_image"] == "attached"
    assert data["current_step"] == 14
    assert [row["step"] for row in data["history"]] == list(range(4, 14))
    assert data["history"][-1]["action_name"] == names[-1]
    assert data["history"][-1]["visible_state"] == "x" * 217 + "..."
    assert "base64" not in run.model.prompts[-1]


def test_more_history_on_request_but_never_less_than_ten() -> None:
    for configured, shown in ((3, 10), (12, 12)):
        run = Runner(*[plan("Turn<left><10>")] * 14, options=PlannerOptions(max_history=configured))
        for _ in range(14):
            run.act()
        assert len(run.input()["history"]) == shown


def test_plan_horizon_and_age() -> None:
    run = Runner(*[plan("Turn<left><10>", goal="scan")] * 8, options=PlannerOptions(show_plan_age=True))
    state = run.agent.planner.state
    ages, due = [], []
    for _ in range(8):
        run.act()
        ages.append(run.input()["current_mid_level_goal_age"])
        due.append(run.input()["new_mid_level_goal_due"])
    assert ages == [0, 1, 2, 3, 4, 5, 6, 1]
    assert due == [False] * 6 + [True, False]
    assert state.current_plan == "scan"
    run.agent.reset(episode())
    assert run.agent.planner.state.current_plan is None
    assert run.agent.planner.state.decisions == 0


def test_goal_falls_back_to_the_current_plan_then_to_stop() -> None:
    run = Runner(plan("Walk", goal=""), plan("Walk", goal="door"), plan("Walk", mid_level_goal=None))
    assert [run.act().raw_plan["language_plan"] for _ in range(3)] == ["Stop/Stand", "door", "door"]


@pytest.mark.parametrize(("name", "expected"), [("Stop/Stand", True), ("Walk<forward><slow>", False)])
def test_at_target_needs_goal_and_action(name: str, expected: bool) -> None:
    assert Runner(plan(name, goal=" stop/stand ")).act().raw_plan["at_target"] is expected


# -- with a verifier ---------------------------------------------------------------------------------------------


def checking_verifier(calls: list[tuple[str, dict[str, Any], str]]) -> SimpleNamespace:
    """A verifier that checks Stop, and turns flagged turn_for_sit."""

    def route(proposed: Any, info: Any) -> str:
        return "stop" if proposed.skill == "stand" else ("turn" if info.get("turn_for_sit") else "")

    def prompt(goal: str, proposed: Any, info: Any, recent: str) -> str:
        calls.append((proposed.action_name, dict(info), recent))
        return f"check {proposed.action_name} for {goal}"

    return SimpleNamespace(
        VERSION="v0",
        route_prompt=route,
        verifier_prompt=prompt,
        verifier_action=apply_verdict,
        normalize_verifier_plan=lambda reply, proposed, final: normalized_record(reply, proposed, final, "v0"),
    )


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any], str]]:
    calls: list[tuple[str, dict[str, Any], str]] = []
    monkeypatch.setattr(planner_module, "resolve_verifier_version", lambda _: checking_verifier(calls))
    return calls


def replace_by(name: str) -> dict[str, Any]:
    return {"verdict": "replace", "reason": "too far", "final_action_name": name}


def test_only_the_replacement_is_the_action(checked: Sequence[Any]) -> None:
    run = Runner(plan("Stop/Stand", goal="Stop/Stand"), replace_by("Walk<forward><slow>"), plan("Walk"))
    result = run.act()
    assert result.action.action_name == "Walk<forward><slow>"
    assert [o.stage for o in result.stage_outputs] == ["percept_mid_low", "verifier"]
    assert result.raw_plan["at_target"] is False
    assert result.verifier["proposed_action"]["action_name"] == "Stop/Stand"
    run.act()
    row = run.input()["history"][0]
    assert row["action_name"] == "Stop/Stand"
    assert row["verifier_rejection"] == "Stop/Stand was proposed but Walk<forward><slow> was executed; reason: too far"


def test_exhausted_verifier_accepts(checked: Sequence[Any]) -> None:
    run = Runner(plan("Stop/Stand"), *([ModelError("503")] * 5))
    result = run.act()
    assert result.action.skill == "stand"
    assert result.fallback == result.verifier["fallback"] == ACCEPT_FALLBACK
    assert run.sleeps == [1.0, 2.0, 4.0, 8.0]
    assert "accepted" in str(result.stage_outputs[-1].error)
    assert len(result.stage_outputs) == 6


def test_only_the_first_flagged_turn_is_verified(checked: list[tuple[str, dict[str, Any], str]]) -> None:
    flagged: dict[str, Any] = {"additional_info": {"turn_for_sit": "True"}}
    accept = {"verdict": "accept"}
    run = Runner(
        plan("Turn<left><90>", **flagged),
        accept,
        plan("Turn<left><60>", **flagged),  # same sequence: not checked
        plan("Step back<0.20>"),  # closes the sequence
        plan("Turn<left><10>", **flagged),
        replace_by("Walk<forward><slow>"),  # the turn did not run
        plan("Turn<left><20>", **flagged),
        accept,
    )
    for _ in range(5):
        run.act()
    assert [name for name, _, _ in checked] == ["Turn<left><90>", "Turn<left><10>", "Turn<left><20>"]
    assert checked[1][2] == "Turn<left><90> x1; Turn<left><60> x1; action id 5: Step back<0.20> x1"
    assert checked[0][2] == "none"
    assert not run.model.replies
