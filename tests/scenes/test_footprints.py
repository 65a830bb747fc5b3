"""Footprints cover what the parts cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from bodyloop.scenes.bare_room import CHAIR_NAMES, bare_room
from bodyloop.scenes.description import Part
from bodyloop.scenes.footprints import instance_footprints, part_bounds, part_footprint, stage_footprints

UPRIGHT = (0.0, 0.0, 0.0, 1.0)
SIZES: dict[str, tuple[float, ...]] = {
    "box": (0.3, 0.2, 0.1),
    "cylinder": (0.2, 0.4),
    "capsule": (0.1, 0.3),
    "ellipsoid": (0.3, 0.2, 0.1),
    "sphere": (0.25,),
}


def part(shape: str, position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Part:
    return Part("thing", shape, SIZES[shape], position, "paint")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shape", "half"),
    [
        ("box", (0.3, 0.2, 0.1)),
        ("cylinder", (0.2, 0.2, 0.4)),
        ("capsule", (0.1, 0.1, 0.4)),
        ("ellipsoid", (0.3, 0.2, 0.1)),
        ("sphere", (0.25, 0.25, 0.25)),
    ],
)
def test_bounds_of_upright_shapes(shape: str, half: tuple[float, float, float]) -> None:
    low, high = part_bounds(part(shape, (1.0, 2.0, 3.0)), (0.0, 0.0, 1.0), UPRIGHT)
    assert low == pytest.approx(np.array([1.0, 2.0, 4.0]) - half)
    assert high == pytest.approx(np.array([1.0, 2.0, 4.0]) + half)


@given(shape=st.sampled_from(sorted(SIZES)), yaw=st.floats(-math.pi, math.pi), tilt=st.floats(-1.5, 1.5))
def test_outline_and_heights_lie_in_the_bounds(shape: str, yaw: float, tilt: float) -> None:
    turn = Rotation.from_euler("zx", [yaw, tilt]).as_quat()
    low, high = part_bounds(part(shape), (0.4, -0.2, 0.7), turn)
    found = part_footprint(part(shape), (0.4, -0.2, 0.7), turn)
    assert np.all(found.outline_m >= low[:2] - 1e-9)
    assert np.all(found.outline_m <= high[:2] + 1e-9)
    assert (found.bottom_m, found.top_m) == pytest.approx((low[2], high[2]))


def area(outline: np.ndarray) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


@given(yaw=st.floats(-math.pi, math.pi))
def test_turned_box_keeps_its_area_counter_clockwise(yaw: float) -> None:
    found = part_footprint(part("box"), (0.0, 0.0, 0.0), (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)))
    assert area(found.outline_m) == pytest.approx(0.24, rel=1e-6)


def test_round_outline_is_nearly_a_disc() -> None:
    found = part_footprint(part("cylinder"), (0.0, 0.0, 0.0), UPRIGHT)
    assert area(found.outline_m) == pytest.approx(math.pi * 0.04, rel=0.02)


def test_mesh_needs_vertices_and_uses_them() -> None:
    mesh = Part("thing", "mesh", (), (0.0, 0.0, 0.0), "paint", mesh="wedge")
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]])
    found = part_footprint(mesh, (0.0, 0.0, 0.0), UPRIGHT, meshes={"wedge": corners})
    assert area(found.outline_m) == pytest.approx(0.5)
    assert (found.bottom_m, found.top_m) == (0.0, 0.5)
    with pytest.raises(ValueError, match="vertices"):
        part_footprint(mesh, (0.0, 0.0, 0.0), UPRIGHT)


def test_stage_leaves_out_floors_and_risers() -> None:
    names = {item.part for item in stage_footprints(bare_room())}
    assert names == {"wall/east", "wall/west", "wall/north", "wall/south"}


def test_poses_replace_those_of_the_scene() -> None:
    scene = bare_room()
    chair = next(item for item in scene.instances if item.name == CHAIR_NAMES[0])
    moved = [
        item
        for item in instance_footprints(scene, {chair.object_id: ((3.0, 3.0, 0.0), UPRIGHT)})
        if item.owner == chair.object_id
    ]
    assert len(moved) == len(scene.templates[chair.template].parts)
    assert all(np.all(np.abs(item.outline_m - 3.0) < 0.3) for item in moved)
