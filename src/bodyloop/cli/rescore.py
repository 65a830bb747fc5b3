"""``bodyloop rescore``: metrics of a run from its rollout folders alone."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bodyloop.cli.offline import open_offline
from bodyloop.cli.options import RunDir

__all__ = ["rescore"]


def rescore(
    run_dir: RunDir,
    write: Annotated[bool, typer.Option("--write", help="Write metrics.json and the scored records.")] = False,
) -> None:
    """Recompute all metrics without model or motion generator; exit status 1 if they differ from the stored ones."""
    from bodyloop.errors import ArtifactError
    from bodyloop.household.bundle import load_bundle
    from bodyloop.household.rescore import rescore as rescore_bundle
    from bodyloop.household.rescore import write_metrics
    from bodyloop.records.files import load_json
    from bodyloop.records.journal import Journal

    table, bad = Table("rollout", "success", "stored metrics"), 0
    with open_offline(run_dir, metrics=True) as run:
        journal = Journal(run.run_dir / "journal.jsonl")
        for spec in run.specs:
            try:
                bundle = load_bundle(run.run_dir / spec.folder)
                metrics = rescore_bundle(bundle, run.env, run.episode(spec))
            except ArtifactError as error:
                table.add_row(spec.folder, "--", str(error))
                bad += 1
                continue
            stored = bundle.folder / "metrics.json"
            verdict = "none" if not stored.is_file() else "equal" if load_json(stored) == metrics else "DIFFERENT"
            bad += verdict == "DIFFERENT"
            table.add_row(spec.folder, str(metrics["outcome"]["success"]).lower(), verdict)
            if write and verdict != "equal":
                journal.append(write_metrics(bundle, metrics))
    Console().print(table, highlight=False)
    if bad:
        raise typer.Exit(1)
