"""Measures of furniture and of the places it takes."""

from __future__ import annotations

import math

import numpy as np

from bodyloop.scenes.furniture import Furniture
from bodyloop.scenes.homes.arrange import Side, turned_size
from bodyloop.scenes.homes.plan import Placed, Rect
from bodyloop.scenes.shapes import part_bounds

__all__ = ["center", "core", "lowest_m", "on_board", "shrunk", "widened"]


def lowest_m(furniture: Furniture) -> float:
    """Height of the lowest point of a piece above its origin."""
    return min(float(part_bounds(part)[0][2]) for part in furniture.template.parts)


def core(furniture: Furniture, xy: tuple[float, float], yaw_rad: float) -> Rect:
    """Box around the parts that can be touched, without play for the turn (the parts are round)."""
    bounds = [part_bounds(part) for part in furniture.template.parts if part.collide]
    low, high = np.min([b[0] for b in bounds], axis=0), np.max([b[1] for b in bounds], axis=0)
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    x, y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    w, d = turned_size((high[0] - low[0], high[1] - low[1]), yaw_rad)
    x, y = xy[0] + c * x - s * y, xy[1] + s * x + c * y
    return (float(x - w / 2), float(y - d / 2), float(x + w / 2), float(y + d / 2))


def on_board(owner: Placed, rect: Rect, edge_m: float) -> bool:
    """Square tops may be round: their corners are left empty."""
    w, d = owner.furniture.footprint_m
    if abs(w - d) > 0.03:
        return True
    reach = max(math.hypot(x, y) for x in (rect[0], rect[2]) for y in (rect[1], rect[3]))
    return reach <= min(w, d) / 2 - edge_m


def center(rect: Rect) -> tuple[float, float]:
    """Middle of a rectangle."""
    return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2


def widened(rect: Rect, side: Side, by_m: float) -> Rect:
    """The footprint with free wall of ``by_m`` to both sides."""
    x0, y0, x1, y1 = rect
    return (x0 - by_m, y0, x1 + by_m, y1) if side in "ns" else (x0, y0 - by_m, x1, y1 + by_m)


def shrunk(zone: Rect) -> Rect:
    """The middle of a zone: one must get well into it."""
    w, d = zone[2] - zone[0], zone[3] - zone[1]
    return (zone[0] + 0.25 * w, zone[1] + 0.25 * d, zone[2] - 0.25 * w, zone[3] - 0.25 * d)
