"""Flags that several verbs share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bodyloop.runs.slots import Scheduling

__all__ = ["Gpus", "Output", "Resume", "Rollouts", "RunDir", "Seed", "WorkerMode", "Workers", "WorkersPerGpu"]


class WorkerMode(StrEnum):
    """How children are used."""

    PROCESS = "process"
    PERSISTENT = "persistent"


RunDir = Annotated[Path, typer.Argument(metavar="RUN", help="Run folder.", show_default=False)]
Output = Annotated[Path, typer.Option(help="Run folder to write.", show_default=False)]
Seed = Annotated[int, typer.Option(help="Run seed; all randomness derives from it and from names.")]
Rollouts = Annotated[int, typer.Option("--n-rollouts", min=1, help="Rollouts per episode.")]
Resume = Annotated[bool, typer.Option("--resume", help="Skip rollouts that are complete.")]
Gpus = Annotated[str, typer.Option(help="'auto' (all visible) or a comma list of GPUs.")]
WorkersPerGpu = Annotated[int | None, typer.Option(min=1, help="Workers on each GPU.", show_default="1")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="CPU workers; leaves GPUs alone.", show_default="one per core, as memory allows"),
]
Mode = Annotated[
    WorkerMode, typer.Option("--worker-mode", help="A new process per rollout, or processes that stay loaded.")
]


def scheduling(gpus: str, workers_per_gpu: int | None, workers: int | None, mode: WorkerMode) -> Scheduling:
    """The scheduling flags as one value. Raises a usage error if CPU and GPU forms are mixed."""
    if workers is not None and (gpus != "auto" or workers_per_gpu is not None):
        raise typer.BadParameter("--workers is the CPU form; it cannot be combined with --gpus or --workers-per-gpu")
    return Scheduling(gpus, workers_per_gpu or 1, workers, "persistent" if mode is WorkerMode.PERSISTENT else "process")
