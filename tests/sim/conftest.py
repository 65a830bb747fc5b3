"""Small worlds for the simulation tests."""

from __future__ import annotations

import bodyloop.sim  # noqa: F401  picks the GL backend before MuJoCo is imported

import mujoco  # isort: skip
import pytest

from bodyloop.sim.world import World

BUSY_XML = """
<mujoco>
  <option timestep="0.008333333333333333" cone="elliptic" integrator="implicitfast" gravity="0 0 -9.8"/>
  <worldbody>
    <geom name="floor" type="box" size="4 4 .1" pos="0 0 -.1"/>
    <geom name="wall" type="box" size="4 .1 1" pos="0 2 1"/>
    <body name="torso" pos="0 0 .6">
      <freejoint name="root"/>
      <geom name="human/torso/0" type="capsule" size=".1 .15" friction=".4"/>
      <body name="upper" pos="0 0 -.25">
        <joint name="upper" type="ball" armature=".1"/>
        <geom name="human/upper/0" type="capsule" size=".05 .1"/>
        <body name="lower" pos="0 0 -.2">
          <joint name="lower" type="ball" armature=".1"/>
          <geom name="human/lower/0" type="sphere" size=".06"/>
        </body>
      </body>
    </body>
    <body name="crate" pos=".3 .1 1.2"><freejoint name="crate/free"/><geom name="crate/box" type="box" size=".1 .1 .1"/></body>
    <body name="ball" pos="-.2 .1 1.6"><freejoint name="ball/free"/><geom name="ball/skin" size=".1"/></body>
    <body name="can" pos=".1 -.2 1.4"><freejoint name="can/free"/><geom name="can/skin" type="cylinder" size=".05 .1"/>
      <geom name="can/lid" type="ellipsoid" size=".06 .06 .02" pos="0 0 .1"/></body>
    <body name="shelf" pos="1 0 .5"><geom name="shelf/board" type="box" size=".2 .2 .02"/></body>
  </worldbody>
  <equality><weld name="grip" body1="crate" body2="ball" active="false"/></equality>
</mujoco>
"""


@pytest.fixture
def busy_xml() -> str:
    """A ball-jointed figure and three free things that tumble onto a floor."""
    return BUSY_XML


@pytest.fixture
def busy_world() -> World:
    return World(mujoco.MjSpec.from_string(BUSY_XML))


@pytest.fixture
def make_world():  # type: ignore[no-untyped-def]
    """World from the inside of a worldbody element."""

    def make(worldbody: str, extra: str = "") -> World:
        return World(mujoco.MjSpec.from_string(f"<mujoco>{extra}<worldbody>{worldbody}</worldbody></mujoco>"))

    return make
