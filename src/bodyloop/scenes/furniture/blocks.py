"""A plain design for kinds without one of their own: four legs (or a plinth), a body and a top."""

from __future__ import annotations

from bodyloop.scenes.furniture.kinds import KINDS
from bodyloop.scenes.furniture.kit import Kit

__all__ = ["plain"]

_SEAT_HEIGHT_M = {"bed": 0.52, "couch": 0.44, "toilet": 0.42, "chair": 0.45, "stool": 0.45, "bench": 0.45}


def plain(kit: Kit, style: int) -> None:
    """Blocks within the size limits of the kind."""
    info = KINDS[kit.kind]
    width, depth = kit.size or (kit.uniform(*info.width_m), kit.uniform(*info.depth_m))
    height = kit.uniform(*info.height_m)
    wood = kit.mat("wood", kit.palette.wood)
    if info.placement == "wall_mounted":
        for part in range(4):
            kit.box(f"layer{part}", (width, depth / 4, 0.5), (0, depth / 4 * part, height - 0.5), wood)
        return
    category = info.category
    seat = _SEAT_HEIGHT_M.get(category)
    top = seat if seat is not None else height
    kit.box("base", (0.9 * width, 0.9 * depth, 0.3 * top), (0, 0, 0), wood)
    kit.box("body", (0.8 * width, 0.8 * depth, 0.4 * top), (0, 0, 0.3 * top), wood)
    kit.box("upper", (0.9 * width, 0.9 * depth, 0.2 * top), (0, 0, 0.7 * top), wood)
    kit.box("top", (width, depth, 0.1 * top), (0, 0, 0.9 * top), wood)
    if seat is not None:
        kit.box("back", (width, 0.08, height - seat), (0, depth / 2 - 0.04, seat), wood)
        kit.seat((0, -0.05, seat), (0.8 * width, 0.7 * depth))
    elif info.placement != "top":
        kit.support_height_m = height
