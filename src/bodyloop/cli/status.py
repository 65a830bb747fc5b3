"""``bodyloop status``: how far a run is."""

from __future__ import annotations

from rich.console import Console

from bodyloop.cli.options import RunDir
from bodyloop.cli.show import print_counts
from bodyloop.records.journal import Journal
from bodyloop.records.record import Outcome
from bodyloop.runs.plan import RunPlan
from bodyloop.runs.resume import JOURNAL_NAME


def status(run_dir: RunDir) -> None:
    """Count the rollouts of a run, also while it goes on; lists those without a score."""
    plan = RunPlan.read(run_dir)
    known = Journal(run_dir / JOURNAL_NAME).latest()
    records = [known[spec.key] for spec in plan.rollouts if spec.key in known]
    console = Console()
    for record in records:
        if record.outcome is Outcome.UNSCORED:
            console.print(f"{record.key}: {record.reason}", markup=False, highlight=False, soft_wrap=True)
    counts = {
        "selected": len(plan.rollouts),
        "completed": sum(not record.failed for record in records),
        "failed": sum(record.failed for record in records),
        "unscored": sum(record.outcome is Outcome.UNSCORED for record in records),
        "open": len(plan.rollouts) - len(records),
    }
    print_counts(console, counts)
