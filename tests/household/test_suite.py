"""The household suite through the command line, on the shipped homes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bodyloop.cli.main import main
from bodyloop.household.suite import HouseholdSuite, rollout_dir, safe_name
from bodyloop.records.record import Outcome, RolloutRecord


def _records(run_dir: Path) -> list[RolloutRecord]:
    lines = (run_dir / "journal.jsonl").read_text().splitlines()
    return [RolloutRecord.from_json(json.loads(line)) for line in lines]


def _run(output: Path, *flags: str) -> int:
    return main(["run", "household", "--output", str(output), *flags])


def test_oracle_solves_the_smoke_set(tmp_path):
    assert _run(tmp_path / "run", "--episodes", "smoke", "--model", "oracle", "--metrics") == 0
    records = _records(tmp_path / "run")
    assert [record.outcome for record in records] == [Outcome.SUCCESS] * 6
    assert len({record.tags["category"] for record in records}) == 6
    assert sum(record.metrics["interact_sr"] is True for record in records) == 3
    assert all(record.privileged for record in records)
    summary = json.loads((tmp_path / "run" / "metrics_summary.json").read_text())
    assert summary["counts"]["episodes"] == 6


def test_oracle_solves_one_episode_of_every_home(tmp_path):
    suite = HouseholdSuite()
    suite.prepare({"model": "oracle", "episodes": "fullval"})
    firsts = {}
    for index, spec in enumerate(suite.episodes()):
        firsts.setdefault(spec.group, (index, spec))
    assert len(firsts) == 12
    rows = [
        {
            "scene_id": spec.group,
            "episode_id": suite._specs[spec.episode_id].episode_id,
            "object_category": spec.tags["category"],
        }
        for _, spec in firsts.values()
    ]
    listing = tmp_path / "list.json"
    listing.write_text(json.dumps({"episodes": rows}))
    status = _run(
        tmp_path / "run", "--episodes", str(listing), "--model", "oracle", "--metrics", "--worker-mode", "persistent"
    )
    assert status == 0
    assert [record.outcome for record in _records(tmp_path / "run")] == [Outcome.SUCCESS] * 12


def test_random_stops_at_the_last_allowed_decision(tmp_path):
    assert _run(tmp_path / "run", "--model", "random", "--max-steps", "3") == 0
    (record,) = _records(tmp_path / "run")
    assert record.outcome is Outcome.NOT_EVALUATED
    assert record.usage["decision_steps"] == 3
    folder = tmp_path / "run" / record.folder
    last = json.loads((folder / "step002_percept_mid_low.json").read_text())
    assert last["response"]["action_name"] == "Stop/Stand"
    assert not (folder / "metrics.json").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--model", "orcale"], ["orcale", "oracle"]),
        (["--model", "oracle", "--episodes", "smok"], ["smok"]),
        (["--model", "oracle", "--episodes", "fullval", "--object-category", "sofa"], ["sofa"]),
        (["--model", "oracle", "--scene-id", "home_99"], ["home_99"]),
        (["--model", "oracle", "--profile", "homes_v2"], ["homes_v2", "homes_v1"]),
        (["--model", "oracle", "--episode-id", "9999"], ["9999"]),
    ],
)
def test_bad_flags_are_refused_before_anything_starts(tmp_path, capsys, flags, words):
    assert _run(tmp_path / "run", *flags) == 2
    message = capsys.readouterr().err
    assert all(word in message for word in words)
    assert len(message.strip().splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_an_unknown_profile_key_names_file_field_and_the_nearest(tmp_path, capsys):
    from bodyloop.household.profile import load_household_profile

    content = load_household_profile("homes_v1").to_json()
    content["physics"]["frictoin"] = content["physics"].pop("friction")
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(content))
    assert _run(tmp_path / "run", "--model", "oracle", "--profile", str(path)) == 2
    message = capsys.readouterr().err
    assert "mine.json" in message
    assert "frictoin" in message


def test_folder_names_are_safe_and_never_empty():
    assert safe_name("a b/c.d-e_f") == "a_b_c.d-e_f"
    assert safe_name("__x__") == "x"
    assert safe_name("//") == "unknown"
    assert rollout_dir("home_01_ep0_bed", 3) == "home_01_ep0_bed/rollout_03"


def test_output_flags_and_selection_are_outside_the_fingerprint():
    base = HouseholdSuite().prepare({"model": "oracle", "episodes": "one"})
    assert base == HouseholdSuite().prepare({"model": "oracle", "episodes": "smoke", "metrics": True, "video": True})
    assert base != HouseholdSuite().prepare({"model": "random", "episodes": "one"})
    assert base != HouseholdSuite().prepare({"model": "oracle", "profile": "paper_compat"})
