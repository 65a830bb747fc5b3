"""Where a household decision's time goes, and what a persistent worker saves.

    python benchmarks/household.py [--episodes N]

Every figure is CPU time of this process or a ratio against a baseline of the same run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bodyloop.household.agent.image import EgoImage
from bodyloop.household.suite import HouseholdSuite
from bodyloop.household.worker import HouseholdWorker
from bodyloop.records.specs import RolloutSpec, WorkerSlot
from bodyloop.runs.batch import RunConfig, run_batch
from bodyloop.runs.progress import progress_for
from bodyloop.runs.slots import Scheduling

FRAME_S = 1 / 30


class Clock:
    """CPU seconds by name, collected by wrapping methods; nested names are subtracted from the outer one."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._open: list[str] = []

    def wrap(self, owner: Any, method: str, name: str) -> None:
        inner = getattr(owner, method)

        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.measure(name):
                return inner(*args, **kwargs)

        setattr(owner, method, timed)

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        start = time.process_time()
        self._open.append(name)
        try:
            yield
        finally:
            spent = time.process_time() - start
            self._open.pop()
            self.seconds[name] += spent
            if self._open:
                self.seconds[self._open[-1]] -= spent


def run_split(episodes: int, metrics: bool) -> tuple[Clock, int, float, int]:
    """Oracle episodes of one home in this process; returns clock, decisions, CPU seconds of the loop, episodes."""
    suite = HouseholdSuite()
    suite.prepare({"model": "oracle", "episodes": "fullval", "scene_id": "home_01", "metrics": metrics})
    worker = suite.open_worker(WorkerSlot(0))
    assert isinstance(worker, HouseholdWorker)
    clock = Clock()
    evaluator = worker._evaluator
    for method, name in (
        ("_hp_frame", "physics"),
        ("_query_contacts", "contacts"),
        ("_render_ego", "render"),
        ("metric_find_observation", "segmentation"),
    ):
        clock.wrap(evaluator.env, method, name)
    clock.wrap(evaluator.motion, "generate", "motion")
    clock.wrap(evaluator.agent, "act", "oracle")
    decisions, spent = 0, 0.0
    chosen = list(suite.episodes())[: episodes + 1]
    with tempfile.TemporaryDirectory() as folder:
        for index, episode in enumerate(chosen):
            spec = RolloutSpec(episode, 0, 1, suite.rollout_folder(episode, 0))
            if index == 1:
                clock.seconds.clear()
                decisions, spent = 0, 0.0
            start = time.process_time()
            (record,) = worker.run([spec], Path(folder))
            spent += time.process_time() - start
            decisions += int(record.usage["decision_steps"])
    worker.close()
    return clock, decisions, spent, len(chosen) - 1


def png_ms() -> float:
    """CPU milliseconds to encode one 448 x 448 picture as a PNG data URL."""
    import numpy as np

    rng = np.random.default_rng(0)
    smooth = np.repeat(np.repeat(rng.integers(0, 255, (56, 56, 3), dtype=np.uint8), 8, 0), 8, 1)
    start = time.process_time()
    for _ in range(10):
        _ = EgoImage(smooth).data_url
    return 100 * (time.process_time() - start)


def overhead_s(mode: str, few: int = 2, many: int = 6) -> float:
    """Wall seconds per further episode of one home, two random decisions each."""
    suite = HouseholdSuite()
    suite.prepare({"model": "random", "episodes": "fullval", "scene_id": "home_01"})
    rows = [spec.episode_id.split("_ep") for spec in suite.episodes()]
    walls = []
    with tempfile.TemporaryDirectory() as folder:
        for count in (few, many):
            listing = Path(folder) / f"{count}.json"
            episodes = [
                {"scene_id": scene, "episode_id": rest.split("_", 1)[0], "object_category": rest.split("_", 1)[1]}
                for scene, rest in rows[:count]
            ]
            listing.write_text(json.dumps({"episodes": episodes}))
            config = {"model": "random", "episodes": str(listing), "max_steps": 2}
            scheduling = Scheduling(workers=1, worker_mode=mode)
            run = RunConfig("household", config, Path(folder) / f"{mode}{count}", scheduling=scheduling)
            start = time.perf_counter()
            run_batch(run, progress_for(Console(quiet=True)))
            walls.append(time.perf_counter() - start)
    return (walls[1] - walls[0]) / (many - few)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=6)
    count = parser.parse_args().episodes
    console = Console()
    for metrics in (False, True):
        clock, decisions, spent, episodes = run_split(count, metrics)
        table = Table(title=f"one decision, metrics {'on' if metrics else 'off'} (CPU ms)")
        table.add_column("part")
        table.add_column("ms", justify="right")
        for name, seconds in sorted(clock.seconds.items(), key=lambda item: -item[1]):
            table.add_row(name, f"{1000 * seconds / decisions:.1f}")
        rest = spent - sum(clock.seconds.values())
        table.add_row("files, recorders, rest", f"{1000 * rest / decisions:.1f}")
        table.add_row("all", f"{1000 * spent / decisions:.1f}")
        console.print(table)
        simulated = 15 * FRAME_S * decisions
        busy = clock.seconds["physics"] + clock.seconds["contacts"]
        console.print(f"decisions per second per core: {decisions / spent:.1f}")
        console.print(f"physics and contacts against real time: {simulated / busy:.1f} times faster")
        console.print(f"oracle episodes per minute per core: {60 * episodes / spent:.1f}")
    console.print(f"PNG data URL of one ego view: {png_ms():.1f} ms")
    process, persistent = overhead_s("process"), overhead_s("persistent")
    console.print(
        f"one more episode of a home: process {process:.2f} s, persistent {persistent:.2f} s; ratio {process / persistent:.1f}"
    )


if __name__ == "__main__":
    main()
