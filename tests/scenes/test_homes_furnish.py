"""Furnishing a small home: everything is there, nothing overlaps, and a body gets everywhere."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from bodyloop.scenes.description import TARGET_CATEGORIES, FloorRegion
from bodyloop.scenes.furniture import KINDS
from bodyloop.scenes.homes.arrange import Arrangement, Solid, front_zone, overlap, side_of, wall_rect
from bodyloop.scenes.homes.furnish import furnish
from bodyloop.scenes.homes.interiors import Decorator, NoPlaceError
from bodyloop.scenes.homes.interiors.measures import lowest_m
from bodyloop.scenes.homes.plan import FloorPlan, Opening, Placed, RoomPlan


def _plan() -> FloorPlan:
    """A living room and, behind two steps, a bedroom; a kitchen and a bathroom on the other side."""
    rooms = (
        RoomPlan("living_room", "living_room", (0.06, 0.06, 5.44, 4.44), 0.0, "nordic"),
        RoomPlan("bedroom", "bedroom", (5.56, 0.06, 9.5, 4.44), 0.34, "nordic"),
        RoomPlan("kitchen", "kitchen", (0.06, 4.56, 5.44, 8.0), 0.0, "warm"),
        RoomPlan("bathroom", "bathroom", (5.56, 4.56, 8.5, 8.0), 0.0, "warm"),
    )
    openings = (
        Opening("door", "y", 5.5, 2.3, 1.5, 0.34, 2.4, ("living_room", "bedroom")),
        Opening("door", "x", 4.5, 2.5, 1.4, 0.0, 2.1, ("living_room", "kitchen")),
        Opening("door", "y", 5.5, 6.2, 0.95, 0.0, 2.06, ("kitchen", "bathroom")),
        Opening("window", "y", 0.0, 2.2, 1.4, 0.92, 2.12, ("living_room",)),
        Opening("window", "x", 0.0, 7.5, 1.4, 1.26, 2.46, ("bedroom",)),
    )
    treads = (
        FloorRegion((5.14, 1.55), (5.44, 3.05), 0.17, "tread"),
        FloorRegion((5.44, 1.55), (5.56, 3.05), 0.34, "tread"),
    )
    return FloorPlan("test", rooms, openings, treads)


@pytest.fixture(scope="module")
def placed() -> tuple[Placed, ...]:
    return furnish(_plan(), np.random.default_rng(3))


def _solid(piece: Placed) -> Solid:
    lowest = lowest_m(piece.furniture)
    body = Decorator.solid(piece.furniture, piece.position_m[:2], piece.yaw_rad, lowest)
    z = piece.position_m[2]
    return Solid(body.rect, z + body.bottom_m, z + body.top_m)


def test_every_category_and_enough_things(placed: tuple[Placed, ...]) -> None:
    categories = {piece.furniture.template.category for piece in placed}
    assert set(TARGET_CATEGORIES) <= categories
    assert sum(not piece.dynamic for piece in placed) >= 40
    assert sum(piece.dynamic for piece in placed) >= 15


def test_the_same_seed_gives_the_same_home(placed: tuple[Placed, ...]) -> None:
    assert furnish(_plan(), np.random.default_rng(3)) == placed
    assert furnish(_plan(), np.random.default_rng(4)) != placed


def test_standing_pieces_keep_apart(placed: tuple[Placed, ...]) -> None:
    heights = {room.name: room.floor_height_m for room in _plan().rooms}
    on_floor = [
        piece
        for piece in placed
        if piece.kind != "rug"
        and KINDS[piece.kind].placement not in ("wall_mounted", "ceiling")
        and piece.position_m[2] == heights[piece.room]
    ]
    for a, b in combinations(on_floor, 2):
        if {a.kind, b.kind} == {"dining_chair", "dining_table"}:
            continue
        assert not overlap(_solid(a).rect, _solid(b).rect, -0.001), (a.kind, b.kind)


def test_things_on_tops_lie_on_them(placed: tuple[Placed, ...]) -> None:
    heights = {room.name: room.floor_height_m for room in _plan().rooms}
    tops = [piece for piece in placed if piece.furniture.template.support_height_m is not None]
    raised = [piece for piece in placed if piece.position_m[2] > heights[piece.room]]
    assert len(raised) >= 8
    for thing in raised:
        x, y, z = thing.position_m
        carriers = [
            top
            for top in tops
            if overlap((x, y, x, y), _solid(top).rect)
            and abs(z - top.position_m[2] - (top.furniture.template.support_height_m or 0.0)) < 0.001
        ]
        assert carriers, thing.kind


def test_doorways_and_steps_stay_free(placed: tuple[Placed, ...]) -> None:
    plan = _plan()
    for room in plan.rooms:
        for opening in plan.openings_of(room):
            if opening.kind != "door":
                continue
            at_wall = wall_rect(room.rect, side_of(room, opening), opening.center_m, (opening.width_m + 0.2, 0.0), 0.0)
            zone = front_zone(at_wall, side_of(room, opening), 0.9)
            for piece in placed:
                if piece.room == room.name and piece.kind not in ("rug", "ceiling_lamp"):
                    solid = _solid(piece)
                    above = solid.bottom_m > room.floor_height_m + 1.9
                    assert above or not overlap(solid.rect, zone, -0.001), piece.kind
    first_riser = (4.04, 1.55, 5.14, 3.05)
    assert not any(overlap(_solid(p).rect, first_riser) for p in placed if p.kind not in ("rug", "ceiling_lamp"))


def test_a_body_reaches_what_it_must() -> None:
    plan = _plan()
    space = Arrangement(plan, plan.rooms[0])
    assert space.connected()
    x0, y0, x1, y1 = plan.rooms[0].rect
    barrier = Solid((x0, 3.0, x1, 3.2), 0.0, 1.0)
    assert not space.connected([barrier])
    assert space.connected([Solid(barrier.rect, 0.0, 0.01)])
    assert space.connected([Solid((x0, 3.0, x1 - 2.5, 3.2), 0.0, 1.0)], [(x0, y0, x0 + 1.0, y0 + 1.0)])
    assert not space.connected([], [(x0, y0, x0 + 0.1, y0 + 0.1)])
    assert not space.fits((x1 - 0.4, 2.0, x1 - 0.1, 2.3), 0.0, 0.5)
    assert space.fits((x1 - 0.4, y1 - 0.4, x1 - 0.1, y1 - 0.1), 0.0, 0.5)


def test_a_room_too_small_is_refused() -> None:
    room = RoomPlan("bedroom", "bedroom", (0.0, 0.0, 1.6, 1.8), 0.0, "city")
    with pytest.raises(NoPlaceError, match="bedroom"):
        furnish(FloorPlan("tiny", (room,), (), ()), np.random.default_rng(0))
