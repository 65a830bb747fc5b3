"""The hidden shapes that touch the world: capsules and boxes about 1 cm inside the visible skin.

Contacts act at a margin of 1 cm, so the visible surface, and exactly the visible sole, is what rests on a floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from bodyloop.body.skeleton import JOINT_NAMES, REST_OFFSETS_M, SOLE_DEPTH_M

__all__ = ["SKIN_DEPTH_M", "CollisionShape", "collision_shapes"]

SKIN_DEPTH_M: Final = 0.01
"""Distance from a collision shape to the visible skin around it."""

Vec3 = tuple[float, float, float]
_OFFSET: Final = {name: REST_OFFSETS_M[index] for index, name in enumerate(JOINT_NAMES)}


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
    neck_end: Vec3 = (0.0, 0.075, 0.008)
    return [
        CollisionShape("pelvis", "capsule", (-0.060, -0.043, -0.012), (0.060, -0.043, -0.012), 0.097),
        CollisionShape("spine1", "capsule", (-0.052, 0.055, 0.006), (0.052, 0.055, 0.006), 0.092),
        CollisionShape("spine2", "capsule", (-0.052, 0.040, 0.010), (0.052, 0.040, 0.010), 0.094),
        CollisionShape("spine3", "capsule", (-0.062, 0.065, 0.004), (0.062, 0.065, 0.004), 0.095),
        CollisionShape("neck", "capsule", (0.0, 0.015, 0.004), neck_end, 0.042),
        CollisionShape("head", "capsule", (0.0, 0.020, 0.016), (0.0, 0.086, -0.004), 0.066),
    ]


def _limbs(side: str, sign: float) -> list[CollisionShape]:
    def link(name: str) -> str:
        return f"{side}_{name}"

    def along(name: str, child: str, radius: float, overshoot: float = 0.0) -> CollisionShape:
        end = _OFFSET[link(child)] * (1.0 + overshoot)
        return CollisionShape(
            link(name), "capsule", (0.0, 0.0, 0.0), (float(end[0]), float(end[1]), float(end[2])), radius
        )

    foot_drop = -float(_OFFSET[link("foot")][1])
    sole, toe_sole = SKIN_DEPTH_M - SOLE_DEPTH_M, SKIN_DEPTH_M - SOLE_DEPTH_M + foot_drop
    return [
        along("hip", "knee", 0.066),
        along("knee", "ankle", 0.045, -0.08),
        CollisionShape(link("ankle"), "box", (0.001 * sign, sole + 0.020, 0.030), (0.034, 0.020, 0.088)),
        CollisionShape(link("foot"), "box", (0.0, toe_sole + 0.012, 0.026), (0.034, 0.012, 0.034)),
        along("collar", "shoulder", 0.048),
        along("shoulder", "elbow", 0.034),
        along("elbow", "wrist", 0.026),
        CollisionShape(link("wrist"), "box", (0.085 * sign, -0.008, 0.002), (0.075, 0.010, 0.032)),
    ]
