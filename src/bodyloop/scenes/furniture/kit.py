"""The workbench: collects the parts, materials and seats of one piece of furniture."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from bodyloop.scenes.description import NO_ROTATION, Material, ObjectTemplate, Part, QuatXyzw, SeatSurface, Shape, Vec3
from bodyloop.scenes.furniture.palette import Palette
from bodyloop.scenes.shapes import part_bounds

__all__ = ["Furniture", "Kit", "material_key", "turn"]

_DIGITS = 4


@dataclass(frozen=True)
class Furniture:
    """A finished design, ready to be placed any number of times."""

    template: ObjectTemplate
    materials: dict[str, Material]
    """The materials its parts name; keys depend on the content alone, so that designs share them."""
    footprint_m: tuple[float, float]
    """Width (x) and depth (y) of the box around all parts; it is centred on the origin."""
    height_m: float
    """Top of the highest part above the origin."""


def material_key(material: Material) -> str:
    """Name of a material: its texture and a hash of its values."""
    text = json.dumps(asdict(material), sort_keys=True)
    return f"{material.texture}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def turn(axis: str, angle_rad: float) -> QuatXyzw:
    """Rotation about ``x``, ``y`` or ``z`` as an xyzw quaternion."""
    x, y, z, w = Rotation.from_euler(axis, angle_rad).as_quat()
    return (float(x), float(y), float(z), float(w))


def _rounded(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(value), _DIGITS) + 0.0 for value in values)


@dataclass
class Kit:
    """Collects parts. Sizes are full extents, ``at`` is the middle of a part's underside, metres, object frame."""

    kind: str
    palette: Palette
    rng: np.random.Generator
    size: tuple[float, float] | None = None
    parts: list[Part] = field(default_factory=list)
    materials: dict[str, Material] = field(default_factory=dict)
    seats: list[SeatSurface] = field(default_factory=list)
    support_height_m: float | None = None

    def uniform(self, low: float, high: float) -> float:
        """A dimension between the limits, on a whole centimetre where the range allows."""
        value = float(self.rng.uniform(low, high))
        return round(value, 2) if high - low >= 0.03 else round(value, 3)

    def pick(self, options: Sequence[Vec3]) -> Vec3:
        """One of the colours."""
        return options[int(self.rng.integers(len(options)))]

    def colour(self) -> Vec3:
        """One of the palette's strong colours."""
        return self.pick((self.palette.accent, self.palette.second_accent, self.palette.fabric, self.palette.pot))

    def mat(
        self,
        texture: str,
        rgb: Vec3,
        repeat_m: float = 1.0,
        *,
        seed: int = 0,
        specular: float = 0.15,
        shininess: float = 0.3,
        emission: float = 0.0,
        alpha: float = 1.0,
    ) -> str:
        """Register a material and return its key."""
        red, green, blue = (round(float(c), 3) for c in rgb)
        material = Material(texture, (red, green, blue), repeat_m, seed, specular, shininess, emission, alpha)
        key = material_key(material)
        self.materials[key] = material
        return key

    def wood(self, rgb: Vec3 | None = None, repeat_m: float = 0.9) -> str:
        """Veneer in the palette's wood (or ``rgb``)."""
        return self.mat("wood", rgb or self.palette.wood, repeat_m, seed=int(self.rng.integers(3)), specular=0.18)

    def metal(self, rgb: Vec3 | None = None) -> str:
        """Smooth metal."""
        return self.mat("flat", rgb or self.palette.metal, specular=0.75, shininess=0.7)

    def lacquer(self, rgb: Vec3 | None = None) -> str:
        """Smooth paint."""
        return self.mat("flat", rgb or self.palette.lacquer, specular=0.25, shininess=0.5)

    def ceramic(self, rgb: Vec3 = (0.95, 0.95, 0.94)) -> str:
        """Glazed sanitary ware and crockery."""
        return self.mat("flat", rgb, specular=0.55, shininess=0.8)

    def cloth(self, rgb: Vec3, texture: str = "fabric", repeat_m: float = 0.35) -> str:
        """Woven or brushed cover."""
        return self.mat(texture, rgb, repeat_m, specular=0.04, shininess=0.1)

    def leg(self, name: str, at: Vec3, height: float, top: float, bottom: float, material: str) -> None:
        """A turned leg standing on ``at``, tapering from radius ``top`` to ``bottom``; bodies touch a capsule in it."""
        profile = [(0.001, 0.0), (bottom, 0.0), (top, 0.93 * height), (top, height)]
        self.lathe(name, profile, at, material)
        center = (at[0], at[1], at[2] + height / 2)
        sizes = (top, height / 2 - top)
        self.add(f"{name}_core", "capsule", sizes, center, material, visible=False)

    def legs(
        self, spread: tuple[float, float], height: float, top: float, bottom: float, material: str, y: float = 0.0
    ) -> None:
        """Four legs at (+-spread x, y +- spread y)."""
        for index, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            self.leg(f"leg{index}", (sx * spread[0], y + sy * spread[1], 0.0), height, top, bottom, material)

    def core(self, size: Vec3, at: Vec3, name: str = "core") -> None:
        """A hidden box that stands for a solid piece when bodies touch it."""
        self.box(name, size, at, self.parts[0].material if self.parts else self.lacquer(), visible=False)

    def add(
        self,
        name: str,
        shape: Shape,
        size: Sequence[float],
        center: Sequence[float],
        material: str,
        *,
        rotation: QuatXyzw = NO_ROTATION,
        collide: bool = True,
        visible: bool = True,
        mesh: str | None = None,
    ) -> None:
        """Add a part by its own sizes and centre."""
        x, y, z = _rounded(center)
        qx, qy, qz, qw = _rounded(rotation) if rotation is not NO_ROTATION else rotation
        taken = sum(1 for part in self.parts if part.name == name or part.name.startswith(f"{name}."))
        label = name if not taken else f"{name}.{taken}"
        self.parts.append(
            Part(label, shape, _rounded(size), (x, y, z), material, (qx, qy, qz, qw), collide, visible, mesh)
        )

    def box(
        self,
        name: str,
        size: Vec3,
        at: Vec3,
        material: str,
        *,
        collide: bool = True,
        visible: bool = True,
        rotation: QuatXyzw = NO_ROTATION,
    ) -> None:
        """A box of full extents ``size`` standing on ``at``."""
        half = (size[0] / 2, size[1] / 2, size[2] / 2)
        center = (at[0], at[1], at[2] + half[2])
        self.add(name, "box", half, center, material, collide=collide, visible=visible, rotation=rotation)

    def soft(
        self,
        name: str,
        size: Vec3,
        at: Vec3,
        material: str,
        radius: float,
        *,
        collide: bool = True,
        rotation: QuatXyzw = NO_ROTATION,
    ) -> None:
        """A rounded block; with ``collide`` a hidden box of the same extents is what bodies touch."""
        half = (size[0] / 2, size[1] / 2, size[2] / 2)
        radius = min(radius, 0.98 * min(half))
        center = (at[0], at[1], at[2] + half[2])
        self.mesh(name, "roundbox", (*half, radius), center, material, rotation=rotation)
        if collide:
            self.add(f"{name}_core", "box", half, center, material, visible=False, rotation=rotation)

    def pillow(self, name: str, size: Vec3, center: Vec3, material: str, *, rotation: QuatXyzw = NO_ROTATION) -> None:
        """A stuffed cushion, thin at the seam; ornament only. Thickness is along its z."""
        self.mesh(name, "pillow", (size[0] / 2, size[1] / 2, size[2] / 2), center, material, rotation=rotation)

    def mesh(
        self,
        name: str,
        mesh: str,
        parameters: Sequence[float],
        center: Sequence[float],
        material: str,
        *,
        rotation: QuatXyzw = NO_ROTATION,
    ) -> None:
        """A generated mesh; never touched by bodies."""
        self.add(name, "mesh", parameters, center, material, collide=False, mesh=mesh, rotation=rotation)

    def rod(
        self,
        name: str,
        radius: float,
        height: float,
        at: Vec3,
        material: str,
        *,
        collide: bool = True,
        visible: bool = True,
    ) -> None:
        """An upright cylinder standing on ``at``."""
        center = (at[0], at[1], at[2] + height / 2)
        self.add(name, "cylinder", (radius, height / 2), center, material, collide=collide, visible=visible)

    def lathe(self, name: str, profile: Sequence[tuple[float, float]], at: Vec3, material: str) -> None:
        """A turned shape: (radius, height) pairs from bottom to top above ``at``."""
        self.mesh(name, "lathe", [value for pair in profile for value in pair], at, material)

    def tube(self, name: str, radius: float, points: Sequence[Vec3], material: str) -> None:
        """A bent pipe through ``points`` (object frame)."""
        self.mesh(name, "tube", [radius, *(value for point in points for value in point)], (0.0, 0.0, 0.0), material)

    def seat(self, center: Vec3, size: tuple[float, float], facing_yaw_rad: float = 0.0) -> None:
        """Declare a flat place to sit whose surface lies at ``center``."""
        x, y, z = _rounded(center)
        width, depth = _rounded(size)
        self.seats.append(SeatSurface((x, y, z), (width, depth), facing_yaw_rad))

    def finish(self, category: str, mass_kg: float) -> Furniture:
        """Close the design: centre its footprint, name it by its content."""
        bounds = np.array([part_bounds(part) for part in self.parts])
        low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
        shift = _rounded(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2))
        parts = tuple(_moved(part, shift) for part in self.parts)
        seats = tuple(
            SeatSurface(_shifted(seat.center_m, shift), seat.size_m, seat.facing_yaw_rad) for seat in self.seats
        )
        used = {part.material for part in parts}
        content = json.dumps([asdict(part) for part in parts], sort_keys=True)
        name = f"{self.kind}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
        template = ObjectTemplate(name, category, parts, seats, round(mass_kg, 3), self.support_height_m)
        return Furniture(
            template=template,
            materials={key: value for key, value in sorted(self.materials.items()) if key in used},
            footprint_m=(round(float(high[0] - low[0]), _DIGITS), round(float(high[1] - low[1]), _DIGITS)),
            height_m=round(float(high[2]), _DIGITS),
        )


def _shifted(point: Vec3, shift: tuple[float, ...]) -> Vec3:
    x, y = _rounded((point[0] - shift[0], point[1] - shift[1]))
    return (x, y, point[2])


def _moved(part: Part, shift: tuple[float, ...]) -> Part:
    return Part(
        part.name,
        part.shape,
        part.size_m,
        _shifted(part.position_m, shift),
        part.material,
        part.rotation_xyzw,
        part.collide,
        part.visible,
        part.mesh,
    )
