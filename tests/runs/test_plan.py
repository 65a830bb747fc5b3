from __future__ import annotations

import json

import pytest

from bodyloop.errors import ConfigError, FingerprintMismatchError, MissingFileError, UnknownNameError
from bodyloop.runs.plan import RunPlan, make_plan, verify_inputs
from bodyloop.runs.suites import load_suite, suite_names

from .conftest import PROBE


def _plan(**flags):
    config = {"episodes": {"a": "ok", "b": "ok"}, **flags.pop("config", {})}
    return make_plan(PROBE, load_suite(PROBE), config, **flags)


def test_a_plan_round_trips_through_run_json(tmp_path):
    plan = _plan(seed=3, n_rollouts=2)
    plan.write(tmp_path)
    assert RunPlan.read(tmp_path) == plan
    assert [spec.key for spec in plan.rollouts] == ["a#00", "a#01", "b#00", "b#01"]
    assert {spec.fingerprint for spec in plan.rollouts} == {plan.fingerprint.digest}


def test_run_json_is_the_same_every_time(tmp_path):
    for name in ("1", "2"):
        _plan().write(tmp_path / name)
    assert (tmp_path / "1" / "run.json").read_bytes() == (tmp_path / "2" / "run.json").read_bytes()


def test_seeds_differ_by_episode_and_index_and_do_not_depend_on_selection():
    seeds = {spec.key: spec.seed for spec in _plan(n_rollouts=2).rollouts}
    assert len(set(seeds.values())) == 4
    alone = make_plan(PROBE, load_suite(PROBE), {"episodes": {"b": "ok"}})
    assert alone.rollouts[0].seed == seeds["b#00"]


def test_the_number_of_rollouts_and_the_selection_are_outside_the_fingerprint():
    assert _plan().fingerprint == _plan(n_rollouts=5, config={"episodes": {"c": "ok"}}).fingerprint
    assert _plan().fingerprint != _plan(seed=1).fingerprint


def test_a_rollout_is_found_by_key():
    assert _plan().spec("b#00").folder == "b/rollout_00"
    with pytest.raises(UnknownNameError, match="unknown rollout 'c#00'"):
        _plan().spec("c#00")


@pytest.mark.parametrize("flags", [{"n_rollouts": 0}, {"config": {"episodes": {}}}, {"config": {"x": object()}}])
def test_what_cannot_be_planned(flags):
    with pytest.raises(ConfigError):
        _plan(**flags)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:100],
        lambda text: "[]",
        lambda text: text.replace("bodyloop_run_v1", "bodyloop_run_v0"),
        lambda text: text.replace('"rules": 1', '"rules": 2'),
        lambda text: text.replace('"rollout_index": 0', '"index": 0'),
    ],
)
def test_a_damaged_run_json_is_refused(tmp_path, damage):
    _plan().write(tmp_path)
    path = tmp_path / "run.json"
    path.write_text(damage(path.read_text()))
    with pytest.raises(ConfigError, match=r"run\.json: not a usable run description"):
        RunPlan.read(tmp_path)


def test_no_run_json(tmp_path):
    with pytest.raises(MissingFileError):
        RunPlan.read(tmp_path)


def test_a_change_of_inputs_is_noticed_by_name():
    plan = _plan()
    verify_inputs(plan, load_suite(PROBE))
    data = json.loads(json.dumps(plan.to_json()))
    data["config"]["rules"] = 2
    with pytest.raises(FingerprintMismatchError, match="rules: 1 != 2"):
        verify_inputs(RunPlan.from_json(data), load_suite(PROBE))


def test_the_reserved_fingerprint_field():
    class Greedy(type(load_suite(PROBE))):
        def prepare(self, config):
            return super().prepare(config) | {"run": {}}

    with pytest.raises(ConfigError, match="reserved fingerprint field 'run'"):
        make_plan("greedy", Greedy(), {"episodes": {"a": "ok"}})


def test_suites_are_found_by_name_module_and_file(monkeypatch):
    assert "household" in suite_names()
    monkeypatch.syspath_prepend(PROBE.rpartition("/")[0])
    assert load_suite("probe_suite:ProbeSuite").name == "probe"
    with pytest.raises(ConfigError, match="cannot be loaded"):
        load_suite("probe_suite:Missing")
    with pytest.raises(ConfigError, match="is not a class"):
        load_suite("os:sep")
