"""Metrics recomputed from a rollout folder equal the online ones, and fill runs made without metrics."""

from __future__ import annotations

import shutil
from pathlib import Path

from bodyloop.cli.main import main
from bodyloop.records.files import load_json

RUN = ["run", "household", "--episodes", "one", "--model", "oracle", "--max-steps", "4", "--workers", "1"]


def test_rescored_metrics_equal_online_metrics_with_and_without_metrics_in_the_run(tmp_path: Path, capsys):
    online, bare = tmp_path / "online", tmp_path / "bare"
    assert main([*RUN, "--output", str(online), "--metrics"]) == 0
    assert main([*RUN, "--output", str(bare)]) == 0
    assert main(["rescore", str(online)]) == 0
    assert "equal" in capsys.readouterr().out
    assert not list(bare.rglob("metrics.json"))
    assert main(["rescore", str(bare), "--write"]) == 0
    (expected,), (filled,) = online.rglob("metrics.json"), bare.rglob("metrics.json")
    assert load_json(filled) == load_json(expected)
    assert main(["metrics", str(bare)]) == 0
    assert main(["replay", str(bare), "--where", "outcome=failure"]) == 0
    assert "bit-exact 1" in capsys.readouterr().out
    shutil.rmtree(filled.parent)
    assert main(["rescore", str(bare)]) == 2
