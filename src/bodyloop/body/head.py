"""The head: skull, ears, nose, eyes, brows, lips and hair in the rest pose of the whole body."""

from __future__ import annotations

from typing import Final

import numpy as np

from bodyloop.body.shapes import Mesh, Ring, ellipsoid, loft, merge
from bodyloop.body.skeleton import EYE_OFFSETS_M, joint_index, rest_positions

__all__ = ["head_skins"]

_SKULL: Final[list[Ring]] = [
    (-0.066, 0.014, 0.012, 0, 0.062),
    (-0.060, 0.026, 0.023, 0, 0.058),
    (-0.044, 0.042, 0.040, 0, 0.046),
    (-0.020, 0.056, 0.063, 0, 0.025),
    (0.012, 0.066, 0.079, 0, 0.011),
    (0.050, 0.072, 0.090, 0, 0.002),
    (0.088, 0.074, 0.093, 0, -0.002),
    (0.120, 0.068, 0.085, 0, -0.004),
    (0.142, 0.053, 0.067, 0, -0.006),
    (0.156, 0.032, 0.041, 0, -0.008),
    (0.162, 0.010, 0.014, 0, -0.008),
]
_HAIR: Final[list[Ring]] = [
    (-0.012, 0.052, 0.040, 0, -0.040),
    (0.010, 0.066, 0.064, 0, -0.030),
    (0.045, 0.075, 0.080, 0, -0.022),
    (0.080, 0.078, 0.088, 0, -0.016),
    (0.104, 0.077, 0.091, 0, -0.012),
    (0.126, 0.071, 0.090, 0, -0.007),
    (0.148, 0.056, 0.073, 0, -0.006),
    (0.163, 0.033, 0.044, 0, -0.008),
    (0.168, 0.012, 0.016, 0, -0.008),
]
_LIPS: Final[list[Ring]] = [
    (-0.0220, 0.0012, 0.0020, -0.0215, 0.0775),
    (-0.0130, 0.0042, 0.0050, -0.0240, 0.0825),
    (0.0, 0.0056, 0.0056, -0.0250, 0.0850),
    (0.0130, 0.0042, 0.0050, -0.0240, 0.0825),
    (0.0220, 0.0012, 0.0020, -0.0215, 0.0775),
]
_NOSE: Final[list[Ring]] = [
    (0.006, 0.010, 0.006, 0, 0.091),
    (0.012, 0.0135, 0.0115, 0, 0.0915),
    (0.022, 0.0105, 0.010, 0, 0.0925),
    (0.040, 0.0075, 0.006, 0, 0.0910),
    (0.056, 0.0060, 0.003, 0, 0.0900),
]
"""The nose ends below and behind the ego camera (2 cm ahead of the eyes), so it is never in its view."""


def head_skins() -> list[tuple[str, str, Mesh]]:
    """Link, material and mesh (rest pose, pelvis origin) of every part of the head."""
    origin = rest_positions()[joint_index("head")]
    parts = {
        "skin": [loft("y", _SKULL, segments=16), loft("y", _NOSE, segments=8), *_both(_ear()), *_both(_lid())],
        "hair": [loft("y", _HAIR, segments=16), *_both(_brow())],
        "eye": _both(_eye_part(0.0105, 0.0)),
        "iris": _both(_eye_part(0.0052, 0.0068)),
        "lips": [loft("x", _LIPS, segments=8)],
    }
    return [("head", material, merge(meshes).moved(origin)) for material, meshes in parts.items()]


def _both(left: Mesh) -> list[Mesh]:
    return [left, left.mirrored()]


def _eye_part(radius: float, ahead: float) -> Mesh:
    center = np.add(EYE_OFFSETS_M["left_eye"], (0.0, 0.0, ahead - 0.0068))
    return ellipsoid(center, (radius * 1.15, radius * 0.85, radius), segments=8, rings=6)


def _lid() -> Mesh:
    center = np.add(EYE_OFFSETS_M["left_eye"], (0.0, 0.0062, -0.0066))
    return ellipsoid(center, (0.0142, 0.0058, 0.0116), segments=8, rings=6)


def _brow() -> Mesh:
    return ellipsoid((0.032, 0.0745, 0.0835), (0.0165, 0.0032, 0.0050), segments=8, rings=4)


def _ear() -> Mesh:
    return ellipsoid((0.0745, 0.030, -0.006), (0.009, 0.028, 0.017), segments=8, rings=6)
