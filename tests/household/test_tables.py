from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from bodyloop.household.tables import MISSING, PaperTable, breakdown_table, paper_markdown, paper_notes, paper_tables
from bodyloop.records.record import Outcome, RolloutRecord

GOLDEN = Path(__file__).parents[1] / "data" / "household_tables.md"
CATEGORIES = ("chair", "bed", "potted_plant", "toilet", "tv", "couch")


def record(number: int, **changes: object) -> RolloutRecord:
    category = CATEGORIES[number % 6]
    sits = category in ("bed", "couch", "toilet")
    reached = number % 4 != 3
    metrics = {
        "find_sr": True,
        "geo_find_sr": True,
        "nav_sr_20cm": reached,
        "geo_nav_sr_20cm": True,
        "nav_sr_1m": reached,
        "is_interact_episode": sits,
        "interact_sr": sits and reached,
        "geo_interact_sr": sits,
        "physical_metrics_eligible": True,
        "collision_step_fraction": 0.1 * (number % 3),
        "collision_leg_step_fraction": 0.1,
        "affected_dynamic_object_count": number % 2,
        "affected_object_path_length_sum_m": 0.3 * (number % 2),
        "mapped_affected_dynamic_object_count": number % 2,
        "motion_jerk_m_s3": 4.0 + number / 8,
        "decision_steps": 20 + number,
        "token_source": "provider_exact",
        "input_tokens": 4000 * (20 + number),
        "visible_output_tokens": 300 * (20 + number),
        "success": reached,
        "interact_sr_posture": (reached if sits else None),
        "nav_surface_distance_m": 0.05,
    }
    made = RolloutRecord(
        suite="household",
        episode_id=f"home_{number // 6}_ep_{number}_{category}",
        group=f"home_{number // 6}",
        rollout_index=0,
        seed=number,
        folder=f"{number}",
        model="some-model",
        outcome=Outcome.SUCCESS if reached else Outcome.FAILURE,
        metrics=metrics,
        tags={"category": category, "difficulty": ("easy", "medium", "hard")[number % 3]},
    )
    return replace(made, **changes)


def records() -> list[RolloutRecord]:
    made = [record(number) for number in range(18)]
    made[4] = record(4, outcome=Outcome.UNSCORED, reason="provider: timeout", metrics={})
    made[7] = record(7, fallback_decisions=3)
    return made


def rows(table: PaperTable) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in table.rows}


def test_bytes_are_those_of_the_golden_file() -> None:
    assert paper_markdown(records()) == GOLDEN.read_text()


def test_the_order_of_the_records_does_not_matter() -> None:
    assert paper_markdown(records()[::-1]) == paper_markdown(records())


def test_every_rate_has_interval_n_and_coverage() -> None:
    main = rows(paper_tables(records())[0])
    assert main["FindSR"] == ("100.0%", "[80.5, 100.0]", "17/17", "94%")
    assert main["InteractSR"][2].endswith("/9")
    assert main["Coll."][1].startswith("[")
    assert main["in tok/step"][:1] == ("4000",)


def test_missing_values_are_dashes_and_never_zero() -> None:
    table = rows(paper_tables([record(0, metrics={})])[0])
    assert table["NavSR@20cm"] == (MISSING, MISSING, "0/0", "0%")
    assert table["Motion Jerk"] == (MISSING, MISSING, "0", "0%")
    assert table["dDtb (m)"][0] == MISSING


def test_unscored_rollouts_are_counted_not_failed() -> None:
    everything = [record(0), record(1, outcome=Outcome.UNSCORED, reason="budget", metrics={})]
    main = rows(paper_tables(everything)[0])
    assert main["NavSR@20cm"][0] == "100.0%"
    assert main["NavSR@20cm"][3] == "50%"
    # The unscored bed is an interaction episode by its tag.
    assert main["InteractSR"] == (MISSING, MISSING, "0/0", "0%")
    assert any("Not scored: 1 budget" in note for note in paper_notes(everything))


def test_privileged_models_and_fallbacks_are_marked() -> None:
    oracle = [record(0, model="oracle", privileged=True)]
    tables = paper_tables([*oracle, record(1, fallback_decisions=2)])
    assert [t.title for t in tables if t.title.startswith("Main")] == ["Main: oracle (privileged)", "Main: some-model"]
    beyond = rows(next(t for t in tables if t.title == "Beyond the paper: some-model"))
    assert beyond["fallback decisions/ep"][0] == "2.00"
    notes = " ".join(paper_notes([*oracle, record(1, fallback_decisions=2)]))
    assert "reads simulator state" in notes
    assert "Fallback decisions: 2 in 1 rollouts" in notes
    assert "privileged" not in " ".join(paper_notes([record(0)]))


@pytest.mark.parametrize("by", ["category", "difficulty", "scene"])
def test_breakdowns_split_every_record_once(by: str) -> None:
    table = breakdown_table(records(), by)
    scored = sum(int(row[1].rsplit("/", 1)[1]) for row in table.rows if row[1] != MISSING)
    assert scored == 17
    assert {row[0] for row in breakdown_table([record(0, tags={})], "category").rows} == {MISSING}


def test_no_records_give_an_empty_report() -> None:
    assert paper_tables([]) == []
    assert paper_markdown([]).startswith("\n- Episodes: 0 of 0")


def test_a_terminal_of_80_columns_shows_every_figure() -> None:
    console = Console(file=io.StringIO(), width=80)
    for table in paper_tables(records()):
        console.print(table.to_rich())
    text = console.file.getvalue()
    assert "[80.5, 100.0]" in text
    assert "…" not in text


def test_a_bar_in_a_name_does_not_break_the_markdown() -> None:
    table = PaperTable("t", ("a", "b"), (("x|y", "1"),))
    assert table.to_markdown().splitlines()[-1] == "| x\\|y |   1 |"
