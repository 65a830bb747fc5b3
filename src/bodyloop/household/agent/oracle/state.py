"""What the oracle knows at a decision, and what it decides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from bodyloop.body.skeleton import REST_OFFSETS_M, SOLE_DEPTH_M, joint_index
from bodyloop.household.actions import WALK_DISTANCES_M
from bodyloop.household.agent.oracle.geometry import FloatArray, box_distance, forward, leftward, wrap
from bodyloop.household.privileged import HouseholdView
from bodyloop.household.types import SkillCall

__all__ = ["CARRY_SHARE", "Decision", "Observation", "Outcome", "commanded", "observe"]

CARRY_SHARE: Final = 0.31
"""Way a body still drifts when a turn follows a walk, as a share of the walked distance."""

_FEET: Final = (joint_index("left_foot"), joint_index("right_foot"))
_TOE_JOINT_M: Final = SOLE_DEPTH_M + float(REST_OFFSETS_M[joint_index("left_foot")][1])
"""Height of the toe joint of a standing foot."""
_NEAR_FLOOR_M: Final = 0.07


@dataclass(frozen=True, eq=False)
class Observation:
    """One snapshot of the privileged view; trajectory frame, metres, radians."""

    step: int
    xy: FloatArray
    """(2,) pelvis."""
    yaw_rad: float
    floor_m: float
    """Floor under the lower foot."""
    links: FloatArray
    """(22, 3)."""
    poses: Mapping[int, tuple[FloatArray, FloatArray]]
    boxes: Mapping[int, tuple[FloatArray, FloatArray]]
    """Boxes of the goals."""
    visible: frozenset[int]
    """Goals in view."""
    pelvis_on_target: bool

    def touch_distance(self) -> float:
        """Distance from the nearest link origin to the nearest goal box, as NavSR measures it."""
        return min(float(box_distance(self.links, lower, upper)) for lower, upper in self.boxes.values())


def observe(view: HouseholdView, step: int) -> Observation:
    """Read the view once."""
    goals = view.goal_object_ids
    links = np.asarray(view.link_positions(), dtype=np.float64)
    return Observation(
        step=step,
        xy=np.asarray(view.pelvis_position(), dtype=np.float64)[:2].copy(),
        yaw_rad=float(view.yaw_rad()),
        floor_m=_standing_floor(view, links),
        links=links,
        poses=dict(view.object_poses()),
        boxes={goal: view.object_box(goal) for goal in goals},
        visible=frozenset(goal for goal in goals if view.target_visible(goal)),
        pelvis_on_target=view.pelvis_on_target(),
    )


def _standing_floor(view: HouseholdView, links: FloatArray) -> float:
    """Floor height under the pelvis, unless the feet plainly stand on another one."""
    under_pelvis = float(view.floor_height())
    under_feet = float(links[_FEET, 2].min()) - _TOE_JOINT_M
    near = [r.height_m for r in view.scene.floors if abs(r.height_m - under_feet) < _NEAR_FLOOR_M]
    if abs(under_pelvis - under_feet) < _NEAR_FLOOR_M or not near:
        return under_pelvis
    return min(near, key=lambda height: abs(height - under_feet))


@dataclass(frozen=True)
class Decision:
    """One skill with the words that go with it."""

    call: SkillCall
    goal: str
    reason: str
    info: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What a skill was meant to do and what it did, in the body's frame before it."""

    call: SkillCall
    ahead_m: float
    left_m: float
    turned_rad: float

    @classmethod
    def between(cls, call: SkillCall, before: Observation, after: Observation) -> Outcome:
        """Displacement between two snapshots."""
        moved = after.xy - before.xy
        return cls(
            call,
            float(moved @ forward(before.yaw_rad)),
            float(moved @ leftward(before.yaw_rad)),
            wrap(after.yaw_rad - before.yaw_rad),
        )

    @property
    def share(self) -> float:
        """Realised share of the commanded displacement or turn; 1 for skills without one."""
        ahead, left, turn = commanded(self.call)
        if ahead:
            return self.ahead_m / ahead
        if left:
            return self.left_m / left
        # A half turn may come out on either side of the cut of the angle.
        return abs(self.turned_rad / turn) if turn else 1.0

    @property
    def carry_m(self) -> float:
        """How far ahead the body comes to rest if it turns now."""
        return CARRY_SHARE * max(self.ahead_m, 0.0) if self.call.skill == "walk_forward" else 0.0


def commanded(call: SkillCall) -> tuple[float, float, float]:
    """Planned displacement ahead and to the left (m) and planned turn (rad) of a skill on free floor."""
    cond: Any = call.cond
    if call.skill == "walk_forward":
        return float(cond[1]), 0.0, 0.0
    if call.skill == "step_back":
        return float(cond[1]), 0.0, 0.0
    if call.skill == "side_walk":
        return 0.0, float(cond), 0.0
    if call.skill == "turn":
        return 0.0, 0.0, math.radians(float(cond))
    return 0.0, 0.0, 0.0


WALKS: Final = tuple(sorted(((distance, speed) for speed, distance in WALK_DISTANCES_M.items()), reverse=True))
"""(distance, speed) of the walks, longest first."""
