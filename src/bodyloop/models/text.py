"""Reading a JSON object out of a model's reply, and clipping text for prompts."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NoReturn

from bodyloop.errors import ReplyError

__all__ = ["clip", "parse_reply"]

_OPEN: Final = "<think"
_CLOSE: Final = "</think>"
_ASCII_LOWER: Final = {ord(char): char.lower() for char in "THINK"}
"""Lower-casing that keeps every index, unlike ``str.lower`` on some letters."""
_ARRAY_OF_OBJECTS: Final = re.compile(r"[\s\[]*\{")
_BRACKETS: Final = re.compile(r"[\s\[]*")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} does not fit a number")
    return value


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


def _decode(text: str, start: int) -> tuple[Any, int] | None:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def _matching_end(text: str, start: int) -> int | None:
    """Index after the bracket that closes the one at ``start``; brackets inside double quotes do not count."""
    depth, in_string, i = 0, False, start
    while i < len(text):
        char = text[i]
        if in_string:
            if char == "\\":
                i += 1
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return None


def _stray_close(text: str, lowered: str, start: int) -> int | None:
    """End of a closing think tag after ``start`` that no opening tag in between explains, or ``None``."""
    close = lowered.find(_CLOSE, start)
    if close < 0 or lowered.find(_OPEN, start, close) >= 0:
        return None
    # A tag inside the string of a later object is content, not markup.
    brace = text.find("{", start, close)
    while brace >= 0:
        decoded = _decode(text, brace)
        if decoded is not None and decoded[1] > close:
            return None
        brace = text.find("{", brace + 1 if decoded is None else decoded[1], close)
    return close + len(_CLOSE)


def _first_object(text: str) -> dict[str, Any]:
    lowered = text.translate(_ASCII_LOWER)
    i = 0
    while i < len(text):
        if lowered.startswith(_OPEN, i):
            close = lowered.find(_CLOSE, i)
            if close < 0:
                raise ReplyError("the reply ends inside its thinking block")
            i = close + len(_CLOSE)
            continue
        if text[i] not in "{[":
            i += 1
            continue
        decoded = _decode(text, i)
        if decoded is not None:
            value, end = decoded
            resume = _stray_close(text, lowered, end)
            if resume is not None:
                i = resume  # the object was part of a thinking block whose opening tag is not in the text
            elif isinstance(value, dict):
                return value
            else:
                i = end
        elif text[i] == "[" and not _ARRAY_OF_OBJECTS.match(text, i):
            i = _BRACKETS.match(text, i + 1).end()  # type: ignore[union-attr]  # prose such as [1]
        else:
            # Nothing inside a broken outer object is the answer.
            broken_end = _matching_end(text, i)
            if broken_end is None:
                raise ReplyError("the reply holds an incomplete JSON object")
            i = broken_end
    raise ReplyError("no JSON object found in the reply")


def parse_reply(text: str) -> dict[str, Any]:
    """The JSON object a reply consists of or contains.

    The whole text is tried first; otherwise prose, code fences and ``<think>`` blocks around the object are skipped.
    The first complete outer object counts; objects inside arrays or inside a broken outer object do not. Strings stay
    untouched. NaN, Infinity and numbers beyond double range are refused.

    Raises:
        ReplyError: no such object, or one that cannot be stored as UTF-8.
    """
    body = text.lstrip("\ufeff").strip()
    whole = _decode(body, 0)
    if whole is not None and whole[1] == len(body):
        if not isinstance(whole[0], dict):
            raise ReplyError("the reply is JSON but not an object")
        value = whole[0]
    else:
        value = _first_object(body)
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise ReplyError("the reply holds a lone surrogate") from None
    return value


def clip(value: Any, limit: int) -> str:
    """``str(value)`` on one line (newlines become spaces) of at most ``limit`` characters, cut with three dots; ``None`` is empty."""
    text = "" if value is None else str(value).strip().replace("\n", " ")
    if len(text) <= limit:
        return text
    return text[: max(limit - 3, 0)] + "..."[: max(limit, 0)]
