from __future__ import annotations

import numpy as np
import pytest

from bodyloop.errors import SimulationError
from bodyloop.sim.entities import AGENT_ENTITY, NO_ENTITY, STAGE_ENTITY, EntityKind, EntityTable
from bodyloop.sim.world import World

OBJECTS = {"crate": (0, True), "can": (7, True), "shelf": (3, False), "ball": (4, True)}


@pytest.fixture
def table(busy_world: World) -> EntityTable:
    return EntityTable.build(busy_world.model, "torso", OBJECTS)


def test_every_geom_has_the_right_owner(busy_world: World, table: EntityTable) -> None:
    def row(name: str) -> tuple[int, int, int]:
        geom = busy_world.model.geom(name).id
        return int(table.geom_kind[geom]), int(table.geom_entity[geom]), int(table.geom_link[geom])

    assert row("wall") == (EntityKind.STAGE, STAGE_ENTITY, -1)
    assert row("human/torso/0") == (EntityKind.AGENT, AGENT_ENTITY, 0)
    assert row("human/lower/0") == (EntityKind.AGENT, AGENT_ENTITY, 2)
    assert row("can/lid") == (EntityKind.DYNAMIC_OBJECT, 7, -1)
    assert row("shelf/board") == (EntityKind.STATIC_OBJECT, 3, -1)
    assert table.link_names == ("torso", "upper", "lower")
    assert table.geom_names[busy_world.model.geom("can/lid").id] == "can/lid"
    assert table.object_names[7] == "can"
    assert table.object_bodies[3] == busy_world.model.body("shelf").id
    assert table.dynamic_ids == {0, 4, 7}
    assert [table.geom_names[g] for g in table.geoms_of(7)] == ["can/skin", "can/lid"]
    assert len(table.geoms_of(AGENT_ENTITY)) == 3


def test_links_can_have_another_order(busy_world: World) -> None:
    table = EntityTable.build(busy_world.model, "torso", {}, link_names=["lower", "torso", "upper"])
    assert table.geom_link[busy_world.model.geom("human/torso/0").id] == 1
    assert table.link_bodies.tolist() == [busy_world.model.body(n).id for n in ("lower", "torso", "upper")]
    with pytest.raises(SimulationError, match="hand"):
        EntityTable.build(busy_world.model, "torso", {}, link_names=["lower", "torso", "hand"])


def test_child_bodies_belong_to_their_object(make_world) -> None:
    world = make_world('<body name="a"><geom size=".1"/><body name="door"><geom name="door" size=".1"/></body></body>')
    table = EntityTable.build(world.model, None, {"a": (5, False)})
    assert table.geom_entity.tolist() == [5, 5]
    assert table.link_names == ()


def test_images_of_entities(busy_world: World, table: EntityTable) -> None:
    lid, skin, wall = (busy_world.model.geom(name).id for name in ("can/lid", "can/skin", "wall"))
    image = np.array([[lid, skin], [wall, -1]], dtype=np.int32)
    assert table.entity_image(image).tolist() == [[7, 7], [STAGE_ENTITY, NO_ENTITY]]
    assert table.count_pixels(image, [7]) == 2
    assert table.count_pixels(image, [7, STAGE_ENTITY]) == 3
    assert table.count_pixels(image, [0]) == table.count_pixels(image, []) == 0


@pytest.mark.parametrize(
    ("agent", "objects", "words"),
    [
        ("nobody", {}, "nobody"),
        (None, {"ghost": (1, True)}, "ghost"),
        (None, {"can": (1, True), "ball": (1, False)}, "distinct"),
        (None, {"can": (-1, True)}, "negative"),
    ],
)
def test_wrong_tables_are_refused(busy_world: World, agent: str | None, objects: dict, words: str) -> None:
    with pytest.raises(SimulationError, match=words):
        EntityTable.build(busy_world.model, agent, objects)
