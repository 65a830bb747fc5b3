"""Metrics recomputed from a rollout folder equal the online ones, and fill runs made without metrics."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from bodyloop.records.files import load_json

RUN = ["run", "household", "--episodes", "one", "--model", "oracle", "--max-steps", "4", "--workers", "1"]


def _bodyloop(*words: str, status: int = 0) -> str:
    """A command as a user types it, in a process of its own; returns what it printed."""
    done = subprocess.run([sys.executable, "-m", "bodyloop", *words], capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_rescored_metrics_equal_online_metrics_with_and_without_metrics_in_the_run(tmp_path: Path):
    online, bare = tmp_path / "online", tmp_path / "bare"
    _bodyloop(*RUN, "--output", str(online), "--metrics")
    _bodyloop(*RUN, "--output", str(bare))
    assert "equal" in _bodyloop("rescore", str(online))
    assert not list(bare.rglob("metrics.json"))
    _bodyloop("rescore", str(bare), "--write")
    (expected,), (filled,) = online.rglob("metrics.json"), bare.rglob("metrics.json")
    assert load_json(filled) == load_json(expected)
    _bodyloop("metrics", str(bare))
    assert "bit-exact 1" in _bodyloop("replay", str(bare), "--where", "outcome=failure")
    shutil.rmtree(filled.parent)
    _bodyloop("rescore", str(bare), status=2)
