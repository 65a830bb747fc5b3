"""Reading two runs for a comparison: what may be compared at all, and which rollouts belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bodyloop.errors import ConfigError, DataError, FingerprintMismatchError
from bodyloop.records.journal import Journal
from bodyloop.records.record import RolloutRecord
from bodyloop.records.specs import RolloutSpec
from bodyloop.runs.plan import RunPlan
from bodyloop.runs.resume import JOURNAL_NAME

__all__ = ["ComparedRun", "check_protocol", "common_keys", "read_run"]

_FREE = ("model",)
"""Fingerprint fields that may differ: what is compared."""


@dataclass(frozen=True)
class ComparedRun:
    """One side of a comparison."""

    name: str
    """The folder as it was given."""
    plan: RunPlan
    specs: Mapping[str, RolloutSpec]
    """Planned rollouts by key."""
    records: Mapping[str, RolloutRecord]
    """Journal lines by key; a planned rollout without one has not been run."""

    @property
    def models(self) -> str:
        """Names of the models in the records, privileged ones marked."""
        names = {record.model + (" (privileged)" if record.privileged else "") for record in self.records.values()}
        return ", ".join(sorted(names)) or "no record"


def read_run(run_dir: Path) -> ComparedRun:
    """Read ``run.json`` and the journal; reads only.

    Raises:
        MissingFileError: There is no run.
        ConfigError: ``run.json`` is damaged.
        DataError: The journal holds rollouts of another run.
    """
    plan = RunPlan.read(run_dir)
    specs = {spec.key: spec for spec in plan.rollouts}
    records = Journal(run_dir / JOURNAL_NAME).latest()
    for key, record in records.items():
        if key in specs and record.fingerprint != plan.fingerprint.digest:
            raise DataError(f"{run_dir / JOURNAL_NAME}: rollout {key} was made by another run than run.json describes")
    return ComparedRun(str(run_dir), plan, specs, {key: records[key] for key in specs if key in records})


def check_protocol(a: ComparedRun, b: ComparedRun, allow: Sequence[str] = ()) -> list[str]:
    """Refuse runs under different protocols; returns the differing fields that are allowed, one line each.

    Args:
        a: The baseline.
        b: The candidate.
        allow: Dotted fields that may differ, with all below them. ``model`` always may.

    Raises:
        FingerprintMismatchError: Another field differs.
    """
    differences = a.plan.fingerprint.diff(b.plan.fingerprint)
    refused = [line for line in differences if not _within(line, (*_FREE, *allow))]
    if refused:
        fields = ", ".join(dict.fromkeys(_path(line) for line in refused[:5]))
        more = f" and {len(refused) - 5} more" if len(refused) > 5 else ""
        raise FingerprintMismatchError(
            f"{a.name} and {b.name} are not under one protocol ({fields}{more} differ): {refused[0]}; "
            f"if that is meant, add --allow {_path(refused[0])}"
        )
    return differences


def common_keys(a: ComparedRun, b: ComparedRun) -> list[str]:
    """Rollouts planned in both runs, in the order of A.

    Raises:
        ConfigError: There are none, or an episode is another problem in the other run.
    """
    keys = [key for key in a.specs if key in b.specs]
    if not keys:
        raise ConfigError(
            f"{a.name} and {b.name} have no episode in common; --unpaired compares them as independent samples"
        )
    other = [key for key in keys if a.specs[key].episode.premise_hash != b.specs[key].episode.premise_hash]
    if other:
        raise ConfigError(
            f"{len(other)} of {len(keys)} common rollouts start from another premise in {b.name} than in {a.name} "
            f"({other[0]} first); --unpaired compares the runs as independent samples"
        )
    return keys


def _within(line: str, allowed: Sequence[str]) -> bool:
    path = _path(line)
    return any(path == name or path.startswith((f"{name}.", f"{name}[")) for name in allowed)


def _path(line: str) -> str:
    return line.partition(": ")[0]
