"""What is known about rollouts without a score: ``failures.json`` and ``logs/`` at the root of a run."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bodyloop.records.files import write_bytes_atomic, write_json_atomic
from bodyloop.records.record import Outcome, RolloutRecord

__all__ = ["ChildEnd", "FailureBook", "log_name"]

LAST_LINES = 20


@dataclass(frozen=True)
class ChildEnd:
    """How a child ended while a rollout was on it."""

    exit_code: int | None
    """``None`` if a signal ended it."""
    signal: str | None
    duration_s: float
    log: str
    """Relative to the run folder."""
    last_lines: tuple[str, ...]

    @classmethod
    def from_status(cls, status: int, *, duration_s: float, log: str, text: bytes) -> ChildEnd:
        """From a process status, which is negative for a signal."""
        lines = text.decode(errors="replace").splitlines()[-LAST_LINES:]
        name = _signal_name(-status) if status < 0 else None
        return cls(None if status < 0 else status, name, round(duration_s, 3), log, tuple(lines))

    @property
    def reason(self) -> str:
        """Reason for the record of a child that said nothing itself."""
        if self.signal is not None:
            return f"infrastructure: killed by {self.signal}"
        if self.exit_code:
            return f"infrastructure: exited with status {self.exit_code}"
        return "infrastructure: ended without a result"


class FailureBook:
    """Collects the ends of failed children and writes them down for the rollouts that stay unscored."""

    def __init__(self, run_dir: Path) -> None:
        self._run_dir = run_dir
        self._ends: dict[str, ChildEnd] = {}

    def add(self, key: str, status: int, *, duration_s: float, text: bytes) -> ChildEnd:
        """Keep the log of a failed rollout below ``logs/``."""
        name = log_name(key)
        write_bytes_atomic(self._run_dir / name, text)
        end = ChildEnd.from_status(status, duration_s=duration_s, log=name, text=text)
        self._ends[key] = end
        return end

    def forget(self, key: str) -> None:
        """Remove the log of an earlier, failed try; the rollout is done."""
        log = self._run_dir / log_name(key)
        log.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty, or not there
            log.parent.rmdir()

    def write(self, records: list[RolloutRecord]) -> None:
        """Write ``failures.json``: every unscored rollout with its reason; no file if there is none."""
        path = self._run_dir / "failures.json"
        rows = [self._row(record) for record in records if record.outcome is Outcome.UNSCORED]
        if rows:
            write_json_atomic(path, rows)
        else:
            path.unlink(missing_ok=True)

    def _row(self, record: RolloutRecord) -> Mapping[str, Any]:
        end = self._ends.get(record.key)
        row = {"rollout": record.key, "folder": record.folder, "reason": record.reason, "failed": record.failed}
        return row | (asdict(end) if end is not None else {})


def log_name(key: str) -> str:
    """Log of a rollout, relative to the run folder; file-system safe and unique for a key."""
    safe = "".join(char if char.isalnum() or char in "-_." else f"%{ord(char):02x}" for char in key)
    return f"logs/{safe}.log"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
