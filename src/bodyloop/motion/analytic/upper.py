"""Spine and arms from a few smooth numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray, quat_multiply, quat_to_rotvec, rotvec_to_quat

__all__ = ["Upper", "upper_rotations"]

_HANG_RAD: Final = 1.42
"""Upper arm below the horizontal of the T pose: about 9 degrees away from the trunk."""
_SHRUG_RAD: Final = 0.05
_ELBOW_REST_RAD: Final = 0.22
_X, _Y, _Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class Upper:
    """Numbers (N,) or constants, radians; arms as (left, right)."""

    lean: FloatArray | float = 0.0
    """Forward bend of the trunk against the pelvis."""
    twist: FloatArray | float = 0.0
    """Turn of the trunk to the left against the pelvis."""
    side: FloatArray | float = 0.0
    """Bend of the trunk, left side up."""
    swing: tuple[FloatArray | float, FloatArray | float] = (0.0, 0.0)
    """Upper arms forward."""
    elbow: tuple[FloatArray | float, FloatArray | float] = (0.0, 0.0)
    """Elbow flexion beyond the relaxed one."""
    inward: FloatArray | float = 0.0
    """Turn of both forearms towards the middle, about the upper arm."""
    spread: FloatArray | float = 0.0
    """Both arms further away from the trunk."""


def upper_rotations(upper: Upper, count: int) -> FloatArray:
    """Rotations (count, 11, 3) in the order of ``reading.UPPER_ROWS``."""

    def full(value: FloatArray | float) -> FloatArray:
        return np.broadcast_to(np.asarray(value, dtype=np.float64), (count,))

    out = np.zeros((count, 11, 3))
    trunk = full(upper.lean)[:, None] * _X + full(upper.twist)[:, None] * _Y + full(upper.side)[:, None] * _Z
    for row, share in enumerate((0.40, 0.35, 0.25)):
        out[:, row] = share * trunk
    for side, sign in enumerate((1.0, -1.0)):
        swing, elbow = full(upper.swing[side]), full(upper.elbow[side])
        out[:, 3 + side, 2] = -sign * _SHRUG_RAD
        hang = -sign * (_HANG_RAD - _SHRUG_RAD - full(upper.spread))[:, None] * _Z
        roll = -full(upper.inward)[:, None] * _X
        forward = -swing[:, None] * _X
        arm = quat_multiply(rotvec_to_quat(forward), quat_multiply(rotvec_to_quat(hang), rotvec_to_quat(roll)))
        out[:, 5 + side] = quat_to_rotvec(arm)
        out[:, 7 + side, 1] = -sign * np.maximum(_ELBOW_REST_RAD + elbow, 0.05)
        out[:, 9 + side, 2] = -sign * 0.06
    return out
