"""Forward kinematics of the skeleton, vectorised over any number of frames."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray, rotvec_to_matrix
from bodyloop.body.skeleton import BODY_JOINTS, PARENTS, PELVIS_REST_OFFSET_M, REST_OFFSETS_M

__all__ = ["forward_kinematics", "forward_kinematics_with_rotations", "pelvis_position"]


def pelvis_position(transl: npt.ArrayLike) -> FloatArray:
    """Pelvis joint (..., 3) of root translations (..., 3), both in the motion world."""
    position: FloatArray = np.asarray(transl, dtype=np.float64) + PELVIS_REST_OFFSET_M
    return position


def forward_kinematics(
    root_position: npt.ArrayLike, root_rotation: npt.ArrayLike, body_rotations: npt.ArrayLike
) -> FloatArray:
    """Joint positions (..., 22, 3) in the frame of the root arguments.

    ``root_position`` (..., 3) is the pelvis joint (not the root translation; see ``pelvis_position``), ``root_rotation``
    (..., 3) the pelvis orientation and ``body_rotations`` (..., K, 3) with K >= 21 the parent-relative joint rotations, all
    axis-angle; rows of ``body_rotations`` after the first 21 are ignored.
    """
    return forward_kinematics_with_rotations(root_position, root_rotation, body_rotations)[0]


def forward_kinematics_with_rotations(
    root_position: npt.ArrayLike, root_rotation: npt.ArrayLike, body_rotations: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """As ``forward_kinematics``, with the link orientations (..., 22, 3, 3) in the same frame as second value."""
    root = np.asarray(root_position, dtype=np.float64)
    local = rotvec_to_matrix(np.asarray(body_rotations, dtype=np.float64)[..., :BODY_JOINTS, :])
    links = len(PARENTS)
    positions = np.empty((*root.shape[:-1], links, 3))
    rotations = np.empty((*root.shape[:-1], links, 3, 3))
    positions[..., 0, :] = root
    rotations[..., 0, :, :] = rotvec_to_matrix(root_rotation)
    for child in range(1, links):
        parent = PARENTS[child]
        frame = rotations[..., parent, :, :]
        positions[..., child, :] = positions[..., parent, :] + frame @ REST_OFFSETS_M[child]
        rotations[..., child, :, :] = frame @ local[..., child - 1, :, :]
    return positions, rotations
