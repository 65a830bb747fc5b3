"""Leg kinematics: the feet go where they are asked to go, within human limits."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.body.kinematics import forward_kinematics_with_rotations
from bodyloop.body.rotations import matrix_to_rotvec
from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.motion.analytic.anatomy import ANKLE_HEIGHT_M, BALL_HEIGHT_M, LEG_M, STANDING_PELVIS_M
from bodyloop.motion.analytic.legs import ANKLE_LIMITS_RAD, pitch_matrix, roll_matrix, solve_legs
from bodyloop.motion.analytic.reading import heading, yaw_matrix

LEFT, RIGHT = JOINT_NAMES.index("left_foot"), JOINT_NAMES.index("right_foot")


def posed(balls: np.ndarray, height_m: float, foot_yaw: np.ndarray, pitch: np.ndarray, turn: np.ndarray):
    """Joint positions, link rotations and leg pose of one frame."""
    pelvis = np.array([[0.0, height_m, 0.0]])
    root = yaw_matrix(turn[:1]) @ pitch_matrix(turn[1:2]) @ roll_matrix(turn[2:])
    legs = solve_legs(
        pelvis, root, balls[None], foot_yaw[None], pitch[None], 0.5 * (turn[0] + foot_yaw[None]), np.ones((1, 2))
    )
    body = np.zeros((1, 21, 3))
    for side, name in enumerate(("left", "right")):
        body[:, JOINT_NAMES.index(f"{name}_hip") - 1] = matrix_to_rotvec(legs.hip[:, side])
        body[:, JOINT_NAMES.index(f"{name}_knee") - 1, 0] = legs.knee_flexion[:, side]
        body[:, JOINT_NAMES.index(f"{name}_ankle") - 1] = matrix_to_rotvec(legs.ankle[:, side])
    positions, rotations = forward_kinematics_with_rotations(pelvis, matrix_to_rotvec(root), body)
    return positions[0], rotations[0], legs


@given(
    st.tuples(st.floats(-0.25, 0.25), st.floats(-0.25, 0.25)),
    st.floats(0.60, STANDING_PELVIS_M),
    st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
    st.tuples(st.floats(-0.4, 0.4), st.floats(-0.2, 0.2), st.floats(-0.05, 0.05)),
)
def test_feet_reach_their_place(ahead, height_m, yaws, turn) -> None:
    foot_yaw = np.array(yaws)
    balls = np.array([[0.10, 0.0, ahead[0] + 0.12], [-0.10, 0.0, ahead[1] + 0.12]])
    positions, rotations, legs = posed(balls, height_m, foot_yaw, np.zeros(2), np.array(turn))
    for side, link in enumerate((LEFT, RIGHT)):
        low, high = ANKLE_LIMITS_RAD
        flexion = np.arctan2(legs.ankle[0, side, 2, 1], legs.ankle[0, side, 1, 1])
        assert low - 0.03 <= flexion <= high + 0.03
        if not low + 0.12 < flexion < high - 0.12:
            continue  # at its limit the ankle wins over the foot's place
        np.testing.assert_allclose(positions[link], balls[side] + [0.0, BALL_HEIGHT_M, 0.0], atol=1e-3)
        forward = rotations[link - 3, :, 2]
        np.testing.assert_allclose(np.arctan2(forward[0], forward[2]), foot_yaw[side], atol=1e-3)
    assert (legs.knee_flexion > 0.08).all()
    assert (legs.knee_flexion < 2.7).all()


def test_straight_stance_is_flat() -> None:
    balls = np.array([[0.09, 0.0, 0.125], [-0.09, 0.0, 0.125]])
    positions, _, legs = posed(balls, STANDING_PELVIS_M, np.zeros(2), np.zeros(2), np.zeros(3))
    np.testing.assert_allclose(positions[[7, 8], 1], ANKLE_HEIGHT_M, atol=0.005)
    assert (np.abs(legs.foot_pitch) < 0.05).all()


def test_a_far_foot_lifts_its_heel_and_then_leaves_the_floor() -> None:
    lifts, heights = [], []
    for behind in (0.0, 0.2, 0.4, 0.7):
        balls = np.array([[0.09, 0.0, 0.125], [-0.09, 0.0, 0.125 - behind]])
        positions, _, legs = posed(balls, 0.95, np.zeros(2), np.zeros(2), np.zeros(3))
        lifts.append(legs.foot_pitch[0, 1])
        heights.append(positions[RIGHT, 1] - BALL_HEIGHT_M)
        hip = positions[JOINT_NAMES.index("right_hip")]
        assert np.linalg.norm(positions[JOINT_NAMES.index("right_ankle")] - hip) <= LEG_M
    assert np.diff(lifts).min() > 0.0
    assert heights[1] < 0.002
    assert heights[3] > 0.02


def test_toes_up_pivots_on_the_heel() -> None:
    balls = np.array([[0.09, 0.0, 0.125], [-0.09, 0.0, 0.125]])
    flat, _, _ = posed(balls, 0.90, np.zeros(2), np.zeros(2), np.zeros(3))
    tipped, _, _ = posed(balls, 0.90, np.zeros(2), np.array([-0.2, 0.0]), np.zeros(3))
    assert tipped[LEFT, 1] > flat[LEFT, 1] + 0.02
    assert abs(tipped[7, 1] - flat[7, 1]) < 0.02


def test_heading_is_a_unit_vector_on_the_floor() -> None:
    directions = heading(np.linspace(-3.0, 3.0, 7))
    np.testing.assert_allclose(np.linalg.norm(directions, axis=-1), 1.0)
    np.testing.assert_allclose(heading(np.pi / 2), [1.0, 0.0, 0.0], atol=1e-12)
