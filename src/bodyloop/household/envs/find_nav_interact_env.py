"""Task semantics on top of half-physics: targets, the explicit Stop, and the queries of the metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.skeleton import joint_index
from bodyloop.errors import SimulationError
from bodyloop.household.envs.half_physics_env import HalfPhysicsEnv
from bodyloop.household.envs.targets import TargetRef, resolve_target_refs
from bodyloop.household.metrics.contacts import ContactRows, pelvis_target_mask
from bodyloop.household.metrics.environment import Posture, RayHit
from bodyloop.household.metrics.nav import body_to_target_aabb_distance
from bodyloop.household.types import FindNavInteractEpisode, HalfPhysicsObservation
from bodyloop.sim.cameras import EGO_GROUPS
from bodyloop.sim.distance import geom_set_distance
from bodyloop.sim.entities import EntityKind
from bodyloop.sim.rays import NO_HIT, cast_ray

__all__ = ["INTERACT_CATEGORIES", "FindNavInteractEnv"]

FloatArray = npt.NDArray[np.float64]

INTERACT_CATEGORIES: Final = ("bed", "couch", "toilet")
"""Targets that must be sat on."""

_STOP_WORDS: Final = ("stand", "stop", "stop/stand")
_RAY_STEP_M: Final = 1e-4
_MAX_RAY_HITS: Final = 64
_SKIN: Final = 2
_SOLID_GROUPS: Final = (3,)
"""Everything that can be touched; what is only seen lies in other groups."""


class FindNavInteractEnv(HalfPhysicsEnv):
    """Find a target, go to it, sit on it if it can be sat on, stop."""

    _targets: tuple[TargetRef, ...] = ()
    skipped_goals: int = 0
    """Goals of the current episode that the scene does not have."""

    def reset(
        self,
        episode: FindNavInteractEpisode,
        initial_transl: npt.ArrayLike,
        initial_global_orient: npt.ArrayLike,
        initial_body_pose: npt.ArrayLike,
    ) -> HalfPhysicsObservation:
        """Reset half-physics; targets are resolved in metric mode only."""
        observation = super().reset(episode, initial_transl, initial_global_orient, initial_body_pose)
        self._targets, self.skipped_goals = self._resolve_target_refs() if self.flags.metrics else ((), 0)
        return observation

    def _resolve_target_refs(self) -> tuple[tuple[TargetRef, ...], int]:
        """Match the episode's goals to live instances, and give them semantic ids."""
        self.counters.target_lookups += 1
        return resolve_target_refs(self.runtime.scene, self.episode)

    def _assign_target_semantic_ids(self) -> Mapping[int, int]:
        """Semantic id of every target by object id."""
        return {target.object_id: target.semantic_id for target in self._targets}

    def step(self, action: object) -> tuple[HalfPhysicsObservation, float, bool, dict[str, Any]]:
        """Route an explicit Stop to :meth:`_stop_step`; everything else is a motion chunk."""
        return self._stop_step() if _is_stop(action) else super().step(action)

    def _stop_step(self) -> tuple[HalfPhysicsObservation, float, bool, dict[str, Any]]:
        """Commit the current pose: one decision, no physics, no picture, no info."""
        self._check_can_step()
        self._steps += 1
        self._done = True
        assert self._observation is not None
        return self._observation, 0.0, True, {}

    def metric_find_observation(self) -> dict[str, Any]:
        """Target pixels in the exact current ego view: ``available`` and ``target_pixel_count``.

        Raises ``SimulationError`` outside metric mode.
        """
        self._check_metric_mode("metric_find_observation()")
        width, height = self.profile.rendering.ego_resolution
        self.counters.semantic_renders += 1
        picture = self.runtime.renderer(width, height).segmentation(self.ego_pose(), EGO_GROUPS)
        count = self.runtime.entities.count_pixels(picture, list(self._assign_target_semantic_ids()))
        return {"available": bool(self._targets), "target_pixel_count": count}

    def metric_target_geometry(self) -> dict[str, Any]:
        """Distance from the nearest body link origin to the nearest target box, 0 inside; metres."""
        self._check_metric_mode("metric_target_geometry()")
        points = self.runtime.human.link_positions()
        boxes = [self.runtime.object_box(target.object_id) for target in self._targets]
        return {
            "body_target_aabb_distance_m": body_to_target_aabb_distance(points, [(box[:3], box[3:]) for box in boxes]),
            "body_point_count": len(points),
            "target_aabb_count": len(boxes),
        }

    def nav_surface_distance_m(self) -> float | None:
        """Distance between the body's skin and the nearest target surface, 0 in contact; metres."""
        self._check_metric_mode("nav_surface_distance_m()")
        skin = self.runtime.body_geoms(group=_SKIN)
        geoms = np.concatenate([self.runtime.solid_geoms(target.object_id) for target in self._targets])
        return max(0.0, geom_set_distance(self.runtime.world, skin, geoms))

    def is_interact_episode(self) -> bool:
        """The target must be sat on."""
        return self.episode.object_category in INTERACT_CATEGORIES

    def is_pelvis_target_contact(self, contacts: ContactRows) -> npt.NDArray[np.bool_]:
        """(n,) rows in which the pelvis touches exactly one of the target instances."""
        return pelvis_target_mask(contacts, self.target_ids())

    def target_ids(self) -> Collection[int]:
        """Object ids of the targets."""
        return [target.object_id for target in self._targets]

    def object_names(self) -> Mapping[int, str]:
        """Names of the movable objects by id."""
        return {object_id: self.runtime.entities.object_names[object_id] for object_id in self.runtime.dynamic_ids}

    def root_position_m(self) -> FloatArray:
        """(3,) pelvis position, trajectory frame."""
        pelvis: FloatArray = self.runtime.human.link_positions()[0]
        return pelvis

    def cast_down(self, origin_m: FloatArray, max_distance_m: float) -> Sequence[RayHit]:
        """Every surface straight below a point, nearest first; the body itself is passed through."""
        world, table = self.runtime.world, self.runtime.entities
        down, start, travelled, hits = np.array([0.0, 0.0, -1.0]), np.array(origin_m, dtype=np.float64), 0.0, []
        for _ in range(_MAX_RAY_HITS):
            distance, geom = cast_ray(world, start, down, geomgroups=_SOLID_GROUPS)
            travelled += distance + _RAY_STEP_M
            if geom == NO_HIT or travelled > max_distance_m:
                break
            start[2] -= distance
            if table.geom_kind[geom] != EntityKind.AGENT:
                hits.append(RayHit(float(start[2])))
            start[2] -= _RAY_STEP_M
        return hits

    def body_lowest_heights_m(self) -> Sequence[float | None]:
        """Lowest point of every link's collision shape."""
        return self.runtime.lowest_link_heights()

    def reset_contacts(self) -> ContactRows:
        """Contacts of the reset state, one query."""
        self._check_metric_mode("reset_contacts()")
        return self._query_contacts()

    def seat_heights_m(self, object_id: int) -> Sequence[float]:
        """World heights of an object's seat surfaces."""
        scene = self.runtime.scene
        template = scene.templates[scene.instances[object_id].template]
        base = float(self.runtime.object_pose(object_id)[0][2])
        return [base + seat.center_m[2] for seat in template.seats]

    def posture(self) -> Posture:
        """Height of the pelvis's underside and torso tilt of the realized body."""
        links = self.runtime.human.link_positions()
        spine = links[joint_index("neck")] - links[0]
        tilt = np.degrees(np.arccos(np.clip(spine[2] / np.linalg.norm(spine), -1.0, 1.0)))
        underside = self.runtime.lowest_link_heights()[0]
        height = float(links[0][2]) if underside is None else underside
        return Posture(pelvis_height_m=height, torso_tilt_deg=float(tilt))

    def _check_metric_mode(self, call: str) -> None:
        if not self.flags.metrics:
            raise SimulationError(f"{call} needs an environment made with metrics on")


def _is_stop(action: object) -> bool:
    """Only the action itself stops: a truthy ``stop`` or ``at_target``, or a stop word as skill or name."""
    if not isinstance(action, Mapping):
        return False
    for fields in (action, action.get("action")):
        if not isinstance(fields, Mapping):
            continue
        names = (str(fields.get(key) or "").strip().lower() for key in ("skill", "action_name"))
        if fields.get("stop") or fields.get("at_target") or any(name in _STOP_WORDS for name in names):
            return True
    return False
