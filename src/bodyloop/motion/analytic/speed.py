"""The last word on joint speeds: no joint turns faster than the body's drives can follow."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray, quat_inverse, quat_multiply, quat_to_rotvec, rotvec_to_quat
from bodyloop.motion.analytic.anatomy import FRAME_S

__all__ = ["MAX_JOINT_SPEED_RAD_S", "limit_joint_speed"]

MAX_JOINT_SPEED_RAD_S: Final = 15.5
"""Just below the 30 degrees per frame at which the controller caps its drives."""


def limit_joint_speed(last: FloatArray, body: FloatArray) -> None:
    """Slow down joints of ``body`` (T, J, 3) that would turn too fast after ``last`` (J, 3), in place.

    A joint that is held back catches up in the following frames.
    """
    limit = MAX_JOINT_SPEED_RAD_S * FRAME_S
    quats = rotvec_to_quat(np.concatenate([last[None], body]))
    steps = quat_to_rotvec(quat_multiply(quat_inverse(quats[:-1]), quats[1:]))
    fast = np.flatnonzero((np.linalg.norm(steps, axis=-1) > limit).any(axis=0))
    for joint in fast:
        for frame in range(len(body)):
            step = quat_to_rotvec(quat_multiply(quat_inverse(quats[frame, joint]), quats[frame + 1, joint]))
            speed = float(np.linalg.norm(step))
            if speed > limit:
                turn = rotvec_to_quat(step * (limit / speed))
                quats[frame + 1, joint] = quat_multiply(quats[frame, joint], turn)
        body[:, joint] = quat_to_rotvec(quats[1:, joint])
