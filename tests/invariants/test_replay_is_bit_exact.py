"""Forward replay of a bundle is bit-exact on the machine that made it."""

from __future__ import annotations

import numpy as np

from bodyloop.body.layout import xb75_to_pose
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.household.envs.runtime import SceneRuntime
from bodyloop.household.profile import load_household_profile
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.scenes.bare_room import bare_room


def _rollout(runtime: SceneRuntime, chunks: list[np.ndarray], state: np.ndarray, last: np.ndarray) -> np.ndarray:
    runtime.world.set_integration_state(state)
    options, qpos = HalfPhysicsOptions(), []
    for chunk in chunks:
        pose = xb75_to_pose(chunk)
        for index in range(pose.frames):
            step = pose.transl[index] - last
            last = pose.transl[index]
            frame = pose.frame(index)
            runtime.human.execute_frame(frame.body_pose, frame.global_orient, step, 1 / 30, options)
            qpos.append(runtime.world.data.qpos.copy())
    return np.array(qpos)


def test_the_saved_state_and_chunks_give_the_same_positions_bit_for_bit():
    profile = load_household_profile("homes_v1")
    motion = MotionSkillRunner(AnalyticGenerator())
    start = xb75_to_pose(motion.reset((1.2, -0.6, 0.0), 0.0))
    chunks = [
        motion.generate(skill, condition).xb_world_75
        for skill, condition in [("walk_forward", [0, 0.4, 0]), ("walk_forward", [0, 0.6, 0]), ("turn", 40.0)]
    ]
    results = []
    for _ in range(2):
        runtime = SceneRuntime(bare_room(), profile)
        runtime.human.place(start.transl, start.global_orient, start.body_pose)
        state = runtime.world.integration_state()
        results.append(_rollout(runtime, chunks, state, start.transl))
        results.append(_rollout(runtime, chunks, state, start.transl))
        runtime.close()
    assert all(np.array_equal(results[0], other) for other in results[1:])
    assert np.abs(results[0][-1] - results[0][0]).max() > 0.1
