"""Episode shards on disk: the published format of find-navigate-interact episodes, read, checked and written.

A shard is a gzip-compressed JSON object with ``episodes``, ``goals_by_category`` and two category maps; the split header
has the maps alone. Positions are in Habitat axes (Y up), metres; rotations are xyzw; ``init_yaw`` is in degrees.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError
from scipy.spatial.transform import Rotation

from bodyloop.errors import DataError, MissingFileError
from bodyloop.records.files import write_bytes_atomic
from bodyloop.scenes.description import TARGET_CATEGORIES

__all__ = [
    "REMEDY",
    "EpisodeFile",
    "GoalFile",
    "Shard",
    "category_label",
    "category_maps",
    "header_content",
    "init_offset_formula",
    "init_yaw_formula",
    "parse_shard",
    "read_gzip_json",
    "read_shard",
    "scene_label",
    "short_scene_id",
    "template_hash",
    "write_gzip_json",
    "write_shard",
]

Vec3 = tuple[FiniteFloat, FiniteFloat, FiniteFloat]
QuatXyzw = tuple[FiniteFloat, FiniteFloat, FiniteFloat, FiniteFloat]

REMEDY: Final = "restore the file from where the data set came from, or rebuild it with `bodyloop data build-homes`"
_LABELS: Final = {"tv": "TV"}
_SUFFIXES: Final = (".scene_instance.json", ".json.gz", ".json", ".glb")


class _Row(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="allow")


class _AgentState(_Row):
    position: Vec3
    rotation: QuatXyzw


class _ViewPoint(_Row):
    agent_state: _AgentState
    iou: FiniteFloat = 0.0


class GoalFile(_Row):
    """One goal of a shard."""

    position: Vec3
    object_id: int = Field(ge=0)
    object_name: str
    object_category: str
    view_points: tuple[_ViewPoint, ...]


class _Info(_Row):
    geodesic_distance: FiniteFloat | None = None
    euclidean_distance: FiniteFloat | None = None
    closest_goal_object_id: int | None = None


class EpisodeFile(_Row):
    """One episode of a shard; the spawn fields may be absent."""

    episode_id: str = Field(min_length=1)
    scene_id: str = ""
    scene_dataset_config: str = ""
    start_position: Vec3
    start_rotation: QuatXyzw
    object_category: str = Field(min_length=1)
    init_offset: Vec3 | None = None
    init_yaw: FiniteFloat | None = None
    info: _Info = _Info()
    difficulty: dict[str, Any] = Field(default_factory=dict)


class _ShardFile(_Row):
    episodes: tuple[EpisodeFile, ...]
    goals_by_category: dict[str, tuple[GoalFile, ...]]


@dataclass(frozen=True, eq=False)
class Shard:
    """The checked content of one shard."""

    scene_id: str
    where: str
    """File name for messages."""
    episodes: tuple[EpisodeFile, ...]
    goals_by_category: Mapping[str, tuple[GoalFile, ...]]
    raw_goals: Mapping[str, Sequence[Mapping[str, Any]]]
    """The goals as they stand in the file."""

    def goal_key(self, category: str) -> str:
        """Key of a category's goals."""
        return f"{self.scene_id}_{category}"


def short_scene_id(text: str, fallback: str = "") -> str:
    """Last path element without its scene suffix; ``fallback`` if nothing is left."""
    name = text.rstrip("/").rsplit("/", 1)[-1]
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            name = name.removesuffix(suffix)
            break
    return name or fallback


def scene_label(text: str) -> str:
    """Name of a scene that is safe in file names."""
    name = short_scene_id(text) if text.endswith(_SUFFIXES) else text
    return name.replace("/", "_").replace(":", "_")


def category_label(category: str) -> str:
    """How a sentence names a category: ``potted plant``, ``TV``."""
    return _LABELS.get(category, category.replace("_", " "))


def template_hash(object_name: str | None) -> str:
    """The design an object name belongs to: the part before the first colon without trailing underscores."""
    return (object_name or "").split(":", 1)[0].rstrip("_")


def init_offset_formula(start_position: Sequence[float]) -> tuple[float, float, float]:
    """Spawn of an episode without one: (-x, z, 0) of the start position (3,) in Habitat axes.

    Raises:
        DataError: not three numbers.
    """
    if len(start_position) != 3:
        raise DataError(f"start_position must be three numbers, got {len(start_position)}")
    return (-float(start_position[0]), float(start_position[2]), 0.0)


def init_yaw_formula(start_rotation_xyzw: Sequence[float]) -> float:
    """Spawn heading in degrees, in (-180, 180], of a start rotation (4,) in Habitat axes.

    Raises:
        DataError: not four numbers, or all of them zero.
    """
    try:
        facing = Rotation.from_quat(np.asarray(start_rotation_xyzw, dtype=float)).apply((0.0, 0.0, -1.0))
    except ValueError as error:
        raise DataError(f"start_rotation is no rotation: {error}") from None
    yaw = float(np.degrees(np.arctan2(facing[0], facing[2]))) - 180.0
    return yaw + 360.0 if yaw <= -180.0 else yaw


def read_gzip_json(path: Path) -> Any:
    """Content of a gzip-compressed JSON file.

    Raises:
        MissingFileError: no such file.
        DataError: not gzip, not JSON, or a number that is not finite.
    """
    try:
        text = gzip.decompress(path.read_bytes()).decode()
    except FileNotFoundError:
        raise MissingFileError(f"{path}: no such file; {REMEDY}") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not a readable gzip file ({error}); {REMEDY}") from None
    return _parse_json(text, str(path))


def _parse_json(text: str, where: str) -> Any:
    def refuse(constant: str) -> NoReturn:
        raise DataError(f"{where}: holds {constant}, which is not a finite number; {REMEDY}")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise DataError(f"{where}: not JSON: {error.msg} at {place}; {REMEDY}") from None
    except RecursionError:
        raise DataError(f"{where}: not JSON: nested too deeply; {REMEDY}") from None


def read_shard(path: Path) -> Shard:
    """Read and check a shard; its scene is the file's stem.

    Raises:
        MissingFileError: no such file.
        DataError: the message names the file and the field.
    """
    return parse_shard(read_gzip_json(path), scene_id=short_scene_id(path.name), where=str(path))


def parse_shard(content: Any, *, scene_id: str, where: str) -> Shard:
    """Check the parsed content of a shard.

    Raises:
        DataError: a field is missing or wrong, an id occurs twice, or there is no episode.
    """
    try:
        checked = _ShardFile.model_validate_json(json.dumps(content))
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(f"{where}: {_location(first['loc'])}: {first['msg']}; {REMEDY}") from None
    if not checked.episodes:
        raise DataError(f"{where}: episodes: the shard holds no episode; {REMEDY}")
    seen: set[str] = set()
    for index, row in enumerate(checked.episodes):
        _check_row(row, f"{where}: episodes[{index}]", scene_id)
        if row.episode_id in seen:
            raise DataError(f"{where}: episodes[{index}].episode_id: {row.episode_id!r} occurs twice; {REMEDY}")
        seen.add(row.episode_id)
    return Shard(scene_id, where, checked.episodes, checked.goals_by_category, content["goals_by_category"])


def _check_row(row: EpisodeFile, where: str, scene_id: str) -> None:
    if (named := short_scene_id(row.scene_id, scene_id)) != scene_id:
        raise DataError(f"{where}.scene_id: names {named!r}, but the shard belongs to {scene_id!r}; {REMEDY}")
    if not any(row.start_rotation):
        raise DataError(f"{where}.start_rotation: all zero, which is no rotation; {REMEDY}")


def _location(path: tuple[int | str, ...]) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "content"


def category_maps() -> dict[str, dict[str, int]]:
    """The two category maps of every shard."""
    ids = {category: index for index, category in enumerate(TARGET_CATEGORIES)}
    return {"category_to_task_category_id": dict(ids), "category_to_scene_annotation_category_id": dict(ids)}


def header_content() -> dict[str, Any]:
    """Content of a split header."""
    maps = category_maps()
    return {"episodes": [], **maps, "category_to_mp3d_category_id": dict(maps["category_to_task_category_id"])}


def write_gzip_json(path: Path, content: Any) -> None:
    """Compressed compact JSON; equal content gives equal bytes.

    Raises:
        ValueError: a number is not finite.
    """
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    write_bytes_atomic(path, gzip.compress(text.encode(), compresslevel=9, mtime=0))


def write_shard(path: Path, content: Mapping[str, Any]) -> None:
    """Check a shard as a reader would, then write it.

    Raises:
        DataError: a reader would refuse it.
    """
    parse_shard(json.loads(json.dumps(content)), scene_id=short_scene_id(path.name), where=str(path))
    write_gzip_json(path, content)
