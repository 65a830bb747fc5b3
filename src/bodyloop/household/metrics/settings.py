"""Thresholds of the metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["INTERACT_CATEGORIES", "MetricSettings"]

INTERACT_CATEGORIES = frozenset({"bed", "couch", "toilet"})
"""Targets that must be sat on."""


@dataclass(frozen=True)
class MetricSettings:
    """Defaults are the published values; the second group belongs to the metrics beside them."""

    find_pixel_threshold: int = 100
    nav_distance_m: float = 0.2
    nav_relaxed_distance_m: float = 1.0
    collision_contact_source: str = "post_physics_30hz"
    fixed_contact_min_height_m: float = 0.0205
    initial_penetration_threshold_m: float = 0.01
    floor_ray_start_m: float = 50.0
    """Height above the root at which the floor ray starts."""
    floor_ray_max_distance_m: float = 100.0
    floor_select_epsilon_m: float = 0.05
    jerk_smooth_window: int = 3
    jerk_stride: int = 8
    fps: float = 30.0

    seat_height_tolerance_m: float = 0.15
    torso_tilt_max_deg: float = 45.0
    seat_normal_min_up: float = 0.5
    displacement_noise_m: float = 2e-4
    """Object steps shorter than this per frame are solver jitter, not disturbance."""
    substep_s: float = 1.0 / 120.0
    """Time over which a sampled contact force acts."""

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> MetricSettings:
        """Settings from a profile section; keys that this class does not know are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{key: value for key, value in values.items() if key in known})
