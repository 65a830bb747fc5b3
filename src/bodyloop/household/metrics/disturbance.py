"""Movable objects that the body set in motion, and how far they went."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import quat_inverse, quat_multiply, quat_rotate
from bodyloop.household.metrics.contacts import ContactRows, OtherKind

__all__ = ["AffectedObject", "DisturbanceTracker", "ObjectTrack", "path_length_m", "tipping_angle_deg"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AffectedObject:
    """First effect of the body on one object."""

    first_affected_step: int
    first_affected_frame: int
    """Counted over all chunks."""
    source: str
    """``direct`` or ``indirect``."""


@dataclass(frozen=True, eq=False)
class ObjectTrack:
    """Realized poses of one object over F frames, trajectory frame; NaN rows where it did not exist."""

    positions_m: npt.NDArray[Any]
    """(F, 3)."""
    rotations_xyzw: npt.NDArray[Any] | None = None
    """(F, 4)."""
    initial_position_m: npt.NDArray[Any] | None = None
    """(3,) before the first frame."""
    initial_rotation_xyzw: npt.NDArray[Any] | None = None
    """(4,) before the first frame."""


class DisturbanceTracker:
    """Spreads "affected" from direct contacts over contacts between movable objects, in the order of time."""

    def __init__(self) -> None:
        self.affected: dict[int, AffectedObject] = {}
        """By object id, in the order of first effect."""
        self.direct: set[int] = set()
        self._frames = 0

    def record_step(self, decision: int, contacts: ContactRows | None) -> None:
        """One motion decision; earlier frames are never revisited."""
        if contacts is None:
            return
        touched = contacts.kind == OtherKind.DYNAMIC_OBJECT
        frames, ids = contacts.frame[touched], contacts.object_id[touched]
        if len(ids) or self.affected:
            for frame in range(contacts.frames):
                seeds = {int(i) for i in ids[frames == frame]}
                edges = contacts.pair_ids[contacts.pair_frame == frame]
                self._spread(decision, self._frames + frame, seeds, edges)
        self._frames += contacts.frames

    def _spread(self, decision: int, frame: int, seeds: set[int], edges: npt.NDArray[np.int64]) -> None:
        for object_id in sorted(seeds):
            self.affected.setdefault(object_id, AffectedObject(decision, frame, "direct"))
        self.direct |= seeds
        pending = [(int(a), int(b)) for a, b in edges if a != b]
        grown = True
        while grown:
            grown = False
            for a, b in pending:
                if (a in self.affected) != (b in self.affected):
                    new = b if a in self.affected else a
                    self.affected[new] = AffectedObject(decision, frame, "indirect")
                    grown = True

    def finalize(self, tracks: Mapping[int, ObjectTrack]) -> dict[str, Any]:
        """Published disturbance fields; ``tracks`` holds the realized poses by object id."""
        lengths = [
            path_length_m(tracks[i].positions_m, hit.first_affected_frame)
            for i, hit in self.affected.items()
            if i in tracks and _finite_rows(tracks[i].positions_m).any()
        ]
        return {
            "affected_dynamic_object_count": len(self.affected),
            "direct_dynamic_object_count": len(self.direct),
            "indirect_dynamic_object_count": len(self.affected) - len(self.direct),
            "mapped_affected_dynamic_object_count": len(lengths),
            "affected_object_path_length_sum_m": float(sum(lengths)),
            "affected_object_path_length_mean_m": float(sum(lengths)) / len(lengths) if lengths else None,
        }

    def beyond_paper(
        self, tracks: Mapping[int, ObjectTrack], target_ids: Collection[int], noise_m: float
    ) -> dict[str, Any]:
        """Without the target, without solver jitter, and with displacement and tipping from before the contact."""
        others = [i for i in self.affected if i not in set(target_ids)]
        mapped = [i for i in self.affected if i in tracks and _finite_rows(tracks[i].positions_m).any()]
        lengths = {i: _length_above_noise(tracks[i], self.affected[i].first_affected_frame, noise_m) for i in mapped}
        net = [_net_displacement_m(tracks[i], self.affected[i].first_affected_frame) for i in mapped]
        tips = [tipping_angle_deg(tracks[i]) for i in mapped]
        return {
            "disturbance_excluding_target_object_count": len(others),
            "disturbance_excluding_target_path_length_sum_m": float(sum(lengths.get(i, 0.0) for i in others)),
            "affected_object_path_length_above_noise_sum_m": float(sum(lengths.values())),
            "affected_object_net_displacement_sum_m": float(sum(net)),
            "affected_object_net_displacement_max_m": max(net, default=0.0),
            "affected_object_tipping_angle_max_deg": max(tips, default=0.0),
        }


def path_length_m(positions_m: npt.NDArray[Any], first_frame: int, noise_m: float = 0.0) -> float:
    """Length of the path (F, 3) from ``first_frame`` to the last finite row.

    Rows that are not finite are bridged by a straight line; steps shorter than ``noise_m`` do not count.
    """
    positions = np.asarray(positions_m, dtype=np.float64)
    rows = positions[first_frame:]
    rows = rows[_finite_rows(rows)]
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    return float(steps[steps >= noise_m].sum())


def _length_above_noise(track: ObjectTrack, first_frame: int, noise_m: float) -> float:
    """Path length from the last pose before the first contact frame."""
    before = first_frame - 1
    if before < 0 and track.initial_position_m is not None:
        return path_length_m(np.vstack([track.initial_position_m[None], track.positions_m]), 0, noise_m)
    return path_length_m(track.positions_m, max(0, before), noise_m)


def _net_displacement_m(track: ObjectTrack, first_frame: int) -> float:
    """Distance between the last pose before the first contact frame and the last finite one."""
    rows = np.asarray(track.positions_m, dtype=np.float64)
    start = rows[:first_frame]
    start = start[_finite_rows(start)]
    rows = rows[_finite_rows(rows)]
    if len(start):
        first = start[-1]
    else:
        first = rows[0] if track.initial_position_m is None else np.asarray(track.initial_position_m, dtype=np.float64)
    return float(np.linalg.norm(rows[-1] - first))


def tipping_angle_deg(track: ObjectTrack) -> float:
    """Largest turn of the object's first upright direction away from the vertical, degrees; 0 without rotations."""
    if track.rotations_xyzw is None:
        return 0.0
    rotations = np.asarray(track.rotations_xyzw, dtype=np.float64)
    rotations = rotations[_finite_rows(rotations)]
    if len(rotations) == 0:
        return 0.0
    first = rotations[0] if track.initial_rotation_xyzw is None else track.initial_rotation_xyzw
    turned = quat_rotate(quat_multiply(rotations, quat_inverse(first)), np.array([0.0, 0.0, 1.0]))
    # atan2 of the horizontal part keeps tiny angles that arccos rounds to zero or NaN.
    angle = np.arctan2(np.hypot(turned[:, 0], turned[:, 1]), turned[:, 2])
    return float(np.degrees(angle.max()))


def _finite_rows(rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    mask: npt.NDArray[np.bool_] = np.isfinite(rows).all(axis=1)
    return mask
