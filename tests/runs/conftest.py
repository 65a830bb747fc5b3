"""A short way to run the probe suite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bodyloop.runs.batch import BatchResult, RunConfig, run_batch
from bodyloop.runs.slots import Scheduling

PROBE = f"{Path(__file__).with_name('probe_suite.py')}:ProbeSuite"


@pytest.fixture
def probe(tmp_path: Path) -> Callable[..., BatchResult]:
    """``probe({"a": "ok"}, resume=True, mode="persistent", workers=2, **other config)`` into ``tmp_path / 'run'``."""

    def run(
        episodes: Mapping[str, str],
        *,
        output: Path = tmp_path / "run",
        resume: bool = False,
        mode: str = "process",
        workers: int = 2,
        seed: int = 0,
        n_rollouts: int = 1,
        **config: Any,
    ) -> BatchResult:
        scheduling = Scheduling(workers=workers, worker_mode=mode)
        return run_batch(
            RunConfig(PROBE, {"episodes": dict(episodes), **config}, output, seed, n_rollouts, resume, scheduling)
        )

    return run
