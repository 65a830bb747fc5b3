"""What an earlier execution left in a run folder, and whether this one may go on there."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bodyloop.errors import BodyloopError, ConfigError, FingerprintMismatchError
from bodyloop.records.files import verify_artifact
from bodyloop.records.journal import Journal
from bodyloop.records.protocols import Suite
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import RolloutSpec
from bodyloop.runs.plan import FILE_NAME, RunPlan

__all__ = ["JOURNAL_NAME", "Earlier", "check_output", "finished_record", "latest_records", "reconcile"]

JOURNAL_NAME = "journal.jsonl"


@dataclass(frozen=True)
class Earlier:
    """What earlier executions of a run have left."""

    finished: Mapping[str, RolloutRecord] = field(default_factory=dict)
    """Complete rollouts by key."""
    failed: frozenset[str] = frozenset()
    """Keys of rollouts that ended abnormally; they are run again, whatever lies in their folders."""


def check_output(plan: RunPlan, run_dir: Path, *, resume: bool) -> None:
    """Make sure that ``plan`` may write into ``run_dir``; creates the folder.

    An empty folder will do, or one that holds this very run: then ``resume`` keeps what is finished, and without it
    everything is deliberately done again.

    Raises:
        FingerprintMismatchError: The folder holds a run under another configuration; the message names the field.
        ConfigError: It holds something else, rollouts that are not selected any more, or cannot be written.
    """
    _check_writable(run_dir)
    if (run_dir / FILE_NAME).exists():
        _check_same_run(plan, RunPlan.read(run_dir), run_dir, resume=resume)
    elif any(not entry.name.startswith(".") for entry in run_dir.iterdir()):
        raise ConfigError(f"output folder {run_dir} is not empty and holds no {FILE_NAME}; choose another folder")


def finished_record(suite: Suite, run_dir: Path, spec: RolloutSpec) -> RolloutRecord | None:
    """The record of a complete rollout, rebuilt from its artifacts; ``None`` if it must be run.

    Complete means: not failed, made under this run's fingerprint, every file that the current flags ask for is
    there, and no file that is there differs from its recorded hash.
    """
    try:
        record = suite.load_record(run_dir, spec)
    except (BodyloopError, OSError, ValueError, KeyError):  # unreadable artifacts are no artifacts
        return None
    if record is None or record.failed:
        return None
    if (record.key, record.folder, record.seed, record.fingerprint) != (
        spec.key,
        spec.folder,
        spec.seed,
        spec.fingerprint,
    ):
        return None
    folder = run_dir / spec.folder
    present = all(_is_filled(folder / name) for name in suite.required_artifacts())
    intact = all(
        verify_artifact(folder, artifact)
        for artifact in record.artifacts
        if (folder / artifact.path).exists()  # a video made earlier may be gone if none is asked for now
    )
    return record if present and intact else None


def reconcile(suite: Suite, plan: RunPlan, run_dir: Path) -> Earlier:
    """Compare journal and artifacts; where they disagree, artifacts win and the journal is rewritten.

    Lines of unscored rollouts stay until the rollout is done again.
    """
    journal = Journal(run_dir / JOURNAL_NAME)
    known = journal.latest()
    failed = frozenset(key for key, line in known.items() if line.failed)
    finished: dict[str, RolloutRecord] = {}
    kept: dict[str, RolloutRecord] = {}
    for spec in plan.rollouts:
        line = known.get(spec.key)
        record = None if spec.key in failed else finished_record(suite, run_dir, spec)
        if record is not None:
            same = line is not None and line.canonical() == record.canonical()
            kept[spec.key] = finished[spec.key] = line if line is not None and same else record
        elif line is not None and line.outcome is Outcome.UNSCORED:
            kept[spec.key] = line
    if kept != known or not journal.is_intact():
        journal.rewrite(kept.values())
    return Earlier(finished, failed)


def latest_records(suite: Suite, plan: RunPlan, run_dir: Path) -> list[RolloutRecord]:
    """One record per planned rollout, read only: from the journal, else from artifacts, else unscored."""
    known = Journal(run_dir / JOURNAL_NAME).latest()
    return [
        known.get(spec.key)
        or finished_record(suite, run_dir, spec)
        or RolloutRecord.unscored(spec, "not run", model=suite.model, privileged=suite.privileged)
        for spec in plan.rollouts
    ]


def _check_writable(run_dir: Path) -> None:
    probe = run_dir / f".probe.{secrets.token_hex(4)}"
    try:
        run_dir.mkdir(parents=True, exist_ok=True)
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ConfigError(f"output folder {run_dir} cannot be written ({reason}); choose another --output") from error


def _check_same_run(plan: RunPlan, earlier: RunPlan, run_dir: Path, *, resume: bool) -> None:
    changed = earlier.fingerprint.diff(plan.fingerprint)
    if changed:
        verb = "resume" if resume else "write into"
        more = f" (and {len(changed) - 1} more)" if len(changed) > 1 else ""
        raise FingerprintMismatchError(
            f"cannot {verb} {run_dir}: it holds a run with {changed[0]}{more} (that run != this one); "
            "use the same configuration or a new output folder"
        )
    planned = {spec.key: spec for spec in plan.rollouts}
    for spec in earlier.rollouts:
        if spec.key not in planned:
            raise ConfigError(
                f"{run_dir} holds a run with rollout {spec.key}, which is not selected now; "
                "select at least the same episodes, or use a new output folder"
            )
        if spec != planned[spec.key]:
            raise FingerprintMismatchError(
                f"{run_dir} holds rollout {spec.key} of another episode definition; use a new output folder"
            )


def _is_filled(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
