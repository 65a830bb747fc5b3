"""Find success: the target is in the model's own image and the model says so, at the same decision."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bodyloop.household.metrics.claims import claims_target_visible_careful

__all__ = ["CATEGORY_ALIASES", "NEGATIONS", "FindTracker", "claims_target_visible"]

CATEGORY_ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "couch": ("sofa", "couch", "sectional", "loveseat"),
    "bed": ("mattress", "bed"),
    "toilet": ("commode", "toilet"),
    "chair": ("seat", "stool", "armchair", "chair"),
    "tv": ("monitor", "screen", "television", "tv"),
    "potted_plant": ("plant", "potted plant", "flowerpot", "flower pot"),
}
"""Published names of each category; another category stands for itself with spaces."""

NEGATIONS: Final = ("aren't", "can't", "cannot", "don't", "isn't", "n't", "no", "none", "not", "unable", "without")

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NEGATION = re.compile(rf"\b(?:{'|'.join(NEGATIONS)})\b")


def claims_target_visible(visible_state: object, category: str) -> bool:
    """The published rule on the planner's ``visible_state`` text.

    Some sentence holds "target" or a name of the category (case-insensitive substring) and no negation word. Unlike the
    published program, an empty category matches nothing.
    """
    if not category or visible_state is None:
        return False
    names = ("target", *CATEGORY_ALIASES.get(category, (category.replace("_", " ").lower(),)))
    sentences = _SENTENCE_END.split(str(visible_state).strip().lower())
    return any(any(name in text for name in names) and not _NEGATION.search(text) for text in sentences)


@dataclass
class FindTracker:
    """Find state of one rollout."""

    category: str
    pixel_threshold: int = 100
    find_sr: bool = False
    geo_find_sr: bool = False
    find_sr_careful: bool = False
    find_sr_structured: bool | None = None
    """``None`` while no planner reply carried the explicit flag."""
    max_target_pixel_count: int = 0
    first_rendered_step: int | None = None
    first_find_step: int | None = None
    claimed_steps: int = 0
    false_claim_steps: int = field(default=0)
    """Decisions with a claim (careful rule) and too few target pixels."""

    def record(self, step: int, observation: Mapping[str, Any], planner: Mapping[str, Any]) -> None:
        """One decision: pixel count of the image the planner saw, and the planner's JSON."""
        pixels = int(observation.get("target_pixel_count", 0))
        rendered = bool(observation.get("available", False)) and pixels >= self.pixel_threshold
        text = planner.get("visible_state")
        claimed = claims_target_visible(text, self.category)
        careful = claims_target_visible_careful(text, self.category)
        self.max_target_pixel_count = max(self.max_target_pixel_count, pixels)
        self.geo_find_sr |= rendered
        if rendered and self.first_rendered_step is None:
            self.first_rendered_step = step
        if rendered and claimed and not self.find_sr:
            self.find_sr, self.first_find_step = True, step
        self.find_sr_careful |= rendered and careful
        self.claimed_steps += careful
        self.false_claim_steps += careful and not rendered
        flag = planner.get("target_visible")
        if isinstance(flag, bool):
            self.find_sr_structured = bool(self.find_sr_structured) or (rendered and flag)
