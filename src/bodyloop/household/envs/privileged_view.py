"""What a privileged model may read of the running episode; asking changes nothing."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from bodyloop.household.envs.half_physics_env import HalfPhysicsEnv
from bodyloop.household.envs.targets import resolve_target_refs
from bodyloop.household.metrics.contacts import pelvis_target_mask
from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.scenes.description import SceneDescription
from bodyloop.sim.rays import cast_rays_from

__all__ = ["PrivilegedView"]

FloatArray = npt.NDArray[np.float64]

_SEEN_GROUPS: Final = (0, 1, 4)
"""What the agent sees except its own skin."""
_SAMPLES: Final = np.array(list(itertools.product((0.08, 0.3, 0.5, 0.7, 0.92), repeat=3)))
"""Points of an object's box that are looked for, as fractions of its extent."""


class PrivilegedView:
    """Current state of an environment between decisions; implements ``household.privileged.HouseholdView``."""

    def __init__(self, env: HalfPhysicsEnv) -> None:
        self._env = env
        targets, _ = resolve_target_refs(env.runtime.scene, env.episode)
        self._goal_ids = tuple(target.object_id for target in targets)

    @property
    def scene(self) -> SceneDescription:
        """The home as it was built."""
        return self._env.runtime.scene

    @property
    def episode(self) -> FindNavInteractEpisode:
        """The running episode."""
        return self._env.episode

    @property
    def goal_object_ids(self) -> Sequence[int]:
        """Instances that count as the target."""
        return self._goal_ids

    def link_positions(self) -> FloatArray:
        """(22, 3) origins of the body links."""
        return self._env.runtime.human.link_positions()

    def pelvis_position(self) -> FloatArray:
        """(3,) pelvis joint."""
        pelvis: FloatArray = self.link_positions()[0]
        return pelvis

    def yaw_rad(self) -> float:
        """Heading of the pelvis, counter-clockwise from -Y."""
        forward = self._env.runtime.human.root_pose()[1][:, 2]
        return float(np.arctan2(forward[0], -forward[1]))

    def floor_height(self) -> float:
        """Height of the floor under the pelvis."""
        return self._env.floor_under_pelvis()

    def object_poses(self) -> Mapping[int, tuple[FloatArray, FloatArray]]:
        """Position (3,) and rotation xyzw (4,) of every movable object by id."""
        runtime = self._env.runtime
        positions, rotations = runtime.dynamic_poses()
        return {object_id: (positions[row], rotations[row]) for row, object_id in enumerate(runtime.dynamic_ids)}

    def object_box(self, object_id: int) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corner (3,) of an object's world box, as the metrics compute it."""
        box = self._env.runtime.object_box(object_id)
        return box[:3], box[3:]

    def target_visible(self, object_id: int) -> bool:
        """Whether rays from the ego camera, within its field of view, reach the object's surface."""
        runtime, camera = self._env.runtime, self._env.ego_pose()
        lower, upper = self.object_box(object_id)
        toward = lower + _SAMPLES * (upper - lower) - camera.position_m
        right, up, forward = camera.axes()
        depth = toward @ forward
        limit = np.tan(np.radians(camera.fovy_deg) / 2) * depth
        inside = (depth > 0.05) & (np.abs(toward @ up) < limit) & (np.abs(toward @ right) < limit)
        if not inside.any():
            return False
        _, geoms = cast_rays_from(runtime.world, camera.position_m, toward[inside], geomgroups=_SEEN_GROUPS)
        return bool((runtime.entities.geom_entity[geoms[geoms >= 0]] == object_id).any())

    def pelvis_on_target(self) -> bool:
        """Whether the pelvis touches a target."""
        runtime = self._env.runtime
        mujoco.mj_collision(runtime.world.model, runtime.world.data)
        return bool(pelvis_target_mask(runtime.contact_rows(), self._goal_ids).any())
