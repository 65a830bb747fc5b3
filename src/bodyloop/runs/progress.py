"""What a person sees while a run goes on."""

from __future__ import annotations

import time
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from bodyloop.records.record import Outcome, RolloutRecord

__all__ = ["BarProgress", "LineProgress", "Progress", "SilentProgress", "progress_for"]


class Progress(Protocol):
    """Told of every step of a run."""

    def begin(self, total: int, note: str) -> None:
        """``total`` rollouts are about to be launched; ``note`` says on what."""
        ...

    def finished(self, record: RolloutRecord, duration_s: float) -> None:
        """One rollout ended, for better or worse."""
        ...

    def note(self, text: str) -> None:
        """Something worth a line."""
        ...

    def end(self) -> None:
        """Nothing more will come."""
        ...


class SilentProgress:
    """Shows nothing."""

    def begin(self, total: int, note: str) -> None:
        """Nothing."""

    def finished(self, record: RolloutRecord, duration_s: float) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


class LineProgress:
    """One plain line per finished rollout, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._total = 0
        self._done = 0
        self._started = 0.0

    def begin(self, total: int, note: str) -> None:
        """Say how many and on what."""
        self._total, self._started = total, time.monotonic()
        self.note(f"{total} rollouts on {note}")

    def finished(self, record: RolloutRecord, duration_s: float) -> None:
        """``[2/6] key success 3.1 s, about 12 s left``."""
        self._done += 1
        per_rollout_s = (time.monotonic() - self._started) / self._done
        left_s = per_rollout_s * (self._total - self._done)
        tail = f", about {left_s:.0f} s left" if left_s > 0 else ""
        self.note(f"[{self._done}/{self._total}] {_result(record)} {duration_s:.1f} s{tail}")

    def note(self, text: str) -> None:
        """One unwrapped line."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        """Nothing."""


class BarProgress:
    """A progress bar with the time left; only rollouts without a score get a line of their own."""

    def __init__(self, console: Console) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Bar(*columns, TextColumn("left"), TimeRemainingColumn(), console=console)
        self._task: TaskID | None = None
        self._successes = 0

    def begin(self, total: int, note: str) -> None:
        """Start the bar."""
        self.note(f"{total} rollouts on {note}")
        self._bar.start()
        self._task = self._bar.add_task("rollouts", total=total)

    def finished(self, record: RolloutRecord, duration_s: float) -> None:
        """Advance the bar."""
        del duration_s
        self._successes += record.outcome is Outcome.SUCCESS
        if record.outcome is Outcome.UNSCORED:
            self.note(_result(record))
        if self._task is not None:
            self._bar.update(self._task, advance=1, description=f"rollouts, {self._successes} successful")

    def note(self, text: str) -> None:
        """A line above the bar."""
        self._bar.console.print(text, markup=False, highlight=False)

    def end(self) -> None:
        """Leave the bar as it is."""
        self._bar.stop()


def progress_for(console: Console) -> Progress:
    """A bar on a terminal, lines elsewhere."""
    return BarProgress(console) if console.is_terminal else LineProgress(console)


def _result(record: RolloutRecord) -> str:
    return f"{record.key} {record.outcome}" + (f" ({record.reason})" if record.reason else "")
