from __future__ import annotations

import json

import numpy as np
import pytest

from bodyloop.evaluation import (
    EmptyEvaluationError,
    EvaluationManager,
    SmoothnessCalculator,
    ThresholdFailure,
    merge_logs,
    normalized_jerk,
)


def test_an_empty_evaluation_has_no_score_and_says_so(component, run_table):
    rules = {"r": ThresholdFailure(component, 0.5)}
    manager = EvaluationManager({}, rules, 2, score_key="eval/success_rate")
    manager.begin_batch([0, 1], [0, 0])
    manager.finish_batch()
    result = manager.result()
    assert (result.count, result.score) == (0, None)
    assert result.logs["eval/num_evaluated"] == 0
    assert not any("rate" in key for key in result.logs)
    with pytest.raises(EmptyEvaluationError, match="no trial was measured, of 2 planned"):
        result.require_measured()
    assert EvaluationManager({}, rules, 2).result().count == 0


def test_the_score_is_the_success_rate_only_when_asked(component, run_table):
    rules = {"r": ThresholdFailure(component, 0.5)}
    rows = [[0.1], [0.9], [0.2], [0.3]]
    assert run_table(rows, {}, rules, score_key="eval/success_rate").score == 0.75
    result = run_table(rows, {}, rules)
    assert result.score is None
    assert result.logs["eval/success_rate"] == 0.75
    assert result.logs["eval/r/failure_rate"] == 0.25
    assert result.require_measured() is result


def test_the_hash_changes_with_the_protocol_and_not_with_the_values(component, run_table):
    def digest(values, threshold=0.5, **options):
        return run_table(
            [values], {"m": component}, {"r": ThresholdFailure(component, threshold)}, **options
        ).protocol_hash

    base = digest([0.1, 0.2])
    assert digest([0.3, 0.4]) == base
    others = [digest([0.1, 0.2], 0.6), digest([0.1]), digest([0.1, 0.2], protocol={"seed": 1})]
    assert len({base, *others}) == 4


def test_a_result_is_plain_data(component, run_table):
    result = run_table([[0.1], [float("nan")]], {"m": component}, {"r": ThresholdFailure(component, 0.5)})
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert [trial["status"] for trial in data["trials"]] == ["passed", "failed"]
    assert data["trials"][1]["r/value"] is None
    assert data["protocol"]["failure_components"]["r"]["threshold"] == 0.5


def test_workers_are_weighted_by_trials():
    parts = [
        ({"eval/success_rate": 1.0, "eval/num_evaluated": 3.0, "eval/m/max": 2.0}, 3),
        ({"eval/success_rate": 0.0, "eval/num_evaluated": 1.0, "eval/m/max": 6.0, "eval/own/mean": 5.0}, 1),
        ({"eval/success_rate": 0.0}, 0),
    ]
    merged = merge_logs(parts)
    assert merged["eval/success_rate"] == 0.75
    assert merged["eval/num_evaluated"] == 4
    assert merged["eval/own/mean"] == 5.0
    assert (merged["eval/m/max"], merged["eval/m/global_max"]) == (3.0, 6.0)
    assert merge_logs([({}, 0)]) == {"eval/num_evaluated": 0.0}


def test_normalised_jerk_of_a_cubic():
    cubic = (np.arange(4.0) ** 3)[:, None, None]
    assert normalized_jerk(cubic, 1.0, 4) == pytest.approx(np.array([[8748 / 729.1]]))
    assert normalized_jerk(cubic[:3], 1.0, 4).shape == (0, 1)


def _smooth(**channels):
    calculator = SmoothnessCalculator(0.1, positions="p", actions="a", targets="t")
    calculator.add_trials([channels])
    return calculator


def test_jerk_is_zero_with_a_note_when_every_trial_is_short():
    calculator = _smooth(p=np.zeros((3, 2, 3)))
    assert calculator.logs() == {"eval/normalized_jerk_mean": 0.0, "eval/high_jerk_frame_percentage_mean": 0.0}
    assert "zero for lack of data" in calculator.notes()[0]


def test_jerk_is_absent_when_positions_were_not_collected():
    calculator = _smooth(a=np.array([[0.0], [1.0]]))
    assert calculator.logs() == {
        "eval/action_delta_mean_raw": 1.0,
        "eval/action_delta_max_raw": 1.0,
        "eval/action_rate_mean_raw_s": 10.0,
    }
    assert "not collected" in calculator.notes()[0]


def test_joint_targets_have_units():
    logs = _smooth(t=np.array([[0.0, 0.0], [np.pi, 0.0]])).logs()
    assert logs["eval/action_delta_mean_deg"] == pytest.approx(90)
    assert logs["eval/action_delta_max_rad"] == pytest.approx(np.pi)
    assert logs["eval/action_rate_mean_rad_s"] == pytest.approx(np.pi * 5)


@pytest.mark.parametrize("error", [RuntimeError, ValueError, IndexError])
def test_an_error_of_the_jerk_computation_is_a_warning_and_the_rest_stays(monkeypatch, caplog, error):
    def broken(*_):
        raise error("too bad")

    monkeypatch.setattr("bodyloop.evaluation.smoothness.normalized_jerk", broken)
    calculator = _smooth(p=np.zeros((9, 2, 3)), a=np.zeros((9, 2)))
    assert "too bad" in caplog.text
    assert set(calculator.logs()) == {f"eval/action_{n}_raw{s}" for n, s in
                                      (("delta_mean", ""), ("delta_max", ""), ("rate_mean", "_s"))}  # fmt: skip
    assert "failed" in calculator.notes()[0]


def test_another_error_of_the_jerk_computation_propagates(monkeypatch):
    def broken(*_):
        raise KeyError("bug")

    monkeypatch.setattr("bodyloop.evaluation.smoothness.normalized_jerk", broken)
    with pytest.raises(KeyError, match="bug"):
        _smooth(p=np.zeros((9, 2, 3)))


def test_plugins_see_recorded_frames_only(component, xp):
    calculator = SmoothnessCalculator(0.1, positions="p", actions="a", targets=None)
    manager = EvaluationManager({}, {"r": ThresholdFailure(component, 0.5)}, 2, plugins=[calculator], xp=xp)
    manager.begin_batch([0, 1], [5, 1])
    for value, action in ((0.0, 0.0), (1.0, 1.0), (0.0, 0.0), (0.0, 0.0)):
        manager.measure({"value": xp.asarray([value, 0.0]), "a": xp.asarray([[action], [7.0]])})
        manager.end_frame()
    manager.finish_batch()
    result = manager.result()
    assert result.logs["eval/action_delta_mean_raw"] == 1.0  # two frames with the failing one; one-frame trial skipped
    assert "eval/normalized_jerk_mean" not in result.logs
    assert "p was not collected" in result.notes[0]
