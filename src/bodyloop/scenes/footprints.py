"""Footprints: what the parts of a scene cover of the floor plan, and between which heights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from bodyloop.scenes.description import Part, SceneDescription

__all__ = ["Footprint", "instance_footprints", "part_bounds", "part_footprint", "part_support", "stage_footprints"]

FloatArray = npt.NDArray[np.float64]
Pose = tuple[npt.ArrayLike, npt.ArrayLike]

_DIRECTIONS = 24
_ANGLES = np.arange(_DIRECTIONS) * (2.0 * np.pi / _DIRECTIONS)
_HORIZONTAL = np.stack([np.cos(_ANGLES), np.sin(_ANGLES), np.zeros(_DIRECTIONS)], axis=1)
_AXES = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])


@dataclass(frozen=True, eq=False)
class Footprint:
    """A convex outline in the floor plan with a height range, world frame, metres."""

    outline_m: FloatArray
    """(k, 2) corners, counter-clockwise."""
    bottom_m: float
    top_m: float
    owner: int
    """Object id, or -1 for the stage."""
    part: str


def part_support(
    part: Part, rotation: FloatArray, directions: FloatArray, mesh: FloatArray | None = None
) -> FloatArray:
    """Farthest points (n, 3) of a part from its own centre in the world ``directions`` (n, 3); ``rotation`` is 3x3."""
    local = directions @ rotation
    size = np.asarray(part.size_m, dtype=float)
    if part.shape == "box":
        points = np.where(local >= 0, size, -size)
    elif part.shape == "sphere":
        points = local * size[0]
    elif part.shape == "ellipsoid":
        scaled = local * size
        points = size * scaled / np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), 1e-12)
    elif part.shape == "mesh":
        if mesh is None:
            raise ValueError(f"part {part.name!r} needs the vertices of its mesh")
        points = mesh[np.argmax(local @ mesh.T, axis=1)]
    else:
        points = _round_support(part.shape == "capsule", size, local)
    return np.asarray(points @ rotation.T)


def _round_support(capsule: bool, size: FloatArray, local: FloatArray) -> FloatArray:
    axis = np.zeros_like(local)
    axis[:, 2] = np.where(local[:, 2] >= 0, size[1], -size[1])
    if capsule:
        return np.asarray(axis + local * size[0])
    flat = local * np.array([1.0, 1.0, 0.0])
    return np.asarray(axis + size[0] * flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12))


def part_footprint(
    part: Part,
    position: npt.ArrayLike,
    rotation_xyzw: npt.ArrayLike,
    *,
    owner: int = -1,
    meshes: Mapping[str, FloatArray] | None = None,
) -> Footprint:
    """Footprint of a part that hangs on a frame at ``position`` (3,) with ``rotation_xyzw`` (4,)."""
    center, rotation = _part_frame(part, position, rotation_xyzw)
    mesh = meshes[part.mesh] if part.mesh is not None and meshes is not None else None
    support = part_support(part, rotation, np.concatenate([_HORIZONTAL, _AXES[4:]]), mesh) + center
    return Footprint(support[:_DIRECTIONS, :2], float(support[-1, 2]), float(support[-2, 2]), owner, part.name)


def part_bounds(
    part: Part, position: npt.ArrayLike, rotation_xyzw: npt.ArrayLike, mesh: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Lower and upper corner (3,) of a part's world box."""
    center, rotation = _part_frame(part, position, rotation_xyzw)
    points = part_support(part, rotation, _AXES, mesh) + center
    return np.diag(points[1::2]).copy(), np.diag(points[0::2]).copy()


def _part_frame(part: Part, position: npt.ArrayLike, rotation_xyzw: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    outer = Rotation.from_quat(np.asarray(rotation_xyzw, dtype=float))
    center = np.asarray(position, dtype=float) + outer.apply(part.position_m)
    return center, (outer * Rotation.from_quat(part.rotation_xyzw)).as_matrix()


def stage_footprints(scene: SceneDescription) -> Iterator[Footprint]:
    """Footprints of the stage parts that collide, without floors, risers and ceilings."""
    for part in scene.stage:
        if part.collide and part.name.split("/", 1)[0] not in ("floor", "riser", "ceiling"):
            yield part_footprint(part, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), meshes=mesh_vertices(scene))


def instance_footprints(scene: SceneDescription, poses: Mapping[int, Pose] | None = None) -> Iterator[Footprint]:
    """Footprints of the parts of all objects that collide; ``poses`` replaces (position, rotation_xyzw) by object id."""
    meshes = mesh_vertices(scene)
    for instance in scene.instances:
        position, rotation = instance.position_m, instance.rotation_xyzw
        if poses is not None and instance.object_id in poses:
            moved = poses[instance.object_id]
            position, rotation = np.asarray(moved[0]), np.asarray(moved[1])  # type: ignore[assignment]
        for part in scene.templates[instance.template].parts:
            if part.collide:
                yield part_footprint(part, position, rotation, owner=instance.object_id, meshes=meshes)


def mesh_vertices(scene: SceneDescription) -> dict[str, FloatArray]:
    """Vertices (n, 3) of every mesh of a scene."""
    return {name: np.asarray(vertices, dtype=float) for name, (vertices, _) in scene.meshes.items()}
