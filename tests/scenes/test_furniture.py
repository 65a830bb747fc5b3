"""Every design of every kind keeps the promises that layouts, sitting and physics rely on."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from bodyloop.errors import UnknownNameError
from bodyloop.scenes.builder import build_spec
from bodyloop.scenes.description import (
    TARGET_CATEGORIES,
    Material,
    ObjectInstance,
    Part,
    SceneDescription,
)
from bodyloop.scenes.furniture import KINDS, PALETTES, Furniture, make, material_key
from bodyloop.scenes.furniture.catalogue import MAKERS
from bodyloop.scenes.shapes import part_bounds
from bodyloop.scenes.textures import TEXTURES

SEAT_HEIGHTS_M = {"bed": (0.45, 0.60), "couch": (0.40, 0.48), "toilet": (0.40, 0.44), "chair": (0.42, 0.48)}
DESIGNS = [(kind, style) for kind, info in KINDS.items() for style in range(info.styles)]


def design(kind: str, style: int = 0, seed: int = 3) -> Furniture:
    palette = list(PALETTES.values())[style % len(PALETTES)]
    return make(kind, style, np.random.default_rng([seed, style]), palette)


@pytest.mark.parametrize("kind", KINDS)
def test_design_is_complete_and_within_its_limits(kind: str) -> None:
    info = KINDS[kind]
    for style in range(info.styles):
        for seed in (0, 7):
            item = design(kind, style, seed)
            parts = item.template.parts
            assert len(parts) >= 4
            assert len({part.name for part in parts}) == len(parts)
            assert {part.material for part in parts} == set(item.materials)
            assert all(material.texture in TEXTURES for material in item.materials.values())
            assert all(key == material_key(material) for key, material in item.materials.items())
            slack = 0.02
            assert info.width_m[0] - slack <= item.footprint_m[0] <= info.width_m[1] + slack, (style, item.footprint_m)
            assert info.depth_m[0] - slack <= item.footprint_m[1] <= info.depth_m[1] + slack, (style, item.footprint_m)
            assert info.height_m[0] - slack <= item.height_m <= info.height_m[1] + slack, (style, item.height_m)
            assert info.mass_kg[0] <= item.template.mass_kg <= info.mass_kg[1]


@pytest.mark.parametrize("kind", KINDS)
def test_footprint_is_centred_and_the_underside_lies_on_the_floor(kind: str) -> None:
    info = KINDS[kind]
    for style in range(info.styles):
        item = design(kind, style)
        bounds = np.array([part_bounds(part) for part in item.template.parts])
        low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
        assert np.allclose(low[:2], -high[:2], atol=2e-4)
        assert np.allclose(high[:2] - low[:2], item.footprint_m, atol=2e-4)
        assert high[2] == pytest.approx(item.height_m, abs=2e-4)
        if info.placement in ("wall_mounted", "ceiling"):
            assert low[2] >= 0
        else:
            assert abs(low[2]) <= 1e-3
            touched = [bound for bound, part in zip(bounds, item.template.parts, strict=True) if part.collide]
            if kind != "rug":
                assert min(bound[0, 2] for bound in touched) <= (0.13 if info.motion == "STATIC" else 0.011)


def test_same_generator_state_gives_the_same_object() -> None:
    assert design("bookshelf", 1) == design("bookshelf", 1)
    assert design("bookshelf", 1).template.name != design("bookshelf", 1, seed=4).template.name


def test_every_kind_has_a_maker_and_every_target_category_kinds() -> None:
    assert set(KINDS) == set(MAKERS)
    assert set(TARGET_CATEGORIES) <= {info.category for info in KINDS.values()}
    with pytest.raises(UnknownNameError, match="couch_3"):
        make("couch_4", 0, np.random.default_rng(0), PALETTES["warm"])


@pytest.mark.parametrize(("kind", "style"), [d for d in DESIGNS if KINDS[d[0]].category in SEAT_HEIGHTS_M])
def test_seats_are_flat_at_a_usual_height_with_room_for_the_calves(kind: str, style: int) -> None:
    category = KINDS[kind].category
    for seed in range(3):
        item = design(kind, style, seed)
        assert item.template.seats
        low, high = SEAT_HEIGHTS_M[category]
        boxes = [p for p in item.template.parts if p.collide and p.shape == "box"]
        for seat in item.template.seats:
            x, y, z = seat.center_m
            assert low <= z <= high
            under = [
                p
                for p in boxes
                if abs(p.position_m[0] - x) < p.size_m[0] and abs(p.position_m[1] - y) < p.size_m[1]
                if abs(p.position_m[2] + p.size_m[2] - z) < 2e-3
            ]
            assert under, "no touched box carries the seat"
            forward = np.array([np.sin(seat.facing_yaw_rad), -np.cos(seat.facing_yaw_rad)])
            reach = abs(forward[0]) * seat.size_m[0] / 2 + abs(forward[1]) * seat.size_m[1] / 2
            # calves hang in front of the seat's edge: nothing is touched there, from shin to seat
            calf = np.array([x, y]) + forward * (reach + 0.16)
            for part in item.template.parts:
                lower, upper = part_bounds(part)
                if part.collide and upper[2] > 0.12:
                    assert not ((lower[:2] < calf) & (calf < upper[:2])).all(), (part.name, calf)


@pytest.mark.parametrize("kind", ["tv_on_stand", "wall_tv", "potted_plant_large", "potted_plant_small"])
def test_targets_end_below_a_seated_look(kind: str) -> None:
    for style in range(KINDS[kind].styles):
        for seed in range(4):
            assert design(kind, style, seed).height_m <= 1.3


def test_made_to_measure() -> None:
    rug = make("rug", 1, np.random.default_rng(0), PALETTES["warm"], (2.0, 1.4))
    assert rug.footprint_m == pytest.approx((2.0 + 0.09, 1.4), abs=0.01)
    counter = make("kitchen_counter", 0, np.random.default_rng(0), PALETTES["warm"], (1.83, 0.62))
    assert counter.footprint_m[0] == pytest.approx(1.83, abs=1e-3)


def test_support_height_is_a_touched_top() -> None:
    for kind, style in DESIGNS:
        item = design(kind, style)
        height = item.template.support_height_m
        if height is not None:
            tops = [part_bounds(p)[1][2] for p in item.template.parts if p.collide]
            assert any(abs(top - height) < 1e-3 for top in tops), (kind, style)


def test_movable_things_rest_where_they_are_put() -> None:
    movable = [d for d in DESIGNS if KINDS[d[0]].motion == "DYNAMIC"]
    items = [design(kind, style) for kind, style in movable]
    floor = Material("flat", (0.5, 0.5, 0.5))
    scene = SceneDescription(
        scene_id="rest",
        rooms=(),
        stage=(Part("floor/one", "box", (20, 20, 0.1), (0, 0, -0.1), "floor"),),
        floors=(),
        materials={"floor": floor} | {key: m for item in items for key, m in item.materials.items()},
        templates={item.template.name: item.template for item in items},
        instances=tuple(
            ObjectInstance(
                i,
                f"{item.template.name}_:{i:04d}",
                item.template.name,
                (i % 10, i // 10, 0.0),
                (0, 0, 0, 1),
                "DYNAMIC",
                "",
            )
            for i, item in enumerate(items)
        ),
        lights=(),
    )
    model = build_spec(scene).spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    bodies = [model.body(instance.name).id for instance in scene.instances]
    before = data.xpos[bodies].copy()
    mujoco.mj_step(model, data, 120)
    mujoco.mj_forward(model, data)
    moved = np.linalg.norm(data.xpos[bodies] - before, axis=1)
    assert moved.max() < 1e-3, movable[int(moved.argmax())]
    assert data.ncon > 0
    assert min(data.contact.dist) > -2e-3
    assert not any(data.warning.number)
    masses = model.body_mass[bodies]
    assert masses == pytest.approx([item.template.mass_kg for item in items])
    assert masses.min() >= 0.15
    assert masses.max() <= 30
