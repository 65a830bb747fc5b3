"""Tables from rollout records alone. No rate without n, coverage and interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.stats.intervals import Rate

__all__ = ["format_rate", "model_label", "outcome_notes", "outcome_rate", "outcome_table"]

_SCORED = (Outcome.SUCCESS, Outcome.FAILURE)


def outcome_rate(records: Iterable[RolloutRecord]) -> Rate | None:
    """Success rate over the scored records; ``None`` for a run that was not asked for metrics."""
    counts = Counter(record.outcome for record in records)
    scored = sum(counts[outcome] for outcome in _SCORED)
    if counts[Outcome.NOT_EVALUATED] and not scored:
        return None
    return Rate(counts[Outcome.SUCCESS], scored, attempted=counts.total())


def format_rate(rate: Rate | None) -> tuple[str, str, str, str]:
    """Cells for the rate in percent, its 95 % interval, scored trials, and coverage of the attempted ones."""
    if rate is None:
        return "not evaluated", "--", "0", "--"
    value = "--" if rate.value is None else f"{100 * rate.value:.1f}%"
    interval = f"[{100 * rate.interval.low:.1f}, {100 * rate.interval.high:.1f}]" if rate.n else "--"
    coverage = "--" if rate.coverage is None else f"{100 * rate.coverage:.0f}%"
    return value, interval, f"{rate.successes}/{rate.n}", coverage


def model_label(records: Sequence[RolloutRecord]) -> str:
    """Names of the models in the records, the privileged ones marked."""
    labels = {record.model + (" (privileged)" if record.privileged else "") for record in records}
    return ", ".join(sorted(labels)) or "--"


def outcome_table(records: Sequence[RolloutRecord], *, by: str | None = None) -> Table:
    """Success by the tag ``by`` (a category, a difficulty; ``None``: by group) and over all records.

    Privileged models and decisions that were fallbacks are marked. :func:`outcome_notes` belongs below it.
    """
    table = Table(title=f"Model: {model_label(records)}", title_justify="left")
    table.add_column(by or "group")
    for name in ("success", "95% interval", "n", "coverage", "fallbacks"):
        table.add_column(name, justify="right")
    rows = _split(records, by)
    for name, members in sorted(rows.items()):
        table.add_row(name, *_cells(members))
    if len(rows) != 1:
        table.add_section()
        table.add_row("all", *_cells(records))
    return table


def outcome_notes(records: Sequence[RolloutRecord]) -> list[str]:
    """Lines that belong under any table of these records."""
    notes = ["interval: Clopper-Pearson; coverage: scored of attempted rollouts"]
    unscored = Counter(_reason_class(record) for record in records if record.outcome is Outcome.UNSCORED)
    if unscored:
        notes.append("unscored: " + ", ".join(f"{count} {reason}" for reason, count in sorted(unscored.items())))
        rate = outcome_rate(records)
        if rate is not None:
            low, high = rate.bounds
            notes.append(f"rate if all unscored had failed or succeeded: {100 * low:.1f}% to {100 * high:.1f}%")
    fallbacks = sum(record.fallback_decisions for record in records)
    if fallbacks:
        notes.append(f"{fallbacks} decisions were fallbacks: the model's replies were unusable")
    if any(record.privileged for record in records):
        notes.append("privileged: the model reads simulator state; not comparable with models that see images only")
    return notes


def _split(records: Sequence[RolloutRecord], by: str | None) -> Mapping[str, list[RolloutRecord]]:
    rows: dict[str, list[RolloutRecord]] = {}
    for record in records:
        name = record.group if by is None else record.tags.get(by, "--")
        rows.setdefault(name, []).append(record)
    return rows


def _cells(records: Sequence[RolloutRecord]) -> tuple[str, ...]:
    fallbacks = sum(record.fallback_decisions for record in records)
    return (*format_rate(outcome_rate(records)), str(fallbacks))


def _reason_class(record: RolloutRecord) -> str:
    return (record.reason or "no reason").partition(":")[0]
