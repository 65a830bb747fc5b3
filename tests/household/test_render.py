"""Delayed rendering shows what the online video showed."""

from __future__ import annotations

from hashlib import sha256

import pytest

from bodyloop.errors import ConfigError, DataError
from bodyloop.household.bundle import load_bundle
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
from bodyloop.household.envs.half_physics_env import EnvFlags
from bodyloop.household.render import Encoder, render_frames, render_rollout


def _digest(ego, exo) -> str:
    return sha256(ego.tobytes() + exo.tobytes()).hexdigest()


def test_delayed_frames_equal_online_frames_and_finished_videos_are_kept(
    run, profile, bare_rooms, make_episode, monkeypatch, tmp_path
):
    online: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(
            "bodyloop.household.video.RolloutVideoWriter.append",
            lambda self, ego, exo: online.append(_digest(ego, exo)),
        )
        _, folder = run(["Walk forward normal", "Stop/Stand"], metrics=False, video=True)
    bundle, env = load_bundle(folder), FindNavInteractEnv(profile, bare_rooms, EnvFlags(video=True))
    delayed: list[str] = []
    render_frames(bundle, env, make_episode(), lambda ego, exo: delayed.append(_digest(ego, exo)))
    assert len(set(delayed)) > 5
    assert delayed == online[1:]
    arguments = (bundle, env, make_episode(), tmp_path / "out", Encoder())
    assert render_rollout(*arguments)["status"] == "complete"
    assert (tmp_path / "out" / "exo.mp4").stat().st_size > 0
    frames = env.counters.exo_renders
    assert render_rollout(*arguments)["status"] == "already_complete"
    assert env.counters.exo_renders == frames
    with pytest.raises(DataError, match="inside the rollout folder"):
        render_rollout(bundle, env, make_episode(), folder / "videos", Encoder())


def test_encoder_settings_are_checked():
    with pytest.raises(ConfigError, match="crf"):
        Encoder(crf=99)
    with pytest.raises(ConfigError, match="preset"):
        Encoder(preset="soon")
