"""``bodyloop render`` and ``bodyloop render-batch``: videos of saved rollouts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bodyloop.cli.offline import open_offline
from bodyloop.cli.options import RunDir

__all__ = ["render", "render_batch"]

Crf = Annotated[int, typer.Option(min=0, max=51, help="Constant rate factor of libx264.")]
Preset = Annotated[str, typer.Option(help="Preset of libx264.")]
Force = Annotated[bool, typer.Option("--force", help="Render again what is already there.")]


def render(
    rollout: Annotated[Path, typer.Argument(metavar="ROLLOUT", help="Rollout folder.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option(help="Folder to write.", show_default="RUN_derived/ROLLOUT, beside the run")
    ] = None,
    crf: Crf = 20,
    preset: Preset = "veryfast",
    force: Force = False,
) -> None:
    """Render ego.mp4 and exo.mp4 of one saved rollout."""
    if (rollout / "run.json").is_file():
        raise typer.BadParameter("this is a run folder; use render-batch", param_hint="ROLLOUT")
    _render(rollout, output, None, (crf, preset), force)


def render_batch(
    run_dir: RunDir,
    output_root: Annotated[
        Path | None, typer.Option(help="Folder for one folder per rollout.", show_default="RUN_derived, beside the run")
    ] = None,
    crf: Crf = 20,
    preset: Preset = "veryfast",
    force: Force = False,
) -> None:
    """Render both videos of every saved rollout of a run."""
    _render(run_dir, None, output_root, (crf, preset), force)


def _render(path: Path, output: Path | None, root: Path | None, encoder: tuple[int, str], force: bool) -> None:
    from bodyloop.errors import ArtifactError
    from bodyloop.household.bundle import load_bundle
    from bodyloop.household.render import Encoder, render_rollout

    settings, console = Encoder(*encoder), Console()
    with open_offline(path, video=True) as run:
        base = root or run.run_dir.with_name(f"{run.run_dir.name}_derived")
        if output is not None and len(run.specs) != 1:
            raise typer.BadParameter(f"{path} holds {len(run.specs)} rollouts; name one of them", param_hint="ROLLOUT")
        failed = 0
        for spec in run.specs:
            folder = output or base / spec.folder
            try:
                bundle = load_bundle(run.run_dir / spec.folder)
                report = render_rollout(bundle, run.env, run.episode(spec), folder, settings, force=force)
                line = f"{report['status']}: {report['frames']} frames in {folder}"
            except ArtifactError as error:
                failed, line = failed + 1, f"failed: {error}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    if failed:
        raise typer.Exit(1)
