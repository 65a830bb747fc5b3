"""``bodyloop compare``: two runs of one protocol, in pairs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from bodyloop.errors import ConfigError
from bodyloop.records.files import write_text_atomic

if TYPE_CHECKING:
    from bodyloop.report.compare import Comparison

_SHOWN_FLIPS = 10

RunA = Annotated[Path, typer.Argument(metavar="A", help="Run folder of the baseline.", show_default=False)]
RunB = Annotated[Path, typer.Argument(metavar="B", help="Run folder of the candidate.", show_default=False)]
Metric = Annotated[
    list[str] | None,
    typer.Option(help="A metric of the records; repeat for several (p adjusted by Holm).", show_default="success"),
]
Allow = Annotated[list[str] | None, typer.Option(metavar="FIELD", help="A fingerprint field that may differ.")]
Lower = Annotated[
    list[str] | None,
    typer.Option("--lower-is-better", metavar="METRIC", help="A metric where smaller is better; larger is otherwise."),
]
Unpaired = Annotated[bool, typer.Option("--unpaired", help="Treat the runs as independent samples.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Markdown = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write Markdown.")]
Gate = Annotated[
    float | None,
    typer.Option(metavar="P", min=0.0, max=1.0, help="Exit 1 if B is worse with p <= P, or coverage is under 95%."),
]


def compare(
    a: RunA,
    b: RunB,
    metric: Metric = None,
    allow: Allow = None,
    lower_is_better: Lower = None,
    unpaired: Unpaired = False,
    as_json: AsJson = False,
    markdown: Markdown = None,
    fail_if_worse: Gate = None,
) -> None:
    """Compare two runs by episode; B - A with interval and p. Only the model may differ, unless allowed."""
    # Imported late: statistics take a second to load, which every child of a run would pay.
    from bodyloop.report.compare import SUCCESS, CompareOptions, compare_runs, gate
    from bodyloop.report.compare_text import comparison_markdown
    from bodyloop.report.pairing import read_run

    options = CompareOptions(
        metrics=tuple(metric or [SUCCESS]),
        allow=tuple(allow or ()),
        unpaired=unpaired,
        lower_is_better=tuple(lower_is_better or ()),
    )
    comparison = compare_runs(read_run(a), read_run(b), options)
    if markdown is not None:
        _write(markdown, comparison_markdown(comparison))
    if as_json:
        print(json.dumps(comparison.to_json(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(comparison)
    shut = [] if fail_if_worse is None else gate(comparison, fail_if_worse)
    for line in shut:
        print(f"bodyloop: gate: {line}", file=sys.stderr)
    if shut:
        raise typer.Exit(1)


def _write(path: Path, text: str) -> None:
    try:
        write_text_atomic(path, text)
    except OSError as error:
        raise ConfigError(f"--markdown {path} cannot be written ({error.strerror or error})") from error


def _print(comparison: Comparison) -> None:
    from bodyloop.report.compare_text import (
        COLUMNS,
        comparison_notes,
        comparison_rows,
        comparison_title,
        flip_notes,
    )

    console = Console()
    # Metrics side by side: a row of nine cells would not fit a terminal.
    rows = comparison_rows(comparison)
    table = Table(COLUMNS[0], *(Column(row[0], justify="right", overflow="fold") for row in rows))
    for cells in list(zip(COLUMNS, *rows, strict=True))[1:]:
        table.add_row(*cells)
    flips = [line for metric in comparison.metrics for line in flip_notes(metric, _SHOWN_FLIPS)]
    for item in (*comparison_title(comparison), table, *comparison_notes(comparison), *flips):
        if isinstance(item, str):
            console.print(item, markup=False, highlight=False, soft_wrap=True)
        else:
            console.print(item, highlight=False)
