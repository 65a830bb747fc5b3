"""Pieces of the oracle: geometry, words, goals, risers, the protocol of its replies."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinematic import FloorRegion, home, make_view, standing_links

from bodyloop.errors import ModelError
from bodyloop.household.actions import climb_call, parse_action_name, sit_call, turn_call, walk_call
from bodyloop.household.agent.oracle import OracleModel, geometry
from bodyloop.household.agent.oracle.goals import find_seats, seat_goals, touch_goals
from bodyloop.household.agent.oracle.pursuit import find_riser, riser_step
from bodyloop.household.agent.oracle.report import visible_state
from bodyloop.household.agent.oracle.route_map import Blockage, RouteMap
from bodyloop.household.agent.oracle.state import Outcome, commanded, observe
from bodyloop.household.agent.prompts import resolve_prompt_version
from bodyloop.household.metrics.claims import claims_target_visible_careful

angles = st.floats(-10, 10)


@given(angles)
def test_bearing_inverts_forward(yaw: float) -> None:
    assert geometry.wrap(geometry.bearing(geometry.forward(yaw)) - yaw) == pytest.approx(0, abs=1e-9)
    assert float(geometry.forward(yaw) @ geometry.leftward(yaw)) == pytest.approx(0, abs=1e-12)


def test_yaw_zero_looks_along_minus_y_and_left_is_plus_x() -> None:
    assert geometry.forward(0.0) == pytest.approx([0, -1])
    assert geometry.leftward(0.0) == pytest.approx([1, 0])
    assert geometry.forward(math.pi / 2) == pytest.approx([1, 0])


@given(angles, st.floats(-5, 5), st.floats(-5, 5), st.floats(0, 1))
def test_links_survive_a_round_trip(yaw: float, x: float, y: float, floor: float) -> None:
    links, xy = standing_links(), np.array([x, y])
    placed = geometry.placed_links(links, xy, np.asarray(yaw), np.asarray(floor))
    assert geometry.relative_links(placed, xy, yaw, floor) == pytest.approx(links, abs=1e-9)


def test_box_distance() -> None:
    points = np.array([[[0.0, 0.0, 0.0], [2.0, 0.0, 0.5]], [[0.5, 0.5, 0.5], [9.0, 9.0, 9.0]]])
    assert geometry.box_distance(points, np.array([0.3, 0.4, 0.0]), np.ones(3)) == pytest.approx([0.5, 0.0])


# The published reading: split at whitespace after . ! ?; a sentence with an alias and without a negation word claims.
ALIASES = {
    "couch": ("sofa", "couch", "sectional", "loveseat"),
    "bed": ("mattress", "bed"),
    "toilet": ("commode", "toilet"),
    "chair": ("seat", "stool", "armchair", "chair"),
    "tv": ("monitor", "screen", "television", "tv"),
    "potted_plant": ("plant", "potted plant", "flowerpot", "flower pot"),
}
NEGATIONS = {"no", "none", "not", "unable", "without", "cannot"}


def claims(text: str, category: str) -> bool:
    import re

    for sentence in re.split(r"(?<=[.!?])\s+", text.lower()):
        words = set(re.findall(r"[a-z']+", sentence))
        if any(alias in sentence for alias in ("target", *ALIASES[category])) and not words & NEGATIONS:
            return True
    return False


@given(
    st.sampled_from(sorted(ALIASES)), st.booleans(), st.floats(-math.pi, math.pi), st.floats(0.3, 9), st.floats(0, 3)
)
def test_words_claim_exactly_what_the_rays_say(category: str, seen: bool, yaw: float, away: float, free: float) -> None:
    box = (np.array([away - 0.2, -0.2, 0.0]), np.array([away + 0.2, 0.2, 1.0]))
    obs: Any = SimpleNamespace(
        visible=frozenset({3} if seen else ()), boxes={3: box, 4: box}, xy=np.zeros(2), yaw_rad=yaw
    )
    label = {"potted_plant": "potted plant", "tv": "TV"}.get(category, category)
    text = visible_state(obs, label, free)
    assert claims(text, category) is seen
    assert claims_target_visible_careful(text, category) is seen
    assert all(not claims(text, other) for other in ALIASES if other != category)


def test_sides_are_named_from_the_viewer() -> None:
    box = (np.array([1.9, -0.1, 0.0]), np.array([2.1, 0.1, 1.0]))  # at +X: left of someone looking along -Y
    obs: Any = SimpleNamespace(visible=frozenset({0}), boxes={0: box}, xy=np.zeros(2), yaw_rad=0.0)
    assert "on the left, about 2.0 m" in visible_state(obs, "chair", 1.0)
    obs.yaw_rad = math.pi / 2
    assert "ahead, about 2.0 m" in visible_state(obs, "chair", 1.0)


def test_touch_goals_touch_and_seat_goals_face_away() -> None:
    scene = home([("chair", 2.0, 2.0, 0, 0), ("couch", 6.0, 4.5, 0, 0)])
    view = make_view(scene, "chair", (4.0, 1.0), 0)
    obs = observe(view, 0)
    routes = RouteMap(scene, view.goal_object_ids)
    routes.update(obs.poses)
    goals = touch_goals(routes, standing_links(), obs)
    assert goals
    lower, upper = view.object_box(0)
    for goal in goals:
        links = geometry.placed_links(standing_links(), goal.xy, np.asarray(goal.yaw_rad), np.asarray(0.0))
        assert float(geometry.box_distance(links, lower, upper)) <= 0.14
        assert routes.grid.is_free(goal.xy)
    seats = find_seats(scene, {}, [1])
    assert len(seats) > 1
    for seat in seats:
        assert seat.front[1] == pytest.approx(4.5 - 0.85 / 2, abs=0.01)
        assert seat.height_m == pytest.approx(0.44)
        assert seat.facing_rad == pytest.approx(0.0)
    for goal in seat_goals(routes, seats):
        assert goal.xy[1] < 4.5 - 0.85 / 2 - 0.3


def test_seats_follow_a_turned_object() -> None:
    scene = home([("couch", 4.0, 2.5, 0, 90)])
    seat = find_seats(scene, {}, [0])[0]
    assert seat.facing_rad == pytest.approx(math.pi / 2)
    assert seat.front == pytest.approx([4.0 + 0.425, 2.5], abs=0.02)


def test_a_seat_against_a_wall_gives_no_goal() -> None:
    scene = home([("couch", 4.0, 4.5, 0, 180)])
    routes = RouteMap(scene, [0])
    routes.update({})
    assert seat_goals(routes, find_seats(scene, {}, [0])) == []


def test_map_is_rebuilt_only_for_changes() -> None:
    scene = home([("chair", 2.0, 2.0, 0, 0)], dynamic=(0,))
    routes = RouteMap(scene, [])
    rest = (np.array([2.0, 2.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    routes.update({0: rest})
    first = routes.version
    routes.update({0: (rest[0] + 0.01, rest[1])})
    assert routes.version == first
    routes.update({0: (rest[0] + np.array([0.5, 0, 0]), rest[1])})
    assert routes.version == first + 1
    free = routes.grid.is_free((6.0, 2.0))
    routes.update({0: rest}, [Blockage(6.0, 2.0, 0.2, 50)])
    assert free
    assert not routes.grid.is_free((6.0, 2.0))
    routes.update({0: rest}, [], through_movables=True)
    assert routes.grid.is_free((2.0, 2.0))


STEP = [FloorRegion((4.0, 0.0), (8.0, 5.0), 0.17)]


@pytest.mark.parametrize(
    ("x", "name"),
    [(3.78, "Climb upstairs<normal>"), (3.58, "Walk<forward><slow>"), (3.38, "Walk<forward><normal>"),
     (3.85, "Step back<0.10>"), (3.66, "Step back"), (2.7, "Walk<forward><fast>")],
)  # fmt: skip
def test_distance_to_a_riser_is_made_to_fit(x: float, name: str) -> None:
    scene = home([("chair", 7.0, 2.5, 0.17, 0)], extra_floors=STEP)
    obs = observe(make_view(scene, "chair", (x, 2.5), 90), 0)
    routes = RouteMap(scene, [0])
    path = np.array([[x, 2.5, 0.0], [4.5, 2.5, 0.17]])
    riser = find_riser(routes, path, obs.xy, obs.floor_m)
    assert riser is not None
    assert riser.rise_m == pytest.approx(0.17)
    assert riser.distance_m == pytest.approx(4.0 - x, abs=0.011)
    assert str(riser_step(routes, obs, riser, 0.0, "up").call.action_name).startswith(name)


def test_a_riser_is_not_taken_at_an_angle() -> None:
    scene = home([("chair", 7.0, 2.5, 0.17, 0)], extra_floors=STEP)
    obs = observe(make_view(scene, "chair", (3.78, 2.5), 70), 0)
    routes = RouteMap(scene, [0])
    riser = find_riser(routes, np.array([[3.78, 2.5, 0.0], [4.5, 2.5, 0.17]]), obs.xy, 0.0)
    assert riser is not None
    assert riser_step(routes, obs, riser, 0.0, "up").call.action_name == "Turn<left><20>"
    aside = np.array([[3.78, 2.5, 0.0], [3.0, 3.5, 0.0]])
    assert find_riser(routes, aside, obs.xy, 0.0) is None


def test_commanded_displacements() -> None:
    assert commanded(walk_call("fast")) == (0.6, 0.0, 0.0)
    assert commanded(parse_action_name("Step back<0.30>")) == (-0.3, 0.0, 0.0)
    assert commanded(parse_action_name("Side step<right><0.30>")) == (0.0, -0.3, 0.0)
    assert commanded(turn_call(-90))[2] == pytest.approx(-math.pi / 2)
    assert commanded(climb_call()) == commanded(sit_call()) == (0.0, 0.0, 0.0)


def test_outcome_shares() -> None:
    view = make_view(home([("chair", 2.0, 2.0, 0, 0)]), "chair", (4.0, 2.0), 0)
    before = observe(view, 0)
    view.execute(walk_call("normal"))
    walked = Outcome.between(walk_call("normal"), before, observe(view, 1))
    assert walked.share == pytest.approx(1.0, abs=0.05)
    assert walked.carry_m == pytest.approx(0.31 * 0.4, abs=0.01)
    assert Outcome.between(walk_call("fast"), before, before).share == 0.0


# -- as a model --------------------------------------------------------------------------------------------------


def ask(model: OracleModel, text: str) -> dict[str, Any]:
    reply = model.respond([{"role": "user", "content": [{"type": "text", "text": text}]}])
    return json.loads(reply)  # type: ignore[no-any-return]


def test_replies_carry_all_planner_fields_and_parse() -> None:
    model = OracleModel()
    model.attach(make_view(home([("chair", 2.0, 2.0, 0, 0)]), "chair", (4.0, 2.0), 0))
    reply = ask(model, resolve_prompt_version("v1").render({"goal": "find the chair", "history": []}))
    fields = ["visible_state", "mid_level_progress_analysis", "mid_level_goal", "low_level_action_reasoning"]
    assert list(reply)[:7] == [*fields, "action_id", "action_name", "additional_info"]
    assert model.last_usage == {"prompt_tokens": 0, "completion_tokens": 0}


def test_the_same_decision_asked_again_gets_the_same_reply() -> None:
    model = OracleModel()
    model.attach(make_view(home([("chair", 2.0, 2.0, 0, 0)]), "chair", (4.0, 2.0), 0))
    assert ask(model, "plan") == ask(model, "plan")


def test_verifier_requests_are_accepted_without_planning() -> None:
    model = OracleModel()
    assert ask(model, 'judge it: {"verdict": ..., "final_action_name": ...}')["verdict"] == "accept"


def test_without_a_view_it_says_so() -> None:
    with pytest.raises(ModelError, match="attach"):
        ask(OracleModel(), "plan")


def test_an_episode_without_target_is_refused() -> None:
    with pytest.raises(ModelError, match="no couch"):
        OracleModel().attach(make_view(home([("chair", 2.0, 2.0, 0, 0)]), "couch", (4.0, 2.0), 0))
