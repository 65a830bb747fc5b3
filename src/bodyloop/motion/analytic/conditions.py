"""What the public skill conditions mean, and which ones a body can follow."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from bodyloop.errors import MotionError
from bodyloop.motion.types import Condition

__all__ = ["CLIMB_CLEARANCE_M", "DESCENT_CLEARANCE_M", "DESCENT_OVERHANG_M", "condition_numbers"]

CLIMB_CLEARANCE_M: Final = 0.11
"""A climb is named by the largest toe height difference on the way: the riser and this clearance."""
DESCENT_CLEARANCE_M: Final = 0.03
DESCENT_OVERHANG_M: Final = 0.10
"""A descent is named by the largest toe distance on the way: the tread and this overhang."""

_RANGES: Final[Mapping[str, tuple[tuple[str, float, float], ...]]] = MappingProxyType(
    {
        "walk_forward": (("x_m", -0.8, 0.8), ("z_m", -0.8, 0.8), ("yaw_deg", -120.0, 120.0)),
        "turn": (("yaw_deg", -180.0, 180.0),),
        "step_climb_up": (("height_m", CLIMB_CLEARANCE_M, 0.40), ("depth_m", 0.10, 0.45)),
        "sit": (("height_m", 0.10, 0.95),),
        "step_back": (("x_m", -0.4, 0.4), ("z_m", -0.8, 0.0)),
        "side_walk": (("x_m", -0.7, 0.7),),
        "step_climb_down": (("height_m", DESCENT_CLEARANCE_M, 0.32), ("depth_m", 0.15, 0.55)),
        "stand": (),
    }
)


def condition_numbers(skill: str, condition: Condition) -> tuple[float, ...]:
    """The numbers of a condition in the order of its skill: metres, and degrees for yaw.

    A scalar step back d means (0, -d); a walk of two numbers gets yaw 0; ``stand`` takes nothing. Raises
    :class:`~bodyloop.errors.MotionError` for a wrong count, a number that is not finite, or one out of reach.
    """
    ranges = _RANGES[skill]
    numbers = _flat(skill, condition) if ranges else []
    if skill == "step_back" and len(numbers) == 1:
        numbers = [0.0, -numbers[0]]
    if skill == "walk_forward" and len(numbers) == 2:
        numbers = [*numbers, 0.0]
    if len(numbers) != len(ranges):
        names = ", ".join(name for name, _, _ in ranges)
        raise MotionError(f"{skill} needs the condition ({names}), not {condition!r}")
    for number, (name, low, high) in zip(numbers, ranges, strict=True):
        if not low <= number <= high:
            raise MotionError(f"{skill}: {name} must be in [{low:g}, {high:g}], not {number:g}")
    return tuple(numbers)


def _flat(skill: str, condition: Condition) -> list[float]:
    try:
        numbers = np.asarray(condition, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if not np.isfinite(numbers).all():
        raise MotionError(f"{skill}: the condition must be finite numbers, not {condition!r}")
    return [float(number) for number in numbers]
