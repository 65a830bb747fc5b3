"""``bodyloop rollout``: the child of a run; by hand, one rollout in this process."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from bodyloop.cli.options import RunDir
from bodyloop.records.specs import WorkerSlot
from bodyloop.runs.child import commands, run_child


def rollout(
    run_dir: RunDir,
    key: Annotated[list[str] | None, typer.Option(help="Rollout to run; without it keys come from stdin.")] = None,
    slot: Annotated[int, typer.Option(hidden=True)] = 0,
    device: Annotated[str | None, typer.Option(hidden=True)] = None,
    result_fd: Annotated[int, typer.Option(hidden=True)] = 1,
) -> None:
    """Run single rollouts of a planned run (internal); prints one JSON line for each."""
    faulthandler.enable()
    # The result channel is private from here on: whatever prints to stdout, here or in a process started from here,
    # goes to stderr, and nothing but this function holds the channel open.
    results = os.fdopen(os.dup(result_fd), "w", encoding="utf-8")
    if result_fd != 1:
        os.close(result_fd)
    sys.stdout.flush()
    os.dup2(2, 1)

    def send(message: Mapping[str, Any]) -> None:
        results.write(json.dumps(message, allow_nan=False) + "\n")
        results.flush()

    keys = key if key else commands(_private_stdin())
    status = run_child(run_dir, WorkerSlot(slot, device), keys, send)
    raise typer.Exit(status)


def _private_stdin() -> Any:
    """The command stream, out of reach of code that reads stdin."""
    stream = os.fdopen(os.dup(0), encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return stream
