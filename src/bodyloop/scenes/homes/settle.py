"""Lets the movable objects of a home come to rest, so that nothing moves when an episode starts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.errors import SimulationError
from bodyloop.scenes.builder import TIMESTEP_S, build_spec
from bodyloop.scenes.description import ObjectInstance, SceneDescription
from bodyloop.sim.world import World

__all__ = ["DROP_LIMIT_M", "MOTION_LIMIT_M", "settle"]

FloatArray = npt.NDArray[np.float64]

DROP_LIMIT_M: Final = 0.05
"""An object that comes down farther than this was not placed on anything."""
MOTION_LIMIT_M: Final = 0.001
_MARGIN: Final = 0.7
"""Share of the limit that the settled home may use."""
_STILL_M_S: Final = 1e-4
_SETTLE_S: Final = 2.0
_MAX_SETTLE_S: Final = 6.0
_CHECK_S: Final = 1.0
_DAMPED_STEPS: Final = 12
_KEEP: Final = 0.6
"""Share of the velocities kept at each damping."""
_ROUNDS: Final = 4
_DIGITS: Final = 5


def settle(scene: SceneDescription) -> SceneDescription:
    """The same home with its movable objects at rest; poses are rounded to 0.01 mm.

    Raises:
        SimulationError: an object falls more than 5 cm, or something still moves more than 1 mm a second after the last try.
    """
    start = scene
    moving: dict[str, float] = {}
    for _ in range(_ROUNDS):
        world = World(build_spec(scene).spec)
        _come_to_rest(world)
        scene = _with_poses(scene, world)
        _check_drops(start, scene)
        moving = {name: way for name, way in _drift(scene).items() if way > MOTION_LIMIT_M * _MARGIN}
        if not moving:
            return scene
    text = ", ".join(f"{name} {1000 * way:.1f} mm" for name, way in sorted(moving.items()))
    raise SimulationError(f"{scene.scene_id}: objects do not come to rest: {text}")


def _come_to_rest(world: World) -> None:
    """Step with damped velocities until all is still."""
    while world.data.time < _MAX_SETTLE_S:
        world.step(_DAMPED_STEPS)
        if not world.data.qvel.size:
            return
        world.check_finite()
        if world.data.time >= _SETTLE_S and float(np.abs(world.data.qvel).max()) < _STILL_M_S:
            break
        world.data.qvel *= _KEEP
    world.forward()


def _movable(scene: SceneDescription) -> list[ObjectInstance]:
    return [instance for instance in scene.instances if instance.motion_type == "DYNAMIC"]


def _with_poses(scene: SceneDescription, world: World) -> SceneDescription:
    """The scene with the poses its movable objects have in ``world``."""
    instances = list(scene.instances)
    for item in _movable(scene):
        x, y, z, qw, qx, qy, qz = (round(float(v), _DIGITS) + 0.0 for v in world.data.joint(f"{item.name}/free").qpos)
        instances[item.object_id] = replace(item, position_m=(x, y, z), rotation_xyzw=(qx, qy, qz, qw))
    return replace(scene, instances=tuple(instances))


def _check_drops(start: SceneDescription, end: SceneDescription) -> None:
    pairs = zip(_movable(start), _movable(end), strict=True)
    drops = {a.name: a.position_m[2] - b.position_m[2] for a, b in pairs}
    fallen = sorted(name for name, drop in drops.items() if drop > DROP_LIMIT_M)
    if fallen:
        text = ", ".join(f"{name} ({drops[name]:.2f} m)" for name in fallen)
        raise SimulationError(f"{start.scene_id}: objects fell while they came to rest: {text}")


def _drift(scene: SceneDescription) -> dict[str, float]:
    """Farthest way (m) of any geom of every movable object during one second without damping, by name."""
    world = World(build_spec(scene).spec)
    model, data = world.model, world.data
    origin = data.geom_xpos.copy()
    farthest: FloatArray = np.zeros(model.ngeom)
    for _ in range(round(_CHECK_S / TIMESTEP_S / 6)):
        world.step(6)
        world.forward()
        farthest = np.maximum(farthest, np.linalg.norm(data.geom_xpos - origin, axis=1))
    found = {}
    for item in _movable(scene):
        body = model.body(item.name).id
        found[item.name] = float(farthest[model.geom_bodyid == body].max())
    return found
