"""A rollout's result does not depend on worker count, order, process or optional output."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bodyloop.cli.main import main
from bodyloop.records.record import RolloutRecord

EPISODES = [("home_01", "1"), ("home_02", "11"), ("home_01", "6")]


@pytest.fixture(scope="module")
def listing(tmp_path_factory) -> Path:
    from bodyloop.household.dataset import open_dataset
    from bodyloop.household.episodes import list_episode_specs

    rows = [row for row in list_episode_specs(open_dataset("homes_v1")) if (row.scene_id, row.episode_id) in EPISODES]
    path = tmp_path_factory.mktemp("list") / "three.json"
    path.write_text(
        json.dumps({"episodes": [vars(row) if hasattr(row, "__dict__") else row._asdict() for row in rows]})
    )
    return path


def _run(listing: Path, output: Path, *flags: str) -> dict[str, dict]:
    common = ["--episodes", str(listing), "--model", "oracle", "--metrics", "--max-steps", "6", "--output", str(output)]
    assert main(["run", "household", *common, *flags]) == 0
    records = [
        RolloutRecord.from_json(json.loads(line)) for line in (output / "journal.jsonl").read_text().splitlines()
    ]
    return {record.key: record.canonical() for record in records}


def _files(folder: Path) -> dict[str, bytes]:
    skip = {"journal.jsonl"}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in skip
    }


@pytest.fixture(scope="module")
def reference(listing, tmp_path_factory):
    output = tmp_path_factory.mktemp("reference") / "run"
    return _run(listing, output, "--workers", "1"), output


@pytest.mark.parametrize(
    "flags",
    [
        ("--workers", "2"),
        ("--workers", "1", "--worker-mode", "persistent"),
        ("--workers", "2", "--worker-mode", "persistent"),
    ],
)
def test_scheduling_changes_no_byte(reference, listing, tmp_path, flags):
    records, output = reference
    assert _run(listing, tmp_path / "run", *flags) == records
    assert _files(tmp_path / "run") == _files(output)


def test_optional_work_changes_no_physics(reference, listing, tmp_path):
    _, output = reference
    flags = ["--episodes", str(listing), "--model", "oracle", "--max-steps", "6", "--output", str(tmp_path / "bare")]
    assert main(["run", "household", *flags, "--workers", "2"]) == 0
    folders = [path.parent for path in output.rglob("trajectory_after.npz")]
    assert len(folders) == 3
    for folder in folders:
        other = tmp_path / "bare" / folder.relative_to(output)
        for name in ("trajectory_before.npz", "trajectory_after.npz"):
            with np.load(folder / name) as one, np.load(other / name) as two:
                assert one.files == two.files
                assert all(
                    np.array_equal(one[key], two[key], equal_nan=one[key].dtype.kind == "f") for key in one.files
                )
