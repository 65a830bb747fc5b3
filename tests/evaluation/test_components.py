from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from bodyloop.errors import ConfigError, UnknownNameError
from bodyloop.evaluation import (
    TRACKING_CONTEXT,
    BindingError,
    ComponentManager,
    ConfigMigrationError,
    EvaluationManager,
    EvaluatorConfig,
    MdpComponent,
    MeasurementError,
    Reduction,
    ThresholdFailure,
    describe_groups,
    load_groups,
    mean_body_pos_error,
)

CALLS: list[int] = []


def counted(value):
    CALLS.append(1)
    return value


def scaled(value, factor):
    return value * factor


def limited(value, threshold=0.5):
    return value > threshold


def over(value, threshold=0.5):
    return value - threshold


def towards(tar_pos):
    return tar_pos[..., 0]


def above(root_height, floor_m=None, margin=0.0):
    return root_height - (0.0 if floor_m is None else floor_m) - margin


def _frames(manager, count):
    CALLS.clear()
    manager.begin_batch(range(manager.num_envs), [count] * manager.num_envs)
    for _ in range(count):
        manager.measure({"value": np.zeros(manager.num_envs)})
        manager.end_frame()
    manager.finish_batch()
    return len(CALLS)


def _counted(schema):
    return MdpComponent(counted, {"value": "value"}, schema=schema)


def _groups(a, b=None):
    rules = {f"r{i}": ThresholdFailure(b or a, 0.5, reduction=kind) for i, kind in enumerate(("any", "sum", "last"))}
    return {"m": a}, rules


def test_a_shared_object_is_computed_once_per_frame_and_equal_objects_twice(schema):
    shared = _counted(schema)
    assert _frames(EvaluationManager(*_groups(shared), 2), 10) == 10
    assert _frames(EvaluationManager(*_groups(shared, _counted(schema)), 2), 10) == 20


@pytest.mark.parametrize("way", ["pickle", "deepcopy", "json"])
def test_sharing_survives_being_stored(schema, way):
    groups = _groups(_counted(schema))
    if way == "json":
        groups = load_groups(json.loads(json.dumps(describe_groups(*groups))), schema)
    else:
        groups = pickle.loads(pickle.dumps(groups)) if way == "pickle" else copy.deepcopy(groups)
    assert groups[0]["m"] is groups[1]["r0"].component
    assert groups[1]["r1"].reduction is Reduction.SUM
    manager = EvaluationManager(*groups, 2)
    manager.begin_batch([0, 1], [10, 10])
    for _ in range(10):
        manager.measure({"value": np.zeros(2)})
    assert len(manager.routes) == 1


def test_arrays_among_fixed_arguments_survive_and_local_kernels_do_not(schema):
    factor = np.arange(3, dtype=np.float32)
    data = describe_groups({"m": MdpComponent(scaled, {"value": "value"}, {"factor": factor}, schema)}, {})
    loaded = load_groups(json.loads(json.dumps(data)), schema)[0]["m"].static["factor"]
    assert loaded.dtype == np.float32
    assert np.array_equal(loaded, factor)
    local = MdpComponent(lambda value: value, {"value": "value"}, schema=schema)
    with pytest.raises(ConfigError, match="cannot be imported; define it at the top level"):
        load_groups(describe_groups({"m": local}, {}), schema)


def test_parameters_are_bound_by_name():
    component = MdpComponent.from_kernel(mean_body_pos_error)
    assert dict(component.bindings) == {
        "current_rigid_body_pos": "current.rigid_body_pos",
        "ref_rigid_body_pos": "mimic.ref_state.rigid_body_pos",
    }


def test_an_ambiguous_name_lists_its_candidates_and_takes_an_override():
    with pytest.raises(BindingError, match=r"'tar_pos' is ambiguous: it may mean path\.tar_pos, target\.tar_pos"):
        MdpComponent.from_kernel(towards)
    component = MdpComponent.from_kernel(towards, tar_pos=TRACKING_CONTEXT.field("path.tar_pos"))
    assert component.bindings["tar_pos"] == "path.tar_pos"


@pytest.mark.parametrize("name", ["root_pos", "root_rot", "progress_buf", "tar_pos"])
def test_names_with_several_meanings_are_known_as_such(name):
    assert len(TRACKING_CONTEXT.candidates(name)) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s: MdpComponent.from_kernel(scaled, s), "'factor' has no source"),
        (lambda s: MdpComponent.from_kernel(mean_body_pos_error, s), "'current_rigid_body_pos' has no source"),
        (lambda s: MdpComponent(scaled, {"value": "valeu"}, {"factor": 1}, s), "did you mean 'value'"),
        (lambda s: MdpComponent(scaled, {"value": "value"}, {"factr": 1}, s), "did you mean 'factor'"),
        (lambda s: MdpComponent(scaled, {"value": "value"}, {"value": 1, "factor": 1}, s), "both a path and a fixed"),
        (lambda s: MdpComponent.from_kernel(lambda *values: values[0], s), "'values' cannot be bound by name"),
        (lambda s: MdpComponent.from_kernel(lambda **values: 0, s), "'values' cannot be bound by name"),
    ],
)
def test_a_parameter_without_source_is_refused_at_construction(schema, make, message):
    with pytest.raises(BindingError, match=message):
        make(schema)


def test_a_component_does_not_change(schema):
    component = _counted(schema)
    with pytest.raises(AttributeError):
        component.kernel = scaled
    with pytest.raises(TypeError):
        component.bindings["value"] = "flag"


def test_an_absent_view_is_an_error_before_the_first_action():
    component = MdpComponent.from_kernel(mean_body_pos_error)
    manager = EvaluationManager({"gt_error": component}, {}, 1)
    with pytest.raises(BindingError, match=r"mimic\.ref_state\.rigid_body_pos.*mimic control should fill it") as caught:
        manager.check({"current": {"rigid_body_pos": np.zeros((1, 2, 3))}})
    assert "metric gt_error" in caught.value.__notes__[0]


def test_only_a_parameter_that_defaults_to_none_may_be_absent():
    component = MdpComponent.from_kernel(above, bindings={"floor_m": "path.tar_pos"})
    assert component.compute({"current.root_height": np.ones(2)}).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (np.zeros((2, 1)), r"expected shape \(2,\), got \(2, 1\)"),
        (np.zeros((2, 2)), r"got \(2, 2\)"),
        (np.float64(1.0), r"got \(\)"),
        (1.0, "got float"),
        (np.zeros(2, complex), "expected real numbers, got dtype complex128"),
        (np.array(["a", "b"]), "expected real numbers"),
        (np.array([None, None]), "expected real numbers, got dtype object"),
    ],
)
def test_a_measurement_is_one_real_value_per_environment(schema, result, message):
    component = MdpComponent(lambda value: result, {"value": "value"}, schema=schema)
    with pytest.raises(MeasurementError, match=message):
        ComponentManager({"m": component}, 2).compute({"value": np.zeros(2)})


def test_what_a_kernel_raises_passes_unchanged_with_a_note(schema):
    error = KeyError("bug")

    def broken(value):
        raise error

    manager = EvaluationManager({"m": MdpComponent(broken, {"value": "value"}, schema=schema)}, {}, 1)
    manager.begin_batch([0], [1])
    with pytest.raises(KeyError) as caught:
        manager.measure({"value": np.zeros(1)})
    assert caught.value is error
    assert "metric m" in error.__notes__[0]
    assert "frame 1" in error.__notes__[1]


def test_components_feed_every_name_and_fixed_arrays_are_moved_once(schema, xp):
    factor = np.array([1.0, 2.0])
    component = MdpComponent(scaled, {"value": "value"}, {"factor": factor}, schema)
    values = ComponentManager({"a": component, "b": component}, 2, xp=xp).compute({"value": xp.asarray([3.0, 4.0])})
    assert values["a"] is values["b"]
    assert [float(value) for value in values["a"]] == [3.0, 8.0]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"reduction": "median"}, ConfigError, "unknown reduction 'median'.*any, sum, mean, min, max, last"),
        ({"threshold": "0.5"}, TypeError, "threshold: expected a number, got str"),
        ({"threshold": True}, TypeError, "got bool"),
        ({"threshold": float("nan")}, ConfigError, "finite"),
        ({"threshold": np.zeros(1)}, TypeError, "got ndarray"),
        ({"fail_above": 1}, TypeError, "fail_above"),
        ({"component": 3}, TypeError, "expected an MdpComponent"),
    ],
)
def test_a_rule_is_checked_at_construction(component, change, error, message):
    with pytest.raises(error, match=message):
        ThresholdFailure(**({"component": component, "threshold": 0.5} | change))


def test_a_configuration_is_checked(component):
    rule = ThresholdFailure(component, 0.5)
    for score_key in ("eval/gt_error/mean", "success_rate"):
        with pytest.raises(ConfigError, match="score_key: expected None or 'eval/success_rate'"):
            EvaluatorConfig({}, {"r": rule}, score_key)
    with pytest.raises(ConfigError, match="needs at least one entry in failure_components"):
        EvaluatorConfig({"m": component}, {}, "eval/success_rate")
    with pytest.raises(ConfigError, match=r"expected ThresholdFailure, got MdpComponent; write ThresholdFailure\(r"):
        EvaluatorConfig({}, {"r": component})
    for name in ("", "a/b", "success_rate"):
        with pytest.raises(ConfigError, match="cannot be a name"):
            EvaluatorConfig({name: component})
    with pytest.raises(ConfigError, match="max_eval_steps"):
        EvaluatorConfig(max_eval_steps=0)
    with pytest.raises(UnknownNameError, match="did you mean 'metric_components'"):
        EvaluatorConfig.from_mapping({"metric_component": {}})


def test_groups_that_changed_are_checked_again(component):
    config = EvaluatorConfig({"m": component})
    config.metric_components["a/b"] = component
    with pytest.raises(ConfigError, match="cannot be a name"):
        EvaluationManager.from_config(config, 1)


@pytest.mark.parametrize("score_key", [None, "eval/success_rate"])
def test_empty_groups_disable_evaluation(score_key):
    config = EvaluatorConfig(score_key=score_key)
    assert not config.enabled
    manager = EvaluationManager.from_config(config, 2)
    manager.begin_batch([0, 1], [5, 5])
    assert not manager.active.any()
    manager.finish_batch()
    assert (manager.result().count, manager.result().score) == (0, None)


def test_the_earlier_form_is_refused_with_its_replacement(component):
    old = {"gt_error": {"threshold": 0.25, "fail_above": False}, "speed": component}
    with pytest.raises(ConfigMigrationError) as caught:
        EvaluatorConfig.from_mapping({"evaluation_components": old})
    lines = str(caught.value).splitlines()
    assert "  failure_components['gt_error'] = ThresholdFailure(gt_error, 0.25, fail_above=False)" in lines
    assert "  metric_components['speed'] = speed  # without 'threshold' and 'fail_above'" in lines
    assert len(lines) == 4


def test_a_threshold_among_the_arguments_of_a_numeric_measurement_is_refused(schema):
    for static in ({"threshold": 0.3}, {"fail_above": True}):
        with pytest.raises(ConfigMigrationError, match=r"failure_components\[NAME\] = ThresholdFailure"):
            MdpComponent(counted, {"value": "value"}, static, schema)
    numeric = MdpComponent(over, {"value": "value"}, {"threshold": 0.3}, schema)
    manager = EvaluationManager({"m": numeric}, {}, 1)
    manager.begin_batch([0], [1])
    with pytest.raises(ConfigMigrationError, match=r"failure_components\['m'\] = ThresholdFailure\(component, 0\.3\)"):
        manager.measure({"value": np.zeros(1)})
    boolean = MdpComponent(limited, {"value": "value"}, {"threshold": 0.3}, schema)
    assert ComponentManager({"m": boolean}, 1).compute({"value": np.array([0.4])})["m"].all()
