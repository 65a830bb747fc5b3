"""The calls of the eight public skills: their ranges, defaults and canonical names."""

from __future__ import annotations

from typing import Final

from bodyloop.household.types import SkillCall

__all__ = [
    "DEFAULT_SIDE_STEP_M",
    "DEFAULT_SIT_M",
    "DEFAULT_STEP_BACK_M",
    "DEFAULT_TURN_DEG",
    "SIDE_STEP_RANGE_M",
    "SIT_RANGE_M",
    "STEP_BACK_RANGE_M",
    "TURN_RANGE_DEG",
    "WALK_DISTANCES_M",
    "climb_call",
    "descend_call",
    "is_stop",
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
