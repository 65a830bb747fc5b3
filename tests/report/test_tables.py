from __future__ import annotations

import pytest
from rich.console import Console

from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.report.tables import format_rate, model_label, outcome_notes, outcome_rate, outcome_table
from bodyloop.stats.intervals import Rate


def _record(name, outcome, group="home", model="m", tags=None, **fields):
    spec = RolloutSpec(EpisodeSpec("s", name, group, "", tags=tags or {}), 0, 0, name)
    return RolloutRecord.of(spec, outcome, model=model, **fields)


def _rows(table):
    console = Console(width=120, record=True, color_system=None)
    console.print(table)
    return [
        [cell.strip() for cell in line.strip("│┃ ").replace("┃", "│").split("│")]
        for line in console.export_text().splitlines()
        if "│" in line
    ]


RECORDS = [
    _record("a", Outcome.SUCCESS, "home_01", tags={"category": "bed"}),
    _record("b", Outcome.FAILURE, "home_01", tags={"category": "tv"}, fallback_decisions=3),
    _record("c", Outcome.UNSCORED, "home_02", tags={"category": "bed"}, reason="budget: 10 USD"),
]


def test_rows_by_group_and_a_total():
    assert _rows(outcome_table(RECORDS)) == [
        ["home_01", "50.0%", "[1.3, 98.7]", "1/2", "100%", "3"],
        ["home_02", "--", "--", "0/0", "0%", "0"],
        ["all", "50.0%", "[1.3, 98.7]", "1/2", "67%", "3"],
    ]


def test_rows_by_tag():
    assert [row[0] for row in _rows(outcome_table(RECORDS, by="category"))] == ["bed", "tv", "all"]
    assert [row[0] for row in _rows(outcome_table(RECORDS, by="difficulty"))] == ["--"]


def test_notes():
    assert outcome_notes(RECORDS) == [
        "interval: Clopper-Pearson; coverage: scored of attempted rollouts",
        "unscored: 1 budget",
        "rate if all unscored had failed or succeeded: 33.3% to 66.7%",
        "3 decisions were fallbacks: the model's replies were unusable",
    ]
    assert len(outcome_notes([RECORDS[0]])) == 1


def test_models_are_named_once_and_privileged_ones_marked():
    records = [
        _record("a", Outcome.SUCCESS, model="oracle", privileged=True),
        _record("b", Outcome.SUCCESS, model="oracle", privileged=True),
        _record("c", Outcome.SUCCESS, model="random"),
    ]
    assert model_label(records) == "oracle (privileged), random"
    assert model_label([]) == "--"
    assert "privileged: " in outcome_notes(records)[-1]


@pytest.mark.parametrize(
    ("rate", "cells"),
    [
        (None, ("not evaluated", "--", "0", "--")),
        (Rate(0, 0, 0), ("--", "--", "0/0", "--")),
        (Rate(10, 10, 10), ("100.0%", "[69.2, 100.0]", "10/10", "100%")),
    ],
)
def test_cells(rate, cells):
    assert format_rate(rate) == cells


def test_a_run_without_metrics_has_no_rate_unless_something_is_scored():
    plain = [_record("a", Outcome.NOT_EVALUATED)]
    assert outcome_rate(plain) is None
    assert outcome_rate([*plain, RECORDS[0]]).coverage == 0.5
    assert outcome_rate([RECORDS[2]]).value is None


def test_an_empty_table_prints():
    assert _rows(outcome_table([])) == [["all", "--", "--", "0/0", "--", "0"]]
