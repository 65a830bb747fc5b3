"""Token usage in its normal form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bodyloop.models.usage import UsageTracker, normalize_usage, queue_worker_usage

DATA = Path(__file__).parents[1] / "data" / "agent" / "usage.json"


def as_dict(usage: Any) -> dict[str, int] | None:
    counts = normalize_usage(usage)
    return None if counts is None else vars(counts)


def check(data: dict[str, Any]) -> None:
    for row in data["normalize"]:
        assert as_dict(row["usage"]) == row["normalized"], row
    for row in data["queue_worker"]:
        adapted = queue_worker_usage(row["worker_usage"])
        assert adapted == row["adapter_usage"], row
        assert as_dict(adapted) == row["normalized"], row
    for row in data["tracker"]:
        tracker = UsageTracker()
        for call in row["calls"]:
            tracker.record(call["usage"], prompt=call["prompt"], raw_output=call["raw_output"])
        summary = tracker.summary(row["decision_steps"])
        assert {key: summary[key] for key in row["summary"]} == row["summary"], row["name"]


def test_reference_rows_twin() -> None:
    check(json.loads(DATA.read_text()))


def test_reference_rows_whole(conformance_dir: Path) -> None:
    check(json.loads((conformance_dir / "household" / "usage.json").read_text()))


def test_failed_attempts_are_counted_apart() -> None:
    tracker = UsageTracker()
    tracker.record({}, prompt="p" * 40, raw_output="", failed=True)
    tracker.record({"prompt_tokens": 900, "completion_tokens": 44}, prompt="p" * 40, raw_output="r")
    tracker.record({"prompt_tokens": 900, "completion_tokens": 6}, prompt="p" * 40, raw_output="r", failed=True)
    summary = tracker.summary(1)
    assert summary["vlm_calls"] == 3
    assert summary["input_tokens"] == 1810
    assert summary["token_source"] == "mixed_exact_and_estimated"
    assert summary["failed_vlm_calls"] == 2
    assert summary["failed_input_tokens"] == 910
    assert summary["failed_visible_output_tokens"] == 6
    assert summary["answered_token_source"] == "provider_exact"


@given(
    st.dictionaries(
        st.sampled_from(["prompt_tokens", "completion_tokens", "output_tokens", "reasoning_tokens", "total_tokens"]),
        st.integers(-5, 10**6) | st.floats() | st.text(max_size=3) | st.none(),
    )
)
def test_normal_form_is_never_negative(usage: dict[str, Any]) -> None:
    counts = as_dict(usage)
    assert counts is None or min(counts.values()) >= 0
