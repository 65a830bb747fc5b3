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

WALK_DISTANCES_M: Final = {"slow": 0.2, "normal": 0.4, "fast": 0.6}
TURN_RANGE_DEG: Final = (10.0, 120.0)
SIT_RANGE_M: Final = (0.15, 0.85)
STEP_BACK_RANGE_M: Final = (0.10, 0.60)
SIDE_STEP_RANGE_M: Final = (0.10, 0.50)

DEFAULT_TURN_DEG: Final = 10.0
DEFAULT_SIT_M: Final = 0.50
DEFAULT_STEP_BACK_M: Final = 0.25
DEFAULT_SIDE_STEP_M: Final = 0.25
CLIMB_CONDITION: Final = (0.28, 0.30)
"""Riser height and tread depth asked of the climbing skill, metres."""
DESCEND_CONDITION: Final = (0.20, 0.40)


def _clamp(value: float, limits: tuple[float, float]) -> float:
    return min(max(float(value), limits[0]), limits[1])


def _clamp_turn_degrees(degrees: float) -> float:
    """Turn size within 10..120 degrees."""
    return _clamp(degrees, TURN_RANGE_DEG)


def _clamp_sit_height(height_m: float) -> float:
    """Seat height within 0.15..0.85 m."""
    return _clamp(height_m, SIT_RANGE_M)


def _clamp_step_back_distance(distance_m: float) -> float:
    """Backward distance within 0.10..0.60 m."""
    return _clamp(distance_m, STEP_BACK_RANGE_M)


def _clamp_side_distance(distance_m: float) -> float:
    """Sideways distance within 0.10..0.50 m."""
    return _clamp(distance_m, SIDE_STEP_RANGE_M)


def walk_call(speed: str = "slow") -> SkillCall:
    """Walk straight ahead; speed ``slow`` (0.2 m), ``normal`` (0.4 m) or ``fast`` (0.6 m)."""
    return SkillCall("walk_forward", (0.0, WALK_DISTANCES_M[speed], 0.0), action_name=f"Walk<forward><{speed}>")


def stop_call() -> SkillCall:
    """The terminal action."""
    return SkillCall("stand", None, action_name="Stop/Stand")


def turn_call(degrees_left: float) -> SkillCall:
    """Turn in place; positive is left. The size is clamped to 10..120 degrees; the name shows whole degrees."""
    size = _clamp_turn_degrees(abs(degrees_left))
    side = "right" if degrees_left < 0 else "left"
    cond = -size if degrees_left < 0 else size
    return SkillCall("turn", cond, action_name=f"Turn<{side}><{round(size)}>")


def climb_call() -> SkillCall:
    """Take one riser up."""
    return SkillCall("step_climb_up", CLIMB_CONDITION, action_name="Climb upstairs<normal>")


def sit_call(height_m: float = DEFAULT_SIT_M) -> SkillCall:
    """Sit down on a seat of this height above the floor."""
    height = _clamp_sit_height(height_m)
    return SkillCall("sit", height, action_id=4, action_name=f"Sit down<{height:.2f}>")


def step_back_call(distance_m: float = DEFAULT_STEP_BACK_M) -> SkillCall:
    """Step backward without turning."""
    distance = _clamp_step_back_distance(distance_m)
    return SkillCall("step_back", (0.0, -distance), action_id=5, action_name=f"Step back<{distance:.2f}>")


def side_step_call(left_m: float) -> SkillCall:
    """Step sideways without turning; positive is left."""
    distance = _clamp_side_distance(abs(left_m))
    side = "right" if left_m < 0 else "left"
    cond = -distance if left_m < 0 else distance
    return SkillCall("side_walk", cond, action_id=6, action_name=f"Side step<{side}><{distance:.2f}>")


def descend_call() -> SkillCall:
    """Take one riser down."""
    return SkillCall("step_climb_down", DESCEND_CONDITION, action_id=7, action_name="Walk downstairs<normal>")


def is_stop(call: SkillCall) -> bool:
    """True for the terminal action."""
    return call.skill == "stand"


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
