"""The hidden shapes that touch the world: capsules and boxes about 1 cm inside the visible skin.

Contacts act at a margin of 1 cm, so the visible surface, and exactly the visible sole, is what rests on a floor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from bodyloop.body.skeleton import JOINT_NAMES, REST_OFFSETS_M, SOLE_DEPTH_M

__all__ = ["SKIN_DEPTH_M", "CollisionShape", "collision_shapes"]

SKIN_DEPTH_M: Final = 0.01
"""Distance from a collision shape to the visible skin around it."""

Vec3 = tuple[float, float, float]
_OFFSET: Final = dict(zip(JOINT_NAMES, REST_OFFSETS_M, strict=True))


@dataclass(frozen=True)
class CollisionShape:
    """One shape in the frame of its link."""

    link: str
    kind: Literal["capsule", "box"]
    a: Vec3
    """Capsule: one end of its axis. Box: its centre."""
    b: Vec3
    """Capsule: the other end. Box: its half extents."""
    radius: float = 0.0


def collision_shapes() -> list[CollisionShape]:
    """All shapes, in the order of the links."""
    shapes = [*_trunk()]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shapes += _limbs(side, sign)
    return sorted(shapes, key=lambda shape: JOINT_NAMES.index(shape.link))


def _trunk() -> list[CollisionShape]:
    return [
        CollisionShape("pelvis", "capsule", (-0.060, -0.043, -0.012), (0.060, -0.043, -0.012), 0.097),
        CollisionShape("spine1", "capsule", (-0.050, 0.050, 0.006), (0.050, 0.050, 0.006), 0.088),
        CollisionShape("spine2", "capsule", (-0.052, 0.040, 0.010), (0.052, 0.040, 0.010), 0.094),
        CollisionShape("spine3", "capsule", (-0.062, 0.065, 0.004), (0.062, 0.065, 0.004), 0.095),
        CollisionShape("neck", "capsule", (0.0, 0.015, 0.004), (0.0, 0.075, 0.008), 0.042),
        CollisionShape("head", "capsule", (0.0, 0.024, 0.014), (0.0, 0.086, -0.004), 0.063),
    ]


def _limbs(side: str, sign: float) -> list[CollisionShape]:
    def link(name: str) -> str:
        return f"{side}_{name}"

    def along(name: str, child: str, radius: float, start: float = 0.0, end: float = 1.0) -> CollisionShape:
        """A capsule on part of the line from a joint to its child joint."""
        (ax, ay, az), (bx, by, bz) = _OFFSET[link(child)] * start, _OFFSET[link(child)] * end
        return CollisionShape(link(name), "capsule", (ax, ay, az), (bx, by, bz), radius)

    sole = SKIN_DEPTH_M - SOLE_DEPTH_M
    toe_sole = sole - float(_OFFSET[link("foot")][1])
    return [
        along("hip", "knee", 0.066, 0.0, 0.40),
        along("hip", "knee", 0.047, 0.40),
        along("knee", "ankle", 0.043, 0.0, 0.92),
        CollisionShape(link("ankle"), "box", (0.001 * sign, sole + 0.020, 0.033), (0.031, 0.020, 0.083)),
        CollisionShape(link("foot"), "box", (0.0, toe_sole + 0.011, 0.0265), (0.030, 0.011, 0.0265)),
        along("collar", "shoulder", 0.041),
        along("shoulder", "elbow", 0.030),
        along("elbow", "wrist", 0.021, 0.0, 0.85),
        CollisionShape(link("wrist"), "box", (0.085 * sign, -0.006, 0.002), (0.072, 0.007, 0.030)),
    ]


def _shifted(shape: CollisionShape, forward_m: float) -> CollisionShape:
    """The shape moved forward in the frame of its link."""
    (ax, ay, az), (bx, by, bz) = shape.a, shape.b
    return replace(shape, a=(ax, ay, az + forward_m), b=(bx, by, bz + forward_m))
