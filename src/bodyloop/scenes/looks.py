"""What is seen of a scene: parts merged into one mesh per material, shades on floors, the sky."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from bodyloop.errors import DataError
from bodyloop.scenes.description import Material, Part
from bodyloop.scenes.shapes import Meshes, part_surface
from bodyloop.scenes.surfaces import FloatArray, Surface, merge
from bodyloop.scenes.textures import sky_faces, texture

__all__ = ["Wardrobe", "add_mesh", "merged_look", "stage_box"]

_CELL_M = 0.9


def _texture_slots(role: mujoco.mjtTextureRole, name: str) -> list[str]:
    slots = [""] * int(mujoco.mjtTextureRole.mjNTEXROLE)
    slots[int(role)] = name
    return slots


class Wardrobe:
    """Adds materials and textures to a spec, each once."""

    def __init__(self, spec: mujoco.MjSpec, materials: Mapping[str, Material]) -> None:
        self._spec = spec
        self._materials = materials
        self._textures: set[str] = set()
        self._done: set[str] = set()

    def is_transparent(self, key: str) -> bool:
        """Whether light passes through the material."""
        return self._get(key).alpha < 1.0

    def use(self, key: str) -> str:
        """Name of the MuJoCo material for a material key of the scene.

        Raises:
            DataError: the scene has no such material.
        """
        if key in self._done:
            return key
        material = self._get(key)
        self._done.add(key)
        skin = texture(material)
        tint = material.rgb if skin is None else skin.tint
        entry = self._spec.add_material(
            name=key,
            rgba=(*tint, material.alpha),
            specular=material.specular,
            shininess=material.shininess,
            emission=material.emission,
            texuniform=False,
        )
        if skin is not None:
            name = f"texture/{skin.key}"
            self.image(name, skin.pixels)
            entry.textures = _texture_slots(mujoco.mjtTextureRole.mjTEXROLE_RGB, name)
            entry.texrepeat = (1.0 / material.repeat_m, 1.0 / material.repeat_m)
        return key

    def shade(self, name: str, pixels: np.ndarray, strength: float) -> str:
        """A see-through dark material whose texture (n, n, 4) says where it darkens."""
        if name not in self._done:
            self._done.add(name)
            self.image(f"texture/{name}", pixels)
            entry = self._spec.add_material(name=name, rgba=(0.0, 0.0, 0.0, strength), specular=0.0, emission=0.0)
            entry.textures = _texture_slots(mujoco.mjtTextureRole.mjTEXROLE_RGB, f"texture/{name}")
        return name

    def image(self, name: str, pixels: np.ndarray) -> None:
        """Register a 2-D texture once."""
        if name in self._textures:
            return
        self._textures.add(name)
        entry = self._spec.add_texture(
            name=name,
            type=mujoco.mjtTexture.mjTEXTURE_2D,
            width=pixels.shape[1],
            height=pixels.shape[0],
            nchannel=pixels.shape[2],
        )
        entry.data = pixels.tobytes()

    def sky(self, seed: int = 0) -> None:
        """The view through the windows."""
        pixels = sky_faces(seed)
        entry = self._spec.add_texture(
            name="texture/sky",
            type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
            width=pixels.shape[1],
            height=pixels.shape[0],
            nchannel=3,
        )
        entry.data = pixels.tobytes()

    def _get(self, key: str) -> Material:
        try:
            return self._materials[key]
        except KeyError:
            raise DataError(f"material {key!r} is used but not listed in the scene's materials") from None


def add_mesh(spec: mujoco.MjSpec, name: str, surface: Surface) -> None:
    """Add a surface as a mesh asset that is only looked at."""
    mesh = spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL, smoothnormal=False)
    vertices, faces = _with_volume(surface)
    mesh.uservert = vertices.ravel()
    mesh.userface = faces.ravel()
    mesh.usernormal = surface.normals.ravel()
    mesh.userfacenormal = faces.ravel()
    # textures start at v = 0; MuJoCo counts v downward
    mesh.usertexcoord = surface.uv.ravel()
    mesh.userfacetexcoord = faces.ravel()


def _with_volume(surface: Surface) -> tuple[FloatArray, np.ndarray]:
    return surface.vertices, surface.faces


def merged_look(parts: Iterable[Part], meshes: Meshes) -> dict[str, Surface]:
    """One surface per material over the visible parts of an object, object frame."""
    pieces: dict[str, list[Surface]] = {}
    for part in parts:
        if not part.visible:
            continue
        surface = part_surface(part, meshes)
        matrix = Rotation.from_quat(part.rotation_xyzw).as_matrix()
        moved = surface.moved(matrix, np.array(part.position_m))
        if part.shape != "mesh":  # neighbouring boards do not show the same piece of the pattern
            slide = np.array([part.position_m[0] * 0.37 + part.position_m[2] * 0.73, part.position_m[1] * 0.61])
            moved = Surface(moved.vertices, moved.normals, moved.uv + slide, moved.faces)
        pieces.setdefault(part.material, []).append(moved)
    return {key: merge(surfaces) for key, surfaces in pieces.items()}


def stage_box(part: Part, *, turned: bool = False) -> Surface:
    """A wall or floor block in the world: its pattern runs on across neighbouring blocks, large faces are divided.

    ``turned`` lets u run along y on level faces. Only upright rotations of the block keep the pattern straight.
    """
    half = np.array(part.size_m)
    matrix = Rotation.from_quat(part.rotation_xyzw).as_matrix()
    pieces = []
    for axis in range(3):
        u_axis, v_axis = ((1, 2), (0, 2), (1, 0) if turned else (0, 1))[axis]
        for side in (-1.0, 1.0):
            steps = [np.linspace(-half[i], half[i], 1 + max(1, round(2 * half[i] / _CELL_M))) for i in (u_axis, v_axis)]
            u, v = np.meshgrid(*steps)
            points = np.zeros((*u.shape, 3))
            points[..., u_axis], points[..., v_axis], points[..., axis] = u, v, side * half[axis]
            points = points @ matrix.T + np.array(part.position_m)
            normal = side * matrix[:, axis]
            uv = _world_uv(points, normal, turned)
            pieces.append(_sheet(points, uv, normal))
    return merge(pieces)


def _world_uv(points: FloatArray, normal: FloatArray, turned: bool) -> FloatArray:
    main = int(np.abs(normal).argmax())
    if main == 2:
        return points[..., [1, 0]] if turned else points[..., [0, 1]]
    return points[..., [1, 2]] if main == 0 else points[..., [0, 2]]


def _sheet(points: FloatArray, uv: FloatArray, normal: FloatArray) -> Surface:
    rows, columns, _ = points.shape
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
    flat = points.reshape(-1, 3)
    first = np.cross(flat[faces[0, 1]] - flat[faces[0, 0]], flat[faces[0, 2]] - flat[faces[0, 0]])
    if float(first @ normal) < 0:
        faces = faces[:, ::-1]
    return Surface(flat, np.tile(normal, (len(flat), 1)), uv.reshape(-1, 2), faces)
