"""Routes keep away from obstacles, meet risers at a right angle and have the right length."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bodyloop.scenes.bare_room import (
    CHAIR_NAMES,
    PLATFORM_HEIGHT_M,
    RISER_FACES_Y_M,
    RISER_HEIGHT_M,
    RISER_X_M,
    SEAT_POSITION_M,
    bare_room,
)
from bodyloop.scenes.description import FloorRegion, Part, SceneDescription
from bodyloop.scenes.routes import CELL_M, DistanceField, RouteGrid

RADIUS_M = 0.28


@pytest.fixture(scope="module")
def grid() -> RouteGrid:
    return RouteGrid.from_scene(bare_room(), body_radius_m=RADIUS_M)


def empty_room() -> SceneDescription:
    """The bare room with nothing in it and one level."""
    scene = bare_room()
    stage = tuple(part for part in scene.stage if not part.name.startswith("riser"))
    return replace(scene, stage=stage, instances=(), floors=(FloorRegion((-4.0, -4.0), (4.0, 4.0), 0.0),))


def with_wall(gap_m: float) -> SceneDescription:
    """The empty room parted along x = 0, with a gap at the far end."""
    scene = empty_room()
    half = (8.0 - gap_m) / 2
    wall = Part("wall/middle", "box", (0.05, half, 1.3), (0.0, -4.0 + half, 1.3), "wall")
    return replace(scene, stage=(*scene.stage, wall))


def length(path: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1).sum())


def test_body_stands_free_exactly_outside_its_radius(grid: RouteGrid) -> None:
    seat_edge = SEAT_POSITION_M[0] - 0.35
    assert grid.is_free((seat_edge - RADIUS_M - 2 * CELL_M, 0.0))
    assert not grid.is_free((seat_edge - RADIUS_M + 2 * CELL_M, 0.0))
    assert not grid.is_free(SEAT_POSITION_M[:2])
    assert grid.is_free((4.0 - RADIUS_M - CELL_M, 2.0))
    assert not grid.is_free((4.0 - RADIUS_M + CELL_M, 2.0))


def test_nothing_is_free_outside(grid: RouteGrid) -> None:
    assert not grid.is_free((9.0, 0.0))
    assert grid.cell((9.0, 0.0)) is None
    assert math.isnan(grid.floor_height((9.0, 0.0)))
    assert grid.clearance((9.0, 0.0)) == 0.0


def test_floor_heights(grid: RouteGrid) -> None:
    x = sum(RISER_X_M) / 2
    assert grid.floor_height((x, RISER_FACES_Y_M[0] + 0.2)) == 0.0
    assert grid.floor_height((x, RISER_FACES_Y_M[0] - 0.15)) == pytest.approx(RISER_HEIGHT_M)
    assert grid.floor_height((x, RISER_FACES_Y_M[1] - 0.4)) == pytest.approx(PLATFORM_HEIGHT_M)


def test_straight_way_has_its_length() -> None:
    field = RouteGrid.from_scene(empty_room()).field([(2.0, 1.0)])
    assert field.distance((-2.0, 1.0)) == pytest.approx(4.0, abs=2 * CELL_M)
    assert len(field.path((-2.0, 1.0))) <= 5
    assert length(field.path((-2.0, 1.0))) == pytest.approx(4.0, abs=2 * CELL_M)


@settings(max_examples=25, deadline=None)
@given(x=st.floats(-3.5, 3.5), y=st.floats(-3.5, 3.5))
def test_ways_over_open_floor_are_at_most_the_octile_distance(x: float, y: float) -> None:
    field = _empty_field()
    straight = math.hypot(x - 1.0, y - 1.0)
    assert straight - 3 * CELL_M <= field.distance((x, y)) <= 1.0824 * straight + 3 * CELL_M


@cache
def _empty_field() -> DistanceField:
    return RouteGrid.from_scene(empty_room()).field([(1.0, 1.0)])


def test_nearest_of_several_goals() -> None:
    field = RouteGrid.from_scene(empty_room()).field([(-3.0, 0.0), (3.0, 0.0)])
    assert field.path((1.0, 0.0))[-1, 0] == pytest.approx(3.0, abs=CELL_M)
    assert field.path((-1.0, 0.0))[-1, 0] == pytest.approx(-3.0, abs=CELL_M)


@pytest.mark.parametrize(("gap_m", "passes"), [(0.70, True), (0.50, False), (0.0, False)])
def test_a_gap_must_let_the_body_through(gap_m: float, passes: bool) -> None:
    field = RouteGrid.from_scene(with_wall(gap_m)).field([(2.0, 0.0)])
    assert math.isfinite(field.distance((-2.0, 0.0))) is passes
    assert (len(field.path((-2.0, 0.0))) > 0) is passes


def test_way_around_a_wall_stays_clear_of_it() -> None:
    grid = RouteGrid.from_scene(with_wall(1.2))
    path = grid.field([(2.0, 0.0)]).path((-2.0, 0.0))
    for a, b in pairwise(path):
        for share in np.linspace(0, 1, 20):
            assert grid.clearance(a + share * (b - a)) >= RADIUS_M - CELL_M
    assert length(path) > 7.5


def test_clearance_weight_keeps_away_from_furniture() -> None:
    grid = RouteGrid.from_scene(with_wall(2.0))

    def tightest(weight: float) -> float:
        path = grid.field([(2.0, 0.0)], clearance_weight=weight).path((-2.0, 0.0))
        return min(grid.clearance(a + s * (b - a)) for a, b in pairwise(path) for s in np.linspace(0, 1, 15))

    assert tightest(0.0) < 0.40
    assert tightest(3.0) > 0.45


def test_length_is_in_metres_whatever_the_weight() -> None:
    grid = RouteGrid.from_scene(with_wall(1.0))
    plain = grid.field([(2.0, 0.0)]).distance((-2.0, 0.0))
    careful = grid.field([(2.0, 0.0)], clearance_weight=3.0).distance((-2.0, 0.0))
    assert plain <= careful + 1e-9 < 1.15 * plain


def test_risers_are_crossed_at_a_right_angle_within_their_width(grid: RouteGrid) -> None:
    goal = (-2.8, -3.0)
    for start in ((2.0, 2.0), (-3.5, 1.0), (0.0, -3.0)):
        path = grid.field([goal]).path(start)
        assert len(path) > 0
        assert path[-1, 2] == pytest.approx(PLATFORM_HEIGHT_M)
        climbing = [(a, b) for a, b in pairwise(path) if b[2] != a[2]]
        assert climbing
        for a, b in climbing:
            assert a[0] == b[0]
            assert RISER_X_M[0] + RADIUS_M <= a[0] <= RISER_X_M[1] - RADIUS_M


def test_no_way_over_the_side_of_a_platform() -> None:
    scene = bare_room()
    ledge = tuple(region for region in scene.floors if region.kind == "floor")
    grid = RouteGrid.from_scene(replace(scene, floors=ledge))
    assert math.isinf(grid.field([(-2.8, -3.0)]).distance((2.0, 2.0)))


def test_a_body_keeps_off_the_edge_of_the_platform(grid: RouteGrid) -> None:
    edge = RISER_X_M[1]
    assert not grid.is_free((edge - 0.1, -3.0))
    assert grid.is_free((edge - RADIUS_M - 2 * CELL_M, -3.0))


def test_moved_chair_blocks_its_new_place() -> None:
    scene = bare_room()
    chair = next(item for item in scene.instances if item.name == CHAIR_NAMES[0])
    there = (-1.0, 2.0, 0.0)
    grid = RouteGrid.from_scene(scene, poses={chair.object_id: (there, (0.0, 0.0, 0.0, 1.0))})
    assert not grid.is_free(there)
    assert grid.is_free(chair.position_m)
    cell = grid.cell(there)
    assert cell is not None
    assert grid.coverage[cell] == chair.object_id


def test_lifted_and_flat_things_are_no_obstacles() -> None:
    scene = empty_room()
    lamp = Part("lamp/high", "box", (0.5, 0.5, 0.05), (0.0, 0.0, 2.0), "wall")
    rug = Part("rug/flat", "box", (0.5, 0.5, 0.01), (2.0, 0.0, 0.01), "wall")
    shelf = Part("shelf/low", "box", (0.5, 0.5, 0.05), (-2.0, 0.0, 1.2), "wall")
    grid = RouteGrid.from_scene(replace(scene, stage=(*scene.stage, lamp, rug, shelf)))
    assert grid.is_free((0.0, 0.0))
    assert grid.is_free((2.0, 0.0))
    assert not grid.is_free((-2.0, 0.0))


def test_goal_in_an_obstacle_moves_to_the_nearest_free_place(grid: RouteGrid) -> None:
    field = grid.field([SEAT_POSITION_M[:2]])
    assert math.isinf(field.distance((0.0, 0.0)))  # more than half a metre inside
    field = grid.field([(SEAT_POSITION_M[0] - 0.4, 0.0)])
    assert field.distance((0.0, 0.0)) == pytest.approx(SEAT_POSITION_M[0] - 0.35 - RADIUS_M, abs=2 * CELL_M)


def test_nearest_free_respects_its_limit(grid: RouteGrid) -> None:
    point = (SEAT_POSITION_M[0], SEAT_POSITION_M[1])
    assert grid.nearest_free(point, 0.3) is None
    found = grid.nearest_free(point, 1.0)
    assert found is not None
    assert grid.is_free(found)


def test_free_points_have_the_clearance_asked_for(grid: RouteGrid) -> None:
    points = grid.free_points(0.6)
    assert len(points) > 1000
    assert all(grid.clearance(point) >= 0.6 for point in points[::97])
    assert {round(float(z), 2) for z in points[:, 2]} == {0.0, round(PLATFORM_HEIGHT_M, 2)}
