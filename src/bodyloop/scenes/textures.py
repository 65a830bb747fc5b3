"""Procedural textures: names to pixel arrays, the same everywhere for the same name, seed and colour.

Tinted patterns are near-white and get their colour from the material; painted ones (rugs, pictures, screens) are drawn in
``Material.rgb`` and shown as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bodyloop.errors import UnknownNameError
from bodyloop.scenes.description import Material, Vec3
from bodyloop.scenes.patterns import floors, materials, pictures, walls
from bodyloop.scenes.patterns.noise import Image, axes, fbm, smoothstep, tinted, to_bytes

__all__ = ["PAINTED", "TEXTURES", "TINTED", "Texture", "shadow_blob", "shadow_edge", "sky_faces", "texture"]

Bytes = npt.NDArray[np.uint8]
WHITE: Vec3 = (1.0, 1.0, 1.0)

TINTED: dict[str, tuple[Callable[[np.random.Generator, int], Image], int]] = {
    "planks": (floors.planks, 512),
    "herringbone": (floors.herringbone, 512),
    "carpet": (floors.carpet, 256),
    "tiles": (floors.tiles, 512),
    "terracotta": (floors.terracotta, 256),
    "checker_tiles": (floors.checker_tiles, 256),
    "hex_tiles": (floors.hex_tiles, 256),
    "marble": (floors.marble, 512),
    "terrazzo": (floors.terrazzo, 256),
    "paint": (walls.paint, 256),
    "plaster": (walls.plaster, 512),
    "stripes": (walls.stripes, 256),
    "damask": (walls.damask, 256),
    "panels": (walls.panels, 256),
    "brick": (walls.brick, 512),
    "metro_tiles": (walls.metro_tiles, 256),
    "small_tiles": (walls.small_tiles, 256),
    "wood": (materials.wood, 256),
    "fabric": (materials.fabric, 256),
    "linen": (materials.linen, 256),
    "velvet": (materials.velvet, 128),
    "knit": (materials.knit, 256),
    "quilt": (materials.quilt, 256),
    "leather": (materials.leather, 256),
    "wicker": (materials.wicker, 128),
    "metal": (materials.metal, 128),
    "stone": (materials.stone, 256),
    "cardboard": (materials.cardboard, 128),
    "soil": (materials.soil, 64),
    "louvre": (materials.louvre, 128),
    "leaf": (materials.leaf, 64),
    "leaf_banded": (materials.leaf_banded, 64),
    "mirror": (materials.mirror, 128),
}
"""Patterns that ``Material.rgb`` tints: drawing function and size in pixels."""

PAINTED: dict[str, tuple[Callable[[np.random.Generator, int, Vec3, int], Image], int]] = {
    "rug": (pictures.rug, 256),
    "painting": (pictures.painting, 256),
    "screen": (pictures.screen, 128),
    "books": (pictures.books, 256),
    "clock": (pictures.clock, 128),
    "keys": (pictures.keys, 128),
    "striped_cloth": (pictures.striped_cloth, 128),
    "woven_bands": (pictures.woven_bands, 128),
}
"""Pictures drawn in ``Material.rgb``; the seed also chooses the design."""

TEXTURES: tuple[str, ...] = ("flat", *TINTED, *PAINTED)
"""Every name that ``Material.texture`` may have."""


@dataclass(frozen=True, eq=False)
class Texture:
    """Pixels of a material and the colour to multiply them with."""

    key: str
    """Equal for materials that share the pixels."""
    pixels: Bytes
    """(n, n, 3) uint8; row 0 is v = 0, the bottom."""
    tint: Vec3


@lru_cache(maxsize=256)
def _tinted(name: str, seed: int) -> Bytes:
    draw, size = TINTED[name]
    return to_bytes(draw(_generator(name, seed), size))


@lru_cache(maxsize=256)
def _painted(name: str, seed: int, rgb: Vec3) -> Bytes:
    draw, size = PAINTED[name]
    return to_bytes(draw(_generator(name, seed), size, rgb, seed))


def _generator(name: str, seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([zlib.crc32(name.encode()), seed]))


def texture(material: Material) -> Texture | None:
    """Texture of a material; None for ``flat``.

    Raises:
        UnknownNameError: no pattern of this name.
    """
    name, seed = material.texture, material.seed
    if name == "flat":
        return None
    if name in TINTED:
        return Texture(f"{name}-{seed}", _tinted(name, seed), material.rgb)
    if name in PAINTED:
        colour = "".join(f"{round(255 * c):02x}" for c in material.rgb)
        return Texture(f"{name}-{seed}-{colour}", _painted(name, seed, material.rgb), WHITE)
    raise UnknownNameError("texture", name, TEXTURES)


@lru_cache(maxsize=1)
def shadow_blob() -> Bytes:
    """(64, 64, 4) soft dark spot to lay under furniture: opaque in the middle, clear at the rim."""
    u, v = axes(64)
    rim = np.minimum(np.minimum(u, 1 - u), np.minimum(v, 1 - v))
    corner = np.hypot(np.maximum(0.30 - np.minimum(u, 1 - u), 0), np.maximum(0.30 - np.minimum(v, 1 - v), 0))
    soft = smoothstep(0.30, 0.02, np.asarray(corner)) * smoothstep(0.0, 0.04, np.asarray(rim))
    return _shade(soft)


@lru_cache(maxsize=1)
def shadow_edge() -> Bytes:
    """(64, 64, 4) shade that fades along v up to the middle and back, for the foot of walls; it tiles without a seam."""
    _, v = axes(64)
    return _shade(np.broadcast_to(np.abs(1 - 2 * v) ** 2.2, (64, 64)).astype(np.float32))


def _shade(alpha: Image) -> Bytes:
    pixels = np.zeros((64, 64, 4), np.uint8)
    pixels[..., 3] = np.clip(alpha * 255, 0, 255)
    return pixels


@lru_cache(maxsize=4)
def sky_faces(seed: int = 0, size: int = 128) -> Bytes:
    """(6 * size, size, 3) sky box: right, left, up, down, front, back; trees and hills below a cloudy sky."""
    rng = _generator("sky", seed)
    sides = [_skyline(rng, size) for _ in range(4)]
    up = tinted(np.full((size, size), 0.78, np.float32), -0.18)
    grass = np.array([0.36, 0.46, 0.24], np.float32) * (0.8 + 0.4 * fbm(rng, size, 12, 12, 3))[..., None]
    faces = [sides[0], sides[1], up, grass, sides[2], sides[3]]
    return to_bytes(np.concatenate([np.asarray(face, np.float32) for face in faces]))


def _skyline(rng: np.random.Generator, size: int) -> Image:
    u, v = axes(size)
    high = np.broadcast_to(1 - v, (size, size))  # image files start at the top; the sky box does too
    clouds = smoothstep(0.50, 0.75, fbm(rng, size, 5, 3, 4)) * smoothstep(0.5, 0.7, high)
    low_sky, top_sky = np.array([0.86, 0.92, 0.97]), np.array([0.50, 0.68, 0.90])
    share = np.clip((high - 0.5) * 2, 0, 1)[..., None]
    image = low_sky + (top_sky - low_sky) * share
    image = image + (1.0 - image) * (0.8 * clouds)[..., None]
    hills = 0.535 + 0.02 * np.sin(2 * np.pi * (2 * u)) + 0.012 * np.sin(2 * np.pi * 5 * u)
    image = np.where((high < hills)[..., None], np.array([0.55, 0.65, 0.62]), image)
    trees = 0.505 + 0.045 * fbm(rng, size, 1, 14, 3)[:1]
    leaf = np.array([0.28, 0.40, 0.24]) * (0.75 + 0.6 * fbm(rng, size, 24, 24, 2))[..., None]
    image = np.where((high < trees)[..., None], leaf, image)
    grass = np.array([0.40, 0.50, 0.27]) * (0.85 + 0.3 * fbm(rng, size, 20, 6, 2))[..., None]
    return np.asarray(np.where((high < 0.49)[..., None], grass, image), np.float32)
