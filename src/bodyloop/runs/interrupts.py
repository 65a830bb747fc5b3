"""Ctrl-C during a run: first stop launching, then stop at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

__all__ = ["Interrupts"]


class Interrupts:
    """While entered, counts SIGINT instead of raising KeyboardInterrupt; SIGTERM counts twice.

    Only the main thread can receive signals; elsewhere nothing is installed.
    """

    def __init__(self) -> None:
        self._level = 0
        self._previous: dict[signal.Signals, Any] = {}

    @property
    def stop(self) -> bool:
        """No further rollout is to be launched."""
        return self._level >= 1

    @property
    def kill(self) -> bool:
        """Running rollouts are to be ended."""
        return self._level >= 2

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._previous[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del frame
        self._level += 2 if number == signal.SIGTERM else 1
