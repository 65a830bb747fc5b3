"""Contact shadows: soft dark patches under furniture and along the foot of walls, as one see-through mesh each."""

from __future__ import annotations

import numpy as np

from bodyloop.scenes.description import ObjectInstance, SceneDescription
from bodyloop.scenes.shapes import part_bounds
from bodyloop.scenes.surfaces import FloatArray, Surface, merge

__all__ = ["edge_shades", "furniture_shades"]

_LIFT_M = 0.002
_LOW_M = 0.45
_MARGIN_M = 0.13
_EDGE_WIDTH_M = 0.45
_EDGE_UV = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5]])
_UNIT_UV = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def _quad(corners: FloatArray, uv: FloatArray = _UNIT_UV) -> Surface:
    return Surface(corners, np.tile([0.0, 0.0, 1.0], (4, 1)), uv, np.array([[0, 1, 2], [0, 2, 3]]))


def _yaw(instance: ObjectInstance) -> float:
    x, y, z, w = instance.rotation_xyzw
    return float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def _low_box(scene: SceneDescription, instance: ObjectInstance) -> tuple[FloatArray, FloatArray] | None:
    """Box around what an object has near the floor, in its own frame; None if it hangs or is flat."""
    bounds = np.array([part_bounds(part, scene.meshes) for part in scene.templates[instance.template].parts])
    if bounds[:, 0, 2].min() > 0.05 or bounds[:, 1, 2].max() < 0.05:
        return None
    low = bounds[bounds[:, 0, 2] < _LOW_M]
    return low[:, 0].min(axis=0), low[:, 1].max(axis=0)


def _on_floor(scene: SceneDescription, instance: ObjectInstance) -> bool:
    """Whether an object stands on a floor (or a rug on it) and not on a table."""
    x, y, z = instance.position_m
    levels = [
        region.height_m
        for region in scene.floors
        if region.lower_m[0] <= x <= region.upper_m[0] and region.lower_m[1] <= y <= region.upper_m[1]
    ]
    return not levels or any(abs(z - level) < 0.05 for level in levels)


def _rugs(scene: SceneDescription) -> list[tuple[FloatArray, FloatArray, float]]:
    found = []
    for instance in scene.instances:
        template = scene.templates[instance.template]
        if template.category != "rug":
            continue
        bounds = np.array([part_bounds(part, scene.meshes) for part in template.parts])
        low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
        turn = _yaw(instance)
        reach = np.abs([[np.cos(turn), np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ ((high - low)[:2] / 2)
        middle = np.array(instance.position_m)
        found.append((middle[:2] - reach, middle[:2] + reach, float(middle[2] + high[2])))
    return found


def furniture_shades(scene: SceneDescription) -> Surface | None:
    """Patches under the fixed furniture that stands on a floor (or on a rug); world frame."""
    rugs = _rugs(scene)
    pieces = []
    for instance in scene.instances:
        box = _low_box(scene, instance) if instance.motion_type == "STATIC" and _on_floor(scene, instance) else None
        if box is None:
            continue
        low, high = box[0][:2] - _MARGIN_M, box[1][:2] + _MARGIN_M
        corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        turn = _yaw(instance)
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        flat = corners @ matrix.T + np.array(instance.position_m[:2])
        level = instance.position_m[2]
        for rug_low, rug_high, top in rugs:
            middle = flat.mean(axis=0)
            if (rug_low < middle).all() and (middle < rug_high).all() and 0 <= top - level < 0.05:
                level = top
        pieces.append(_quad(np.column_stack([flat, np.full(4, level + _LIFT_M)])))
    return merge(pieces) if pieces else None


def edge_shades(scene: SceneDescription) -> Surface | None:
    """Strips along the borders of every room floor, darkest at the wall; world frame."""
    pieces = []
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.lower_m, room.upper_m
        z, w = room.floor_height_m + 0.75 * _LIFT_M, min(_EDGE_WIDTH_M, (x1 - x0) / 3, (y1 - y0) / 3)
        outer = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        inner = [(x0 + w, y0 + w), (x1 - w, y0 + w), (x1 - w, y1 - w), (x0 + w, y1 - w)]
        for i in range(4):
            j = (i + 1) % 4
            corners = np.array([(*outer[i], z), (*outer[j], z), (*inner[j], z), (*inner[i], z)])
            pieces.append(_quad(corners, _EDGE_UV))
    return merge(pieces) if pieces else None
