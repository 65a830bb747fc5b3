"""The validator sees what is wrong with a home."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bodyloop.scenes.bare_room import CHAIR_NAMES, SEAT_NAME, bare_room
from bodyloop.scenes.description import FloorRegion, Part, Room, SceneDescription
from bodyloop.scenes.validate import HomeReport, validate_home
from bodyloop.scenes.validate_rest import RestCheck
from bodyloop.scenes.validate_routes import category_reach, narrowest_doorway, unconnected_rooms

LINKS = np.array([[0.0, 0.0, 0.9], [0.1, -0.17, 0.05], [0.35, 0.0, 0.75], [0.1, -0.125, 0.024]])
"""Some links of a standing body: pelvis, ankle, hand, toes."""


def moved(scene: SceneDescription, name: str, position: tuple[float, float, float]) -> SceneDescription:
    items = tuple(replace(item, position_m=position) if item.name == name else item for item in scene.instances)
    return replace(scene, instances=items)


def box(name: str, lower: tuple[float, float, float], upper: tuple[float, float, float]) -> Part:
    half = tuple((b - a) / 2 for a, b in zip(lower, upper, strict=True))
    middle = tuple((b + a) / 2 for a, b in zip(lower, upper, strict=True))
    return Part(name, "box", half, (middle[0], middle[1], middle[2]), "wall")


def two_rooms(door_m: float) -> SceneDescription:
    """The bare room without its risers, parted along x = -0.5 by a wall 0.1 m thick with a doorway around y = 0."""
    scene = bare_room()
    stage = tuple(part for part in scene.stage if not part.name.startswith("riser"))
    wall = (
        box("wall/low", (-0.55, -4.0, 0.0), (-0.45, -door_m / 2, 2.6)),
        box("wall/high", (-0.55, door_m / 2, 0.0), (-0.45, 4.0, 2.6)),
        box("wall/lintel", (-0.55, -door_m / 2, 2.0), (-0.45, door_m / 2, 2.6)),
    )
    rooms = (
        Room("west", "study", (-4.0, -4.0), (-0.55, 4.0), 0.0, "floor", "wall"),
        Room("east", "hall", (-0.45, -4.0), (4.0, 4.0), 0.0, "wood", "wall"),
    )
    items = tuple(replace(item, room="east") for item in scene.instances)
    floors = (FloorRegion((-4.0, -4.0), (4.0, 4.0), 0.0),)
    return replace(scene, stage=(*stage, *wall), rooms=rooms, floors=floors, instances=items)


def value(report: HomeReport, name: str) -> float:
    return next(check.value for check in report.checks if check.check == name)


def test_a_clean_room_fails_only_for_what_it_lacks() -> None:
    report = validate_home(bare_room(), LINKS)
    assert {check.check for check in report.failures} == {
        "rooms",
        "fixed objects",
        "movable objects",
        "reach bed",
        "reach potted_plant",
        "reach toilet",
        "reach tv",
        "parts of an item",
    }
    assert not report.ok
    assert report.to_json()["checks"][0] == {
        "check": "rooms",
        "value": 1.0,
        "limit": "4..8",
        "ok": False,
        "detail": "",
    }


def test_overlap_is_measured_between_any_two_things() -> None:
    # the chair's legs, reaching 0.208 m from its middle, in the box seat, whose side is at x = 2.05
    depth, names = RestCheck(moved(bare_room(), CHAIR_NAMES[0], (1.855, 0.0, 0.0))).overlap()
    assert depth == pytest.approx(0.013, abs=1e-4)
    assert SEAT_NAME in names
    assert CHAIR_NAMES[0] in names
    depth, names = RestCheck(moved(bare_room(), SEAT_NAME, (3.66, 0.0, 0.0))).overlap()  # 10 mm into the east wall
    assert depth == pytest.approx(0.010, abs=1e-4)
    assert "wall/east" in names


@pytest.mark.parametrize("height_m", [0.02, -0.02])
def test_support_gap_is_signed(height_m: float) -> None:
    gaps = RestCheck(moved(bare_room(), CHAIR_NAMES[1], (1.2, -2.7, height_m))).support_gaps()
    assert gaps[CHAIR_NAMES[1]] == pytest.approx(height_m, abs=1e-6)
    assert gaps[CHAIR_NAMES[0]] == pytest.approx(0.0, abs=1e-6)


def test_a_box_carries_what_stands_on_it() -> None:
    gaps = RestCheck(moved(bare_room(), CHAIR_NAMES[1], (2.4, 0.0, 0.45))).support_gaps()
    assert gaps[CHAIR_NAMES[1]] == pytest.approx(0.0, abs=1e-6)


def test_what_falls_moves() -> None:
    motions = RestCheck(moved(bare_room(), CHAIR_NAMES[1], (1.2, -2.7, 0.05))).motions()
    assert motions[CHAIR_NAMES[1]] == pytest.approx(0.05, abs=0.01)
    assert motions[CHAIR_NAMES[0]] < 1e-3


def test_motion_check_leaves_the_world_as_it_was() -> None:
    home = RestCheck(moved(bare_room(), CHAIR_NAMES[1], (1.2, -2.7, 0.05)))
    before = home.world.state_hash()
    home.motions()
    assert home.world.state_hash() == before


@pytest.mark.parametrize("door_m", [0.9, 0.8, 1.2])
def test_doorway_width(door_m: float) -> None:
    width, rooms = narrowest_doorway(two_rooms(door_m))
    assert width == pytest.approx(door_m, abs=0.006)
    assert rooms == "west - east"


def test_a_narrow_doorway_parts_rooms() -> None:
    assert unconnected_rooms(two_rooms(0.9)) == []
    assert unconnected_rooms(two_rooms(0.5)) == ["west"]


def test_reach_needs_a_way() -> None:
    open_home, closed_home = moved(two_rooms(0.9), SEAT_NAME, (-3.0, 0.0, 0.0)), two_rooms(0.5)
    closed_home = moved(closed_home, SEAT_NAME, (-3.0, 0.0, 0.0))
    assert category_reach(open_home, LINKS, 0.15)["couch"].reached == 1
    lost = category_reach(closed_home, LINKS, 0.15)["couch"]
    assert (lost.reached, lost.count) == (0, 1)
    assert lost.distance_m > 1.0


def test_reach_ends_at_what_is_too_high() -> None:
    high = category_reach(moved(bare_room(), SEAT_NAME, (2.4, 0.0, 1.5)), LINKS, 0.15)["couch"]
    assert high.distance_m > 0.5
    assert high.reached == 0


def test_rooms_of_equal_look_are_named() -> None:
    scene = two_rooms(0.9)
    assert value(validate_home(scene, LINKS), "rooms with shared textures") == 0
    same = tuple(replace(room, floor_material="floor") for room in scene.rooms)
    report = validate_home(replace(scene, rooms=same), LINKS)
    check = next(check for check in report.failures if check.check == "rooms with shared textures")
    assert check.detail == "west, east"


def test_tall_screens_are_refused() -> None:
    scene = bare_room()
    chair = replace(scene.templates["chair-bare"], category="tv")
    scene = replace(scene, templates={**scene.templates, "chair-bare": chair})
    raised = moved(scene, CHAIR_NAMES[0], (2.4, 0.0, 0.45))
    assert value(validate_home(scene, LINKS), "top of tv and plants") == pytest.approx(0.9)
    report = validate_home(raised, LINKS)
    assert value(report, "top of tv and plants") == pytest.approx(1.35)
    assert "top of tv and plants" in {check.check for check in report.failures}
