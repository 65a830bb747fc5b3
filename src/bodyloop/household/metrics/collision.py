"""Contacts with fixed things, from the contact rows of every realized frame."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.errors import SimulationError
from bodyloop.household.metrics.contacts import ContactRows, OtherKind
from bodyloop.household.metrics.environment import MetricEnvironment, RayHit
from bodyloop.household.metrics.settings import MetricSettings

__all__ = ["BODY_GROUPS", "CollisionTracker", "body_group", "select_floor"]

BODY_GROUPS: Final = ("hand_arm", "torso", "leg", "head")

_HEAD: Final = frozenset({"head", "jaw", "left_eye_smplhf", "right_eye_smplhf"})
_LEG: Final = ("hip", "knee", "ankle", "foot")
_ARM: Final = ("collar", "shoulder", "elbow", "wrist", "index", "middle", "pinky", "ring", "thumb")
_FIXED: Final = (OtherKind.STAGE, OtherKind.STATIC_OBJECT, OtherKind.ARTICULATED_OBJECT, OtherKind.UNKNOWN)

Mask = npt.NDArray[np.bool_]


def body_group(link_name: str) -> str:
    """Body group of a link; unknown names belong to the torso."""
    if link_name in _HEAD:
        return "head"
    side, _, part = link_name.partition("_")
    if side in ("left", "right"):
        stem = part.rstrip("0123456789")
        if stem in _LEG:
            return "leg"
        if stem in _ARM:
            return "hand_arm"
    return "torso"


def select_floor(
    root_height_m: float, lowest_m: Sequence[float | None], hits: Sequence[RayHit], epsilon_m: float
) -> tuple[float, str]:
    """Floor height under a body and where it comes from.

    The highest surface at most ``epsilon_m`` above the lowest point of the body's boxes; without one, that lowest point
    (or the root's height when no box can be read).
    """
    readable = [height for height in lowest_m if height is not None]
    lowest = min(readable, default=root_height_m)
    usable = [hit.height_m for hit in hits if not hit.agent and hit.height_m <= lowest + epsilon_m]
    return (max(usable), "spawn_raycast") if usable else (lowest, "agent_min_y_fallback")


class CollisionTracker:
    """Counts decisions with a contact against fixed things above the floor.

    The published score uses one floor height per episode and counts the target like anything else. Beside it stand
    the same score without the target, and with the floor or tread under the pelvis at every frame.
    """

    def __init__(self, settings: MetricSettings | None = None, link_names: Sequence[str] = JOINT_NAMES) -> None:
        self.settings = settings or MetricSettings()
        groups = [body_group(name) for name in link_names]
        self._link_group = np.array([BODY_GROUPS.index(group) for group in groups], dtype=np.int64)
        self._floor: tuple[float, str] | None = None
        self._target_ids: list[int] = []
        self._depth_m = 0.0
        self._motion: set[int] = set()
        self._hits: dict[str, set[int]] = {
            name: set() for name in ("published", "no_target", "local", "local_no_target")
        }
        self._group_hits: tuple[set[int], ...] = tuple(set() for _ in BODY_GROUPS)
        self._contact_frames = 0
        self._max_force_n: float | None = None

    def record_reset(self, environment: MetricEnvironment, target_ids: Collection[int] = ()) -> None:
        """Floor and penetration of the reset state: one ray, one contact query. Once per episode."""
        if self._floor is not None:
            raise SimulationError("collision tracking was reset twice in one episode")
        root = environment.root_position_m()
        origin = root + np.array([0.0, 0.0, self.settings.floor_ray_start_m])
        hits = environment.cast_down(origin, self.settings.floor_ray_max_distance_m)
        lowest = environment.body_lowest_heights_m()
        self._floor = select_floor(float(root[2]), lowest, hits, self.settings.floor_select_epsilon_m)
        depths = -environment.reset_contacts().distance_m
        self._depth_m = max(0.0, float(depths.max(initial=0.0)))
        self._target_ids = sorted(target_ids)

    def record_step(
        self, decision: int, contacts: ContactRows | None, local_floor_m: npt.NDArray[np.float64] | None = None
    ) -> None:
        """One motion decision; ``None`` counts as a decision without contacts. A repeated index counts once."""
        floor_m, _ = self._floor_or_raise()
        self._motion.add(decision)
        if contacts is None or contacts.frame.size == 0:
            return
        fixed = np.isin(contacts.kind, _FIXED)
        height = self.settings.fixed_contact_min_height_m
        counted = fixed & (contacts.height_m - floor_m > height)
        off_target = ~np.isin(contacts.object_id, self._target_ids)
        self._note("published", decision, counted)
        self._note("no_target", decision, counted & off_target)
        local = counted
        if local_floor_m is not None:
            under = local_floor_m[contacts.frame]
            local = fixed & (contacts.height_m - np.where(np.isfinite(under), under, floor_m) > height)
        self._note("local", decision, local)
        self._note("local_no_target", decision, local & off_target)
        for group in np.unique(self._link_group[contacts.link[counted]]):
            self._group_hits[group].add(decision)
        self._contact_frames += len(np.unique(contacts.frame[counted]))
        forces = contacts.normal_force_n[counted]
        if np.isfinite(forces).any():
            self._max_force_n = max(self._max_force_n or 0.0, float(np.nanmax(forces)))

    def finalize(self) -> dict[str, Any]:
        """Published fields of the ``body_scene`` block."""
        floor_m, source = self._floor_or_raise()
        threshold = self.settings.initial_penetration_threshold_m
        return {
            "initial_penetration_depth_m": self._depth_m,
            "initial_penetration_threshold_m": threshold,
            "initial_penetration_detected": self._depth_m > threshold,
            "initial_penetration_excluded": False,
            "episode_floor_y": floor_m,
            "episode_floor_source": source,
            "collision_contact_source": self.settings.collision_contact_source,
            "collision_step_fraction": self._fraction(self._hits["published"]),
            "collision_steps": len(self._hits["published"]),
            "motion_steps": len(self._motion),
            "fixed_contact_min_height_m": self.settings.fixed_contact_min_height_m,
            "by_body_group_step_fraction": {
                group: self._fraction(hits) for group, hits in zip(BODY_GROUPS, self._group_hits, strict=True)
            },
        }

    def beyond_paper(self) -> dict[str, Any]:
        """The scores beside the published one; forces are null when no counted contact had one."""
        self._floor_or_raise()
        force = self._max_force_n
        return {
            "collision_excluding_target_step_fraction": self._fraction(self._hits["no_target"]),
            "collision_local_floor_step_fraction": self._fraction(self._hits["local"]),
            "collision_local_floor_excluding_target_step_fraction": self._fraction(self._hits["local_no_target"]),
            "time_in_contact_s": self._contact_frames / self.settings.fps,
            "max_normal_force_n": force,
            "max_normal_impulse_n_s": None if force is None else force * self.settings.substep_s,
        }

    def _note(self, name: str, decision: int, rows: Mask) -> None:
        if rows.any():
            self._hits[name].add(decision)

    def _fraction(self, decisions: set[int]) -> float:
        return len(decisions) / len(self._motion) if self._motion else 0.0

    def _floor_or_raise(self) -> tuple[float, str]:
        if self._floor is None:
            raise SimulationError("collision tracking needs record_reset() first")
        return self._floor
