"""Distance from the body to its target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.errors import DataError

__all__ = ["body_to_target_aabb_distance"]

_CORNER_KEYS = (("min", "max"), ("min_xyz", "max_xyz"), ("mn", "mx"))


def body_to_target_aabb_distance(body_points_m: npt.ArrayLike, target_boxes: Iterable[Any]) -> float:
    """Least 3-D distance from P body points to K axis-aligned boxes, metres; 0 inside a box.

    ``body_points_m`` is (P, 3) (further columns are ignored); a box is a pair of corners in any order, shape (2, 3), or a
    mapping with ``min``/``max``. Raises :class:`~bodyloop.errors.DataError` for missing, misshapen or non-finite input.
    """
    points = np.asarray(body_points_m, dtype=np.float64)
    if points.ndim != 2 or points.shape[0] == 0 or points.shape[1] < 3:
        raise DataError(f"body points have shape {points.shape}, expected (P, 3) with P > 0")
    corners = _corners(target_boxes)
    points = points[:, :3]
    if not (np.isfinite(points).all() and np.isfinite(corners).all()):
        raise DataError("body points or target boxes hold a number that is not finite")
    lower, upper = corners.min(axis=1), corners.max(axis=1)
    outside = np.maximum(np.maximum(lower[None] - points[:, None], points[:, None] - upper[None]), 0.0)
    return float(np.sqrt((outside**2).sum(axis=2)).min())


def _corners(target_boxes: Iterable[Any]) -> npt.NDArray[np.float64]:
    """Boxes as (K, 2, 3)."""
    boxes = [_corner_pair(box) for box in target_boxes]
    if not boxes:
        raise DataError("no target box to measure against")
    try:
        corners = np.array(boxes, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("a target box is not a pair of three-number corners") from error
    if corners.ndim != 3 or corners.shape[1:] != (2, 3):
        raise DataError(f"target boxes have shape {corners.shape}, expected (K, 2, 3)")
    return corners


def _corner_pair(box: Any) -> Any:
    if not isinstance(box, Mapping):
        return list(box)
    for lower, upper in _CORNER_KEYS:
        if lower in box and upper in box:
            return [box[lower], box[upper]]
    raise DataError(f"a target box has keys {sorted(box)}, expected min and max")
