from __future__ import annotations

import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from bodyloop.errors import ConfigError, SimulationError
from bodyloop.evaluation import EvaluationManager, MdpComponent, Reduction, ThresholdFailure, mean_body_pos_error

ALL = [str(reduction) for reduction in Reduction]


def test_the_first_bad_frame_ends_the_trial_and_equality_passes(component, run_table, xp):
    result = run_table([[0.4, 0.5, 0.6, 0.1]], {}, {"far": ThresholdFailure(component, 0.5)}, xp=xp)
    outcome = next(result.outcomes.rows())
    assert (outcome["frames"], outcome["fail_frame"], outcome["fail_rule"]) == (3, 3, "far")
    assert outcome["far/value"] == pytest.approx(0.6)
    assert result.logs["eval/truncated_rate"] == 1.0


@pytest.mark.parametrize("reduction", ALL)
@pytest.mark.parametrize("fail_above", [True, False])
def test_equality_passes_every_reduction(component, run_table, xp, reduction, fail_above):
    threshold = 1.0 if reduction == "sum" else 0.5
    rule = ThresholdFailure(component, threshold, fail_above=fail_above, reduction=reduction)
    assert not run_table([[0.5, 0.5]], {}, {"r": rule}, xp=xp).outcomes.failed.any()


@pytest.mark.parametrize("reduction", ["mean", "min", "max", "last", "any"])
@pytest.mark.parametrize("fail_above", [True, False])
def test_a_float32_measurement_equals_the_configured_number(component, run_table, xp, reduction, fail_above):
    rule = ThresholdFailure(component, 0.8, fail_above=fail_above, reduction=reduction)
    assert not run_table([[0.8] * 7], {}, {"r": rule}, xp=xp, dtype="float32").outcomes.failed.any()


def test_a_long_trial_has_no_more_weight_than_a_short_one(component, run_table, xp):
    logs = run_table([[1.0, 1.0, 1.0, 1.0], [3.0]], {"m": component}, {}, xp=xp).logs
    assert (logs["eval/m/mean"], logs["eval/m/min"], logs["eval/m/max"]) == (2.0, 1.0, 3.0)
    assert logs["eval/num_evaluated"] == 2
    assert "eval/success_rate" not in logs


def test_a_boolean_logs_its_fraction_averaged_over_trials(component, run_table, xp):
    result = run_table([[True, False, False, False], [True]], {"m": component}, {}, xp=xp, dtype="bool")
    assert result.logs["eval/m/mean"] == 0.625


@pytest.mark.parametrize(
    ("heights", "failing"),
    [
        ([0.2, 0.9, 0.7], {"not_upright_at_end"}),
        ([0.2, 0.3], {"never_upright", "not_upright_at_end"}),
        ([0.1, 0.8], set()),
    ],
)
def test_rules_of_recovery_are_judged_when_the_window_closes(component, run_table, xp, heights, failing):
    rules = {
        "never_upright": ThresholdFailure(component, 0.8, fail_above=False, reduction="max"),
        "not_upright_at_end": ThresholdFailure(component, 0.8, fail_above=False, reduction="last"),
    }
    result = run_table([heights], {"height": component}, rules, xp=xp, dtype="float32")
    assert {name for name, failed in result.outcomes.rule_failed.items() if failed[0]} == failing
    assert result.outcomes.frames[0] == len(heights)
    assert result.logs["eval/success_rate"] == float(not failing)


def test_nothing_after_the_failing_frame_counts(component, run_table, xp):
    result = run_table(
        [[1.0, 2.0, 100.0, 100.0, 100.0]], {"m": component}, {"r": ThresholdFailure(component, 1.5)}, xp=xp
    )
    assert (result.logs["eval/m/mean"], result.logs["eval/m/max"], result.outcomes.frames[0]) == (1.5, 2.0, 2)


def test_a_value_that_is_not_finite_fails_and_is_counted(component, run_table, xp):
    rules = {
        "ever": ThresholdFailure(component, 9.0),
        "mean": ThresholdFailure(component, 9.0, reduction="mean"),
    }
    result = run_table([[1.0, math.nan, 1.0], [1.0, 1.0, 1.0]], {"m": component}, rules, xp=xp)
    assert list(result.outcomes.failed) == [True, False]
    assert result.outcomes.fail_frame[0] == 2
    assert result.outcomes.fail_rule[0] == "ever"
    for name in rules:
        assert result.logs[f"eval/{name}/nonfinite_trials"] == 1
    assert result.logs["eval/m/nonfinite_frames"] == 1
    assert result.logs["eval/m/mean"] == 1.0


def test_a_metric_without_finite_frames_leaves_no_keys(component, run_table):
    logs = run_table([[math.inf, math.nan]], {"m": component}, {}).logs
    assert "eval/m/mean" not in logs
    assert logs["eval/m/nonfinite_frames"] == 2


@pytest.mark.parametrize(("frames_true", "fails"), [(31, True), (29, False)])
def test_a_duration_is_a_sum_of_seconds(component, run_table, xp, frames_true, fails):
    row = [1 / 30] * frames_true + [0.0] * (60 - frames_true)
    rule = ThresholdFailure(component, 1.0, reduction="sum")
    assert bool(run_table([row], {}, {"r": rule}, xp=xp, dtype="float32").outcomes.failed[0]) is fails


def test_a_goal_never_reached_is_a_boolean_maximum(component, run_table, xp):
    rule = ThresholdFailure(component, 0.5, fail_above=False, reduction="max")
    result = run_table([[False, True, False], [False, False, False]], {}, {"r": rule}, xp=xp, dtype="bool")
    assert list(result.outcomes.failed) == [False, True]


def test_a_boolean_condition_fails_when_true(component, run_table, xp):
    result = run_table(
        [[False, True, False], [False] * 3], {}, {"r": ThresholdFailure(component, 0.5)}, xp=xp, dtype="bool"
    )
    assert list(result.outcomes.fail_frame) == [2, -1]


def test_a_trial_without_frames_is_listed_and_counts_for_nothing(component):
    rules = {"r": ThresholdFailure(component, 0.5)}
    manager = EvaluationManager({"m": component}, rules, 3, score_key="eval/success_rate")
    manager.begin_batch([7, 3, -1], [0, 2, 0])
    for _ in range(2):
        manager.measure({"value": np.array([9.0, 0.1, 9.0])})
        end = manager.end_frame()
    assert list(end.just_completed) == [False, True, False]
    manager.finish_batch()
    result = manager.result()
    assert (result.count, result.score, len(result.outcomes)) == (1, 1.0, 2)
    assert [row["status"] for row in result.outcomes.rows()] == ["passed", "unmeasured"]


def test_a_batch_may_close_early_and_batches_add_up_in_order_of_trials(component):
    manager = EvaluationManager({"m": component}, {"r": ThresholdFailure(component, 5.0, reduction="last")}, 2)
    for ids, value in (([3, 1], 1.0), ([0, 2], 9.0)):
        manager.begin_batch(ids, [10, 10])
        manager.measure({"value": np.full(2, value)})
        manager.end_frame()
        manager.finish_batch()
    result = manager.result()
    assert list(result.outcomes.trial_id) == [0, 1, 2, 3]
    assert list(result.outcomes.failed) == [True, False, True, False]
    assert list(result.outcomes.env) == [0, 1, 1, 0]
    assert result.logs["eval/truncated_rate"] == 1.0
    assert result.logs["eval/steps"] == 2


@pytest.mark.parametrize(
    ("ids", "windows", "message"),
    [([0], [1], "expected 2"), ([0, 0], [1, 1], "repeated"), ([0, 1], [1, -1], "negative")],
)
def test_a_batch_is_checked(component, ids, windows, message):
    manager = EvaluationManager({"m": component}, {}, 2)
    with pytest.raises(ConfigError, match=message):
        manager.begin_batch(ids, windows)


def test_operations_out_of_order_are_refused(component):
    manager = EvaluationManager({"m": component}, {}, 1)
    with pytest.raises(SimulationError, match="measure: call begin_batch first"):
        manager.measure({"value": np.zeros(1)})
    manager.begin_batch([0], [1])
    with pytest.raises(SimulationError, match="not finished"):
        manager.begin_batch([1], [1])


def test_a_rule_that_ends_a_trial_comes_first_among_rules_of_one_frame(component, run_table):
    rules = {
        "late": ThresholdFailure(component, 1.0, reduction="last"),
        "cut": ThresholdFailure(component, 1.0),
    }
    assert run_table([[0.0, 2.0, 0.0]], {}, rules).outcomes.fail_rule == ("cut",)


def test_rules_of_one_component_are_judged_each_by_itself(component, run_table, xp):
    rules = {
        "above_1": ThresholdFailure(component, 1.0),
        "below_0": ThresholdFailure(component, 0.0, fail_above=False),
        "above_2": ThresholdFailure(component, 2.0),
        "mean_above_0": ThresholdFailure(component, 0.0, reduction="mean"),
    }
    result = run_table([[0.0, 3.0], [-1.0, 3.0], [0.0, 0.0]], {}, rules, xp=xp)
    verdicts = {name: list(failed) for name, failed in result.outcomes.rule_failed.items()}
    assert verdicts == {
        "above_1": [True, False, False],
        "below_0": [False, True, False],
        "above_2": [True, False, False],
        "mean_above_0": [True, False, False],
    }
    assert result.outcomes.fail_rule == ("above_1", "below_0", None)
    assert result.outcomes.fail_frame.tolist() == [2, 1, -1]


def test_array_libraries_agree(xp):
    """Positions of 16 trials drift from their reference; every reduction at several thresholds."""
    random = np.random.default_rng(3)
    steps = random.normal(0, 0.1, (30, 16, 5, 3)) * np.linspace(0.2, 2, 16)[:, None, None]
    drift = np.cumsum(steps, axis=0).astype(np.float32)
    error = MdpComponent.from_kernel(mean_body_pos_error)
    rules = {
        f"{kind}_{i}": ThresholdFailure(error, limit * (10 if kind == "sum" else 1), reduction=kind)
        for kind in ALL
        for i, limit in enumerate((0.25, 0.5, 0.75))
    }
    results = []
    for library in (np, xp):
        manager = EvaluationManager({"error": error}, rules, 16, xp=library)
        manager.begin_batch(range(16), range(15, 31))
        for frame in drift:
            context = {
                "current.rigid_body_pos": library.asarray(frame),
                "mimic.ref_state.rigid_body_pos": library.zeros((16, 5, 3), dtype=library.float32),
            }
            manager.measure(context)
            manager.end_frame()
        manager.finish_batch()
        results.append(manager.result())
    assert results[1].logs == pytest.approx(results[0].logs, rel=1e-6)
    rates = [value for key, value in results[0].logs.items() if key.endswith("failure_rate")]
    assert sum(0 < rate < 1 for rate in rates) >= 6
    for name, failed in results[0].outcomes.rule_failed.items():
        assert np.array_equal(failed, results[1].outcomes.rule_failed[name])


# Eighths: sums of them are exact, so the reference below may compare with equality.
_VALUES = st.integers(-16, 16).map(lambda eighths: eighths / 8)
_TABLES = st.lists(st.lists(_VALUES, min_size=1, max_size=6), min_size=1, max_size=4)


def _reference(row: list[float], reduction: str) -> float:
    return {
        "sum": math.fsum,
        "mean": lambda values: math.fsum(values) / len(values),
        "min": min,
        "max": max,
        "last": lambda values: values[-1],
    }[reduction](row)


@settings(max_examples=60, deadline=None)
@given(rows=_TABLES, threshold=_VALUES, above=st.booleans(), reduction=st.sampled_from(ALL))
def test_verdicts_equal_those_of_whole_rows(rows, threshold, above, reduction):
    source = MdpComponent(_identity, {"value": "value"}, {}, _schema())
    rule = ThresholdFailure(source, threshold, fail_above=above, reduction=reduction)
    outcomes = _run(rows, {"m": source}, {"r": rule})

    for i, row in enumerate(rows):
        beyond = [value > threshold if above else value < threshold for value in row]
        if reduction == "any":
            frames = beyond.index(True) + 1 if any(beyond) else len(row)
            failed = any(beyond)
        else:
            frames, value = len(row), _reference(row, reduction)
            failed = value > threshold if above else value < threshold
            assert outcomes.rule_value["r"][i] == value
        assert (outcomes.frames[i], outcomes.failed[i]) == (frames, failed)
        scored = row[:frames]
        assert outcomes.metric_mean["m"][i] == math.fsum(scored) / frames
        assert (outcomes.metric_min["m"][i], outcomes.metric_max["m"][i]) == (min(scored), max(scored))


@settings(max_examples=40, deadline=None)
@given(rows=_TABLES, threshold=_VALUES)
def test_any_and_max_agree_on_the_verdict(rows, threshold):
    source = MdpComponent(_identity, {"value": "value"}, {}, _schema())
    verdicts = [
        _run(rows, {}, {"r": ThresholdFailure(source, threshold, reduction=reduction)}).failed
        for reduction in ("any", "max")
    ]
    assert np.array_equal(*verdicts)


def _identity(value):
    return value


def _schema():
    from bodyloop.evaluation import ContextField, ContextSchema

    return ContextSchema([ContextField("value", ("N",), "float", "-", "script", "Scripted.")])


def _run(rows, metrics, rules):
    manager = EvaluationManager(metrics, rules, len(rows))
    manager.begin_batch(range(len(rows)), [len(row) for row in rows])
    for frame in range(max(map(len, rows))):
        manager.measure({"value": np.array([row[frame] if frame < len(row) else 99.0 for row in rows])})
        manager.end_frame()
    manager.finish_batch()
    return manager.result().outcomes
