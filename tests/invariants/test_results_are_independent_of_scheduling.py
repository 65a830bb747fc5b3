"""A rollout's result does not depend on worker count, order, batch size or process."""

from __future__ import annotations

import json

import pytest

from .conftest import STARTS, rollout_files, run_example


@pytest.mark.parametrize(
    "flags",
    [
        {"workers": 2},
        {"workers": 1, "worker_mode": "persistent"},
        {"workers": 2, "worker_mode": "persistent"},
        {"gpus": "0,1"},
    ],
    ids=lambda flags: " ".join(map(str, flags.values())),
)
def test_records_and_folders_are_identical(reference_run, tmp_path, flags):
    result = run_example(tmp_path / "run", **flags)
    assert [r.canonical() for r in result.records] == [r.canonical() for r in reference_run.records]
    assert rollout_files(tmp_path / "run") == rollout_files(reference_run.output)


def test_a_record_does_not_depend_on_its_position(reference_run, tmp_path):
    result = run_example(tmp_path / "run", starts=STARTS[::-1], workers=2)
    by_key = {record.key: record.canonical() for record in result.records}
    assert by_key == {record.key: record.canonical() for record in reference_run.records}


def test_another_run_seed_gives_other_results(reference_run, tmp_path):
    result = run_example(tmp_path / "run", seed=1, workers=2)
    assert [r.seed for r in result.records] != [r.seed for r in reference_run.records]
    assert {path: data for path, data in rollout_files(tmp_path / "run").items() if "counts" in path} != {
        path: data for path, data in rollout_files(reference_run.output).items() if "counts" in path
    }


def test_run_json_knows_neither_scheduling_nor_place_nor_time(reference_run):
    text = (reference_run.output / "run.json").read_text()
    assert str(reference_run.output) not in text
    data = json.loads(text)
    assert sorted(data) == ["config", "fingerprint", "n_rollouts", "rollouts", "schema", "seed", "suite", "versions"]
    assert not any(word in text for word in ("worker", "gpu", "slot", "time", "host"))
