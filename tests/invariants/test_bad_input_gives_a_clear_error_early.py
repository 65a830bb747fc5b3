"""Bad input gives a clear error before heavy work starts, and nothing already recorded is lost."""

from __future__ import annotations

import pytest

from bodyloop.cli.main import main
from bodyloop.runs import process

from .conftest import EXAMPLE, rollout_files


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["nonsense"], "unknown suite 'nonsense'"),
        (["no_such_module:Suite"], "cannot be loaded"),
        (["no_such_file.py:Suite"], "does not exist"),
        ([EXAMPLE, "--config", '{"starts": [0]}'], "starts must be positive integers, got [0]"),
        ([EXAMPLE, "--config", '{"starts": []}'], "no episode is selected"),
        ([EXAMPLE, "--config", '{"starts": [3, 3]}'], "2 rollouts share the key 'from_3#00'"),
        ([EXAMPLE, "--config", "{"], "--config: not valid JSON"),
        ([EXAMPLE, "--config", "missing.json"], "--config missing.json: neither JSON text nor a readable file"),
        ([EXAMPLE, "--gpus", "0,0"], "GPU 0 is named twice"),
        ([EXAMPLE, "--gpus", ","], "names no GPU"),
        ([EXAMPLE, "--workers", "2", "--gpus", "0"], "cannot be combined"),
        ([EXAMPLE, "--workers", "0"], "Invalid value for '--workers'"),
        ([EXAMPLE, "--n-rollouts", "0"], "Invalid value for '--n-rollouts'"),
        ([EXAMPLE, "--worker-mode", "threads"], "Invalid value for '--worker-mode'"),
    ],
)
def test_one_line_exit_2_and_no_child(flags, message, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(process.ChildProcess, "__init__", lambda *_: pytest.fail("a child was started"))
    assert main(["run", "suite", *flags, "--output", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert not (tmp_path / "run").exists()


def test_a_recorded_run_survives_a_refused_one(reference_run, capsys):
    before = rollout_files(reference_run.output)
    assert main(["run", "suite", EXAMPLE, "--seed", "5", "--output", str(reference_run.output)]) == 2
    assert "run.seed: 0 != 5" in capsys.readouterr().err
    assert rollout_files(reference_run.output) == before
