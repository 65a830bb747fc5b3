"""The dispatcher's side of a child process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bodyloop.records.specs import RolloutSpec, WorkerSlot
from bodyloop.runs.child import QUIT
from bodyloop.runs.slots import child_environment

__all__ = ["ChildProcess"]


class ChildProcess:
    """A started child, the rollout it is on and the pipe its results come from.

    The child has its own session: Ctrl-C in the terminal reaches the dispatcher alone, and :meth:`kill` reaches
    everything the child has started.
    """

    def __init__(self, run_dir: Path, slot: WorkerSlot, log: Path) -> None:
        self.slot = slot
        self.log = log
        self.spec: RolloutSpec | None = None
        self.group: str | None = None
        """Group of the latest rollout, whose scene the worker holds."""
        self.error: str | None = None
        """What the child reported before it ended, ready for a record."""
        self.leaving = False
        """Told to end; takes no further rollout."""
        self.started = 0.0
        self._log_start = 0
        self._partial = b""
        self._result_fd, result_end = os.pipe()
        os.set_blocking(self._result_fd, False)
        try:
            self._process = self._start(run_dir, result_end)
        except BaseException:
            os.close(self._result_fd)
            raise
        finally:
            os.close(result_end)

    def _start(self, run_dir: Path, result_end: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "bodyloop", "rollout", str(run_dir)]
        command += ["--slot", str(self.slot.index), "--result-fd", str(result_end)]
        command += ["--device", self.slot.device] if self.slot.device is not None else []
        with self.log.open("wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(result_end,),
                env=child_environment(self.slot),
                start_new_session=True,
            )

    def fileno(self) -> int:
        """Descriptor that becomes readable when there is news."""
        return self._result_fd

    def submit(self, spec: RolloutSpec) -> None:
        """Hand over the next rollout; the previous one must be done."""
        self.spec, self.group = spec, spec.episode.group
        self.started = time.monotonic()
        self._log_start = self.log.stat().st_size
        self._command(spec.key)

    def finish(self) -> None:
        """Let the child end after what it was given."""
        self.leaving = True
        self._command(QUIT)

    def kill(self) -> None:
        """End the child and all it has started, now."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def read(self) -> tuple[list[Mapping[str, Any]], bool]:
        """The messages that have arrived, and whether the child has ended. Does not wait."""
        ended = self._process.poll() is not None  # asked first: what it wrote before its end is then in the pipe
        data, at_end = _drain(self._result_fd)
        *lines, self._partial = (self._partial + data).split(b"\n")
        return [json.loads(line) for line in lines], ended or at_end

    def close(self) -> int:
        """Wait for the end, release the pipes and return the exit status (negative: the signal)."""
        status = self._process.wait()
        os.close(self._result_fd)
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        return status

    def log_text(self) -> bytes:
        """What the child printed since the current rollout was submitted."""
        with self.log.open("rb") as file:
            file.seek(self._log_start)
            return file.read()

    def _command(self, line: str) -> None:
        assert self._process.stdin is not None
        # A child that has just died is noticed at its result pipe, with its exit status.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()


def _drain(descriptor: int) -> tuple[bytes, bool]:
    """All bytes that wait in a non-blocking pipe, and whether its other end is closed."""
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return b"".join(chunks), False
        if not chunk:
            return b"".join(chunks), True
        chunks.append(chunk)
