"""``bodyloop replay``: execute saved rollouts again and compare every engine position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bodyloop.cli.offline import open_offline
from bodyloop.errors import ConfigError
from bodyloop.records.record import Outcome

__all__ = ["replay"]


def replay(
    path: Annotated[Path, typer.Argument(metavar="RUN_OR_ROLLOUT", help="Run or rollout folder.", show_default=False)],
    where: Annotated[str | None, typer.Option(help="Only some rollouts, as outcome=failure.")] = None,
) -> None:
    """Replay saved motion from the saved state; exit status 1 unless every position is bit-identical."""
    from bodyloop.household.bundle import load_bundle
    from bodyloop.household.replay import replay as replay_bundle

    wanted = _outcome(where)
    table = Table("rollout", "frames", "result", "worst error", "where")
    exact = compared = 0
    with open_offline(path) as run:
        for spec in run.specs:
            bundle = load_bundle(run.run_dir / spec.folder)
            if wanted is not None and bundle.record.outcome is not wanted:
                continue
            result = replay_bundle(bundle, run.env, run.episode(spec))
            compared, exact = compared + 1, exact + result.exact
            verdict = "bit-exact" if result.exact else "DIFFERENT"
            table.add_row(spec.folder, str(result.frames), verdict, f"{result.worst_error:.3g}", result.place)
    console = Console()
    console.print(table, highlight=False)
    console.print(f"replayed {compared}, bit-exact {exact}, different {compared - exact}", highlight=False)
    if exact < compared or not compared:
        raise typer.Exit(1)


def _outcome(where: str | None) -> Outcome | None:
    if where is None:
        return None
    field, _, value = where.partition("=")
    known = [outcome.value for outcome in Outcome]
    if field != "outcome" or value not in known:
        raise ConfigError(f"--where: expected outcome=NAME with one of {', '.join(known)}, got {where!r}")
    return Outcome(value)
