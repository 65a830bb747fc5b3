from __future__ import annotations

import json

import pytest

from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.runs.failures import ChildEnd, FailureBook, log_name


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (-9, "infrastructure: killed by SIGKILL"),
        (-11, "infrastructure: killed by SIGSEGV"),
        (-63, "infrastructure: killed by signal 63"),
        (3, "infrastructure: exited with status 3"),
        (0, "infrastructure: ended without a result"),
    ],
)
def test_a_status_becomes_a_reason(status, reason):
    end = ChildEnd.from_status(status, duration_s=1.0, log="logs/a.log", text=b"")
    assert end.reason == reason
    assert (end.exit_code is None) == (end.signal is not None)


def test_only_the_last_lines_are_listed_and_all_are_kept(tmp_path):
    book = FailureBook(tmp_path)
    text = b"\n".join(b"line %d \xff" % number for number in range(100))
    end = book.add("a#00", 1, duration_s=1.0, text=text)
    assert end.last_lines[-1] == "line 99 \ufffd"
    assert len(end.last_lines) == 20
    assert (tmp_path / end.log).read_bytes() == text


def test_every_unscored_rollout_is_listed_and_no_other(tmp_path):
    book = FailureBook(tmp_path)
    specs = [RolloutSpec(EpisodeSpec("s", name, "g", ""), 0, 0, name) for name in "abc"]
    records = [
        RolloutRecord.of(specs[0], Outcome.FAILURE, model="m"),
        RolloutRecord.unscored(specs[1], "cancelled", model="m"),
        RolloutRecord.unscored(specs[2], "infrastructure: exited with status 1", model="m", failed=True),
    ]
    book.add("c#00", 1, duration_s=2.0, text=b"boom")
    book.write(records)
    rows = json.loads((tmp_path / "failures.json").read_text())
    assert [(row["rollout"], row["reason"], row.get("last_lines")) for row in rows] == [
        ("b#00", "cancelled", None),
        ("c#00", "infrastructure: exited with status 1", ["boom"]),
    ]
    book.forget("c#00")
    book.write(records[:1])
    assert list(tmp_path.iterdir()) == []


def test_log_names_are_safe_and_distinct():
    names = {log_name(key) for key in ("a/b#00", "a_b#00", "a b#00", "../x#00", "a#00")}
    assert len(names) == 5
    assert all(name.count("/") == 1 and ".." not in name.removeprefix("logs/..") for name in names)
