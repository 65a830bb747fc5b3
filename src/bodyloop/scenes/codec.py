"""Scene descriptions as JSON text: compact, canonical, hashed.

Fields that have their default value are left out, keys are sorted, numbers are rounded to 0.01 mm. The text of a scene is
therefore the same wherever it is written, and its SHA-256 names it. Files may be compressed (``.json.gz``); the hash is
always that of the plain text.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bodyloop.errors import DataError, MissingFileError
from bodyloop.scenes.description import SceneDescription
from bodyloop.scenes.shapes import GENERATORS
from bodyloop.scenes.textures import TEXTURES

__all__ = ["FORMAT", "decode_scene", "encode_scene", "load_scene", "save_scene", "scene_sha256"]

FORMAT = "bodyloop-scene/1"
_DIGITS = 5


def _number(value: float, path: str) -> float | int:
    if not math.isfinite(value):
        raise DataError(f"{path}: {value} is not a finite number")
    rounded = round(value, _DIGITS) + 0.0
    return int(rounded) if rounded.is_integer() else rounded


def _plain(value: Any, path: str) -> Any:
    """Nested lists and dicts of a value, defaults left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _fields(value, path)
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, float):
        return _number(value, path)
    return value


def _fields(value: Any, path: str) -> dict[str, Any]:
    found = {}
    for field in dataclasses.fields(value):
        item = getattr(value, field.name)
        factory = field.default_factory
        default = factory() if factory is not dataclasses.MISSING else field.default
        where = f"{path}.{field.name}".lstrip(".")
        text = _plain(item, where)
        if default is dataclasses.MISSING or text != _plain(default, where):
            found[field.name] = text
    return found


def encode_scene(scene: SceneDescription) -> str:
    """Canonical JSON text of a scene, without a line break at its end.

    Raises:
        DataError: a number is not finite.
    """
    content = {"format": FORMAT, **_fields(scene, "")}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def scene_sha256(scene: SceneDescription) -> str:
    """SHA-256 of the canonical text, hexadecimal."""
    return hashlib.sha256(encode_scene(scene).encode()).hexdigest()


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[SceneDescription]:
    return TypeAdapter(SceneDescription)


def decode_scene(text: str, *, where: str = "scene") -> SceneDescription:
    """Read a scene from JSON text.

    Args:
        text: as `encode_scene` writes it; defaults may be written out.
        where: file name for messages.

    Raises:
        DataError: the text is no JSON, a field is missing, unknown or wrong, or a name refers to nothing.
    """
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{where}: not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise DataError(f"{where}: field 'format' must be {FORMAT!r}")
    try:
        scene = _adapter().validate_json(json.dumps(content))
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(f"{where}: {_location(first['loc'])}: {first['msg']}") from None
    unknown = _unknown_key(content, scene, "")
    if unknown:
        raise DataError(f"{where}: {unknown}: unknown field")
    _check_references(scene, where)
    try:
        encode_scene(scene)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    return scene


def _location(path: tuple[int | str, ...]) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "scene"


def _unknown_key(raw: Any, value: Any, path: str) -> str | None:
    """Path of the first field of ``raw`` that the validated ``value`` does not have."""
    if dataclasses.is_dataclass(value) and isinstance(raw, dict):
        names = {field.name for field in dataclasses.fields(value)}
        for key, item in raw.items():
            if key not in names:
                return f"{path}.{key}".lstrip(".")
            found = _unknown_key(item, getattr(value, key), f"{path}.{key}")
            if found:
                return found
    elif isinstance(value, dict) and isinstance(raw, dict):
        for key, item in raw.items():
            found = _unknown_key(item, value[key], f"{path}.{key}")
            if found:
                return found
    elif isinstance(value, tuple) and isinstance(raw, list) and value and dataclasses.is_dataclass(value[0]):
        for index, (item, entry) in enumerate(zip(raw, value, strict=True)):
            found = _unknown_key(item, entry, f"{path}[{index}]")
            if found:
                return found
    return None


def _check_references(scene: SceneDescription, where: str) -> None:
    for key, material in scene.materials.items():
        if material.texture not in TEXTURES:
            raise DataError(f"{where}: materials.{key}.texture: no texture {material.texture!r}")
    groups = [("stage", scene.stage)]
    groups += [(f"templates.{key}.parts", template.parts) for key, template in scene.templates.items()]
    for path, parts in groups:
        for index, part in enumerate(parts):
            if part.material not in scene.materials:
                raise DataError(f"{where}: {path}[{index}].material: no material {part.material!r}")
            if part.shape == "mesh" and part.mesh not in GENERATORS and part.mesh not in scene.meshes:
                raise DataError(f"{where}: {path}[{index}].mesh: no mesh {part.mesh!r}")
    rooms = {room.name for room in scene.rooms}
    for index, instance in enumerate(scene.instances):
        path = f"{where}: instances[{index}]"
        if instance.object_id != index:
            raise DataError(f"{path}.object_id: must be {index}, got {instance.object_id}")
        if instance.template not in scene.templates:
            raise DataError(f"{path}.template: no template {instance.template!r}")
        if rooms and instance.room not in rooms:
            raise DataError(f"{path}.room: no room {instance.room!r}")


def save_scene(scene: SceneDescription, path: Path) -> str:
    """Write a scene (compressed if the name ends in ``.gz``) and return its SHA-256."""
    text = encode_scene(scene)
    data = text.encode()
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data + b"\n")
    temporary.replace(path)
    return hashlib.sha256(data).hexdigest()


def load_scene(path: Path) -> SceneDescription:
    """Read a scene file.

    Raises:
        MissingFileError: no such file.
        DataError: its content is wrong; the message names the file and the field.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise MissingFileError(f"scene file {path} does not exist") from None
    try:
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from None
    return decode_scene(text, where=str(path))
