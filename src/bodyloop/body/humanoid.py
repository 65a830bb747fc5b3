"""Adds the humanoid to a MuJoCo model: 22 bodies, a free pelvis, 21 ball joints, hidden contact shapes, visible skin."""

from __future__ import annotations

import hashlib
import json
from typing import Final

import mujoco
import numpy as np

from bodyloop.body.appearance import MATERIALS, Skin, body_skins
from bodyloop.body.collision import CollisionShape, collision_shapes
from bodyloop.body.skeleton import (
    EYE_OFFSETS_M,
    JOINT_NAMES,
    LINK_MASSES_KG,
    PARENTS,
    REST_OFFSETS_M,
    SOLE_DEPTH_M,
    rest_positions,
)

__all__ = ["COLLISION_GROUP", "ROOT_JOINT", "SKIN_GROUP", "STANDING_PELVIS_HEIGHT_M", "add_humanoid", "body_sha256"]

ROOT_JOINT: Final = "root"
SKIN_GROUP: Final = 2
"""Geom group of the visible skin; it touches nothing."""
COLLISION_GROUP: Final = 3
"""Geom group of the shapes that touch the world; cameras do not draw it."""
STANDING_PELVIS_HEIGHT_M: Final = float(SOLE_DEPTH_M - rest_positions()[JOINT_NAMES.index("left_ankle")][1])
"""Pelvis joint above the floor in the rest pose with the soles on the floor."""

_CONTYPE, _CONAFFINITY = 2, 5
_UPRIGHT_WXYZ: Final = (float(np.sqrt(0.5)), float(np.sqrt(0.5)), 0.0, 0.0)
"""The body frame is Y up: a quarter turn about X makes it stand in a Z-up world, looking along -Y."""
_EYE_SITE_RADIUS_M: Final = 0.004


def add_humanoid(
    spec: mujoco.MjSpec,
    *,
    friction: float = 0.4,
    pelvis_friction: float = 0.4,
    armature: float = 10.0,
    margin_m: float = 0.01,
) -> None:
    """Hang the body on the world body of ``spec``, standing at the origin in the rest pose.

    Names: joint ``root``, bodies and ball joints ``JOINT_NAMES``, geoms ``human/<link>/<n>``, sites ``human/left_eye`` and
    ``human/right_eye``. ``friction`` (``pelvis_friction`` for the pelvis) applies against every surface, whatever the
    surface's own value. ``armature`` (kg m2 per ball joint) makes contact reactions move the root instead of folding limbs.
    """
    for name, (rgb, specular) in MATERIALS.items():
        spec.add_material(name=f"human/{name}", rgba=(*rgb, 1.0), specular=specular, shininess=0.3)
    bodies = _add_links(spec, armature)
    shapes = collision_shapes()
    volumes = [_volume(shape) for shape in shapes]
    counts = dict.fromkeys(JOINT_NAMES, 0)
    for shape, volume in zip(shapes, volumes, strict=True):
        whole = sum(v for s, v in zip(shapes, volumes, strict=True) if s.link == shape.link)
        geom = _add_shape(bodies[shape.link], shape, f"human/{shape.link}/{counts[shape.link]}")
        geom.mass = LINK_MASSES_KG[shape.link] * volume / whole
        slide = pelvis_friction if shape.link == "pelvis" else friction
        geom.friction = (slide, 0.005, 0.0001)
        geom.margin, geom.gap, geom.priority, geom.condim = margin_m, 0.0, 1, 3
        counts[shape.link] += 1
    for skin in body_skins():
        _add_skin(spec, bodies[skin.link], skin, f"human/{skin.link}/{counts[skin.link]}")
        counts[skin.link] += 1
    for eye, offset in EYE_OFFSETS_M.items():
        bodies["head"].add_site(name=f"human/{eye}", pos=offset, size=(_EYE_SITE_RADIUS_M,) * 3, group=COLLISION_GROUP)


def body_sha256() -> str:
    """Hash of everything that defines the body: skeleton, masses, contact shapes and skin, independent of the engine."""
    parts = {
        "joints": [list(JOINT_NAMES), list(PARENTS), np.round(REST_OFFSETS_M, 9).tolist()],
        "masses_kg": {name: round(mass, 9) for name, mass in LINK_MASSES_KG.items()},
        "eyes_m": EYE_OFFSETS_M,
        "shapes": [[s.link, s.kind, *(round(v, 9) for v in (*s.a, *s.b, s.radius))] for s in collision_shapes()],
        "materials": MATERIALS,
        "skins": [
            [s.link, s.material, np.round(s.mesh.vertices, 6).tolist(), s.mesh.faces.tolist()] for s in body_skins()
        ],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _add_links(spec: mujoco.MjSpec, armature: float) -> dict[str, mujoco.MjsBody]:
    pelvis = spec.worldbody.add_body(
        name="pelvis", pos=(0.0, 0.0, STANDING_PELVIS_HEIGHT_M), quat=_UPRIGHT_WXYZ, gravcomp=1.0
    )
    pelvis.add_joint(name=ROOT_JOINT, type=mujoco.mjtJoint.mjJNT_FREE)
    bodies = {"pelvis": pelvis}
    for index, name in enumerate(JOINT_NAMES[1:], start=1):
        parent = bodies[JOINT_NAMES[PARENTS[index]]]
        body = parent.add_body(name=name, pos=REST_OFFSETS_M[index], gravcomp=1.0)
        body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_BALL, armature=armature, damping=0.0)
        bodies[name] = body
    return bodies


def _add_shape(body: mujoco.MjsBody, shape: CollisionShape, name: str) -> mujoco.MjsGeom:
    common = {
        "name": name,
        "group": COLLISION_GROUP,
        "contype": _CONTYPE,
        "conaffinity": _CONAFFINITY,
        "rgba": (0.9, 0.4, 0.1, 0.4),
    }
    if shape.kind == "box":
        return body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, pos=shape.a, size=shape.b, **common)
    return body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=(*shape.a, *shape.b), size=(shape.radius, 0.0, 0.0), **common
    )


def _add_skin(spec: mujoco.MjSpec, body: mujoco.MjsBody, skin: Skin, name: str) -> None:
    mesh = spec.add_mesh(
        name=name, uservert=skin.mesh.vertices.ravel(), userface=skin.mesh.faces.ravel(), smoothnormal=True
    )
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=name,
        material=f"human/{skin.material}",
        group=SKIN_GROUP,
        contype=0,
        conaffinity=0,
        mass=0.0,
    )


def _volume(shape: CollisionShape) -> float:
    if shape.kind == "box":
        return 8.0 * float(np.prod(shape.b))
    length = float(np.linalg.norm(np.subtract(shape.b, shape.a)))
    return float(np.pi * shape.radius**2 * (length + 4.0 / 3.0 * shape.radius))
