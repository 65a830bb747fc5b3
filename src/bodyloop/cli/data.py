"""``bodyloop data``: the scenes that runs take place in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from bodyloop.household.home_data import HomeDataResult
    from bodyloop.scenes.validate import Check, HomeReport

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
    """Print a row per check and a column per home, then what failed; or JSON."""
    if as_json:
        print(json.dumps([report.to_json() for report in reports], indent=2))
        return
    console.print(_line("", "limit", [report.scene_id.removeprefix("home_") for report in reports]), soft_wrap=True)
    for rows in zip(*(report.checks for report in reports), strict=True):
        line = _line(rows[0].check, rows[0].limit, [_figure(row) for row in rows])
        style = "default" if all(row.ok for row in rows) else "bold red"
        console.print(line, style=style, soft_wrap=True, highlight=False, markup=False)
    for report in reports:
        for row in report.failures:
            line = f"{report.scene_id}: {row.check} {row.value:.5g}, wanted {row.limit}  {row.detail}"
            console.print(line, soft_wrap=True, highlight=False, markup=False)


def _line(name: str, limit: str, cells: Sequence[str]) -> str:
    return f"{name:<27}{limit:<10}" + "".join(f"{cell:>8}" for cell in cells)


def _figure(row: Check) -> str:
    """Lengths to 0.1 mm, counts as whole numbers; an exclamation mark where the limit is broken."""
    text = f"{row.value:.4f}" if row.limit.endswith(" m") else f"{row.value:.0f}"
    return text if row.ok else f"{text}!"
