"""Options of the half-physics controller; everything is checked before the engine is touched."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from bodyloop.errors import ConfigError

__all__ = [
    "GRAVITY_M_S2",
    "MAX_TURN_PER_FRAME_RAD",
    "GravityMode",
    "HalfPhysicsOptions",
    "OptionTypeError",
    "VerticalCommand",
    "angular_speed_limit",
    "normalize_gain_map",
    "normalize_schedule",
]

GravityMode = Literal["pre", "substep", "midpoint"]
VerticalCommand = Literal["none", "requested"]

GRAVITY_M_S2: Final = 9.8
MAX_TURN_PER_FRAME_RAD: Final = math.radians(30.0)


class OptionTypeError(ConfigError, TypeError):
    """An option has the wrong type."""


@dataclass(frozen=True)
class HalfPhysicsOptions:
    """How one requested frame is resolved. Wrong values raise ``ConfigError``, wrong types ``OptionTypeError``."""

    root_gravity_scale: float = 1.0
    """Share of gravity on the root; 0 switches it off."""
    root_gravity_mode: GravityMode = "midpoint"
    """When the root receives gravity: once per frame, before every substep, or half before and half after it."""
    inherit_downward_root_y_velocity: bool = True
    """With ``root_vertical_command="requested"``: keep the falling speed of the previous frame."""
    pjsc_lambda: float = 1.0
    """Default gain of the position motors."""
    pjsc_lambda_by_link: Mapping[str, float] = field(default_factory=lambda: {"left_ankle": 0.1, "right_ankle": 0.1})
    """Gains by joint number or name; the shoulders and wrists are fixed by the controller."""
    pjsc_substeps: int = 4
    root_linear_xz_command_substeps: tuple[int, ...] = (0, 2)
    """Substeps that write the horizontal root velocity again; contacts may change it on the others."""
    root_vertical_command: VerticalCommand = "none"
    """``none``: gravity and contact alone move the root vertically. ``requested``: the requested rate is written once per frame."""

    def __post_init__(self) -> None:
        scale = _number(self.root_gravity_scale, "root_gravity_scale")
        mode = _choice(self.root_gravity_mode, "root_gravity_mode", get_args(GravityMode))
        vertical = _choice(self.root_vertical_command, "root_vertical_command", get_args(VerticalCommand))
        if not isinstance(self.inherit_downward_root_y_velocity, bool):
            raise OptionTypeError("inherit_downward_root_y_velocity: expected true or false")
        substeps = _substeps(self.pjsc_substeps)
        schedule = normalize_schedule(self.root_linear_xz_command_substeps, substeps)
        set_field = object.__setattr__
        set_field(self, "root_gravity_scale", scale)
        set_field(self, "root_gravity_mode", mode)
        set_field(self, "root_vertical_command", vertical)
        set_field(self, "pjsc_lambda", _number(self.pjsc_lambda, "pjsc_lambda"))
        set_field(self, "pjsc_lambda_by_link", MappingProxyType(normalize_gain_map(self.pjsc_lambda_by_link)))
        set_field(self, "root_linear_xz_command_substeps", schedule)


def normalize_schedule(schedule: Sequence[int], substeps: int) -> tuple[int, ...]:
    """Substeps that carry the horizontal command, in the given order without duplicates.

    They must be integers in [0, substeps) and contain 0.
    """
    where = "root_linear_xz_command_substeps"
    if not isinstance(schedule, Sequence) or isinstance(schedule, (str, bytes)):
        raise OptionTypeError(f"{where}: expected a list of integers, got {schedule!r}")
    for entry in schedule:
        if isinstance(entry, bool) or not isinstance(entry, int):
            raise OptionTypeError(f"{where}: expected integers, got {entry!r}")
        if not 0 <= entry < substeps:
            raise ConfigError(f"{where}: {entry} is outside 0..{substeps - 1}")
    if 0 not in schedule:
        raise ConfigError(f"{where}: substep 0 must carry the command, got {list(schedule)}")
    return tuple(dict.fromkeys(schedule))


def normalize_gain_map(gains: Mapping[Any, Any] | None) -> dict[str, float]:
    """Gains by lower-case name with underscores, or by joint number as text."""
    if gains is None:
        return {}
    if not isinstance(gains, Mapping):
        raise OptionTypeError(f"pjsc_lambda_by_link: expected a mapping from joint to gain, got {gains!r}")
    return {_joint_key(name): _gain(value, name) for name, value in gains.items()}


def angular_speed_limit(dt_s: float) -> float:
    """Largest angular speed of the root and of every joint (rad/s): 30 degrees per frame of ``dt_s`` seconds."""
    if isinstance(dt_s, bool) or not isinstance(dt_s, (int, float)) or not math.isfinite(dt_s) or dt_s <= 0.0:
        raise ConfigError(f"dt: expected a positive number of seconds, got {dt_s!r}")
    return MAX_TURN_PER_FRAME_RAD / dt_s


def _joint_key(name: object) -> str:
    return str(name).strip().lower().replace(" ", "_")


def _gain(value: object, name: object) -> float:
    where = f"pjsc_lambda_by_link[{name!r}]"
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise ConfigError(f"{where}: expected a number, got {value!r}") from None
    return _number(value, where)


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise OptionTypeError(f"{where}: expected a number, got {value!r}")
    if not math.isfinite(value):
        raise ConfigError(f"{where}: expected a finite number, got {value!r}")
    return float(value)


def _choice(value: object, where: str, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str):
        raise OptionTypeError(f"{where}: expected one of {', '.join(allowed)}, got {value!r}")
    if value.lower() not in allowed:
        raise ConfigError(f"{where}: expected one of {', '.join(allowed)}, got {value!r}")
    return value.lower()


def _substeps(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise OptionTypeError(f"pjsc_substeps: expected an integer, got {value!r}")
    if value < 1:
        raise ConfigError(f"pjsc_substeps: expected at least 1, got {value}")
    return value
