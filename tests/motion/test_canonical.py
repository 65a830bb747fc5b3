"""Canonicalisation against the reference numbers, and its own invariants."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.body.rotations import matrix_to_rotvec, rotvec_to_matrix
from bodyloop.motion import canonical, layout

Arrays = Mapping[str, npt.NDArray[np.floating]]


def check_window(reference: Any, data: Arrays, case: str) -> None:
    get = lambda name: np.asarray(data[f"{case}/{name}"], dtype=np.float64)  # noqa: E731
    xb = np.concatenate([get("transl_world"), get("orient_world"), get("body_pose")], axis=-1)
    window = canonical.canonicalize_from_world(
        xb, get("joints_world"), get("vel_canon_old").reshape(-1, 24, 3), get("rotation_old"), int(get("ref_frame"))
    )
    expected = get("state")
    reference.close(window.T_ref, get("T_ref"))
    reference.close(window.floor_y, get("floor_y"))
    reference.close(np.delete(window.state, layout.ORIENT, axis=-1), np.delete(expected, layout.ORIENT, axis=-1))
    reference.same_rotations(window.state[:, layout.ORIENT], expected[:, layout.ORIENT])
    back = canonical.decanonicalize_xb(expected[:, :75], get("T_ref"), float(get("floor_y")))
    reference.close(back[:, layout.TRANSL], get("back_transl"))
    reference.same_rotations(back[:, layout.ORIENT], get("back_orient"))
    joints = canonical.decanonicalize_joints(layout.state_to_joints(expected), get("T_ref"), float(get("floor_y")))
    reference.close(joints, get("back_joints"))


def check_floor(reference: Any, data: Arrays) -> None:
    frame = canonical.floor_frame(data["floor/transl"], data["floor/joints"])
    reference.close(frame, data["floor/T"])
    reference.close(canonical.rigid_inverse(frame), data["floor/T_inv"])


def test_small_cases(reference: Any) -> None:
    data = reference.load(reference.small)
    check_floor(reference, data)
    check_window(reference, data, "canon/7")


def test_reference_cases(conformance_dir: Path, reference: Any) -> None:
    data = reference.load(conformance_dir / "household" / "canonicalization.npz")
    check_floor(reference, data)
    for i in range(8):
        check_window(reference, data, f"canon/{i}")
    state = data["layout/state"]
    np.testing.assert_array_equal(state[:, layout.TRANSL], data["layout/transl"])
    np.testing.assert_array_equal(state[:, layout.ORIENT], data["layout/orient"])
    np.testing.assert_array_equal(state[:, layout.BODY], data["layout/body"])
    np.testing.assert_array_equal(layout.state_to_joints(state), data["layout/joints"])


def test_reference_rotations(conformance_dir: Path, reference: Any) -> None:
    data = reference.load(conformance_dir / "household" / "canonicalization.npz")
    reference.close(rotvec_to_matrix(data["aa/in"]), data["aa/to_matrix"])
    moderate = (data["aa/angle"] > 0.01) & (data["aa/angle"] < 2.5)
    reference.same_rotations(data["aa/in"][moderate], data["aa/roundtrip"][moderate])
    logs = matrix_to_rotvec(data["m/in"][:200])
    reference.same_rotations(logs, data["m/to_aa"][:200])


def test_logarithm_of_exact_half_turns_is_a_half_turn() -> None:
    """The reference's float32 logarithm gives the zero vector here; ours keeps the turn."""
    half_turns = np.array([np.diag([1.0, -1.0, -1.0]), np.diag([-1.0, 1.0, -1.0]), np.diag([-1.0, -1.0, 1.0])])
    np.testing.assert_allclose(np.linalg.norm(matrix_to_rotvec(half_turns), axis=-1), np.pi)


@given(st.integers(0, 2**32 - 1))
def test_placing_back_is_the_inverse(reference: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    xb, joints = rng.normal(size=(5, 75)), rng.normal(size=(5, 24, 3))
    velocities = rng.normal(size=(5, 24, 3))
    window = canonical.canonicalize_from_world(xb, joints, velocities, np.eye(3))
    back = canonical.decanonicalize_xb(window.state[:, :75], window.T_ref, window.floor_y)
    np.testing.assert_allclose(back[:, :3], xb[:, :3], atol=1e-9)
    assert reference.angle_between(back[:, 3:6], xb[:, 3:6]).max() < 1e-6
    placed = canonical.decanonicalize_joints(layout.state_to_joints(window.state), window.T_ref, window.floor_y)
    np.testing.assert_allclose(placed, joints, atol=1e-9)
    np.testing.assert_allclose(layout.state_to_velocities(window.state) @ window.T_ref[:3, :3].T, velocities, atol=1e-9)


@given(st.integers(0, 2**32 - 1))
def test_reference_frame_is_the_origin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    joints = rng.normal(size=(5, 24, 3))
    window = canonical.canonicalize_from_world(rng.normal(size=(5, 75)), joints, joints, np.eye(3), reference=2)
    placed = layout.state_to_joints(window.state)[2]
    hips = placed[1] - placed[2]
    assert placed[:, 1].min() == pytest.approx(0.0, abs=1e-12)
    assert hips[2] == pytest.approx(0.0, abs=1e-9)
    assert hips[0] > 0.0
    np.testing.assert_allclose(window.state[2, [0, 2]], 0.0, atol=1e-12)


def test_neck_and_head_are_zeroed_in_a_copy() -> None:
    xb = np.arange(75.0)[None]
    out = layout.zero_neck_head(xb)
    changed = np.flatnonzero(out[0] != xb[0])
    np.testing.assert_array_equal(changed, [39, 40, 41, 48, 49, 50])
    assert (out[0, changed] == 0.0).all()


def test_hands_follow_the_wrists() -> None:
    pose = np.zeros((1, 75))
    rest = layout.joint_positions(pose)[0]
    np.testing.assert_allclose(rest[22] - rest[20], layout.HAND_OFFSETS_M[0])
    pose[0, 63:66] = [0.0, 0.0, -np.pi / 2]
    turned = layout.joint_positions(pose)[0]
    np.testing.assert_allclose(turned[22] - turned[20], [0.0, -0.085, 0.0], atol=1e-12)
    np.testing.assert_allclose(turned[23], rest[23])


def test_velocities_are_differences_to_the_next_frame() -> None:
    xb = np.zeros((4, 75))
    xb[:, 0] = [0.0, 0.1, 0.3, 0.6]
    states = layout.frames_to_states(xb[:3], xb[3])
    np.testing.assert_allclose(layout.state_to_velocities(states)[:, :, 0], np.tile([[0.1], [0.2], [0.3]], 24))
