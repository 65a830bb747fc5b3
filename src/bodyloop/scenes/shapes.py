"""The shapes a part can have: MuJoCo's primitives and generated light meshes, as surfaces and as bounds.

Generators, with their parameters in ``Part.size_m``:

============  ====================================================  ==========================================
name          parameters                                            shape
============  ====================================================  ==========================================
``roundbox``  half extents x, y, z, edge radius                     box with rounded edges
``pillow``    half extents x, y, z                                  stuffed cushion, thin at its rim
``lathe``     radius, height, radius, height, ...                   turned about z, from the lowest point up
``oval``      depth over width, then as ``lathe``                   turned shape stretched along y
``tube``      radius, x, y, z, x, y, z, ...                         pipe through the points
``prism``     half height, x, y, x, y, ...                          outline (counter-clockwise, star-shaped) along z
``panel``     half width, half height                               upright picture facing -y, mapped 0..1
``sheet``     half width, half depth                                flat picture facing +z, mapped 0..1
``drape``     half width, half height, depth, folds                 curtain hanging in folds in the xz plane
``books``     width, depth, height, seed                            a row of books, spines facing -y, on z = 0
``foliage``   style, height, spread, count, seed                    leaves of a plant, growing from the origin
============  ====================================================  ==========================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from scipy.spatial.transform import Rotation

from bodyloop.errors import DataError, UnknownNameError
from bodyloop.scenes.description import Part, Vec3
from bodyloop.scenes.foliage import foliage
from bodyloop.scenes.surfaces import (
    FloatArray,
    Surface,
    bevel_box,
    grid_surface,
    merge,
    revolve,
    round_box,
    tube,
)

__all__ = ["GENERATORS", "Meshes", "generated", "mesh_vertices", "part_bounds", "part_surface"]

Meshes = Mapping[str, tuple[tuple[Vec3, ...], tuple[tuple[int, int, int], ...]]]
Parameters = tuple[float, ...]


def _round_box(size: Parameters) -> Surface:
    return round_box(size[:3], size[3], segments=3 if size[3] > 0.015 else 2)


def _pillow(size: Parameters) -> Surface:
    steps = np.linspace(-1.0, 1.0, 9)
    u, v = np.meshgrid(steps, steps)
    # the rim curves inward between the corners, the middle bulges
    width = 1.0 - 0.10 * (1 - v**2)
    depth = 1.0 - 0.10 * (1 - u**2)
    bulge = ((1 - u**4) * (1 - v**4)) ** 0.5
    pieces = []
    for side in (1.0, -1.0):
        points = np.stack([u * width * size[0], v * depth * size[1], side * bulge * size[2]], axis=-1)
        sheet = grid_surface(points, np.stack([u * size[0], v * size[1]], axis=-1))
        pieces.append(sheet if side > 0 else Surface(sheet.vertices, -sheet.normals, sheet.uv, sheet.faces[:, ::-1]))
    return merge(pieces)


def _lathe(size: Parameters) -> Surface:
    return revolve(np.array(size).reshape(-1, 2))


def _oval(size: Parameters) -> Surface:
    round_shape = revolve(np.array(size[1:]).reshape(-1, 2))
    stretch = np.array([1.0, size[0], 1.0])
    normals = round_shape.normals / stretch
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Surface(round_shape.vertices * stretch, normals, round_shape.uv, round_shape.faces)


def _tube(size: Parameters) -> Surface:
    return tube(np.array(size[1:]).reshape(-1, 3), size[0])


def _prism(size: Parameters) -> Surface:
    outline = np.array(size[1:]).reshape(-1, 2)
    height = size[0]
    pieces = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        points = np.array([[[*a, -height], [*b, -height]], [[*a, height], [*b, height]]])
        length = float(np.linalg.norm(b - a))
        uv = np.array([[[0.0, 0.0], [length, 0.0]], [[0.0, 2 * height], [length, 2 * height]]])
        pieces.append(grid_surface(points, uv))
    count = len(outline)
    middle = outline.mean(axis=0)
    for side in (-1.0, 1.0):
        flat = np.vstack([outline, middle])
        vertices = np.column_stack([flat, np.full(count + 1, side * height)])
        normals = np.tile([0.0, 0.0, side], (count + 1, 1))
        faces = np.array([(i, (i + 1) % count, count) for i in range(count)])
        pieces.append(Surface(vertices, normals, flat - flat.min(axis=0), faces if side > 0 else faces[:, ::-1]))
    return merge(pieces)


def _panel(size: Parameters) -> Surface:
    w, h = size
    points = np.array([[[-w, 0.0, -h], [w, 0.0, -h]], [[-w, 0.0, h], [w, 0.0, h]]])
    return grid_surface(points, np.array([[[0.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [1.0, 1.0]]]))


def _sheet(size: Parameters) -> Surface:
    w, d = size
    points = np.array([[[-w, -d, 0.0], [w, -d, 0.0]], [[-w, d, 0.0], [w, d, 0.0]]])
    return grid_surface(points, np.array([[[0.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [1.0, 1.0]]]))


def _drape(size: Parameters) -> Surface:
    half_width, half_height, depth, folds = size
    along = np.linspace(-1.0, 1.0, int(6 * folds) + 1)
    up = np.array([-1.0, -0.2, 0.6, 1.0])
    spread = np.array([1.25, 1.0, 0.85, 0.6])
    phase = np.pi * folds * (along + 1)
    points = np.stack(
        [
            np.broadcast_to(along * half_width, (4, len(along))),
            spread[:, None] * np.sin(phase)[None] * depth / 2.5,
            np.broadcast_to((up * half_height)[:, None], (4, len(along))),
        ],
        axis=-1,
    )
    uv = np.stack(np.meshgrid(along * half_width * 1.4, up * half_height), axis=-1)
    return grid_surface(points, uv).two_sided()


def _books(size: Parameters) -> Surface:
    width, depth, height, seed = size
    rng = np.random.default_rng(int(seed))
    pieces, x = [], -width / 2
    while x < width / 2 - 0.015:
        thick = float(rng.uniform(0.018, 0.045))
        thick = min(thick, width / 2 - x)
        tall, deep = height * float(rng.uniform(0.72, 1.0)), depth * float(rng.uniform(0.75, 1.0))
        block = bevel_box((thick / 2, deep / 2, tall / 2), grain=False, bevel=0.0)
        column = int(rng.integers(16))
        uv = np.column_stack([np.full(len(block.uv), (column + 0.5) / 16), np.full(len(block.uv), 0.02)])
        front = block.normals[:, 1] < -0.5
        uv[front, 0] = (column + 0.06 + 0.88 * (block.vertices[front, 0] > 0)) / 16
        uv[front, 1] = np.where(block.vertices[front, 2] > 0, 0.98, 0.02)
        top = block.normals[:, 2] > 0.5
        uv[top] = (0.5 / 16, 0.995)
        shift = np.array([x + thick / 2, -depth / 2 + deep / 2 + float(rng.uniform(0, 0.02)), tall / 2])
        pieces.append(Surface(block.vertices + shift, block.normals, uv, block.faces))
        x += thick + 0.001
        if rng.random() < 0.08:
            x += float(rng.uniform(0.02, 0.08))
    return merge(pieces)


def _foliage(size: Parameters) -> Surface:
    style, height, spread, count, seed = size
    return foliage(int(style), height, spread, int(count), int(seed))


GENERATORS: dict[str, Callable[[Parameters], Surface]] = {
    "roundbox": _round_box,
    "pillow": _pillow,
    "lathe": _lathe,
    "oval": _oval,
    "tube": _tube,
    "prism": _prism,
    "panel": _panel,
    "sheet": _sheet,
    "drape": _drape,
    "books": _books,
    "foliage": _foliage,
}
"""Mesh generators by name."""


@lru_cache(maxsize=4096)
def generated(mesh: str, size_m: Parameters) -> Surface:
    """Surface of a generator.

    Raises:
        UnknownNameError: no generator of this name.
        DataError: the parameters do not fit it.
    """
    if mesh not in GENERATORS:
        raise UnknownNameError("mesh", mesh, GENERATORS)
    try:
        return GENERATORS[mesh](size_m)
    except (ValueError, IndexError) as error:
        raise DataError(f"mesh {mesh!r} cannot be made from the sizes {size_m}: {error}") from error


def _cylinder(radius: float, half: float) -> Surface:
    bevel = min(0.003, 0.25 * radius, 0.25 * half)
    profile = [(1e-4, -half), (radius - bevel, -half), (radius, bevel - half), (radius, half - bevel)]
    slices = 10 if radius < 0.03 else 20
    return revolve(np.array([*profile, (radius - bevel, half), (1e-4, half)]), slices=slices)


def _globe(radii: Sequence[float], half: float = 0.0) -> Surface:
    """An ellipsoid; with ``half`` its two halves are moved apart along z: a capsule."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, 8 if max(radii) < 0.1 else 12)
    turn = np.linspace(0.0, 2 * np.pi, 17)
    lift = np.where(angles < 0, -half, half)[:, None]
    unit = np.stack(
        [
            np.cos(angles)[:, None] * np.cos(turn),
            np.cos(angles)[:, None] * np.sin(turn),
            np.broadcast_to(np.sin(angles)[:, None], (len(angles), len(turn))),
        ],
        axis=-1,
    )
    scale = np.asarray(radii, dtype=float)
    points = unit * scale
    points[..., 2] += lift
    normals = unit / scale
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    size = float(scale.mean())
    uv = np.stack(np.meshgrid(turn * size, angles * size + lift[:, 0]), axis=-1)
    return grid_surface(points, uv, normals)


@lru_cache(maxsize=4096)
def _primitive(shape: str, size: Parameters, grain: bool) -> Surface:
    if shape == "box":
        return bevel_box(size, grain=grain, bevel=None if grain else 0.0)
    if shape == "cylinder":
        return _cylinder(size[0], size[1])
    if shape == "capsule":
        return _globe((size[0],) * 3, size[1])
    return _globe(size if shape == "ellipsoid" else (size[0],) * 3)


def _listed(name: str, meshes: Meshes) -> Surface:
    vertices, faces = (np.array(values) for values in meshes[name])
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    flat = np.repeat(normals, 3, axis=0)
    points = corners.reshape(-1, 3)
    main = np.abs(flat).argmax(axis=1)
    u = np.where(main == 0, points[:, 1], points[:, 0])
    v = np.where(main == 2, points[:, 1], points[:, 2])
    return Surface(points, flat, np.column_stack([u, v]), np.arange(len(points)).reshape(-1, 3))


def part_surface(part: Part, meshes: Meshes | None = None, *, grain: bool = True) -> Surface:
    """Surface of a part in its own frame; ``grain`` as in ``bevel_box``."""
    if part.shape != "mesh":
        return _primitive(part.shape, part.size_m, grain)
    if part.mesh is not None and meshes is not None and part.mesh in meshes:
        return _listed(part.mesh, meshes)
    return generated(part.mesh or "", part.size_m)


def mesh_vertices(part: Part, meshes: Meshes | None = None) -> FloatArray:
    """Vertices (n, 3) of a mesh part in its own frame."""
    return part_surface(part, meshes).vertices


def part_bounds(part: Part, meshes: Meshes | None = None) -> tuple[FloatArray, FloatArray]:
    """Lower and upper corner (3,) of a part in the frame it hangs on."""
    if part.shape == "mesh":
        turn = Rotation.from_quat(part.rotation_xyzw)
        points = turn.apply(mesh_vertices(part, meshes))
        return points.min(axis=0) + part.position_m, points.max(axis=0) + part.position_m
    matrix = Rotation.from_quat(part.rotation_xyzw).as_matrix()
    size = np.array(part.size_m)
    if part.shape == "box":
        reach = np.abs(matrix) @ size
    elif part.shape in ("sphere", "ellipsoid"):
        radii = size if part.shape == "ellipsoid" else np.repeat(size, 3)
        reach = np.sqrt((matrix**2) @ radii**2)
    elif part.shape == "capsule":
        reach = np.abs(matrix[:, 2]) * size[1] + size[0]
    else:
        axis = np.abs(matrix[:, 2])
        reach = axis * size[1] + size[0] * np.sqrt(np.maximum(1 - axis**2, 0.0))
    center = np.array(part.position_m)
    return center - reach, center + reach
