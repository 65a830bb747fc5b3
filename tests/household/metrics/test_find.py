from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.household.metrics.claims import claims_target_visible_careful
from bodyloop.household.metrics.find import CATEGORY_ALIASES, FindTracker, claims_target_visible


def test_published_rule_agrees_with_the_reference_rows(cases) -> None:
    for row in cases("claims_target_visible")["rows"]:
        claimed = claims_target_visible(row["visible_state"], row["category"])
        if row["category"]:
            assert claimed == row["reference"], row
        else:
            # The reference lets an empty category match any sentence; here it matches none.
            assert not claimed


def test_careful_rule_agrees_with_a_careful_reader(cases) -> None:
    rows = cases("claims_target_visible")["rows"]
    wrong = [
        row
        for row in rows
        if claims_target_visible_careful(row["visible_state"], row["category"]) != row["careful_reader"]
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("text", "category", "claimed"),
    [
        ("A bed stands about 3.5 m ahead, lane free.", "bed", True),
        ("No bed yet; a hallway continues to the left.", "bed", False),
        ("The sofas are on the right.", "couch", True),
        ("I remember a couch in the last room.", "couch", False),
        ("Maybe a toilet is behind the door.", "toilet", False),
        ("The TV couldn't be seen from here.", "tv", False),
        ("The target is not in view.", "tv", False),
        ("Target visible on the left at 2 m.", "chair", True),
        ("Kitchen table, no obstacles, chair at 1 m.", "chair", True),
    ],
)
def test_careful_rule_on_sentences_of_its_own(text: str, category: str, claimed: bool) -> None:
    assert claims_target_visible_careful(text, category) is claimed


@given(st.text(max_size=80), st.sampled_from(sorted(CATEGORY_ALIASES)))
def test_both_rules_accept_any_text(text: str, category: str) -> None:
    assert isinstance(claims_target_visible(text, category), bool)
    assert isinstance(claims_target_visible_careful(text, category), bool)


@given(st.sampled_from(sorted(CATEGORY_ALIASES)), st.data())
def test_a_plain_sighting_of_any_alias_is_a_claim_for_both_rules(category: str, data: st.DataObject) -> None:
    alias = data.draw(st.sampled_from(CATEGORY_ALIASES[category]))
    text = f"There is a {alias} ahead."
    assert claims_target_visible(text, category)
    assert claims_target_visible_careful(text, category)


def seen(pixels: int, *, available: bool = True) -> dict[str, object]:
    return {"available": available, "target_pixel_count": pixels}


def test_pixels_and_claim_must_fall_on_the_same_decision() -> None:
    find = FindTracker("bed")
    find.record(0, seen(99), {"visible_state": "A bed is ahead."})
    find.record(1, seen(100), {"visible_state": "A wall."})
    assert (find.find_sr, find.geo_find_sr) == (False, True)
    assert (find.claimed_steps, find.false_claim_steps) == (1, 1)
    find.record(2, seen(100), {"visible_state": "A bed is ahead."})
    assert (find.find_sr, find.first_rendered_step, find.first_find_step) == (True, 1, 2)


def test_unavailable_pixels_never_count() -> None:
    find = FindTracker("tv")
    find.record(0, seen(5000, available=False), {"visible_state": "TV"})
    assert not find.geo_find_sr
    assert find.max_target_pixel_count == 5000


def test_structured_find_is_null_until_a_reply_carries_the_flag() -> None:
    find = FindTracker("tv")
    find.record(0, seen(500), {"visible_state": "TV ahead."})
    assert find.find_sr_structured is None
    find.record(1, seen(10), {"target_visible": True})
    assert find.find_sr_structured is False
    find.record(2, seen(500), {"target_visible": True})
    assert find.find_sr_structured is True
