"""The rolling runner, with fixed futures in place of a generator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bodyloop.errors import MotionError
from bodyloop.motion.layout import ORIENT
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.motion.types import SKILLS, Condition

Array = npt.NDArray[np.float64]


class FixedFutures:
    """Returns given futures one after the other and notes the calls."""

    name = "fixed"
    seed_floor_y = 0.0

    def __init__(self, futures: npt.NDArray[np.floating], deterministic: bool = True) -> None:
        self.futures = futures
        self.deterministic = deterministic
        self.calls: list[tuple[str, Condition, int | None]] = []
        self.loaded: tuple[str, ...] = ()

    def load(self, skills: Sequence[str]) -> None:
        self.loaded = tuple(skills)

    def unload(self) -> None:
        self.loaded = ()

    def seed_state(self) -> Array:
        return np.zeros((5, 219))

    def future(self, history: Array, skill: str, condition: Condition, seed: int | None = None) -> Array:
        self.calls.append((skill, condition, seed))
        return np.asarray(self.futures[len(self.calls) - 1], dtype=np.float64)


def check_runner(reference: Any, data: dict[str, npt.NDArray[np.floating]], calls: int) -> None:
    fixed = FixedFutures(data["runner/predicted_futures"])
    runner = MotionSkillRunner(fixed)
    xb = runner.reset(
        tuple(data["runner/init_offset"]), float(data["runner/init_yaw_deg"]), seed_state=data["runner/seed_state"]
    )
    reference.close(np.delete(xb, ORIENT), np.delete(data["runner/reset_xb_world"], ORIENT))
    reference.same_rotations(xb[ORIENT], data["runner/reset_xb_world"][ORIENT])
    reference.close(runner.T_ref, data["runner/T_ref_after_reset"])
    assert runner.history is not None
    reference.close(runner.history, data["runner/history_after_reset"].reshape(5, 219))
    skills = ["walk_forward", "moonwalk", "turn", "sit"]
    for i in range(calls):
        motion = runner.generate(skills[i], None)
        expected = data["runner/xb_world_75"][i]
        reference.close(np.delete(motion.xb_world_75, ORIENT, axis=-1), np.delete(expected, ORIENT, axis=-1))
        reference.same_rotations(motion.xb_world_75[:, ORIENT], expected[:, ORIENT])
        reference.close(runner.T_ref, data["runner/T_ref"][i])
        reference.close(runner.floor_y, data["runner/floor_y"][i])
        reference.close(np.delete(runner.history, ORIENT, -1), np.delete(data["runner/history"][i], ORIENT, -1))
        reference.same_rotations(runner.history[:, ORIENT], data["runner/history"][i][:, ORIENT])


def test_small_case(reference: Any) -> None:
    check_runner(reference, reference.load(reference.small), calls=1)


def test_reference_case(conformance_dir: Path, reference: Any) -> None:
    check_runner(reference, reference.load(conformance_dir / "household" / "canonicalization.npz"), calls=4)


def futures(count: int = 3) -> Array:
    return np.random.default_rng(0).normal(size=(count, 15, 219)) * 0.1


def test_unknown_skill_becomes_standing_without_condition() -> None:
    fixed = FixedFutures(futures())
    runner = MotionSkillRunner(fixed)
    runner.reset()
    motion = runner.generate("moonwalk", 3.0)
    assert fixed.calls == [("stand", None, None)]
    assert (motion.skill, motion.condition) == ("stand", None)


def test_seed_is_recorded_only_for_generators_that_use_it() -> None:
    for deterministic, expected in ((True, None), (False, 7)):
        runner = MotionSkillRunner(FixedFutures(futures(), deterministic))
        runner.reset()
        assert runner.generate("turn", 10.0, seed=7).noise_seed == expected


def test_saved_state_continues_identically() -> None:
    runner = MotionSkillRunner(FixedFutures(futures()))
    runner.reset((1.0, 2.0, 0.5), 30.0)
    runner.generate("turn", 10.0)
    saved = runner.save_state()
    expected = runner.generate("turn", 10.0).xb_world_75
    other = MotionSkillRunner(FixedFutures(futures()[1:]))
    other.restore_state(saved)
    np.testing.assert_array_equal(other.generate("turn", 10.0).xb_world_75, expected)


def test_state_before_reset_round_trips() -> None:
    runner = MotionSkillRunner(FixedFutures(futures()))
    saved = runner.save_state()
    runner.reset()
    runner.restore_state(saved)
    assert runner.history is None


def test_unload_releases_and_reset_loads_again() -> None:
    fixed = FixedFutures(futures())
    runner = MotionSkillRunner(fixed)
    runner.reset()
    assert fixed.loaded == SKILLS
    runner.unload()
    assert fixed.loaded == ()
    with pytest.raises(MotionError, match="before reset"):
        runner.generate("stand", None)
    runner.reset()
    assert fixed.loaded == SKILLS


@pytest.mark.parametrize("bad", [np.zeros((14, 219)), np.full((15, 219), np.nan)])
def test_bad_futures_are_refused(bad: Array) -> None:
    runner = MotionSkillRunner(FixedFutures(bad[None]))
    runner.reset()
    with pytest.raises(MotionError, match="finite"):
        runner.generate("sit", 0.45)


def test_wrong_seed_shape_is_refused() -> None:
    with pytest.raises(MotionError, match="seed"):
        MotionSkillRunner(FixedFutures(futures())).reset(seed_state=np.zeros((4, 219)))
