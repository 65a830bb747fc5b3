"""Light closed meshes from a few numbers: lofts through elliptic rings, ellipsoids, mirrored copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Mesh", "Ring", "ellipsoid", "loft", "merge"]

Ring = tuple[float, ...]
"""Position along the axis, two half widths, and optionally the two centre coordinates across the axis (metres)."""

_ACROSS = {"x": (1, 2), "y": (0, 2), "z": (0, 1)}


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed triangle mesh, outward normals."""

    vertices: npt.NDArray[np.float64]
    """(V, 3) metres."""
    faces: npt.NDArray[np.int64]
    """(F, 3) vertex indices, counter-clockwise seen from outside."""

    def moved(self, offset: npt.ArrayLike) -> Mesh:
        """The mesh shifted by (3,)."""
        return Mesh(self.vertices + np.asarray(offset, dtype=np.float64), self.faces)

    def mirrored(self) -> Mesh:
        """The mesh on the other side of the body (x changes sign)."""
        return Mesh(self.vertices * np.array([-1.0, 1.0, 1.0]), self.faces[:, ::-1])


def loft(axis: str, rings: Sequence[Ring], *, segments: int = 14, power: float = 2.0) -> Mesh:
    """Skin through rings along ``axis`` (x, y or z), flat at both ends.

    A ring is an ellipse for ``power`` 2 and approaches a rectangle for larger powers.
    """
    along = "xyz".index(axis)
    u_axis, v_axis = _ACROSS[axis]
    table = np.array([(*ring, 0.0, 0.0)[:5] for ring in rings])
    angle = np.arange(segments) * (2.0 * np.pi / segments)
    u, v = (np.sign(wave) * np.abs(wave) ** (2.0 / power) for wave in (np.cos(angle), np.sin(angle)))
    points = np.zeros((len(table), segments, 3))
    points[..., along] = table[:, :1]
    points[..., u_axis] = table[:, 3:4] + table[:, 1:2] * u
    points[..., v_axis] = table[:, 4:5] + table[:, 2:3] * v
    ends = np.zeros((2, 3))
    ends[:, along], ends[:, u_axis], ends[:, v_axis] = table[[0, -1], 0], table[[0, -1], 3], table[[0, -1], 4]
    vertices = np.concatenate([points.reshape(-1, 3), ends])
    return _outward(vertices, _tube_faces(len(table), segments))


def ellipsoid(center: npt.ArrayLike, radii: npt.ArrayLike, *, segments: int = 10, rings: int = 6) -> Mesh:
    """A coarse ellipsoid: centre (3,), radii (3,)."""
    polar = np.linspace(0.06, np.pi - 0.06, rings)
    mesh = loft("y", [(-np.cos(t), np.sin(t), np.sin(t)) for t in polar], segments=segments)
    return Mesh(mesh.vertices * np.asarray(radii) + np.asarray(center), mesh.faces)


def merge(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several closed pieces."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def _tube_faces(rings: int, segments: int) -> npt.NDArray[np.int64]:
    """Quads between neighbouring rings as triangle pairs, and a fan at each end."""
    here = np.arange(segments)
    after = (here + 1) % segments
    faces = []
    for ring in range(rings - 1):
        low, high = ring * segments, (ring + 1) * segments
        faces.append(np.stack([low + here, low + after, high + after], axis=1))
        faces.append(np.stack([low + here, high + after, high + here], axis=1))
    first, last = rings * segments, rings * segments + 1
    top = (rings - 1) * segments
    faces.append(np.stack([np.full(segments, first), after, here], axis=1))
    faces.append(np.stack([np.full(segments, last), top + here, top + after], axis=1))
    return np.concatenate(faces)


def _outward(vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.int64]) -> Mesh:
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c))
    return Mesh(vertices, faces if volume > 0.0 else faces[:, ::-1])
