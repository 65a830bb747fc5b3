"""Skill conditions: meaning, defaults, refusals."""

from __future__ import annotations

import pytest

from bodyloop.errors import MotionError
from bodyloop.motion.analytic.conditions import condition_numbers
from bodyloop.motion.types import SKILLS


@pytest.mark.parametrize(
    ("skill", "condition", "numbers"),
    [
        ("walk_forward", (0.0, 0.4, 0.0), (0.0, 0.4, 0.0)),
        ("walk_forward", [0.0, 0.4], (0.0, 0.4, 0.0)),
        ("turn", -90, (-90.0,)),
        ("step_climb_up", [0.28, 0.30], (0.28, 0.30)),
        ("sit", 0.45, (0.45,)),
        ("sit", [0.45], (0.45,)),
        ("step_back", (0.0, -0.25), (0.0, -0.25)),
        ("step_back", 0.25, (0.0, -0.25)),
        ("side_walk", -0.3, (-0.3,)),
        ("step_climb_down", (0.20, 0.40), (0.20, 0.40)),
        ("stand", None, ()),
        ("stand", "whatever", ()),
    ],
)
def test_accepted(skill: str, condition: object, numbers: tuple[float, ...]) -> None:
    assert condition_numbers(skill, condition) == pytest.approx(numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("skill", "condition", "words"),
    [
        ("walk_forward", None, "finite"),
        ("walk_forward", 0.4, "needs the condition"),
        ("walk_forward", (0.0, 5.0, 0.0), "z_m"),
        ("turn", float("nan"), "finite"),
        ("turn", "left", "finite"),
        ("turn", 400.0, "yaw_deg"),
        ("sit", 3.0, "height_m"),
        ("step_back", (0.0, 0.2), "z_m"),
        ("step_climb_up", 0.28, "needs the condition"),
    ],
)
def test_refused(skill: str, condition: object, words: str) -> None:
    with pytest.raises(MotionError, match=words):
        condition_numbers(skill, condition)  # type: ignore[arg-type]


def test_every_skill_has_a_meaning() -> None:
    for skill in SKILLS:
        try:
            condition_numbers(skill, None)
        except MotionError:
            continue
        assert skill == "stand"
