"""Rotation arithmetic for the control loop: plain NumPy, float64, quaternions xyzw, any leading shape.

SciPy's ``Rotation`` costs more than the physics itself when it is built for a few rows many times a frame; these
functions do the same on bare arrays and keep small and half-turn rotations exact.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = [
    "FloatArray",
    "matrix_to_quat",
    "matrix_to_rotvec",
    "quat_inverse",
    "quat_multiply",
    "quat_normalize",
    "quat_rotate",
    "quat_to_matrix",
    "quat_to_rotvec",
    "rotvec_to_matrix",
    "rotvec_to_quat",
    "wxyz_to_xyzw",
    "xyzw_to_wxyz",
]

FloatArray = npt.NDArray[np.float64]

_TINY = 1e-12
_XYZW_FROM_WXYZ = np.array([1, 2, 3, 0])
_WXYZ_FROM_XYZW = np.array([3, 0, 1, 2])
_CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def wxyz_to_xyzw(quat_wxyz: FloatArray) -> FloatArray:
    """Reorder (..., 4) quaternions as MuJoCo stores them into the order used everywhere else."""
    return np.take(quat_wxyz, _XYZW_FROM_WXYZ, axis=-1)


def xyzw_to_wxyz(quat_xyzw: FloatArray) -> FloatArray:
    """Reorder (..., 4) quaternions into MuJoCo's order."""
    return np.take(quat_xyzw, _WXYZ_FROM_XYZW, axis=-1)


def quat_normalize(quat_xyzw: npt.ArrayLike) -> FloatArray:
    """Unit quaternions (..., 4); a quaternion of length zero becomes the identity."""
    quat = np.asarray(quat_xyzw, dtype=np.float64)
    length = np.sqrt(np.einsum("...i,...i->...", quat, quat))[..., None]
    unit = quat / np.where(length > _TINY, length, 1.0)
    return np.where(length > _TINY, unit, _IDENTITY)


def quat_multiply(a_xyzw: npt.ArrayLike, b_xyzw: npt.ArrayLike) -> FloatArray:
    """Hamilton product a b (first b turns, then a), (..., 4)."""
    a, b = np.asarray(a_xyzw, dtype=np.float64), np.asarray(b_xyzw, dtype=np.float64)
    ax, ay, az, aw = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bx, by, bz, bw = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 1] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 2] = aw * bz + ax * by - ay * bx + az * bw
    out[..., 3] = aw * bw - ax * bx - ay * by - az * bz
    return out


def quat_inverse(quat_xyzw: npt.ArrayLike) -> FloatArray:
    """Inverse (..., 4): the conjugate over the squared length; length zero stays zero."""
    quat = np.asarray(quat_xyzw, dtype=np.float64)
    squared = np.einsum("...i,...i->...", quat, quat)[..., None]
    inverse: FloatArray = quat * _CONJUGATE / np.where(squared > 0.0, squared, 1.0)
    return inverse


def quat_rotate(quat_xyzw: npt.ArrayLike, vector: npt.ArrayLike) -> FloatArray:
    """Turn vectors (..., 3) by unit quaternions (..., 4)."""
    quat, v = np.asarray(quat_xyzw, dtype=np.float64), np.asarray(vector, dtype=np.float64)
    axis = quat[..., :3]
    twice = 2.0 * _cross(axis, v)
    return v + quat[..., 3:] * twice + _cross(axis, twice)


def rotvec_to_quat(rotvec: npt.ArrayLike) -> FloatArray:
    """Axis-angle vectors (..., 3) as unit quaternions (..., 4)."""
    vector = np.asarray(rotvec, dtype=np.float64)
    half = 0.5 * np.sqrt(np.einsum("...i,...i->...", vector, vector))
    out = np.empty((*vector.shape[:-1], 4))
    out[..., :3] = 0.5 * np.sinc(half / np.pi)[..., None] * vector
    out[..., 3] = np.cos(half)
    return out


def quat_to_rotvec(quat_xyzw: npt.ArrayLike) -> FloatArray:
    """Shortest axis-angle vectors (..., 3), angle 0..pi, of quaternions (..., 4) of either sign."""
    quat = quat_normalize(quat_xyzw)
    axis = np.where(quat[..., 3:] < 0.0, -quat[..., :3], quat[..., :3])
    sine = np.sqrt(np.einsum("...i,...i->...", axis, axis))
    angle = 2.0 * np.arctan2(sine, np.abs(quat[..., 3]))
    # Below the square root of the rounding error the half-angle sine equals the half angle.
    scale = np.where(sine > 1e-9, angle / np.where(sine > 1e-9, sine, 1.0), 2.0)
    return scale[..., None] * axis


def quat_to_matrix(quat_xyzw: npt.ArrayLike) -> FloatArray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    quat = np.asarray(quat_xyzw, dtype=np.float64)
    x, y, z, w = quat[..., 0], quat[..., 1], quat[..., 2], quat[..., 3]
    out = np.empty((*quat.shape[:-1], 3, 3))
    out[..., 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[..., 0, 1] = 2.0 * (x * y - z * w)
    out[..., 0, 2] = 2.0 * (x * z + y * w)
    out[..., 1, 0] = 2.0 * (x * y + z * w)
    out[..., 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[..., 1, 2] = 2.0 * (y * z - x * w)
    out[..., 2, 0] = 2.0 * (x * z - y * w)
    out[..., 2, 1] = 2.0 * (y * z + x * w)
    out[..., 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return out


def rotvec_to_matrix(rotvec: npt.ArrayLike) -> FloatArray:
    """Rotation matrices (..., 3, 3) of axis-angle vectors (..., 3)."""
    return quat_to_matrix(rotvec_to_quat(rotvec))


def matrix_to_quat(matrix: npt.ArrayLike) -> FloatArray:
    """Unit quaternions (..., 4) of rotation matrices (..., 3, 3), exact at every angle."""
    m = np.asarray(matrix, dtype=np.float64)
    lead = m.shape[:-2]
    # Row i of `k` is 4 q_i q: the four products of each component with the quaternion; the longest row is exact.
    k = np.empty((*lead, 4, 4))
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    k[..., 0, 0] = 1.0 + xx - yy - zz
    k[..., 1, 1] = 1.0 - xx + yy - zz
    k[..., 2, 2] = 1.0 - xx - yy + zz
    k[..., 3, 3] = 1.0 + xx + yy + zz
    k[..., 0, 1] = k[..., 1, 0] = m[..., 0, 1] + m[..., 1, 0]
    k[..., 0, 2] = k[..., 2, 0] = m[..., 0, 2] + m[..., 2, 0]
    k[..., 1, 2] = k[..., 2, 1] = m[..., 1, 2] + m[..., 2, 1]
    k[..., 0, 3] = k[..., 3, 0] = m[..., 2, 1] - m[..., 1, 2]
    k[..., 1, 3] = k[..., 3, 1] = m[..., 0, 2] - m[..., 2, 0]
    k[..., 2, 3] = k[..., 3, 2] = m[..., 1, 0] - m[..., 0, 1]
    best = np.argmax(np.einsum("...ii->...i", k), axis=-1)
    return quat_normalize(np.take_along_axis(k, best[..., None, None], axis=-2)[..., 0, :])


def matrix_to_rotvec(matrix: npt.ArrayLike) -> FloatArray:
    """Shortest axis-angle vectors (..., 3) of rotation matrices (..., 3, 3), exact at 0 and at a half turn."""
    return quat_to_rotvec(matrix_to_quat(matrix))


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross product of the last axis; several times faster than ``np.cross`` on small arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out
