"""One small JSON file per logical model stage of a decision: the prompt and the final reply."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from bodyloop.household.types import PlannerResult, StageOutput
from bodyloop.models.usage import UsageTracker
from bodyloop.records.files import write_json_atomic

__all__ = ["STAGES", "write_step_vlm_records"]

STAGES: Final = ("percept_mid_low", "verifier")
_USAGE_KEYS: Final = (
    "vlm_calls",
    "token_source",
    "input_tokens",
    "visible_output_tokens",
    "reasoning_tokens",
)


def write_step_vlm_records(folder: Path, step: int, result: PlannerResult) -> list[Path]:
    """Write ``stepNNN_<stage>.json`` for every stage that really called the model.

    The file holds the final attempt; ``usage`` is that attempt's, ``usage_all_attempts`` the sum, ``attempts`` the count.
    A stage without prompt, reply and error (a synthetic accept) writes nothing. Raises ``ValueError`` for an unknown stage.
    """
    by_stage: dict[str, list[StageOutput]] = {}
    for output in result.stage_outputs:
        if output.stage not in STAGES:
            raise ValueError(f"unknown model stage {output.stage!r}; known: {', '.join(STAGES)}")
        if output.prompt or output.raw_output or output.error:
            by_stage.setdefault(output.stage, []).append(output)
    paths = []
    for stage, attempts in by_stage.items():
        path = folder / f"step{step:03d}_{stage}.json"
        write_json_atomic(path, _content(attempts))
        paths.append(path)
    return paths


def _content(attempts: list[StageOutput]) -> dict[str, Any]:
    final = attempts[-1]
    tracker = UsageTracker()
    for output in attempts:
        tracker.record(
            output.usage, prompt=output.prompt, raw_output=output.raw_output, failed=output.error is not None
        )
    summary = tracker.summary(1)
    content: dict[str, Any] = {
        "prompt": final.prompt,
        "response": final.raw_output if final.error is not None else dict(final.raw),
        "attempts": len(attempts),
        "usage": dict(final.usage),
        "usage_all_attempts": {key: summary[key] for key in _USAGE_KEYS},
    }
    if final.error is not None:
        content["error"] = final.error
    return content
