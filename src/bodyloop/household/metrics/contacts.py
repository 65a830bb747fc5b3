"""Contacts of the body and between movable objects as flat arrays, shared by all metrics.

One :class:`ContactRows` holds the contacts of one chunk. Heights are along the world's vertical, so the arrays are
the same in every frame convention.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "PELVIS_LINK",
    "ContactRows",
    "MetricFrames",
    "OtherKind",
    "contact_rows",
    "pelvis_target_mask",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

PELVIS_LINK = 0
"""Index of the pelvis among the body's links."""


class OtherKind(IntEnum):
    """What the body touches; the first four are the kinds of simulator geometry."""

    STAGE = 0
    AGENT = 1
    STATIC_OBJECT = 2
    DYNAMIC_OBJECT = 3
    ARTICULATED_OBJECT = 4
    UNKNOWN = 5


def _empty(dtype: type) -> npt.NDArray[Any]:
    return np.empty(0, dtype=dtype)


@dataclass(frozen=True, eq=False)
class ContactRows:
    """Contacts of ``frames`` consecutive frames: n rows of the body, m pairs of movable objects."""

    frames: int
    frame: IntArray
    """(n,) frame inside the chunk."""
    link: IntArray
    """(n,) index of the touching body link."""
    kind: IntArray
    """(n,) :class:`OtherKind` of the other side."""
    object_id: IntArray
    """(n,) id of the other object, negative for the stage."""
    height_m: FloatArray
    """(n,) height of the contact point on the other side (else on the body); NaN if unknown."""
    distance_m: FloatArray
    """(n,) signed distance, negative for penetration."""
    normal_up: FloatArray
    """(n,) vertical part of the unit normal that points from the other side to the body."""
    normal_force_n: FloatArray
    """(n,) normal force of the last substep; NaN if unknown."""
    pair_frame: IntArray
    """(m,) frame inside the chunk."""
    pair_ids: IntArray
    """(m, 2) ids of two touching movable objects."""

    @classmethod
    def empty(cls, frames: int = 0) -> ContactRows:
        """``frames`` frames without any contact."""
        ints, floats = _empty(np.int64), _empty(np.float64)
        return cls(frames, ints, ints, ints, ints, floats, floats, floats, floats, ints, ints.reshape(0, 2))

    @classmethod
    def concatenate(cls, chunks: Sequence[ContactRows]) -> ContactRows:
        """Chunks one after another, frames renumbered."""
        if not chunks:
            return cls.empty()
        starts = np.cumsum([0, *(chunk.frames for chunk in chunks)])
        join = np.concatenate
        return cls(
            frames=int(starts[-1]),
            frame=join([chunk.frame + start for chunk, start in zip(chunks, starts, strict=False)]),
            link=join([chunk.link for chunk in chunks]),
            kind=join([chunk.kind for chunk in chunks]),
            object_id=join([chunk.object_id for chunk in chunks]),
            height_m=join([chunk.height_m for chunk in chunks]),
            distance_m=join([chunk.distance_m for chunk in chunks]),
            normal_up=join([chunk.normal_up for chunk in chunks]),
            normal_force_n=join([chunk.normal_force_n for chunk in chunks]),
            pair_frame=join([chunk.pair_frame + start for chunk, start in zip(chunks, starts, strict=False)]),
            pair_ids=join([chunk.pair_ids for chunk in chunks]),
        )

    @property
    def last_frame(self) -> npt.NDArray[np.bool_]:
        """(n,) rows of the last frame."""
        mask: npt.NDArray[np.bool_] = self.frame == self.frames - 1
        return mask


@dataclass(frozen=True, eq=False)
class MetricFrames:
    """What a motion step hands to the metrics (``info["metric_frames"]``)."""

    contacts: ContactRows
    local_floor_m: FloatArray | None = None
    """(frames,) height of the floor or tread under the pelvis; NaN where there is none."""


def contact_rows(
    *,
    geom1: npt.ArrayLike,
    geom2: npt.ArrayLike,
    distance_m: npt.ArrayLike,
    position_m: npt.ArrayLike,
    normal: npt.ArrayLike,
    geom_kind: npt.ArrayLike,
    geom_entity: npt.ArrayLike,
    geom_link: npt.ArrayLike,
    normal_force_n: npt.ArrayLike | None = None,
) -> ContactRows:
    """One frame of engine contacts (n rows, Z up) as :class:`ContactRows`.

    ``position_m`` (n, 3) is the midpoint and ``normal`` (n, 3) points from geom 1 to geom 2. The ``geom_*`` tables hold
    per geom its :class:`OtherKind` (one of the first four), object id and link. Contacts of the body with itself are dropped.
    """
    first, second = np.asarray(geom1, dtype=np.int64), np.asarray(geom2, dtype=np.int64)
    if first.size == 0:
        return ContactRows.empty(1)
    kinds, entities = np.asarray(geom_kind), np.asarray(geom_entity)
    kind1, kind2 = kinds[first], kinds[second]
    body1, body2 = kind1 == OtherKind.AGENT, kind2 == OtherKind.AGENT
    rows = np.flatnonzero(body1 != body2)
    body_first = body1[rows]
    one, two = first[rows], second[rows]
    other, body = np.where(body_first, two, one), np.where(body_first, one, two)
    # +1 where the normal already points from the other side to the body.
    sign = np.where(body_first, -1.0, 1.0)
    up = np.asarray(normal, dtype=np.float64)[rows, 2] * sign
    gap = np.asarray(distance_m, dtype=np.float64)[rows]
    height = np.asarray(position_m, dtype=np.float64)[rows, 2] - 0.5 * gap * up
    force = np.full(len(rows), np.nan) if normal_force_n is None else np.asarray(normal_force_n, dtype=np.float64)[rows]
    pairs = np.flatnonzero((kind1 == OtherKind.DYNAMIC_OBJECT) & (kind2 == OtherKind.DYNAMIC_OBJECT))
    return ContactRows(
        frames=1,
        frame=np.zeros(len(rows), dtype=np.int64),
        link=np.asarray(geom_link)[body].astype(np.int64),
        kind=kinds[other].astype(np.int64),
        object_id=entities[other].astype(np.int64),
        height_m=height,
        distance_m=gap,
        normal_up=up,
        normal_force_n=force,
        pair_frame=np.zeros(len(pairs), dtype=np.int64),
        pair_ids=np.stack([entities[first[pairs]], entities[second[pairs]]], axis=1).astype(np.int64),
    )


def pelvis_target_mask(contacts: ContactRows, target_ids: Collection[int]) -> npt.NDArray[np.bool_]:
    """(n,) rows in which the pelvis touches one of the target instances."""
    mask: npt.NDArray[np.bool_] = (contacts.link == PELVIS_LINK) & np.isin(contacts.object_id, list(target_ids))
    return mask
