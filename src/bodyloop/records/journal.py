"""The append-only index of a run: one JSON line per finished rollout.

The journal is a convenience, never the truth: it can be rebuilt from the rollout folders. Several lines may speak
of one rollout (a failed try, then a good one); the last one counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bodyloop.records.files import write_text_atomic
from bodyloop.records.record import RolloutRecord

__all__ = ["Journal"]


@dataclass(frozen=True)
class Journal:
    """The file ``journal.jsonl`` of a run folder."""

    path: Path

    def read(self) -> list[RolloutRecord]:
        """Every readable line in file order; a torn or foreign line is passed over."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        records = (_parse(line) for line in lines)
        return [record for record in records if record is not None]

    def latest(self) -> dict[str, RolloutRecord]:
        """The last record of each rollout key."""
        return {record.key: record for record in self.read()}

    def append(self, record: RolloutRecord) -> None:
        """Add one line and flush it to disk; starts a fresh line after a torn one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            line = _line(record).encode()
            file.write(line if self._ends_whole(file.fileno()) else b"\n" + line)
            file.flush()
            os.fsync(file.fileno())

    def rewrite(self, records: Iterable[RolloutRecord]) -> None:
        """Replace the whole journal."""
        write_text_atomic(self.path, "".join(map(_line, records)))

    def is_intact(self) -> bool:
        """Whether every line can be read and the last one is whole."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return False
        return data[-1:] in (b"", b"\n") and all(_parse(line) is not None for line in data.splitlines())

    @staticmethod
    def _ends_whole(descriptor: int) -> bool:
        size = os.fstat(descriptor).st_size
        return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"


def _line(record: RolloutRecord) -> str:
    # ASCII only: no character inside a line can be taken for a line break.
    return json.dumps(record.to_json(), allow_nan=False) + "\n"


def _parse(line: bytes) -> RolloutRecord | None:
    try:
        return RolloutRecord.from_json(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
