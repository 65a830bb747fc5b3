"""The household measurement context: declared once, computed only when asked."""

from __future__ import annotations

import pytest

from bodyloop.errors import UnknownNameError
from bodyloop.household.context import HOUSEHOLD_CONTEXT, FrameContext


@pytest.fixture
def context(make_evaluator, make_episode, scripted, bare_rooms):
    evaluator = make_evaluator(scripted(["Stop/Stand"]), metrics=True)
    evaluator._reset_env_for_rollout(make_episode())
    return FrameContext(evaluator.env)


def test_every_declared_array_has_its_declared_shape(context):
    sizes = HOUSEHOLD_CONTEXT.validate({path: context[path] for path in context})
    assert sizes["N"] == 1


def test_values_are_computed_only_when_asked_and_once(context):
    env = context._env
    before = env.counters.contact_queries
    _ = context["body.link_positions"]
    assert env.counters.contact_queries == before
    assert context["contact.count"][0] >= 1
    _ = context["contact.count"]
    assert env.counters.contact_queries == before + 1


def test_an_unknown_path_suggests_the_nearest(context):
    with pytest.raises(UnknownNameError, match=r"body\.root_position"):
        _ = context["body.root_positon"]
