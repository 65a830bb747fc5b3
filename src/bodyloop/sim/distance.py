"""Exact signed distances between geoms, computed by coal (GJK and EPA)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import coal
import mujoco
import numpy as np
from numpy.typing import ArrayLike

from bodyloop.errors import SimulationError
from bodyloop.sim.boxes import geom_aabbs
from bodyloop.sim.world import World

__all__ = ["DistanceQuery", "SurfaceDistance", "geom_set_distance"]

_TOLERANCE_M = 1e-7
_MAX_ITERATIONS = 256
_GEOM = mujoco.mjtGeom


@dataclass(frozen=True)
class SurfaceDistance:
    """Nearest (or deepest) pair of surface points."""

    distance_m: float
    """Negative when the geoms overlap: minus the shortest way apart. Infinite when nothing is near enough."""
    geom_a: int
    geom_b: int
    point_a_m: np.ndarray
    """(3,) on the surface of geom a, world."""
    point_b_m: np.ndarray
    """(3,) on the surface of geom b, world."""


class DistanceQuery:
    """Distance queries in one world; shapes are built once and reused.

    Boxes, spheres, capsules, cylinders, ellipsoids and planes are exact; a mesh counts as its convex hull, as in the
    engine's collisions. Poses must be current (`World.forward`).
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._shapes: dict[int, coal.CollisionGeometry] = {}
        self._request = coal.DistanceRequest()
        self._request.gjk_tolerance = self._request.epa_tolerance = _TOLERANCE_M
        self._request.gjk_max_iterations = self._request.epa_max_iterations = _MAX_ITERATIONS

    def pair(self, geom_a: int, geom_b: int) -> SurfaceDistance:
        """Signed distance of two geoms.

        Raises:
            SimulationError: a geom has a shape that is not supported, or both are planes.
        """
        result = coal.DistanceResult()
        shape_a, shape_b = self._shape(geom_a), self._shape(geom_b)
        if isinstance(shape_a, coal.Halfspace) and isinstance(shape_b, coal.Halfspace):
            raise SimulationError("two planes have no distance")
        distance = coal.distance(shape_a, self._pose(geom_a), shape_b, self._pose(geom_b), self._request, result)
        point_a, point_b = np.array(result.getNearestPoint1()), np.array(result.getNearestPoint2())
        return SurfaceDistance(float(distance), int(geom_a), int(geom_b), point_a.reshape(3), point_b.reshape(3))

    def between(self, geoms_a: ArrayLike, geoms_b: ArrayLike, *, max_distance_m: float = math.inf) -> SurfaceDistance:
        """Smallest signed distance from any geom of one set to any of another.

        Args:
            geoms_a: Geom ids.
            geoms_b: Geom ids.
            max_distance_m: Pairs whose boxes are farther apart than this are not looked at.

        Returns:
            The nearest pair; infinite distance and geom ids -1 when every pair is too far.

        Raises:
            SimulationError: a set is empty or holds a shape that is not supported.
        """
        set_a, set_b = (np.asarray(ids, dtype=np.int64).reshape(-1) for ids in (geoms_a, geoms_b))
        if not (len(set_a) and len(set_b)):
            raise SimulationError("a distance needs at least one geom on each side")
        bound = self._box_gaps(set_a, set_b)
        best = SurfaceDistance(math.inf, -1, -1, np.full(3, np.nan), np.full(3, np.nan))
        for flat in np.argsort(bound, axis=None, kind="stable"):
            row, column = divmod(int(flat), len(set_b))
            if bound[row, column] > min(max(best.distance_m, 0.0), max_distance_m):
                break
            found = self.pair(int(set_a[row]), int(set_b[column]))
            if found.distance_m < best.distance_m:
                best = found
        return best

    def _box_gaps(self, set_a: np.ndarray, set_b: np.ndarray) -> np.ndarray:
        """(a, b) lower bounds: distances between world boxes; 0 for planes."""
        boxes_a, boxes_b = geom_aabbs(self._world, set_a)[:, None], geom_aabbs(self._world, set_b)[None]
        gap = np.maximum(0.0, np.maximum(boxes_a[..., :3] - boxes_b[..., 3:], boxes_b[..., :3] - boxes_a[..., 3:]))
        bound = np.linalg.norm(gap, axis=-1)
        kinds = self._world.model.geom_type
        planes = (kinds[set_a] == int(_GEOM.mjGEOM_PLANE))[:, None] | (kinds[set_b] == int(_GEOM.mjGEOM_PLANE))[None]
        return np.asarray(np.where(planes, 0.0, bound))

    def _pose(self, geom: int) -> coal.Transform3s:
        data = self._world.data
        return coal.Transform3s(data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom])

    def _shape(self, geom: int) -> coal.CollisionGeometry:
        if geom not in self._shapes:
            self._shapes[geom] = _build_shape(self._world.model, geom)
        return self._shapes[geom]


def geom_set_distance(
    world: World, geoms_a: ArrayLike, geoms_b: ArrayLike, *, max_distance_m: float = math.inf
) -> float:
    """Smallest signed distance between two sets of geoms in metres; infinite when they are farther apart than allowed.

    Prefer geoms that collide: a mesh made only to be seen, with hollows, counts as its convex hull. For repeated
    queries keep a `DistanceQuery`, which remembers shapes.

    Raises:
        SimulationError: as `DistanceQuery.between`.
    """
    return DistanceQuery(world).between(geoms_a, geoms_b, max_distance_m=max_distance_m).distance_m


def _build_shape(model: mujoco.MjModel, geom: int) -> coal.CollisionGeometry:
    kind, size = int(model.geom_type[geom]), model.geom_size[geom].tolist()
    if kind == int(_GEOM.mjGEOM_BOX):
        return coal.Box(2 * size[0], 2 * size[1], 2 * size[2])
    if kind == int(_GEOM.mjGEOM_SPHERE):
        return coal.Sphere(size[0])
    if kind == int(_GEOM.mjGEOM_CAPSULE):
        return coal.Capsule(size[0], 2 * size[1])
    if kind == int(_GEOM.mjGEOM_CYLINDER):
        return coal.Cylinder(size[0], 2 * size[1])
    if kind == int(_GEOM.mjGEOM_ELLIPSOID):
        return coal.Ellipsoid(*size)
    if kind == int(_GEOM.mjGEOM_PLANE):
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if kind == int(_GEOM.mjGEOM_MESH):
        return _convex_hull(model, int(model.geom_dataid[geom]))
    raise SimulationError(f"geom {model.geom(geom).name!r} has a shape without distance support ({_GEOM(kind).name})")


def _convex_hull(model: mujoco.MjModel, mesh: int) -> coal.CollisionGeometry:
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    points = coal.StdVec_Vec3s()
    for vertex in model.mesh_vert[first : first + count].astype(np.float64):
        points.append(vertex)
    return coal.Convex.convexHull(points, True, "Qt")
