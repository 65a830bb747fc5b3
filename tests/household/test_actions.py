"""The skill table and the strict reading of action names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.errors import ReplyError
from bodyloop.household import actions
from bodyloop.household.actions import SKILL_TABLE, _chooser_action, parse_action_name
from bodyloop.household.agent.verifiers.verdict import apply_verdict, normalized_record
from bodyloop.household.types import SkillCall
from bodyloop.motion.types import SKILLS

DATA = Path(__file__).parents[1] / "data" / "agent" / "actions.json"

# Replies the reference reads by guessing. Where the name still has one meaning it decides; every other one is refused,
# so that the call is repeated instead of a guess (often the terminal Stop) being executed.
READ_DIFFERENTLY = {
    "Walk<fast>": "Walk<forward><fast>",
    "Walk<forward><0.4>": "Walk<forward><normal>",
    "Turn right 50": "Turn<right><50>",
    "Turn<45><left>": "Turn<left><45>",
    "Sit down<45cm>": "Sit down<0.45>",
    "Side step<0.3><right>": "Side step<right><0.30>",
}


def check_rows(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        reply, expected = row["reply"], row["result"]
        if row["class"] == "agree":
            call = _chooser_action(reply)
            got = {**call.to_json(), "ok": True, "text": call.display_text}
            assert got == expected, reply
        elif reply.get("action_name") in READ_DIFFERENTLY:
            assert _chooser_action(reply).action_name == READ_DIFFERENTLY[reply["action_name"]]
        else:
            with pytest.raises(ReplyError):
                _chooser_action(reply)


# Replacements the reference would execute: by id against the name, by the terminal action, or by an unreadable name.
REFUSED_TO = {
    (3, "Side step<left><0.30>"): "Side step<left><0.30>",  # the name is authoritative
    (1, "Stop/Stand"): None,  # None: the proposal stays
    (0, "Walk<forward><slow>"): None,
    (0, "Fly"): None,
    (None, "Fly"): None,
}


def check_verifier_rows(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        reply, proposed = row["verifier_reply"], parse_action_name(row["proposed_action_name"])
        final = apply_verdict(reply, proposed)
        if row["class"] == "agree":
            assert final.to_json() == row["final"], reply
            record = normalized_record(reply, proposed, final, "v9")
            assert record.pop("verifier_version") == "v9"
            assert record == row["normalized"], reply
        else:
            name = REFUSED_TO[reply.get("final_action_id"), reply["final_action_name"]]
            assert final == (proposed if name is None else parse_action_name(name))
            if name is None:
                assert "violation" in normalized_record(reply, proposed, final, "v9")


def test_reference_rows_twin() -> None:
    data = json.loads(DATA.read_text())
    check_rows(data["rows"])
    check_verifier_rows(data["verifier_rows"])


def test_reference_rows_whole(conformance_dir: Path) -> None:
    data = json.loads((conformance_dir / "household" / "actions.json").read_text())
    check_rows(data["rows"])
    check_verifier_rows(data["verifier_rows"])


def test_table_follows_motion_skills() -> None:
    assert tuple(spec.skill for spec in SKILL_TABLE) == SKILLS
    assert [spec.action_id for spec in SKILL_TABLE] == list(range(8))


sizes = st.floats(-5, 500, allow_nan=False)
calls = st.one_of(
    st.sampled_from(["slow", "normal", "fast"]).map(actions.walk_call),
    st.just(actions.stop_call()),
    sizes.map(actions.turn_call),
    st.just(actions.climb_call()),
    sizes.map(actions.sit_call),
    sizes.map(actions.step_back_call),
    sizes.map(actions.side_step_call),
    st.just(actions.descend_call()),
)


@given(calls)
def test_name_call_name_round_trip(call: SkillCall) -> None:
    name = call.action_name
    assert name is not None
    again = parse_action_name(name)
    assert again.action_name == name
    assert again.skill == call.skill
    assert again.action_id == call.action_id
    assert (again.cond is None) == (call.cond is None)
    numbers = [again.cond] if isinstance(again.cond, float) else list(again.cond or ())
    wanted = [call.cond] if isinstance(call.cond, float) else list(call.cond or ())
    tolerance = 0.5 if call.skill == "turn" else 0.005
    assert numbers == pytest.approx(wanted, abs=tolerance + 1e-9)
    assert _chooser_action({"action_id": SKILLS.index(call.skill), "action_name": name}) == again


@given(calls, st.data())
def test_spelling_does_not_matter(call: SkillCall, data: st.DataObject) -> None:
    name = call.action_name or ""
    spelled = "".join(data.draw(st.sampled_from([c.lower(), c.upper()])) for c in name)
    spelled = re.sub(r"([<>])", r" \1 ", spelled)
    assert parse_action_name(f"  {spelled} ").action_name == name


@given(st.text(max_size=40))
def test_free_text_never_stops_by_accident(text: str) -> None:
    try:
        call = parse_action_name(text)
    except ReplyError:
        return
    if call.skill == "stand":
        assert re.match(r"stop|stand", " ".join(text.lower().split()))


@given(st.dictionaries(st.sampled_from(["action_id", "action_name"]), st.from_type(type) | st.integers() | st.none()))
def test_other_types_are_refused(reply: dict[str, Any]) -> None:
    with pytest.raises(ReplyError):
        _chooser_action(reply)


@pytest.mark.parametrize(
    "name",
    [
        "Turn",
        "Turn<90>",
        "Side step<0.3>",
        "Turn<left><right><30>",
        "Turn<left><30><40>",
        "Turn<left><0.5 m>",
        "Sit down<30 degrees>",
        "Walk<backward>",
        "Walk<forward><0.5>",
        "Walk<slow><fast>",
        "Stop walking",
        "Stop/Stand and walk",
        "stopwatch",
        "Climb down up",
        "Sit down<0,45>",
        "Sit down<1e-1>",
        "Turn<left>!<30>",
        "<>",
    ],
)
def test_ambiguous_names_are_refused(name: str) -> None:
    with pytest.raises(ReplyError):
        parse_action_name(name)


@pytest.mark.parametrize(
    ("name", "cond"),
    [
        ("Turn<left><30°>", 30.0),
        ("Turn<right><30 deg>.", -30.0),
        ("Side step<20 cm><left>", 0.2),
        ("Sit down<0.4 metres>", 0.4),
        ("Step back<.3>", (0.0, -0.3)),
        ("Walk forward<slow>", (0.0, 0.2, 0.0)),
        ("Climb up one stair", (0.28, 0.30)),
    ],
)
def test_units_and_fillers(name: str, cond: Any) -> None:
    assert parse_action_name(name).cond == pytest.approx(cond)


def test_messages_name_the_conflict() -> None:
    with pytest.raises(ReplyError, match=r"action_id 3 .*contradicts.*Side step"):
        _chooser_action({"action_id": 3, "action_name": "Side step<left><0.20>"})
