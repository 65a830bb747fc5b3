"""Colour schemes: a home keeps one, its rooms vary it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bodyloop.scenes.description import Vec3

__all__ = ["PALETTES", "Palette", "mix", "shade"]


def shade(rgb: Vec3, factor: float) -> Vec3:
    """Scale a colour; factors above 1 lighten it towards white."""
    if factor <= 1.0:
        return (rgb[0] * factor, rgb[1] * factor, rgb[2] * factor)
    return mix(rgb, (1.0, 1.0, 1.0), min(factor - 1.0, 1.0))


def mix(first: Vec3, second: Vec3, share: float) -> Vec3:
    """Blend two colours; ``share`` is the part of the second."""
    red, green, blue = (a + (b - a) * share for a, b in zip(first, second, strict=True))
    return (red, green, blue)


@dataclass(frozen=True)
class Palette:
    """The colours a room's furniture is made in; each is linear-looking RGB in 0..1."""

    name: str
    wood: Vec3
    """Main wood of tables and shelves."""
    wood_dark: Vec3
    """Second wood, for legs and frames."""
    fabric: Vec3
    """Upholstery."""
    accent: Vec3
    """Cushions, throws, art."""
    second_accent: Vec3
    linen: Vec3
    """Bed linen, towels, curtains."""
    lacquer: Vec3
    """Painted cabinet fronts."""
    pot: Vec3
    """Plant pots and ceramics."""
    wall: Vec3
    """Wall paint."""
    metal: Vec3 = (0.62, 0.62, 0.64)
    leaf: Vec3 = (0.22, 0.42, 0.18)

    def vary(self, rng: np.random.Generator) -> Palette:
        """The same scheme for another room: fabrics and accents exchanged, shades shifted a little."""
        fabrics = [self.fabric, self.accent, self.second_accent]
        order = rng.permutation(3)
        lightness = float(rng.uniform(0.9, 1.12))
        return replace(
            self,
            fabric=shade(fabrics[int(order[0])], lightness),
            accent=fabrics[int(order[1])],
            second_accent=fabrics[int(order[2])],
        )


PALETTES: dict[str, Palette] = {
    palette.name: palette
    for palette in (
        Palette(
            name="nordic",
            wood=(0.80, 0.65, 0.46),
            wood_dark=(0.55, 0.40, 0.27),
            fabric=(0.47, 0.53, 0.56),
            accent=(0.86, 0.63, 0.24),
            second_accent=(0.30, 0.45, 0.50),
            linen=(0.93, 0.91, 0.87),
            lacquer=(0.92, 0.92, 0.90),
            pot=(0.88, 0.86, 0.82),
            wall=(0.88, 0.88, 0.85),
        ),
        Palette(
            name="warm",
            wood=(0.60, 0.38, 0.21),
            wood_dark=(0.36, 0.21, 0.12),
            fabric=(0.66, 0.36, 0.25),
            accent=(0.84, 0.72, 0.50),
            second_accent=(0.33, 0.40, 0.32),
            linen=(0.92, 0.86, 0.76),
            lacquer=(0.85, 0.80, 0.70),
            pot=(0.72, 0.40, 0.27),
            wall=(0.91, 0.84, 0.72),
        ),
        Palette(
            name="coastal",
            wood=(0.76, 0.66, 0.53),
            wood_dark=(0.50, 0.42, 0.34),
            fabric=(0.30, 0.45, 0.60),
            accent=(0.92, 0.90, 0.84),
            second_accent=(0.85, 0.52, 0.40),
            linen=(0.94, 0.94, 0.92),
            lacquer=(0.70, 0.80, 0.84),
            pot=(0.36, 0.52, 0.62),
            wall=(0.80, 0.87, 0.89),
        ),
        Palette(
            name="forest",
            wood=(0.52, 0.36, 0.22),
            wood_dark=(0.30, 0.20, 0.13),
            fabric=(0.27, 0.38, 0.29),
            accent=(0.80, 0.55, 0.30),
            second_accent=(0.75, 0.72, 0.60),
            linen=(0.90, 0.88, 0.80),
            lacquer=(0.40, 0.50, 0.42),
            pot=(0.60, 0.36, 0.24),
            wall=(0.82, 0.84, 0.75),
        ),
        Palette(
            name="city",
            wood=(0.42, 0.30, 0.22),
            wood_dark=(0.17, 0.14, 0.13),
            fabric=(0.34, 0.34, 0.37),
            accent=(0.80, 0.30, 0.24),
            second_accent=(0.72, 0.70, 0.68),
            linen=(0.90, 0.90, 0.91),
            lacquer=(0.28, 0.30, 0.33),
            pot=(0.30, 0.30, 0.32),
            wall=(0.84, 0.84, 0.86),
        ),
        Palette(
            name="garden",
            wood=(0.70, 0.52, 0.34),
            wood_dark=(0.44, 0.30, 0.20),
            fabric=(0.74, 0.55, 0.56),
            accent=(0.45, 0.55, 0.40),
            second_accent=(0.90, 0.80, 0.55),
            linen=(0.95, 0.91, 0.88),
            lacquer=(0.88, 0.90, 0.84),
            pot=(0.80, 0.55, 0.42),
            wall=(0.93, 0.88, 0.84),
        ),
    )
}
"""The built-in schemes by name."""
