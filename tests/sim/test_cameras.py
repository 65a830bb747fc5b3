from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bodyloop.errors import RenderingError
from bodyloop.sim.cameras import ALL_GROUPS, EGO_GROUPS, EXO_GROUPS, CameraPose, Renderer
from bodyloop.sim.gl import Quality
from bodyloop.sim.world import World

LIT = '<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>'
FRONT = CameraPose((0, 0, 0), (1, 0, 0), (0, 0, 1), 90)
BOXES = """
<geom name="left" type="box" size=".01 .5 .5" pos="2.01 1 0" rgba="1 0 0 1"/>
<geom name="right" type="box" size=".01 .25 .5" pos="2.01 -1 1" rgba="0 1 0 1" group="1"/>
"""


def test_axes_are_orthonormal_and_right_handed() -> None:
    right, up, forward = CameraPose((1, 2, 3), (2, 0, -1), (0, 0, 5), 60).axes()
    np.testing.assert_allclose(np.cross(right, up), -forward, atol=1e-15)
    np.testing.assert_allclose(forward, np.array([2, 0, -1]) / np.sqrt(5))
    assert up[2] > 0
    np.testing.assert_allclose(right, [0, -1, 0], atol=1e-15)


def test_projection_of_known_points() -> None:
    pixels, depth = FRONT.project([(2, 0, 0), (2, 2, 2), (4, -2, 1), (-1, 0, 0)], 200, 100)
    np.testing.assert_allclose(pixels[:3], [[100, 50], [50, 0], [125, 37.5]], atol=1e-9)
    assert depth.tolist() == [2, 2, 4, -1]


@pytest.mark.parametrize(
    "values",
    [
        ((0, 0, 0), (0, 0, 1), (0, 0, 2), 90),
        ((0, 0, 0), (0, 0, 0), (0, 0, 1), 90),
        ((0, 0, float("nan")), (1, 0, 0), (0, 0, 1), 90),
        ((0, 0, 0), (1, 0, 0), (0, 0, 1), 180),
        ((0, 0, 0), (1, 0, 0), (0, 0, 1), 0),
    ],
)
def test_impossible_cameras_are_refused(values) -> None:
    with pytest.raises(RenderingError):
        CameraPose(*values)


@pytest.mark.parametrize(
    ("pose", "width", "height"),
    [
        (FRONT, 128, 128),
        (CameraPose((-1, 0.5, 1.6), (0.6, 0.1, -0.4), (0.4, 0, 0.6), 100), 448, 448),
        (CameraPose((0, 0, 2), (0.3, -0.2, -0.5), (0.5, 0.5, 0.5), 70), 320, 180),
        (CameraPose.looking_at((3, 4, 2.5), (2, 0, 0.2), 50), 180, 320),
        (CameraPose((2, 0, 4), (0, 0, -1), (0, -1, 0), 100), 256, 256),
    ],
)
def test_geoms_appear_where_the_projection_says(make_world, pose: CameraPose, width: int, height: int) -> None:
    rng = np.random.default_rng(4)
    points = rng.uniform((1.2, -1.2, -0.4), (3, 1.2, 1), (60, 3))
    radius = 0.04
    spheres = "".join(f'<geom size="{radius}" pos="{x} {y} {z}"/>' for x, y, z in points)
    with Renderer(make_world(spheres), width, height) as renderer:
        image = renderer.segmentation(pose)
    pixels, depth = pose.project(points, width, height)
    apparent = radius * height / 2 / np.tan(np.radians(pose.fovy_deg / 2)) / depth
    edge = np.array([width, height]) - 8
    inside = (depth > 0.3) & (pixels > 8).all(1) & (pixels < edge).all(1)
    checked = 0
    for geom in np.flatnonzero(inside):
        gap = np.linalg.norm(pixels - pixels[geom], axis=1) - 1.5 * (apparent + apparent[geom])
        if ((gap < 1) & (depth > 0)).sum() > 1:
            continue  # another sphere covers part of this one
        rows, columns = np.nonzero(image == geom)
        center = np.array([columns.mean(), rows.mean()]) + 0.5
        assert np.abs(center - pixels[geom]).max() < 1.0
        checked += 1
    assert checked >= 8


def test_segmentation_counts_are_exact(make_world) -> None:
    with Renderer(make_world(BOXES, LIT), 160, 160) as renderer:
        image = renderer.segmentation(FRONT)
    assert image.dtype == np.int32
    assert image.shape == (160, 160)
    # Front faces lie at x = 2, where 1 m is 40 pixels.
    assert (image == 0).sum() == 40 * 40
    rows, columns = np.nonzero(image == 0)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (60, 99, 20, 59)
    assert (image == 1).sum() == 40 * 20
    assert (image == 1)[20:60, 110:130].all()
    assert (image == -1).sum() == 160 * 160 - 40 * 60


def test_colour_and_segmentation_share_the_projection(make_world) -> None:
    pose = CameraPose((-0.5, 0.3, 1.5), (0.6, 0.05, -0.4), (0.4, 0, 0.6), 100)
    with Renderer(make_world(BOXES, LIT), 96, 96) as renderer:
        color, image = renderer.rgb(pose), renderer.segmentation(pose)
    assert color.dtype == np.uint8
    assert color.shape == (96, 96, 3)
    np.testing.assert_array_equal(color[..., 0] > 128, image == 0)
    np.testing.assert_array_equal(color[..., 1] > 128, image == 1)
    assert (image == 0).sum() > 100
    assert (image == 1).sum() > 100


def test_groups_choose_what_is_seen(make_world) -> None:
    layers = "".join(f'<geom type="box" size=".01 1 1" pos="{2 - 0.1 * g} 0 0" group="{g}"/>' for g in range(5))
    with Renderer(make_world(layers), 16, 16) as renderer:
        middle = {
            groups: int(renderer.segmentation(FRONT, groups)[8, 8]) for groups in (EGO_GROUPS, EXO_GROUPS, (3,), ())
        }
    assert middle == {EGO_GROUPS: 4, EXO_GROUPS: 2, (3,): 3, (): -1}
    assert 3 not in EGO_GROUPS + EXO_GROUPS
    assert len(ALL_GROUPS) == 6


def test_sites_and_collision_margin_are_not_drawn(make_world) -> None:
    world = make_world('<site size=".3" pos="1 0 0" group="0"/><geom size=".1" pos="1 0 0" group="3"/>')
    with Renderer(world, 16, 16) as renderer:
        assert (renderer.segmentation(FRONT) == -1).all()
        assert (renderer.rgb(FRONT) == 0).all()


def test_near_things_are_not_clipped_in_a_large_scene(make_world) -> None:
    world = make_world('<geom size=".01" pos=".04 0 0"/><geom type="box" size="20 20 1" pos="0 0 -3"/>')
    with Renderer(world, 33, 33) as renderer:
        assert renderer.segmentation(FRONT)[16, 16] == 0


def test_headlight_follows_the_camera(make_world) -> None:
    lit = '<visual><headlight ambient="0 0 0" diffuse="1 1 1" specular="0 0 0"/></visual>'
    with Renderer(make_world('<geom type="box" size=".5 .5 .5" rgba="1 1 1 1"/>', lit), 32, 32) as renderer:
        for side in ((2, 0, 0), (0, 2, 0), (-2, 0, 0), (0, 0, 2)):
            up = (0, 0, 1) if side[2] == 0 else (1, 0, 0)
            picture = renderer.rgb(CameraPose.looking_at(side, (0, 0, 0), 60, up))
            assert picture[16, 16].min() > 240


def test_rendering_changes_neither_state_nor_model(busy_world: World) -> None:
    busy_world.step(100)
    look = str(busy_world.model.vis.quality) + str(busy_world.model.vis.global_)
    before, poses, contacts = busy_world.state_hash(), busy_world.data.xpos.copy(), busy_world.data.contact.dist.copy()
    for quality in ("fast", "fine"):
        with Renderer(busy_world, 48, 48, quality) as renderer:
            renderer.rgb(FRONT)
            renderer.segmentation(FRONT)
    assert busy_world.state_hash() == before
    np.testing.assert_array_equal(busy_world.data.xpos, poses)
    np.testing.assert_array_equal(busy_world.data.contact.dist, contacts)
    assert str(busy_world.model.vis.quality) + str(busy_world.model.vis.global_) == look


SHADOW = """
<light type="spot" pos="0 0 3" dir="0 0 -1" cutoff="70" castshadow="true" diffuse="1 1 1"/>
<geom type="box" size="3 3 .1" pos="0 0 -.1" rgba="1 1 1 1"/>
<geom type="box" size=".3 .3 .1" pos="0 0 1" rgba="1 0 0 1"/>
"""
SIDE = CameraPose.looking_at((-2, 0, 0.6), (0, 0, 0.2), 60)


def test_fine_quality_has_shadows(make_world) -> None:
    world = make_world(SHADOW, '<visual><headlight ambient=".1 .1 .1" diffuse="0 0 0" specular="0 0 0"/></visual>')
    with Renderer(world, 120, 120, "fast") as fast, Renderer(world, 120, 120, "fine") as fine:
        plain, pretty = fast.rgb(SIDE).astype(int), fine.rgb(SIDE).astype(int)
        np.testing.assert_array_equal(fast.segmentation(SIDE), fine.segmentation(SIDE))
    column, row = SIDE.project([(0, 0, 0.0)], 120, 120)[0][0].astype(int)
    assert plain[row, column].min() > pretty[row, column].max() + 40


def test_fine_quality_has_smooth_edges(make_world) -> None:
    world = make_world('<geom type="box" size=".3 .3 .3" pos="2 0 0" euler="20 0 0" rgba="1 1 1 1"/>', LIT)
    with Renderer(world, 64, 64, "fast") as fast, Renderer(world, 64, 64, "fine") as fine:
        colors = [np.unique(renderer.rgb(FRONT)).tolist() for renderer in (fast, fine)]
    assert colors[0] == [0, 255]
    assert set(colors[1]) > {0, 255}


@pytest.mark.parametrize("quality", ["fast", "fine"])
def test_sizes_share_one_context_and_do_not_disturb_each_other(make_world, quality: Quality) -> None:
    world = make_world(SHADOW)
    with Renderer(world, 64, 64, quality) as small:
        before = small.rgb(SIDE)
        with Renderer(world, 160, 96, quality) as large:
            assert large.rgb(SIDE).shape == (96, 160, 3)
            assert large._shared is small._shared
            np.testing.assert_array_equal(small.rgb(SIDE), before)
            assert large.segmentation(SIDE).shape == (96, 160)
        np.testing.assert_array_equal(small.rgb(SIDE), before)
        with Renderer(make_world(SHADOW), 32, 32) as other:
            assert other._shared is not small._shared
            other.rgb(SIDE)
        np.testing.assert_array_equal(small.rgb(SIDE), before)


def test_moved_things_are_drawn_where_they_are(busy_world: World) -> None:
    geom = busy_world.model.geom("ball/skin").id
    address = busy_world.model.joint("ball/free").qposadr[0]
    with Renderer(busy_world, 100, 100) as renderer:
        for height in (2.0, 3.0):
            busy_world.data.qpos[address : address + 3] = [2, 0, height]
            busy_world.forward()
            image = renderer.segmentation(CameraPose((0, 0, height), (1, 0, 0), (0, 0, 1), 60))
            assert image[50, 50] == geom


CHILD = """
import sys, hashlib
import bodyloop.sim, mujoco
from bodyloop.sim.cameras import CameraPose, Renderer
from bodyloop.sim.world import World
world = World(mujoco.MjSpec.from_string(sys.stdin.read()))
world.step(90)
pose = CameraPose((-1.5, -1, 1.6), (0.6, 0.4, -0.4), (0, 0, 1), 90)
for quality in ("fast", "fine"):
    renderer = Renderer(world, 80, 64, quality)
    print(hashlib.sha256(renderer.rgb(pose).tobytes() + renderer.segmentation(pose).tobytes()).hexdigest())
"""


def test_another_process_draws_identical_pixels_and_ends_silently(busy_world: World, busy_xml: str) -> None:
    busy_world.step(90)
    pose = CameraPose((-1.5, -1, 1.6), (0.6, 0.4, -0.4), (0, 0, 1), 90)
    hashes = []
    for quality in ("fast", "fine"):
        with Renderer(busy_world, 80, 64, quality) as renderer:
            picture = renderer.rgb(pose)
            assert len(np.unique(picture)) > 10
            hashes.append(hashlib.sha256(picture.tobytes() + renderer.segmentation(pose).tobytes()).hexdigest())
    child = subprocess.run(
        [sys.executable, "-c", CHILD], input=busy_xml, capture_output=True, text=True, timeout=120, cwd=Path.cwd()
    )
    assert (child.returncode, child.stderr) == (0, "")
    assert child.stdout.split() == hashes


def test_wrong_use_is_refused(make_world) -> None:
    world = make_world(BOXES)
    with pytest.raises(RenderingError, match="quality 'best'"):
        Renderer(world, 8, 8, "best")  # type: ignore[arg-type]
    with pytest.raises(RenderingError, match="0 x 8"):
        Renderer(world, 0, 8)
    renderer = Renderer(world, 8, 8)
    renderer.close()
    renderer.close()
    with pytest.raises(RenderingError, match="closed"):
        renderer.rgb(FRONT)
