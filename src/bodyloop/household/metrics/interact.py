"""Sitting down on the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.household.metrics.contacts import ContactRows
from bodyloop.household.metrics.environment import MetricEnvironment, Posture
from bodyloop.household.metrics.settings import MetricSettings

__all__ = ["InteractTracker", "sits_on_seat"]


@dataclass
class InteractTracker:
    """Sit state of one rollout."""

    settings: MetricSettings
    n_sit: int = 0
    last_contact: bool = False
    """Pelvis on the target at the last frame of the latest motion chunk."""
    last_seated: bool = False
    """The same, in a seated posture (:func:`sits_on_seat`)."""
    geo_interact_sr: bool = False
    posture: Posture | None = None
    height_above_seat_m: float | None = None
    """Of the contacted seat surface nearest in height, when the pelvis touches the target."""

    def record_motion(self, skill: str, contacts: ContactRows | None, environment: MetricEnvironment) -> None:
        """One executed motion chunk."""
        self.n_sit += skill == "sit"
        self.last_contact = self.last_seated = False
        self.height_above_seat_m = None
        if contacts is not None and contacts.frame.size:
            rows = contacts.last_frame & environment.is_pelvis_target_contact(contacts)
            self.last_contact = bool(rows.any())
            if self.last_contact:
                self._judge_posture(contacts, rows, environment)
        self.geo_interact_sr |= skill == "sit" and self.last_contact

    def _judge_posture(
        self, contacts: ContactRows, rows: npt.NDArray[np.bool_], environment: MetricEnvironment
    ) -> None:
        self.posture = environment.posture()
        seats = [h for i in np.unique(contacts.object_id[rows]) for h in environment.seat_heights_m(int(i))]
        if seats:
            above = [self.posture.pelvis_height_m - height for height in seats]
            self.height_above_seat_m = min(above, key=abs)
        normal_up = float(contacts.normal_up[rows].max())
        self.last_seated = sits_on_seat(self.posture, self.height_above_seat_m, normal_up, self.settings)

    def success(self, *, interact_episode: bool, active_stop: bool) -> dict[str, Any]:
        """Published interaction fields."""
        return {
            "is_interact_episode": interact_episode,
            "interact_sr": interact_episode and active_stop and self.n_sit > 0 and self.last_contact,
            "geo_interact_sr": interact_episode and self.geo_interact_sr,
            "n_sit": self.n_sit,
        }

    def beyond_paper(self, *, interact_episode: bool, active_stop: bool) -> dict[str, Any]:
        """The posture-checked success and what it rests on; null outside interaction episodes."""
        seated = active_stop and self.n_sit > 0 and self.last_seated
        return {
            "interact_sr_posture": seated if interact_episode else None,
            "pelvis_height_above_seat_m": self.height_above_seat_m,
            "torso_tilt_deg": self.posture.torso_tilt_deg if self.posture is not None else None,
        }


def sits_on_seat(
    posture: Posture, height_above_seat_m: float | None, normal_up: float, settings: MetricSettings
) -> bool:
    """The pelvis rests on a seat surface from above, near its height, with an upright torso."""
    return (
        height_above_seat_m is not None
        and abs(height_above_seat_m) <= settings.seat_height_tolerance_m
        and posture.torso_tilt_deg < settings.torso_tilt_max_deg
        and normal_up > settings.seat_normal_min_up
    )
