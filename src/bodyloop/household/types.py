"""Small typed values that pass between the blocks of the household episode loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.motion.types import Condition

__all__ = [
    "FindNavInteractEpisode",
    "GoalObject",
    "HalfPhysicsObservation",
    "PlannerResult",
    "SkillCall",
    "StageOutput",
]

Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class GoalObject:
    """One acceptable target instance."""

    object_name: str
    template_hash: str
    object_id: int
    """Index into the scene's instances."""
    center: Vec3
    """Habitat axes (Y up), metres."""


@dataclass(frozen=True)
class FindNavInteractEpisode:
    """Immutable task: instruction, scene, target, spawn and step limit. No simulator, no result."""

    name: str
    """``find_nav_interact_<scene>_ep<id>``."""
    task_type: str
    instruction: str
    scene_id: str
    scene_label: str
    scene_dataset_config: str
    episode_id: str
    object_category: str
    object_label: str
    init_offset: Vec3
    """Spawn in the old Z-up order: (-start_x, start_z, height) with Habitat start position."""
    init_yaw: float
    """Spawn heading in degrees; 0 looks along +Z of the motion world."""
    max_steps: int
    goals: tuple[Mapping[str, Any], ...]
    viewpoint_positions: tuple[Vec3, ...]
    """Habitat axes, metres."""
    goal_objects: tuple[GoalObject, ...]
    dataset_start_position: Vec3
    dataset_start_rotation_xyzw: tuple[float, float, float, float]
    geodesic_distance: float | None
    difficulty: Mapping[str, Any] = field(default_factory=dict)
    """``distance``, ``choices``, ``obstacles``, ``label``."""


@dataclass(frozen=True)
class SkillCall:
    """One executable action."""

    skill: str
    cond: Condition
    source_index: int = 0
    action_id: int | None = None
    action_name: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data with keys action_id, action_name, skill, cond, source_index."""
        cond = list(self.cond) if isinstance(self.cond, Sequence) else self.cond
        return {
            "action_id": self.action_id,
            "action_name": self.action_name,
            "skill": self.skill,
            "cond": cond,
            "source_index": self.source_index,
        }

    @property
    def display_text(self) -> str:
        """Name for histories and tables."""
        if self.action_name is not None:
            return self.action_name if self.action_id is None else f"action id {self.action_id}: {self.action_name}"
        return self.skill if self.cond is None else f"{self.skill} cond={self.cond}"


@dataclass(frozen=True, eq=False)
class HalfPhysicsObservation:
    """All that the agent sees."""

    head_rgb: npt.NDArray[np.uint8]
    """(H, W, 3) realized ego image."""


@dataclass(frozen=True)
class StageOutput:
    """One attempt of one planner or verifier call."""

    stage: str
    """``percept_mid_low`` or ``verifier``."""
    raw: Mapping[str, Any]
    """Parsed reply, empty when it could not be parsed."""
    raw_output: str
    prompt: str
    error: str | None = None
    usage: Mapping[str, Any] = field(default_factory=dict)
    """Provider usage of this attempt, as reported."""


@dataclass(frozen=True)
class PlannerResult:
    """What one decision produced; only ``action`` is executed."""

    raw_plan: Mapping[str, Any]
    action: SkillCall
    planner_skill: Mapping[str, Any]
    """Planner JSON."""
    verifier: Mapping[str, Any]
    """Normalized verifier record."""
    stage_outputs: tuple[StageOutput, ...]
    """Every attempt, oldest first."""
    fallback: str | None = None
    """Tag of the fallback used, if the replies were unusable."""
