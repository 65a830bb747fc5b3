"""Floor plans and shells of the homes, their assembly and how their movable objects come to rest."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest

from bodyloop.errors import SimulationError, UnknownNameError
from bodyloop.scenes.codec import decode_scene, encode_scene
from bodyloop.scenes.description import FloorRegion, SceneDescription
from bodyloop.scenes.furniture import PALETTES, make
from bodyloop.scenes.homes.architect import RISER_M, TREAD_M, WALL_M
from bodyloop.scenes.homes.architecture import build_stage
from bodyloop.scenes.homes.build import assemble, build_home
from bodyloop.scenes.homes.plan import FloorPlan, Opening, Placed, RoomPlan
from bodyloop.scenes.homes.plans import HOME_IDS, floor_plan
from bodyloop.scenes.homes.settle import settle
from bodyloop.scenes.validate_routes import unconnected_rooms

LEAST_M = {
    "bathroom": (2.2, 2.4),
    "bedroom": (3.4, 3.4),
    "living_room": (4.2, 4.2),
    "kitchen": (3.0, 3.2),
    "study": (2.6, 3.0),
    "hall": (1.5, 1.5),
}
RAISED = ("home_03", "home_08", "home_11")


def _doors(plan: FloorPlan) -> list[Opening]:
    return [opening for opening in plan.openings if opening.kind == "door"]


def _levels(plan: FloorPlan) -> dict[str, float]:
    return {room.name: room.floor_height_m for room in plan.rooms}


@pytest.mark.parametrize("home_id", HOME_IDS)
def test_rooms_have_useful_sizes_and_do_not_overlap(home_id: str) -> None:
    plan = floor_plan(home_id)
    assert 4 <= len(plan.rooms) <= 8
    assert {"living_room", "bedroom", "kitchen", "bathroom"} <= {room.kind for room in plan.rooms}
    for room in plan.rooms:
        size = sorted((room.rect[2] - room.rect[0], room.rect[3] - room.rect[1]))
        assert size[0] >= LEAST_M[room.kind][0], room
        assert size[1] >= LEAST_M[room.kind][1], room
    for a, b in combinations(plan.rooms, 2):
        apart = max(b.rect[0] - a.rect[2], a.rect[0] - b.rect[2], b.rect[1] - a.rect[3], a.rect[1] - b.rect[3])
        assert apart >= WALL_M - 1e-6, (a.name, b.name)


@pytest.mark.parametrize("home_id", HOME_IDS)
def test_doorways_lie_in_the_wall_of_their_rooms_and_join_all(home_id: str) -> None:
    plan = floor_plan(home_id)
    rooms = {room.name: room for room in plan.rooms}
    reached = {plan.rooms[0].name}
    for _ in plan.rooms:
        reached |= {name for door in _doors(plan) if reached & set(door.rooms) for name in door.rooms}
    assert reached == set(rooms)
    for door in _doors(plan):
        assert door.width_m >= 1.0
        assert door.top_m - door.bottom_m >= 1.95
        axis = 0 if door.along == "x" else 1
        for name in door.rooms:
            rect = rooms[name].rect
            assert rect[axis] + 0.1 <= door.center_m - door.width_m / 2
            assert door.center_m + door.width_m / 2 <= rect[axis + 2] - 0.1
            across = (rect[1 - axis], rect[3 - axis])
            assert min(abs(door.at_m - face) for face in across) == pytest.approx(WALL_M / 2, abs=1e-4)


def test_plans_differ() -> None:
    shapes = {tuple(room.rect for room in floor_plan(home_id).rooms) for home_id in HOME_IDS}
    assert len(HOME_IDS) == len(shapes) == 12


def test_three_homes_have_flights_of_equal_risers() -> None:
    counts = {home_id: len(floor_plan(home_id).treads) for home_id in HOME_IDS if floor_plan(home_id).treads}
    assert counts == {"home_03": 2, "home_08": 1, "home_11": 3}


@pytest.mark.parametrize("home_id", RAISED)
def test_flight_rises_evenly_and_ends_in_the_doorway(home_id: str) -> None:
    plan = floor_plan(home_id)
    levels = _levels(plan)
    (door,) = (door for door in _doors(plan) if len({levels[name] for name in door.rooms}) == 2)
    assert door.width_m >= 1.2
    axis = 1 if door.along == "x" else 0
    for index, tread in enumerate(plan.treads):
        assert tread.kind == "tread"
        assert tread.height_m == pytest.approx(RISER_M * (index + 1))
        depth = tread.upper_m[axis] - tread.lower_m[axis]
        last = index == len(plan.treads) - 1
        assert depth == pytest.approx(WALL_M if last else TREAD_M, abs=1e-3)
        assert tread.upper_m[1 - axis] - tread.lower_m[1 - axis] == pytest.approx(door.width_m, abs=1e-3)
    final = plan.treads[-1]
    assert final.height_m == pytest.approx(max(levels[name] for name in door.rooms))
    assert final.lower_m[axis] < door.at_m < final.upper_m[axis]
    for below, above in zip(plan.treads, plan.treads[1:], strict=False):
        touching = (below.upper_m[axis] - above.lower_m[axis], above.upper_m[axis] - below.lower_m[axis])
        assert min(abs(value) for value in touching) < 1e-3


def _height_at(floors: tuple[FloorRegion, ...], x: float, y: float) -> float | None:
    found = [
        region.height_m
        for region in floors
        if region.lower_m[0] <= x <= region.upper_m[0] and region.lower_m[1] <= y <= region.upper_m[1]
    ]
    return max(found) if found else None


@pytest.mark.parametrize("home_id", HOME_IDS)
def test_every_doorway_has_floor_from_room_to_room(home_id: str) -> None:
    plan = floor_plan(home_id)
    _, stage, floors, _, _ = build_stage(plan)
    solid = [part for part in stage if part.name.startswith(("floor/", "riser/")) and part.collide]
    for door in _doors(plan):
        for offset in np.linspace(-0.5, 0.5, 41):
            x, y = (door.center_m, door.at_m + offset) if door.along == "x" else (door.at_m + offset, door.center_m)
            height = _height_at(floors, x, y)
            tops = [
                part.position_m[2] + part.size_m[2]
                for part in solid
                if abs(x - part.position_m[0]) <= part.size_m[0] + 1e-6
                and abs(y - part.position_m[1]) <= part.size_m[1] + 1e-6
            ]
            assert height is not None
            assert max(tops) == pytest.approx(height, abs=1e-4)


@pytest.mark.parametrize("home_id", HOME_IDS)
def test_walls_are_solid_but_for_doorways(home_id: str) -> None:
    plan = floor_plan(home_id)
    _, stage, _, _, _ = build_stage(plan)
    walls = [part for part in stage if part.collide and part.name.startswith(("wall/", "window/"))]
    assert all(2 * min(part.size_m) >= 0.08 for part in walls)
    for room in plan.rooms:
        for x, y in _along_walls(room):
            inside = any(
                abs(x - part.position_m[0]) <= part.size_m[0]
                and abs(y - part.position_m[1]) <= part.size_m[1]
                and abs(room.floor_height_m + 1.0 - part.position_m[2]) <= part.size_m[2] + 1e-6
                for part in walls
            )
            in_door = any(_is_in(door, x, y) for door in _doors(plan))
            assert inside != in_door, (room.name, x, y)


def _along_walls(room: RoomPlan) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = room.rect
    half = WALL_M / 2
    xs, ys = np.arange(x0 + 0.013, x1, 0.1), np.arange(y0 + 0.013, y1, 0.1)
    points = [(x, y) for x in xs for y in (y0 - half, y1 + half)]
    return points + [(x, y) for y in ys for x in (x0 - half, x1 + half)]


def _is_in(door: Opening, x: float, y: float) -> bool:
    along, across = (x, y) if door.along == "x" else (y, x)
    return abs(along - door.center_m) < door.width_m / 2 and abs(across - door.at_m) < WALL_M


@pytest.mark.parametrize("home_id", HOME_IDS)
def test_every_room_has_its_own_coverings(home_id: str) -> None:
    rooms, stage, _, lights, materials = build_stage(floor_plan(home_id))
    looks = [materials[room.floor_material] for room in rooms] + [materials[room.wall_material] for room in rooms]
    assert len(set(looks)) == 2 * len(rooms)
    assert len(lights) == len(rooms)
    assert {part.material for part in stage} <= set(materials)
    assert len({part.name for part in stage}) == len(stage)


@pytest.mark.parametrize("home_id", RAISED)
def test_empty_home_can_be_walked_through(home_id: str) -> None:
    scene = assemble(floor_plan(home_id), ())
    assert unconnected_rooms(scene) == []


def test_unknown_home_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="home_10"):
        floor_plan("home_0l")


def _with_cup(lift_m: float) -> SceneDescription:
    plan = floor_plan("home_09")
    room = plan.rooms[0]
    x, y = (room.rect[0] + room.rect[2]) / 2, (room.rect[1] + room.rect[3]) / 2
    palette = PALETTES[room.palette]
    table = make("coffee_table", 0, np.random.default_rng(1), palette)
    mug = make("mug", 0, np.random.default_rng(2), palette)
    top = table.template.support_height_m
    assert top is not None
    return assemble(
        plan,
        (
            Placed(table, "coffee_table", room.name, (x, y, 0.0), 0.5, False),
            Placed(mug, "mug", room.name, (x, y, top + lift_m), 1.0, True),
        ),
    )


def test_assembled_home_survives_the_round_trip() -> None:
    scene = _with_cup(0.0)
    assert [item.name.rsplit("_:", 1)[1] for item in scene.instances] == ["0000", "0001"]
    assert [item.motion_type for item in scene.instances] == ["STATIC", "DYNAMIC"]
    again = decode_scene(encode_scene(scene))
    assert again.instances == scene.instances
    assert again.stage == scene.stage


def test_settling_brings_movable_objects_down_and_leaves_the_rest() -> None:
    scene = _with_cup(0.01)
    rested = settle(scene)
    assert rested.instances[0] == scene.instances[0]
    drop = scene.instances[1].position_m[2] - rested.instances[1].position_m[2]
    assert drop == pytest.approx(0.01, abs=0.002)
    assert dataclasses.replace(rested, instances=scene.instances) == scene
    again = settle(rested).instances[1].position_m
    assert again == pytest.approx(rested.instances[1].position_m, abs=1e-3)


def test_settling_names_objects_that_fall() -> None:
    scene = _with_cup(0.3)
    with pytest.raises(
        SimulationError, match=f"{scene.instances[1].template}.*fell|fell.*{scene.instances[1].template}"
    ):
        settle(scene)


def test_built_home_is_exactly_what_its_file_holds() -> None:
    scene = build_home("home_09")
    assert decode_scene(encode_scene(scene)) == scene
    assert build_home("home_09") == scene
