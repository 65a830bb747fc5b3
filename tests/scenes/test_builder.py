from __future__ import annotations

import dataclasses

import mujoco
import numpy as np
import pytest

from bodyloop.errors import DataError, UnknownNameError
from bodyloop.scenes.builder import CEILING_GROUP, COLLISION_GROUP, TIMESTEP_S, BuiltScene, build_spec
from bodyloop.scenes.description import (
    FloorRegion,
    Light,
    Material,
    ObjectInstance,
    Part,
    Room,
    SceneDescription,
    SeatSurface,
)
from bodyloop.scenes.furniture import PALETTES, ceiling_finish, floor_finish, make, wall_finish
from bodyloop.scenes.lighting import LIGHTING_MODES
from bodyloop.scenes.shapes import GENERATORS, generated, part_bounds, part_surface
from bodyloop.scenes.surfaces import bevel_box
from bodyloop.sim.boxes import geom_aabbs
from bodyloop.sim.cameras import EXO_GROUPS, CameraPose, Renderer
from bodyloop.sim.entities import EntityKind, EntityTable
from bodyloop.sim.world import World

PALETTE = PALETTES["warm"]
TURNED = (0.0, 0.0, float(np.sin(0.4)), float(np.cos(0.4)))


def home(**changes: object) -> SceneDescription:
    rng = np.random.default_rng(2)
    couch, chair, rug = (make(kind, 0, rng, PALETTE) for kind in ("couch_2", "dining_chair", "rug"))
    stage = (
        Part("floor/den", "box", (2.5, 2.0, 0.05), (0, 0, -0.05), "floor"),
        Part("wall/north", "box", (2.5, 0.06, 1.3), (0, 2.06, 1.3), "wall"),
        Part("window/north", "box", (0.5, 0.01, 0.5), (0, 1.9, 1.5), "glass"),
        Part("ceiling/den", "box", (2.5, 2.0, 0.05), (0, 0, 2.65), "ceiling"),
        Part("skirting/north", "box", (2.5, 0.01, 0.04), (0, 1.99, 0.04), "wall", collide=False),
    )
    items = (
        (couch, (0, 1.4, 0), "STATIC"),
        (chair, (1, -0.5, 0), "DYNAMIC"),
        (chair, (-1, -0.5, 0), "STATIC"),
        (rug, (0, 0, 0), "STATIC"),
    )
    scene = SceneDescription(
        scene_id="den",
        rooms=(Room("den", "living_room", (-2.5, -2.0), (2.5, 2.0), 0.0, "floor", "wall"),),
        stage=stage,
        floors=(FloorRegion((-2.5, -2.0), (2.5, 2.0), 0.0),),
        materials={
            "floor": floor_finish("living_room", 0, PALETTE),
            "wall": wall_finish("living_room", 0, PALETTE),
            "ceiling": ceiling_finish(),
            "glass": Material("flat", (0.8, 0.9, 0.95), alpha=0.2),
            **{key: material for item, *_ in items for key, material in item.materials.items()},
        },
        templates={item.template.name: item.template for item, *_ in items},
        instances=tuple(
            ObjectInstance(
                i,
                f"{item.template.name}_:{i:04d}",
                item.template.name,
                place,
                TURNED if i == 1 else (0, 0, 0, 1),
                motion,
                "den",
            )  # type: ignore[arg-type]
            for i, (item, place, motion) in enumerate(items)
        ),
        lights=(Light((0, 0, 2.3), (1, 0.95, 0.85)),),
    )
    return dataclasses.replace(scene, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def built() -> BuiltScene:
    return build_spec(home())


@pytest.fixture(scope="module")
def world(built: BuiltScene) -> World:
    return World(built.spec)


def test_names_joints_and_objects(built: BuiltScene, world: World) -> None:
    scene, model = home(), world.model
    assert built.objects == {i.name: (i.object_id, i.motion_type == "DYNAMIC") for i in scene.instances}
    free = [model.joint(j).name for j in range(model.njnt)]
    assert free == [f"{i.name}/free" for i in scene.instances if i.motion_type == "DYNAMIC"]
    names = {model.geom(g).name for g in range(model.ngeom)}
    assert {"stage/floor/den", "stage/wall/north"} <= names
    assert "stage/skirting/north" not in names
    for instance in scene.instances:
        for part in scene.templates[instance.template].parts:
            assert (f"{instance.name}/{part.name}" in names) == part.collide
    assert model.opt.timestep == pytest.approx(TIMESTEP_S)
    assert model.opt.gravity == pytest.approx([0, 0, -9.8])


def test_collision_bits_and_groups(built: BuiltScene, world: World) -> None:
    model = world.model
    table = EntityTable.build(model, None, built.objects)
    touched = model.geom_group == COLLISION_GROUP
    bits = np.stack([model.geom_contype, model.geom_conaffinity], axis=1)
    moving = table.geom_kind == EntityKind.DYNAMIC_OBJECT
    assert (bits[touched & ~moving] == (1, 6)).all()
    assert (bits[touched & moving] == (4, 7)).all()
    assert not bits[~touched].any()
    ceiling = [g for g in range(model.ngeom) if model.geom_group[g] == CEILING_GROUP]
    assert len(ceiling) == 1
    assert geom_aabbs(world, np.array(ceiling))[0, 2] == pytest.approx(2.6, abs=1e-6)
    assert set(model.geom_group[~touched & moving]) == {1}
    assert set(model.geom_group[~touched & ~moving]) == {0, CEILING_GROUP}


def test_poses_masses_and_boxes_follow_the_description(built: BuiltScene, world: World) -> None:
    scene, model = home(), world.model
    table = EntityTable.build(model, None, built.objects)
    for instance in scene.instances:
        template = scene.templates[instance.template]
        body = model.body(instance.name)
        assert world.data.xpos[body.id] == pytest.approx(instance.position_m)
        if instance.motion_type == "DYNAMIC":
            assert body.mass[0] == pytest.approx(template.mass_kg)
            assert (body.inertia > 0).all()
            continue
        boxes = geom_aabbs(world, table.geoms_of(instance.object_id))
        bounds = np.array([part_bounds(part) for part in template.parts])
        low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
        assert boxes[:, :3].min(axis=0) - instance.position_m == pytest.approx(low, abs=2e-3)
        assert boxes[:, 3:].max(axis=0) - instance.position_m == pytest.approx(high, abs=2e-3)


def test_same_description_gives_the_same_model(world: World) -> None:
    again = build_spec(home()).spec.compile()
    for field in (
        "geom_pos",
        "geom_size",
        "mesh_vert",
        "mesh_texcoord",
        "tex_data",
        "mat_rgba",
        "body_mass",
        "light_pos",
    ):
        assert np.array_equal(getattr(again, field), getattr(world.model, field)), field


def test_designs_share_meshes_and_materials(world: World) -> None:
    scene, model = home(), world.model
    chair = next(name for name in scene.templates if name.startswith("dining_chair"))
    looks = [g for g in range(model.ngeom) if model.geom(g).name.startswith(chair) and "/look/" in model.geom(g).name]
    meshes = [int(model.geom_dataid[g]) for g in looks]
    assert len(meshes) == 2 * len(set(meshes))
    names = [model.mat(m).name for m in range(model.nmat)]
    assert len(names) == len(set(names)) <= len(scene.materials) + 2
    assert model.ntex <= len(scene.materials) + 3


def test_nothing_moves_by_itself(built: BuiltScene) -> None:
    world = World(build_spec(home()).spec)
    before = world.data.qpos.copy()
    world.step(120)
    assert np.abs(world.data.qpos - before).max() < 1e-3
    assert not world.data.warning.number.any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"templates": {}}, "names the template"),
        ({"materials": {}}, "material 'floor' is used"),
        ({"stage": (Part("floor/x", "mesh", (1.0,), (0, 0, 0), "floor", mesh="cone"),)}, "unknown mesh 'cone'"),
        (
            {"stage": (Part("floor/x", "mesh", (1.0,), (0, 0, 0), "floor", mesh="roundbox"),)},
            "'roundbox' cannot be made",
        ),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises((DataError, UnknownNameError), match=message):
        build_spec(home(**change))


def test_a_movable_thing_needs_a_part_to_touch() -> None:
    scene = home()
    rug = next(name for name in scene.templates if name.startswith("rug"))
    loose = ObjectInstance(0, "rug_:0000", rug, (0, 0, 0), (0, 0, 0, 1), "DYNAMIC", "den")
    with pytest.raises(DataError, match="none of the parts"):
        build_spec(dataclasses.replace(scene, instances=(loose,)))


@pytest.mark.parametrize("mode", LIGHTING_MODES)
@pytest.mark.parametrize("quality", ["fast", "fine"])
def test_lighting_modes_stay_within_the_pipelines_eight_lights(mode: str, quality: str) -> None:
    many = tuple(Light((float(x), 0.0, 2.3), (1, 1, 1)) for x in range(20))
    built = build_spec(home(lights=many), lighting=mode, quality=quality)  # type: ignore[arg-type]
    world = World(built.spec)
    built.lights.place(world.model, world.data, (1.0, 0.5, 0.9))
    active = world.model.light_active.astype(bool)
    assert 1 <= active.sum() <= 7
    assert world.model.light_castshadow[active].sum() == (quality == "fine")
    if mode == "original":
        assert world.model.light_active[world.model.light(built.lights.lamps[1]).id]
        assert not world.model.light_active[world.model.light(built.lights.lamps[19]).id]
    if mode == "room-lamps":
        positions = np.array([world.data.light_xpos[world.model.light(name).id] for name in built.lights.lamps])
        assert np.allclose(np.abs(positions[:, :2] - (1.0, 0.5)), 2.0)
        assert (positions[:, 2] < 2.6).all()


def test_unknown_lighting_mode_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="room-lamps"):
        build_spec(home(), lighting="room-lamp")  # type: ignore[arg-type]


def test_pictures_show_the_things_and_modes_differ(world: World, built: BuiltScene) -> None:
    pose = CameraPose.looking_at((0.2, -1.9, 1.6), (0, 1.0, 0.6), 75)
    with Renderer(world, 160, 120) as renderer:
        picture = renderer.rgb(pose)
        table = EntityTable.build(world.model, None, built.objects)
        entities = table.entity_image(renderer.segmentation(pose))
    assert picture.std() > 20
    assert 60 < picture.mean() < 220
    assert {-1, 0, 1, 2, 3} <= set(np.unique(entities).tolist())
    lamps = build_spec(home(), lighting="room-lamps")
    other = World(lamps.spec)
    lamps.lights.place(other.model, other.data, (0, 0, 0.9))
    with Renderer(other, 160, 120) as renderer:
        assert np.abs(renderer.rgb(pose).astype(int) - picture).mean() > 3


def test_exo_views_look_through_the_ceiling(world: World) -> None:
    above = CameraPose((0.0, 0.0, 6.0), (0, 0, -1), (0, 1, 0), 60)
    with Renderer(world, 64, 64) as renderer:
        closed, opened = renderer.rgb(above), renderer.rgb(above, EXO_GROUPS)
    assert closed[20:44, 20:44].std() < opened[20:44, 20:44].std()


def test_what_hangs_from_the_ceiling_is_hidden_with_it() -> None:
    lamp = make("ceiling_lamp", 0, np.random.default_rng(0), PALETTE)
    scene = home()
    name = f"{lamp.template.name}_:0009"
    hung = ObjectInstance(len(scene.instances), name, lamp.template.name, (0, 0, 0), (0, 0, 0, 1), "STATIC", "den")
    built = build_spec(
        dataclasses.replace(
            scene,
            templates={**scene.templates, lamp.template.name: lamp.template},
            materials={**scene.materials, **lamp.materials},
            instances=(*scene.instances, hung),
        )
    )
    model = World(built.spec).model
    looks = [geom for geom in range(model.ngeom) if model.geom(geom).name.startswith(f"{name}/look")]
    assert looks
    assert {int(model.geom_group[geom]) for geom in looks} == {CEILING_GROUP}


@pytest.mark.parametrize(
    ("mesh", "size"),
    [
        ("roundbox", (0.4, 0.3, 0.2, 0.05)),
        ("pillow", (0.2, 0.2, 0.07)),
        ("lathe", (0.05, 0.0, 0.1, 0.1, 0.08, 0.2, 0.07, 0.2, 0.05, 0.1)),
        ("oval", (1.3, 0.05, 0.0, 0.1, 0.1, 0.08, 0.2)),
        ("tube", (0.01, 0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0)),
        ("prism", (0.1, 0, 0, 1, 0, 1, 1, 0, 1)),
        ("panel", (0.4, 0.3)),
        ("sheet", (1.0, 1.0)),
        ("drape", (0.5, 1.0, 0.1, 5)),
        ("books", (0.8, 0.2, 0.25, 3)),
        *(("foliage", (style, 1.0, 0.6, 20, 1)) for style in range(5)),
    ],
)
def test_generated_surfaces_face_outward(mesh: str, size: tuple[float, ...]) -> None:
    surface = generated(mesh, size)
    a, b, c = (surface.vertices[surface.faces[:, i]] for i in range(3))
    winding = np.sum(np.cross(b - a, c - a) * surface.normals[surface.faces[:, 0]], axis=1)
    assert (winding > -1e-9).all()
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(1.0, abs=1e-6)
    assert len(surface.faces) <= 1200


def test_every_generator_is_tested() -> None:
    marks = test_generated_surfaces_face_outward.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {mesh for mesh, _ in marks} == set(GENERATORS)


def test_patterns_keep_their_scale_on_long_boxes() -> None:
    surface = bevel_box((2.0, 0.1, 0.02))
    spread = surface.uv.max(axis=0) - surface.uv.min(axis=0)
    assert spread == pytest.approx([4.0, 0.2])
    a, b = surface.vertices[surface.faces[:12, 0]], surface.vertices[surface.faces[:12, 1]]
    u, v = surface.uv[surface.faces[:12, 0]], surface.uv[surface.faces[:12, 1]]
    assert np.linalg.norm(u - v, axis=1) == pytest.approx(np.linalg.norm(a - b, axis=1), abs=0.02)


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ("box", (0.3, 0.2, 0.1)),
        ("cylinder", (0.1, 0.3)),
        ("capsule", (0.1, 0.2)),
        ("ellipsoid", (0.1, 0.2, 0.3)),
        ("sphere", (0.2,)),
    ],
)
def test_bounds_of_turned_primitives_hold_their_surface(shape: str, size: tuple[float, ...]) -> None:
    rotation = (0.18257419, 0.36514837, 0.54772256, 0.73029674)
    part = Part("p", shape, size, (1.0, 2.0, 3.0), "m", rotation)  # type: ignore[arg-type]
    low, high = part_bounds(part)
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.array([rotation[3], *rotation[:3]]))
    points = part_surface(part).vertices @ matrix.reshape(3, 3).T + part.position_m
    assert (points >= low - 1e-9).all()
    assert (points <= high + 1e-9).all()
    assert np.abs(points.min(axis=0) - low).max() < 0.02
    assert np.abs(points.max(axis=0) - high).max() < 0.02


def test_seats_come_with_the_template() -> None:
    couch = next(t for name, t in home().templates.items() if name.startswith("couch"))
    assert all(isinstance(seat, SeatSurface) for seat in couch.seats)
