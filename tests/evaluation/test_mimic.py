from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bodyloop.errors import ConfigError
from bodyloop.evaluation import (
    ControlComponent,
    MdpComponent,
    MimicEvaluator,
    MimicEvaluatorConfig,
    MotionTable,
    ThresholdFailure,
    valid_frames,
)


class _Tracker(ControlComponent):
    def __init__(self, num_envs):
        super().__init__(num_envs)
        self.motion = self.state.add("motion", (), np.int64, -1)
        self.step = self.state.add("step", (), np.int64)


class _Env:
    """Measures 1 in motions named bad from their second frame on, else a tenth of the step."""

    def __init__(self, num_envs, frames, *, fixed=None, bad=(), fps=30, control_hz=30):
        self.num_envs, self.control_hz, self.fixed_motion_ids, self.bad = num_envs, control_hz, fixed, bad
        self.motions = MotionTable(tuple(frames), (fps,) * len(frames))
        self.tracker, self.starts, self.plain, self.steps = _Tracker(num_envs), [], [], 0

    def begin_evaluation(self):
        pass

    def reset(self, env_ids):
        self.plain.append(env_ids.tolist())
        self.tracker.reset(env_ids)

    def reset_to_motions(self, env_ids, motion_ids):
        self.starts.append(list(zip(env_ids.tolist(), motion_ids.tolist(), strict=True)))
        self.tracker.step[env_ids] = 0
        self.tracker.motion[env_ids] = motion_ids

    def observe(self):
        return None

    def step(self, action):
        self.steps += 1
        self.tracker.step += 1
        return np.zeros(self.num_envs, bool)

    def context(self):
        bad = np.isin(self.tracker.motion, self.bad) & (self.tracker.step >= 2)
        return {"value": np.where(bad, 1.0, self.tracker.step / 1000 + self.tracker.motion / 100)}

    def snapshot_parts(self):
        return {"tracker": self.tracker}


class _Policy:
    def begin_evaluation(self):
        pass

    def reset_context(self, env_ids):
        pass

    def act(self, observation):
        return None

    def snapshot_parts(self):
        return {}


def _evaluate(component: MdpComponent, env, **options):
    rules = {"lost": ThresholdFailure(component, 0.5)}
    config = MimicEvaluatorConfig({"error": component}, rules, "eval/success_rate", **options)
    return MimicEvaluator(config, env, _Policy()).evaluate()


def test_every_motion_is_scored_over_its_valid_frames_from_its_start(component):
    env = _Env(2, [4, 6, 1, 3, 5], bad=[3])
    result = _evaluate(component, env)
    assert result.outcomes.trial_id.tolist() == [0, 1, 2, 3, 4]
    assert result.outcomes.frames.tolist() == [3, 5, 0, 2, 4]
    assert result.outcomes.env.tolist() == [0, 1, -1, 1, 0]
    assert [row["status"] for row in result.outcomes.rows()] == ["passed", "passed", "unmeasured", "failed", "passed"]
    assert (result.count, result.score) == (4, 0.75)
    assert env.starts[0] == [(0, 0), (1, 1)]
    assert env.plain[-1] == [1]
    assert env.steps == 5 + 2 + 4
    assert env.tracker.motion.tolist() == [-1, -1]


@pytest.mark.parametrize("num_envs", [1, 4, 7])
def test_outcomes_do_not_depend_on_the_number_of_environments(component, num_envs):
    frames = [4, 6, 9, 3, 5, 8, 2, 7, 12, 3]
    base = list(_evaluate(component, _Env(3, frames, bad=[2, 5])).outcomes.rows())
    other = list(_evaluate(component, _Env(num_envs, frames, bad=[2, 5])).outcomes.rows())
    assert [row | {"env": None} for row in base] == [row | {"env": None} for row in other]


def test_scenes_paired_with_motions_score_each_motion_once(component):
    env = _Env(5, [4, 4, 4, 4], fixed=[0, 1, 1, 2, 0])
    result = _evaluate(component, env)
    assert result.count == 3
    assert result.outcomes.env.tolist() == [0, 1, 3, -1]
    assert env.plain == [[2, 4]]
    assert result.notes == ("unmeasured for lack of an environment: motions [3]",)


@pytest.mark.parametrize(
    ("control_hz", "steps", "window", "capped"), [(30, 600, 96, 0), (50, 600, 160, 0), (50, 100, 100, 1)]
)
def test_the_window_is_the_motion_capped_by_the_longest_trial(component, control_hz, steps, window, capped):
    result = _evaluate(component, _Env(1, [97], control_hz=control_hz), max_eval_steps=steps)
    assert result.outcomes.window.tolist() == result.outcomes.frames.tolist() == [window]
    assert result.logs["eval/capped_motions"] == capped


def test_no_length_loses_a_frame_to_rounding():
    assert all(valid_frames(frames, 30, 30) == frames - 1 for frames in range(3, 1001))
    assert valid_frames(2998, Fraction(2997, 100), 30) == 3000
    assert valid_frames(0, 30, 30) == 0


def test_excluded_motions_have_no_trial(component):
    result = _evaluate(component, _Env(2, [4, 4, 4], bad=[1]), exclude_motions=(1,))
    assert result.outcomes.trial_id.tolist() == [0, 2]
    assert result.score == 1.0
    with pytest.raises(ConfigError, match="exclude_motions: 3 is not one of the 3 motions"):
        _evaluate(component, _Env(2, [4, 4, 4]), exclude_motions=(3,))


def test_a_library_with_only_too_short_motions_has_no_score(component):
    result = _evaluate(component, _Env(2, [1, 1, 1]))
    assert (result.count, result.score, len(result.outcomes)) == (0, None, 3)
    with pytest.raises(ConfigError, match="one positive rate per motion"):
        MotionTable((3,), (0,))
