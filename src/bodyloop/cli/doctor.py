"""``bodyloop doctor``: print what this machine can run and how to repair the rest."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from bodyloop import __version__
from bodyloop.sim.diagnosis import Check, diagnose, usable

__all__ = ["doctor", "show"]

_LOOK = {"ok": "green", "note": "cyan", "warning": "yellow", "failure": "bold red"}


def doctor(console: Console | None = None) -> int:
    """Check everything and print it. Exit status: 0 if runs are possible, else 1."""
    console = console or Console()
    with console.status("checking"):
        checks = diagnose()
    return show(checks, console)


def show(checks: Sequence[Check], console: Console) -> int:
    """Print findings, one line each, commands unbroken so that they can be copied. Returns the exit status."""
    width = max(len(check.name) for check in checks)
    console.print(Text(f"bodyloop {__version__}", style="bold"))
    for check in checks:
        line = Text(f"{check.status:<8}", style=_LOOK[check.status])
        line.append(f" {check.name:<{width}}  ", style="bold")
        line.append(check.detail, style="default")
        console.print(line, soft_wrap=True, highlight=False)
        if check.fix:
            fix = Text(" " * (width + 11) + "-> ", style=_LOOK[check.status]).append(check.fix, style="default")
            console.print(fix, soft_wrap=True, highlight=False)
    good = usable(checks)
    failed = sum(check.status == "failure" for check in checks)
    text = "ready: everything a run needs is there" if good else f"not ready: {failed} of {len(checks)} checks failed"
    console.print(Text(text, style="bold green" if good else "bold red"))
    return 0 if good else 1
