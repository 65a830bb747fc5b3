"""What a run's results depend on, as a nested set of named fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bodyloop.records.files import canonical_json, sha256_json

__all__ = ["Fingerprint"]

_ABSENT = object()


@dataclass(frozen=True)
class Fingerprint:
    """Nested JSON-ready fields; equal fields give an equal :attr:`digest`."""

    fields: Mapping[str, Any]

    def __post_init__(self) -> None:
        # A round trip makes tuples lists and refuses what JSON cannot hold, so that a fingerprint read back from
        # a file compares equal to the one that was written.
        object.__setattr__(self, "fields", json.loads(canonical_json(self.fields)))

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON."""
        return sha256_json(self.fields)

    def diff(self, other: Fingerprint) -> list[str]:
        """One line per field that differs, ``path: this value != other value``, sorted by path."""
        mine, theirs = dict(_leaves(self.fields)), dict(_leaves(other.fields))
        return [
            f"{path}: {_show(mine.get(path, _ABSENT))} != {_show(theirs.get(path, _ABSENT))}"
            for path in sorted(mine.keys() | theirs.keys())
            if canonical_leaf(mine.get(path, _ABSENT)) != canonical_leaf(theirs.get(path, _ABSENT))
        ]


def canonical_leaf(value: Any) -> str:
    """Text by which two leaves are compared; tells ``1`` from ``1.0`` and ``true`` as the digest does."""
    return "(absent)" if value is _ABSENT else canonical_json(value)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All leaves with their dotted path; empty containers are leaves."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, value


def _show(value: Any) -> str:
    text = canonical_leaf(value)
    return text if len(text) <= 60 else f"{text[:28]}...{text[-28:]}"
