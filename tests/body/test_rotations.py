"""Rotation arithmetic against SciPy, and at the angles where naive formulas fail."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.transform import Rotation

from bodyloop.body import rotations as r

vectors = hnp.arrays(float, (4, 3), elements=st.floats(-3.0, 3.0, allow_subnormal=False))
ANGLES = (0.0, 1e-300, 1e-12, 1e-7, 1e-3, 1.0, np.pi - 1e-7, np.pi)


@given(vectors)
def test_matrices_and_quaternions_agree_with_scipy(rotvec: np.ndarray) -> None:
    reference = Rotation.from_rotvec(rotvec)
    np.testing.assert_allclose(r.rotvec_to_matrix(rotvec), reference.as_matrix(), atol=1e-13)
    back = Rotation.from_rotvec(r.matrix_to_rotvec(reference.as_matrix()))
    assert (back.inv() * reference).magnitude().max() < 1e-7


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_is_exact_at_both_ends(angle: float) -> None:
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    quat = r.rotvec_to_quat(axis * angle)
    log = r.quat_to_rotvec(quat)
    np.testing.assert_allclose(np.abs(log), np.abs(axis * angle), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(r.quat_to_rotvec(-quat) @ axis, abs(log @ axis), atol=1e-9) if angle < np.pi else None


def test_half_turns_keep_their_axis() -> None:
    for axis in np.eye(3):
        half_turn = 2.0 * np.outer(axis, axis) - np.eye(3)
        np.testing.assert_allclose(np.abs(r.matrix_to_rotvec(half_turn)), np.pi * axis, atol=1e-15)


@given(vectors, vectors)
def test_product_inverse_and_rotation(a: np.ndarray, b: np.ndarray) -> None:
    qa, qb = r.rotvec_to_quat(a), r.rotvec_to_quat(b)
    product = r.quat_multiply(qa, qb)
    np.testing.assert_allclose(r.quat_to_matrix(product), r.quat_to_matrix(qa) @ r.quat_to_matrix(qb), atol=1e-13)
    np.testing.assert_allclose(r.quat_rotate(r.quat_inverse(qa), r.quat_rotate(qa, b)), b, atol=1e-12)


def test_scaled_and_zero_quaternions() -> None:
    np.testing.assert_allclose(r.quat_normalize([0.0, 0.0, 0.0, 0.0]), [0.0, 0.0, 0.0, 1.0])
    scaled = np.array([0.3, -0.2, 0.5, 2.0])
    np.testing.assert_allclose(r.quat_multiply(scaled, r.quat_inverse(scaled)), [0.0, 0.0, 0.0, 1.0], atol=1e-15)


def test_component_orders_are_inverse() -> None:
    quat = np.array([[1.0, 2.0, 3.0, 4.0]])
    assert r.xyzw_to_wxyz(quat).tolist() == [[4.0, 1.0, 2.0, 3.0]]
    np.testing.assert_array_equal(r.wxyz_to_xyzw(r.xyzw_to_wxyz(quat)), quat)
