"""Feet of a chunk: one foot holds while the other swings, or both swing one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import BALL_AHEAD_M
from bodyloop.motion.analytic.curves import PHASE, clip_softly, ease, hop, keyed, quintic
from bodyloop.motion.analytic.reading import BodyState, heading

__all__ = ["FootPaths", "Swing", "hold_feet", "keep_near_heading", "swing_foot"]

PIVOT_RAD: Final = 0.55
"""A foot turns on its ball once the pelvis has turned this far against it."""

_UP: Final[FloatArray] = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Swing:
    """One step of one foot."""

    side: int
    """0 left, 1 right."""
    anchor: FloatArray
    """(3,) floor point below the ankle at landing."""
    yaw_rad: float
    start: float
    end: float
    """Phases of lift-off and landing; a foot already moving must start at 0."""
    clearance_m: float
    heel_rad: float = 0.35
    """Heel lift just after lift-off."""
    toe_rad: float = 0.0
    """Toe lift at landing; negative lands on the toes."""
    rise_first: float = 0.0
    """Share of the swing before the foot travels: clears an edge in front."""
    fall_last: float = 0.0
    """Share of the swing after the foot has travelled: clears an edge behind."""


@dataclass(eq=False)
class FootPaths:
    """Curves of both feet on the 17 phases; see ``plan.Plan``."""

    balls: FloatArray
    yaw: FloatArray
    pitch: FloatArray
    toe_follow: FloatArray
    extension: FloatArray


def hold_feet(state: BodyState) -> FootPaths:
    """Both feet stay where they are, flat on the floor; a foot in the air comes down where it is."""
    balls = np.repeat(state.balls.value[None], len(PHASE), axis=0)
    balls[:, :, 1] = state.floor_m
    return FootPaths(
        balls=balls,
        yaw=np.repeat(state.foot_yaw.value[None], len(PHASE), axis=0),
        pitch=np.zeros((len(PHASE), 2)),
        toe_follow=np.ones((len(PHASE), 2)),
        extension=np.ones((len(PHASE), 2)),
    )


def swing_foot(paths: FootPaths, state: BodyState, swing: Swing) -> None:
    """Replace the curves of one foot by a step, in place."""
    side, window = swing.side, (swing.start, swing.end)
    span = swing.end - swing.start
    start, rate = state.balls.value[side], state.balls.rate[side]
    target = swing.anchor + BALL_AHEAD_M * heading(swing.yaw_rad)
    # A foot that comes from far behind clears an edge without waiting for its own rise.
    near = float(np.clip((0.75 - np.linalg.norm(target - start)) / 0.3, 0.0, 1.0))
    travel = (swing.start + near * swing.rise_first * span, swing.end - swing.fall_last * span)
    moving = rate * (swing.start <= 0.0)
    path = quintic(PHASE, start, moving, target, window=travel)
    window_y = _height_window(swing, float(target[1] - start[1]), near)
    low = quintic(PHASE, start[1], moving[1], target[1], window=window_y)
    path[:, 1] = low + swing.clearance_m * hop(PHASE, *window)
    paths.balls[:, side] = path
    yaw0 = state.foot_yaw.value[side]
    paths.yaw[:, side] = yaw0 + (swing.yaw_rad - yaw0) * ease(PHASE, *window)
    paths.pitch[:, side] = keyed(PHASE, _pitch_keys(swing, float(state.foot_pitch.value[side])))
    landed = ease(PHASE, swing.end - 0.1, swing.end)
    lifted = ease(PHASE, swing.start, swing.start + 0.8 * span)
    paths.toe_follow[:, side] = 1.0 - 0.75 * lifted * (1.0 - landed)


def keep_near_heading(paths: FootPaths, yaw_rad: FloatArray) -> None:
    """Turn feet on their balls where the pelvis (17,) would twist too far against them, in place."""
    paths.yaw[:] = clip_softly(paths.yaw, yaw_rad[:, None] - PIVOT_RAD, yaw_rad[:, None] + PIVOT_RAD, 0.06)


def _height_window(swing: Swing, rise_m: float, near: float) -> tuple[float, float]:
    span = swing.end - swing.start
    if rise_m > 0.05:
        return swing.start + 0.2 * (1.0 - near) * span, swing.start + (1.0 - 0.36 * near) * span
    if rise_m < -0.05:
        return swing.start + 0.25 * span, swing.end
    return swing.start, swing.end


def _pitch_keys(swing: Swing, now_rad: float) -> list[tuple[float, float]]:
    span = swing.end - swing.start
    keys = [(swing.start, now_rad), (swing.start + 0.25 * span, max(swing.heel_rad, 0.9 * now_rad))]
    keys += [(swing.start + 0.8 * span, -swing.toe_rad), (swing.end, -swing.toe_rad)]
    if swing.toe_rad != 0.0:
        keys.append((min(swing.end + 0.13, 1.0), 0.0))
    return keys
