"""Plane geometry of the oracle. Yaw is counter-clockwise about +Z from -Y, so yaw 0 looks along -Y with +X to the left."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

__all__ = ["FloatArray", "bearing", "box_distance", "forward", "leftward", "placed_links", "relative_links", "wrap"]

FloatArray = npt.NDArray[np.float64]


def forward(yaw_rad: float) -> FloatArray:
    """(2,) unit vector ahead."""
    return np.array([math.sin(yaw_rad), -math.cos(yaw_rad)])


def leftward(yaw_rad: float) -> FloatArray:
    """(2,) unit vector to the left."""
    return np.array([math.cos(yaw_rad), math.sin(yaw_rad)])


def wrap(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle_rad + math.pi) % (2.0 * math.pi) - math.pi


def bearing(vector: npt.ArrayLike) -> float:
    """Yaw that looks along a plane vector."""
    x, y = np.asarray(vector, dtype=np.float64)[:2]
    return math.atan2(float(x), -float(y))


def relative_links(links: FloatArray, xy: FloatArray, yaw_rad: float, floor_m: float) -> FloatArray:
    """(22, 3) link origins of someone at the origin of a floor at height 0, looking along yaw 0."""
    cosine, sine = math.cos(yaw_rad), math.sin(yaw_rad)
    offset = links[:, :2] - xy
    x, y = cosine * offset[:, 0] + sine * offset[:, 1], -sine * offset[:, 0] + cosine * offset[:, 1]
    return np.stack([x, y, links[:, 2] - floor_m], axis=-1)


def placed_links(relative: FloatArray, xy: FloatArray, yaw_rad: FloatArray, floor_m: FloatArray) -> FloatArray:
    """(..., 22, 3) link origins of the same posture at ``xy`` (..., 2), ``yaw_rad`` (...) and ``floor_m`` (...)."""
    cosine, sine = np.cos(yaw_rad)[..., None], np.sin(yaw_rad)[..., None]
    x = xy[..., 0, None] + cosine * relative[:, 0] - sine * relative[:, 1]
    y = xy[..., 1, None] + sine * relative[:, 0] + cosine * relative[:, 1]
    z = np.broadcast_to(np.asarray(floor_m)[..., None] + relative[:, 2], x.shape)
    return np.stack([x, y, z], axis=-1)


def box_distance(points: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """(...) smallest distance of ``points`` (..., n, 3) to an axis-aligned box, 0 inside."""
    outside = np.maximum(np.maximum(lower - points, points - upper), 0.0)
    smallest: FloatArray = np.linalg.norm(outside, axis=-1).min(axis=-1)
    return smallest
