"""Triangle surfaces with normals and texture coordinates, and the elementary ways to make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["FloatArray", "Surface", "bevel_box", "grid_surface", "merge", "revolve", "round_box", "tube"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Surface:
    """A lit, textured triangle surface."""

    vertices: FloatArray
    """(n, 3) metres."""
    normals: FloatArray
    """(n, 3) unit outward normals."""
    uv: FloatArray
    """(n, 2) texture coordinates in metres along the surface (or 0..1 where a whole picture is mapped)."""
    faces: IntArray
    """(m, 3) counter-clockwise seen from outside."""

    def moved(self, rotation: FloatArray, offset: FloatArray) -> Surface:
        """The surface turned by a 3x3 matrix, then shifted."""
        return Surface(self.vertices @ rotation.T + offset, self.normals @ rotation.T, self.uv, self.faces)

    def two_sided(self) -> Surface:
        """The surface with its back: MuJoCo culls back faces."""
        back = Surface(self.vertices, -self.normals, self.uv, self.faces[:, ::-1])
        return merge([self, back])


def merge(surfaces: Sequence[Surface]) -> Surface:
    """All surfaces as one."""
    offsets = np.cumsum([0] + [len(item.vertices) for item in surfaces[:-1]])
    return Surface(
        np.concatenate([item.vertices for item in surfaces]),
        np.concatenate([item.normals for item in surfaces]),
        np.concatenate([item.uv for item in surfaces]),
        np.concatenate([item.faces + offset for item, offset in zip(surfaces, offsets, strict=True)]),
    )


def grid_surface(points: FloatArray, uv: FloatArray, normals: FloatArray | None = None) -> Surface:
    """A sheet from (rows, columns, 3) points; smooth normals by differences unless given.

    The front is where columns grow to the right and rows grow upward.
    """
    rows, columns, _ = points.shape
    if normals is None:
        along = np.gradient(points, axis=1)
        up = np.gradient(points, axis=0)
        normals = np.cross(along, up)
        normals = normals / np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-12)
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
    return Surface(points.reshape(-1, 3), normals.reshape(-1, 3), uv.reshape(-1, 2), faces)


def _face_axes(half: Sequence[float], normal: int, grain: bool) -> tuple[int, int]:
    """In-plane axes of a box face: the one u follows and the one v follows."""
    first, second = [axis for axis in range(3) if axis != normal]
    if grain and half[second] > half[first]:
        return second, first
    return first, second


@lru_cache(maxsize=1)
def _box_topology() -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """(normal axis (24,), corner signs (24, 3), faces of the six sides, faces of the bevel) of any box."""
    axis: list[int] = []
    signs: list[list[int]] = []
    sides: list[list[int]] = []
    for normal in range(3):
        u, v = (normal + 1) % 3, (normal + 2) % 3
        for side in (-1, 1):
            start = len(axis)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = [0, 0, 0]
                corner[normal], corner[u], corner[v] = side, a, b
                axis.append(normal)
                signs.append(corner)
            quad = (0, 1, 2, 3) if side > 0 else (3, 2, 1, 0)
            sides += [[start + quad[i] for i in face] for face in ((0, 1, 2), (0, 2, 3))]
    axes, corners = np.array(axis), np.array(signs)
    return axes, corners, np.array(sides), np.array(_bevel_faces(axes, corners))


def _bevel_faces(axis: IntArray, signs: IntArray) -> list[list[int]]:
    """Strips between neighbouring sides of a box and the triangles at its corners."""
    points = signs * (1.0 + 0.5 * (axis[:, None] == np.arange(3)))
    lookup = {(int(a), *map(int, s)): i for i, (a, s) in enumerate(zip(axis, signs, strict=True))}
    faces: list[list[int]] = []
    for corner in [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]:
        faces.append(_outward(points, [lookup[(a, *corner)] for a in range(3)]))
        for along in range(3):
            if corner[along] > 0:
                continue
            other = tuple(-c if i == along else c for i, c in enumerate(corner))
            first, second = [a for a in range(3) if a != along]
            a, b = lookup[(first, *corner)], lookup[(first, *other)]
            c, d = lookup[(second, *other)], lookup[(second, *corner)]
            faces += [_outward(points, [a, b, c]), _outward(points, [a, c, d])]
    return faces


def _outward(points: FloatArray, face: list[int]) -> list[int]:
    a, b, c = face
    normal = np.cross(points[b] - points[a], points[c] - points[a])
    return [a, b, c] if float(normal @ (points[a] + points[b] + points[c])) >= 0 else [a, c, b]


def bevel_box(half: Sequence[float], *, grain: bool = True, bevel: float | None = None) -> Surface:
    """A box whose edges are broken by a small bevel, so that they catch light.

    With ``grain`` u follows the longer side of every face (wood grain); without, u is horizontal on walls.
    """
    size = np.asarray(half, dtype=float)
    width = min(0.004, 0.25 * float(size.min())) if bevel is None else bevel
    axis, signs, sides, strips = _box_topology()
    on_axis = axis[:, None] == np.arange(3)
    in_plane = np.array([_face_axes(half, normal, grain) for normal in range(3)])[axis]
    corners: FloatArray = signs.astype(float)
    scaled = corners * size
    uv = np.take_along_axis(scaled, in_plane, axis=1)
    faces = np.concatenate([sides, strips]) if width > 1e-6 else sides
    return Surface(corners * np.where(on_axis, size, size - width), np.where(on_axis, corners, 0.0), uv, faces)


def round_box(half: Sequence[float], radius: float, *, segments: int = 3) -> Surface:
    """A box rounded by ``radius``; texture coordinates are projected along the nearest axis."""
    size = np.asarray(half, dtype=float)
    inner = np.maximum(size - radius, 0.0)
    angles = np.linspace(-np.pi / 4, 0.0, segments)
    steps = radius * (1 + np.tan(angles))
    pieces = []
    for axis in range(3):
        u_axis, v_axis = _face_axes(half, axis, True)
        for side in (-1.0, 1.0):
            coords = [
                np.concatenate([-inner[i] - radius + steps, inner[i] + radius - steps[::-1]]) for i in (u_axis, v_axis)
            ]
            u, v = np.meshgrid(*coords)
            points = np.zeros((*u.shape, 3))
            points[..., u_axis], points[..., v_axis], points[..., axis] = u, v, side * size[axis]
            core = np.clip(points, -inner, inner)
            normal = points - core
            normal /= np.linalg.norm(normal, axis=2, keepdims=True)
            points = core + radius * normal
            sheet = grid_surface(points, np.stack([u, v], axis=-1), normal)
            basis = np.zeros((3, 3))
            basis[0, u_axis], basis[1, v_axis], basis[2, axis] = 1, 1, side
            pieces.append(sheet if np.linalg.det(basis) > 0 else _flipped(sheet))
    return merge(pieces)


def _flipped(surface: Surface) -> Surface:
    return Surface(surface.vertices, surface.normals, surface.uv, surface.faces[:, ::-1])


def revolve(profile: FloatArray, *, slices: int = 20, smooth: bool = True) -> Surface:
    """Turn (k, 2) (radius, height) pairs about z; the outline runs up the outside (and down the inside, if any).

    With ``smooth`` corners below about 50 degrees are shaded round, sharper ones stay edges.
    """
    pieces = []
    turn = np.linspace(0.0, 2 * np.pi, slices + 1)
    runs = _smooth_runs(profile) if smooth else [profile[i : i + 2] for i in range(len(profile) - 1)]
    girth = 2 * np.pi * float(profile[:, 0].max())
    for run in runs:
        tangent = np.gradient(run, axis=0)
        outward = np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)
        outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-12)
        length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(run, axis=0), axis=1))])
        cos, sin = np.cos(turn)[None], np.sin(turn)[None]
        radius, height = run[:, :1], np.broadcast_to(run[:, 1:], (len(run), len(turn)))
        points = np.stack([radius * cos, radius * sin, height], axis=-1)
        across = outward[:, :1]
        normals = np.stack([across * cos, across * sin, np.broadcast_to(outward[:, 1:], height.shape)], axis=-1)
        u = np.broadcast_to(turn[None] / (2 * np.pi) * girth, height.shape)
        v = np.broadcast_to(length[:, None], height.shape)
        pieces.append(grid_surface(points, np.stack([u, v], axis=-1), normals))
    return merge(pieces)


def _smooth_runs(profile: FloatArray) -> list[FloatArray]:
    step = np.diff(profile, axis=0)
    step = step / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-12)
    bend = np.sum(step[:-1] * step[1:], axis=1) < 0.64
    cuts = [0, *(np.flatnonzero(bend) + 1).tolist(), len(profile) - 1]
    return [profile[a : b + 1] for a, b in pairwise(cuts)]


def tube(points: FloatArray, radius: float, *, slices: int = 8) -> Surface:
    """A pipe through (k, 3) points with flat ends left open."""
    tangent = np.gradient(points, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-12)
    reference = np.array([0.0, 0.0, 1.0]) if abs(tangent[0, 2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    rings, normals = [], []
    turn = np.linspace(0.0, 2 * np.pi, slices + 1)
    for point, direction in zip(points, tangent, strict=True):
        side = np.cross(direction, reference)
        if np.linalg.norm(side) < 1e-6:
            side = np.cross(direction, np.roll(reference, 1))
        side /= np.linalg.norm(side)
        up = np.cross(side, direction)
        reference = up
        normal = np.cos(turn)[:, None] * side - np.sin(turn)[:, None] * up
        rings.append(point + radius * normal)
        normals.append(normal)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    u = np.broadcast_to(turn * radius, (len(points), slices + 1))
    v = np.broadcast_to(length[:, None], u.shape)
    sheet = grid_surface(np.array(rings), np.stack([u, v], axis=-1), np.array(normals))
    return _facing_out(sheet)


def _facing_out(surface: Surface) -> Surface:
    a, b, c = (surface.vertices[surface.faces[:, i]] for i in range(3))
    turned = np.sum(np.cross(b - a, c - a) * surface.normals[surface.faces[:, 0]], axis=1) < 0
    faces = np.where(turned[:, None], surface.faces[:, ::-1], surface.faces)
    return Surface(surface.vertices, surface.normals, surface.uv, faces)
