"""What a motion generator is: five frames and a skill call in, fifteen frames out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.types import Condition

__all__ = ["MotionGenerator"]


class MotionGenerator(Protocol):
    """A source of motion for the skill runner.

    All states are canonical (see ``motion.canonical``): the last history frame stands above the origin, looks along +Z and
    has its lowest joint at height zero.
    """

    name: str
    deterministic: bool
    """True if the seed has no effect; then no seed is recorded."""

    @property
    def seed_floor_y(self) -> float:
        """Height of the lowest joint of the seed frames above their soles, metres."""
        ...

    def load(self, skills: Sequence[str]) -> None:
        """Make the named skills ready; cheap when they already are."""
        ...

    def unload(self) -> None:
        """Release what :meth:`load` acquired; a later :meth:`load` acquires it again."""
        ...

    def seed_state(self) -> FloatArray:
        """(5, 219) canonical standing frames from which an episode starts."""
        ...

    def future(self, history: FloatArray, skill: str, condition: Condition, seed: int | None = None) -> FloatArray:
        """(15, 219) canonical frames that follow ``history`` (5, 219), a pure function of the arguments.

        Raises :class:`~bodyloop.errors.MotionError` for a condition the skill cannot mean.
        """
        ...
