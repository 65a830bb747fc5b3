"""Runs of the example suite, in this process or as a separate dispatcher that can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from bodyloop.runs.batch import BatchResult, RunConfig, run_batch
from bodyloop.runs.slots import Scheduling

EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'countdown_suite.py'}:CountdownSuite"
STARTS = [2, 3, 4]


def run_example(
    output: Path, *, resume: bool = False, seed: int = 0, starts: list[int] = STARTS, **flags: Any
) -> BatchResult:
    """Run the example suite in this process; ``flags`` are scheduling flags."""
    return run_batch(
        RunConfig(EXAMPLE, {"starts": starts}, output, seed=seed, resume=resume, scheduling=Scheduling(**flags))
    )


def rollout_files(run_dir: Path) -> Mapping[str, bytes]:
    """Content of every file of a run folder except the journal, which holds times."""
    paths = (path for path in sorted(run_dir.rglob("*")) if path.is_file() and path.name != "journal.jsonl")
    return {str(path.relative_to(run_dir)): path.read_bytes() for path in paths}


class Dispatcher:
    """A run of the example suite in processes of its own."""

    def __init__(self, output: Path, *, delay_s: float, mode: str = "process", workers: int = 1) -> None:
        config = json.dumps({"starts": STARTS, "delay_s": delay_s})
        flags = ["--output", str(output), "--config", config, "--workers", str(workers), "--worker-mode", mode]
        self.output = output
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bodyloop", "run", "suite", EXAMPLE, *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def wait_for_lines(self, count: int) -> list[str]:
        """Wait until the journal holds ``count`` lines and a child is alive."""
        journal = self.output / "journal.jsonl"
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            lines = journal.read_text().splitlines() if journal.exists() else []
            if len(lines) >= count and self.children():
                return lines
            time.sleep(0.02)
        raise AssertionError(f"no {count} journal lines; output: {self.process.communicate(timeout=5)[0]}")

    def children(self) -> list[psutil.Process]:
        """Live child processes."""
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def kill(self, *, children_too: bool) -> list[psutil.Process]:
        """SIGKILL; returns the children there were."""
        children = self.children()
        os.kill(self.process.pid, signal.SIGKILL)
        for child in children if children_too else []:
            child.send_signal(signal.SIGKILL)
        self.process.wait()
        return children

    def close(self) -> None:
        """Leave nothing behind."""
        if self.process.poll() is None:
            self.kill(children_too=True)
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def dispatch(tmp_path: Path) -> Iterator[Callable[..., Dispatcher]]:
    """Start dispatchers that are gone after the test."""
    started: list[Dispatcher] = []

    def start(**flags: Any) -> Dispatcher:
        started.append(Dispatcher(tmp_path / "run", **flags))
        return started[-1]

    yield start
    for dispatcher in started:
        dispatcher.close()


@pytest.fixture(scope="session")
def reference_run(tmp_path_factory: pytest.TempPathFactory) -> BatchResult:
    """The example suite run once without trouble, on one worker in process mode."""
    return run_example(tmp_path_factory.mktemp("reference") / "run", workers=1)
