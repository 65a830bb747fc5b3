"""Resume never mixes fingerprints; a killed run loses at most the rollouts in flight."""

from __future__ import annotations

import json

import psutil
import pytest

from bodyloop.errors import FingerprintMismatchError
from bodyloop.records.files import load_json, write_json_atomic

from .conftest import STARTS, rollout_files, run_example


@pytest.mark.parametrize("mode", ["process", "persistent"])
def test_a_killed_run_resumes_and_completes(dispatch, reference_run, mode):
    dispatcher = dispatch(delay_s=0.3, mode=mode)
    lines = dispatcher.wait_for_lines(1)
    dispatcher.kill(children_too=True)
    result = run_example(dispatcher.output, resume=True, workers=2)
    assert result.counts["selected"] == len(STARTS)
    assert result.counts["skipped"] == len(lines)
    assert result.counts["failed"] == result.counts["unscored"] == 0
    journal = (dispatcher.output / "journal.jsonl").read_text().splitlines()
    assert journal[: len(lines)] == lines, "nothing already recorded is lost"
    assert len(journal) == len(STARTS)
    files = dict(rollout_files(dispatcher.output))
    expected = dict(rollout_files(reference_run.output))
    files.pop("run.json"), expected.pop("run.json")
    assert files == expected


def test_children_end_with_their_dispatcher(dispatch):
    dispatcher = dispatch(delay_s=30, workers=2)
    dispatcher.wait_for_lines(0)
    children = dispatcher.kill(children_too=False)
    _, alive = psutil.wait_procs(children, timeout=10)
    assert children
    assert not alive


def test_another_configuration_is_refused(tmp_path):
    run_example(tmp_path / "run", starts=[3], workers=1)
    with pytest.raises(FingerprintMismatchError, match=r"run\.seed: 0 != 1"):
        run_example(tmp_path / "run", starts=[3], workers=1, seed=1, resume=True)


def test_a_rollout_of_another_fingerprint_in_the_folder_is_not_taken(tmp_path):
    run_example(tmp_path / "run", starts=[3, 4], workers=2)
    path = tmp_path / "run" / "from_3" / "rollout_00" / "manifest.json"
    manifest = load_json(path)
    write_json_atomic(path, manifest | {"fingerprint": "f" * 64})
    assert run_example(tmp_path / "run", starts=[3, 4], workers=2, resume=True).counts["skipped"] == 1
    assert load_json(path) == manifest


def test_a_file_that_differs_from_its_hash_is_not_taken(tmp_path):
    run_example(tmp_path / "run", starts=[3, 4], workers=2)
    path = tmp_path / "run" / "from_4" / "rollout_00" / "counts.json"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"4", b"9", 1))
    assert run_example(tmp_path / "run", starts=[3, 4], workers=2, resume=True).counts["skipped"] == 1
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["torn", "missing", "foreign", "lost line"])
def test_the_journal_is_rebuilt_from_artifacts(tmp_path, damage):
    run_example(tmp_path / "run", starts=[3, 4], workers=1)
    path = tmp_path / "run" / "journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    if damage == "missing":
        path.unlink()
    else:
        path.write_text(
            {"torn": lines[0] + lines[1][:40], "foreign": "".join([*lines, "{}\n"]), "lost line": lines[1]}[damage]
        )
    assert run_example(tmp_path / "run", starts=[3, 4], workers=1, resume=True).counts["skipped"] == 2
    rebuilt = [json.loads(line)["episode_id"] for line in path.read_text().splitlines()]
    assert rebuilt == ["from_3", "from_4"]
