"""The bare room as a household scene, with models that follow a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bodyloop.household.agent.planner import PlannerOptions
from bodyloop.household.agent.psv_ego import PSVEgoAgent
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.envs.half_physics_env import EnvFlags
from bodyloop.household.envs.runtime import SceneRuntime
from bodyloop.household.evaluator import FindNavInteractEvaluator
from bodyloop.household.profile import HouseholdProfile, load_household_profile
from bodyloop.household.replay_manifest import build_replay_metadata
from bodyloop.household.types import FindNavInteractEpisode, GoalObject
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.scenes.bare_room import bare_room


class BareRooms:
    """Builds the bare room once and hands it out for every scene id."""

    def __init__(self, profile: HouseholdProfile) -> None:
        self._profile = profile
        self._runtime: SceneRuntime | None = None

    def get(self, scene_id: str) -> SceneRuntime:
        if self._runtime is None:
            self._runtime = SceneRuntime(bare_room(), self._profile)
        return self._runtime


@dataclass
class ScriptedModel:
    """Replies with the listed action names in turn; an exception in the list is raised instead."""

    script: Sequence[str | Exception]
    name: str = "scripted"
    privileged: bool = False
    needs_image: bool = False
    last_usage: Mapping[str, Any] = field(default_factory=dict)
    current_episode_step: int = 0
    calls: int = 0

    def respond(self, messages: Sequence[Mapping[str, Any]]) -> str:
        self.last_usage = {"prompt_tokens": 10, "completion_tokens": 5}
        entry = self.script[min(self.calls, len(self.script) - 1)]
        self.calls += 1
        if isinstance(entry, Exception):
            raise entry
        return json.dumps(
            {
                "visible_state": "A couch is visible ahead.",
                "mid_level_progress_analysis": "going on",
                "mid_level_goal": "reach the target",
                "low_level_action_reasoning": "scripted",
                "action_name": entry,
                "additional_info": {},
            }
        )


@pytest.fixture(scope="session")
def profile() -> HouseholdProfile:
    return load_household_profile("homes_v1")


@pytest.fixture(scope="session")
def bare_rooms(profile: HouseholdProfile) -> BareRooms:
    return BareRooms(profile)


def _episode(
    category: str = "couch", start: tuple[float, float, float] = (0.0, 1.0, 0.0), yaw: float = 0.0, steps: int = 40
):
    scene = bare_room()
    goals = tuple(
        GoalObject(item.name, item.template, item.object_id, (-item.position_m[0], 0.4, item.position_m[1]))
        for item in scene.instances
        if scene.templates[item.template].category == category
    )
    return FindNavInteractEpisode(
        name="find_nav_interact_bare_ep0",
        task_type="find_nav_interact",
        instruction=f"Find the {category}.",
        scene_id=scene.scene_id,
        scene_label=scene.scene_id,
        scene_dataset_config="",
        episode_id="0",
        object_category=category,
        object_label=category,
        init_offset=start,
        init_yaw=yaw,
        max_steps=steps,
        goals=(),
        viewpoint_positions=(),
        goal_objects=goals,
        dataset_start_position=(0.0, 0.0, 0.0),
        dataset_start_rotation_xyzw=(0.0, 0.0, 0.0, 1.0),
        geodesic_distance=None,
    )


@pytest.fixture
def make_episode() -> Callable[..., FindNavInteractEpisode]:
    return _episode


@pytest.fixture
def make_evaluator(profile: HouseholdProfile, bare_rooms: BareRooms) -> Callable[..., FindNavInteractEvaluator]:
    """``make_evaluator(model, metrics=..., video=...)`` over the bare room; retries do not sleep."""

    def make(model: Any, *, metrics: bool = False, video: bool = False) -> FindNavInteractEvaluator:
        flags = EnvFlags(metrics=metrics, video=video)

        def metadata(episode: FindNavInteractEpisode, spec: RolloutSpec) -> Mapping[str, Any]:
            return build_replay_metadata(
                profile=profile.profile,
                episode=episode,
                rollout_index=spec.rollout_index,
                seed=spec.seed,
                physics=profile.physics.model_dump(mode="json"),
                rendering=profile.rendering.model_dump(mode="json"),
                agent={"model": model.name},
                assets={},
                fingerprint=spec.fingerprint,
                body_sha256="0",
                video_enabled=video,
                compute_metrics=metrics,
            )

        return FindNavInteractEvaluator(
            profile,
            FindNavInteractEnv(profile, bare_rooms, flags),
            MotionSkillRunner(AnalyticGenerator()),
            PSVEgoAgent(model, PlannerOptions(), sleep=lambda seconds: None),
            metadata,
        )

    return make


@pytest.fixture
def scripted() -> type[ScriptedModel]:
    return ScriptedModel


@pytest.fixture
def rollout_spec() -> RolloutSpec:
    return RolloutSpec(EpisodeSpec("household", "bare_ep0_couch", "bare", "premise"), 0, 1, "bare/rollout_00")


@pytest.fixture
def run(make_evaluator, make_episode, scripted, rollout_spec, tmp_path: Path):
    """``run(script, category=..., start=..., yaw=..., metrics=...)`` -> (record, folder)."""

    def execute(script: Sequence[str | Exception], *, metrics: bool = True, video: bool = False, **episode: Any):
        folder = tmp_path / "rollout_00"
        evaluator = make_evaluator(scripted(script), metrics=metrics, video=video)
        return evaluator.run_rollout(make_episode(**episode), rollout_spec, folder), folder

    return execute
