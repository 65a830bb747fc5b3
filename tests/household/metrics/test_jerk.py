from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from bodyloop.body.skeleton import rest_positions
from bodyloop.household.metrics.jerk import point_jerk, root_rigid_motion_jerk

SETTINGS = {
    "default": {},
    "w1_s2": {"smooth_window": 1, "stride": 2},
    "w5_s4": {"smooth_window": 5, "stride": 4},
    "fps60": {"fps": 60.0},
    "s1": {"smooth_window": 3, "stride": 1},
}


def test_jerk_agrees_with_the_reference(case_folder: Path) -> None:
    data = np.load(case_folder / "jerk.npz")
    for key in (name for name in data.files if name.startswith("jerk/")):
        _, clip, setting, *shifted = key.split("/")
        rest = data["rest_not_pelvis_centred" if shifted else "rest"]
        value = root_rigid_motion_jerk(data[f"xb/{clip}"], rest, **SETTINGS[setting])
        expected = float(data[key])
        if np.isnan(expected):
            assert value is None, key
            continue
        tolerance = 3e-5 if clip == "tiny_rotation" else 1e-6 if setting == "s1" else 1e-8
        assert value == pytest.approx(expected, rel=1e-9, abs=tolerance), key


def test_argument_checks_agree_with_the_reference(cases) -> None:
    still, rest = np.zeros((40, 75)), np.zeros((22, 3))
    inputs = {
        "xb (40,74)": (np.zeros((40, 74)), rest),
        "xb (75,)": (np.zeros(75), rest),
        "rest (21,3)": (still, np.zeros((21, 3))),
        "24 frames": (np.zeros((24, 75)), rest),
        "25 frames": (np.zeros((25, 75)), rest),
        "bad window on a too short clip": (np.zeros((3, 75)), rest),
    }
    for row in cases("jerk_errors")["rows"]:
        motion, joints = inputs.get(row["case"], (still, rest))
        if row["result"]["ok"]:
            assert root_rigid_motion_jerk(motion, joints, **row["kwargs"]) == row["result"]["value"], row["case"]
        else:
            with pytest.raises(ValueError):
                root_rigid_motion_jerk(motion, joints, **row["kwargs"])


def test_a_cubic_has_jerk_six() -> None:
    motion = np.zeros((60, 75))
    motion[:, 0] = (np.arange(60) / 30.0) ** 3
    assert root_rigid_motion_jerk(motion, np.zeros((22, 3)), smooth_window=1, stride=2) == pytest.approx(6.0, abs=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_a_turn_and_shift_of_the_world_do_not_change_the_score(seed: int) -> None:
    random = np.random.default_rng(seed)
    motion = np.zeros((40, 75))
    motion[:, :6] = np.cumsum(random.normal(scale=0.02, size=(40, 6)), axis=0)
    world = Rotation.from_rotvec(random.normal(size=3))
    moved = motion.copy()
    moved[:, :3] = world.apply(motion[:, :3]) + random.normal(size=3)
    moved[:, 3:6] = (world * Rotation.from_rotvec(motion[:, 3:6])).as_rotvec()
    rest = rest_positions()
    assert root_rigid_motion_jerk(moved, rest) == pytest.approx(root_rigid_motion_jerk(motion, rest), rel=1e-6)


def test_points_shorter_than_the_difference_have_no_jerk() -> None:
    assert point_jerk(np.zeros((24, 5, 3))) is None
    assert point_jerk(np.zeros((25, 5, 3))) == 0.0
