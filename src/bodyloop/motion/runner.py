"""The rolling motion runner: skill calls become world frames, and the last five become the next history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray
from bodyloop.errors import MotionError
from bodyloop.motion.canonical import (
    canonicalize_from_world,
    decanonicalize_joints,
    decanonicalize_xb,
    yaw_transform,
)
from bodyloop.motion.generator import MotionGenerator
from bodyloop.motion.layout import state_to_joints, state_to_velocities, state_to_xb, zero_neck_head
from bodyloop.motion.types import (
    CHUNK_FRAMES,
    HISTORY_FRAMES,
    SKILLS,
    STATE_DIM,
    Condition,
    GeneratedMotion,
)

__all__ = ["FALLBACK_SKILL", "MotionSkillRunner"]

FALLBACK_SKILL = "stand"
"""What an unknown skill name becomes."""


class MotionSkillRunner:
    """Feeds a generator with its own last frames and keeps its place in the motion world.

    The history is what was requested, never what physics made of it. Attributes: ``history`` (5, 219) canonical states,
    ``T_ref`` (4, 4) and ``floor_y``, the place of the canonical frame in the motion world (Y up, metres).
    """

    def __init__(self, generator: MotionGenerator, skills: Sequence[str] = SKILLS) -> None:
        self.generator = generator
        self.skills = tuple(skills)
        self.history: FloatArray | None = None
        self.T_ref: FloatArray = np.eye(4)
        self.floor_y = 0.0

    def load_skills(self, skills: Sequence[str] | None = None) -> None:
        """Make skills ready (all of the runner's by default)."""
        self.generator.load(self.skills if skills is None else skills)

    def unload(self) -> None:
        """Release the skills, the history and the place in the world; the next reset loads again."""
        self.generator.unload()
        self.history, self.T_ref, self.floor_y = None, np.eye(4), 0.0

    def reset(
        self,
        init_offset: Sequence[float] = (0.0, 0.0, 0.0),
        init_yaw: float = 0.0,
        *,
        seed_state: FloatArray | None = None,
    ) -> npt.NDArray[np.float32]:
        """Stand at a start pose; returns its world frame (75,).

        ``init_offset`` is (x, y, height) in the trajectory frame, metres; ``init_yaw`` in degrees, 0 looks along +Z of the
        motion world and positive turns left. The soles come to rest at ``height``. ``seed_state`` (5, 219) replaces the
        generator's own standing frames, whose lowest joint then lies at ``height``.
        """
        seed = np.array(self.generator.seed_state() if seed_state is None else seed_state, dtype=np.float64)
        if seed.shape != (HISTORY_FRAMES, STATE_DIM):
            raise MotionError(f"the motion seed must have shape ({HISTORY_FRAMES}, {STATE_DIM}), not {seed.shape}")
        self.load_skills()
        x, y, height = (float(value) for value in init_offset)
        self.history = zero_neck_head(seed).astype(np.float64)
        self.T_ref = yaw_transform(np.deg2rad(init_yaw), (x, height, -y))
        self.floor_y = 0.0 if seed_state is not None else float(self.generator.seed_floor_y)
        first: npt.NDArray[np.float32] = decanonicalize_xb(state_to_xb(self.history[:1]), self.T_ref, self.floor_y)[
            0
        ].astype(np.float32)
        return first

    def generate(self, skill: str, condition: Condition, seed: int | None = None) -> GeneratedMotion:
        """The next 15 world frames of ``skill``; an unknown skill becomes standing.

        Raises :class:`~bodyloop.errors.MotionError` before the first reset, for a condition the skill cannot mean, and if
        the generator returns a wrong shape or a number that is not finite.
        """
        if self.history is None:
            raise MotionError("generate() before reset(): call reset(init_offset, init_yaw) first")
        skill, condition = (skill, condition) if skill in self.skills else (FALLBACK_SKILL, None)
        future = np.asarray(self.generator.future(self.history, skill, condition, seed), dtype=np.float64)
        if future.shape != (CHUNK_FRAMES, STATE_DIM) or not np.isfinite(future).all():
            raise MotionError(f"generator {self.generator.name!r} gave no finite (15, 219) chunk for skill {skill!r}")
        xb_world = self._advance(future)
        return GeneratedMotion(skill, condition, xb_world, None if self.generator.deterministic else seed)

    def _advance(self, future: FloatArray) -> npt.NDArray[np.float32]:
        """Place a canonical future (15, 219) in the world and make its last five frames the history."""
        xb = zero_neck_head(state_to_xb(future))
        xb_world = decanonicalize_xb(xb, self.T_ref, self.floor_y)
        joints_world = decanonicalize_joints(state_to_joints(future), self.T_ref, self.floor_y)
        tail = slice(-HISTORY_FRAMES, None)
        window = canonicalize_from_world(
            xb_world[tail], joints_world[tail], state_to_velocities(future)[tail], self.T_ref[:3, :3]
        )
        self.history, self.T_ref, self.floor_y = window.state, window.T_ref, window.floor_y
        return xb_world.astype(np.float32)

    def save_state(self) -> Mapping[str, npt.NDArray[np.float64]]:
        """History and place in the world, for a world snapshot."""
        history = np.zeros((0, STATE_DIM)) if self.history is None else self.history.copy()
        return {"history": history, "T_ref": self.T_ref.copy(), "floor_y": np.array(self.floor_y)}

    def restore_state(self, state: Mapping[str, npt.NDArray[np.float64]]) -> None:
        """Continue from a saved state, in place."""
        history = np.array(state["history"], dtype=np.float64)
        self.history = history if len(history) else None
        self.T_ref = np.array(state["T_ref"], dtype=np.float64)
        self.floor_y = float(state["floor_y"])
