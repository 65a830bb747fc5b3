"""Chunk forms and the map into the trajectory frame."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bodyloop.body.kinematics import forward_kinematics, pelvis_position
from bodyloop.body.layout import TRAJECTORY_FROM_MOTION, BodyPose, parse_motion_action, pose_to_xb75, xb75_to_pose
from bodyloop.errors import MotionError


def parts(frames: int, **changes: Any) -> dict[str, Any]:
    return {
        "transl": np.zeros((frames, 3)),
        "global_orient": np.zeros((frames, 3)),
        "body_pose": np.zeros((frames, 54, 3)),
        **changes,
    }


FORMS: dict[str, Any] = {
    "dict (T,3),(T,3),(T,54,3)": parts(3),
    "dict body (T,162)": parts(3, body_pose=np.zeros((3, 162))),
    "dict + fps 15": parts(3, fps=15),
    "wrapped in body_state": {"body_state": parts(3, fps=30)},
    "orient length differs": parts(3, global_orient=np.zeros((2, 3))),
    "body_pose (T,55,3)": parts(3, body_pose=np.zeros((3, 55, 3))),
    "body_pose (T,165)": parts(3, body_pose=np.zeros((3, 165))),
    "missing body_pose": {"transl": np.zeros((3, 3)), "global_orient": np.zeros((3, 3))},
    "array (4,168)": np.zeros((4, 168)),
    "array (4,75)": np.zeros((4, 75)),
    "array (75,)": np.zeros(75),
    "array (4,219)": np.zeros((4, 219)),
    "array (0,75)": np.zeros((0, 75)),
    "array (2,3,75)": np.zeros((2, 3, 75)),
    "transl (3,)": parts(3, transl=np.zeros(3)),
    "None": None,
    "body_pose length differs": parts(3, body_pose=np.zeros((2, 54, 3))),
}


def test_reference_forms(conformance_dir: Path) -> None:
    rows = json.loads((conformance_dir / "household" / "motion_action_forms.json").read_text())
    for row in rows:
        case = row["case"]
        if case.startswith("xb75 conversion"):
            shape = tuple(int(n) for n in case.split("(")[1].strip(")").split(",") if n.strip())
            convert, action = xb75_to_pose, np.zeros(shape)
        else:
            convert, action = parse_motion_action, FORMS[case]
        if not row["ok"]:
            with pytest.raises(MotionError):
                convert(action)
            continue
        pose = convert(action)
        assert [list(a.shape) for a in (pose.transl, pose.global_orient, pose.body_pose)] == row["shapes"], case
        assert pose.fps == row.get("fps"), case


@pytest.mark.parametrize("case", sorted(FORMS))
def test_forms(case: str) -> None:
    if "differs" in case or case in {"None", "array (75,)", "transl (3,)", "missing body_pose"}:
        with pytest.raises(MotionError):
            parse_motion_action(FORMS[case])


def test_reference_conversion(conformance_dir: Path) -> None:
    with np.load(conformance_dir / "household" / "canonicalization.npz", allow_pickle=False) as data:
        pose = xb75_to_pose(data["pose75/in"])
        keys = {key.rsplit("/", 1)[1]: data[key] for key in data.files if key.startswith("pose75/")}
    np.testing.assert_allclose(pose.transl, keys["transl"], atol=5e-6)
    np.testing.assert_allclose(pose.body_pose, keys["body_pose"], atol=5e-6)
    turn = Rotation.from_rotvec(pose.global_orient).inv() * Rotation.from_rotvec(keys["global_orient"])
    assert turn.magnitude().max() < 5e-4


def test_round_trip_keeps_all_but_neck_head_and_hands() -> None:
    rng = np.random.default_rng(3)
    xb = rng.normal(size=(6, 75))
    back = pose_to_xb75(xb75_to_pose(xb))
    joints, joints_back = xb[:, 6:].reshape(6, 23, 3), back[:, 6:].reshape(6, 23, 3)
    joints[:, [11, 14, 21, 22]] = 0.0
    np.testing.assert_allclose(back[:, :3], xb[:, :3], atol=1e-12)
    np.testing.assert_allclose(joints_back, joints, atol=1e-12)
    turn = Rotation.from_rotvec(back[:, 3:6]).inv() * Rotation.from_rotvec(xb[:, 3:6])
    assert turn.magnitude().max() < 1e-7


def test_forward_kinematics_commutes_with_the_frame_map() -> None:
    xb = np.random.default_rng(4).normal(size=(5, 75)) * 0.4
    pose = xb75_to_pose(xb)
    local = pose.body_pose[:, :21]
    motion = forward_kinematics(pelvis_position(xb[:, :3]), xb[:, 3:6], local)
    trajectory = forward_kinematics(pose.pelvis, pose.global_orient, local)
    np.testing.assert_allclose(motion @ TRAJECTORY_FROM_MOTION.T, trajectory, atol=1e-12)


def test_yaw_zero_looks_along_minus_y() -> None:
    pose = xb75_to_pose(np.zeros(75))
    forward = Rotation.from_rotvec(pose.global_orient).apply([0.0, 0.0, 1.0])
    np.testing.assert_allclose(forward, [0.0, -1.0, 0.0], atol=1e-12)


def test_not_finite_is_refused_with_field_and_index() -> None:
    chunk = parts(3)
    chunk["global_orient"][1, 2] = np.nan
    with pytest.raises(MotionError, match=r"global_orient: not finite at index \(1, 2\)"):
        parse_motion_action(chunk)


def test_a_generated_motion_and_a_body_pose_are_accepted() -> None:
    motion = SimpleNamespace(xb_world_75=np.zeros((15, 75), np.float32))
    assert parse_motion_action(motion).frames == 15
    pose = BodyPose(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 54, 3)), 30.0)
    assert parse_motion_action(pose).frame(1).transl.shape == (3,)


@pytest.mark.parametrize("fps", [0, -1.0, "30", True, float("nan")])
def test_frame_rate_is_checked(fps: object) -> None:
    with pytest.raises(MotionError, match="fps"):
        parse_motion_action(parts(1, fps=fps))
