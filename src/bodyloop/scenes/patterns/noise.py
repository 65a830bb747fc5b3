"""Periodic noise and the small tools patterns are drawn with.

Images are float arrays (rows, columns) or (rows, columns, 3) in 0..1; row 0 is the bottom (v = 0), column 0 is u = 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Image", "axes", "blend", "fbm", "hash_cells", "noise", "smoothstep", "tinted", "to_bytes"]

Image = npt.NDArray[np.float32]


def _cells(size: int, cells: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Image]:
    """Neighbouring lattice points of every pixel and the smooth share of the second."""
    position = np.arange(size, dtype=np.float32) * np.float32(cells / size)
    low = np.floor(position).astype(np.int64)
    share = position - low
    return low % cells, (low + 1) % cells, share * share * (3 - 2 * share)


def noise(rng: np.random.Generator, size: int, rows: int, columns: int) -> Image:
    """Periodic value noise in 0..1 with the given numbers of cells along v and u, (size, size)."""
    lattice = rng.random((rows, columns), dtype=np.float32)
    low, high, share = _cells(size, columns)
    wide = lattice[:, low] + (lattice[:, high] - lattice[:, low]) * share
    low, high, share = _cells(size, rows)
    below = wide[low]
    return np.asarray(below + (wide[high] - below) * share[:, None])


def fbm(rng: np.random.Generator, size: int, rows: int, columns: int, octaves: int = 4) -> Image:
    """Fractal sum of periodic noise, about 0..1 with mean 0.5."""
    total = np.zeros((size, size), np.float32)
    weight, norm = 1.0, 0.0
    for octave in range(octaves):
        r, c = min(rows << octave, size), min(columns << octave, size)
        total += weight * noise(rng, size, r, c)
        norm += weight
        weight *= 0.5
    return total / norm


def axes(size: int) -> tuple[Image, Image]:
    """Coordinates u (columns) and v (rows) of the pixel middles in 0..1, as broadcastable (1, n) and (n, 1)."""
    line: Image = (np.arange(size, dtype=np.float32) + np.float32(0.5)) / np.float32(size)
    return line[None, :], line[:, None]


def smoothstep(low: float, high: float, value: Image) -> Image:
    """0 below ``low``, 1 above ``high``, smooth between (also with low > high)."""
    share = np.clip((value - low) / (high - low), 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))


def hash_cells(rng: np.random.Generator, index: npt.NDArray[np.int64], count: int) -> Image:
    """A random number in 0..1 per cell index."""
    return np.asarray(rng.random(count, dtype=np.float32)[index % count])


def blend(image: Image, colour: Sequence[float], mask: Image) -> Image:
    """Paint ``colour`` over an RGB image where ``mask`` (rows, columns) is 1."""
    return np.asarray(image + (np.asarray(colour, np.float32) - image) * mask[..., None])


def tinted(value: Image, warm: Image | float = 0.0) -> Image:
    """Grey image as RGB; ``warm`` shifts from blue to red by up to its value."""
    shift = np.asarray(warm, np.float32)
    return np.stack([value * (1 + shift), value, value * (1 - shift)], axis=-1)


def to_bytes(image: Image) -> npt.NDArray[np.uint8]:
    """RGB bytes of a float image."""
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    return np.asarray(np.clip(image * 255.0 + 0.5, 0, 255).astype(np.uint8))
