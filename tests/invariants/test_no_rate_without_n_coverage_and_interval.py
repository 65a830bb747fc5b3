"""No rate is printed without n, coverage and an interval; errors never count as failures silently."""

from __future__ import annotations

from rich.console import Console

from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.report.tables import outcome_notes, outcome_rate, outcome_table


def _records(outcomes, **fields):
    specs = [RolloutSpec(EpisodeSpec("s", f"e{i}", "g", ""), 0, 0, f"e{i}") for i in range(len(outcomes))]
    return [RolloutRecord.of(spec, outcome, model="m", **fields) for spec, outcome in zip(specs, outcomes, strict=True)]


def _text(records):
    console = Console(width=120, record=True)
    console.print(outcome_table(records))
    for note in outcome_notes(records):
        console.print(note)
    return console.export_text()


def test_an_error_lowers_coverage_and_not_the_rate():
    good = _records([Outcome.SUCCESS] * 3 + [Outcome.FAILURE])
    lost = _records([Outcome.UNSCORED] * 4, reason="provider: timeout", failed=True)
    rate = outcome_rate(good + lost)
    assert (rate.value, rate.n, rate.attempted, rate.coverage) == (0.75, 4, 8, 0.5)
    assert tuple(rate.bounds) == (3 / 8, 7 / 8)


def test_every_row_with_a_percentage_has_interval_n_and_coverage():
    text = _text(_records([Outcome.SUCCESS] * 3 + [Outcome.FAILURE] + [Outcome.UNSCORED] * 4, reason="provider: x"))
    (row,) = [line for line in text.splitlines() if "75.0%" in line]
    assert all(part in row for part in ("[19.4, 99.4]", "3/4", "50%"))
    assert "unscored: 4 provider" in text
    assert "37.5% to 87.5%" in text


def test_privileged_models_and_fallback_decisions_are_marked():
    text = _text(_records([Outcome.SUCCESS], privileged=True, fallback_decisions=2))
    assert "m (privileged)" in text
    assert "2 decisions were fallbacks" in text


def test_a_run_without_metrics_shows_no_rate():
    text = _text(_records([Outcome.NOT_EVALUATED] * 3))
    assert "not evaluated" in text
    assert "%" not in text.replace("95% interval", "")
