from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.errors import ArtifactError, DataError
from bodyloop.household.metrics.aggregate import aggregate_metric_files, aggregate_metrics, write_metrics_summary
from bodyloop.household.metrics.summary import mean, pooled_ratio, rate
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.stats.intervals import clopper_pearson

# The reference writes 0 where rows exist but none has the value; here a missing value stays null.
ZERO_FOR_MISSING = {
    "pooled lengths": [
        ("cost", "input_tokens_per_step"),
        ("cost", "visible_output_tokens_per_step"),
        ("body_scene", "collision_by_body_group_percent"),
    ]
}


def test_summaries_agree_with_the_reference(cases, assert_close) -> None:
    for case in cases("aggregate")["cases"]:
        summary, expected = aggregate_metrics(case["files"].values()), case["summary"]
        for block, key in ZERO_FOR_MISSING.get(case["name"], []):
            removed = expected[block].pop(key)
            values = removed.values() if isinstance(removed, dict) else [removed]
            assert set(values) == {0.0}
            found = summary[block][key]
            assert set(found.values() if isinstance(found, dict) else [found]) == {None}
        assert_close(summary, expected, 1e-9, case["name"])


def metrics(category: str, *, nav: bool, interact: bool = False, **changes: Any) -> dict[str, Any]:
    sits = category in ("bed", "couch", "toilet")
    return {
        "profile": "homes_v1",
        "success": {"find_sr": True, "nav_sr_20cm": nav, "is_interact_episode": sits, "interact_sr": interact},
        "body_scene": {"physical_metrics_eligible": True, "collision_step_fraction": 0.5},
        "cost": {"decision_steps": 10},
        "outcome": {"success": nav and (interact or not sits)},
        "beyond_paper": {"agent": {"fallback_decisions": 2}},
    } | changes


def record(number: int, category: str, outcome: Outcome = Outcome.SUCCESS, **changes: Any) -> RolloutRecord:
    fields = RolloutRecord(
        suite="household",
        episode_id=f"home_{number % 2}_ep_{number}_{category}",
        group=f"home_{number % 2}",
        rollout_index=0,
        seed=number,
        folder=f"ep_{number}/rollout_00",
        model="oracle",
        outcome=outcome,
        tags={"category": category, "difficulty": "easy"},
    )
    return replace(fields, **changes)


def put(run: Path, item: RolloutRecord, content: Any) -> RolloutRecord:
    path = run / item.folder / "metrics.json"
    path.parent.mkdir(parents=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return item


def test_only_the_selected_rollouts_count_and_missing_ones_are_listed(tmp_path: Path) -> None:
    records = [
        put(tmp_path, record(0, "tv"), metrics("tv", nav=True)),
        put(tmp_path, record(1, "bed"), metrics("bed", nav=True)),
        record(2, "couch", Outcome.UNSCORED, reason="provider: timeout"),
        record(3, "chair", Outcome.NOT_EVALUATED),
        record(4, "chair", Outcome.FAILURE),
    ]
    put(tmp_path, record(9, "tv"), metrics("tv", nav=False))
    summary = aggregate_metric_files(tmp_path, records)
    assert summary["counts"]["episodes"] == 2
    assert summary["selected"]["rollouts"] == 5
    assert summary["selected"]["scored"] == 2
    assert [(m["episode_id"], m["reason"]) for m in summary["selected"]["missing"]] == [
        ("home_0_ep_2_couch", "provider: timeout"),
        ("home_0_ep_4_chair", "no metrics.json"),
        ("home_1_ep_3_chair", "not_evaluated"),
    ]
    nav = summary["intervals"]["nav_sr_20cm"]
    low, high = clopper_pearson(2, 2)
    assert (nav["n"], nav["attempted"], nav["coverage"], nav["percent"]) == (2, 5, 0.4, 100.0)
    assert (nav["low_percent"], nav["high_percent"]) == (100 * low, 100 * high)
    assert (summary["intervals"]["interact_sr"]["n"], summary["intervals"]["interact_sr"]["attempted"]) == (1, 2)
    assert summary["intervals"]["find_sr_structured"]["percent"] is None
    assert summary["beyond_paper"]["fallback_decisions"] == 2.0


def test_groups_by_category_difficulty_and_scene(tmp_path: Path) -> None:
    records = [
        put(tmp_path, record(0, "tv"), metrics("tv", nav=True)),
        put(tmp_path, record(1, "bed"), metrics("bed", nav=True)),
        record(2, "couch", Outcome.UNSCORED, tags={}),
    ]
    summary = aggregate_metric_files(tmp_path, records)
    assert set(summary["by_category"]) == {"bed", "tv", "unknown"}
    assert summary["by_category"]["bed"]["success"]["percent"] == 0.0
    assert summary["by_difficulty"]["easy"]["nav_sr_20cm"]["n"] == 2
    assert summary["by_scene"]["home_0"]["nav_sr_20cm"]["attempted"] == 2


def test_the_file_is_written_once_complete_and_does_not_depend_on_the_order(tmp_path: Path) -> None:
    records = [put(tmp_path, record(i, "tv"), metrics("tv", nav=i % 2 == 0)) for i in range(4)]
    first = write_metrics_summary(tmp_path, records).read_bytes()
    assert write_metrics_summary(tmp_path, records[::-1]).read_bytes() == first


def test_an_empty_selection_has_a_summary() -> None:
    summary = aggregate_metric_files(Path("nowhere"), [])
    assert summary["counts"]["episodes"] == 0
    assert summary["intervals"]["success"]["percent"] is None


def test_mixed_profiles_and_broken_files_are_refused(tmp_path: Path) -> None:
    records = [
        put(tmp_path, record(0, "tv"), metrics("tv", nav=True)),
        put(tmp_path, record(1, "tv"), metrics("tv", nav=True, profile="other")),
    ]
    with pytest.raises(DataError, match="several profiles"):
        aggregate_metric_files(tmp_path, records)
    with pytest.raises(ArtifactError, match=r"metrics\.json"):
        aggregate_metric_files(tmp_path, [put(tmp_path, record(2, "tv"), "[]")])
    with pytest.raises(ArtifactError, match=r"metrics\.json"):
        aggregate_metric_files(tmp_path, [put(tmp_path, record(3, "tv"), "{")])


@given(st.lists(st.sampled_from([True, False, None]), max_size=20))
def test_a_missing_value_never_counts_as_a_failure(values: list[bool | None]) -> None:
    rows = [{"nav_sr_20cm": value} if value is not None else {} for value in values]
    found = rate(rows, "nav_sr_20cm")
    assert (found.successes, found.n, found.attempted) == (
        values.count(True),
        len(values) - values.count(None),
        len(values),
    )


def test_means_and_ratios_skip_what_is_missing() -> None:
    rows = [{"a": 1.0, "b": 2}, {"a": None}, {"a": True, "b": 2}]
    assert mean(rows, "a") == 1.0
    assert mean(rows, "c") is None
    assert pooled_ratio(rows, "a", "b") == 0.25
    assert pooled_ratio(rows, "c", "b") is None
    assert pooled_ratio(rows, "a", "c") is None
