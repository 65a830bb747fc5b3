"""``bodyloop data``: the scenes that runs take place in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from bodyloop.household.home_data import HomeDataResult
    from bodyloop.scenes.validate import HomeReport

__all__ = ["data_app"]

data_app = typer.Typer(help="Write and check scenes.", no_args_is_help=True)


@data_app.callback()
def _group() -> None:
    """Keeps the verb's name also while there is only one."""


@data_app.command("build-homes")
def build_homes(
    check: Annotated[bool, typer.Option("--check", help="Build again and compare with what is there.")] = False,
    output: Annotated[Path | None, typer.Option(help="Folder; by default the one inside the package.")] = None,
    home: Annotated[
        list[str] | None, typer.Option(help="Print the checks of these homes only; writes nothing.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the checks as JSON.")] = False,
) -> None:
    """Generate the twelve homes with their episodes, and print how they pass the validator."""
    from bodyloop.household import home_data

    console = Console(stderr=True)
    folder = output or home_data.shipped_home_data()
    with console.status("building homes") as status:
        if home:
            show_reports(tuple(home_data.check_home(name) for name in home), Console(), as_json=as_json)
            return
        if check:
            _finish_check(home_data.check_home_data(folder, progress=status.update), folder)
            return
        result = home_data.build_home_data(folder, progress=status.update)
    show_reports(result.reports, Console(), as_json=as_json)
    _finish_build(result, folder)


def _finish_check(differences: list[str], folder: Path) -> None:
    for line in differences:
        print(line)
    print(f"{folder}: {len(differences)} differences" if differences else f"{folder}: the homes are as generated")
    if differences:
        raise typer.Exit(1)


def _finish_build(result: HomeDataResult, folder: Path) -> None:
    summary = f"{len(result.reports)} homes, {result.episodes} episodes, {result.size_bytes / 1e6:.2f} MB in {folder}"
    Console(stderr=True).print(summary, soft_wrap=True, highlight=False)
    if not result.ok:
        raise typer.Exit(1)


def show_reports(reports: tuple[HomeReport, ...], console: Console, *, as_json: bool = False) -> None:
    """Print a matrix with a row per check and a column per home, then what failed; or JSON."""
    if as_json:
        print(json.dumps([report.to_json() for report in reports], indent=2))
        return
    table = Table("check", "limit", *(report.scene_id.removeprefix("home_") for report in reports))
    for rows in zip(*(report.checks for report in reports), strict=True):
        cells = [f"{row.value:.4g}" if row.ok else f"[bold red]{row.value:.4g}[/]" for row in rows]
        table.add_row(rows[0].check, rows[0].limit, *cells)
    console.print(table)
    for report in reports:
        for row in report.failures:
            line = f"{report.scene_id}: {row.check} {row.value:.5g}, wanted {row.limit}  {row.detail}"
            console.print(line, soft_wrap=True, highlight=False, markup=False)
