"""Scheduled rollouts = journal records + listed unscored ones."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from bodyloop.records.journal import Journal
from bodyloop.runs.plan import RunPlan

from .conftest import STARTS


def _account(run_dir):
    scheduled = {spec.key for spec in RunPlan.read(run_dir).rollouts}
    journal = Journal(run_dir / "journal.jsonl").latest()
    failures = run_dir / "failures.json"
    listed = {row["rollout"]: row for row in json.loads(failures.read_text())} if failures.exists() else {}
    return scheduled, journal, listed


def test_after_an_undisturbed_run(reference_run):
    scheduled, journal, listed = _account(reference_run.output)
    assert scheduled == set(journal)
    assert not listed


def test_after_a_child_was_killed(dispatch):
    dispatcher = dispatch(delay_s=0.1)
    dispatcher.wait_for_lines(0)
    dispatcher.children()[0].send_signal(signal.SIGKILL)
    output, _ = dispatcher.process.communicate(timeout=30)
    assert dispatcher.process.returncode == 1
    assert output.splitlines()[-1] == "selected 3, skipped 0, completed 2, failed 1, unscored 1"
    scheduled, journal, listed = _account(dispatcher.output)
    assert scheduled == set(journal) | set(listed)
    ((key, row),) = listed.items()
    assert (row["reason"], row["failed"], row["signal"]) == ("infrastructure: killed by SIGKILL", True, "SIGKILL")
    assert (dispatcher.output / row["log"]).parent == dispatcher.output / "logs"
    assert (dispatcher.output / row["log"]).exists()
    assert sum(record.outcome in ("success", "failure") for record in journal.values()) == 2
    assert journal[key].failed


@pytest.mark.parametrize(("times", "finished"), [(1, 1), (2, 0)])
def test_after_ctrl_c(dispatch, times, finished):
    """The first lets the running rollout end, the second ends it."""
    dispatcher = dispatch(delay_s=0.4 if times == 1 else 30)
    dispatcher.wait_for_lines(0)
    for _ in range(times):
        os.kill(dispatcher.process.pid, signal.SIGINT)
        time.sleep(0.1)
    output, _ = dispatcher.process.communicate(timeout=30)
    assert dispatcher.process.returncode == 130
    assert output.splitlines()[-1].startswith("selected 3, skipped 0, completed")
    scheduled, journal, listed = _account(dispatcher.output)
    assert set(journal) | set(listed) == scheduled
    assert not set(journal) & set(listed)
    assert {row["reason"] for row in listed.values()} == {"cancelled"}
    assert len(journal) == finished
    assert len(scheduled) == len(STARTS)
    assert not dispatcher.children()
