"""The eight public skills: names, ranges, and the strict reading of a model's choice.

The action *name* decides. An action id is optional; when given it must be an integer (or its text) and agree with the
name. Whatever is unknown, empty or contradictory raises :class:`~bodyloop.errors.ReplyError`, so the call can be
repeated; nothing but an explicit ``Stop/Stand`` ever becomes the terminal action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bodyloop.errors import ReplyError
from bodyloop.household.skill_calls import (
    DEFAULT_SIDE_STEP_M,
    DEFAULT_SIT_M,
    DEFAULT_STEP_BACK_M,
    DEFAULT_TURN_DEG,
    SIDE_STEP_RANGE_M,
    SIT_RANGE_M,
    STEP_BACK_RANGE_M,
    TURN_RANGE_DEG,
    WALK_DISTANCES_M,
    climb_call,
    descend_call,
    is_stop,
    side_step_call,
    sit_call,
    step_back_call,
    stop_call,
    turn_call,
    walk_call,
)
from bodyloop.household.types import SkillCall

__all__ = [
    "SIDE_STEP_RANGE_M",
    "SIT_RANGE_M",
    "SKILL_TABLE",
    "STEP_BACK_RANGE_M",
    "TURN_RANGE_DEG",
    "WALK_DISTANCES_M",
    "SkillSpec",
    "climb_call",
    "descend_call",
    "is_stop",
    "parse_action_name",
    "side_step_call",
    "sit_call",
    "step_back_call",
    "stop_call",
    "turn_call",
    "walk_call",
]


@dataclass
class _Arguments:
    """Recognized pieces of the text after the skill's own words."""

    direction: str | None = None
    speed: str | None = None
    number: float | None = None
    unit: str | None = None


@dataclass(frozen=True)
class SkillSpec:
    """One row of the skill table."""

    action_id: int
    skill: str
    form: str
    """Canonical form shown to models."""
    openings: tuple[str, ...]
    """Accepted first words, longest first."""
    build: Callable[[_Arguments], SkillCall]
    directions: tuple[str, ...] = ()
    speeds: tuple[str, ...] = ()
    unit: str | None = None
    """``m``, ``deg`` or ``None`` when the skill takes no number."""
    fillers: frozenset[str] = field(default_factory=frozenset)
    """Words without meaning of their own that may follow."""


def _build_walk(arguments: _Arguments) -> SkillCall:
    speed = arguments.speed or "slow"
    if arguments.number is not None:
        named = [name for name, distance in WALK_DISTANCES_M.items() if abs(distance - arguments.number) < 1e-9]
        if not named or (arguments.speed and arguments.speed != named[0]):
            raise ReplyError("Walk takes the speed slow, normal or fast")
        speed = named[0]
    return walk_call(speed)


def _signed(arguments: _Arguments, default: float) -> float:
    if arguments.direction is None:
        raise ReplyError("the direction left or right is missing")
    size = default if arguments.number is None else arguments.number
    return -max(size, 1e-9) if arguments.direction == "right" else size


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


_STAIR_WORDS: Final = frozenset({"the", "stairs", "stair", "step", "up", "down", "normal", "one", "riser"})

SKILL_TABLE: Final = (
    SkillSpec(
        0,
        "walk_forward",
        "Walk<forward><slow|normal|fast>",
        ("walk forward", "walk"),
        _build_walk,
        directions=("forward",),
        speeds=tuple(WALK_DISTANCES_M),
        unit="m",
        fillers=frozenset({"speed", "at", "a", "pace"}),
    ),
    SkillSpec(1, "stand", "Stop/Stand", ("stop/stand", "stop stand", "stop", "stand"), lambda _: stop_call()),
    SkillSpec(
        2,
        "turn",
        "Turn<left|right><10-120>",
        ("turn",),
        lambda a: turn_call(_signed(a, DEFAULT_TURN_DEG)),
        directions=("left", "right"),
        unit="deg",
        fillers=frozenset({"by", "in", "place", "to", "the"}),
    ),
    SkillSpec(
        3,
        "step_climb_up",
        "Climb upstairs<normal>",
        ("climb upstairs", "climb up", "climb"),
        lambda _: climb_call(),
        fillers=_STAIR_WORDS - {"down"},
    ),
    SkillSpec(
        4,
        "sit",
        "Sit down<0.15-0.85>",
        ("sit down", "sit"),
        lambda a: sit_call(_or(a.number, DEFAULT_SIT_M)),
        unit="m",
        fillers=frozenset({"height", "seat", "at", "on", "the"}),
    ),
    SkillSpec(
        5,
        "step_back",
        "Step back<0.10-0.60>",
        ("step backwards", "step backward", "step back", "back up", "backwards", "backward", "back"),
        lambda a: step_back_call(_or(a.number, DEFAULT_STEP_BACK_M)),
        unit="m",
        fillers=frozenset({"by", "distance"}),
    ),
    SkillSpec(
        6,
        "side_walk",
        "Side step<left|right><0.10-0.50>",
        ("side step", "side-step", "sidestep", "side walk", "sidewalk"),
        lambda a: side_step_call(_signed(a, DEFAULT_SIDE_STEP_M)),
        directions=("left", "right"),
        unit="m",
        fillers=frozenset({"by", "to", "the", "distance"}),
    ),
    SkillSpec(
        7,
        "step_climb_down",
        "Walk downstairs<normal>",
        ("walk downstairs", "climb downstairs", "climb down"),
        lambda _: descend_call(),
        fillers=_STAIR_WORDS - {"up"},
    ),
)
"""The public skills; the position is the action id."""

_OPENINGS: Final = sorted(
    ((words, spec) for spec in SKILL_TABLE for words in spec.openings), key=lambda pair: -len(pair[0])
)
_UNITS: Final = {
    "m": ("m", 1.0),
    "meter": ("m", 1.0),
    "meters": ("m", 1.0),
    "metre": ("m", 1.0),
    "metres": ("m", 1.0),
    "cm": ("m", 0.01),
    "deg": ("deg", 1.0),
    "degree": ("deg", 1.0),
    "degrees": ("deg", 1.0),
    "°": ("deg", 1.0),
}
_TOKEN: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)|[^\W\d_]+|°")
_SEPARATORS: Final = re.compile(r"[\s<>(),;:_/]*")


def _find_skill(text: str) -> tuple[SkillSpec, str]:
    """The skill whose words open the text, and the rest of the text."""
    for words, spec in _OPENINGS:
        if text.startswith(words) and not text[len(words) : len(words) + 1].isalnum():
            return spec, text[len(words) :]
    raise ReplyError(f"unknown action {text!r}; the skills are {', '.join(spec.form for spec in SKILL_TABLE)}")


def _tokens(rest: str) -> list[str]:
    """Words, signed numbers and the degree sign; anything else than separators between them is refused."""
    found, end = [], 0
    for match in _TOKEN.finditer(rest):
        if not _SEPARATORS.fullmatch(rest, end, match.start()):
            raise ReplyError(f"cannot read the action argument {rest!r}")
        found.append(match.group())
        end = match.end()
    if not _SEPARATORS.fullmatch(rest.rstrip("."), min(end, len(rest.rstrip(".")))):
        raise ReplyError(f"cannot read the action argument {rest!r}")
    return found


def _set_once(arguments: _Arguments, name: str, value: Any) -> None:
    if getattr(arguments, name) not in (None, value):
        raise ReplyError(f"two values for the {name} of one action")
    setattr(arguments, name, value)


def _read_arguments(spec: SkillSpec, rest: str) -> _Arguments:
    """Assign every token to direction, speed, number or unit; order does not matter, surprises are refused."""
    arguments, scale = _Arguments(), 1.0
    for token in _tokens(rest):
        if token in spec.directions:
            _set_once(arguments, "direction", token)
        elif token in spec.speeds:
            _set_once(arguments, "speed", token)
        elif token in _UNITS and spec.unit == _UNITS[token][0] and arguments.number is not None:
            scale = _UNITS[token][1]
            _set_once(arguments, "unit", token)
        elif spec.unit and token[-1] in "0123456789.":
            if token[0] == "-":
                raise ReplyError(f"{spec.form} takes no negative number; the direction is a word")
            _set_once(arguments, "number", float(token))
        elif token not in spec.fillers:
            raise ReplyError(f"unexpected {token!r} in an action of the form {spec.form}")
    if arguments.number is not None:
        arguments.number *= scale
    return arguments


def parse_action_name(name: str) -> SkillCall:
    """Read an action name.

    Letter case, spacing, units and the order of arguments are free; absent speeds and sizes take their defaults, sizes
    beyond the range are clamped.

    Raises:
        ReplyError: the name is empty, names no skill, or carries arguments that the skill does not take.
    """
    text = " ".join(name.lower().split())
    spec, rest = _find_skill(text)
    if not (spec.directions or spec.speeds or spec.unit):
        rest = re.sub(r"<[^<>]*>", " ", rest)  # a label such as <normal> or <now> carries no choice
    return spec.build(_read_arguments(spec, rest))


def _action_id(value: Any) -> int | None:
    """A typed action id: absent, an integer or its decimal text. Booleans, fractions and objects are refused."""
    if value is None:
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]+\s*", value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(SKILL_TABLE):
        raise ReplyError(f"action_id must be an integer 0..{len(SKILL_TABLE) - 1}, not {value!r}")
    return value


def _chooser_action(reply: Mapping[str, Any]) -> SkillCall:
    """The one validated call that a reply's ``action_name`` (and optional ``action_id``) asks for.

    Raises:
        ReplyError: name missing, empty or unknown; id of a wrong type or out of range; id and name disagree.
    """
    name = reply.get("action_name")
    if not isinstance(name, str) or not name.strip():
        raise ReplyError(f"action_name must be a non-empty text, not {name!r}")
    action_id = _action_id(reply.get("action_id"))
    call = parse_action_name(name)
    if action_id is not None and SKILL_TABLE[action_id].skill != call.skill:
        raise ReplyError(f"action_id {action_id} ({SKILL_TABLE[action_id].form}) contradicts action_name {name!r}")
    return call
