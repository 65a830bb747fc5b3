"""Evaluation over a library of motions: coverage, valid frames and resets to motion starts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bodyloop.errors import ConfigError
from bodyloop.evaluation.config import EvaluatorConfig
from bodyloop.evaluation.evaluator import BaseEvaluator, EvaluationEnv, EvaluationPolicy, TrialBatch
from bodyloop.evaluation.result import EvaluationResult

__all__ = ["MimicEnv", "MimicEvaluator", "MimicEvaluatorConfig", "MotionTable", "valid_frames"]


@dataclass(frozen=True)
class MotionTable:
    """Lengths of the motions of a library; a motion's number is its position."""

    num_frames: tuple[int, ...]
    """Stored frames, the first one at time 0."""
    fps: tuple[Fraction | int, ...]
    """Stored frames per second, exact: 29.97 is ``Fraction(2997, 100)``."""

    def __post_init__(self) -> None:
        if len(self.num_frames) != len(self.fps) or any(rate <= 0 for rate in self.fps):
            raise ConfigError("motion table: expected one positive rate per motion")

    def __len__(self) -> int:
        return len(self.num_frames)


class MimicEnv(EvaluationEnv, Protocol):
    """An environment that follows motions of a library."""

    @property
    def motions(self) -> MotionTable:
        """The library."""

    @property
    def control_hz(self) -> Fraction | int:
        """Control steps per second, exact."""

    @property
    def fixed_motion_ids(self) -> Sequence[int] | None:
        """The motion that each environment's scene is paired with; None when any environment can take any motion."""

    def reset_to_motions(self, env_ids: npt.NDArray[np.int64], motion_ids: npt.NDArray[np.int64]) -> None:
        """Start some rows at time 0 of motions, on flat ground, without random offsets in time."""


@dataclass
class MimicEvaluatorConfig(EvaluatorConfig):
    """Evaluation of motion tracking."""

    exclude_motions: tuple[int, ...] = ()
    """Motions left out."""


def valid_frames(num_frames: int, fps: Fraction | int, control_hz: Fraction | int) -> int:
    """Control steps after the start that lie within a motion; exact, so that no rounding loses one."""
    return max(0, int((num_frames - 1) * Fraction(control_hz) / Fraction(fps)))


class MimicEvaluator(BaseEvaluator):
    """Gives every motion of the library one trial over its valid frames, from its start.

    Motions take environments in ascending order. With scenes paired to motions there is one batch: each motion is scored
    on the first environment that holds it, and a motion that none holds is listed as unmeasured.
    """

    config: MimicEvaluatorConfig
    env: MimicEnv

    def __init__(self, config: MimicEvaluatorConfig, env: MimicEnv, policy: EvaluationPolicy, **options: Any) -> None:
        """Options are those of :class:`BaseEvaluator`.

        Raises:
            ConfigError: The configuration is not acceptable, or excludes a motion that does not exist.
        """
        super().__init__(config, env, policy, **options)
        unknown = [motion for motion in config.exclude_motions if not 0 <= motion < len(env.motions)]
        if unknown:
            raise ConfigError(f"exclude_motions: {unknown[0]} is not one of the {len(env.motions)} motions")

    def plan(self) -> Iterator[TrialBatch]:
        """Batches over all motions that are not excluded."""
        motions = [motion for motion in range(len(self.env.motions)) if motion not in self.config.exclude_motions]
        if self.env.fixed_motion_ids is None:
            yield from self._chunks(motions, scored=True)
            return
        held = list(self.env.fixed_motion_ids)
        first = [motion if motion in motions and held.index(motion) == i else -1 for i, motion in enumerate(held)]
        yield TrialBatch(first, [self.window(motion) if motion >= 0 else 0 for motion in first])
        yield from self._chunks([motion for motion in motions if motion not in held], scored=False)

    def full_window(self, motion: int) -> int:
        """Valid frames of a motion."""
        table = self.env.motions
        return valid_frames(table.num_frames[motion], table.fps[motion], self.env.control_hz)

    def window(self, motion: int) -> int:
        """Frames scored of a motion: its valid frames, capped by ``max_eval_steps``."""
        return min(self.full_window(motion), self.config.max_eval_steps)

    def reset_envs(self, env_ids: npt.NDArray[np.int64], batch: TrialBatch) -> None:
        """Start scored rows at their motions; others as the environment pleases."""
        motions = np.asarray(batch.trial_ids, np.int64)[env_ids]
        tracking = motions >= 0
        if tracking.any():
            self.env.reset_to_motions(env_ids[tracking], motions[tracking])
        if not tracking.all():
            self.env.reset(env_ids[~tracking])

    def evaluate(self) -> EvaluationResult:
        """As the base class; says also how many motions were capped, and which no environment holds."""
        result = super().evaluate()
        if not self.config.enabled:
            return result
        outcomes = result.outcomes
        capped = sum(self.full_window(int(motion)) > self.config.max_eval_steps for motion in outcomes.trial_id)
        notes = result.notes
        if self.env.fixed_motion_ids is not None:
            missing = sorted({int(motion) for motion in outcomes.trial_id} - set(self.env.fixed_motion_ids))
            notes += (f"unmeasured for lack of an environment: motions {missing}",) if missing else ()
        return dataclasses.replace(result, logs={**result.logs, "eval/capped_motions": float(capped)}, notes=notes)

    def _chunks(self, motions: Sequence[int], *, scored: bool) -> Iterator[TrialBatch]:
        count = self.env.num_envs
        for start in range(0, len(motions), count):
            ids = list(motions[start : start + count])
            windows = [self.window(motion) if scored else 0 for motion in ids]
            idle = count - len(ids)
            yield TrialBatch(ids + [-1] * idle, windows + [0] * idle)
