"""A home with the humanoid in it, built once and put back to its first state for every rollout."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
import numpy.typing as npt

from bodyloop.body.humanoid import add_humanoid
from bodyloop.body.mujoco_engine import MujocoHumanoid
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.household.metrics.contacts import ContactRows, contact_rows
from bodyloop.household.profile import HouseholdProfile, PhysicsSection
from bodyloop.scenes.builder import build_spec
from bodyloop.scenes.description import SceneDescription
from bodyloop.sim.boxes import geom_aabbs, local_aabb, transform_aabb
from bodyloop.sim.cameras import Renderer
from bodyloop.sim.contacts import contact_arrays
from bodyloop.sim.entities import AGENT_ENTITY, EntityTable
from bodyloop.sim.world import World

__all__ = ["SceneRuntime", "half_physics_options"]

FloatArray = npt.NDArray[np.float64]


def half_physics_options(physics: PhysicsSection) -> HalfPhysicsOptions:
    """Controller options of a profile."""
    return HalfPhysicsOptions(
        root_gravity_scale=physics.root_gravity_scale,
        root_gravity_mode=physics.root_gravity_mode,
        inherit_downward_root_y_velocity=physics.inherit_downward_root_y_velocity,
        pjsc_lambda=physics.pjsc_lambda,
        pjsc_lambda_by_link=physics.pjsc_lambda_by_link,
        pjsc_substeps=physics.pjsc_substeps,
        root_linear_xz_command_substeps=physics.root_linear_xz_command_substeps,
        root_vertical_command=physics.root_vertical_command,
    )


class SceneRuntime:
    """World, humanoid and look-up tables of one home. Poses are in the trajectory frame (Z up, metres)."""

    def __init__(self, scene: SceneDescription, profile: HouseholdProfile) -> None:
        rendering, physics = profile.rendering, profile.physics
        built = build_spec(
            scene,
            lighting=rendering.lighting,
            ambient_strength=rendering.ambient_strength,
            quality=rendering.quality,
        )
        add_humanoid(
            built.spec,
            friction=physics.friction,
            pelvis_friction=physics.pelvis_friction,
            armature=physics.joint_armature_kg_m2,
            margin_m=physics.collision_margin_m,
        )
        self.scene = scene
        self._lights = built.lights
        self.profile = profile
        self.world = World(built.spec)
        self.human = MujocoHumanoid(self.world)
        self.entities = EntityTable.build(self.world.model, "pelvis", built.objects, link_names=JOINT_NAMES)
        self.dynamic_ids: tuple[int, ...] = tuple(
            sorted(self.entities.dynamic_ids, key=lambda object_id: self.entities.object_names[object_id])
        )
        """Movable objects, sorted by name."""
        self.dynamic_bodies = np.array([self.entities.object_bodies[i] for i in self.dynamic_ids], dtype=np.int32)
        self._local_boxes: dict[int, FloatArray] = {}
        self._renderers: dict[tuple[int, int], Renderer] = {}
        self._root_body = int(self.world.model.body("pelvis").id)
        self._pristine = self.world.snapshot()

    def restore(self) -> None:
        """Put every object and the body back to where they were built."""
        self.world.restore(self._pristine)

    def renderer(self, width: int, height: int) -> Renderer:
        """The renderer of one picture size, made on first use."""
        key = (width, height)
        if key not in self._renderers:
            self._renderers[key] = Renderer(self.world, width, height, self.profile.rendering.quality)
        return self._renderers[key]

    def dynamic_poses(self) -> tuple[FloatArray, FloatArray]:
        """Positions (N, 3) and quaternions xyzw (N, 4) of the movable objects, in the order of ``dynamic_ids``."""
        qpos = self.world.data.qpos[self._dynamic_addresses]
        return qpos[:, :3].copy(), qpos[:, [4, 5, 6, 3]]

    def dynamic_velocities(self) -> tuple[FloatArray, FloatArray]:
        """Linear and angular velocities (N, 3) of the movable objects, world axes, m/s and rad/s."""
        model, data = self.world.model, self.world.data
        first = model.jnt_dofadr[model.body_jntadr[self.dynamic_bodies]]
        speed = data.qvel[first[:, None] + np.arange(6)]
        rotation = data.xmat[self.dynamic_bodies].reshape(-1, 3, 3)
        return speed[:, :3].copy(), np.einsum("nij,nj->ni", rotation, speed[:, 3:])

    @property
    def _dynamic_addresses(self) -> npt.NDArray[np.intp]:
        model = self.world.model
        first = model.jnt_qposadr[model.body_jntadr[self.dynamic_bodies]]
        return np.asarray(first[:, None] + np.arange(7), dtype=np.intp)

    def object_pose(self, object_id: int) -> tuple[FloatArray, FloatArray]:
        """Current position (3,) and quaternion xyzw (4,) of one object."""
        body, data = self.entities.object_bodies[object_id], self.world.data
        return data.xpos[body].copy(), data.xquat[body][[1, 2, 3, 0]]

    def object_box(self, object_id: int) -> FloatArray:
        """(6,) world box of an object: its own local box turned with it, so a turned object's box grows."""
        body = self.entities.object_bodies[object_id]
        if object_id not in self._local_boxes:
            self._local_boxes[object_id] = local_aabb(self.world.model, self.entities.geoms_of(object_id))
        return transform_aabb(self._local_boxes[object_id], self.world.data.xpos[body], self.world.data.xmat[body])

    def contact_rows(self) -> ContactRows:
        """The engine's current contact list as one frame of metric rows."""
        found, table = contact_arrays(self.world), self.entities
        return contact_rows(
            geom1=found.geom1,
            geom2=found.geom2,
            distance_m=found.distance_m,
            position_m=found.position_m,
            normal=found.normal,
            geom_kind=table.geom_kind,
            geom_entity=table.geom_entity,
            geom_link=table.geom_link,
        )

    def body_geoms(self, group: int | None = None) -> npt.NDArray[np.int32]:
        """Geoms of the humanoid, optionally of one geom group (2 visible skin, 3 collision)."""
        geoms = self.entities.geoms_of(AGENT_ENTITY)
        return geoms if group is None else geoms[self.world.model.geom_group[geoms] == group]

    def solid_geoms(self, object_id: int) -> npt.NDArray[np.int32]:
        """Geoms of an object that can be touched; its look meshes are left out."""
        geoms = self.entities.geoms_of(object_id)
        solid: npt.NDArray[np.int32] = geoms[self.world.model.geom_contype[geoms] != 0]
        return solid

    def lowest_link_heights(self) -> Sequence[float | None]:
        """Lowest point of each link's collision geoms, ``None`` for a link without any."""
        geoms = self.body_geoms(group=3)
        lowest = geom_aabbs(self.world, geoms)[:, 2]
        links = self.entities.geom_link[geoms]
        return [
            float(lowest[links == link].min()) if (links == link).any() else None for link in range(len(JOINT_NAMES))
        ]

    def settle_lights(self) -> None:
        """Bring poses up to date and hang the lamps that follow the body where it starts."""
        self.refresh()
        self._lights.place(self.world.model, self.world.data, self.world.data.xpos[self._root_body])

    def refresh(self) -> None:
        """Bring poses up to date with the state without touching contacts or the solver's warm start."""
        mujoco.mj_kinematics(self.world.model, self.world.data)

    def close(self) -> None:
        """Release the render contexts."""
        for renderer in self._renderers.values():
            renderer.close()
        self._renderers.clear()
