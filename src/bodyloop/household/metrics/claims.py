"""A more careful reading of "the target is visible" than the published substring rule.

Names match whole words, a negation counts only where it denies seeing the target, and questions, memories, searches and
things merely named after the target are no sightings. It stays a word rule: it errs on the side of "no claim".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["claims_target_visible_careful"]

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "couch": ("sofa", "couch(?:es)?", "sectional", "loveseat", "settee", "divan"),
    "bed": ("mattress(?:es)?", "bed", "cot"),
    "toilet": ("commode", "toilet"),
    "chair": (r"(?<!sofa )(?<!couch )(?<!toilet )(?<!car )seat", "stool", "armchair", "chair", "recliner"),
    "tv": ("monitor", r"(?<!shower )(?<!fire )(?<!window )screen", "television", "tv"),
    "potted_plant": ("plant", "planter", "flower ?pot", "ficus", "fern", "houseplant"),
}
_NAMED_AFTER: Final = r"(?! (?:paper|stand|room|cabinet|bench|frame|remote|brush|lid|shop|side)\b)"
"""Words after a name that make it another object, as in "toilet paper"; "stands" is usually the verb."""

_SEEN = r"(?:visible|seen|see|saw|sees|view|sight|find|found|spot|spotted|present|appear|detect|detected|there|here|in)"
_NOT = r"(?:not|cannot|can't|never|unable to|[a-z]*n't)"
_PLACE = r"(?:visible|in view|in sight|ahead|left|right|front|centre|center|see|touch)"

_SENTENCE: Final = re.compile(r"[^.!?\n]*(?:[.!?](?=\d)[^.!?\n]*)*[.!?\n]?")
_RETRACTED: Final = re.compile(
    rf"\b(?:out of (?:view|sight)|nowhere|gone|hidden|absent|missing|{_NOT} (?:\w+ ){{0,2}}{_SEEN})\b"
)
_RECALLED: Final = re.compile(r"\b(?:was|were|had been|earlier|ago|before|previously|last seen|remember)\b")
_WISHED: Final = re.compile(
    r"\b(?:look(?:ing)? for|search(?:ing)? for|wonder|need|whether|if there|should be|may be|might|probably|perhaps|maybe)\b"
)


def claims_target_visible_careful(visible_state: object, category: str) -> bool:
    """True if a sentence of the planner's ``visible_state`` reports the target in the current view."""
    if not category or visible_state is None:
        return False
    names = _NAMES.get(category, (re.escape(category.replace("_", " ").lower()),))
    name = rf"\b(?:{'|'.join(names)})s?\b{_NAMED_AFTER}"
    text = str(visible_state).replace("’", "'").replace("_", " ").lower()
    return any(_sighting(sentence, name) for sentence in _SENTENCE.findall(text))


def _sighting(sentence: str, name: str) -> bool:
    if sentence.endswith("?") or _RECALLED.search(sentence) or _WISHED.search(sentence):
        return False
    by_word = re.search(r"\btarget\b", sentence) and re.search(rf"\b{_PLACE}\b", sentence)
    if not by_word and not re.search(name, sentence):
        return False
    thing = rf"(?:{name}|\btarget\b)"
    denied = (
        rf"\b(?:no|not|neither|nor|[a-z]*n't|none of|nothing like) (?:(?!but\b)\w+ ){{0,2}}{thing}|\bnone of .*{thing}"
    )
    return not re.search(denied, sentence) and not _RETRACTED.search(sentence)
