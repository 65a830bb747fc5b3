"""``bodyloop doctor``: what this machine can run."""

from __future__ import annotations

import typer
from rich.console import Console


def doctor() -> None:
    """Check engine, rendering and packages; says how to fix what is missing."""
    from bodyloop.cli.doctor import doctor as check

    raise typer.Exit(check(Console()))
