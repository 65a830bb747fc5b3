"""Replies to objects, and clipping."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.errors import ReplyError
from bodyloop.models.text import clip, parse_reply

DATA = Path(__file__).parents[1] / "data" / "agent" / "text_parsing.json"

# Rows where the reference answers with something that is not the reply's outer object, or changes its strings.
# ``None``: refused here, so the call is repeated.
OURS: dict[str, Any] = {
    '<think>unclosed {"a": 1}': None,
    '{"outer": {"a": 1}, "b": ': None,
    '[{"a": 1}]': None,
    '{"a": NaN}': None,
    '{"a": Infinity}': None,
    "{}": {},  # an object, but no action: refused one level higher
    '{"a": 1} {"a": 2}': {"a": 1},
    '{"t": "```json"}': {"t": "```json"},
    '<THINK>{"a": 0}</THINK>{"a": 1}': {"a": 1},
}


def check(data: dict[str, Any]) -> None:
    for row in data["parse"]:
        expected = row["result"].get("value") if row["class"] == "agree" else OURS[row["text"]]
        if expected is None:
            with pytest.raises(ReplyError):
                parse_reply(row["text"])
        else:
            assert parse_reply(row["text"]) == expected, row["text"]
    for row in data["clip"]:
        if row["class"] == "agree":
            assert clip(row["value"], row["limit"]) == row["result"]
        else:  # limits below three: the limit holds
            assert len(clip(row["value"], row["limit"])) == row["limit"]


def test_reference_rows_twin() -> None:
    check(json.loads(DATA.read_text()))


def test_reference_rows_whole(conformance_dir: Path) -> None:
    check(json.loads((conformance_dir / "household" / "text_parsing.json").read_text()))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=6), json_values, max_size=4)
tagged = objects.map(lambda o: o | {"note": '</think> ``` <think> {"x": 1}'})


@given(objects | tagged)
def test_any_object_survives_wrapping(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    for wrapped in (
        text,
        f"```json\n{text}\n```",
        f"Sure:\n{text}\nDone [1].",
        f"<think>a {{\n</think>{text}",
        f'<Think>{{"draft": 1}}</THINK>\n{text}',
        f'[see note] {{broken: }} {text} {{"later": 1}}',
    ):
        assert parse_reply(wrapped) == value, wrapped


@given(objects.filter(bool))
def test_a_cut_object_is_never_read(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    for end in {1, len(text) // 2, len(text) - 1}:
        with pytest.raises(ReplyError):
            parse_reply(text[:end])


@given(st.text(max_size=60) | st.text('{}[]"\\:,a1 <>/think', max_size=60))
def test_arbitrary_text_gives_an_object_or_reply_error(text: str) -> None:
    with contextlib.suppress(ReplyError):
        assert isinstance(parse_reply(text), dict)


def test_thinking_without_opening_tag() -> None:
    # Chat templates often put the opening tag into the prompt.
    assert parse_reply('maybe {"a": 0} or so</think>\n{"a": 1}') == {"a": 1}
    assert parse_reply('{"a": 0} </think> {"t": "x </think> y"}') == {"t": "x </think> y"}


def test_letters_that_change_length_in_lower_case() -> None:
    assert parse_reply('İİİİ<think>{"a": 0}</think>{"a": "İ"}') == {"a": "İ"}


@pytest.mark.parametrize("text", ['{"a": 1e999}', '{"a": "\\ud800"}', "[" * 100_000, '{"a":' * 100_000, '[{"a": 1}, '])
def test_hostile_text(text: str) -> None:
    with pytest.raises(ReplyError):
        parse_reply(text)


@given(st.text(max_size=50), st.integers(0, 60))
def test_clip_bounds(text: str, limit: int) -> None:
    clipped = clip(text, limit)
    assert len(clipped) <= limit
    assert "\n" not in clipped
