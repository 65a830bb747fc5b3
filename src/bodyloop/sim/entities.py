"""Which thing in the scene a geom belongs to: a look-up table built once per model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import mujoco
import numpy as np

from bodyloop.errors import SimulationError

__all__ = ["AGENT_ENTITY", "NO_ENTITY", "STAGE_ENTITY", "EntityKind", "EntityTable"]

STAGE_ENTITY = -1
AGENT_ENTITY = -2
NO_ENTITY = -3
"""Entity of a pixel that shows no geom."""


class EntityKind(IntEnum):
    """What a geom belongs to."""

    STAGE = 0
    AGENT = 1
    STATIC_OBJECT = 2
    DYNAMIC_OBJECT = 3


@dataclass(frozen=True)
class EntityTable:
    """Per-geom tables; every array has one row per geom of the model."""

    geom_kind: np.ndarray
    """(ngeom,) int32 of `EntityKind`."""
    geom_entity: np.ndarray
    """(ngeom,) int32: object id, -1 stage, -2 agent."""
    geom_link: np.ndarray
    """(ngeom,) int32: index into ``link_names`` for agent geoms, else -1."""
    geom_names: tuple[str, ...]
    link_names: tuple[str, ...]
    """Bodies of the agent."""
    link_bodies: np.ndarray
    """(links,) int32: MuJoCo body of each link."""
    object_names: Mapping[int, str]
    """Body name by object id."""
    object_bodies: Mapping[int, int]
    """MuJoCo body by object id."""
    dynamic_ids: frozenset[int]
    """Object ids that can move."""

    @classmethod
    def build(
        cls,
        model: mujoco.MjModel,
        agent_root: str | None,
        objects: Mapping[str, tuple[int, bool]],
        *,
        link_names: Sequence[str] | None = None,
    ) -> EntityTable:
        """Build the tables.

        Args:
            model: The compiled model.
            agent_root: Root body of the agent, or None without one.
            objects: Object id and whether it is dynamic, by body name. Child bodies belong to the same object.
            link_names: Order of the agent's links; by default the order of the bodies in the model.

        Raises:
            SimulationError: a body is missing, an id occurs twice, or ``link_names`` does not name the agent's bodies.
        """
        ids = [object_id for object_id, _ in objects.values()]
        if len(set(ids)) != len(ids) or min(ids, default=0) < 0:
            raise SimulationError("object ids must be distinct and not negative")
        bodies = {name: _body_id(model, name) for name in objects}
        entity, kind = _body_entities(model, {bodies[name]: spec for name, spec in objects.items()})
        links = np.full(model.nbody, -1, dtype=np.int32)
        names: tuple[str, ...] = ()
        link_bodies = np.empty(0, dtype=np.int32)
        if agent_root is not None:
            agent = _subtree(model, _body_id(model, agent_root))
            names = _link_order([model.body(body).name for body in agent], link_names)
            link_bodies = np.array([_body_id(model, name) for name in names], dtype=np.int32)
            links[link_bodies] = np.arange(len(names))
            entity[agent], kind[agent] = AGENT_ENTITY, EntityKind.AGENT
        owner = model.geom_bodyid
        return cls(
            kind[owner],
            entity[owner],
            links[owner],
            tuple(model.geom(geom).name for geom in range(model.ngeom)),
            names,
            link_bodies,
            {object_id: name for name, (object_id, _) in objects.items()},
            {object_id: bodies[name] for name, (object_id, _) in objects.items()},
            frozenset(object_id for object_id, dynamic in objects.values() if dynamic),
        )

    def geoms_of(self, entity: int) -> np.ndarray:
        """Ids of the geoms of an object (by object id), of the stage (-1) or of the agent (-2); (k,) int32."""
        return np.flatnonzero(self.geom_entity == entity).astype(np.int32)

    def entity_image(self, segmentation: np.ndarray) -> np.ndarray:
        """Map an image of geom ids to entities, ``NO_ENTITY`` where nothing is seen; same shape, int32."""
        table: np.ndarray = np.append(self.geom_entity, np.int32(NO_ENTITY))
        return np.asarray(table[segmentation])

    def count_pixels(self, segmentation: np.ndarray, entities: Sequence[int]) -> int:
        """Number of pixels of an image of geom ids that show any of these entities."""
        table = np.append(np.isin(self.geom_entity, np.asarray(entities, dtype=np.int32)), False)
        return int(np.count_nonzero(table[segmentation]))


def _body_id(model: mujoco.MjModel, name: str) -> int:
    body = int(mujoco.mj_name2id(model, int(mujoco.mjtObj.mjOBJ_BODY), name))
    if body < 0:
        raise SimulationError(f"the model has no body named {name!r}")
    return body


def _body_entities(model: mujoco.MjModel, objects: Mapping[int, tuple[int, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """Entity and kind of every body; parents come before children, so one pass inherits both."""
    entity = np.full(model.nbody, STAGE_ENTITY, dtype=np.int32)
    kind = np.full(model.nbody, EntityKind.STAGE, dtype=np.int32)
    for body in range(1, model.nbody):
        if body in objects:
            object_id, dynamic = objects[body]
            entity[body] = object_id
            kind[body] = EntityKind.DYNAMIC_OBJECT if dynamic else EntityKind.STATIC_OBJECT
        else:
            parent = model.body_parentid[body]
            entity[body], kind[body] = entity[parent], kind[parent]
    return entity, kind


def _subtree(model: mujoco.MjModel, root: int) -> list[int]:
    members = {root}
    for body in range(root + 1, model.nbody):
        if int(model.body_parentid[body]) in members:
            members.add(body)
    return sorted(members)


def _link_order(found: list[str], wanted: Sequence[str] | None) -> tuple[str, ...]:
    if wanted is None:
        return tuple(found)
    if sorted(wanted) != sorted(found):
        raise SimulationError(f"agent bodies {sorted(set(found) ^ set(wanted))} do not match the link names")
    return tuple(wanted)
