"""Boxes of the stage between two corners, or along a wall."""

from __future__ import annotations

from bodyloop.scenes.description import Part, Vec3

__all__ = ["axis_box", "box"]

Span = tuple[float, float]


def box(name: str, lower: Vec3, upper: Vec3, material: str, *, collide: bool = True, visible: bool = True) -> Part:
    """A box between two corners, world frame; values are rounded to 0.01 mm."""
    x, y, z = (round((a + b) / 2, 5) + 0.0 for a, b in zip(lower, upper, strict=True))
    half = tuple(round((b - a) / 2, 5) for a, b in zip(lower, upper, strict=True))
    return Part(name, "box", half, (x, y, z), material, collide=collide, visible=visible)


def axis_box(
    name: str,
    along: str,
    span: Span,
    depth: Span,
    height: Span,
    material: str,
    *,
    collide: bool = True,
    visible: bool = True,
) -> Part:
    """A box whose ``span`` runs along ``x`` or ``y`` and whose ``depth`` runs across."""
    (x0, x1), (y0, y1) = (span, depth) if along == "x" else (depth, span)
    return box(name, (x0, y0, height[0]), (x1, y1, height[1]), material, collide=collide, visible=visible)
