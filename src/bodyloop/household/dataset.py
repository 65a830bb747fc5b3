"""A folder of episodes and scenes: the built-in homes, or any folder in the published layout.

::

    episodes/<split>/<split>.json.gz             header (``<split>/<split>.json.gz`` is found too)
    episodes/<split>/content/<scene>.json.gz     one shard per scene
    scenes/<scene>.json.gz                       scene descriptions
    lists/<name>.json                            named lists of episodes (``<name>.json`` is found too)
    manifest.json                                SHA-256 and size of every file
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from bodyloop.errors import ArtifactError, DataError, MissingFileError, UnknownNameError
from bodyloop.household.episode_files import REMEDY, Shard, read_gzip_json, read_shard, short_scene_id
from bodyloop.records.files import load_json, sha256_file, sha256_json, write_json_atomic
from bodyloop.scenes.codec import load_scene
from bodyloop.scenes.description import SceneDescription

__all__ = ["BUILT_IN_DATASETS", "MANIFEST_SCHEMA", "EpisodeDataset", "open_dataset", "write_manifest"]

BUILT_IN_DATASETS: Final = ("homes_v1",)
MANIFEST_SCHEMA: Final = "bodyloop_dataset_v1"
_MANIFEST: Final = "manifest.json"
_END: Final = ".json.gz"


@dataclass(frozen=True)
class EpisodeDataset:
    """One split of a data set. Reads files when asked and keeps nothing."""

    root: Path
    split: str
    split_root: Path
    """Folder with the header and ``content/``."""
    category_ids: Mapping[str, int]
    """Task id by category, from the header."""

    @property
    def scene_ids(self) -> tuple[str, ...]:
        """Scenes that have a shard, in the order of the shards' file names."""
        names = sorted(path.name for path in (self.split_root / "content").glob(f"*{_END}"))
        return tuple(short_scene_id(name) for name in names)

    def shard_path(self, scene_id: str) -> Path:
        """Where the shard of a scene is or would be."""
        return self.split_root / "content" / f"{scene_id}{_END}"

    def scene_path(self, scene_id: str) -> Path:
        """Where the description of a scene is or would be."""
        return self.root / "scenes" / f"{scene_id}{_END}"

    def load_shard(self, scene_id: str) -> Shard:
        """All episodes and goals of one scene.

        Raises:
            MissingFileError: the scene has no shard; the message suggests the nearest scene.
            DataError: the shard is damaged.
        """
        path = self.shard_path(scene_id)
        if not path.is_file():
            hint = UnknownNameError("scene", scene_id, self.scene_ids)
            raise MissingFileError(f"{path}: no such episode shard; {hint}")
        return read_shard(path)

    def load_scene(self, scene_id: str) -> SceneDescription:
        """Description of one scene.

        Raises:
            MissingFileError: there is none.
            DataError: it is damaged or describes another scene.
        """
        path = self.scene_path(scene_id)
        if not path.is_file():
            raise MissingFileError(f"{path}: no such scene; known scenes: {', '.join(self.scene_ids[:20])}; {REMEDY}")
        scene = load_scene(path)
        if scene.scene_id != scene_id:
            raise DataError(f"{path}: scene_id: describes {scene.scene_id!r} instead of {scene_id!r}; {REMEDY}")
        return scene

    def list_path(self, name: str) -> Path | None:
        """File of a named list, if the data set has it."""
        candidates = (self.root / "lists" / f"{name}.json", self.root / f"{name}.json")
        return next((path for path in candidates if path.is_file()), None)

    def verify(self) -> None:
        """Compare every file with the manifest. A folder without a manifest is taken as it is.

        Raises:
            DataError: a file is missing, changed or unknown to the manifest.
        """
        if not (self.root / _MANIFEST).is_file():
            return
        expected = _read_manifest(self.root)
        for name, entry in expected.items():
            path = self.root / name
            if not path.is_file():
                raise DataError(f"{path}: listed in {_MANIFEST}, but missing; {REMEDY}")
            if path.stat().st_size != entry["size_bytes"] or sha256_file(path) != entry["sha256"]:
                raise DataError(f"{path}: differs from its SHA-256 in {_MANIFEST}; {REMEDY}")
        unknown = sorted(set(_data_files(self.root)) - set(expected))
        if unknown:
            raise DataError(
                f"{self.root / unknown[0]}: not listed in {_MANIFEST}; remove it or write the manifest anew"
            )

    def data_sha256(self) -> str:
        """One hash over all files: from the manifest if there is one, else from the files."""
        if (self.root / _MANIFEST).is_file():
            return sha256_json({name: entry["sha256"] for name, entry in _read_manifest(self.root).items()})
        return sha256_json({name: sha256_file(self.root / name) for name in _data_files(self.root)})


def open_dataset(name_or_path: str | Path, split: str = "val") -> EpisodeDataset:
    """Open a built-in data set by name, or a folder.

    Raises:
        UnknownNameError: neither a built-in name nor a folder.
        MissingFileError: the folder has no header of this split, or no shard.
        DataError: the header is damaged.
    """
    root = _root(name_or_path)
    split_root = next((r for r in (root / "episodes" / split, root / split) if r.is_dir()), None)
    if split_root is None:
        raise MissingFileError(f"{root}: no folder episodes/{split} with the episodes of split {split!r}; {REMEDY}")
    dataset = EpisodeDataset(root, split, split_root, _read_header(split_root / f"{split}{_END}"))
    if not dataset.scene_ids:
        raise MissingFileError(f"{split_root / 'content'}: no episode shard; {REMEDY}")
    return dataset


def _root(name_or_path: str | Path) -> Path:
    name = str(name_or_path)
    if name in BUILT_IN_DATASETS:
        return Path(str(resources.files("bodyloop"))) / "data" / name
    path = Path(name_or_path)
    if not path.is_dir():
        raise UnknownNameError("data set", name, BUILT_IN_DATASETS, where="the profile (no such folder either)")
    return path


def _read_header(path: Path) -> dict[str, int]:
    content = read_gzip_json(path)
    field = "category_to_task_category_id"
    ids = content.get(field) if isinstance(content, dict) else None
    if not isinstance(ids, dict) or not all(type(value) is int for value in ids.values()):
        raise DataError(f"{path}: {field}: must map categories to whole numbers; {REMEDY}")
    return dict(ids)


def _data_files(root: Path) -> list[str]:
    names = (path.relative_to(root).as_posix() for path in root.rglob("*.json*") if path.is_file())
    return sorted(name for name in names if name != _MANIFEST and not name.rsplit("/", 1)[-1].startswith("."))


def _read_manifest(root: Path) -> dict[str, dict[str, Any]]:
    path = root / _MANIFEST
    try:
        content = load_json(path)
    except ArtifactError as error:
        raise DataError(f"{error}; {REMEDY}") from None
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(files, dict) or content.get("schema") != MANIFEST_SCHEMA:
        raise DataError(f"{path}: must be a {MANIFEST_SCHEMA} object with 'files'; {REMEDY}")
    for name, entry in files.items():
        if not isinstance(entry, dict) or not {"sha256", "size_bytes"} <= entry.keys():
            raise DataError(f"{path}: files[{name!r}]: needs sha256 and size_bytes; {REMEDY}")
    return files


def write_manifest(root: Path, name: str) -> None:
    """Write ``manifest.json`` over all data files below ``root``."""
    files = {
        file: {"sha256": sha256_file(root / file), "size_bytes": (root / file).stat().st_size}
        for file in _data_files(root)
    }
    write_json_atomic(root / _MANIFEST, {"schema": MANIFEST_SCHEMA, "name": name, "files": files})
