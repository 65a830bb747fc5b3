"""A run from beginning to end: select, check, queue, launch, journal, sum up.

The dispatcher knows suites by protocol only. It starts children (``runs.child``), hands them rollouts and is the
only writer of the journal. Which child runs a rollout, when, and in which worker mode, never shows in a record.
"""

from __future__ import annotations

import platform
import selectors
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bodyloop.records.files import remove_temporaries
from bodyloop.records.journal import Journal
from bodyloop.records.protocols import Suite
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import RolloutSpec, WorkerSlot
from bodyloop.runs.failures import FailureBook
from bodyloop.runs.interrupts import Interrupts
from bodyloop.runs.plan import RunPlan, make_plan
from bodyloop.runs.process import ChildProcess
from bodyloop.runs.progress import Progress, SilentProgress
from bodyloop.runs.queue import RolloutQueue
from bodyloop.runs.resume import JOURNAL_NAME, Earlier, check_output, finished_record, reconcile
from bodyloop.runs.slots import Scheduling, Slots, find_slots, least_loaded_device
from bodyloop.runs.suites import load_suite

__all__ = ["BatchResult", "RunConfig", "run_batch"]

POLL_S = 0.5
CANCELLED = "cancelled"


@dataclass(frozen=True)
class RunConfig:
    """Everything that one execution is asked for."""

    suite: str
    """Name of an installed suite, ``module:Class`` or ``file.py:Class``."""
    config: Mapping[str, Any]
    """The suite's configuration: plain JSON data."""
    output: Path
    """The run folder."""
    seed: int = 0
    n_rollouts: int = 1
    """Rollouts per episode."""
    resume: bool = False
    scheduling: Scheduling = field(default_factory=Scheduling)


@dataclass(frozen=True)
class BatchResult:
    """What became of the selected rollouts."""

    suite: Suite
    output: Path
    records: tuple[RolloutRecord, ...]
    """One per selected rollout, in the order of the plan."""
    skipped: int
    """Finished before this execution."""
    interrupted: bool

    @property
    def counts(self) -> dict[str, int]:
        """Selected, skipped, completed, failed and unscored rollouts; failed and cancelled ones are unscored too."""
        failed = sum(record.failed for record in self.records)
        cancelled = sum(record.reason == CANCELLED for record in self.records)
        return {
            "selected": len(self.records),
            "skipped": self.skipped,
            "completed": len(self.records) - self.skipped - failed - cancelled,
            "failed": failed,
            "unscored": sum(record.outcome is Outcome.UNSCORED for record in self.records),
        }


def run_batch(run: RunConfig, progress: Progress | None = None) -> BatchResult:
    """Run all selected rollouts that are not finished yet, then let the suite sum up.

    Raises:
        BodyloopError: Before any child is started: a wrong configuration, input or output folder.
    """
    suite = load_suite(run.suite)
    slots = find_slots(run.scheduling)
    plan = make_plan(run.suite, suite, run.config, seed=run.seed, n_rollouts=run.n_rollouts)
    check_output(plan, run.output, resume=run.resume)
    plan.write(run.output)
    if run.resume:
        earlier = reconcile(suite, plan, run.output)
    else:
        earlier = Earlier()
        Journal(run.output / JOURNAL_NAME).rewrite([])
    dispatcher = _Dispatcher(run, suite, plan, slots, earlier, progress or SilentProgress())
    return dispatcher.run()


class _Dispatcher:
    """The state of one execution of :func:`run_batch`."""

    def __init__(
        self,
        run: RunConfig,
        suite: Suite,
        plan: RunPlan,
        slots: Slots,
        earlier: Earlier,
        progress: Progress,
    ) -> None:
        self._run, self._suite, self._plan, self._slots, self._progress = run, suite, plan, slots, progress
        self._persistent = run.scheduling.worker_mode == "persistent"
        self._earlier = earlier
        self._records = dict(earlier.finished)
        self._skipped = len(earlier.finished)
        self._queue = RolloutQueue(spec for spec in plan.rollouts if spec.key not in earlier.finished)
        self._journal = Journal(run.output / JOURNAL_NAME)
        self._failures = FailureBook(run.output)
        self._children: list[ChildProcess] = []
        self._selector = selectors.DefaultSelector()
        self._launches = 0

    def run(self) -> BatchResult:
        """Launch and collect until nothing is left, then write the summaries."""
        self._progress.begin(len(self._queue), f"{self._slots.note}, {self._run.scheduling.worker_mode} mode")
        with Interrupts() as interrupts, tempfile.TemporaryDirectory(prefix="bodyloop-") as scratch:
            try:
                self._loop(interrupts, Path(scratch))
            finally:
                for child in self._children:
                    child.kill()
                    child.close()
                self._selector.close()
                self._progress.end()
        records = [self._records.get(spec.key) or self._unscored(spec, CANCELLED) for spec in self._plan.rollouts]
        self._failures.write(records)
        self._suite.finish(self._run.output, records)
        return BatchResult(self._suite, self._run.output, tuple(records), self._skipped, interrupts.stop)

    def _loop(self, interrupts: Interrupts, scratch: Path) -> None:
        told = False
        while not interrupts.kill:
            if interrupts.stop and not told:
                self._progress.note(
                    "stopping: running rollouts are finished, no new ones start; Ctrl-C again ends them"
                )
                told = True
            self._hand_out(scratch, stopping=interrupts.stop)
            if not self._children:
                return
            self._selector.select(timeout=POLL_S)
            for child in list(self._children):
                self._collect(child)

    def _hand_out(self, scratch: Path, *, stopping: bool) -> None:
        """Give every idle child a rollout or its leave, and fill the free slots with new children."""
        for child in self._children:
            if child.spec is None and not child.leaving:
                self._submit_next(child, None if stopping else self._next(child))
        while not stopping and len(self._children) < self._slots.capacity:
            spec = self._next(None)
            if spec is None:
                return
            self._submit_next(self._launch(scratch), spec)

    def _submit_next(self, child: ChildProcess, spec: RolloutSpec | None) -> None:
        if spec is not None:
            remove_temporaries(self._run.output / spec.folder)
            child.submit(spec)
        if spec is None or not self._persistent:
            child.finish()

    def _next(self, child: ChildProcess | None) -> RolloutSpec | None:
        """The next rollout for a child. When resuming, one that another dispatcher has finished is skipped."""
        taken = {other.group for other in self._children if other is not child and other.group is not None}
        while self._queue:
            spec = self._queue.pop(child.group if child else None, taken)
            ask = self._run.resume and spec.key not in self._earlier.failed
            record = self._rollout_complete(spec) if ask else None
            if record is None:
                return spec
            self._records[spec.key] = record
            self._skipped += 1
        return None

    def _rollout_complete(self, spec: RolloutSpec) -> RolloutRecord | None:
        """The record, if the artifacts that the current flags ask for exist, match their hashes and are this run's."""
        return finished_record(self._suite, self._run.output, spec)

    def _launch(self, scratch: Path) -> ChildProcess:
        used = {child.slot.index for child in self._children}
        index = next(number for number in range(self._slots.capacity) if number not in used)
        slot = WorkerSlot(index, self._least_loaded_device())
        child = ChildProcess(self._run.output, slot, scratch / f"{self._launches}.log")
        self._launches += 1
        self._children.append(child)
        self._selector.register(child, selectors.EVENT_READ)
        return child

    def _least_loaded_device(self) -> str | None:
        live = Counter(child.slot.device for child in self._children)
        return least_loaded_device(self._slots.devices, live, self._launches)

    def _collect(self, child: ChildProcess) -> None:
        """Take in what a child has sent; bury it when it has ended."""
        messages, ended = child.read()
        for message in messages:
            if "record" in message:
                self._accept(child, RolloutRecord.from_json(message["record"]))
            else:
                child.error = message["error"]
        if not ended:
            return
        self._selector.unregister(child)
        self._children.remove(child)
        status = child.close()
        if child.spec is not None:
            self._fail(child, child.spec, status, child.error)
        elif status != 0:
            self._progress.note(f"worker {child.slot.index} ended with status {status} after its last rollout")

    def _accept(self, child: ChildProcess, record: RolloutRecord) -> None:
        spec = self._plan.spec(record.key)
        if record.outcome is not Outcome.UNSCORED and self._rollout_complete(spec) is None:
            self._fail(child, spec, 0, "infrastructure: artifacts are missing or differ from their hashes")
        else:
            self._failures.forget(spec.key)
            self._finish(child, record)

    def _fail(self, child: ChildProcess, spec: RolloutSpec, status: int, reason: str | None) -> None:
        end = self._failures.add(spec.key, status, duration_s=time.monotonic() - child.started, text=child.log_text())
        self._finish(child, self._unscored(spec, reason or end.reason, failed=True))

    def _finish(self, child: ChildProcess, record: RolloutRecord) -> None:
        """Journal a rollout that has ended; its artifacts are in place."""
        duration_s = time.monotonic() - child.started
        where = {"host": platform.node(), "device": child.slot.device}
        numbers = {"worker": child.slot.index, "wall_s": round(duration_s, 3)}
        record = replace(record, volatile={**record.volatile, **where, **numbers})
        self._journal.append(record)
        self._records[record.key] = record
        self._progress.finished(record, duration_s)
        child.spec = None

    def _unscored(self, spec: RolloutSpec, reason: str, *, failed: bool = False) -> RolloutRecord:
        suite = self._suite
        return RolloutRecord.unscored(spec, reason, model=suite.model, privileged=suite.privileged, failed=failed)
