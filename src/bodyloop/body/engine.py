"""What the half-physics controller needs from a physics engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bodyloop.body.rotations import FloatArray

__all__ = ["HalfPhysicsEngine"]


class HalfPhysicsEngine(Protocol):
    """One articulated body with a free root and J ball joints in an engine's world.

    Positions and velocities of the root are in the engine's world axes, joint rotations are child in parent (xyzw), joint
    velocities in the joint's own (child) frame. ``step`` must leave velocities unchanged in free motion: only contacts,
    motors and the controller's writes change them.
    """

    @property
    def world_map(self) -> FloatArray:
        """(3, 3) rotation from the trajectory frame to the engine's world."""

    @property
    def up_axis(self) -> int:
        """Index of the engine world's vertical axis."""

    @property
    def joint_names(self) -> Sequence[str]:
        """The J ball joints, in the order of every joint array."""

    @property
    def motors(self) -> npt.NDArray[np.bool_]:
        """(J,) which joints have a position motor."""

    def root_pose(self) -> tuple[FloatArray, FloatArray]:
        """Position (3,) and rotation matrix (3, 3) of the root body."""

    def joint_rotations(self) -> FloatArray:
        """(J, 4) joint quaternions xyzw."""

    def root_linear_velocity(self) -> FloatArray:
        """(3,) a fresh array, m/s."""

    def set_root_linear_velocity(self, velocity: FloatArray) -> None:
        """Write (3,) m/s."""

    def set_root_angular_velocity(self, velocity: FloatArray) -> None:
        """Write (3,) rad/s."""

    def set_joint_velocities(self, velocities: FloatArray) -> None:
        """Write (J, 3) rad/s."""

    def begin_frame(self) -> None:
        """Let the body move: dynamic, free of the engine's own gravity; wake sleeping objects."""

    def objects_without_gravity(self) -> Sequence[tuple[str, float]]:
        """Name and mass (kg) of the movable objects that the engine's own gravity does not pull."""

    def apply_object_force(self, name: str, force: FloatArray) -> None:
        """Push a movable object at its centre with (3,) newtons during the next step."""

    def create_motor(self, joint: int) -> None:
        """Add a position motor with gain 0."""

    def remove_motor(self, joint: int) -> None:
        """Remove a joint's position motor."""

    def set_motors(self, gains: FloatArray, targets: FloatArray) -> None:
        """Gains (J,) and target quaternions (J, 4) of the motors for the next step; joints without motor are ignored."""

    def step(self, timestep_s: float) -> None:
        """Advance the whole world."""
