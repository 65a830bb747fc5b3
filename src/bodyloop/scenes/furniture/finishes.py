"""Surfaces of rooms: floors, walls, ceilings and trim that suit a room kind and a palette."""

from __future__ import annotations

from bodyloop.scenes.description import Material, Vec3
from bodyloop.scenes.furniture.palette import Palette, mix, shade

__all__ = ["ceiling_finish", "floor_finish", "trim_finish", "wall_finish"]

_WHITE: Vec3 = (1.0, 1.0, 1.0)

_WET = ("bathroom", "kitchen")

_DRY_FLOORS: tuple[tuple[str, Vec3 | None, float], ...] = (
    ("planks", None, 2.4),
    ("herringbone", None, 1.6),
    ("carpet", (0.72, 0.68, 0.62), 0.6),
    ("planks", (0.50, 0.33, 0.20), 2.4),
    ("carpet", (0.48, 0.52, 0.58), 0.6),
    ("herringbone", (0.55, 0.40, 0.26), 1.6),
    ("planks", (0.82, 0.72, 0.58), 2.4),
)
_WET_FLOORS: tuple[tuple[str, Vec3 | None, float], ...] = (
    ("tiles", (0.86, 0.84, 0.80), 1.6),
    ("terracotta", (0.74, 0.45, 0.32), 1.2),
    ("checker_tiles", (0.95, 0.95, 0.93), 1.2),
    ("hex_tiles", (0.80, 0.82, 0.82), 0.8),
    ("tiles", (0.45, 0.47, 0.50), 1.6),
    ("marble", (0.90, 0.89, 0.87), 1.6),
)


def floor_finish(room_kind: str, choice: int, palette: Palette) -> Material:
    """Floor of a room; consecutive ``choice`` numbers look different. 13 designs in all."""
    options = _WET_FLOORS if room_kind in _WET else _DRY_FLOORS
    texture, rgb, repeat = options[choice % len(options)]
    hard = texture in ("marble", "tiles", "checker_tiles")
    return Material(texture, rgb or palette.wood, repeat, choice % 3, 0.35 if hard else 0.1, 0.5 if hard else 0.2)


def wall_finish(room_kind: str, choice: int, palette: Palette) -> Material:
    """Wall covering of a room; consecutive ``choice`` numbers look different."""
    if room_kind == "bathroom":
        options: tuple[tuple[str, Vec3, float], ...] = (
            ("small_tiles", mix(palette.lacquer, _WHITE, 0.5), 0.9),
            ("small_tiles", mix(palette.second_accent, _WHITE, 0.45), 0.9),
            ("metro_tiles", mix(palette.accent, _WHITE, 0.55), 0.9),
            ("metro_tiles", (0.93, 0.93, 0.91), 0.9),
        )
    else:
        options = (
            ("paint", palette.wall, 2.0),
            ("paint", mix(palette.second_accent, _WHITE, 0.45), 2.0),
            ("stripes", mix(palette.fabric, _WHITE, 0.62), 1.2),
            ("plaster", shade(palette.wall, 1.05), 2.0),
            ("damask", mix(palette.accent, _WHITE, 0.6), 1.0),
            ("paint", mix(palette.accent, _WHITE, 0.55), 2.0),
            ("brick", (0.86, 0.80, 0.75), 1.2),
            ("paint", mix(palette.fabric, _WHITE, 0.5), 2.0),
        )
    texture, rgb, repeat = options[choice % len(options)]
    glossy = "tiles" in texture
    return Material(texture, rgb, repeat, choice % 3, 0.3 if glossy else 0.02, 0.5 if glossy else 0.1)


def ceiling_finish() -> Material:
    """White, slightly mottled."""
    return Material("paint", (0.96, 0.96, 0.95), 2.0, 0, 0.0, 0.0, emission=0.3)


def trim_finish(palette: Palette, choice: int = 0) -> Material:
    """Skirting, door and window frames: white lacquer or the palette's dark wood."""
    if choice % 3 == 2:
        return Material("wood", palette.wood_dark, 0.8, 1, 0.15, 0.3)
    return Material("flat", (0.94, 0.94, 0.92), 1.0, 0, 0.2, 0.4)
