"""Cameras that see a world: colour pictures and images of geom ids, from any pose."""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from bodyloop.errors import RenderingError
from bodyloop.sim.gl import GLSession, Quality, RenderContext, gl_session
from bodyloop.sim.world import World

__all__ = ["ALL_GROUPS", "EGO_GROUPS", "EXO_GROUPS", "CameraPose", "Renderer"]

EGO_GROUPS = (0, 1, 2, 4)
"""Scene, movable objects, skin, ceiling."""
EXO_GROUPS = (0, 1, 2)
"""As the ego view but without the ceiling."""
ALL_GROUPS = (0, 1, 2, 3, 4, 5)

NEAR_M = 0.02
FAR_M = 100.0
_SPARE_GEOMS = 64
Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class CameraPose:
    """A pinhole camera. ``forward`` and ``up`` may have any length; ``up`` is made perpendicular to ``forward``."""

    position_m: Vec3
    forward: Vec3
    up: Vec3
    fovy_deg: float
    """Vertical field of view, whole angle."""

    def __post_init__(self) -> None:
        values = np.array([*self.position_m, *self.forward, *self.up, self.fovy_deg], dtype=np.float64)
        if values.shape != (10,) or not np.isfinite(values).all():
            raise RenderingError("a camera pose must hold three vectors of three finite numbers and an angle")
        if not 0.0 < self.fovy_deg < 180.0:
            raise RenderingError(f"vertical field of view must be between 0 and 180 degrees, got {self.fovy_deg}")
        if np.linalg.norm(np.cross(self.forward, self.up)) < 1e-9:
            raise RenderingError("a camera's forward and up directions must not be parallel or zero")

    @classmethod
    def looking_at(
        cls, position_m: ArrayLike, target_m: ArrayLike, fovy_deg: float, up: Vec3 = (0, 0, 1)
    ) -> CameraPose:
        """A camera at one point that has another in the middle of its picture."""
        position = np.asarray(position_m, dtype=np.float64)
        forward = np.asarray(target_m, dtype=np.float64) - position
        return cls(_vec3(position), _vec3(forward), up, fovy_deg)

    def axes(self) -> np.ndarray:
        """(3, 3) float64 with unit rows right, up, forward in world coordinates."""
        forward = np.asarray(self.forward, dtype=np.float64)
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, np.asarray(self.up, dtype=np.float64))
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(right, forward), forward])

    def project(self, points_m: ArrayLike, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        """Where world points appear.

        Args:
            points_m: (n, 3).
            width: Picture width in pixels.
            height: Picture height in pixels.

        Returns:
            (n, 2) column and row, where (0, 0) is the outer corner of the top left pixel and pixel (i, j) covers
            [i, i + 1) x [j, j + 1); and (n,) depth along ``forward`` in metres. Values mean nothing for depth <= 0.
        """
        offset = np.asarray(points_m, dtype=np.float64).reshape(-1, 3) - np.asarray(self.position_m)
        right, up, depth = self.axes() @ offset.T
        focal = 0.5 * height / math.tan(math.radians(self.fovy_deg) / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            pixels = np.stack([0.5 * width + focal * right / depth, 0.5 * height - focal * up / depth], axis=1)
        return pixels, depth


def _vec3(value: np.ndarray) -> Vec3:
    return (float(value[0]), float(value[1]), float(value[2]))


class Renderer:
    """Draws one world at one size. Rendering reads the world and never changes it.

    ``fast`` draws without shadows, reflections and multisampling, ``fine`` with all of them. Several renderers of
    one world share textures and meshes. Positions of geoms are those of the last `World.forward` or step.
    """

    def __init__(self, world: World, width: int, height: int, quality: Quality = "fast") -> None:
        if quality not in ("fast", "fine"):
            raise RenderingError(f"rendering quality {quality!r} is not known; use 'fast' or 'fine'")
        if width < 1 or height < 1:
            raise RenderingError(f"picture size {width} x {height} is not positive")
        self._world = world
        self._width, self._height = width, height
        self._session = gl_session()
        self._shared = self._session.acquire(world.model, quality, width, height)
        self._scene = mujoco.MjvScene(world.model, world.model.ngeom + _SPARE_GEOMS)
        self._option = mujoco.MjvOption()
        self._option.sitegroup[:] = 0
        self._camera = mujoco.MjvCamera()
        # A user camera leaves the poses written to the scene alone; headlight and horizon then follow them too.
        self._camera.type = int(mujoco.mjtCamera.mjCAMERA_USER)
        flags = self._scene.flags
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            flags[int(flag)] = quality == "fine"
        self._finalizer = weakref.finalize(self, _give_back, self._session, self._shared)

    def rgb(self, pose: CameraPose, groups: Sequence[int] = EGO_GROUPS) -> np.ndarray:
        """(height, width, 3) uint8 colour picture, top row first, of the geoms in these groups.

        Raises:
            RenderingError: called from another thread than the first rendering, or after `close`.
        """
        self._draw(pose, groups)
        return self._read()

    def segmentation(self, pose: CameraPose, groups: Sequence[int] = EGO_GROUPS) -> np.ndarray:
        """(height, width) int32 geom ids, -1 where nothing is; same projection as `rgb`. Transparent geoms count as solid.

        Raises:
            RenderingError: as `rgb`.
        """
        flags = self._scene.flags
        modes = [int(mujoco.mjtRndFlag.mjRND_SEGMENT), int(mujoco.mjtRndFlag.mjRND_IDCOLOR)]
        flags[modes] = 1
        try:
            self._draw(pose, groups)
            image = self._read().astype(np.int32)
        finally:
            flags[modes] = 0
        codes = image[..., 0] | image[..., 1] << 8 | image[..., 2] << 16
        return np.asarray(self._geom_of_segment()[codes])

    def close(self) -> None:
        """Free the memory; the process keeps its GL context."""
        self._finalizer()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _draw(self, pose: CameraPose, groups: Sequence[int]) -> None:
        if not self._finalizer.alive:
            raise RenderingError("this renderer is closed")
        self._session.use()
        self._shared.select(self._width, self._height)
        self._aim(pose)
        self._option.geomgroup[:] = 0
        self._option.geomgroup[list(groups)] = 1
        model, data = self._world.model, self._world.data
        everything = int(mujoco.mjtCatBit.mjCAT_ALL)
        mujoco.mjv_updateScene(model, data, self._option, None, self._camera, everything, self._scene)
        mujoco.mjr_render(self._viewport(), self._scene, self._shared.context)

    def _viewport(self) -> mujoco.MjrRect:
        return mujoco.MjrRect(0, 0, self._width, self._height)

    def _aim(self, pose: CameraPose) -> None:
        _, up, forward = pose.axes()
        top = NEAR_M * math.tan(math.radians(pose.fovy_deg) / 2)
        for camera in self._scene.camera:  # left and right eye; MuJoCo draws their average
            camera.pos[:], camera.forward[:], camera.up[:] = pose.position_m, forward, up
            camera.orthographic = 0
            camera.frustum_center, camera.frustum_width = 0.0, top * self._width / self._height
            camera.frustum_bottom, camera.frustum_top = -top, top
            camera.frustum_near, camera.frustum_far = NEAR_M, FAR_M

    def _read(self) -> np.ndarray:
        image = np.empty((self._height, self._width, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(image, None, self._viewport(), self._shared.context)
        return np.ascontiguousarray(image[::-1])

    def _geom_of_segment(self) -> np.ndarray:
        """Table from segment colour (0 background) to geom id."""
        table = np.full(self._scene.maxgeom + 1, -1, dtype=np.int32)
        kind = int(mujoco.mjtObj.mjOBJ_GEOM)
        for geom in self._scene.geoms[: self._scene.ngeom]:
            if geom.segid >= 0 and geom.objtype == kind:
                table[geom.segid + 1] = geom.objid
        return table


def _give_back(session: GLSession, shared: RenderContext) -> None:
    session.release(shared)
