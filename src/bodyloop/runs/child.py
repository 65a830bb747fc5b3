"""The child program of a run: ``python -m bodyloop rollout RUN_DIR``.

It reads ``run.json``, opens one worker and runs the rollouts whose keys arrive, one line each. Whether it gets one
key or many is the dispatcher's business, so both worker modes run the same code. For each rollout it sends one JSON
line, ``{"record": ...}``; after an error it sends ``{"error": reason}`` and ends, because the worker may be broken.
"""

from __future__ import annotations

import os
import queue
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from bodyloop.errors import ConfigError, DataError, MissingFileError, ModelError, WorkerError
from bodyloop.records.protocols import Worker
from bodyloop.records.record import RolloutRecord
from bodyloop.records.specs import RolloutSpec, WorkerSlot
from bodyloop.runs.plan import RunPlan, verify_inputs
from bodyloop.runs.suites import load_suite

__all__ = ["QUIT", "commands", "run_child"]

QUIT = "quit"
"""Command line that ends a child after the rollouts before it."""

Send = Callable[[Mapping[str, Any]], None]


def run_child(run_dir: Path, slot: WorkerSlot, keys: Iterable[str], send: Send) -> int:
    """Run the rollouts with these keys; the exit status is 0 unless one raised."""
    worker: Worker | None = None
    try:
        plan = RunPlan.read(run_dir)
        suite = load_suite(plan.suite)
        verify_inputs(plan, suite)
        worker = suite.open_worker(slot)
        for key in keys:
            send({"record": _run_one(worker, plan.spec(key), run_dir).to_json()})
    except Exception as error:  # whatever it is, the dispatcher must hear of it
        traceback.print_exc()
        send({"error": unscored_reason(error)})
        return 1
    finally:
        if worker is not None:
            worker.close()
    return 0


def commands(stream: IO[str]) -> Iterator[str]:
    """Keys from the dispatcher, up to the quit command.

    The stream is also the lifeline: if it ends without a quit command, the dispatcher is gone, and this process
    ends at once, so that nobody writes into the run folder when the run is resumed.
    """
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in stream:
            lines.put(line.strip())
        os._exit(1)

    threading.Thread(target=listen, daemon=True, name="lifeline").start()
    while (key := lines.get()) != QUIT:
        yield key


def unscored_reason(error: Exception) -> str:
    """One line for a record: the class of trouble, then the message."""
    if isinstance(error, ModelError):
        kind, name = "provider", ""
    elif isinstance(error, ConfigError | DataError | MissingFileError):
        kind, name = "invalid input", ""
    else:
        kind, name = "infrastructure", f"{type(error).__name__}: "
    message = next(iter(str(error).splitlines()), "")
    return f"{kind}: {name}{message}"[:400]


def _run_one(worker: Worker, spec: RolloutSpec, run_dir: Path) -> RolloutRecord:
    """One rollout; WorkerError if the worker does not give back exactly its record."""
    records = list(worker.run([spec], run_dir))
    if [record.key for record in records] != [spec.key]:
        raise WorkerError(f"the worker was asked for {spec.key} and gave {[record.key for record in records]}")
    wrong = [name for name in ("fingerprint", "folder", "seed") if getattr(records[0], name) != getattr(spec, name)]
    if wrong:
        raise WorkerError(f"the record of {spec.key} has another {', '.join(wrong)} than was asked for")
    return records[0]
