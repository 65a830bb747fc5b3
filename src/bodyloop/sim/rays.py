"""Rays against the geoms of a world."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from bodyloop.errors import SimulationError
from bodyloop.sim.world import World

__all__ = ["NO_HIT", "cast_ray", "cast_rays", "cast_rays_from"]

NO_HIT = -1
"""Geom id of a ray that meets nothing; its distance is infinite."""

_GROUPS = 6


def _group_mask(geomgroups: Sequence[int] | None) -> np.ndarray | None:
    if geomgroups is None:
        return None
    mask = np.zeros(_GROUPS, dtype=np.uint8)
    mask[list(geomgroups)] = 1
    return mask


def _unit(direction: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(direction, axis=-1, keepdims=True)
    if not (np.isfinite(length).all() and (length > 0).all()):
        raise SimulationError("a ray's direction must be finite and not zero")
    return np.ascontiguousarray(direction / length)


def cast_ray(
    world: World,
    origin: ArrayLike,
    direction: ArrayLike,
    *,
    exclude_body: int | str | None = None,
    geomgroups: Sequence[int] | None = None,
    static: bool = True,
) -> tuple[float, int]:
    """Nearest geom along a ray, including geoms that do not collide; fully transparent ones are passed through.

    Args:
        world: The world; its poses must be current.
        origin: (3,) start in metres, world.
        direction: (3,) any length above zero.
        exclude_body: A body (id or name) whose own geoms, not its children's, are passed through.
        geomgroups: Groups to see; all when None.
        static: Whether geoms fixed to the world count.

    Returns:
        Distance in metres and geom id; ``(inf, -1)`` without a hit. A start inside a geom can see it from within.
    """
    body = -1 if exclude_body is None else int(world.model.body(exclude_body).id)
    start = np.ascontiguousarray(origin, dtype=np.float64)
    heading = _unit(np.asarray(direction, dtype=np.float64))
    geom = np.array([NO_HIT], dtype=np.int32)
    distance = mujoco.mj_ray(world.model, world.data, start, heading, _group_mask(geomgroups), static, body, geom)
    return (distance, int(geom[0])) if geom[0] != NO_HIT else (math.inf, NO_HIT)


def cast_rays_from(
    world: World,
    origin: ArrayLike,
    directions: ArrayLike,
    *,
    exclude_body: int | str | None = None,
    geomgroups: Sequence[int] | None = None,
    static: bool = True,
    max_distance_m: float = math.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """Many rays from one point: (n, 3) directions give (n,) distances (inf without a hit) and (n,) int32 geom ids."""
    body = -1 if exclude_body is None else int(world.model.body(exclude_body).id)
    start = np.ascontiguousarray(origin, dtype=np.float64)
    headings = _unit(np.asarray(directions, dtype=np.float64).reshape(-1, 3))
    count = len(headings)
    geoms, distances = np.full(count, NO_HIT, dtype=np.int32), np.full(count, -1.0)
    cutoff = min(max_distance_m, float(mujoco.mjMAXVAL))
    mask = _group_mask(geomgroups)
    if count:
        mujoco.mj_multiRay(
            world.model, world.data, start, headings.ravel(), mask, static, body, geoms, distances, None, count, cutoff
        )
    geoms[distances > max_distance_m] = NO_HIT  # the engine's cutoff only skips whole bodies
    distances[geoms == NO_HIT] = math.inf
    return distances, geoms


def cast_rays(
    world: World,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    exclude_body: int | str | None = None,
    geomgroups: Sequence[int] | None = None,
    static: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """Rays with their own starts: (n, 3) origins and directions give (n,) distances and (n,) int32 geom ids."""
    starts = np.asarray(origins, dtype=np.float64).reshape(-1, 3)
    headings = np.broadcast_to(np.asarray(directions, dtype=np.float64).reshape(-1, 3), starts.shape)
    hits = [
        cast_ray(world, start, heading, exclude_body=exclude_body, geomgroups=geomgroups, static=static)
        for start, heading in zip(starts, headings, strict=True)
    ]
    return np.array([hit[0] for hit in hits]), np.array([hit[1] for hit in hits], dtype=np.int32)
