"""The read-only view that a privileged model gets of the running episode. Never given to any other model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bodyloop.household.types import FindNavInteractEpisode
from bodyloop.scenes.description import SceneDescription

__all__ = ["HouseholdView"]

FloatArray = npt.NDArray[np.float64]


class HouseholdView(Protocol):
    """Current simulator state. Trajectory frame (Z up), metres, radians; quaternions xyzw.

    Everything here is available with and without metrics, and asking changes nothing in the simulation.
    """

    @property
    def scene(self) -> SceneDescription:
        """The home as it was built."""
        ...

    @property
    def episode(self) -> FindNavInteractEpisode:
        """The running episode."""
        ...

    @property
    def goal_object_ids(self) -> Sequence[int]:
        """Instances that count as the target."""
        ...

    def link_positions(self) -> FloatArray:
        """(22, 3) origins of the body links."""
        ...

    def pelvis_position(self) -> FloatArray:
        """(3,) pelvis joint."""
        ...

    def yaw_rad(self) -> float:
        """Heading of the pelvis, counter-clockwise from -Y."""
        ...

    def floor_height(self) -> float:
        """Height of the floor under the pelvis."""
        ...

    def object_poses(self) -> Mapping[int, tuple[FloatArray, FloatArray]]:
        """Position (3,) and rotation xyzw (4,) of every movable object by id."""
        ...

    def object_box(self, object_id: int) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corner (3,) of an object's world box, as the metrics compute it."""
        ...

    def target_visible(self, object_id: int) -> bool:
        """Whether rays from the ego camera, within its field of view, reach the object's surface."""
        ...

    def pelvis_on_target(self) -> bool:
        """Whether the pelvis touches a target."""
        ...
