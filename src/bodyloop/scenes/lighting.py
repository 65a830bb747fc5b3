"""The three lighting modes on MuJoCo's lights.

``ambient``: five directional lights of fixed strength; even light without falloff. ``room-lamps``: four point lights around
the place where the body starts. ``original``: the home's own lamps, the nearest ones lit. In ``fine`` quality a spot below the
ceiling near the body casts shadows. The renderer's fixed pipeline knows eight lights including the camera's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import mujoco
import numpy as np
import numpy.typing as npt

from bodyloop.errors import UnknownNameError
from bodyloop.scenes.description import Room, SceneDescription, Vec3

__all__ = ["LIGHTING_MODES", "LightRig", "Lighting", "Quality", "add_lights"]

Lighting = Literal["ambient", "room-lamps", "original"]
Quality = Literal["fast", "fine"]
LIGHTING_MODES: tuple[str, ...] = get_args(Lighting)

_MAX_LIT = 6
_LAMP_RGB: Vec3 = (1.0, 0.96, 0.86)
_LAMP_OFFSETS_M = ((2.0, 2.0), (2.0, -2.0), (-2.0, 2.0), (-2.0, -2.0))
_LAMP_HEIGHT_M = 2.8
_BELOW_CEILING_M = 0.2
# direction and strength of the five lights at an ambient strength of 1.2; the one from above is weaker than published, because
# the fixed pipeline clips where a renderer with tone mapping does not
_AMBIENT_RIG: tuple[tuple[Vec3, float], ...] = (
    ((0.0, 0.0, -1.0), 0.55),
    ((0.0, -1.0, -0.45), 0.69),
    ((0.0, 1.0, -0.45), 0.46),
    ((1.0, 0.0, -0.35), 0.37),
    ((-1.0, 0.0, -0.35), 0.37),
)
_EXPOSURE = 0.33
_KEY = "light/key"


@dataclass(frozen=True)
class LightRig:
    """Knows which lights follow the body; place it once after every reset (or before a picture)."""

    mode: Lighting
    rooms: tuple[Room, ...]
    ceiling_height_m: float
    lamps: tuple[str, ...]
    """Lights placed around the body, or the home's own, by name."""
    key: str | None
    """The shadow-casting light, if any."""

    def place(self, model: mujoco.MjModel, data: mujoco.MjData, root_position_m: npt.ArrayLike) -> None:
        """Move or choose the lights for a body at ``root_position_m`` (3,), world frame; physics is not touched."""
        root = np.asarray(root_position_m, dtype=float)
        ceiling = self._ceiling(root) - _BELOW_CEILING_M
        if self.mode == "room-lamps":
            for name, (x, y) in zip(self.lamps, _LAMP_OFFSETS_M, strict=True):
                model.light(name).pos[:] = (root[0] + x, root[1] + y, min(root[2] + _LAMP_HEIGHT_M, ceiling))
        elif self.mode == "original":
            limit = _MAX_LIT - (self.key is not None)
            distance = [float(np.linalg.norm(model.light(name).pos[:2] - root[:2])) for name in self.lamps]
            near = set(np.argsort(distance, kind="stable")[:limit].tolist())
            for index, name in enumerate(self.lamps):
                # the named view of this field is a copy
                model.light_active[model.light(name).id] = index in near
        if self.key is not None:
            model.light(self.key).pos[:] = (*self._key_place(root), ceiling)
        mujoco.mj_camlight(model, data)

    def _room(self, root: npt.NDArray[np.float64]) -> Room | None:
        for room in self.rooms:
            if all(room.lower_m[i] <= root[i] <= room.upper_m[i] for i in range(2)):
                return room
        return None

    def _ceiling(self, root: npt.NDArray[np.float64]) -> float:
        room = self._room(root)
        return self.ceiling_height_m if room is None else room.floor_height_m + self.ceiling_height_m

    def _key_place(self, root: npt.NDArray[np.float64]) -> tuple[float, float]:
        room = self._room(root)
        if room is None:
            return float(root[0]), float(root[1])
        # off the middle, so that shadows have a direction
        x, y = (room.lower_m[i] + (room.upper_m[i] - room.lower_m[i]) * share for i, share in ((0, 0.42), (1, 0.62)))
        return x, y


def add_lights(
    spec: mujoco.MjSpec, scene: SceneDescription, *, mode: Lighting, ambient_strength: float, quality: Quality
) -> LightRig:
    """Add the lights of a mode to ``spec`` and set its headlight.

    Raises:
        UnknownNameError: the mode is not one of ``LIGHTING_MODES``.
    """
    if mode not in LIGHTING_MODES:
        raise UnknownNameError("lighting mode", mode, LIGHTING_MODES)
    strength = ambient_strength / 1.2
    fine = quality == "fine"
    level = (0.46 if fine else 0.54) * strength if mode == "ambient" else 0.42
    spec.visual.headlight.ambient = [level, level, level * 1.01]
    spec.visual.headlight.diffuse = [0.12] * 3
    spec.visual.headlight.specular = [0.06] * 3
    lamps: tuple[str, ...] = ()
    if mode == "ambient":
        _directional(spec, strength * (0.55 if fine else 1.0))
    elif mode == "room-lamps":
        lamps = tuple(f"light/lamp{i}" for i in range(len(_LAMP_OFFSETS_M)))
        for name, (x, y) in zip(lamps, _LAMP_OFFSETS_M, strict=True):
            _point(spec, name, (x, y, scene.ceiling_height_m - _BELOW_CEILING_M), _LAMP_RGB, 0.32)
    else:
        lamps = tuple(f"light/home{i}" for i in range(len(scene.lights)))
        for name, light in zip(lamps, scene.lights, strict=True):
            _point(spec, name, light.position_m, light.rgb, 0.6, light.attenuation)
    if fine:
        _key_light(spec, scene.ceiling_height_m)
    return LightRig(mode, scene.rooms, scene.ceiling_height_m, lamps, _KEY if fine else None)


def _directional(spec: mujoco.MjSpec, strength: float) -> None:
    for index, (direction, share) in enumerate(_AMBIENT_RIG):
        value = _EXPOSURE * share * strength
        spec.worldbody.add_light(
            name=f"light/ambient{index}",
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
            pos=(0.0, 0.0, 2.0),
            dir=direction,
            diffuse=(value, value * 0.985, value * 0.95),
            specular=(0.10 * share,) * 3,
            castshadow=False,
        )


def _point(
    spec: mujoco.MjSpec, name: str, position: Vec3, rgb: Vec3, level: float, attenuation: Vec3 = (1.0, 0.0, 0.0)
) -> None:
    if attenuation == (1.0, 0.0, 0.0):
        attenuation = (0.7, 0.05, 0.05)
    spec.worldbody.add_light(
        name=name,
        # the classic renderer leaves out point lights; a spot open to all sides is one
        type=mujoco.mjtLightType.mjLIGHT_SPOT,
        cutoff=180.0,
        exponent=0.0,
        pos=position,
        dir=(0.0, 0.0, -1.0),
        diffuse=tuple(level * c for c in rgb),
        specular=(0.12,) * 3,
        attenuation=attenuation,
        castshadow=False,
    )


def _key_light(spec: mujoco.MjSpec, ceiling_height_m: float) -> None:
    spec.worldbody.add_light(
        name=_KEY,
        type=mujoco.mjtLightType.mjLIGHT_SPOT,
        pos=(0.0, 0.0, ceiling_height_m - _BELOW_CEILING_M),
        dir=(0.0, 0.0, -1.0),
        cutoff=80.0,
        exponent=1.0,
        diffuse=(0.50, 0.48, 0.43),
        specular=(0.2,) * 3,
        attenuation=(0.9, 0.03, 0.02),
        castshadow=True,
    )
