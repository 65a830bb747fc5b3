"""The body in the bare room: standing, squatting, walls, seat, risers, chairs; the root height is never commanded."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from bodyloop.body.humanoid import STANDING_PELVIS_HEIGHT_M, add_humanoid
from bodyloop.body.mujoco_engine import MujocoHumanoid
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.scenes.bare_room import (
    CHAIR_NAMES,
    RISER_HEIGHT_M,
    SEAT_HEIGHT_M,
    SEAT_NAME,
    SEAT_POSITION_M,
    bare_room,
)
from bodyloop.scenes.builder import build_spec
from bodyloop.sim.world import World

STAND_M = 0.97


def ramp(start: float, end: float, frames: int) -> np.ndarray:
    t = np.arange(1, frames + 1) / frames
    return start + (end - start) * t * t * (3 - 2 * t)


@pytest.fixture
def puppet(make_puppet):
    return make_puppet(bare_room())


def quiet(puppet) -> None:
    """Nothing blew up and nothing sank in."""
    assert puppet.world.warnings() == {}
    distances, _ = puppet.contacts()
    # The contact shapes lie 1 cm inside the skin: a skin penetration of 8 mm leaves them 2 mm outside.
    assert distances.min() > 0.002


def test_scene_is_consistent() -> None:
    scene = bare_room()
    names = [item.name for item in scene.instances]
    assert [item.object_id for item in scene.instances] == list(range(len(names)))
    assert {SEAT_NAME, *CHAIR_NAMES} == set(names)
    assert all(part.material in scene.materials for part in scene.stage)
    for template in scene.templates.values():
        assert all(part.material in scene.materials for part in template.parts)
        assert max(part.position_m[2] + part.size_m[2] for part in template.parts) >= template.seats[0].center_m[2]


def test_stands_for_two_seconds(puppet) -> None:
    pose = puppet.standing(STAND_M)
    puppet.place(0.0, 0.0, STAND_M, pose)
    start = puppet.body.root_pose()[0]
    path = np.array([puppet.frame(pose) for _ in range(60)])
    assert np.ptp(path[:, 2]) < 0.005
    assert abs(path[:, 2] - STAND_M).max() < 0.005
    assert np.linalg.norm(path[-1, :2] - start[:2]) < 0.005
    quiet(puppet)


def test_lands_on_the_sole(puppet) -> None:
    pose = puppet.standing(STAND_M)
    puppet.place(0.0, 0.0, STAND_M + 0.10, pose)
    heights = [puppet.frame(pose)[2] for _ in range(30)]
    assert heights[-1] == pytest.approx(STAND_M, abs=0.003)
    assert min(heights) > STAND_M - 0.010
    quiet(puppet)


@pytest.mark.parametrize("armature", [1.0, 10.0, 100.0])
def test_squats_and_rises(make_puppet, armature: float) -> None:
    puppet = make_puppet(bare_room(), armature=armature)
    heights = np.concatenate(
        [ramp(STAND_M, 0.66, 30), np.full(15, 0.66), ramp(0.66, STAND_M, 30), np.full(15, STAND_M)]
    )
    puppet.place(0.0, 0.0, STAND_M, puppet.standing(STAND_M))
    path = np.array([puppet.frame(puppet.standing(height)) for height in heights])
    assert abs(path[:, 2] - heights).max() < (0.005 if armature >= 10 else 0.03)
    quiet(puppet)


def test_presses_a_wall_without_entering_it(puppet) -> None:
    pose = puppet.standing(STAND_M)
    puppet.place(0.0, -3.4, STAND_M, pose)
    path = np.array([puppet.frame(pose, (0.0, -0.03)) for _ in range(150)])
    assert np.ptp(path[60:, 1]) < 0.005
    distances, touched = puppet.contacts()
    assert "stage/wall/south" in touched
    assert distances.min() > 0.0
    assert path[-1, 2] == pytest.approx(STAND_M, abs=0.02)
    assert puppet.world.warnings() == {}


def test_sits_on_the_seat_and_rises(puppet) -> None:
    x, y, _ = SEAT_POSITION_M
    start_y = y - 0.45
    puppet.place(x, start_y, STAND_M, puppet.standing(STAND_M))
    down, back = ramp(STAND_M, 0.54, 30), ramp(0.0, 0.32, 30)
    previous = 0.0
    for height, moved in zip(down, back, strict=True):
        puppet.frame(puppet.standing(height, moved, spine1=(0.6 * moved, 0.0, 0.0)), (0.0, moved - previous))
        previous = moved
    for _ in range(20):
        seated = puppet.frame(puppet.standing(0.54, 0.32, spine1=(0.19, 0.0, 0.0)))
    assert seated[2] == pytest.approx(SEAT_HEIGHT_M + 0.15, abs=0.005)
    _, touched = puppet.contacts()
    assert f"{SEAT_NAME}/cushion" in touched
    for height, moved in zip(down[::-1], back[::-1], strict=True):
        standing = puppet.frame(puppet.standing(height, moved), (0.0, moved - previous))
        previous = moved
    for _ in range(15):
        standing = puppet.frame(puppet.standing(STAND_M), (0.0, 0.0))
    assert standing[2] == pytest.approx(STAND_M, abs=0.01)
    quiet(puppet)


CLIMB = (
    # frame, pelvis y, pelvis z, left foot (y, z), right foot (y, z)
    (0, -0.75, 0.95, -0.75, 0.00, -0.75, 0.00),
    (8, -0.76, 0.95, -0.76, 0.24, -0.75, 0.00),
    (16, -0.88, 0.95, -1.14, 0.24, -0.75, 0.00),
    (22, -0.92, 0.95, -1.16, 0.17, -0.75, 0.00),
    (34, -1.08, 1.12, -1.16, 0.17, -0.85, 0.10),
    (42, -1.12, 1.12, -1.16, 0.17, -1.00, 0.27),
    (50, -1.14, 1.12, -1.16, 0.17, -1.16, 0.24),
    (56, -1.15, 1.12, -1.16, 0.17, -1.16, 0.17),
    (75, -1.16, 1.12, -1.16, 0.17, -1.16, 0.17),
)


def test_climbs_a_riser_by_leg_poses_alone(puppet) -> None:
    table = np.array(CLIMB)
    frames = np.arange(0, 76)
    plan = np.stack([np.interp(frames, table[:, 0], column) for column in table.T[1:]], axis=1)
    puppet.place(-2.8, plan[0, 0], plan[0, 1], puppet.standing(0.95))
    heights = []
    for before, now in pairwise(plan):
        y, z, left_y, left_z, right_y, right_z = now
        pose = puppet.pose((y - left_y, puppet.down(z - left_z)), (y - right_y, puppet.down(z - right_z)))
        heights.append(puppet.frame(pose, (0.0, y - before[0]))[2])
    assert heights[-1] == pytest.approx(0.95 + RISER_HEIGHT_M, abs=0.005)
    assert abs(np.array(heights) - plan[1:, 1]).max() < 0.025
    _, touched = puppet.contacts()
    assert touched == {"stage/riser/1"}
    quiet(puppet)


def test_pushes_a_chair_into_the_next(puppet) -> None:
    data = puppet.world.data
    first, second = (data.body(name).xpos.copy() for name in CHAIR_NAMES)
    pose = puppet.standing(STAND_M)
    puppet.place(first[0], first[1] + 0.75, STAND_M, pose)
    moved_first = moved_second = -1
    for frame in range(75):
        puppet.frame(pose, (0.0, -0.02))
        if moved_first < 0 and np.linalg.norm(data.body(CHAIR_NAMES[0]).xpos - first) > 0.01:
            moved_first = frame
        if moved_second < 0 and np.linalg.norm(data.body(CHAIR_NAMES[1]).xpos - second) > 0.01:
            moved_second = frame
    assert 0 <= moved_first < moved_second
    assert first[1] - data.body(CHAIR_NAMES[0]).xpos[1] > 0.4
    assert puppet.world.warnings() == {}


def test_the_built_scene_carries_the_body() -> None:
    """The room as the scene builder makes it: same heights, nothing moves by itself."""
    built = build_spec(bare_room())
    add_humanoid(built.spec)
    world = World(built.spec)
    body = MujocoHumanoid(world)
    upright, still = np.array([np.pi / 2, 0.0, 0.0]), np.zeros((54, 3))
    body.place((0.0, 0.0, STANDING_PELVIS_HEIGHT_M + 0.22), upright, still)
    chairs = [world.data.body(name).xpos.copy() for name in CHAIR_NAMES]
    for _ in range(30):
        body.execute_frame(still, upright, np.zeros(3), 1 / 30, HalfPhysicsOptions())
    assert body.root_pose()[0][2] == pytest.approx(STANDING_PELVIS_HEIGHT_M, abs=0.005)
    for name, start in zip(CHAIR_NAMES, chairs, strict=True):
        assert np.linalg.norm(world.data.body(name).xpos - start) < 0.001
    assert {name: dynamic for name, (_, dynamic) in built.objects.items()} == {
        SEAT_NAME: False,
        **dict.fromkeys(CHAIR_NAMES, True),
    }
    assert world.warnings() == {}
