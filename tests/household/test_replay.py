"""Replay of saved rollouts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bodyloop.errors import ArtifactError
from bodyloop.household.bundle import load_bundle
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.replay import replay
from bodyloop.household.trajectory import Trajectory

SCRIPT = ["Walk forward normal", "Walk forward slow", "Stop/Stand"]


@pytest.fixture
def env(profile, bare_rooms):
    return FindNavInteractEnv(profile, bare_rooms)


@pytest.mark.parametrize("metrics", [False, True])
def test_a_saved_rollout_replays_bit_for_bit(run, env, make_episode, metrics):
    _, folder = run(SCRIPT, metrics=metrics)
    result = replay(load_bundle(folder), env, make_episode())
    assert result.exact
    assert result.frames == 30


def test_a_changed_position_is_found_and_located(run, env, make_episode):
    _, folder = run(SCRIPT, metrics=False)
    bundle = load_bundle(folder)
    qpos = bundle.trajectory.after["x_qpos"].copy()
    qpos[17, 2] += 1e-3
    after = {**bundle.trajectory.after, "x_qpos": qpos}
    changed = replace(bundle, trajectory=Trajectory(bundle.trajectory.before, after))
    result = replay(changed, env, make_episode())
    assert not result.exact
    assert np.isclose(result.worst_error, 1e-3)
    assert (result.worst_step, result.worst_frame, result.worst_index) == (1, 2, 2)


def test_another_engine_version_is_refused(run, env, make_episode):
    _, folder = run(SCRIPT, metrics=False)
    bundle = load_bundle(folder)
    old = {**bundle.manifest, "versions": {**bundle.manifest["versions"], "mujoco": "1.0"}}
    with pytest.raises(ArtifactError, match=r"made with mujoco 1\.0"):
        replay(replace(bundle, manifest=old), env, make_episode())
