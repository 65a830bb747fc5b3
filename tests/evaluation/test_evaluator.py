from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bodyloop.errors import ConfigError
from bodyloop.evaluation import (
    AttributeSettings,
    BaseEvaluator,
    BindingError,
    ControlComponent,
    EvaluatorConfig,
    MdpComponent,
    ModuleModes,
    SmoothnessCalculator,
    ThresholdFailure,
    TrialBatch,
)


class Script(ControlComponent):
    """A measurement per environment that depends on the steps since its reset."""

    def __init__(self, xp, table):
        super().__init__(len(table), xp=xp)
        self.steps = self.state.add("steps", (), xp.int64)


class Env:
    """Environment i measures ``table[i][k]`` at step k since its reset, 0 afterwards; logs what is done to it."""

    def __init__(self, table, xp=np, done_at=None, absent=False):
        self.num_envs, self.table, self.xp, self.absent = len(table), table, xp, absent
        self.script, self.log, self.pushes = Script(xp, table), [], True
        self.done_at = done_at or {}

    def begin_evaluation(self):
        self.pushes = False

    def reset(self, env_ids):
        self.script.reset(env_ids)
        self.log.append(("reset", env_ids.tolist()))

    def observe(self):
        return self.script.steps

    def step(self, action):
        self.script.steps[...] = self.script.steps + 1
        self.log.append(("step",))
        return self.xp.asarray([int(k) == self.done_at.get(i) for i, k in enumerate(self.script.steps)])

    def context(self):
        if self.absent:
            return {}
        rows = [
            float(row[int(k) - 1]) if 1 <= int(k) <= len(row) else 0.0
            for row, k in zip(self.table, self.script.steps, strict=True)
        ]
        return {"value": self.xp.asarray(rows, dtype=self.xp.float64)}

    def snapshot_parts(self):
        return {"script": self.script, "settings": AttributeSettings(self, ("pushes",))}

    @property
    def steps(self):
        return self.log.count(("step",))


class Policy:
    training = True

    def __init__(self):
        self.contexts = []

    def modules(self):
        yield self

    def begin_evaluation(self):
        self.training = False

    def reset_context(self, env_ids):
        self.contexts.append(env_ids.tolist())

    def act(self, observation):
        assert not self.training
        return observation

    def snapshot_parts(self):
        return {"modes": ModuleModes(self)}


def _failing_at(*frames):
    return [[0.0] * (frame - 1) + [1.0] for frame in frames]


def _evaluator(component, env, steps=100, cls=BaseEvaluator, **options):
    config = EvaluatorConfig(
        {"m": component}, {"r": ThresholdFailure(component, 0.5)}, "eval/success_rate", max_eval_steps=steps
    )
    return cls(config, env, Policy(), xp=env.xp, **options)


def test_a_batch_stops_when_no_trial_is_left_and_failed_environments_restart(component, xp):
    env = Env(_failing_at(2, 3, 5, 7), xp)
    evaluator = _evaluator(component, env)
    result = evaluator.evaluate()
    assert env.steps == 7
    assert [entry[1] for entry in env.log if entry[0] == "reset"] == [[0, 1, 2, 3], [0], [1], [2]]
    assert evaluator.policy.contexts == [[0, 1, 2, 3], [0], [1], [2]]
    # Environment 0 restarts before the third action; its second life is not scored although it is bad again.
    assert env.log.index(("reset", [0])) == 3
    assert result.outcomes.frames.tolist() == [2, 3, 5, 7]
    assert (result.count, result.score) == (4, 0.0)


def test_being_done_does_not_end_a_trial(component):
    env = Env([[0.1] * 6], done_at={0: 1})
    result = _evaluator(component, env, steps=6).evaluate()
    assert (result.outcomes.frames[0], result.score, env.steps) == (6, 1.0, 6)
    assert [entry for entry in env.log if entry[0] == "reset"] == [("reset", [0])]


def test_a_second_evaluation_starts_afresh(component):
    env = Env([[0.1, 0.2, 0.3]])
    calculator = SmoothnessCalculator(0.1, positions="p", actions=None, targets=None)
    evaluator = _evaluator(component, env, steps=3, plugins=[calculator])
    env.context = lambda: {"value": np.zeros(1), "p": np.zeros((1, 2, 3)) + env.script.steps[0]}
    first = evaluator.evaluate()
    env.context = lambda: {"value": np.zeros(1)}
    second = evaluator.evaluate()
    assert "eval/normalized_jerk_mean" in first.logs
    assert "eval/normalized_jerk_mean" not in second.logs


class _Sweep(BaseEvaluator):
    """Ten trials; environments beyond them are not scored."""

    total = 10

    def plan(self) -> Iterator[TrialBatch]:
        count = self.env.num_envs
        for first in range(0, self.total, count):
            ids = [i if i < self.total else -1 for i in range(first, first + count)]
            yield TrialBatch(ids, [self.config.max_eval_steps] * count)


def test_every_batch_runs_although_all_trials_of_one_fail(component):
    env = Env(_failing_at(1, 1, 1, 1))
    result = _evaluator(component, env, cls=_Sweep).evaluate()
    assert (env.steps, result.count, result.score) == (3, 10, 0.0)
    assert result.outcomes.trial_id.tolist() == list(range(10))
    assert [entry for entry in env.log if entry[0] == "reset"] == [("reset", [0, 1, 2, 3])] * 3


def test_an_unscored_environment_restarts_when_done_and_is_not_measured(component):
    class OneTrial(_Sweep):
        total = 1

    env = Env([[0.1] * 6, [9.0] * 9], done_at={1: 4})
    result = _evaluator(component, env, steps=6, cls=OneTrial).evaluate()
    assert ("reset", [1]) in env.log
    assert result.logs["eval/m/max"] == 0.1
    assert result.count == 1


@pytest.mark.parametrize("key", [None, "eval/success_rate"])
def test_without_components_nothing_runs(key):
    env = Env([[0.0]])
    result = BaseEvaluator(EvaluatorConfig(score_key=key), env, Policy()).evaluate()
    assert (result.logs, result.count, result.score, env.log) == ({}, 0, None, [])


@pytest.mark.parametrize("bad_step", [None, 1, 3])
def test_everything_is_restored_with_and_without_an_error(schema, bad_step):
    error = LookupError("kernel")
    calls = []

    def kernel(value):
        calls.append(1)
        if len(calls) == bad_step:
            raise error
        return value

    env = Env(_failing_at(2, 4))
    view = env.script.steps[:]
    env.script.steps[...] = 17
    evaluator = _evaluator(MdpComponent(kernel, {"value": "value"}, schema=schema), env, steps=5)
    if bad_step is None:
        assert evaluator.evaluate().count == 2
    else:
        with pytest.raises(LookupError) as caught:
            evaluator.evaluate()
        assert caught.value is error
    assert view.tolist() == [17, 17]
    assert env.pushes
    assert evaluator.policy.training


def test_an_absent_view_is_noticed_before_the_first_action(component):
    env = Env([[0.0]], absent=True)
    with pytest.raises(BindingError, match="'value'"):
        _evaluator(component, env).evaluate()
    assert env.steps == 0
    assert env.pushes


def test_configuration_and_parts_are_checked_when_evaluation_starts(component):
    env = Env([[0.0]])
    evaluator = _evaluator(component, env)
    evaluator.config.score_key = "loss"
    with pytest.raises(ConfigError, match="score_key"):
        evaluator.evaluate()
    evaluator = _evaluator(component, env)
    evaluator.policy.snapshot_parts = lambda: {"script": env.script}
    with pytest.raises(ConfigError, match="share snapshot parts: script"):
        evaluator.evaluate()
