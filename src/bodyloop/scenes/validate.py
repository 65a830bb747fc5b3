"""Checks every home must pass: nothing overlaps, everything rests on something, everything can be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.scenes.description import ObjectInstance, SceneDescription
from bodyloop.scenes.footprints import part_bounds
from bodyloop.scenes.validate_rest import RestCheck
from bodyloop.scenes.validate_routes import category_reach, narrowest_doorway, unconnected_rooms

__all__ = ["CHECKS", "Check", "HomeReport", "validate_home"]

FloatArray = npt.NDArray[np.float64]

OVERLAP_LIMIT_M: Final = 0.002
SUPPORT_LIMIT_M: Final = 0.005
MOTION_LIMIT_M: Final = 0.001
REACH_LIMIT_M: Final = 0.15
DOORWAY_M: Final = 0.9
PARTS: Final = 4
TOP_LIMIT_M: Final = 1.3
ROOMS: Final = (4, 8)
FIXED: Final = 40
MOVABLE: Final = 15
LOW_CATEGORIES: Final = ("tv", "potted_plant")


@dataclass(frozen=True)
class Check:
    """One figure of a home against its limit."""

    check: str
    value: float
    limit: str
    ok: bool
    detail: str = ""
    """What is worst, or what is missing."""


@dataclass(frozen=True)
class HomeReport:
    """All checks of one home."""

    scene_id: str
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every check holds."""
        return all(check.ok for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.ok)

    def to_json(self) -> dict[str, Any]:
        """Plain data, numbers rounded to 0.01 mm."""
        rows = [asdict(check) for check in self.checks]
        for row in rows:
            row["value"] = round(float(row["value"]), 5) if np.isfinite(row["value"]) else None
        return {"scene_id": self.scene_id, "ok": self.ok, "checks": rows}


def validate_home(scene: SceneDescription, standing_links_m: FloatArray) -> HomeReport:
    """Check a home.

    Args:
        scene: the home with its objects at rest.
        standing_links_m: (n, 3) link origins of a standing body at the origin of a floor at height 0, looking along -Y.
    """
    checks = [check for group in CHECKS for check in group(scene, standing_links_m)]
    return HomeReport(scene.scene_id, tuple(checks))


def _at_most(name: str, value: float, limit: float, unit: str, detail: str = "") -> Check:
    return Check(name, float(value), f"<= {limit:g} {unit}".rstrip(), bool(value <= limit), detail)


def _at_least(name: str, value: float, limit: float, unit: str = "", detail: str = "") -> Check:
    return Check(name, value, f">= {limit:g} {unit}".rstrip(), bool(value >= limit - 1e-9), detail)


def _rest(scene: SceneDescription, _: FloatArray) -> list[Check]:
    home = RestCheck(scene)
    depth, pair = home.overlap()
    gap, hanging = _largest({name: abs(gap) for name, gap in home.support_gaps().items()})
    moved, moving = _largest(home.motions())
    return [
        _at_most("overlap", depth, OVERLAP_LIMIT_M, "m", pair),
        _at_most("support gap", gap, SUPPORT_LIMIT_M, "m", hanging),
        _at_most("motion in 1 s", moved, MOTION_LIMIT_M, "m", moving),
    ]


def _largest(values: Mapping[str, float]) -> tuple[float, str]:
    name = max(values, key=lambda key: values[key], default="")
    return (values[name], name) if name else (0.0, "")


def _routes(scene: SceneDescription, links: FloatArray) -> list[Check]:
    lost = unconnected_rooms(scene)
    checks = [_at_most("rooms without a way", float(len(lost)), 0, "", ", ".join(lost))]
    for category, reach in category_reach(scene, links, REACH_LIMIT_M).items():
        checks.append(_at_most(f"reach {category}", reach.distance_m, REACH_LIMIT_M, "m", reach.detail))
    width, rooms = narrowest_doorway(scene)
    checks.append(_at_least("doorway", width, DOORWAY_M, "m", rooms))
    return checks


def _parts(scene: SceneDescription, _: FloatArray) -> list[Check]:
    used = {instance.template for instance in scene.instances}
    name = min(sorted(used), key=lambda key: len(scene.templates[key].parts))
    return [_at_least("parts of an item", float(len(scene.templates[name].parts)), PARTS, "", name)]


def _heights(scene: SceneDescription, _: FloatArray) -> list[Check]:
    floors = {room.name: room.floor_height_m for room in scene.rooms}
    tops = [
        (_top(scene, item) - floors[item.room], item.name)
        for item in scene.instances
        if scene.templates[item.template].category in LOW_CATEGORIES
    ]
    top, name = max(tops, default=(0.0, "none"))
    return [_at_most("top of tv and plants", top, TOP_LIMIT_M, "m", name)]


def _top(scene: SceneDescription, instance: ObjectInstance) -> float:
    parts = [part for part in scene.templates[instance.template].parts if part.collide]
    return max(float(part_bounds(part, instance.position_m, instance.rotation_xyzw)[1][2]) for part in parts)


def _textures(scene: SceneDescription, _: FloatArray) -> list[Check]:
    looks = Counter((scene.materials[room.floor_material], scene.materials[room.wall_material]) for room in scene.rooms)
    shared = [
        room.name
        for room in scene.rooms
        if looks[scene.materials[room.floor_material], scene.materials[room.wall_material]] > 1
    ]
    return [_at_most("rooms with shared textures", float(len(shared)), 0, "", ", ".join(shared))]


def _counts(scene: SceneDescription, _: FloatArray) -> list[Check]:
    rooms, (fewest, most) = len(scene.rooms), ROOMS
    movable = sum(item.motion_type == "DYNAMIC" for item in scene.instances)
    return [
        Check("rooms", float(rooms), f"{fewest}..{most}", fewest <= rooms <= most),
        _at_least("fixed objects", float(len(scene.instances) - movable), FIXED),
        _at_least("movable objects", float(movable), MOVABLE),
    ]


CHECKS: Final[Sequence[Callable[[SceneDescription, FloatArray], list[Check]]]] = (
    _counts,
    _rest,
    _routes,
    _parts,
    _heights,
    _textures,
)
"""Every group of checks, in the order of the report."""
