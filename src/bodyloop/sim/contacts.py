"""The engine's contact list as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from bodyloop.sim.world import World

__all__ = ["Contacts", "contact_arrays"]


@dataclass(frozen=True)
class Contacts:
    """Contact points; row i of every array is the same point. Arrays are copies."""

    geom1: np.ndarray
    """(n,) int32."""
    geom2: np.ndarray
    """(n,) int32."""
    distance_m: np.ndarray
    """(n,) float64: negative inside; up to the collision margin outside."""
    position_m: np.ndarray
    """(n, 3) float64: midway between the two surfaces, world."""
    normal: np.ndarray
    """(n, 3) float64: unit vector from geom1 to geom2, world."""
    normal_force_n: np.ndarray | None = None
    """(n,) float64: pressing force of the last solve, never negative; None when not asked for."""

    def __len__(self) -> int:
        return len(self.geom1)

    @property
    def depth_m(self) -> np.ndarray:
        """(n,) penetration depth, 0 where the surfaces are apart."""
        return np.asarray(np.maximum(0.0, -self.distance_m))

    @property
    def position_on_geom1_m(self) -> np.ndarray:
        """(n, 3) point on the surface of geom1, world."""
        return np.asarray(self.position_m - 0.5 * self.distance_m[:, None] * self.normal)

    @property
    def position_on_geom2_m(self) -> np.ndarray:
        """(n, 3) point on the surface of geom2, world."""
        return np.asarray(self.position_m + 0.5 * self.distance_m[:, None] * self.normal)


def contact_arrays(world: World, *, forces: bool = False) -> Contacts:
    """Contacts of the world's last collision pass.

    After a step the list lags the positions by one step; call `World.forward` first where that matters.
    Forces need a solved step (`World.step` or `World.forward`).
    """
    data = world.data
    contact = data.contact
    geoms = np.array(contact.geom, dtype=np.int32).reshape(-1, 2)
    return Contacts(
        geoms[:, 0].copy(),
        geoms[:, 1].copy(),
        np.array(contact.dist, dtype=np.float64),
        np.array(contact.pos, dtype=np.float64).reshape(-1, 3),
        np.array(contact.frame, dtype=np.float64).reshape(-1, 9)[:, :3].copy(),
        _normal_forces(world) if forces else None,
    )


def _normal_forces(world: World) -> np.ndarray:
    forces, wrench = np.zeros(world.data.ncon), np.zeros(6)
    for index in range(world.data.ncon):
        mujoco.mj_contactForce(world.model, world.data, index, wrench)
        forces[index] = wrench[0]
    return forces
