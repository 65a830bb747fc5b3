"""Materials of furniture: wood, cloth, leather, wicker, metal, leaves and other small surfaces."""

from __future__ import annotations

import numpy as np

from bodyloop.scenes.patterns.noise import Image, axes, fbm, noise, smoothstep, tinted

__all__ = [
    "cardboard",
    "fabric",
    "knit",
    "leaf",
    "leaf_banded",
    "leather",
    "linen",
    "louvre",
    "metal",
    "mirror",
    "quilt",
    "soil",
    "stone",
    "velvet",
    "wicker",
    "wood",
]


def wood(rng: np.random.Generator, size: int) -> Image:
    """Veneer with fibres along u and a few cathedral arches."""
    u, v = axes(size)
    bend = noise(rng, size, 3, 2) + 0.3 * noise(rng, size, 6, 4)
    rings = np.sin(2 * np.pi * (9 * v + 1.5 * bend + 0.10 * np.cos(2 * np.pi * u)))
    fibre = noise(rng, size, size // 2, 5)
    pores = smoothstep(0.74, 0.92, noise(rng, size, size // 2, 24))
    broad = noise(rng, size, 5, 2) - 0.5
    value = 0.91 + 0.045 * rings + 0.09 * (fibre - 0.5) - 0.07 * pores + 0.07 * broad
    return tinted(value, 0.015 * rings)


def fabric(rng: np.random.Generator, size: int) -> Image:
    """Plain weave of thick yarn."""
    u, v = axes(size)
    count = size // 8
    x, y = u * count * 2 * np.pi, v * count * 2 * np.pi
    over = np.sin(x / 2) * np.sin(y / 2) > 0
    yarn = np.where(over, np.abs(np.sin(x / 2)), np.abs(np.sin(y / 2)))
    slub = 0.5 * noise(rng, size, size // 8, 8) + 0.5 * noise(rng, size, 8, size // 8)
    return tinted(0.80 + 0.13 * yarn + 0.14 * (slub - 0.5) + 0.06 * (fbm(rng, size, 3, 3, 3) - 0.5), 0.01)


def linen(rng: np.random.Generator, size: int) -> Image:
    """Fine crossing threads of uneven thickness."""
    warp, weft = noise(rng, size, 6, size // 2), noise(rng, size, size // 2, 6)
    fold = fbm(rng, size, 3, 3, 3)
    return tinted(0.93 + 0.09 * (warp - 0.5) + 0.09 * (weft - 0.5) + 0.07 * (fold - 0.5))


def velvet(rng: np.random.Generator, size: int) -> Image:
    """Brushed pile: soft light and dark clouds."""
    cloud = fbm(rng, size, 4, 3, 4)
    return tinted(0.84 + 0.30 * (cloud - 0.5) + 0.05 * rng.random((size, size), dtype=np.float32))


def knit(rng: np.random.Generator, size: int) -> Image:
    """Rows of plaited stitches."""
    u, v = axes(size)
    columns, rows = 16, 20
    x = np.abs((u * columns) % 1 - 0.5) * 2
    wave = np.abs(((v * rows + 0.8 * x) % 1) - 0.5) * 2
    rib = 1 - 0.5 * smoothstep(0.75, 1.0, np.broadcast_to(x, wave.shape))
    return tinted((0.70 + 0.28 * np.sqrt(wave)) * rib + 0.04 * rng.random((size, size), dtype=np.float32))


def quilt(rng: np.random.Generator, size: int) -> Image:
    """Padded diamonds with stitched seams, four by four."""
    u, v = axes(size)
    a, b = (u + v) * 4 % 1, (u - v) * 4 % 1
    puff = np.sin(np.pi * a) * np.sin(np.pi * b)
    seam = np.minimum(np.minimum(a, 1 - a), np.minimum(b, 1 - b))
    thread = noise(rng, size, size // 2, size // 2)
    return tinted(
        0.78 + 0.20 * puff**0.5 - 0.10 * (1 - smoothstep(0.0, 0.05, np.asarray(seam))) + 0.05 * (thread - 0.5)
    )


def leather(rng: np.random.Generator, size: int) -> Image:
    """Fine creases and a worn sheen."""
    grain = np.abs(noise(rng, size, size // 5, size // 5) - 0.5) * 2
    wear = fbm(rng, size, 4, 4, 4)
    return tinted(0.80 + 0.12 * grain + 0.26 * (wear - 0.5), 0.03 * (wear - 0.5))


def wicker(rng: np.random.Generator, size: int) -> Image:
    """Woven cane, sixteen by sixteen strands."""
    u, v = axes(size)
    count = 16
    column = np.floor(u * count)
    phase = (v * count / 2 + 0.5 * (column % 2)) % 1
    strand = np.sin(np.pi * ((u * count) % 1)) ** 0.5
    bow = np.sin(np.pi * phase) ** 0.6
    return tinted((0.50 + 0.45 * bow) * (0.75 + 0.25 * strand) + 0.08 * (noise(rng, size, 32, 32) - 0.5), 0.02)


def metal(rng: np.random.Generator, size: int) -> Image:
    """Brushed along u."""
    return tinted(0.90 + 0.12 * (noise(rng, size, size // 2, 2) - 0.5) + 0.08 * (noise(rng, size, 4, 2) - 0.5))


def stone(rng: np.random.Generator, size: int) -> Image:
    """Speckled worktop."""
    speckle = smoothstep(0.62, 0.75, noise(rng, size, size // 4, size // 4))
    dark = smoothstep(0.66, 0.78, noise(rng, size, size // 5, size // 5))
    return tinted(0.86 + 0.14 * speckle - 0.30 * dark + 0.08 * (fbm(rng, size, 6, 6, 3) - 0.5))


def cardboard(rng: np.random.Generator, size: int) -> Image:
    """Packing board with faint flutes."""
    u, _ = axes(size)
    flutes = np.sin(2 * np.pi * 48 * u)
    return tinted(0.92 + 0.02 * flutes + 0.10 * (fbm(rng, size, 6, 12, 3) - 0.5))


def soil(rng: np.random.Generator, size: int) -> Image:
    """Crumbly potting soil."""
    return tinted(0.45 + 0.7 * (fbm(rng, size, 24, 24, 3) - 0.3), 0.03)


def louvre(rng: np.random.Generator, size: int) -> Image:
    """Slats across v, shaded as if tilted."""
    _, v = axes(size)
    slat = (v * 16) % 1
    return tinted((0.66 + 0.30 * slat) + 0.03 * (noise(rng, size, size // 2, 4) - 0.5))


def leaf(rng: np.random.Generator, size: int) -> Image:
    """One leaf, stalk at v = 0: pale midrib, side veins, darker rim."""
    u, v = axes(size)
    x = np.abs(u - 0.5) * 2
    rib = 1 - smoothstep(0.03, 0.09, np.broadcast_to(x, (size, size)))
    veins = 1 - smoothstep(0.06, 0.20, np.asarray(np.abs(((v - 0.28 * x) * 9) % 1 - 0.5) * 2))
    value = 0.78 + 0.10 * (fbm(rng, size, 8, 4, 3) - 0.5) + 0.30 * rib + 0.14 * veins * (1 - x) - 0.16 * x**3 + 0.10 * v
    return tinted(value, 0.08 * rib)


def leaf_banded(rng: np.random.Generator, size: int) -> Image:
    """A sword leaf: irregular dark bands and yellow margins."""
    u, v = axes(size)
    x = np.broadcast_to(np.abs(u - 0.5) * 2, (size, size))
    wave = np.sin(2 * np.pi * (7 * v + 0.5 * noise(rng, size, 10, 4)))
    tone = 0.60 + 0.22 * wave + 0.08 * (noise(rng, size, 64, 4) - 0.5)
    body = tone[..., None] * np.array([0.42, 0.78, 0.85], np.float32)
    margin = smoothstep(0.66, 0.78, x)[..., None]
    return np.asarray(body + (1.0 - body) * margin)


def mirror(rng: np.random.Generator, size: int) -> Image:
    """Glass that seems to reflect a bright room: soft diagonal light."""
    u, v = axes(size)
    slope = 0.5 + 0.28 * np.sin(2.2 * (u + 0.8 * v) + rng.random()) + 0.25 * v
    streak = 0.16 * np.exp(-(((u + v - 0.85) / 0.10) ** 2)) + 0.12 * np.exp(-(((u + v - 1.15) / 0.04) ** 2))
    return tinted(0.62 + 0.28 * slope + streak, -0.02)
