"""Prompt and verifier versions, and what the prompt must tell."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from bodyloop.errors import ConfigError
from bodyloop.household.actions import SKILL_TABLE, parse_action_name, stop_call
from bodyloop.household.agent import prompts, verifiers
from bodyloop.household.agent.prompts import resolve_prompt_version
from bodyloop.household.agent.verifiers import resolve_verifier_version

INPUT = {"goal": "find the bed \u00e9 {x}", "current_ego_view_image": "attached", "current_step": 3, "history": []}


def test_bundled_versions_resolve() -> None:
    for version in prompts.bundled_prompt_versions():
        assert version == resolve_prompt_version(version).VERSION
    for version in verifiers.bundled_verifier_versions():
        assert version == resolve_verifier_version(version).VERSION
    assert "v1" in prompts.bundled_prompt_versions()
    assert "none" in verifiers.bundled_verifier_versions()


@pytest.mark.parametrize("name", ["v99", "1", "v1.py", "../v1", "", "latest", "v1\n"])
def test_other_prompt_versions_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"not bundled|malformed"):
        resolve_prompt_version(name)


@pytest.mark.parametrize("name", ["v99", "None", "", "verdict"])
def test_other_verifier_versions_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"not bundled|malformed"):
        resolve_verifier_version(name)


def test_a_verifier_without_its_interface_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{verifiers.__name__}.v7"
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(verifiers, "bundled_verifier_versions", lambda: ("v7",))
    with pytest.raises(ConfigError, match="lacks VERSION, route_prompt"):
        resolve_verifier_version("v7")


def test_no_verifier_never_calls() -> None:
    none = resolve_verifier_version("none")
    for call in (stop_call(), parse_action_name("Walk")):
        assert none.route_prompt(call, {"stop_after_sit": True}) == ""
        assert none.verifier_prompt("goal", call, {}, "none") == ""
        assert none.verifier_action({}, call) == call
        assert none.normalize_verifier_plan({}, call, call)["verdict"] == "accept"


def test_prompt_embeds_its_input_unchanged() -> None:
    text = resolve_prompt_version("v1").render(INPUT)
    assert json.dumps(INPUT, indent=2, ensure_ascii=False) in text
    assert "{input}" not in text
    assert "{{" not in text


def test_prompt_shows_every_skill_in_a_form_that_parses() -> None:
    text = resolve_prompt_version("v1").render(INPUT)
    shown = text[text.index("exactly in these forms:") + 23 : text.index("The picture of this step")]
    names = [part.strip(" .\n") for part in shown.split(", ")]
    calls = [parse_action_name(name) for name in names]
    assert {call.skill for call in calls} == {spec.skill for spec in SKILL_TABLE}
    assert [call.action_name for call in calls] == names


@pytest.mark.parametrize(
    "needed",
    ["blue", "bottom centre", "two to three seconds", "half a second", "history", "closed door", "one consistent direction",
     "turn_for_sit", "stop_after_sit", "never a pause", "0.2 m", "0.4 m", "0.6 m", "10 to 120", "0.15 to 0.85", "three or four",
     "lane close to your body", "whether the target is visible"],
)  # fmt: skip
def test_prompt_content(needed: str) -> None:
    assert needed in resolve_prompt_version("v1").render(INPUT)
