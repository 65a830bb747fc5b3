"""Whole pictures, painted in a main colour: rugs, paintings, screens, book spines, clock faces, keys."""

from __future__ import annotations

import colorsys

import numpy as np

from bodyloop.scenes.description import Vec3
from bodyloop.scenes.patterns.noise import Image, axes, blend, fbm, noise, smoothstep, tinted

__all__ = ["books", "clock", "keys", "painting", "rug", "screen", "striped_cloth", "woven_bands"]

_CREAM = (0.93, 0.88, 0.78)
_BOOK_RGB: tuple[Vec3, ...] = (
    (0.50, 0.16, 0.14),
    (0.16, 0.26, 0.42),
    (0.20, 0.36, 0.28),
    (0.80, 0.72, 0.55),
    (0.32, 0.22, 0.16),
    (0.62, 0.44, 0.20),
    (0.22, 0.22, 0.25),
    (0.45, 0.52, 0.58),
    (0.85, 0.84, 0.80),
)


def _near(rgb: Vec3, turn: float, lightness: float = 0.0, saturation: float = 1.0) -> Vec3:
    """A related colour: hue turned by a share of the circle, lighter or darker."""
    hue, light, sat = colorsys.rgb_to_hls(*rgb)
    light = min(max(light + lightness, 0.05), 0.95)
    return colorsys.hls_to_rgb((hue + turn) % 1.0, light, min(sat * saturation, 1.0))


def _plain(size: int, rgb: Vec3) -> Image:
    return np.broadcast_to(np.asarray(rgb, np.float32), (size, size, 3)).copy()


def _pile(rng: np.random.Generator, image: Image) -> Image:
    size = image.shape[0]
    pile = 0.90 + 0.12 * rng.random((size, size), dtype=np.float32) + 0.10 * (noise(rng, size, 24, 24) - 0.5)
    return np.asarray(image * pile[..., None])


def _mask(condition: np.ndarray) -> Image:
    return condition.astype(np.float32)


def rug(rng: np.random.Generator, size: int, rgb: Vec3, seed: int) -> Image:
    """A carpet with borders; eight designs by seed."""
    u, v = axes(size)
    x, y = np.abs(u - 0.5) * 2, np.abs(v - 0.5) * 2
    rim = np.minimum(1 - x, 1 - y)
    dark, light, other = _near(rgb, 0.0, -0.16), _near(rgb, 0.02, 0.22, 0.8), _near(rgb, 0.45, 0.05, 0.8)
    image = _plain(size, rgb)
    design = seed % 8
    if design == 0:  # nested borders with a medallion
        image = blend(image, _CREAM, _mask((rim < 0.16) & (rim > 0.13)))
        image = blend(image, dark, _mask(rim < 0.10))
        image = blend(image, other, _mask((rim < 0.07) & (np.sin(40 * np.pi * (u + v)) > 0)))
        diamond = x * 0.9 + y
        for limit, colour in ((0.72, dark), (0.58, _CREAM), (0.50, other), (0.30, light), (0.16, dark)):
            image = blend(image, colour, _mask(diamond < limit))
    elif design == 1:  # kilim zigzags
        wave = (v * 10 + np.abs((u * 6) % 1 - 0.5) * 1.6) % 5
        for low, colour in ((1, light), (2, dark), (3, other), (4, _CREAM)):
            image = blend(image, colour, _mask((wave > low) & (wave < low + 0.8)))
        image = blend(image, dark, _mask(rim < 0.05))
    elif design == 2:  # lattice of diamonds on cream
        image = _plain(size, _near(_CREAM, 0, 0))
        lattice = np.minimum(np.abs((u * 5 + v * 4) % 1 - 0.5), np.abs((u * 5 - v * 4) % 1 - 0.5))
        image = blend(image, rgb, _mask(lattice < 0.07))
        image = blend(image, dark, _mask((rim < 0.05) & (rim > 0.03)))
    elif design == 3:  # wide stripes
        band = np.floor(v * 9).astype(int)
        stripes = np.array([rgb, _CREAM, dark, rgb, light, rgb, dark, _CREAM, rgb], np.float32)
        image = np.broadcast_to(stripes[band], (size, size, 3)).copy()
    elif design == 4:  # overlapping circles
        for cx, cy, radius, colour in ((0.3, 0.3, 0.33, light), (0.72, 0.66, 0.30, dark), (0.62, 0.22, 0.16, other)):
            image = blend(image, colour, _mask(np.hypot(u - cx, v - cy) < radius))
        image = blend(image, _CREAM, _mask(np.abs(np.hypot(u - 0.3, v - 0.75) - 0.14) < 0.02))
    elif design == 5:  # plain with a framed border
        image = blend(image, light, _mask(rim < 0.14))
        image = blend(image, dark, _mask((rim < 0.11) & (rim > 0.09)))
    elif design == 6:  # checks
        check = (np.floor(u * 8) + np.floor(v * 8)) % 2
        image = blend(image, light, _mask(check > 0))
        image = blend(image, _CREAM, _mask(rim < 0.04))
    else:  # eight-pointed stars in a field
        for shift in (0.0, 0.5):
            a, b = (u * 4 + shift) % 1 - 0.5, (v * 4 + shift) % 1 - 0.5
            star = np.minimum(np.maximum(np.abs(a), np.abs(b)), (np.abs(a) + np.abs(b)) / 1.414)
            image = blend(image, _CREAM if shift else other, _mask(star < 0.2))
            image = blend(image, dark, _mask(star < 0.11))
        image = blend(image, dark, _mask(rim < 0.09))
        image = blend(image, _CREAM, _mask((rim < 0.065) & (rim > 0.045)))
    return _pile(rng, image)


def painting(rng: np.random.Generator, size: int, rgb: Vec3, seed: int) -> Image:
    """Art for a frame; eight subjects by seed, all in tones around ``rgb``."""
    u, v = axes(size)
    subjects = (_hills, _fields, _arcs, _branch, _sea, _peaks, _triangles, _vase)
    image = subjects[seed % len(subjects)](rng, size, rgb)
    canvas = 0.95 + 0.08 * noise(rng, size, size // 2, size // 2)
    vignette = 1 - 0.12 * ((u - 0.5) ** 2 + (v - 0.5) ** 2)
    return np.asarray(image * (canvas * vignette)[..., None])


def _hills(rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    sky = _near(rgb, 0.05, 0.30)
    image = _plain(size, sky)
    image = blend(image, (0.98, 0.86, 0.62), _mask(np.hypot(u - 0.68, v - 0.70) < 0.10))
    for layer in range(5):
        line = 0.62 - 0.12 * layer + 0.06 * np.sin(2 * np.pi * (u * (1 + 0.6 * layer) + rng.random()))
        image = blend(image, _near(rgb, 0.03 * layer, 0.18 - 0.10 * layer), _mask(v < line))
    return image


def _fields(rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    image = _plain(size, _near(rgb, 0.0, 0.15))
    soft = 0.012 * (fbm(rng, size, 20, 20, 3) - 0.5)
    for low, high, colour in ((0.56, 0.92, _near(rgb, 0.05, 0.05)), (0.08, 0.50, _near(rgb, -0.06, -0.12))):
        inside = np.minimum(np.minimum(u - 0.08, 0.92 - u), np.minimum(v - low, high - v)) + soft
        image = blend(image, colour, smoothstep(-0.004, 0.02, np.asarray(inside)))
    return image


def _arcs(_rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    image = _plain(size, _CREAM)
    for index, radius in enumerate((0.44, 0.36, 0.28, 0.20, 0.12)):
        colour = _near(rgb, 0.045 * index, 0.05 * (index % 3) - 0.05)
        image = blend(image, colour if index % 2 == 0 else _CREAM, _mask(np.hypot(u - 0.5, v - 0.15) < radius * 1.3))
    return blend(image, _near(rgb, 0.4, 0.1), _mask(np.hypot(u - 0.76, v - 0.80) < 0.09))


def _branch(_rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    image = _plain(size, (0.95, 0.93, 0.88))
    dark = _near(rgb, 0.0, -0.12)
    bend = 0.5 + 0.10 * np.sin(2.5 * v)
    image = blend(image, dark, _mask((np.abs(u - bend) < 0.008) & (v > 0.10) & (v < 0.9)))
    for leaf in range(11):
        side = 1 if leaf % 2 else -1
        height = 0.2 + 0.064 * leaf
        cx, cy = 0.5 + 0.10 * np.sin(2.5 * height) + side * 0.13, height + 0.06
        a, b = (u - cx) * side, v - cy
        along, across = 0.82 * a + 0.57 * b, -0.57 * a + 0.82 * b
        colour = dark if leaf % 3 else rgb
        image = blend(image, colour, _mask((along / 0.13) ** 2 + (across / 0.045) ** 2 < 1))
    return image


def _sea(rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    image = tinted(0.92 - 0.10 * np.broadcast_to(v, (size, size)), 0.03)
    cloud = smoothstep(0.5, 0.8, fbm(rng, size, 6, 3, 4))
    image = blend(image, (1.0, 0.98, 0.95), np.asarray(cloud * (v > 0.55), np.float32))
    sea = np.asarray(rgb, np.float32) * (0.75 + 0.5 * fbm(rng, size, 30, 4, 3))[..., None]
    image = np.where((v < 0.48)[..., None], sea, image)
    image = blend(
        image, (0.95, 0.93, 0.88), _mask((u > 0.60) & (u < 0.60 + 0.6 * (0.72 - v) / 2) & (v > 0.47) & (v < 0.72))
    )
    return blend(image, _near(rgb, 0.5, -0.1), _mask((np.abs(u - 0.63) < 0.09) & (np.abs(v - 0.455) < 0.018)))


def _peaks(rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    image = tinted(0.75 + 0.2 * np.broadcast_to(v, (size, size)), -0.04)
    for layer in range(4):
        line = np.full_like(u, 0.42 - 0.11 * layer)
        for frequency in (2, 5, 11):
            line = line + 0.22 / frequency * np.abs(((u * frequency + rng.random()) % 1) * 2 - 1)
        image = blend(image, _near(rgb, 0.02 * layer, 0.22 - 0.13 * layer), _mask(v < line))
        if layer == 0:
            image = blend(image, (0.97, 0.97, 0.98), _mask((v < line) & (v > line - 0.07) & (v > 0.50)))
    return image


def _triangles(rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    count = 5
    column, row = np.floor(u * count).astype(int), np.floor(v * count).astype(int)
    upper = ((u * count) % 1 + (v * count) % 1 > 1).astype(int)
    colours = np.array(
        [_near(rgb, float(rng.uniform(-0.12, 0.12)), float(rng.uniform(-0.2, 0.25))) for _ in range(2 * count * count)]
    )
    return np.asarray(colours[(row * count + column) * 2 + upper], np.float32)


def _vase(_rng: np.random.Generator, size: int, rgb: Vec3) -> Image:
    u, v = axes(size)
    image = _plain(size, _near(rgb, 0.5, 0.22, 0.6))
    image = blend(image, _near(rgb, 0.08, -0.08), _mask(np.broadcast_to(v < 0.24, (size, size))))
    body = (np.abs(u - 0.5) < 0.05 + 0.10 * np.sin(np.pi * np.clip((v - 0.18) / 0.32, 0, 1))) & (v > 0.18) & (v < 0.50)
    image = blend(image, (0.93, 0.90, 0.84), _mask(body))
    for flower in range(7):
        angle = np.pi * (0.15 + 0.7 * flower / 6)
        reach = 0.22 + 0.08 * (flower % 2)
        cx, cy = 0.5 + reach * np.cos(angle), 0.52 + reach * np.sin(angle)
        stem = np.abs((u - 0.5) * (cy - 0.48) - (v - 0.48) * (cx - 0.5)) < 0.0022
        image = blend(image, (0.25, 0.38, 0.22), _mask(stem & (v > 0.48) & (v < cy)))
        image = blend(image, _near(rgb, 0.04 * flower, 0.1), _mask(np.hypot(u - cx, v - cy) < 0.065))
        image = blend(image, (0.96, 0.85, 0.45), _mask(np.hypot(u - cx, v - cy) < 0.022))
    return image


def screen(rng: np.random.Generator, size: int, rgb: Vec3, seed: int) -> Image:
    """A display: odd seeds are switched on and show a landscape, even ones are dark glass."""
    u, v = axes(size)
    if seed % 2:
        image = _sea(rng, size, rgb) if seed % 4 == 1 else _hills(rng, size, rgb)
        return blend(image, (0.10, 0.12, 0.16), _mask(np.broadcast_to(v < 0.07, (size, size))))
    glow = 0.05 + 0.09 * smoothstep(0.2, 1.3, np.asarray(v + 0.35 * u)) + 0.05 * np.exp(-(((u - v + 0.1) / 0.09) ** 2))
    return tinted(np.asarray(glow, np.float32), -0.12)


def books(rng: np.random.Generator, size: int, rgb: Vec3, _seed: int) -> Image:
    """Sixteen book spines side by side; a strip of pages along the top."""
    image = np.zeros((size, size, 3), np.float32)
    _u, v = axes(size)
    width = size // 16
    for column in range(16):
        base = _BOOK_RGB[int(rng.integers(len(_BOOK_RGB)))] if column % 3 else rgb
        base = _near(base, float(rng.uniform(-0.03, 0.03)), float(rng.uniform(-0.12, 0.12)), 0.9)
        trim = _CREAM if column % 2 else _near(base, 0.1, 0.3)
        strip = np.broadcast_to(np.asarray(base, np.float32), (size, width, 3)).copy()
        for line in rng.uniform(0.1, 0.9, 2):
            strip = blend(strip, trim, np.repeat(_mask(np.abs(v - line) < 0.012), width, axis=1))
        middle = float(rng.uniform(0.4, 0.6))
        title = (np.abs(v - middle) < 0.16) & (np.abs(np.arange(width) - width / 2 + 0.5) < width * 0.16)
        strip = blend(strip, trim, 0.7 * _mask(title))
        image[:, column * width : (column + 1) * width] = strip
    return blend(image, (0.92, 0.88, 0.78), _mask(np.broadcast_to(v > 0.985, (size, size))))


def clock(_rng: np.random.Generator, size: int, rgb: Vec3, _seed: int) -> Image:
    """A dial with twelve marks and two hands at ten past ten."""
    u, v = axes(size)
    x, y = u - 0.5, v - 0.5
    radius, angle = np.hypot(x, y), np.arctan2(x, y)
    image = _plain(size, (0.96, 0.95, 0.92))
    mark = np.abs((angle * 6 / np.pi + 0.5) % 1 - 0.5) * radius < 0.014
    image = blend(image, (0.15, 0.15, 0.17), _mask(mark & (radius > 0.37) & (radius < 0.44)))
    for hand, length, width in ((10.17, 0.24, 0.018), (2.0, 0.36, 0.012)):
        direction = hand * np.pi / 6
        along = x * np.sin(direction) + y * np.cos(direction)
        across = np.abs(x * np.cos(direction) - y * np.sin(direction))
        image = blend(image, (0.12, 0.12, 0.14), _mask((along > -0.05) & (along < length) & (across < width)))
    return blend(image, rgb, _mask(radius < 0.025))


def keys(_rng: np.random.Generator, size: int, rgb: Vec3, _seed: int) -> Image:
    """A keyboard: five rows of fifteen keys."""
    u, v = axes(size)
    x, y = (u * 15) % 1, (v * 5) % 1
    space = (v < 0.2) & (u > 0.27) & (u < 0.67)
    gap = (np.minimum(x, 1 - x) < 0.09) & ~space | (np.minimum(y, 1 - y) < 0.09)
    return blend(_plain(size, rgb), _near(rgb, 0, -0.25), _mask(np.broadcast_to(gap, (size, size))))


def striped_cloth(rng: np.random.Generator, size: int, rgb: Vec3, seed: int) -> Image:
    """Woven stripes across v in the colour and cream: throws, towels, deck chairs."""
    _, v = axes(size)
    band = np.abs((v * (3 + seed % 3)) % 1 - 0.5)
    image = blend(
        _plain(size, rgb), _CREAM, _mask(np.broadcast_to((band < 0.06) | (np.abs(band - 0.18) < 0.03), (size, size)))
    )
    weave = 0.92 + 0.10 * noise(rng, size, size // 2, size // 2)
    return np.asarray(image * weave[..., None])


def woven_bands(rng: np.random.Generator, size: int, rgb: Vec3, seed: int) -> Image:
    """Checked cloth in the colour, cream and a darker tone."""
    u, v = axes(size)
    image = _plain(size, _CREAM)
    count = 3 + seed % 2
    for line in (u, v):
        band = np.abs((line * count) % 1 - 0.5)
        image = (
            image
            + 0.5 * (np.asarray(rgb, np.float32) - image) * np.broadcast_to(_mask(band < 0.22), (size, size))[..., None]
        )
    weave = 0.93 + 0.09 * noise(rng, size, size // 2, size // 2)
    return np.asarray(image * weave[..., None], np.float32)
