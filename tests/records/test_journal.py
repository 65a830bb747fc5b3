from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.records.journal import Journal
from bodyloop.records.record import Artifact, Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec


def _record(name: str, index: int = 0, outcome: Outcome = Outcome.SUCCESS, **fields) -> RolloutRecord:
    spec = RolloutSpec(EpisodeSpec("s", name, "g", "", tags={"k": "v"}), index, 7, f"{name}/{index}", "f" * 64)
    return RolloutRecord.of(spec, outcome, model="m", **fields)


RECORDS = st.builds(
    _record,
    st.text(min_size=1),
    st.integers(0, 99),
    st.sampled_from(Outcome),
    reason=st.none() | st.text(),
    metrics=st.dictionaries(st.text(), st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)),
    artifacts=st.lists(st.builds(Artifact, st.text(), st.text(), st.integers(0))).map(tuple),
    volatile=st.dictionaries(st.text(), st.integers() | st.text()),
)


@given(st.lists(RECORDS, max_size=5), st.lists(RECORDS, max_size=3))
def test_what_is_written_is_read_back(tmp_path_factory, first, more):
    journal = Journal(tmp_path_factory.mktemp("journal") / "journal.jsonl")
    journal.rewrite(first)
    for record in more:
        journal.append(record)
    assert journal.read() == first + more
    assert journal.is_intact()
    assert journal.latest() == {record.key: record for record in first + more}


@given(st.lists(RECORDS, min_size=1, max_size=4), st.data())
def test_a_tear_anywhere_loses_only_the_torn_line(tmp_path_factory, records, data):
    journal = Journal(tmp_path_factory.mktemp("journal") / "journal.jsonl")
    journal.rewrite(records)
    content = journal.path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    journal.path.write_bytes(content[:cut])
    whole = content[:cut].count(b"\n")
    assert journal.read() in (records[:whole], records[: whole + 1])
    journal.append(records[0])
    assert journal.read()[:whole] == records[:whole]
    assert journal.read()[-1] == records[0]


def test_an_absent_journal_is_empty_and_not_intact(tmp_path):
    journal = Journal(tmp_path / "absent" / "journal.jsonl")
    assert journal.read() == []
    assert not journal.is_intact()
    journal.append(_record("a"))
    assert journal.is_intact()


@pytest.mark.parametrize("line", ["{}", "[]", "null", "3", '{"suite": 1}', "not json", '{"a": "\\ud800'])
def test_a_foreign_line_is_passed_over(tmp_path, line):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append(_record("a"))
    with journal.path.open("a") as file:
        file.write(line + "\n")
    journal.append(_record("b"))
    assert [record.episode_id for record in journal.read()] == ["a", "b"]
    assert not journal.is_intact()


def test_the_last_line_of_a_rollout_counts(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append(_record("a", outcome=Outcome.UNSCORED, failed=True))
    journal.append(_record("a"))
    assert journal.latest()["a#00"].outcome is Outcome.SUCCESS


def test_canonical_drops_volatile_and_nothing_else():
    record = _record("a", volatile={"wall_s": 1.0})
    assert record.to_json() == record.canonical() | {"volatile": {"wall_s": 1.0}}
    assert RolloutRecord.from_json(record.canonical()) == _record("a")
