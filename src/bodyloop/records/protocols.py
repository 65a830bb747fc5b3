"""The two protocols a suite implements; ``runs`` knows suites by nothing else.

The ``Has...`` protocols at the end are optional: commands use what a suite offers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from bodyloop.records.record import RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec, WorkerSlot

__all__ = ["HasProfiles", "HasSummary", "HasTables", "Suite", "Worker"]


class Worker(Protocol):
    """Runs rollouts in one process and owns what is expensive to build (scene, weights, GL context)."""

    def run(self, batch: Sequence[RolloutSpec], run_dir: Path) -> Iterator[RolloutRecord]:
        """Run a batch and yield each record once its artifacts are in place below ``run_dir``.

        A rollout first removes the files that an earlier try of its own left in its folder, and no others. Its
        record carries ``spec.fingerprint``. An exception ends the process; the rollout is then listed as failed.
        """
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
    model: str
    """Name of what is evaluated, for the records of rollouts whose process died; known after :meth:`prepare`."""
    privileged: bool
    """Whether that model sees more than the observation contract gives; known after :meth:`prepare`."""

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
        """Rebuild the record of a finished rollout from its artifacts alone; ``None`` if there is none.

        The result equals the worker's record in all but ``volatile``, ``failed`` included. The files are not
        hashed here: the caller compares them with ``artifacts``.
        """
        ...

    def open_worker(self, slot: WorkerSlot) -> Worker:
        """A worker for this process; called after :meth:`prepare`."""
        ...

    def finish(self, run_dir: Path, records: Sequence[RolloutRecord]) -> None:
        """Write the suite's own summary files (for example ``metrics_summary.json``) after the run."""
        ...


@runtime_checkable
class HasTables(Protocol):
    """A suite with its own result tables."""

    def tables(self, records: Sequence[RolloutRecord]) -> Sequence[Any]:
        """Rich renderables or strings, made from records alone."""
        ...


@runtime_checkable
class HasSummary(Protocol):
    """A suite that can sum up a run without writing anything."""

    def summary(self, run_dir: Path, records: Sequence[RolloutRecord]) -> Mapping[str, Any]:
        """The JSON-ready content of ``metrics_summary.json``."""
        ...


@runtime_checkable
class HasProfiles(Protocol):
    """A suite configured by named profiles."""

    def profile_json(self, name_or_path: str | None) -> Mapping[str, Any]:
        """The content of a profile, the default one for ``None``. Raises ConfigError or MissingFileError."""
        ...
