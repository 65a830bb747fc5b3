"""What verbs print about a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from bodyloop.records.protocols import HasTables, Suite
from bodyloop.records.record import RolloutRecord

if TYPE_CHECKING:
    from bodyloop.runs.batch import BatchResult

__all__ = ["print_counts", "print_outcome", "print_tables"]


def print_tables(console: Console, suite: Suite, records: Sequence[RolloutRecord]) -> None:
    """The suite's own tables, or the outcome table."""
    # Imported late, here and in the verbs: every child of a run starts through this package and needs none of it.
    from bodyloop.report.tables import outcome_notes, outcome_table

    own = suite.tables(records) if isinstance(suite, HasTables) else None
    for item in own if own is not None else [outcome_table(records), *outcome_notes(records)]:
        if isinstance(item, str):
            _line(console, item)
        else:
            console.print(item, highlight=False)


def print_outcome(console: Console, result: BatchResult) -> None:
    """Where the results are, then the end line."""
    for name in ("", "metrics_summary.json", "failures.json"):
        path = result.output / name
        if path.exists():
            _line(console, f"{name or 'results'}: {path}")
    print_counts(console, result.counts)


def print_counts(console: Console, counts: Mapping[str, int]) -> None:
    """``selected 6, skipped 0, completed 6, failed 0, unscored 0``."""
    _line(console, ", ".join(f"{name} {count}" for name, count in counts.items()))


def _line(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)
