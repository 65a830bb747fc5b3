"""``bodyloop metrics``: the tables of a run, from its records."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console

from bodyloop.cli.options import RunDir
from bodyloop.cli.show import print_tables
from bodyloop.errors import ConfigError
from bodyloop.records.protocols import HasSummary
from bodyloop.records.record import Outcome


def metrics(
    run_dir: RunDir,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    write_json: Annotated[bool, typer.Option("--write-json", help="Also write the suite's summary files.")] = False,
) -> None:
    """Print the result tables; reads only, unless asked to write."""
    from bodyloop.runs.plan import RunPlan
    from bodyloop.runs.resume import latest_records
    from bodyloop.runs.suites import load_suite

    plan = RunPlan.read(run_dir)
    suite = load_suite(plan.suite)
    suite.prepare(plan.config)  # not compared with the plan: an old run stays readable
    records = latest_records(suite, plan, run_dir)
    if all(record.outcome in (Outcome.UNSCORED, Outcome.NOT_EVALUATED) for record in records):
        print(f"bodyloop: {run_dir} holds no scored rollout", file=sys.stderr)
        raise typer.Exit(1)
    if write_json:
        suite.finish(run_dir, records)
    if not as_json:
        print_tables(Console(), suite, records)
    elif isinstance(suite, HasSummary):
        print(json.dumps(suite.summary(run_dir, records), indent=2, ensure_ascii=False))
    else:
        raise ConfigError(f"suite {suite.name!r} has no JSON summary; leave --json out")
