"""The metrics file of a rollout as flat named values, the form that records and tables use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bodyloop.household.metrics.collision import BODY_GROUPS

__all__ = ["Scalar", "flat_metrics", "group_key"]

Scalar = float | int | bool | str | None

_BLOCKS = ("success", "body_scene", "action_quality", "cost")


def group_key(group: str) -> str:
    """Flat name of the collision score of one body group."""
    return f"collision_{group}_step_fraction"


def flat_metrics(metrics: Mapping[str, Any]) -> dict[str, Scalar]:
    """Every scalar of a ``metrics.json`` under its own name; the four collision groups as ``collision_<group>_step_fraction``.

    Numbers that are not finite become ``None``. Settings and labels that are no result (schema, thresholds) are kept,
    lists are not.
    """
    flat: dict[str, Scalar] = {}
    for block in (*(metrics.get(name, {}) for name in _BLOCKS), *metrics.get("beyond_paper", {}).values()):
        for key, value in block.items():
            if value is None or isinstance(value, (bool, int, float, str)):
                flat[key] = None if isinstance(value, float) and not math.isfinite(value) else value
    groups = metrics.get("body_scene", {}).get("by_body_group_step_fraction", {})
    flat.update({group_key(group): groups[group] for group in BODY_GROUPS if group in groups})
    if "outcome" in metrics:
        flat["success"] = bool(metrics["outcome"]["success"])
    return flat
