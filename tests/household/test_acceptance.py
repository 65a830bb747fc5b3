"""Proof that homes-v1 is solvable and not trivial; the figures of the last run are in docs/measurements.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bodyloop.cli.main import main


def _summary(output: Path, *flags: str) -> dict:
    assert main(["run", "household", "--metrics", "--worker-mode", "persistent", "--output", str(output), *flags]) == 0
    return json.loads((output / "metrics_summary.json").read_text())["high_level_success_percent"]


@pytest.mark.slow
def test_the_oracle_solves_all_of_homes_v1(tmp_path):
    rates = _summary(tmp_path / "run", "--episodes", "fullval", "--model", "oracle")
    assert rates["find_sr"] >= 95.0
    assert rates["nav_sr_20cm"] >= 95.0
    assert rates["interact_sr"] >= 90.0


@pytest.mark.slow
def test_random_actions_do_not(tmp_path):
    rates = _summary(tmp_path / "run", "--episodes", "val100", "--model", "random")
    assert rates["nav_sr_20cm"] <= 8.0


@pytest.mark.slow
def test_the_published_setting_is_solvable_too(tmp_path):
    rates = _summary(tmp_path / "run", "--episodes", "smoke", "--model", "oracle", "--profile", "paper_compat")
    assert rates["nav_sr_20cm"] == 100.0
    assert rates["interact_sr"] == 100.0
