"""The links of someone standing still, as the motion seed has them."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from bodyloop.body.kinematics import forward_kinematics
from bodyloop.body.layout import TRAJECTORY_PELVIS_OFFSET_M, xb75_to_pose
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.runner import MotionSkillRunner

__all__ = ["standing_links"]


def standing_links() -> npt.NDArray[np.float64]:
    """(22, 3) link origins, metres: pelvis above the origin, soles at height 0, looking along -Y."""
    return _links().copy()


@cache
def _links() -> npt.NDArray[np.float64]:
    frame = MotionSkillRunner(AnalyticGenerator()).reset()
    pose = xb75_to_pose(frame[None].astype(np.float64)).frame(0)
    links = forward_kinematics(pose.transl + TRAJECTORY_PELVIS_OFFSET_M, pose.global_orient, pose.body_pose)
    return np.asarray(links - [links[0, 0], links[0, 1], 0.0])
