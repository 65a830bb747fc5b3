"""Time curves on the frames of a chunk. Phase 0 is the last history frame, phase 1 the last planned frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray
from bodyloop.motion.analytic.anatomy import CHUNK_S, FRAME_S
from bodyloop.motion.types import CHUNK_FRAMES

__all__ = ["PHASE", "bump", "clip_softly", "ease", "hop", "inertialize", "keyed", "quintic", "soft_minimum"]

PHASE: Final[FloatArray] = np.arange(-1, CHUNK_FRAMES + 1) / CHUNK_FRAMES
"""(17,) phases of the last two history frames and of the 15 frames of the chunk."""


def ease(phase: FloatArray, start: float = 0.0, end: float = 1.0) -> FloatArray:
    """Rise from 0 to 1 between two phases, at rest (velocity and acceleration) at both."""
    s = np.clip((phase - start) / (end - start), 0.0, 1.0)
    return s * s * s * (s * (6.0 * s - 15.0) + 10.0)


def bump(phase: FloatArray, start: float = 0.0, end: float = 1.0) -> FloatArray:
    """Rise from 0 to 1 and back between two phases, with zero velocity at both."""
    s = np.clip((phase - start) / (end - start), 0.0, 1.0)
    return 16.0 * (s * (1.0 - s)) ** 2


def hop(phase: FloatArray, start: float = 0.0, end: float = 1.0) -> FloatArray:
    """As ``bump``, with zero acceleration at both ends too: a straight knee bends gently."""
    s = np.clip((phase - start) / (end - start), 0.0, 1.0)
    return 64.0 * (s * (1.0 - s)) ** 3


def keyed(phase: FloatArray, keys: Sequence[tuple[float, float]]) -> FloatArray:
    """Pass through (phase, value) keys, at rest at each; constant outside."""
    out = np.full_like(phase, keys[0][1])
    for (start, low), (end, high) in pairwise(keys):
        out += (high - low) * ease(phase, start, end)
    return out


def quintic(
    phase: FloatArray,
    start: npt.ArrayLike,
    velocity: npt.ArrayLike,
    end: npt.ArrayLike,
    end_velocity: npt.ArrayLike = 0.0,
    *,
    window: tuple[float, float] = (0.0, 1.0),
) -> FloatArray:
    """(N, ...) quintic between two points with given velocities (per second) and no acceleration at either end.

    Before the window it stays at ``start`` (the given velocity then begins with the window), after it at ``end``.
    """
    length = window[1] - window[0]
    s = (phase - window[0]) / length
    s = np.minimum(s, 1.0) if window[0] <= 0.0 else np.clip(s, 0.0, 1.0)
    p0, p1 = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    m0 = np.asarray(velocity, dtype=np.float64) * length * CHUNK_S
    m1 = np.asarray(end_velocity, dtype=np.float64) * length * CHUNK_S
    s = s.reshape(-1, *([1] * p0.ndim))
    s3 = s * s * s
    h1 = s3 * (10.0 - 15.0 * s + 6.0 * s * s)
    m_0 = s - s3 * (6.0 - 8.0 * s + 3.0 * s * s)
    m_1 = s3 * (-4.0 + 7.0 * s - 3.0 * s * s)
    return p0 + (p1 - p0) * h1 + m0 * m_0 + m1 * m_1


def inertialize(target: FloatArray, last: FloatArray, velocity: FloatArray, until: float = 1.0) -> FloatArray:
    """Follow ``target`` (17, ...) from where the body is: the difference at phase 0 decays to zero by ``until``.

    ``last`` (...) and ``velocity`` (..., per second) describe the last history frame. Returns the 15 new frames.
    """
    offset = last - target[1]
    drift = velocity - (target[1] - target[0]) / FRAME_S
    decay = quintic(PHASE[2:], offset, drift, np.zeros_like(offset), window=(0.0, until))
    return target[2:] + decay


def soft_minimum(value: FloatArray, limit: npt.ArrayLike, width: float) -> FloatArray:
    """Smooth lower envelope of ``value`` and ``limit``; rounds the corner over about ``width``."""
    gap = (np.asarray(limit) - value) / width
    softplus = np.logaddexp(0.0, gap) * width
    return np.asarray(limit) - softplus


def clip_softly(value: FloatArray, low: npt.ArrayLike, high: npt.ArrayLike, width: float) -> FloatArray:
    """Smooth clipping of ``value`` into [low, high]."""
    return -soft_minimum(-soft_minimum(value, high, width), -np.asarray(low), width)
