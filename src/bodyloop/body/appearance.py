"""What the body looks like: an adult in a blue T-shirt, dark trousers and shoes, as light meshes per link.

All shapes are drawn once in the rest pose (T pose, origin at the pelvis joint, x to the body's left, y up, z forward) and
then moved into the frame of the link that carries them. Left limbs are drawn, right limbs are mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bodyloop.body.head import head_skins
from bodyloop.body.shapes import Mesh, Ring, loft, merge
from bodyloop.body.skeleton import JOINT_NAMES, rest_positions

__all__ = ["MATERIALS", "Skin", "body_skins"]

MATERIALS: Final = {
    "shirt": ((0.11, 0.30, 0.66), 0.15),
    "shirt_trim": ((0.07, 0.20, 0.47), 0.15),
    "trousers": ((0.10, 0.12, 0.19), 0.10),
    "skin": ((0.80, 0.58, 0.45), 0.20),
    "lips": ((0.66, 0.36, 0.32), 0.25),
    "hair": ((0.17, 0.11, 0.07), 0.25),
    "eye": ((0.93, 0.93, 0.91), 0.60),
    "iris": ((0.10, 0.13, 0.18), 0.80),
    "shoe": ((0.16, 0.15, 0.16), 0.30),
    "sole": ((0.78, 0.77, 0.73), 0.15),
}
"""Colour (0..1) and specular reflection by material name."""

_PELVIS: Final[list[Ring]] = [
    (-0.150, 0.095, 0.070, 0, -0.012),
    (-0.140, 0.130, 0.095, 0, -0.012),
    (-0.110, 0.155, 0.112, 0, -0.012),
    (-0.060, 0.166, 0.119, 0, -0.012),
    (0.000, 0.160, 0.112, 0, -0.010),
    (0.060, 0.148, 0.102, 0, -0.010),
]
_HEM: Final[list[Ring]] = [
    (-0.035, 0.168, 0.12, 0, -0.011),
    (-0.034, 0.171, 0.123, 0, -0.011),
    (0.0, 0.167, 0.118, 0, -0.01),
    (0.05, 0.156, 0.109, 0, -0.01),
    (0.09, 0.1495, 0.1045, 0, -0.009),
    (0.12, 0.1455, 0.101, 0, -0.009),
    (0.128, 0.12, 0.08, 0, -0.009),
]
_BELLY: Final[list[Ring]] = [
    (0.05, 0.12, 0.08, 0, -0.01),
    (0.058, 0.1465, 0.102, 0, -0.01),
    (0.085, 0.1485, 0.1035, 0, -0.0095),
    (0.11, 0.148, 0.103, 0, -0.009),
    (0.15, 0.148, 0.103, 0, -0.0075),
    (0.2, 0.15, 0.105, 0, -0.006),
    (0.24, 0.1525, 0.1065, 0, -0.006),
    (0.265, 0.152, 0.105, 0, -0.006),
    (0.273, 0.12, 0.08, 0, -0.006),
]
_RIBS: Final[list[Ring]] = [
    (0.178, 0.12, 0.08, 0, -0.006),
    (0.186, 0.147, 0.102, 0, -0.006),
    (0.215, 0.15, 0.1048, 0, -0.006),
    (0.25, 0.1545, 0.1078, 0, -0.0055),
    (0.29, 0.16, 0.11, 0, -0.004),
    (0.325, 0.162, 0.11, 0, -0.004),
    (0.333, 0.12, 0.08, 0, -0.004),
]
_CHEST: Final[list[Ring]] = [
    (0.256, 0.12, 0.08, 0, -0.005),
    (0.264, 0.152, 0.105, 0, -0.005),
    (0.288, 0.159, 0.1095, 0, -0.0045),
    (0.315, 0.1655, 0.1122, 0, -0.004),
    (0.355, 0.172, 0.113, 0, -0.004),
    (0.395, 0.172, 0.107, 0, -0.008),
    (0.425, 0.156, 0.096, 0, -0.012),
    (0.45, 0.12, 0.08, 0, -0.016),
    (0.47, 0.08, 0.067, 0, -0.018),
    (0.478, 0.055, 0.05, 0, -0.018),
]
_NECKLINE: Final[list[Ring]] = [
    (0.456, 0.074, 0.068, 0, -0.017),
    (0.474, 0.069, 0.066, 0, -0.017),
    (0.486, 0.063, 0.061, 0, -0.018),
]
_NECK: Final[list[Ring]] = [
    (0.440, 0.060, 0.058, 0, -0.020),
    (0.480, 0.055, 0.056, 0, -0.018),
    (0.530, 0.052, 0.056, 0, -0.012),
    (0.590, 0.050, 0.056, 0, -0.004),
]
_SHOULDER: Final[list[Ring]] = [
    (0.02, 0.04, 0.06, 0.4, -0.012),
    (0.04, 0.06, 0.082, 0.4, -0.012),
    (0.09, 0.061, 0.077, 0.402, -0.012),
    (0.13, 0.058, 0.068, 0.403, -0.01),
    (0.165, 0.053, 0.06, 0.403, -0.008),
    (0.19, 0.045, 0.05, 0.403, -0.007),
    (0.205, 0.028, 0.032, 0.403, -0.006),
]
_SLEEVE: Final[list[Ring]] = [
    (0.13, 0.01, 0.011, 0.405, -0.007),
    (0.136, 0.028, 0.03, 0.405, -0.007),
    (0.149, 0.043, 0.046, 0.405, -0.007),
    (0.166, 0.0505, 0.054, 0.405, -0.007),
    (0.188, 0.054, 0.058, 0.406, -0.006),
    (0.225, 0.0548, 0.059, 0.409, -0.005),
    (0.29, 0.053, 0.0575, 0.412, -0.004),
    (0.36, 0.0525, 0.057, 0.414, -0.003),
]
_CUFF: Final[list[Ring]] = [
    (0.35, 0.0538, 0.0578, 0.414, -0.003),
    (0.352, 0.0545, 0.0585, 0.414, -0.003),
    (0.374, 0.0545, 0.0585, 0.414, -0.003),
    (0.375, 0.052, 0.056, 0.414, -0.003),
]
_UPPER_ARM: Final[list[Ring]] = [
    (0.34, 0.044, 0.047, 0.415, -0.002),
    (0.4, 0.0425, 0.0455, 0.415, -0.002),
    (0.46, 0.0385, 0.041, 0.415, -0.001),
    (0.5, 0.0365, 0.039, 0.415, 0),
    (0.518, 0.031, 0.033, 0.415, 0),
    (0.528, 0.018, 0.02, 0.415, 0),
]
_FOREARM: Final[list[Ring]] = [
    (0.455, 0.012, 0.013, 0.415, 0),
    (0.462, 0.026, 0.028, 0.415, 0),
    (0.478, 0.0345, 0.037, 0.415, 0),
    (0.5, 0.0375, 0.04, 0.415, 0),
    (0.55, 0.038, 0.043, 0.415, 0.002),
    (0.63, 0.033, 0.038, 0.415, 0.001),
    (0.71, 0.026, 0.031, 0.415, 0),
    (0.755, 0.023, 0.029, 0.415, 0),
    (0.762, 0.014, 0.02, 0.415, 0),
]
_PALM: Final[list[Ring]] = [
    (0.735, 0.021, 0.027, 0.415, 0.000),
    (0.760, 0.019, 0.033, 0.414, 0.000),
    (0.800, 0.017, 0.041, 0.413, 0.002),
    (0.835, 0.015, 0.042, 0.412, 0.002),
    (0.850, 0.011, 0.038, 0.411, 0.002),
]
_THIGH: Final[list[Ring]] = [
    (-0.010, 0.055, 0.065, 0.088, -0.006),
    (-0.060, 0.078, 0.090, 0.088, -0.006),
    (-0.120, 0.086, 0.094, 0.090, -0.004),
    (-0.220, 0.079, 0.086, 0.090, 0.000),
    (-0.340, 0.068, 0.074, 0.089, 0.002),
    (-0.450, 0.060, 0.065, 0.088, 0.002),
    (-0.500, 0.059, 0.062, 0.088, 0.001),
    (-0.530, 0.050, 0.052, 0.088, -0.001),
    (-0.548, 0.028, 0.030, 0.088, -0.002),
]
_SHANK: Final[list[Ring]] = [
    (-0.434, 0.028, 0.030, 0.088, 0.000),
    (-0.452, 0.050, 0.052, 0.088, 0.001),
    (-0.482, 0.0595, 0.0625, 0.088, 0.002),
    (-0.540, 0.057, 0.061, 0.088, -0.004),
    (-0.620, 0.057, 0.064, 0.088, -0.012),
    (-0.720, 0.053, 0.058, 0.088, -0.012),
    (-0.820, 0.049, 0.054, 0.088, -0.008),
    (-0.918, 0.050, 0.058, 0.088, -0.004),
]
_HEEL_PROFILE: Final = (
    (-0.066, 0.020, 0.040, 0.0),
    (-0.062, 0.029, 0.066, 0.0),
    (-0.045, 0.036, 0.078, 0.0),
    (-0.010, 0.039, 0.084, 0.0),
    (0.030, 0.040, 0.076, 0.0),
    (0.060, 0.043, 0.060, 0.001),
    (0.100, 0.046, 0.047, 0.002),
    (0.128, 0.046, 0.042, 0.002),
)
"""Rings of the rear shoe: z, half width, height above the sole, shift outward."""

_TOE_PROFILE: Final = (
    (0.108, 0.0455, 0.0445, 0.002),
    (0.140, 0.0450, 0.0400, 0.001),
    (0.165, 0.0410, 0.0350, 0.000),
    (0.182, 0.0330, 0.0290, -0.001),
    (0.191, 0.0210, 0.0210, -0.002),
)
_SHOE_SOLE_Y: Final = -0.976
_FINGERS: Final = ((0.031, 0.066, 0.0080), (0.011, 0.075, 0.0085), (-0.009, 0.070, 0.0082), (-0.028, 0.054, 0.0072))
"""Per finger: place across the palm, length, radius."""


@dataclass(frozen=True, eq=False)
class Skin:
    """One visible mesh in the frame of its link."""

    link: str
    material: str
    mesh: Mesh


def body_skins() -> list[Skin]:
    """Every visible mesh of the body, in the order of the links."""
    drawn = [*_trunk(), *head_skins()]
    for link, material, mesh in _left_limbs():
        drawn.append((link, material, mesh))
        drawn.append((link.replace("left", "right"), material, mesh.mirrored()))
    rest = dict(zip(JOINT_NAMES, rest_positions(), strict=True))
    drawn.sort(key=lambda item: JOINT_NAMES.index(item[0]))
    return [Skin(link, material, mesh.moved(-rest[link])) for link, material, mesh in drawn]


def _trunk() -> list[tuple[str, str, Mesh]]:
    return [
        ("pelvis", "trousers", loft("y", _PELVIS, segments=18)),
        ("pelvis", "shirt", loft("y", _HEM, segments=18)),
        ("spine1", "shirt", loft("y", _BELLY, segments=18)),
        ("spine2", "shirt", loft("y", _RIBS, segments=18)),
        ("spine3", "shirt", loft("y", _CHEST, segments=18)),
        ("spine3", "shirt_trim", loft("y", _NECKLINE)),
        ("neck", "skin", loft("y", _NECK)),
    ]


def _left_limbs() -> list[tuple[str, str, Mesh]]:
    shoe, sole = _shoe(-0.072, 0.128, heel=True)
    toes, toe_sole = _shoe(0.108, 0.196, heel=False)
    return [
        ("left_hip", "trousers", loft("y", _THIGH)),
        ("left_knee", "trousers", loft("y", _SHANK)),
        ("left_ankle", "shoe", shoe),
        ("left_ankle", "sole", sole),
        ("left_foot", "shoe", toes),
        ("left_foot", "sole", toe_sole),
        ("left_collar", "shirt", loft("x", _SHOULDER)),
        ("left_shoulder", "shirt", loft("x", _SLEEVE)),
        ("left_shoulder", "shirt_trim", loft("x", _CUFF)),
        ("left_shoulder", "skin", loft("x", _UPPER_ARM)),
        ("left_elbow", "skin", loft("x", _FOREARM)),
        ("left_wrist", "skin", merge([loft("x", _PALM, power=2.6), *_fingers()])),
    ]


def _shoe(back: float, front: float, *, heel: bool) -> tuple[Mesh, Mesh]:
    """Upper and sole of one part of the left shoe between two z positions of the rest pose."""
    profile = _HEEL_PROFILE if heel else _TOE_PROFILE
    upper: list[Ring] = []
    outline: list[Ring] = []
    for z, half_width, height, shift in profile:
        upper.append((z, half_width, 0.5 * height, 0.088 + shift, _SHOE_SOLE_Y + 0.008 + 0.5 * height))
        outline.append((z, half_width + 0.003, 0.008, 0.088 + shift, _SHOE_SOLE_Y + 0.008))
    outline[0] = (back, *outline[0][1:])
    outline[-1] = (front, *outline[-1][1:])
    return loft("z", upper, power=2.8), loft("z", outline, segments=12, power=5.0)


def _fingers() -> list[Mesh]:
    """Slightly curled fingers and the thumb of the left hand."""
    pieces = []
    for z, length, radius in _FINGERS:
        stations = ((0.0, 1.0, 0.0), (0.35, 1.0, 0.03), (0.7, 0.92, 0.12), (0.94, 0.7, 0.25), (1.0, 0.35, 0.28))
        rings = [(0.842 + s * length, r * radius, r * radius, 0.411 - drop * length, z) for s, r, drop in stations]
        pieces.append(loft("x", rings, segments=7))
    thumb = (
        (0.772, 0.012, 0.036),
        (0.795, 0.0125, 0.050),
        (0.820, 0.0105, 0.059),
        (0.838, 0.0085, 0.063),
        (0.845, 0.004, 0.064),
    )
    pieces.append(loft("x", [(x, r, r, 0.408 - 0.12 * (x - 0.772), z) for x, r, z in thumb], segments=7))
    return pieces
