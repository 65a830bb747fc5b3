"""The two protocols a suite implements; ``runs`` knows suites by nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from bodyloop.records.record import RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec, WorkerSlot

__all__ = ["Suite", "Worker"]


class Worker(Protocol):
    """Runs rollouts in one process and owns what is expensive to build (scene, weights, GL context)."""

    def run(self, batch: Sequence[RolloutSpec], run_dir: Path) -> Iterator[RolloutRecord]:
        """Run a batch and yield each record once its artifacts are in place below ``run_dir``."""
        ...

    def close(self) -> None:
        """Release everything; safe to call twice."""
        ...


class Suite(Protocol):
    """A family of tasks, found through the entry point group ``bodyloop.suites``.

    A suite object is made without arguments and is usable after :meth:`prepare`.
    """

    name: str
    version: str

    def prepare(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check everything that needs no simulator; return the nested, JSON-ready fingerprint fields.

        ``config`` is the suite part of the run configuration as plain JSON data; it is stored in ``run.json``
        and handed unchanged to workers in other processes.
        """
        ...

    def episodes(self) -> Sequence[EpisodeSpec]:
        """The selected episodes, in a stable order."""
        ...

    def rollout_folder(self, episode: EpisodeSpec, rollout_index: int) -> str:
        """Deterministic rollout folder relative to the run folder."""
        ...

    def required_artifacts(self) -> Sequence[str]:
        """File names that a complete rollout folder must hold under the current output flags."""
        ...

    def load_record(self, run_dir: Path, spec: RolloutSpec) -> RolloutRecord | None:
        """Rebuild the record of a finished rollout from its artifacts alone; ``None`` if there is none."""
        ...

    def open_worker(self, slot: WorkerSlot) -> Worker:
        """A worker for this process; called after :meth:`prepare`."""
        ...

    def finish(self, run_dir: Path, records: Sequence[RolloutRecord]) -> None:
        """Write the suite's own summary files (for example ``metrics_summary.json``) after the run."""
        ...
