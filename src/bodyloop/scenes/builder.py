"""From a scene description to a MuJoCo model specification.

Every part that can be touched becomes a primitive geom that cameras do not draw; what is seen becomes one light mesh per
object design and material. Names: bodies as the instances, touched geoms ``<instance>/<part>`` and ``stage/<part>``, seen
ones ``<instance>/look/<n>`` and ``stage/look/<n>``, free joints ``<instance>/free``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np

from bodyloop.errors import DataError
from bodyloop.scenes.description import ObjectInstance, ObjectTemplate, Part, QuatXyzw, SceneDescription
from bodyloop.scenes.lighting import Lighting, LightRig, Quality, add_lights
from bodyloop.scenes.looks import Wardrobe, add_mesh, merged_look, stage_box
from bodyloop.scenes.shades import edge_shades, furniture_shades
from bodyloop.scenes.shapes import mesh_vertices, part_surface
from bodyloop.scenes.surfaces import Surface, merge
from bodyloop.scenes.textures import shadow_blob, shadow_edge

__all__ = [
    "CEILING_GROUP",
    "COLLISION_GROUP",
    "DYNAMIC_GROUP",
    "STATIC_GROUP",
    "TIMESTEP_S",
    "BuiltScene",
    "build_spec",
]

TIMESTEP_S: Final = 1.0 / 120.0
STATIC_GROUP: Final = 0
DYNAMIC_GROUP: Final = 1
COLLISION_GROUP: Final = 3
"""Geoms that are touched, not drawn."""
CEILING_GROUP: Final = 4
_STATIC_BITS: Final = (1, 6)
_DYNAMIC_BITS: Final = (4, 7)
_ROLLING_FRICTION: Final = (1.0, 0.02, 0.004)
_SHAPES: Final = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}
_ROLLS: Final = ("cylinder", "ellipsoid", "sphere")


@dataclass(frozen=True, eq=False)
class BuiltScene:
    """A home as a model specification, to which a body may still be added before it is compiled."""

    spec: mujoco.MjSpec
    objects: dict[str, tuple[int, bool]]
    """Object id and whether it can move, by body name."""
    lights: LightRig


def build_spec(
    scene: SceneDescription,
    *,
    lighting: Lighting = "ambient",
    ambient_strength: float = 1.2,
    quality: Quality = "fast",
) -> BuiltScene:
    """Build a scene.

    Raises:
        DataError: an instance, part or material names something that the scene does not hold.
        UnknownNameError: the lighting mode, a texture or a mesh generator is not known.
    """
    templates = [_template(scene, instance) for instance in scene.instances]
    spec = mujoco.MjSpec()
    spec.modelname = scene.scene_id
    _set_options(spec)
    wardrobe = Wardrobe(spec, scene.materials)
    wardrobe.sky()
    _add_stage(spec, scene, wardrobe)
    _add_shades(spec, scene, wardrobe)
    looks = {key: _add_looks(spec, scene, wardrobe, template) for key, template in scene.templates.items()}
    objects: dict[str, tuple[int, bool]] = {}
    for instance, template in zip(scene.instances, templates, strict=True):
        _add_instance(spec, scene, instance, template, looks[instance.template])
        objects[instance.name] = (instance.object_id, instance.motion_type == "DYNAMIC")
    rig = add_lights(spec, scene, mode=lighting, ambient_strength=ambient_strength, quality=quality)
    return BuiltScene(spec, objects, rig)


def _set_options(spec: mujoco.MjSpec) -> None:
    option = spec.option
    option.timestep = TIMESTEP_S
    option.gravity = (0.0, 0.0, -9.8)
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.impratio = 10.0
    spec.visual.map.znear = 0.005
    spec.visual.map.zfar = 30.0
    spec.visual.map.shadowclip = 1.0
    spec.visual.map.shadowscale = 0.9
    spec.visual.quality.numslices = 20
    spec.visual.quality.numstacks = 12
    spec.visual.quality.numquads = 2
    spec.memory = 64 << 20


def _template(scene: SceneDescription, instance: ObjectInstance) -> ObjectTemplate:
    try:
        return scene.templates[instance.template]
    except KeyError:
        raise DataError(
            f"object {instance.name!r} names the template {instance.template!r}, not in the scene"
        ) from None


def _wxyz(rotation: QuatXyzw) -> tuple[float, float, float, float]:
    x, y, z, w = rotation
    return (w, x, y, z)


def _add_stage(spec: mujoco.MjSpec, scene: SceneDescription, wardrobe: Wardrobe) -> None:
    seen: dict[tuple[str, int], list[Surface]] = {}
    for part in scene.stage:
        if part.collide:
            _add_touched(spec, spec.worldbody, scene, part, f"stage/{part.name}", dynamic=False)
        if part.visible:
            group = CEILING_GROUP if part.name.startswith("ceiling") else STATIC_GROUP
            seen.setdefault((part.material, group), []).append(_stage_surface(scene, part))
    for index, ((material, group), surfaces) in enumerate(seen.items()):
        name = f"stage/look/{index}"
        add_mesh(spec, name, merge(surfaces))
        _add_seen(spec.worldbody, name, name, wardrobe.use(material), group)


def _stage_surface(scene: SceneDescription, part: Part) -> Surface:
    if part.shape == "box":
        along_y = part.name.startswith("floor") and part.size_m[1] > part.size_m[0]
        return stage_box(part, turned=along_y)
    return next(iter(merged_look([part], scene.meshes).values()))


def _add_shades(spec: mujoco.MjSpec, scene: SceneDescription, wardrobe: Wardrobe) -> None:
    shades = (
        ("stage/shade/furniture", furniture_shades(scene), shadow_blob(), 0.38),
        ("stage/shade/edges", edge_shades(scene), shadow_edge(), 0.30),
    )
    for name, surface, pixels, strength in shades:
        if surface is not None:
            add_mesh(spec, name, surface)
            _add_seen(spec.worldbody, name, name, wardrobe.shade(name, pixels, strength), STATIC_GROUP)


def _add_looks(
    spec: mujoco.MjSpec, scene: SceneDescription, wardrobe: Wardrobe, template: ObjectTemplate
) -> list[tuple[str, str]]:
    """Mesh and material names of a design."""
    looks = []
    surfaces = merged_look(template.parts, scene.meshes)
    # glass is drawn after what stands behind it
    for index, material in enumerate(sorted(surfaces, key=lambda key: (wardrobe.is_transparent(key), key))):
        mesh = f"{template.name}/look/{index}"
        add_mesh(spec, mesh, surfaces[material])
        looks.append((mesh, wardrobe.use(material)))
    return looks


def _add_instance(
    spec: mujoco.MjSpec,
    scene: SceneDescription,
    instance: ObjectInstance,
    template: ObjectTemplate,
    looks: list[tuple[str, str]],
) -> None:
    dynamic = instance.motion_type == "DYNAMIC"
    body = spec.worldbody.add_body(name=instance.name, pos=instance.position_m, quat=_wxyz(instance.rotation_xyzw))
    if dynamic:
        body.add_freejoint(name=f"{instance.name}/free")
    touched = [part for part in template.parts if part.collide]
    if dynamic and not touched:
        raise DataError(f"object {instance.name!r} can move but none of the parts of {template.name!r} can be touched")
    volumes = np.array([_volume(scene, part) for part in touched])
    for part, volume in zip(touched, volumes, strict=True):
        geom = _add_touched(spec, body, scene, part, f"{instance.name}/{part.name}", dynamic=dynamic)
        geom.mass = float(template.mass_kg * volume / volumes.sum())
    # what hangs from a ceiling is hidden together with it
    fixed_group = CEILING_GROUP if template.name.startswith("ceiling_") else STATIC_GROUP
    for index, (mesh, material) in enumerate(looks):
        _add_seen(body, f"{instance.name}/look/{index}", mesh, material, DYNAMIC_GROUP if dynamic else fixed_group)


def _add_seen(body: mujoco.MjsBody, name: str, mesh: str, material: str, group: int) -> None:
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=mesh,
        material=material,
        group=group,
        contype=0,
        conaffinity=0,
        mass=0.0,
    )


def _add_touched(
    spec: mujoco.MjSpec, body: mujoco.MjsBody, scene: SceneDescription, part: Part, name: str, *, dynamic: bool
) -> mujoco.MjsGeom:
    contype, conaffinity = _DYNAMIC_BITS if dynamic else _STATIC_BITS
    geom = body.add_geom(
        name=name,
        type=_SHAPES[part.shape],
        pos=part.position_m,
        quat=_wxyz(part.rotation_xyzw),
        group=COLLISION_GROUP,
        contype=contype,
        conaffinity=conaffinity,
        rgba=(0.6, 0.6, 0.6, 1.0),
    )
    if part.shape == "mesh":
        geom.meshname = _collision_mesh(spec, scene, part)
    else:
        geom.size = (*part.size_m, *(0.0,) * (3 - len(part.size_m)))
    if dynamic and part.shape in _ROLLS:
        geom.condim, geom.friction = 6, _ROLLING_FRICTION
    return geom


def _collision_mesh(spec: mujoco.MjSpec, scene: SceneDescription, part: Part) -> str:
    """Convex hull of a mesh part as an asset of its own, made once."""
    name = "touch/" + "/".join([part.mesh or "", *(f"{value:g}" for value in part.size_m)])
    if spec.mesh(name) is None:
        mesh = spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
        mesh.uservert = mesh_vertices(part, scene.meshes).ravel()
        mesh.userface = part_surface(part, scene.meshes).faces.ravel()
    return name


def _volume(scene: SceneDescription, part: Part) -> float:
    size = part.size_m
    if part.shape == "box":
        return 8.0 * size[0] * size[1] * size[2]
    if part.shape == "cylinder":
        return float(2.0 * np.pi * size[0] ** 2 * size[1])
    if part.shape == "capsule":
        return float(2.0 * np.pi * size[0] ** 2 * size[1] + 4.0 / 3.0 * np.pi * size[0] ** 3)
    if part.shape in ("ellipsoid", "sphere"):
        radii = size if part.shape == "ellipsoid" else (size[0],) * 3
        return float(4.0 / 3.0 * np.pi * radii[0] * radii[1] * radii[2])
    vertices = mesh_vertices(part, scene.meshes)
    return float(np.prod(vertices.max(axis=0) - vertices.min(axis=0)))
