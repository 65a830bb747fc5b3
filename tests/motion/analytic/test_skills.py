"""The analytic generator without physics: exact travel, smooth joins between any two skills, human joint limits."""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import product
from typing import Any

import numpy as np
import pytest

from bodyloop.body.rotations import (
    matrix_to_quat,
    quat_inverse,
    quat_multiply,
    quat_to_rotvec,
    rotvec_to_matrix,
    rotvec_to_quat,
)
from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.errors import MotionError, UnknownNameError
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.analytic.anatomy import STANDING_PELVIS_M, seat_depth_m
from bodyloop.motion.analytic.seat import SeatedPose
from bodyloop.motion.layout import frames_to_states, joint_positions, state_to_joints
from bodyloop.motion.runner import MotionSkillRunner

CALLS: tuple[tuple[str, Any], ...] = (
    ("walk_forward", (0.0, 0.2, 0.0)),
    ("walk_forward", (0.0, 0.4, 0.0)),
    ("walk_forward", (0.0, 0.6, 0.0)),
    ("stand", None),
    ("turn", 15.0),
    ("turn", 120.0),
    ("turn", -120.0),
    ("step_climb_up", (0.28, 0.30)),
    ("sit", 0.45),
    ("sit", 0.20),
    ("sit", 0.80),
    ("step_back", (0.0, -0.1)),
    ("step_back", (0.0, -0.6)),
    ("side_walk", 0.5),
    ("side_walk", -0.5),
    ("side_walk", 0.1),
    ("step_climb_down", (0.20, 0.40)),
)
MAX_SPEED_RAD_S = 15.70796
LIMITS_DEG = {
    "hip flexion": (-40.0, 125.0),
    "hip abduction": (-32.0, 45.0),
    "hip rotation": (-40.0, 45.0),
    "knee": (0.0, 145.0),
    "ankle": (-42.0, 60.0),
    "toes": (-72.0, 25.0),
    "shoulder swing": (-45.0, 75.0),
    "elbow": (2.0, 110.0),
    "trunk bend": (-15.0, 45.0),
    "trunk twist": (-12.0, 12.0),
}


def frames(calls: list[tuple[str, Any]]) -> np.ndarray:
    """Requested world frames (1 + 15 n, 75) of a sequence from standing."""
    runner = MotionSkillRunner(AnalyticGenerator())
    rows = [runner.reset()]
    for skill, condition in calls:
        rows.extend(runner.generate(skill, condition).xb_world_75)
    return np.array(rows, dtype=np.float64)


@pytest.fixture(scope="module")
def pairs() -> dict[tuple[int, int], np.ndarray]:
    """Every two skills in a row, then standing."""
    return {(a, b): frames([CALLS[a], CALLS[b], ("stand", None)]) for a, b in product(range(len(CALLS)), repeat=2)}


def rotations(xb: np.ndarray) -> np.ndarray:
    return xb[:, 6:69].reshape(len(xb), 21, 3)


def test_all_skills_are_reached_from_all(pairs: dict[tuple[int, int], np.ndarray]) -> None:
    for xb in pairs.values():
        assert np.isfinite(xb).all()
        assert (xb[:, 39:42] == 0.0).all()
        assert (xb[:, 48:51] == 0.0).all()


def test_no_joint_turns_faster_than_its_drive(pairs: dict[tuple[int, int], np.ndarray]) -> None:
    for key, xb in pairs.items():
        quats = rotvec_to_quat(xb[:, 3:69].reshape(len(xb), 22, 3))
        steps = quat_to_rotvec(quat_multiply(quat_inverse(quats[:-1]), quats[1:]))
        speed = np.linalg.norm(steps, axis=-1) * 30.0
        assert speed.max() < MAX_SPEED_RAD_S, (CALLS[key[0]], CALLS[key[1]])


def test_joins_are_smooth(pairs: dict[tuple[int, int], np.ndarray]) -> None:
    """No joint of the body is jerked at a join harder than the swinging feet are inside a chunk."""
    for key, xb in pairs.items():
        acceleration = np.linalg.norm(np.diff(joint_positions(xb), n=2, axis=0), axis=-1) * 900.0
        for join in (14, 29):
            at_join = acceleration[join]
            assert at_join[JOINT_NAMES.index("pelvis")] < 10.0, (CALLS[key[0]], CALLS[key[1]])
            assert at_join[JOINT_NAMES.index("head")] < 20.0, (CALLS[key[0]], CALLS[key[1]])
            # A nearly straight knee moves fast sideways when its leg shortens by millimetres.
            assert at_join[[4, 5]].max() < 110.0, (CALLS[key[0]], CALLS[key[1]])
            assert np.delete(at_join, [4, 5]).max() < 45.0, (CALLS[key[0]], CALLS[key[1]])
        assert acceleration[:, JOINT_NAMES.index("pelvis")].max() < 40.0, (CALLS[key[0]], CALLS[key[1]])


def test_joints_stay_within_human_limits(pairs: dict[tuple[int, int], np.ndarray]) -> None:
    for key, xb in pairs.items():
        for name, values in anatomical_angles(xb).items():
            low, high = LIMITS_DEG[name]
            where = (name, CALLS[key[0]], CALLS[key[1]])
            assert low < np.degrees(values.min()), where
            assert np.degrees(values.max()) < high, where


def anatomical_angles(xb: np.ndarray) -> dict[str, np.ndarray]:
    """Joint angles in the terms of a goniometer, radians, left and right together."""
    body = rotations(xb)
    found: dict[str, list[np.ndarray]] = defaultdict(list)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        row = {part: JOINT_NAMES.index(f"{side}_{part}") - 1 for part in ("hip", "knee", "ankle", "foot", "elbow")}
        hip = rotvec_to_matrix(body[:, row["hip"]])
        thigh, quat = -hip[:, :, 1], matrix_to_quat(hip)
        found["hip flexion"].append(np.arctan2(thigh[:, 2], -thigh[:, 1]))
        found["hip abduction"].append(sign * np.arcsin(np.clip(thigh[:, 0], -1.0, 1.0)))
        twist = 2.0 * np.arctan2(quat[:, 1], quat[:, 3])
        found["hip rotation"].append(sign * ((twist + np.pi) % (2.0 * np.pi) - np.pi))
        found["knee"].append(body[:, row["knee"], 0])
        ankle = rotvec_to_matrix(body[:, row["ankle"]])
        found["ankle"].append(np.arctan2(ankle[:, 2, 1], ankle[:, 1, 1]))
        found["toes"].append(body[:, row["foot"], 0])
        found["elbow"].append(np.abs(body[:, row["elbow"], 1]))
        arm = rotvec_to_matrix(body[:, JOINT_NAMES.index(f"{side}_shoulder") - 1])[:, :, 0] * sign
        found["shoulder swing"].append(np.arctan2(arm[:, 2], -arm[:, 1]))
    trunk = body[:, [JOINT_NAMES.index(f"spine{i}") - 1 for i in (1, 2, 3)]].sum(axis=1)
    found["trunk bend"].append(trunk[:, 0])
    found["trunk twist"].append(trunk[:, 1])
    return {name: np.concatenate(values) for name, values in found.items()}


def test_arms_keep_clear_of_the_trunk(pairs: dict[tuple[int, int], np.ndarray]) -> None:
    """Elbows, wrists and hands stay outside a cylinder of 20 cm around the spine."""
    for key, xb in pairs.items():
        positions = joint_positions(xb)
        pelvis, axis = positions[:, 0], positions[:, JOINT_NAMES.index("spine3")] - positions[:, 0]
        for joint in (18, 19, 20, 21, 22, 23):
            out = positions[:, joint] - pelvis
            along = np.clip((out * axis).sum(-1) / (axis * axis).sum(-1), 0.0, 1.5)
            assert np.linalg.norm(out - along[:, None] * axis, axis=-1).min() > 0.20, (CALLS[key[0]], CALLS[key[1]])


@pytest.mark.parametrize("before", [(), (0,), (1,), (2,), (2, 2), (8,), (14,)])
def test_travel_is_exact(before: tuple[int, ...]) -> None:
    """Whatever came before on the feet, the pelvis ends exactly where the condition says."""
    start = [CALLS[i] for i in before] + ([("stand", None)] if before == (8,) else [])
    asked = {0: (0.0, 0.2), 1: (0.0, 0.4), 2: (0.0, 0.6), 12: (0.0, -0.6), 13: (0.5, 0.0), 14: (-0.5, 0.0)}
    for index, (x_m, z_m) in asked.items():
        xb = frames([*start, CALLS[index]])
        moved = xb[-1, :3] - xb[-16, :3]
        np.testing.assert_allclose(moved[[0, 2]], [x_m, z_m], atol=1e-4)


@pytest.mark.parametrize("degrees", [10.0, -45.0, 90.0, 120.0, -120.0])
def test_turns_are_exact_and_on_the_spot(degrees: float) -> None:
    xb = frames([("turn", degrees)])
    forward = rotvec_to_matrix(xb[-1, 3:6])[:, 2]
    assert np.degrees(np.arctan2(forward[0], forward[2])) == pytest.approx(degrees, abs=1e-3)
    np.testing.assert_allclose(xb[-1, [0, 2]], xb[0, [0, 2]], atol=1e-4)


def test_walking_alternates_the_feet_and_keeps_its_speed() -> None:
    xb = frames([CALLS[1]] * 4)
    positions = joint_positions(xb)
    ahead = positions[::15, 10, 2] - positions[::15, 11, 2]
    assert (np.sign(ahead[1:]) == [-1, 1, -1, 1]).all() or (np.sign(ahead[1:]) == [1, -1, 1, -1]).all()
    speed = np.diff(xb[15:, 2]) * 30.0
    assert speed.min() > 0.6 * 0.8
    assert speed.max() < 1.4 * 0.8


def test_one_sole_always_carries_the_body() -> None:
    """Leg poses alone hold the pelvis up: at every frame the lower toe joint is at floor height."""
    for call in CALLS[:7] + CALLS[11:16]:
        positions = joint_positions(frames([call, call]))
        lowest = positions[:, [10, 11], 1].min(axis=1)
        assert np.abs(lowest - 0.0243).max() < 0.012, call


@pytest.mark.parametrize("seat_m", [0.2, 0.35, 0.45, 0.55])
def test_sitting_reaches_the_seat_in_two_chunks_and_stays(seat_m: float) -> None:
    xb = frames([("sit", seat_m)] * 4)
    heights = xb[15::15, 1] - 0.22
    goal = SeatedPose.on(seat_m).pelvis_m
    assert abs(goal - seat_m - seat_depth_m(-0.06)) < 0.02
    np.testing.assert_allclose(heights[1:], goal, atol=1e-3)
    assert np.ptp(xb[31:, [0, 2]], axis=0).max() < 1e-3


def test_every_skill_rises_from_a_seat() -> None:
    for call in CALLS:
        if call[0] != "sit":
            xb = frames([("sit", 0.45), call])
            assert xb[-1, 1] - 0.22 == pytest.approx(STANDING_PELVIS_M, abs=1e-3), call


def test_stairs_change_the_height_by_one_riser() -> None:
    for call, rise in ((CALLS[7], 0.17), (CALLS[16], -0.17)):
        xb = frames([call])
        assert xb[-1, 1] - xb[0, 1] == pytest.approx(rise, abs=1e-3)
        assert xb[-1, 2] - xb[0, 2] == pytest.approx(0.30, abs=1e-3)


def test_climbing_feet_clear_the_edge() -> None:
    """Toes are above the riser before they cross it, for ankles 16 to 30 cm before the edge."""
    positions = joint_positions(frames([CALLS[7]]))
    for edge in (0.22, 0.30):
        for toe in (10, 11):
            tip, height = positions[:, toe, 2] + 0.06, positions[:, toe, 1] - 0.0243
            assert (height[(tip > edge) & (tip < edge + 0.06)] > 0.15).all()


def test_future_is_a_pure_function_of_history_and_call() -> None:
    generator, runner = AnalyticGenerator(), MotionSkillRunner(AnalyticGenerator())
    runner.reset((3.0, -2.0, 0.4), 77.0)
    for call in (CALLS[2], CALLS[5], CALLS[8]):
        assert runner.history is not None
        kept = runner.history.copy()
        first = generator.future(runner.history, *call, seed=1)
        np.testing.assert_array_equal(generator.future(runner.history.copy(), *call, seed=2), first)
        np.testing.assert_array_equal(AnalyticGenerator().future(kept, *call), first)
        np.testing.assert_array_equal(runner.history, kept)
        runner.generate(*call)


def test_place_in_the_world_does_not_matter() -> None:
    def run(offset: tuple[float, float, float], yaw: float) -> np.ndarray:
        runner = MotionSkillRunner(AnalyticGenerator())
        runner.reset(offset, yaw)
        return np.concatenate([runner.generate(*CALLS[i]).xb_world_75[:, 6:] for i in (2, 5, 13, 8)])

    np.testing.assert_allclose(run((0.0, 0.0, 0.0), 0.0), run((5.0, -3.0, 2.6), 123.0), atol=2e-5)


def test_reset_stands_with_the_soles_at_the_given_height() -> None:
    runner = MotionSkillRunner(AnalyticGenerator())
    xb = runner.reset((1.5, -2.0, 0.34), 90.0).astype(np.float64)
    positions = joint_positions(xb)
    assert positions[:, 1].min() == pytest.approx(0.34 + 0.0243, abs=1e-5)
    np.testing.assert_allclose(positions[0, [0, 2]], [1.5, 2.0], atol=1e-6)
    assert positions[7, 2] < positions[8, 2]  # facing +X, the left foot is towards -Z


def test_states_hold_positions_and_velocities() -> None:
    generator = AnalyticGenerator()
    future = generator.future(generator.seed_state(), *CALLS[1])
    np.testing.assert_allclose(state_to_joints(future), joint_positions(future[:, :75]))
    np.testing.assert_allclose(future, frames_to_states(future[:, :75]))


def test_bad_calls_are_refused() -> None:
    generator = AnalyticGenerator()
    with pytest.raises(MotionError, match="z_m"):
        generator.future(generator.seed_state(), "walk_forward", (0.0, 9.0, 0.0))
    with pytest.raises(UnknownNameError, match="side_walk"):
        generator.load(["sidewalk"])
    generator.load(["side_walk"])
    generator.unload()


def test_a_chunk_takes_milliseconds() -> None:
    runner = MotionSkillRunner(AnalyticGenerator())
    runner.reset()
    times = []
    for _ in range(30):
        start = time.perf_counter()
        runner.generate(*CALLS[1])
        times.append(time.perf_counter() - start)
    assert np.median(times) < 0.008
