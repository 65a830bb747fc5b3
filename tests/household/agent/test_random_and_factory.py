"""The random model, and building models by name."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from agent_fakes import episode

from bodyloop.errors import ConfigError, MissingFileError
from bodyloop.household.actions import SKILL_TABLE, parse_action_name
from bodyloop.household.agent.factory import BUILT_IN_MODELS, build_model, check_model
from bodyloop.household.agent.history import _history_item
from bodyloop.household.agent.psv_ego import PSVEgoAgent
from bodyloop.household.agent.random_model import RandomModel


def play(seed: int, max_steps: int = 100, name: str = "one") -> list[str]:
    model = RandomModel()
    model.seed_rollout(seed)
    agent = PSVEgoAgent(model)
    agent.reset(episode(name=name, max_steps=max_steps))
    history: list[dict[str, object]] = []
    names = []
    for step in range(max_steps):
        result = agent.act(np.zeros((2, 2, 3), np.uint8), history)
        history.append(_history_item(step, result))
        names.append(str(result.action.action_name))
        if result.action.skill == "stand":
            break
    return names


@pytest.mark.parametrize("max_steps", [1, 7, 100])
def test_it_stops_at_the_last_decision_and_never_before(max_steps: int) -> None:
    for seed in range(3):
        names = play(seed, max_steps)
        assert len(names) == max_steps
        assert names[-1] == "Stop/Stand"


def test_actions_are_valid_and_all_skills_occur() -> None:
    counts = Counter(parse_action_name(name).skill for seed in range(10) for name in play(seed)[:-1])
    assert set(counts) == {spec.skill for spec in SKILL_TABLE} - {"stand"}
    assert min(counts.values()) > 0.6 * 990 / 7


def test_seed_and_episode_decide() -> None:
    assert play(5) == play(5)
    assert play(5) != play(6)
    assert play(5)[:10] != play(5, name="two")[:10]


def test_a_decision_does_not_depend_on_those_before() -> None:
    model = RandomModel(seed=3)
    model.reset(episode())
    model.current_episode_step = 17
    alone = json.loads(model.respond([]))
    assert alone["action_name"] == play_named(3)[17]


def play_named(seed: int) -> list[str]:
    return play(seed, name=episode().name)


def test_build_by_name() -> None:
    for name in BUILT_IN_MODELS:
        model = build_model(name)
        assert model.name == name
        assert model is not build_model(name)
    assert build_model("oracle").privileged
    assert not build_model("random").privileged


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("orcale", r"did you mean 'oracle'"),
        ("gpt", r"accepted: oracle, random"),
        ("my_model.json", r"my_model\.json does not exist.*oracle, random"),
        ("", r"accepted: oracle, random"),
    ],
)
def test_other_models_are_refused(name: str, message: str) -> None:
    for function in (check_model, build_model):
        with pytest.raises((ConfigError, MissingFileError), match=message):
            function(name)
