"""All that the metrics ask of an environment, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bodyloop.household.metrics.contacts import ContactRows

__all__ = ["MetricEnvironment", "Posture", "RayHit"]


@dataclass(frozen=True)
class RayHit:
    """One surface on a vertical ray."""

    height_m: float
    agent: bool = False
    """The hit is on the body itself."""


@dataclass(frozen=True)
class Posture:
    """The realized body at the end of the latest chunk."""

    pelvis_height_m: float
    """World height of the lowest point of the pelvis, which rests on a seat."""
    torso_tilt_deg: float
    """Angle between the line from pelvis to neck and the vertical."""


class MetricEnvironment(Protocol):
    """Queries on the live simulator; positions in the trajectory frame (Z up, metres)."""

    @property
    def skipped_goals(self) -> int:
        """Goals of the episode that the scene does not have."""
        ...

    def root_position_m(self) -> npt.NDArray[np.float64]:
        """(3,) pelvis position."""
        ...

    def cast_down(self, origin_m: npt.NDArray[np.float64], max_distance_m: float) -> Sequence[RayHit]:
        """Every surface below ``origin_m``; hits on the body may be left out."""
        ...

    def body_lowest_heights_m(self) -> Sequence[float | None]:
        """Lowest height of each link's bounding box; ``None`` where it cannot be read."""
        ...

    def reset_contacts(self) -> ContactRows:
        """Contacts of the reset state, one query, one frame."""
        ...

    def target_ids(self) -> Collection[int]:
        """Object ids of the target instances."""
        ...

    def object_names(self) -> Mapping[int, str]:
        """Names of the movable objects by id."""
        ...

    def is_interact_episode(self) -> bool:
        """The target must be sat on."""
        ...

    def is_pelvis_target_contact(self, contacts: ContactRows) -> npt.NDArray[np.bool_]:
        """(n,) rows in which the pelvis touches a target instance."""
        ...

    def metric_target_geometry(self) -> Mapping[str, Any]:
        """``body_target_aabb_distance_m``, ``body_point_count`` and ``target_aabb_count`` of the live state."""
        ...

    def nav_surface_distance_m(self) -> float | None:
        """Distance between the body's skin and the nearest target's surface (0 in contact), or ``None``."""
        ...

    def seat_heights_m(self, object_id: int) -> Sequence[float]:
        """World heights of the seat surfaces of one object; empty if it has none."""
        ...

    def posture(self) -> Posture:
        """The realized body now."""
        ...
