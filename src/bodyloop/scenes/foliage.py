"""Leaves: curved two-sided blades arranged as five kinds of house plant."""

from __future__ import annotations

import numpy as np

from bodyloop.scenes.surfaces import FloatArray, Surface, grid_surface, merge, tube

__all__ = ["STYLES", "foliage"]

STYLES = ("ficus", "palm", "monstera", "snake", "bush")
"""Plant habits by style number."""

_UP = np.array([0.0, 0.0, 1.0])


def _blade(
    base: FloatArray, heading: float, rise: float, length: float, width: float, droop: float, rows: int = 4
) -> Surface:
    """One leaf from ``base``: it leaves at ``rise`` above the horizon towards ``heading`` and bends down by ``droop``."""
    t = np.linspace(0.0, 1.0, rows + 1)
    pitch = rise - droop * t
    step = length / rows
    out = np.concatenate([[0.0], np.cumsum(np.cos(pitch[:-1]) * step)])
    up = np.concatenate([[0.0], np.cumsum(np.sin(pitch[:-1]) * step)])
    forward = np.array([np.cos(heading), np.sin(heading), 0.0])
    side = np.array([-np.sin(heading), np.cos(heading), 0.0])
    spine = base + out[:, None] * forward + up[:, None] * _UP
    half = width / 2 * np.sin(np.pi * np.clip(t * 0.94 + 0.06, 0, 1)) ** 0.7
    half[-1] = 0.04 * width
    lift = np.stack([-np.sin(pitch)[:, None] * forward + np.cos(pitch)[:, None] * _UP] * 1)[0]
    columns = np.array([-1.0, 0.0, 1.0])
    points = spine[:, None] + half[:, None, None] * columns[None, :, None] * side
    points = points + (np.abs(columns)[None, :, None] * 0.35 * half[:, None, None]) * lift[:, None]
    uv = np.stack(np.meshgrid((columns + 1) / 2, t), axis=-1)
    return grid_surface(points, uv).two_sided()


def _stem(points: FloatArray, radius: float) -> Surface:
    pipe = tube(points, radius, slices=5)
    return Surface(pipe.vertices, pipe.normals, np.full_like(pipe.uv, 0.5) * [1.0, 0.04], pipe.faces)


def _ficus(height: float, spread: float, count: int, rng: np.random.Generator) -> list[Surface]:
    pieces = []
    stems = 3
    for stem in range(stems):
        lean = 2 * np.pi * (stem + rng.uniform(0, 0.6)) / stems
        tip = np.array([0.22 * spread * np.cos(lean), 0.22 * spread * np.sin(lean), height * rng.uniform(0.78, 0.95)])
        line = np.array([[0.0, 0, 0], tip * [0.5, 0.5, 0.45], tip])
        pieces.append(_stem(line, 0.006 + 0.006 * height))
        for leaf in range(count // stems):
            share = 0.3 + 0.7 * (leaf + 1) / (count // stems)
            base = tip * np.array([share, share, share])
            length = spread * rng.uniform(0.26, 0.4)
            rise = rng.uniform(0.1, 0.9)
            pieces.append(_blade(base, leaf * 2.4 + stem, rise, length, 0.5 * length, rng.uniform(0.7, 1.4)))
    return pieces


def _palm(height: float, spread: float, count: int, rng: np.random.Generator) -> list[Surface]:
    trunk = np.array([[0.0, 0, 0], [0.01, 0.01, 0.25 * height], [0.0, 0.0, 0.45 * height]])
    pieces = [_stem(trunk, 0.02)]
    for leaf in range(count):
        share = leaf / max(count - 1, 1)
        base = np.array([0.0, 0.0, height * (0.30 + 0.15 * share)])
        length = spread * rng.uniform(0.62, 0.78)
        rise = 0.35 + 1.0 * share
        pieces.append(_blade(base, leaf * 2.4, rise, length, 0.09 * spread, 1.5 - 0.35 * share, rows=5))
    return pieces


def _monstera(height: float, spread: float, count: int, rng: np.random.Generator) -> list[Surface]:
    pieces = []
    for leaf in range(count):
        heading = leaf * 2.4
        tall = height * rng.uniform(0.35, 0.82)
        reach = spread * rng.uniform(0.10, 0.26)
        end = np.array([reach * np.cos(heading), reach * np.sin(heading), tall])
        line = np.array([[0.0, 0, 0], end * [0.35, 0.35, 0.6], end])
        pieces.append(_stem(line, 0.006))
        length = spread * rng.uniform(0.3, 0.38)
        pieces.append(_blade(end, heading, rng.uniform(0.2, 0.6), length, 0.85 * length, rng.uniform(0.9, 1.5), rows=5))
    return pieces


def _snake(height: float, spread: float, count: int, rng: np.random.Generator) -> list[Surface]:
    pieces = []
    for leaf in range(count):
        heading = leaf * 2.4
        ring = 0.28 * spread * np.sqrt((leaf + 0.5) / count)
        base = np.array([ring * np.cos(heading), ring * np.sin(heading), 0.0])
        length = height * rng.uniform(0.6, 1.0)
        pieces.append(_blade(base, heading + rng.uniform(-0.5, 0.5), 1.5, length, 0.11 * height, 0.22, rows=3))
    return pieces


def _bush(height: float, spread: float, count: int, rng: np.random.Generator) -> list[Surface]:
    pieces = []
    for leaf in range(count):
        share = (leaf + 0.5) / count
        heading = leaf * 2.4
        rise = np.arcsin(np.clip(1.0 - 1.05 * share, -1, 1))
        base = np.array([np.cos(heading) * np.cos(rise), np.sin(heading) * np.cos(rise), 0.0]) * 0.24 * spread
        base[2] = height * (0.42 + 0.36 * np.sin(rise))
        length = min(spread, height) * rng.uniform(0.24, 0.34)
        pieces.append(_blade(base, heading, rise * 0.8, length, 0.55 * length, rng.uniform(0.5, 1.2), rows=3))
        if leaf % 4 == 0:
            pieces.append(_stem(np.array([[0.0, 0, 0], base * [0.5, 0.5, 0.6], base]), 0.004))
    return pieces


def foliage(style: int, height: float, spread: float, count: int, seed: int) -> Surface:
    """Leaves and stems of a plant ``height`` tall and about ``spread`` wide, growing from the origin."""
    rng = np.random.default_rng(seed)
    grow = (_ficus, _palm, _monstera, _snake, _bush)[style % len(STYLES)]
    whole = merge(grow(height, spread, count, rng))
    low, high = whole.vertices.min(axis=0), whole.vertices.max(axis=0)
    # exactly within the promised box: the layout relies on it
    wide = max(high[0], -low[0], high[1], -low[1]) / (spread / 2)
    scale = np.array([1 / max(wide, 1.0), 1 / max(wide, 1.0), height / high[2]])
    vertices = whole.vertices * scale
    vertices[:, 2] = np.maximum(vertices[:, 2], 0.0)
    return Surface(vertices, whole.normals, whole.uv, whole.faces)
