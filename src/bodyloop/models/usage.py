"""Token usage: one normal form for every provider's report, and per-episode totals."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["NormalizedUsage", "UsageTracker", "estimate_tokens", "normalize_usage", "queue_worker_usage"]

_INPUT: Final = ("input_tokens", "prompt_tokens", "prompt_token_count")
_VISIBLE: Final = ("output_tokens", "visible_output_tokens", "candidates_token_count")
_REASONING: Final = ("reasoning_tokens", "num_reasoning_tokens", "thoughts_token_count", "thinking_tokens")
_TOTAL: Final = ("total_tokens", "total_token_count")
_DETAILS: Final = ("completion_tokens_details", "output_tokens_details")
_CHARS_PER_TOKEN: Final = 4


@dataclass(frozen=True)
class NormalizedUsage:
    """Token counts of one call."""

    input_tokens: int
    visible_output_tokens: int
    reasoning_tokens: int
    total_tokens: int


def _count(usage: Mapping[str, Any], keys: Iterable[str]) -> int | None:
    """The first key that holds a non-negative number (numbers as text count)."""
    for key in keys:
        try:
            value = int(usage[key])
        except (KeyError, TypeError, ValueError, OverflowError):
            continue
        if value >= 0:
            return value
    return None


def _reasoning(usage: Mapping[str, Any]) -> int:
    """Hidden reasoning tokens; a count at the top level hides the one in the details."""
    top = _count(usage, _REASONING)
    if top is not None:
        return top
    details = next((usage[key] for key in _DETAILS if usage.get(key)), None)
    return (_count(details, ("reasoning_tokens",)) or 0) if isinstance(details, Mapping) else 0


def normalize_usage(usage: Any) -> NormalizedUsage | None:
    """Exact counts from a provider's usage mapping, or ``None`` when it does not give input and output counts.

    A completion total (OpenAI style) includes hidden reasoning, which is subtracted; a visible count is taken as it is.
    """
    if not isinstance(usage, Mapping):
        return None
    inputs = _count(usage, _INPUT)
    visible = _count(usage, _VISIBLE)
    completion = _count(usage, ("completion_tokens",))
    if inputs is None or (visible is None and completion is None):
        return None
    reasoning = _reasoning(usage)
    if visible is None:
        assert completion is not None
        visible, inferred = max(0, completion - reasoning), inputs + completion
    else:
        inferred = inputs + visible + reasoning
    return NormalizedUsage(inputs, visible, reasoning, _count(usage, _TOTAL) or inferred)


def queue_worker_usage(reported: Any) -> dict[str, Any]:
    """Usage as a queue worker reports it, renamed so that visible output and reasoning are not subtracted twice.

    Workers count only visible tokens as completion when they report reasoning apart. ``reported`` is a mapping or a
    text such as ``Usage(prompt_tokens=9, completion_tokens=4)``; anything else gives an empty mapping.
    """
    if isinstance(reported, str):
        pairs = re.findall(r"\b(\w+)=(\d+)\b", reported)
        names = {"completion_tokens": "output_tokens", "num_reasoning_tokens": "reasoning_tokens"}
        return {names.get(key, key): int(value) for key, value in pairs if key.endswith("_tokens")}
    if not isinstance(reported, Mapping):
        return {}
    usage = dict(reported)
    reasoning = _count(usage, _REASONING)
    if reasoning is not None and "completion_tokens" in usage and _count(usage, _VISIBLE) is None:
        usage["output_tokens"] = usage.pop("completion_tokens")
        for key in _REASONING:
            usage.pop(key, None)
        usage["reasoning_tokens"] = reasoning
    return usage


def estimate_tokens(text: str) -> int:
    """A quarter of the characters, rounded up; images are not counted."""
    return math.ceil(len(text) / _CHARS_PER_TOKEN)


def _source(exact: int, estimated: int) -> str:
    if exact and estimated:
        return "mixed_exact_and_estimated"
    if exact:
        return "provider_exact"
    return "estimated_chars_div_4" if estimated else "unavailable_no_calls"


class UsageTracker:
    """Totals over the calls of one episode.

    Published totals count every attempt. Attempts that failed are also counted apart, and ``answered_token_source``
    tells the source of the other calls alone: a failed transport attempt can only ever be estimated.
    """

    def __init__(self) -> None:
        self._tokens = {"input": 0, "visible": 0, "reasoning": 0}
        self._failed_tokens = {"input": 0, "visible": 0, "reasoning": 0}
        self._exact = {False: 0, True: 0}
        self._estimated = {False: 0, True: 0}

    def record(self, usage: Any, *, prompt: str, raw_output: str, failed: bool = False) -> None:
        """Add one attempt; without an exact report its tokens are estimated from the texts."""
        counts = normalize_usage(usage)
        if counts is None:
            self._estimated[failed] += 1
            counts = NormalizedUsage(estimate_tokens(prompt), estimate_tokens(raw_output), 0, 0)
        else:
            self._exact[failed] += 1
        for totals in (self._tokens, self._failed_tokens) if failed else (self._tokens,):
            totals["input"] += counts.input_tokens
            totals["visible"] += counts.visible_output_tokens
            totals["reasoning"] += counts.reasoning_tokens

    def summary(self, decision_steps: int) -> dict[str, Any]:
        """Plain cost fields of an episode; per-step values divide by at least one step."""
        exact, estimated = sum(self._exact.values()), sum(self._estimated.values())
        steps = max(1, decision_steps)
        return {
            "decision_steps": decision_steps,
            "vlm_calls": exact + estimated,
            "token_source": _source(exact, estimated),
            "input_tokens": self._tokens["input"],
            "visible_output_tokens": self._tokens["visible"],
            "reasoning_tokens": self._tokens["reasoning"],
            "input_tokens_per_step": self._tokens["input"] / steps,
            "visible_output_tokens_per_step": self._tokens["visible"] / steps,
            "failed_vlm_calls": self._exact[True] + self._estimated[True],
            "failed_input_tokens": self._failed_tokens["input"],
            "failed_visible_output_tokens": self._failed_tokens["visible"],
            "failed_reasoning_tokens": self._failed_tokens["reasoning"],
            "answered_token_source": _source(self._exact[False], self._estimated[False]),
        }
