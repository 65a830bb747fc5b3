"""Values that cross the motion boundary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "CHUNK_FRAMES",
    "FPS",
    "HISTORY_FRAMES",
    "SKILLS",
    "STATE_DIM",
    "XB_DIM",
    "Condition",
    "GeneratedMotion",
]

FPS: Final = 30.0
CHUNK_FRAMES: Final = 15
HISTORY_FRAMES: Final = 5
STATE_DIM: Final = 219
XB_DIM: Final = 75

SKILLS: Final = (
    "walk_forward",
    "stand",
    "turn",
    "step_climb_up",
    "sit",
    "step_back",
    "side_walk",
    "step_climb_down",
)
"""Skill keys; the position is the public action id."""

Condition = float | Sequence[float] | None


@dataclass(frozen=True, eq=False)
class GeneratedMotion:
    """One requested chunk, before physics."""

    skill: str
    condition: Condition
    xb_world_75: npt.NDArray[np.float32]
    """(15, 75): root translation 3, root axis-angle 3, 23 body joints x 3; motion world, Y up, metres and radians."""
    noise_seed: int | None = None
    """Seed of the generator's noise; ``None`` for a deterministic generator."""
