"""Which objects of the live scene are the episode's targets."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from bodyloop.errors import DataError
from bodyloop.household.types import FindNavInteractEpisode, GoalObject
from bodyloop.scenes.description import SceneDescription

__all__ = ["SEMANTIC_ID_BASE", "TargetRef", "resolve_target_refs"]

SEMANTIC_ID_BASE = 900000
"""Semantic id of the first target; the i-th resolved target gets ``SEMANTIC_ID_BASE + i``."""

_CENTER_WARNING_M = 0.5
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class TargetRef:
    """One goal resolved to an instance of the scene."""

    object_id: int
    name: str
    semantic_id: int


def resolve_target_refs(scene: SceneDescription, episode: FindNavInteractEpisode) -> tuple[tuple[TargetRef, ...], int]:
    """Targets by instance index, and how many goals could not be resolved.

    The template hash must match the instance (a mismatch leaves the goal out); a far centre is only a warning, because
    goal centres may be those of a mesh.

    Raises:
        DataError: no goal of the episode exists in the scene.
    """
    found: dict[int, TargetRef] = {}
    skipped = 0
    for goal in episode.goal_objects:
        if not _matches(scene, goal):
            skipped += 1
        elif goal.object_id not in found:
            name = scene.instances[goal.object_id].name
            found[goal.object_id] = TargetRef(goal.object_id, name, SEMANTIC_ID_BASE + len(found))
    if not found:
        raise DataError(
            f"scene {episode.scene_label}: none of the {len(episode.goal_objects)} {episode.object_category} goals of episode"
            f" {episode.episode_id} exists; the episode shard and the scene do not belong together"
        )
    return tuple(found.values()), skipped


def _matches(scene: SceneDescription, goal: GoalObject) -> bool:
    if not 0 <= goal.object_id < len(scene.instances):
        return False
    instance = scene.instances[goal.object_id]
    if goal.template_hash and instance.template.rsplit("-", 1)[-1] != goal.template_hash.rsplit("-", 1)[-1]:
        return False
    habitat_x, _, habitat_z = goal.center
    offset = np.array([-habitat_x, habitat_z]) - np.array(instance.position_m[:2])
    if float(np.linalg.norm(offset)) > _CENTER_WARNING_M:
        _LOG.warning("goal %s: centre is %.2f m from its instance", goal.object_name, float(np.linalg.norm(offset)))
    return True
