"""Axis-aligned world boxes of geoms and things, as rows (x0, y0, z0, x1, y1, z1) in metres."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from bodyloop.errors import SimulationError
from bodyloop.sim.world import World

__all__ = ["box_distance", "entity_aabb", "geom_aabbs", "local_aabb", "transform_aabb"]

_GEOM = mujoco.mjtGeom
_SPHERE, _CAPSULE, _CYLINDER = int(_GEOM.mjGEOM_SPHERE), int(_GEOM.mjGEOM_CAPSULE), int(_GEOM.mjGEOM_CYLINDER)
_ELLIPSOID, _MESH, _BOX = int(_GEOM.mjGEOM_ELLIPSOID), int(_GEOM.mjGEOM_MESH), int(_GEOM.mjGEOM_BOX)


def _tight_boxes(model: mujoco.MjModel, geoms: np.ndarray, position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """Tight boxes of geoms whose frames are given: position (n, 3), rotation (n, 3, 3)."""
    kind, size = model.geom_type[geoms], model.geom_size[geoms]
    axis = np.abs(rotation[:, :, 2])
    half = np.einsum("nij,nj->ni", np.abs(rotation), model.geom_aabb[geoms, 3:])
    center = position + np.einsum("nij,nj->ni", rotation, model.geom_aabb[geoms, :3])
    radius, length = size[:, :1], size[:, 1:2]
    half = np.where((kind == _SPHERE)[:, None], radius, half)
    half = np.where((kind == _CAPSULE)[:, None], axis * length + radius, half)
    rim = radius * np.sqrt(np.clip(1.0 - axis**2, 0.0, None))
    half = np.where((kind == _CYLINDER)[:, None], axis * length + rim, half)
    ellipsoid = np.sqrt(np.einsum("nij,nj->ni", rotation**2, size**2))
    half = np.where((kind == _ELLIPSOID)[:, None], ellipsoid, half)
    boxes = np.concatenate([center - half, center + half], axis=1)
    for row in np.flatnonzero(kind == _MESH):
        mesh = model.geom_dataid[geoms[row]]
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        points = model.mesh_vert[first : first + count] @ rotation[row].T + position[row]
        boxes[row] = np.concatenate([points.min(axis=0), points.max(axis=0)])
    return boxes


def geom_aabbs(world: World, geom_ids: ArrayLike) -> np.ndarray:
    """Tight world boxes of geoms: (n,) ids give (n, 6). Exact for all primitives and meshes; planes are infinite."""
    geoms = np.asarray(geom_ids, dtype=np.int64).reshape(-1)
    data = world.data
    return _tight_boxes(world.model, geoms, data.geom_xpos[geoms], data.geom_xmat[geoms].reshape(-1, 3, 3))


def entity_aabb(world: World, geom_ids: ArrayLike) -> np.ndarray:
    """(6,) union of the tight world boxes of some geoms.

    Raises:
        SimulationError: no geom is given.
    """
    return _union(geom_aabbs(world, geom_ids))


def _union(boxes: np.ndarray) -> np.ndarray:
    if not len(boxes):
        raise SimulationError("a box needs at least one geom")
    return np.concatenate([boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)])


def local_aabb(model: mujoco.MjModel, geom_ids: ArrayLike) -> np.ndarray:
    """(6,) box of geoms of ONE body in that body's own frame, independent of any state.

    Raises:
        SimulationError: no geom is given, or they belong to several bodies.
    """
    geoms = np.asarray(geom_ids, dtype=np.int64).reshape(-1)
    if len(set(model.geom_bodyid[geoms].tolist())) > 1:
        raise SimulationError("geoms of several bodies have no common body frame")
    rotation = np.empty((len(geoms), 9))
    for row, quaternion_wxyz in zip(rotation, model.geom_quat[geoms], strict=True):
        mujoco.mju_quat2Mat(row, quaternion_wxyz)
    return _union(_tight_boxes(model, geoms, model.geom_pos[geoms], rotation.reshape(-1, 3, 3)))


def transform_aabb(box: np.ndarray, position: ArrayLike, rotation: ArrayLike) -> np.ndarray:
    """World box of a transformed local box: (6,) by position (3,) and rotation (3, 3) or (9,).

    A rotated box grows, as scene graphs compute it: the result bounds the turned box, not what was inside it.
    """
    matrix = np.asarray(rotation, dtype=np.float64).reshape(3, 3)
    center = matrix @ (0.5 * (box[:3] + box[3:])) + np.asarray(position, dtype=np.float64)
    half = np.abs(matrix) @ (0.5 * (box[3:] - box[:3]))
    return np.concatenate([center - half, center + half])


def box_distance(points: ArrayLike, boxes: ArrayLike) -> np.ndarray:
    """Euclidean distances from points (n, 3) to boxes (m, 6), 0 inside; (n, m)."""
    p = np.asarray(points, dtype=np.float64).reshape(-1, 1, 3)
    b = np.asarray(boxes, dtype=np.float64).reshape(1, -1, 6)
    return np.asarray(np.linalg.norm(np.maximum(0.0, np.maximum(b[..., :3] - p, p - b[..., 3:])), axis=-1))
