"""The controller against the reference's numbers and against its own rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bodyloop.body.half_physics import (
    approximate_joint_velocities,
    approximate_root_angular_velocity,
    approximate_root_linear_velocity,
    clip_rows,
    expected_turn,
    resolve_pjsc_gains,
    root_vertical_velocity,
)
from bodyloop.body.options import HalfPhysicsOptions
from bodyloop.body.rotations import quat_inverse, quat_multiply, quat_normalize, quat_rotate
from bodyloop.errors import MotionError, SimulationError

Frame = dict[str, Any]
STRICTER = {"substeps 0 -> 1"}
"""Where the reference repairs a wrong option silently, it is refused here."""


@pytest.fixture(scope="module")
def all_frames(conformance_dir: Path) -> Frame:
    return json.loads((conformance_dir / "household" / "halfphysics_frames.json").read_text())


@pytest.fixture(scope="module")
def all_helpers(conformance_dir: Path) -> dict[str, np.ndarray]:
    with np.load(conformance_dir / "household" / "halfphysics.npz", allow_pickle=False) as archive:
        return dict(archive)


def close(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(actual, float), np.asarray(expected, float), rtol=1e-9, atol=1e-8)


def close_up_to_sign(actual: np.ndarray, expected: np.ndarray, atol: float) -> None:
    sign = np.sign(np.einsum("...i,...i->...", actual, expected))[..., None]
    np.testing.assert_allclose(actual * sign, expected, atol=atol, rtol=0)


def check_frame(frame: Frame, run_stub: Callable[[Frame], Any]) -> None:
    given, expected = frame["input"], frame["expected"]
    engine, error = run_stub(given)
    if expected["error"] is not None:
        assert error is not None, given["name"]
        assert expected["error"] in {kind.__name__ for kind in type(error).__mro__}
    else:
        assert error is None, error
    half_turn = given["name"] == "reference controller check"
    norms = (lambda rows: np.linalg.norm(np.reshape(rows, (-1, 3)), axis=1)) if half_turn else np.asarray
    close(engine.step_dt, expected["step_dt"])
    close(engine.linear, expected["final_root_linear"])
    if not engine.step_dt:
        return
    close(engine.linear_before, expected["root_linear_before_each_step"])
    close(norms(engine.joint_velocities), norms(expected["joint_velocities_written"]))
    if half_turn:
        close(np.abs(engine.angular_before[0]), np.abs(expected["root_angular_before_each_step"][0]))
        close(np.diff(engine.angular_before, axis=0), np.diff(expected["root_angular_before_each_step"], axis=0))
    else:
        close(engine.angular_before, expected["root_angular_before_each_step"])
    check_motors(engine, expected)
    for name, rows in expected["object_forces"].items():
        close(engine.forces[name], [force for force, _ in rows])


def check_motors(engine: Any, expected: Frame) -> None:
    assert engine.created == [joint for joint, _ in expected["motors_created"]]
    assert engine.removed == expected["motors_removed"]
    assert engine.begun == expected["agent_motion_type_dynamic"]
    for realized, rows in zip(engine.motor_log, expected["motor_gain_and_target_during_each_step"], strict=True):
        for (gain, target), row in zip(realized, rows, strict=True):
            if row is None:
                assert gain == 0.0
                continue
            assert gain == pytest.approx(row[0], abs=1e-12)
            close_up_to_sign(target, np.array(row[1]), 1e-8)
    assert not engine.gains.any()


def check_helpers(data: dict[str, np.ndarray]) -> None:
    dt = float(data["dt_frame"])
    velocity = approximate_joint_velocities(data["jv/q_cur"], data["jv/q_next"], dt)
    half_turn, tiny = data["jv/half_turn"], data["jv/true_angle"] < 3e-6
    for mask, atol in ((~half_turn & ~tiny, 1e-6), (~half_turn & tiny, 1e-4)):
        np.testing.assert_allclose(velocity[mask], data["jv/uncapped"][mask], atol=atol, rtol=0)
        np.testing.assert_allclose(velocity[mask], data["jv/shortest"][mask], atol=atol, rtol=0)
        capped = clip_rows(velocity, 15.707963267948966)
        np.testing.assert_allclose(capped[mask], data["jv/capped"][mask], atol=max(atol, 1e-5), rtol=0)
        kept = mask & ~data["jv/replaced_rows"]
        np.testing.assert_allclose(velocity[kept], data["jv/plain"][kept], atol=atol, rtol=0)
        np.testing.assert_allclose(
            quat_rotate(quat_normalize(data["jv/q_cur"]), velocity)[kept],
            data["jv/omega_world_frame"][kept],
            atol=atol,
            rtol=0,
        )
    norm = np.linalg.norm
    np.testing.assert_allclose(
        norm(velocity[half_turn], axis=1), norm(data["jv/uncapped"][half_turn], axis=1), atol=1e-6
    )
    if "jv/q_cur_scaled" in data:
        scaled = approximate_joint_velocities(data["jv/q_cur_scaled"], data["jv/q_next_scaled"], dt)
        np.testing.assert_allclose(scaled, data["jv/shortest_scaled"], atol=1e-6)
    check_integration(data)
    check_root(data, dt)


def check_integration(data: dict[str, np.ndarray]) -> None:
    substep = float(data["dt_sub"])
    expected, turn = data["int/q"], expected_turn(data["int/omega"], substep)
    for step in range(4):
        expected = quat_multiply(expected, turn)
        close_up_to_sign(expected, data["int/expected_4_substeps"][step], 1e-9)
    close_up_to_sign(quat_multiply(data["int/q"], turn), data["int/local"], 1e-9)
    np.testing.assert_allclose(quat_multiply(data["q/a"], data["q/b"]), data["q/mul"], atol=1e-9)
    np.testing.assert_allclose(quat_inverse(data["q/a"]), data["q/inv"], atol=1e-9)
    np.testing.assert_allclose(quat_rotate(data["q/a_unit"], data["q/v"]), data["q/rot"], atol=1e-9)
    np.testing.assert_allclose(quat_normalize(data["q/a"]), data["q/norm"], atol=1e-9)


def check_root(data: dict[str, np.ndarray], dt: float) -> None:
    linear = approximate_root_linear_velocity(data["root/p_cur"], data["root/p_next"], dt)
    np.testing.assert_allclose(linear, data["root/linear"], atol=1e-10)
    angular = approximate_root_angular_velocity(data["root/R_cur"], data["root/R_next"], dt)
    np.testing.assert_allclose(angular, data["root/angular_world"], atol=1e-10, rtol=1e-9)
    for vector, limit, out in zip(data["clip/vectors"], data["clip/limits"], data["clip/out"], strict=True):
        np.testing.assert_allclose(clip_rows(vector, float(limit)), out, atol=1e-10)
    for row in range(len(data["grav/v"])):
        options = HalfPhysicsOptions(
            root_gravity_scale=float(data["grav/scale"][row]),
            root_gravity_mode="pre",
            inherit_downward_root_y_velocity=bool(data["grav/inherit"][row]),
            root_vertical_command="requested",
        )
        vertical = root_vertical_velocity(data["grav/v"][row, 1], data["grav/prev"][row, 1], dt, options)
        assert vertical == pytest.approx(data["grav/pre_mode"][row, 1], abs=1e-10)


def test_helpers_agree(small_helpers: dict[str, np.ndarray]) -> None:
    check_helpers(small_helpers)


def test_all_helpers_agree(all_helpers: dict[str, np.ndarray]) -> None:
    check_helpers(all_helpers)


def test_frames_agree(small_frames: Frame, run_stub: Callable[[Frame], Any]) -> None:
    for frame in small_frames["frames"]:
        check_frame(frame, run_stub)


def test_all_frames_agree(all_frames: Frame, run_stub: Callable[[Frame], Any]) -> None:
    for frame in all_frames["frames"]:
        if frame["input"]["name"] in STRICTER:
            with pytest.raises(ValueError, match="pjsc_substeps"):
                HalfPhysicsOptions(**frame["input"]["opt"])
            continue
        check_frame(frame, run_stub)


def test_golden_frame(small_frames: Frame, run_stub: Callable[[Frame], Any]) -> None:
    engine, _ = run_stub(small_frames["frames"][0]["input"])
    assert [row[0] for row in engine.linear_before] == pytest.approx([30.0, 35.0, 30.0, 35.0])
    assert abs(engine.angular_before[0][0]) == pytest.approx(15.70796, abs=1e-5)
    assert [row[0] - engine.angular_before[0][0] for row in engine.angular_before] == pytest.approx([0, 2, 4, 6])
    assert np.linalg.norm(engine.joint_velocities, axis=1).max() <= 15.70797
    assert [gain for gain, _ in engine.motor_log[0]] == [0.03, 0.03, 0.1, 0.1]


def test_vertical_command_none_keeps_the_velocity() -> None:
    options = HalfPhysicsOptions()
    for previous in (-1.3, 0.0, 0.7):
        assert root_vertical_velocity(4.0, previous, 1 / 30, options) == previous


def test_a_sign_flip_never_takes_the_long_way() -> None:
    current = quat_normalize(np.array([0.1, 0.2, 0.3, 0.9]))
    target = quat_normalize(np.array([0.12, 0.2, 0.3, 0.9]))
    straight = approximate_joint_velocities(current, target, 1 / 30)
    np.testing.assert_allclose(approximate_joint_velocities(current, -target, 1 / 30), straight, atol=1e-12)
    assert np.linalg.norm(straight) < 2.0


def test_a_chunk_that_is_not_finite_never_reaches_the_engine(
    small_frames: Frame, run_stub: Callable[[Frame], Any]
) -> None:
    engine, error = run_stub({**small_frames["frames"][1]["input"], "step": [0.0, float("nan"), 0.0]})
    assert isinstance(error, MotionError)
    assert "translation step" in str(error)
    assert not engine.begun


def test_fixed_gains_win_over_options() -> None:
    names = ("left_shoulder", "right_shoulder", "left_wrist", "right_wrist", "Neck")
    options = HalfPhysicsOptions(pjsc_lambda_by_link={"left_wrist": 0.9, "3": 0.8, "neck": 0.4})
    assert resolve_pjsc_gains(names, options).tolist() == [0.03, 0.03, 0.1, 0.1, 0.4]
    with pytest.raises(SimulationError, match="left_wrist"):
        resolve_pjsc_gains(("left_shoulder", "right_shoulder", "right_wrist"), options)
