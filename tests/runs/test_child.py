from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bodyloop.errors import AuthenticationError, ConfigError, DataError, SimulationError
from bodyloop.records.specs import WorkerSlot
from bodyloop.runs.child import run_child, unscored_reason
from bodyloop.runs.plan import make_plan
from bodyloop.runs.suites import load_suite

from .conftest import PROBE


@pytest.fixture
def run_dir(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    make_plan(PROBE, load_suite(PROBE), {"episodes": {"a": "ok", "b": "raise", "c": "ok"}}).write(tmp_path)
    return tmp_path


def test_one_message_for_each_rollout(run_dir):
    sent = []
    assert run_child(run_dir, WorkerSlot(0), ["a#00", "c#00"], sent.append) == 0
    assert [message["record"]["episode_id"] for message in sent] == ["a", "c"]


def test_an_error_ends_the_child_after_a_message(run_dir, capsys):
    sent = []
    assert run_child(run_dir, WorkerSlot(0), ["a#00", "b#00", "c#00"], sent.append) == 1
    assert sent[1:] == [{"error": "infrastructure: RuntimeError: the first line"}]
    assert "the second line" in capsys.readouterr().err


def test_a_rollout_that_is_not_planned(run_dir):
    sent = []
    assert run_child(run_dir, WorkerSlot(0), ["z#00"], sent.append) == 1
    assert sent[0]["error"].startswith("invalid input: unknown rollout 'z#00'")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (AuthenticationError("no key"), "provider: no key"),
        (DataError("bad shard\nmore"), "invalid input: bad shard"),
        (ConfigError(""), "invalid input: "),
        (SimulationError("diverged"), "infrastructure: SimulationError: diverged"),
        (ZeroDivisionError(), "infrastructure: ZeroDivisionError: "),
    ],
)
def test_reasons(error, reason):
    assert unscored_reason(error) == reason


def test_reasons_stay_short():
    assert len(unscored_reason(ValueError("x" * 5000))) == 400


def test_commands_end_at_quit(run_dir):
    command = [sys.executable, "-m", "bodyloop", "rollout", str(run_dir)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write("a#00\nc#00\nquit\nb#00\n")
        process.stdin.flush()
        lines = process.stdout.read().splitlines()
        assert process.wait(timeout=20) == 0
    assert [json.loads(line)["record"]["episode_id"] for line in lines] == ["a", "c"]


def test_the_child_dies_with_its_dispatcher(run_dir):
    """No quit command and the stream ends: nothing more is run, not even what was asked for."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bodyloop", "rollout", str(run_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    process.communicate(timeout=20)
    assert process.returncode == 1


def test_by_hand_a_rollout_prints_its_record_and_nothing_else(run_dir):
    command = [sys.executable, "-m", "bodyloop", "rollout", str(run_dir), "--key", "a#00"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["record"]["episode_id"] == "a"
    assert "noise on stdout" in done.stderr
