"""Walls: paint, plaster, paper, brick, wall tiles. u runs along the wall, v up."""

from __future__ import annotations

import numpy as np

from bodyloop.scenes.patterns.noise import Image, axes, fbm, hash_cells, noise, smoothstep, tinted

__all__ = ["brick", "damask", "metro_tiles", "paint", "panels", "plaster", "small_tiles", "stripes"]


def paint(rng: np.random.Generator, size: int) -> Image:
    """Roller-painted wall: barely mottled."""
    return tinted(0.955 + 0.05 * (fbm(rng, size, 4, 4, 4) - 0.5) + 0.025 * (rng.random((size, size), np.float32) - 0.5))


def plaster(rng: np.random.Generator, size: int) -> Image:
    """Trowelled plaster lit from one side."""
    height = fbm(rng, size, 7, 5, 5)
    relief = (np.roll(height, 1, axis=0) - np.roll(height, -1, axis=0)) + (np.roll(height, 1, axis=1) - height)
    return tinted(0.93 + 0.9 * relief + 0.09 * (height - 0.5))


def stripes(rng: np.random.Generator, size: int) -> Image:
    """Wallpaper with wide and narrow upright stripes."""
    u, _ = axes(size)
    wide = smoothstep(0.48, 0.52, np.asarray(np.abs((u * 6) % 1 - 0.5) * 2))
    thin = 1 - smoothstep(0.02, 0.05, np.asarray(np.abs((u * 6) % 1 - 0.5)))
    paper = 0.98 - 0.025 * rng.random((size, size), dtype=np.float32)
    return tinted(paper * (1 - 0.13 * wide) * (1 - 0.09 * thin), 0.015)


def damask(rng: np.random.Generator, size: int) -> Image:
    """Wallpaper with a repeating ornament, two tones."""
    u, v = axes(size)
    value = np.zeros((size, size), np.float32)
    for shift in (0.0, 0.5):
        x = np.abs(((u * 4 + shift) % 1) - 0.5) * 2
        y = ((v * 2 + shift) % 1) - 0.5
        bud = 1 - np.hypot(x * 1.5, (y - 0.10) * 3.2)
        leaves = 1 - np.hypot((x - 0.42 - 0.25 * np.sin(6 * y)) * 3.6, (y + 0.12) * 3.0)
        stem = 1 - np.hypot(x * 14, (y + 0.22) * 3.4)
        drop = 1 - np.hypot(x * 5.5, (y - 0.42) * 9)
        value = np.maximum(value, np.maximum(np.maximum(bud * (0.5 + 0.9 * x), leaves), np.maximum(stem, drop)))
    ornament = smoothstep(0.28, 0.36, value)
    paper = 0.97 - 0.03 * rng.random((size, size), dtype=np.float32)
    return tinted(paper * (1 - 0.16 * ornament), 0.01)


def panels(rng: np.random.Generator, size: int) -> Image:
    """Tongue-and-groove boards, upright."""
    u, _ = axes(size)
    edge = np.asarray(np.abs((u * 10) % 1 - 0.5) * 2)
    groove = smoothstep(0.90, 0.97, edge)
    grain = fbm(rng, size, 3, 40, 3)
    return tinted((0.95 + 0.07 * (grain - 0.5)) * (1 - 0.30 * groove))


def _bond(size: int, rows: int, columns: int, joint_px: float) -> tuple[Image, np.ndarray]:
    """(mask of the faces, index) of a running bond."""
    u, v = axes(size)
    row = np.floor(v * rows).astype(np.int64)
    x = u * columns + 0.5 * (row % 2)
    index = row * columns + np.floor(x).astype(np.int64) % columns
    edge_u = np.minimum(x % 1, 1 - x % 1) * size / columns
    edge_v = np.minimum(v * rows % 1, 1 - v * rows % 1) * size / rows
    return smoothstep(joint_px, joint_px + 2.0, np.asarray(np.minimum(edge_u, edge_v))), index


def brick(rng: np.random.Generator, size: int) -> Image:
    """Whitewashed brickwork, sixteen courses."""
    face, index = _bond(size, 16, 5, 2.0)
    tone = hash_cells(rng, index, 80)
    rough = fbm(rng, size, 24, 24, 4)
    bricks = tinted((0.74 + 0.24 * tone) * (0.86 + 0.28 * rough), 0.05 + 0.06 * (tone - 0.5))
    mortar = tinted(0.97 * (0.94 + 0.1 * noise(rng, size, 64, 64)))
    return np.asarray(mortar + (bricks - mortar) * face[..., None])


def metro_tiles(rng: np.random.Generator, size: int) -> Image:
    """Glazed brick-shaped tiles, twelve courses."""
    face, index = _bond(size, 12, 6, 1.0)
    tone = hash_cells(rng, index, 72)
    _, v = axes(size)
    sheen = 0.04 * ((v * 12) % 1)
    return tinted((0.90 + 0.06 * tone + sheen) * (0.74 + 0.26 * face))


def small_tiles(rng: np.random.Generator, size: int) -> Image:
    """Mosaic of small square tiles with varied glaze, twelve by twelve."""
    u, v = axes(size)
    count = 12
    index = np.floor(v * count).astype(np.int64) * count + np.floor(u * count).astype(np.int64)
    edge = np.minimum(np.minimum(u * count % 1, 1 - u * count % 1), np.minimum(v * count % 1, 1 - v * count % 1))
    face = smoothstep(0.03, 0.08, np.asarray(edge))
    tone = hash_cells(rng, index, count * count)
    return tinted((0.80 + 0.18 * tone) * (0.72 + 0.28 * face), 0.03 * (tone - 0.5))
