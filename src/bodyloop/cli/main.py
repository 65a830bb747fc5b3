"""The command line: one module per verb, no logic here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from bodyloop import __version__
from bodyloop.cli import compare, config, data, doctor_verb, metrics, render, replay, rescore, rollout, run, status
from bodyloop.errors import BodyloopError, ConfigError, DataError, MissingFileError

__all__ = ["app", "main"]

app = typer.Typer(
    name="bodyloop",
    help="Closed-loop evaluation of agents that act through a simulated body.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(run.app, name="run")
app.add_typer(data.data_app, name="data")
app.command("rollout")(rollout.rollout)
app.command("status")(status.status)
app.command("metrics")(metrics.metrics)
app.command("replay")(replay.replay)
app.command("rescore")(rescore.rescore)
app.command("render")(render.render)
app.command("render-batch")(render.render_batch)
app.command("compare")(compare.compare)
app.command("config")(config.config)
app.command("doctor")(doctor_verb.doctor)


def _version(value: bool) -> None:
    if value:
        print(f"bodyloop {__version__}")
        raise typer.Exit


@app.callback()
def _global(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    del version


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0 success; 1 a reported failure; 2 wrong usage, configuration or input; 130 interrupted.
    """
    command = typer.main.get_command(app)
    try:
        command.main(args=None if argv is None else list(argv), prog_name="bodyloop")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BodyloopError as error:
        print(f"bodyloop: {' '.join(str(error).split())}", file=sys.stderr)
        return 2 if isinstance(error, ConfigError | DataError | MissingFileError) else 1
    return 0
