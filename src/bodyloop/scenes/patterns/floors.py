"""Floors: boards, parquet, tiles, stone, carpet. One tile of the pattern is one ``repeat_m`` square."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bodyloop.scenes.patterns.noise import Image, axes, fbm, hash_cells, noise, smoothstep, tinted

__all__ = ["carpet", "checker_tiles", "herringbone", "hex_tiles", "marble", "planks", "terracotta", "terrazzo", "tiles"]


def _grain(rng: np.random.Generator, size: int) -> Image:
    """Wood fibres along u, 0..1."""
    coarse = fbm(rng, size, 24, 3, 3)
    fine = noise(rng, size, size // 2, 8)
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (6 * coarse + 3 * noise(rng, size, 6, 2)))
    return np.asarray(0.45 * coarse + 0.25 * fine + 0.30 * rings, np.float32)


def planks(rng: np.random.Generator, size: int) -> Image:
    """Sixteen rows of boards, each with two joints."""
    rows, per_row = 16, 2
    u, v = axes(size)
    row = np.floor(v * rows).astype(np.int64)
    start = rng.random(rows).astype(np.float32)
    start[1::2] = (start[::2] + 0.25 + 0.5 * rng.random(rows // 2)) % 1.0
    along = (u + start[row[:, 0]][:, None]) * per_row
    board = np.floor(along).astype(np.int64) % per_row + row * per_row
    grain = _grain(rng, size)
    shift = rng.integers(0, size, rows)
    band = size // rows
    for index in range(rows):
        grain[index * band : (index + 1) * band] = np.roll(
            grain[index * band : (index + 1) * band], shift[index], axis=1
        )
    tone = hash_cells(rng, board, rows * per_row)
    across = v * rows % 1.0
    gap = np.minimum(np.minimum(across, 1 - across) * band, np.minimum(along % 1, 1 - along % 1) * size / per_row)
    value = (0.80 + 0.20 * tone) * (0.86 + 0.20 * grain) * (0.55 + 0.45 * smoothstep(0.3, 1.6, gap))
    warm = 0.06 * (hash_cells(rng, board, rows * per_row) - 0.5)
    return tinted(value, warm)


def herringbone(rng: np.random.Generator, size: int) -> Image:
    """Parquet of 1:4 blocks, two periods of eight widths."""
    length, units = 4, 16
    u, v = axes(size)
    x, y = np.broadcast_arrays(u * units, v * units)
    i, j = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    k = (i - j) % (2 * length)
    flat = k < length
    along = np.where(flat, x - i + k, y - j + (2 * length - 1 - k))
    across = np.where(flat, y - j, x - i)
    block = np.where(
        flat, (i - k) % units * 31 + j % units * 17, (j - (2 * length - 1 - k)) % units * 23 + i % units * 41 + 7
    )
    grain = _grain(rng, size)
    wood = np.where(flat, grain, grain.T)
    tone = hash_cells(rng, block, 97)
    edge = np.minimum(np.minimum(across, 1 - across), np.minimum(along, length - along)) * size / units
    value = (0.78 + 0.22 * tone) * (0.84 + 0.22 * wood) * (0.6 + 0.4 * smoothstep(0.2, 1.5, edge))
    return tinted(value, 0.05 * (hash_cells(rng, block, 89) - 0.5))


def _grid(
    rng: np.random.Generator, size: int, count: int, grout_px: float
) -> tuple[Image, Image, npt.NDArray[np.int64]]:
    """(tone per tile, mask of the tile faces, tile index) of a square grid."""
    u, v = axes(size)
    column, row = np.floor(u * count).astype(np.int64), np.floor(v * count).astype(np.int64)
    index = row * count + column
    edge = np.minimum(np.minimum(u * count % 1, 1 - u * count % 1), np.minimum(v * count % 1, 1 - v * count % 1))
    edge = np.asarray(edge * (size / count), np.float32)
    return hash_cells(rng, index, count * count), smoothstep(grout_px, grout_px + 1.6, edge), index


def tiles(rng: np.random.Generator, size: int) -> Image:
    """Four by four large ceramic tiles with a cloudy glaze."""
    tone, face, _ = _grid(rng, size, 4, 1.0)
    cloud = fbm(rng, size, 6, 6, 4)
    return tinted((0.86 + 0.08 * tone + 0.12 * (cloud - 0.5)) * (0.70 + 0.30 * face), 0.02 * (cloud - 0.5))


def terracotta(rng: np.random.Generator, size: int) -> Image:
    """Four by four fired-clay tiles with uneven colour and pale joints."""
    tone, face, _ = _grid(rng, size, 4, 2.0)
    cloud = fbm(rng, size, 10, 10, 4)
    clay = tinted((0.74 + 0.2 * tone) * (0.80 + 0.32 * cloud), 0.10 * (tone - 0.5))
    joint = np.array([0.98, 1.15, 1.25], np.float32) * 0.82
    return np.asarray(joint + (clay - joint) * face[..., None])


def checker_tiles(rng: np.random.Generator, size: int) -> Image:
    """Four by four tiles, light and dark in turn."""
    tone, face, index = _grid(rng, size, 4, 0.6)
    dark = (index // 4 + index % 4) % 2
    cloud = fbm(rng, size, 5, 5, 5)
    value = np.where(dark, 0.20 + 0.05 * tone, 0.93) + 0.10 * (cloud - 0.5)
    return tinted(value * (0.75 + 0.25 * face))


def hex_tiles(rng: np.random.Generator, size: int) -> Image:
    """Honeycomb of small tiles, eight columns wide."""
    u, v = axes(size)
    columns, rows = 8, 8  # rows of centres; the cells are squeezed by 13 % to repeat in a square
    best = np.full((size, size), 1e9, np.float32)
    second = best.copy()
    index = np.zeros((size, size), np.int64)
    y = np.broadcast_to(v * rows, (size, size))
    x = np.broadcast_to(u * columns, (size, size))
    for offset in (-1, 0, 1, 2):
        row = np.floor(y) + offset
        shift = 0.5 * (row % 2)
        column = np.round(x - shift - 0.5)
        for side in (-1, 0, 1):
            cx, cy = column + side + shift + 0.5, row + 0.5
            distance = (x - cx) ** 2 + ((y - cy) * 0.866) ** 2
            closer = distance < best
            second = np.minimum(np.where(closer, best, distance), second)
            index = np.where(closer, (row % rows * columns + (column + side) % columns).astype(np.int64), index)
            best = np.where(closer, distance, best)
    edge = np.asarray((np.sqrt(second) - np.sqrt(best)) * size / columns / 2, np.float32)
    tone = hash_cells(rng, index, rows * columns)
    accent = tone > 0.86
    value = np.where(accent, 0.55, 0.86 + 0.12 * tone)
    return tinted(value * (0.66 + 0.34 * smoothstep(0.8, 2.4, edge)))


def marble(rng: np.random.Generator, size: int) -> Image:
    """Two by two polished slabs with grey veins."""
    _, face, index = _grid(rng, size, 2, 0.3)
    warp = fbm(rng, size, 3, 3, 5)
    veins = np.zeros((size, size), np.float32)
    u, v = axes(size)
    for frequency, strength in ((2, 0.8), (3, 0.45), (5, 0.3)):
        wave = np.abs(np.sin(np.pi * (frequency * (u + v) + 3.5 * warp + rng.random())))
        veins += strength * (1 - smoothstep(0.0, 0.22, wave)) * noise(rng, size, 5, 5)
    value = 0.97 - 0.34 * np.clip(veins, 0, 1) + 0.06 * (warp - 0.5) - 0.03 * (index % 2)
    return tinted(value * (0.82 + 0.18 * face), 0.015)


def terrazzo(rng: np.random.Generator, size: int) -> Image:
    """Stone chips in pale cement."""
    image = tinted(0.90 + 0.05 * (fbm(rng, size, 16, 16, 3) - 0.5))
    for colour in ((0.62, 0.55, 0.48), (0.45, 0.47, 0.50), (0.80, 0.62, 0.50)):
        chips = smoothstep(0.69, 0.73, noise(rng, size, 40, 40))
        image = np.asarray(image + (np.array(colour, np.float32) - image) * (0.8 * chips)[..., None])
    return image


def carpet(rng: np.random.Generator, size: int) -> Image:
    """Short pile: fine speckle over soft patches."""
    speckle = rng.random((size, size), dtype=np.float32)
    tuft = noise(rng, size, size // 3, size // 3)
    patch = fbm(rng, size, 4, 4, 3)
    return tinted(0.66 + 0.16 * speckle + 0.18 * tuft + 0.14 * (patch - 0.5), 0.02)
