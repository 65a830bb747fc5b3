"""The analytic skills in physics: what is asked for is what the body does, and nothing breaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest

from bodyloop.body.humanoid import add_humanoid
from bodyloop.motion.analytic.anatomy import STANDING_PELVIS_M
from bodyloop.motion.analytic.seat import sit_back_m
from bodyloop.scenes.bare_room import (
    CHAIR_NAMES,
    PLATFORM_HEIGHT_M,
    RISER_FACES_Y_M,
    RISER_HEIGHT_M,
    SEAT_HEIGHT_M,
    SEAT_NAME,
    SEAT_POSITION_M,
    bare_room,
)
from bodyloop.scenes.builder import build_spec

PELVIS_ABOVE_SEAT_M = 0.151
SEAT_FRONT_M = 0.27
UP, DOWN = ("step_climb_up", (0.28, 0.30)), ("step_climb_down", (0.20, 0.40))
STAIRS_X_M = -2.8


def walk(distance_m: float) -> tuple[str, Any]:
    return ("walk_forward", (0.0, distance_m, 0.0))


TRAVEL = {
    "walk": [walk(0.2), walk(0.2), walk(0.4), walk(0.4), walk(0.6), walk(0.6), walk(0.2)],
    "curve": [("walk_forward", (0.1, 0.4, 20.0)), ("walk_forward", (-0.1, 0.4, -45.0))],
    "side": [("side_walk", 0.1), ("side_walk", 0.5), ("side_walk", 0.5), ("side_walk", -0.5), ("side_walk", -0.25)],
    "back": [("step_back", (0.0, -0.1)), ("step_back", (0.0, -0.25)), ("step_back", (0.0, -0.6)), walk(0.4)],
    "turn": [("turn", 10.0), ("turn", 45.0), ("turn", -90.0), ("turn", 120.0), ("turn", -120.0), ("turn", -10.0)],
    "mixed": [walk(0.6), ("turn", -90.0), walk(0.4), ("side_walk", 0.3), walk(0.6), ("step_back", (0.0, -0.3))],
}


@pytest.mark.parametrize("name", TRAVEL)
def test_free_floor(make_walker: Callable[..., Any], name: str) -> None:
    """Displacement within 5 % or 2 cm, heading within 3 degrees, standing feet slide less than 3 cm."""
    walker = make_walker(0.0, 2.0)
    for skill, condition in TRAVEL[name]:
        chunk = walker.run(skill, condition)
        asked, done = np.array(chunk.asked_displacement), np.array(chunk.displacement)
        assert np.linalg.norm(done - asked) < max(0.02, 0.05 * np.linalg.norm(asked)), (skill, condition)
        if skill in ("walk_forward", "step_back"):
            np.testing.assert_allclose(asked, np.array(condition[:2]), atol=1e-4)
        if skill == "side_walk":
            np.testing.assert_allclose(asked, [condition, 0.0], atol=1e-4)
        turned = chunk.yaw_deg[-1] - chunk.yaw_deg[0]
        wanted = condition if skill == "turn" else (condition[2] if skill == "walk_forward" else 0.0)
        assert abs(turned - wanted) < 3.0, (skill, condition)
        assert chunk.slide_m() < 0.03, (skill, condition)
        height = chunk.requested[-1, 1] - 0.22
        assert abs(chunk.pelvis[-1, 2] - height) < 0.01, (skill, condition)
    assert walker.world.warnings() == {}


def test_standing_still_is_still(make_walker: Callable[..., Any]) -> None:
    walker = make_walker()
    path = np.concatenate([walker.run("stand").pelvis for _ in range(4)])
    # Each substep's contact tips the root a little and each frame rights it: the body creeps back by 8 mm/s.
    assert np.ptp(path[:, :2], axis=0).max() < 0.025
    assert np.ptp(path[:, 2]) < 0.002
    assert path[-1, 2] == pytest.approx(STANDING_PELVIS_M, abs=0.005)


@pytest.mark.parametrize("gap_m", [0.12, 0.18, 0.24])
def test_sits_on_the_box_and_rises(make_walker: Callable[..., Any], gap_m: float) -> None:
    """The pelvis lands on a seat whose front edge is ``gap_m`` behind the ankles, and leaves it again."""
    x, y, _ = SEAT_POSITION_M
    walker = make_walker(x, y - SEAT_FRONT_M - gap_m)
    for _ in range(2):
        chunk = walker.run("sit", SEAT_HEIGHT_M)
        assert chunk.pelvis[-1, 2] - PELVIS_ABOVE_SEAT_M == pytest.approx(SEAT_HEIGHT_M, abs=0.02)
        assert "pelvis" in walker.touching(SEAT_NAME)
    landed = y - SEAT_FRONT_M - gap_m + sit_back_m(SEAT_HEIGHT_M)
    assert chunk.pelvis[-1, 1] == pytest.approx(landed, abs=0.05)
    rise = walker.run("turn", 90.0)
    assert rise.pelvis[-1, 2] == pytest.approx(STANDING_PELVIS_M, abs=0.02)
    assert walker.touching(SEAT_NAME) == set()
    assert walker.run("turn", 90.0).yaw_deg[-1] == pytest.approx(90.0, abs=3.0)
    assert walker.world.warnings() == {}


@pytest.mark.parametrize("seat_m", [0.35, 0.40, 0.52, 0.60])
def test_sits_on_other_heights(make_walker: Callable[..., Any], seat_m: float) -> None:
    walker = make_walker(SEAT_POSITION_M[0], -SEAT_FRONT_M - 0.16, model=_room_with_seat(seat_m))
    for _ in range(2):
        chunk = walker.run("sit", seat_m)
    assert chunk.pelvis[-1, 2] - PELVIS_ABOVE_SEAT_M == pytest.approx(seat_m, abs=0.02)
    assert "pelvis" in walker.touching(SEAT_NAME)
    walker.run("stand")
    assert walker.run("stand").pelvis[-1, 2] == pytest.approx(STANDING_PELVIS_M, abs=0.02)


def test_squats_where_there_is_no_seat(make_walker: Callable[..., Any]) -> None:
    walker = make_walker()
    chunk = walker.run("sit", 0.45)
    # Without a seat the weight behind the feet tips the pelvis back a little.
    assert chunk.pelvis[-1, 2] - PELVIS_ABOVE_SEAT_M == pytest.approx(0.45, abs=0.06)
    assert walker.touching("stage/floor") <= {"left_ankle", "right_ankle", "left_foot", "right_foot"}


@pytest.mark.parametrize("ahead_m", [0.17, 0.24, 0.32])
def test_climbs_two_risers(make_walker: Callable[..., Any], ahead_m: float) -> None:
    """One chunk, one riser, from ankles ``ahead_m`` before the first riser; the root is never lifted by command."""
    walker = make_walker(STAIRS_X_M, RISER_FACES_Y_M[0] + ahead_m)
    for step in (1, 2):
        chunk = walker.run(*UP)
        floor = step * RISER_HEIGHT_M
        assert chunk.pelvis[-1, 2] - floor == pytest.approx(STANDING_PELVIS_M, abs=0.01)
        assert chunk.displacement[1] > 0.23
        assert abs(chunk.displacement[0]) < 0.02
        assert np.diff(chunk.pelvis[:, 2]).max() * 30.0 < 1.0
    chunk = walker.run(*walk(0.4))
    assert chunk.displacement[1] == pytest.approx(0.4, abs=0.02)
    assert walker.run("stand").pelvis[-1, 2] == pytest.approx(PLATFORM_HEIGHT_M + STANDING_PELVIS_M, abs=0.01)
    assert walker.world.warnings() == {}


@pytest.mark.parametrize("behind_m", [0.02, 0.10, 0.18])
def test_descends_two_risers(make_walker: Callable[..., Any], behind_m: float) -> None:
    """One chunk, one riser, from ankles ``behind_m`` behind the edge."""
    walker = make_walker(STAIRS_X_M, RISER_FACES_Y_M[1] - behind_m, 180.0, PLATFORM_HEIGHT_M)
    for step in (1, 0):
        chunk = walker.run(*DOWN)
        assert chunk.pelvis[-1, 2] - step * RISER_HEIGHT_M == pytest.approx(STANDING_PELVIS_M, abs=0.01)
        assert chunk.displacement[1] == pytest.approx(0.30, abs=0.03)
        assert chunk.pelvis[:, 2].max() < chunk.pelvis[0, 2] + 0.02
    assert walker.run(*walk(0.4)).displacement[1] == pytest.approx(0.4, abs=0.02)
    assert walker.world.warnings() == {}


@pytest.mark.parametrize("call", [UP, DOWN])
def test_stairs_that_are_not_there_do_not_throw_the_body(make_walker: Callable[..., Any], call: Any) -> None:
    for before in ([], [walk(0.4)]):
        walker = make_walker(0.0, 2.0)
        for step in before:
            walker.run(*step)
        path = np.concatenate([walker.run(*call).pelvis, walker.run("stand").pelvis])
        assert path[:, 2].max() < STANDING_PELVIS_M + 0.2
        assert path[-1, 2] == pytest.approx(STANDING_PELVIS_M, abs=0.02)


@pytest.mark.parametrize(("distance_m", "depth_m"), [(0.2, 0.005), (0.4, 0.01)])
def test_presses_a_wall_for_ten_decisions(make_walker: Callable[..., Any], distance_m: float, depth_m: float) -> None:
    walker = make_walker(0.0, -3.2)
    chunks = [walker.run(*walk(distance_m)) for _ in range(10)]
    assert max(chunk.wall_depth_m for chunk in chunks) < depth_m
    assert min(chunk.links[:, :, 1].min() for chunk in chunks) > -4.0
    assert abs(chunks[-1].pelvis[-1, 1] - chunks[-4].pelvis[-1, 1]) < 0.05
    assert chunks[-1].pelvis[-1, 2] == pytest.approx(STANDING_PELVIS_M, abs=0.06)
    assert walker.touching("stage/wall") != set()
    assert walker.world.warnings() == {}


def test_pushes_a_free_chair(make_walker: Callable[..., Any]) -> None:
    walker = make_walker(1.2, -0.8)
    chair = walker.world.data.body(CHAIR_NAMES[0])
    start = chair.xpos.copy()
    chunks = [walker.run(*walk(0.2)) for _ in range(6)]
    assert CHAIR_NAMES[0] not in chunks[0].touched
    assert any(CHAIR_NAMES[0] in chunk.touched for chunk in chunks)
    assert np.linalg.norm(chair.xpos - start) > 0.10
    assert walker.body.root_pose()[0][1] < -1.7
    assert walker.world.warnings() == {}


def test_random_sequences_neither_fall_nor_fly(make_walker: Callable[..., Any]) -> None:
    _random_sequences(make_walker, sequences=6, length=12)


@pytest.mark.slow
def test_many_random_sequences_neither_fall_nor_fly(make_walker: Callable[..., Any]) -> None:
    _random_sequences(make_walker, sequences=200, length=20)


def _random_sequences(make_walker: Callable[..., Any], *, sequences: int, length: int) -> None:
    rng = np.random.default_rng(7)
    for _ in range(sequences):
        walker = make_walker(*rng.uniform(-1.2, 1.2, size=2), float(rng.uniform(-180.0, 180.0)))
        for _ in range(length):
            call = _random_call(rng)
            chunk = walker.run(*call)
            assert chunk.pelvis[:, 2].min() > 0.2, call
            assert chunk.pelvis[:, 2].max() < PLATFORM_HEIGHT_M + STANDING_PELVIS_M + 0.35, call
            assert np.abs(np.diff(chunk.pelvis[:, 2])).max() * 30.0 < 4.0, call
            assert np.abs(chunk.pelvis[:, :2]).max() < 4.0, call
            assert walker.body.root_pose()[1][2, 1] > 0.85, call
        assert walker.world.warnings() == {}


def _random_call(rng: np.random.Generator) -> tuple[str, Any]:
    side = float(rng.choice([-1.0, 1.0]))
    calls: list[tuple[str, Any]] = [
        walk(float(rng.choice([0.2, 0.4, 0.6]))),
        ("stand", None),
        ("turn", side * float(rng.uniform(10.0, 120.0))),
        UP,
        ("sit", float(rng.uniform(0.15, 0.85))),
        ("step_back", (0.0, -float(rng.uniform(0.1, 0.6)))),
        ("side_walk", side * float(rng.uniform(0.1, 0.5))),
        DOWN,
    ]
    return calls[rng.choice(len(calls), p=[0.3, 0.05, 0.2, 0.05, 0.1, 0.1, 0.15, 0.05])]


def _room_with_seat(height_m: float) -> mujoco.MjModel:
    scene = bare_room()
    template = scene.templates["couch-bare"]
    base, cushion = template.parts
    half = 0.5 * (height_m - 0.10)
    base = replace(base, size_m=(*base.size_m[:2], half), position_m=(0.0, 0.0, half))
    cushion = replace(cushion, position_m=(0.0, 0.0, height_m - cushion.size_m[2]))
    template = replace(template, parts=(base, cushion))
    built = build_spec(replace(scene, templates={**scene.templates, "couch-bare": template}))
    add_humanoid(built.spec)
    return built.spec.compile()
