from __future__ import annotations

import numpy as np
import pytest

from bodyloop.sim.contacts import contact_arrays
from bodyloop.sim.world import World

FLOOR = '<geom name="floor" type="box" size="2 2 .1" pos="0 0 -.1"/>'


def test_resting_ball(make_world) -> None:
    world = make_world(
        FLOOR + '<body name="ball" pos=".3 .2 .099"><freejoint/><geom name="ball" size=".1" mass="2"/></body>'
    )
    world.step(400)
    world.forward()
    contacts = contact_arrays(world, forces=True)
    assert len(contacts) == 1
    pair = [world.model.geom(int(g)).name for g in (contacts.geom1[0], contacts.geom2[0])]
    assert sorted(pair) == ["ball", "floor"]
    up = 1.0 if pair[1] == "ball" else -1.0
    np.testing.assert_allclose(contacts.normal[0], [0, 0, up], atol=1e-6)
    assert contacts.normal_force_n is not None
    assert contacts.normal_force_n[0] == pytest.approx(2 * 9.81, rel=1e-3)
    assert contacts.depth_m[0] == -contacts.distance_m[0] > 0
    on_ball, on_floor = contacts.position_on_geom1_m[0], contacts.position_on_geom2_m[0]
    if pair[0] == "floor":
        on_ball, on_floor = on_floor, on_ball
    assert on_floor[2] == pytest.approx(0.0, abs=1e-9)
    assert on_ball[2] == pytest.approx(world.data.body("ball").xpos[2] - 0.1, abs=1e-9)


def test_margin_gives_points_before_touching(make_world) -> None:
    world = make_world(FLOOR + '<body pos="0 0 .105"><freejoint/><geom size=".1" margin=".01"/></body>')
    contacts = contact_arrays(world)
    assert contacts.distance_m.tolist() == pytest.approx([0.005])
    assert contacts.depth_m.tolist() == [0.0]
    assert contacts.normal_force_n is None


def test_no_contacts_give_empty_arrays(make_world) -> None:
    contacts = contact_arrays(make_world(FLOOR), forces=True)
    assert len(contacts) == 0
    assert contacts.position_m.shape == contacts.normal.shape == (0, 3)
    assert contacts.geom1.dtype == np.int32
    assert contacts.normal_force_n is not None
    assert contacts.normal_force_n.shape == (0,)


def test_arrays_are_copies(busy_world: World) -> None:
    busy_world.step(150)
    contacts = contact_arrays(busy_world)
    assert len(contacts) >= 3
    before = contacts.position_m.copy()
    busy_world.data.contact.pos[:] = 9
    busy_world.step(10)
    np.testing.assert_array_equal(contacts.position_m, before)
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1.0)
