"""``bodyloop run``: evaluate an agent on the episodes of a suite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bodyloop.cli.options import (
    Gpus,
    Mode,
    Output,
    Resume,
    Rollouts,
    Seed,
    WorkerMode,
    Workers,
    WorkersPerGpu,
    scheduling,
)
from bodyloop.cli.show import print_outcome, print_tables
from bodyloop.errors import ConfigError
from bodyloop.runs.slots import Scheduling

app = typer.Typer(help="Evaluate an agent; results land in a run folder.", no_args_is_help=True)


@app.command("household")
def household(
    model: Annotated[str, typer.Option(help="oracle, random, or a model configuration (JSON).", show_default=False)],
    output: Output,
    episodes: Annotated[str, typer.Option(help="one, smoke, val100, fullval, or a list (JSON).")] = "one",
    profile: Annotated[str, typer.Option(help="Profile name or file.")] = "homes_v1",
    scene_id: Annotated[str | None, typer.Option(help="Only this scene.")] = None,
    episode_id: Annotated[str | None, typer.Option(help="Only this episode.")] = None,
    object_category: Annotated[str | None, typer.Option(help="Only this target category.")] = None,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Fewer decisions per episode.")] = None,
    metrics: Annotated[bool, typer.Option("--metrics", help="Score: metrics.json, metrics_summary.json.")] = False,
    video: Annotated[bool, typer.Option("--video", help="Write ego.mp4 and exo.mp4.")] = False,
    seed: Seed = 0,
    n_rollouts: Rollouts = 1,
    resume: Resume = False,
    gpus: Gpus = "auto",
    workers_per_gpu: WorkersPerGpu = None,
    workers: Workers = None,
    worker_mode: Mode = WorkerMode.PROCESS,
) -> None:
    """A humanoid finds, walks to and uses an object in a home."""
    config = {
        "profile": profile,
        "episodes": episodes,
        "scene_id": scene_id,
        "episode_id": episode_id,
        "object_category": object_category,
        "model": model,
        "max_steps": max_steps,
        "metrics": metrics,
        "video": video,
    }
    plan = scheduling(gpus, workers_per_gpu, workers, worker_mode)
    execute("household", config, output, seed=seed, n_rollouts=n_rollouts, resume=resume, plan=plan)


@app.command("suite")
def suite(
    suite: Annotated[str, typer.Argument(help="Installed suite, module:Class or file.py:Class.", show_default=False)],
    output: Output,
    config: Annotated[str, typer.Option(help="Suite configuration: JSON text or a JSON file.")] = "{}",
    seed: Seed = 0,
    n_rollouts: Rollouts = 1,
    resume: Resume = False,
    gpus: Gpus = "auto",
    workers_per_gpu: WorkersPerGpu = None,
    workers: Workers = None,
    worker_mode: Mode = WorkerMode.PROCESS,
) -> None:
    """Any suite, for example one of your own."""
    plan = scheduling(gpus, workers_per_gpu, workers, worker_mode)
    execute(suite, _read_config(config), output, seed=seed, n_rollouts=n_rollouts, resume=resume, plan=plan)


def execute(
    suite: str,
    config: Mapping[str, Any],
    output: Path,
    *,
    seed: int,
    n_rollouts: int,
    resume: bool,
    plan: Scheduling,
) -> None:
    """Run, print tables, paths and the end line. Exits 1 if a rollout failed, 130 if interrupted."""
    from bodyloop.runs.batch import RunConfig, run_batch
    from bodyloop.runs.progress import progress_for

    console = Console()
    run = RunConfig(suite, config, output, seed=seed, n_rollouts=n_rollouts, resume=resume, scheduling=plan)
    result = run_batch(run, progress_for(console))
    print_tables(console, result.suite, result.records)
    print_outcome(console, result)
    if result.interrupted:
        raise typer.Exit(130)
    if result.counts["failed"]:
        raise typer.Exit(1)


def _read_config(text: str) -> Mapping[str, Any]:
    """JSON object from the text itself, or from the file it names."""
    try:
        data = json.loads(text if text.lstrip().startswith("{") else Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"--config {text}: neither JSON text nor a readable file") from error
    except ValueError as error:
        raise ConfigError(f"--config: not valid JSON ({error})") from error
    if not isinstance(data, dict):
        raise ConfigError("--config: must be a JSON object")
    return data
