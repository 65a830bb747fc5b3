"""Execute requested motion in a home: every frame through half-physics, only the sensors that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import mujoco
import numpy as np
import numpy.typing as npt

from bodyloop.body.layout import BodyPose, parse_motion_action
from bodyloop.body.skeleton import BODY_JOINTS, POSE_ROWS
from bodyloop.errors import MotionError, SimulationError
from bodyloop.household.envs.cameras import ego_camera, exo_camera
from bodyloop.household.envs.runtime import SceneRuntime, half_physics_options
from bodyloop.household.metrics.contacts import ContactRows, MetricFrames
from bodyloop.household.profile import HouseholdProfile
from bodyloop.household.trajectory import InitialObject, ReplayInitialState
from bodyloop.household.types import FindNavInteractEpisode, HalfPhysicsObservation
from bodyloop.sim.cameras import EGO_GROUPS, EXO_GROUPS, CameraPose
from bodyloop.sim.rays import cast_ray

__all__ = ["EnvCounters", "EnvFlags", "HalfPhysicsEnv", "RuntimeSource", "VideoFrameSink"]

FloatArray = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
VideoFrameSink = Callable[[Image, Image], None]

_FIXED_GROUPS: Final = (0,)


@dataclass(frozen=True)
class EnvFlags:
    """Optional work; what is off is never constructed."""

    metrics: bool = False
    video: bool = False


@dataclass
class EnvCounters:
    """How often each kind of work was done since construction."""

    physics_frames: int = 0
    contact_queries: int = 0
    ego_renders: int = 0
    exo_renders: int = 0
    semantic_renders: int = 0
    target_lookups: int = 0


class RuntimeSource(Protocol):
    """Gives the runtime of a home, building it when needed."""

    def get(self, scene_id: str) -> SceneRuntime:
        """The runtime of one home; the source owns and closes it."""
        ...


@dataclass(frozen=True, eq=False)
class _Realized:
    """What physics made of one chunk; T frames, trajectory frame."""

    body_state: Mapping[str, npt.NDArray[np.float32]]
    object_states: Mapping[str, Mapping[str, npt.NDArray[np.float32]]]
    qpos: FloatArray
    metric_frames: MetricFrames | None


class HalfPhysicsEnv:
    """Owns the live scene of one episode at a time. Reward is always 0.0; nothing here knows a task."""

    def __init__(self, profile: HouseholdProfile, runtimes: RuntimeSource, flags: EnvFlags | None = None) -> None:
        self.profile = profile
        self.flags = flags or EnvFlags()
        self.counters = EnvCounters()
        self._options = half_physics_options(profile.physics)
        self._runtimes = runtimes
        self._runtime: SceneRuntime | None = None
        self._episode: FindNavInteractEpisode | None = None
        self._sink: VideoFrameSink | None = None
        self._observation: HalfPhysicsObservation | None = None
        self._last_requested = np.zeros(3)
        self._steps = 0
        self._done = False

    @property
    def runtime(self) -> SceneRuntime:
        """The live scene. Raises ``SimulationError`` before the first reset."""
        if self._runtime is None:
            raise SimulationError("the environment has no scene yet; call reset(episode, ...) first")
        return self._runtime

    @property
    def episode(self) -> FindNavInteractEpisode:
        """The current task. Raises ``SimulationError`` before the first reset."""
        if self._episode is None:
            raise SimulationError("the environment has no episode yet; call reset(episode, ...) first")
        return self._episode

    @property
    def steps(self) -> int:
        """Decisions executed since reset."""
        return self._steps

    def _build_runtime(self, scene_id: str) -> SceneRuntime:
        """The home with the humanoid in its first state."""
        runtime = self._runtimes.get(scene_id)
        runtime.restore()
        return runtime

    def reset(
        self,
        episode: FindNavInteractEpisode,
        initial_transl: npt.ArrayLike,
        initial_global_orient: npt.ArrayLike,
        initial_body_pose: npt.ArrayLike,
    ) -> HalfPhysicsObservation:
        """Place the body at a pose of the trajectory frame, let it settle on its feet, and look."""
        self._episode = episode
        self._runtime = self._build_runtime(episode.scene_id)
        self._steps, self._done = 0, False
        self._reset_runtime_pose(
            BodyPose(
                np.asarray(initial_transl, dtype=np.float64),
                np.asarray(initial_global_orient, dtype=np.float64),
                np.asarray(initial_body_pose, dtype=np.float64),
            )
        )
        self._observation = HalfPhysicsObservation(self._render_ego())
        return self._observation

    def _reset_runtime_pose(self, pose: BodyPose) -> None:
        """Assign the exact pose at rest, then hold it while gravity and the floor find their balance."""
        human, physics = self.runtime.human, self.profile.physics
        human.place(pose.transl, pose.global_orient, pose.body_pose)
        self._last_requested = pose.transl.copy()
        for _ in range(round(physics.settle_s * physics.fps)):
            self._hp_frame(pose, np.zeros(3))
        self.runtime.settle_lights()

    def step(self, action: object) -> tuple[HalfPhysicsObservation, float, bool, dict[str, Any]]:
        """Execute one chunk of requested motion and return the last realized ego view.

        Raises ``SimulationError`` before reset, after the end of the episode, or when the engine diverges, and
        ``MotionError`` for a chunk that cannot be executed; the world is untouched in that case.
        """
        self._check_can_step()
        chunk = parse_motion_action(action)
        if chunk.frames == 0:
            raise MotionError("motion action: the chunk has no frames")
        realized = self._step_runtime_motion(chunk)
        self._steps += 1
        self._done = self._steps >= self.episode.max_steps
        info: dict[str, Any] = {
            "body_state": realized.body_state,
            "object_states": realized.object_states,
            "qpos": realized.qpos,
        }
        if realized.metric_frames is not None:
            info["metric_frames"] = realized.metric_frames
        assert self._observation is not None
        return self._observation, 0.0, self._done, info

    def _check_can_step(self) -> None:
        if self._observation is None or self._runtime is None:
            raise SimulationError("step() before reset(); call reset(episode, ...) first")
        if self._done:
            raise SimulationError("step() after the episode ended; call reset(episode, ...) first")

    def _step_runtime_motion(self, chunk: BodyPose) -> _Realized:
        """Advance every requested frame; record the realized body and objects; observe only what is enabled."""
        runtime = self.runtime
        frames, objects = chunk.frames, len(runtime.dynamic_ids)
        body = BodyPose(np.empty((frames, 3)), np.empty((frames, 3)), np.zeros((frames, POSE_ROWS, 3)))
        positions, rotations = np.empty((frames, objects, 3)), np.empty((frames, objects, 4))
        qpos = np.empty((frames, runtime.world.model.nq))
        contacts: list[ContactRows] = []
        floors = np.full(frames, np.nan)
        for index in range(frames):
            step = self._root_step(chunk, index)
            self._hp_frame(chunk.frame(index), step)
            runtime.refresh()
            self._read_agent_state(body, index)
            self._record_object_state(positions, rotations, index)
            qpos[index] = runtime.world.data.qpos
            if self.flags.metrics:
                contacts.append(self._query_contacts())
                floors[index] = self.floor_under_pelvis()
            if self._sink is not None:
                self._emit_frame(self._sink)
        self._last_requested = chunk.transl[-1].copy()
        if self._sink is None:
            self._observation = HalfPhysicsObservation(self._render_ego())
        return _Realized(
            body_state={
                "transl": body.transl.astype(np.float32),
                "global_orient": body.global_orient.astype(np.float32),
                "body_pose": body.body_pose.astype(np.float32),
            },
            object_states={
                runtime.entities.object_names[object_id]: {
                    "position": positions[:, column].astype(np.float32),
                    "rotation": rotations[:, column].astype(np.float32),
                }
                for column, object_id in enumerate(runtime.dynamic_ids)
            },
            qpos=qpos,
            metric_frames=MetricFrames(ContactRows.concatenate(contacts), floors) if self.flags.metrics else None,
        )

    def _root_step(self, chunk: BodyPose, index: int) -> FloatArray:
        """Requested displacement of one frame; the first frame continues from the previous chunk's last."""
        if index == 0:
            if not self.profile.physics.execute_first_frame_step:
                return np.zeros(3)
            previous = self._last_requested
        else:
            previous = chunk.transl[index - 1]
        step: FloatArray = chunk.transl[index] - previous
        return step

    def _hp_frame(self, pose: BodyPose, step: FloatArray) -> None:
        """One requested frame through half-physics, with the numerical guard."""
        dt_s = 1.0 / self.profile.physics.fps
        self.runtime.human.execute_frame(pose.body_pose, pose.global_orient, step, dt_s, self._options)
        self.counters.physics_frames += 1

    def _read_agent_state(self, body: BodyPose, index: int) -> None:
        """Store the realized pose as row ``index``."""
        pose = self.runtime.human.read_pose()
        body.transl[index] = pose.transl
        body.global_orient[index] = pose.global_orient
        body.body_pose[index] = pose.body_pose

    def _record_object_state(self, positions: FloatArray, rotations: FloatArray, index: int) -> None:
        """Store every movable object's pose as row ``index``."""
        positions[index], rotations[index] = self.runtime.dynamic_poses()

    def _query_contacts(self) -> ContactRows:
        """One collision pass at the realized pose, as rows shared by all metrics."""
        self.counters.contact_queries += 1
        mujoco.mj_collision(self.runtime.world.model, self.runtime.world.data)
        return self.runtime.contact_rows()

    def floor_under_pelvis(self) -> float:
        """Height of the floor or tread under the pelvis, NaN outside the home."""
        x, y, _ = self.runtime.human.link_positions()[0]
        heights = [
            region.height_m
            for region in self.runtime.scene.floors
            if region.lower_m[0] <= x <= region.upper_m[0] and region.lower_m[1] <= y <= region.upper_m[1]
        ]
        return max(heights, default=float("nan"))

    def ego_pose(self) -> CameraPose:
        """The agent's camera at the realized pose."""
        rendering = self.profile.rendering
        eye, axes = self.runtime.human.eye_pose(rendering.ego_forward_offset_m)
        return ego_camera(eye, axes, rendering)

    def _exo_pose(self) -> CameraPose:
        human, rendering = self.runtime.human, self.profile.rendering
        position, rotation = human.root_pose()
        free = self._free_distance if rendering.exo_shorten_on_occlusion else None
        return exo_camera(position, rotation[:, 2], rendering, free)

    def _free_distance(self, origin: FloatArray, direction: FloatArray) -> float:
        return cast_ray(self.runtime.world, origin, direction, geomgroups=_FIXED_GROUPS)[0]

    def _update_cameras(self) -> tuple[CameraPose, CameraPose | None]:
        """Camera poses that belong to the realized body; the exo camera only exists for video."""
        return self.ego_pose(), self._exo_pose() if self.flags.video else None

    def _render_ego(self) -> Image:
        width, height = self.profile.rendering.ego_resolution
        self.counters.ego_renders += 1
        return self.runtime.renderer(width, height).rgb(self._update_cameras()[0], EGO_GROUPS)

    def _emit_frame(self, sink: VideoFrameSink) -> None:
        """Render both views of the realized pose, keep the ego view as observation and hand both to the sink."""
        ego = self._render_ego()
        pose = self._exo_pose()
        width, height = self.profile.rendering.third_person_resolution
        self.counters.exo_renders += 1
        exo = self.runtime.renderer(width, height).rgb(pose, EXO_GROUPS)
        self._observation = HalfPhysicsObservation(ego)
        sink(ego, exo)

    def set_video_frame_sink(self, sink: VideoFrameSink | None) -> None:
        """Send every realized frame (ego, exo) to ``sink``. Raises ``SimulationError`` if video is off."""
        if sink is not None and not self.flags.video:
            raise SimulationError("a video sink needs an environment made with video on")
        self._sink = sink

    def emit_initial_video_frame(self) -> None:
        """Send the reset frame to the sink. Raises ``SimulationError`` without reset or sink."""
        if self._sink is None or self._observation is None:
            raise SimulationError("emit_initial_video_frame() needs video on, a sink, and a reset before")
        self._emit_frame(self._sink)

    def replay_initial_state(self, xb_world_75: npt.NDArray[np.float32]) -> ReplayInitialState:
        """The exact state after reset, for the replay bundle; ``xb_world_75`` (75,) is the pose given to reset."""
        runtime = self.runtime
        pose = runtime.human.read_pose()
        linear, angular = runtime.human.link_velocities()
        joint_velocities = np.zeros((POSE_ROWS, 3))
        joint_velocities[:BODY_JOINTS] = runtime.human.joint_velocities()
        positions, rotations = runtime.dynamic_poses()
        object_linear, object_angular = runtime.dynamic_velocities()
        return ReplayInitialState(
            xb_world_75=xb_world_75,
            human_transl=pose.transl,
            human_global_orient=pose.global_orient,
            human_body_pose=pose.body_pose,
            root_linear_velocity_m_s=linear[0],
            root_angular_velocity_rad_s=angular[0],
            joint_velocities_rad_s=joint_velocities.ravel(),
            objects=[
                InitialObject(
                    name=runtime.entities.object_names[object_id],
                    object_id=object_id,
                    position_m=positions[row],
                    rotation_xyzw=rotations[row],
                    linear_velocity_m_s=object_linear[row],
                    angular_velocity_rad_s=object_angular[row],
                )
                for row, object_id in enumerate(runtime.dynamic_ids)
            ],
            integration_state=runtime.world.integration_state(),
        )

    def render(self, mode: str = "rgb_array") -> Image:
        """The last ego view. Raises ``ValueError`` for any other mode."""
        if mode != "rgb_array":
            raise ValueError(f"unknown render mode {mode!r}; known: rgb_array")
        if self._observation is None:
            raise SimulationError("render() before reset(); call reset(episode, ...) first")
        return self._observation.head_rgb

    def close(self) -> None:
        """Leave the scene; its owner decides when to free it. A later reset takes it up again."""
        self._runtime = None
        self._observation = None
        self._sink = None
