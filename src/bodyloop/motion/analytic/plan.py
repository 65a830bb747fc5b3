"""A planned chunk before inverse kinematics, and how it becomes joint rotations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bodyloop.body.rotations import FloatArray, matrix_to_rotvec
from bodyloop.body.skeleton import PELVIS_REST_OFFSET_M, joint_index
from bodyloop.motion.analytic.curves import inertialize
from bodyloop.motion.analytic.legs import pitch_matrix, roll_matrix, solve_legs
from bodyloop.motion.analytic.reading import UPPER_ROWS, BodyState, yaw_matrix
from bodyloop.motion.analytic.speed import limit_joint_speed
from bodyloop.motion.layout import BODY, JOINTS, ORIENT, TRANSL
from bodyloop.motion.types import CHUNK_FRAMES, XB_DIM

__all__ = ["Plan", "realize"]

_HIPS, _KNEES, _ANKLES, _TOES = (
    tuple(joint_index(f"{side}_{part}") - 1 for side in ("left", "right")) for part in ("hip", "knee", "ankle", "foot")
)
_MAX_TOE_RAD = 1.05


@dataclass(frozen=True, eq=False)
class Plan:
    """Target curves on the 17 phases of ``curves.PHASE``; the first two belong to the history.

    Where a curve does not start where the body is, the difference fades out (``curves.inertialize``).
    """

    pelvis: FloatArray
    """(17, 3) pelvis joint."""
    turn: FloatArray
    """(17, 3) pelvis yaw, pitch, roll."""
    balls: FloatArray
    """(17, 2, 3) floor points below the toe joints of the flat feet."""
    foot_yaw: FloatArray
    """(17, 2)."""
    foot_pitch: FloatArray
    """(17, 2) least heel lift (positive) or toe lift (negative); reaching may lift the heel further."""
    upper: FloatArray
    """(17, 11, 3) rotations of the joints above the legs."""
    toe_follow: FloatArray
    """(17, 2) share of the heel lift that the toes undo: 1 lays them flat."""
    extension: FloatArray
    """(17, 2) share of the leg's length beyond which the heel lifts: 1 stands on straight knees."""
    upper_until: float = 0.85
    """Phase by which the upper body has joined its curve."""


def realize(plan: Plan, state: BodyState) -> FloatArray:
    """Body parameters (15, 75) of a plan that starts from ``state``."""
    pelvis = inertialize(plan.pelvis, state.pelvis.value, state.pelvis.rate, 0.9)
    turn = inertialize(plan.turn, state.turn.value, state.turn.rate, 0.8)
    xb = np.zeros((CHUNK_FRAMES, XB_DIM))
    body = xb[:, BODY].reshape(CHUNK_FRAMES, JOINTS, 3)
    body[:, UPPER_ROWS] = inertialize(plan.upper, state.upper.value, state.upper.rate, plan.upper_until)
    root = yaw_matrix(turn[:, 0]) @ pitch_matrix(turn[:, 1]) @ roll_matrix(turn[:, 2])
    xb[:, TRANSL] = pelvis - PELVIS_REST_OFFSET_M
    xb[:, ORIENT] = matrix_to_rotvec(root)
    _place_legs(body, plan, state, pelvis, turn[:, 0], root)
    limit_joint_speed(state.joints, body)
    return xb


def _place_legs(
    body: FloatArray, plan: Plan, state: BodyState, pelvis: FloatArray, yaw_rad: FloatArray, root: FloatArray
) -> None:
    """Write the leg rotations into ``body`` (15, 23, 3)."""
    balls = inertialize(plan.balls, state.balls.value, state.balls.rate, 0.4)
    foot_yaw = inertialize(plan.foot_yaw, state.foot_yaw.value, state.foot_yaw.rate, 0.4)
    pitch = inertialize(plan.foot_pitch, state.foot_pitch.value, state.foot_pitch.rate, 0.5)
    legs = solve_legs(pelvis, root, balls, foot_yaw, pitch, 0.5 * (yaw_rad[:, None] + foot_yaw), plan.extension[2:])
    body[:, _HIPS] = matrix_to_rotvec(legs.hip)
    body[:, _KNEES, 0] = legs.knee_flexion
    body[:, _ANKLES] = matrix_to_rotvec(legs.ankle)
    heels = np.concatenate([np.broadcast_to(state.foot_pitch.value, (2, 2)), legs.foot_pitch])
    flexed = np.clip(heels, 0.0, _MAX_TOE_RAD) * plan.toe_follow
    body[:, _TOES, 0] = -inertialize(flexed, state.toes.value, state.toes.rate, 0.3)
