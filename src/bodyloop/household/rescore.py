"""Recompute the metrics of a finished rollout from its folder, without model and motion generator."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from bodyloop.errors import ArtifactError
from bodyloop.household.agent.calls import PLANNER_STAGE, VERIFIER_STAGE
from bodyloop.household.agent.planner import ACCEPT_FALLBACK, WALK_FALLBACK
from bodyloop.household.bundle import Bundle
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.metrics.flat import flat_metrics
from bodyloop.household.metrics.recorder import STOP_SKILL, PaperMetricRecorder
from bodyloop.household.metrics.settings import MetricSettings
from bodyloop.household.replay import chunks, restore_initial_state
from bodyloop.household.replay_manifest import rewrite_replay_manifest
from bodyloop.household.types import FindNavInteractEpisode, PlannerResult, SkillCall
from bodyloop.records.files import load_json, write_json_atomic
from bodyloop.records.record import Outcome, RolloutRecord

__all__ = ["recorded_decisions", "rescore", "write_metrics"]

_STEP_FILE: Final = re.compile(rf"step(\d+)_{PLANNER_STAGE}\.json")


def recorded_decisions(bundle: Bundle) -> list[PlannerResult]:
    """What each decision was, from the step files and the executed actions; usage stays in the record.

    Raises:
        ArtifactError: decisions are missing.
    """
    names = (_STEP_FILE.fullmatch(item.path) for item in bundle.record.artifacts)
    found = sorted(int(match[1]) for match in names if match)
    if not found or found != list(range(len(found))):
        raise ArtifactError(f"{bundle.folder}: the planner records of the decisions have gaps ({found})")
    before = bundle.trajectory.before
    skills = dict(zip(before["step_indices"].tolist(), before["step_action_skill"].tolist(), strict=True))
    return [_decision(bundle, step, str(skills.get(step, STOP_SKILL))) for step in found]


def _decision(bundle: Bundle, step: int, skill: str) -> PlannerResult:
    planner = load_json(bundle.folder / f"step{step:03d}_{PLANNER_STAGE}.json")
    verifier = bundle.folder / f"step{step:03d}_{VERIFIER_STAGE}.json"
    fallback, reply = None, planner["response"]
    if "error" in planner:
        fallback, reply = WALK_FALLBACK, {"visible_state": ""}
    elif verifier.is_file() and "error" in load_json(verifier):
        fallback = ACCEPT_FALLBACK
    return PlannerResult({}, SkillCall(skill, None), reply, {}, (), fallback)


def rescore(bundle: Bundle, env: FindNavInteractEnv, episode: FindNavInteractEpisode) -> dict[str, Any]:
    """The content of ``metrics.json``; ``env`` has metrics on.

    Raises:
        ArtifactError: the rollout did not finish, or its bundle is incomplete or was made by another engine.
    """
    if bundle.record.outcome is Outcome.UNSCORED or bundle.record.failed:
        raise ArtifactError(f"{bundle.folder}: the rollout did not finish ({bundle.record.reason}); run it again")
    decisions = recorded_decisions(bundle)
    restore_initial_state(bundle, env, episode)
    recorder = PaperMetricRecorder(
        env,
        episode,
        profile=env.profile.profile,
        rollout_index=bundle.record.rollout_index,
        settings=MetricSettings.from_mapping(env.profile.metrics.model_dump()),
    )
    recorder.record_reset()
    motions = dict(chunks(bundle))
    for step, result in enumerate(decisions):
        recorder.record_decision(step, env.metric_find_observation(), result)
        if step in motions:
            _, _, _, info = env.step(motions[step])
            recorder.record_motion(step, result.action.skill, info)
    return _with_usage(recorder.finalize(bundle.trajectory), bundle.record)


def _with_usage(metrics: dict[str, Any], record: RolloutRecord) -> dict[str, Any]:
    """Model usage cannot be recomputed without the model; it is the recorded one."""
    for block in (metrics["cost"], metrics["beyond_paper"]["agent"]):
        block.update({key: record.usage[key] for key in block if key in record.usage})
    return metrics


def write_metrics(bundle: Bundle, metrics: dict[str, Any]) -> RolloutRecord:
    """Write ``metrics.json``, seal the folder again and return the scored record."""
    write_json_atomic(bundle.folder / "metrics.json", metrics)
    outcome = Outcome.SUCCESS if metrics["outcome"]["success"] else Outcome.FAILURE
    record = replace(bundle.record, outcome=outcome, reason=None, metrics=flat_metrics(metrics))
    return rewrite_replay_manifest(bundle.folder, record)
