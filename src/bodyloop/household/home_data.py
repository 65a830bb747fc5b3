"""Writes the homes that come with the package: scenes, episode shards, lists and a manifest; and checks them."""

from __future__ import annotations

import gzip
import json
import platform
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from bodyloop.errors import MissingFileError, UnknownNameError
from bodyloop.household.dataset import write_manifest
from bodyloop.household.episode_builder import build_episodes, build_lists
from bodyloop.household.episode_files import header_content, write_gzip_json, write_shard
from bodyloop.household.standing import standing_links
from bodyloop.records.files import load_json, sha256_file, write_json_atomic
from bodyloop.scenes.codec import decode_scene, encode_scene, save_scene
from bodyloop.scenes.description import SceneDescription
from bodyloop.scenes.homes import HOME_IDS, build_home
from bodyloop.scenes.homes.settle import settle
from bodyloop.scenes.validate import HomeReport, validate_home

__all__ = [
    "BUDGET_BYTES",
    "TOLERANCE_M",
    "HomeDataResult",
    "build_home_data",
    "check_home",
    "check_home_data",
    "compare_home_data",
    "make_home",
    "shipped_home_data",
]

BUDGET_BYTES: Final = 3 * 1024 * 1024
TOLERANCE_M: Final = 1e-4
_MANIFEST: Final = "manifest.json"
_PACKAGES: Final = ("mujoco", "numpy", "scipy")
Progress = Callable[[str], None]


@dataclass(frozen=True)
class HomeDataResult:
    """What was written and what the validator says of it."""

    reports: tuple[HomeReport, ...]
    episodes: int
    size_bytes: int

    @property
    def ok(self) -> bool:
        """Whether all homes pass and the data fits the budget."""
        return all(report.ok for report in self.reports) and self.size_bytes <= BUDGET_BYTES


def shipped_home_data() -> Path:
    """Folder of the homes inside the installed package."""
    return Path(str(files("bodyloop") / "data" / "homes_v1"))


def make_home(home_id: str) -> SceneDescription:
    """One home with its objects at rest, with the numbers that its file will hold."""
    return decode_scene(encode_scene(settle(build_home(home_id))))


def check_home(home_id: str) -> HomeReport:
    """Generate one home and validate it.

    Raises:
        UnknownNameError: no such home.
    """
    if home_id not in HOME_IDS:
        raise UnknownNameError("home", home_id, HOME_IDS)
    return validate_home(make_home(home_id), standing_links())


def build_home_data(
    output: Path, *, home_ids: Sequence[str] = HOME_IDS, progress: Progress = lambda _: None
) -> HomeDataResult:
    """Build, settle and check every home and write everything below ``output``."""
    links = standing_links()
    reports, shards = [], {}
    split = output / "episodes" / "val"
    (output / "scenes").mkdir(parents=True, exist_ok=True)
    for home_id in home_ids:
        progress(f"{home_id}: building")
        scene = make_home(home_id)
        save_scene(scene, output / "scenes" / f"{home_id}.json.gz")
        progress(f"{home_id}: checking")
        reports.append(validate_home(scene, links))
        progress(f"{home_id}: episodes")
        shards[home_id] = build_episodes(scene)
        write_shard(split / "content" / f"{home_id}.json.gz", shards[home_id])
    write_gzip_json(split / "val.json.gz", header_content())
    for name, content in build_lists(shards).items():
        write_json_atomic(output / "lists" / f"{name}.json", content)
    _write_manifest(output)
    episodes = sum(len(shard["episodes"]) for shard in shards.values())
    return HomeDataResult(tuple(reports), episodes, sum(path.stat().st_size for path in _data_files(output)))


def check_home_data(shipped: Path, *, progress: Progress = lambda _: None) -> list[str]:
    """Build the homes again and list how they differ from the ``shipped`` ones; empty when they agree.

    On the platform named in the manifest the files must be the same byte for byte, elsewhere their numbers within 0.1 mm.

    Raises:
        MissingFileError: the folder holds no manifest.
    """
    manifest = shipped / _MANIFEST
    if not manifest.is_file():
        raise MissingFileError(f"{manifest} does not exist; write the homes with `bodyloop data build-homes`")
    with tempfile.TemporaryDirectory(prefix="bodyloop-homes-") as folder:
        build_home_data(Path(folder), progress=progress)
        exact = load_json(manifest)["platform"] == _platform()
        return _pinned(shipped, load_json(manifest)) + compare_home_data(shipped, Path(folder), exact=exact)


def compare_home_data(first: Path, second: Path, *, exact: bool) -> list[str]:
    """Differences between two folders of homes, one line each; the manifest is compared only if ``exact``."""
    names = {path.relative_to(root).as_posix() for root in (first, second) for path in _data_files(root)}
    if exact:
        names.add(_MANIFEST)
    found = []
    for name in sorted(names):
        one, two = first / name, second / name
        if not (one.is_file() and two.is_file()):
            found.append(f"{name}: only in {first if one.is_file() else second}")
        elif one.read_bytes() != two.read_bytes():
            lines = [f"{name}: {line}" for line in _differences(_read(one), _read(two), 0.0 if exact else TOLERANCE_M)]
            found += lines[:10] or ([f"{name}: same content in other bytes"] if exact else [])
    return found


def _pinned(root: Path, manifest: dict[str, Any]) -> list[str]:
    """Files whose content is not the one pinned by the manifest."""
    return [
        f"{name}: not the content that the manifest pins"
        for name, entry in sorted(manifest["files"].items())
        if not (root / name).is_file() or sha256_file(root / name) != entry["sha256"]
    ]


def _write_manifest(root: Path) -> None:
    """The manifest of a data set, with the platform on which its bytes can be had again."""
    write_manifest(root, "homes_v1")
    content = load_json(root / _MANIFEST)
    total = sum(entry["size_bytes"] for entry in content["files"].values())
    write_json_atomic(root / _MANIFEST, content | {"size_bytes": total, "platform": _platform()})


def _platform() -> dict[str, str]:
    """What the last bits of the numbers and of the compressed files depend on."""
    found = {"system": platform.system(), "machine": platform.machine(), "zlib": zlib.ZLIB_RUNTIME_VERSION}
    found["python"] = f"{sys.version_info.major}.{sys.version_info.minor}"
    return found | {name: version(name) for name in _PACKAGES}


def _data_files(root: Path) -> list[Path]:
    return sorted(
        path for path in root.rglob("*.json*") if path.is_file() and path.name != _MANIFEST and path.name[0] != "."
    )


def _read(path: Path) -> Any:
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def _differences(one: Any, two: Any, tolerance: float, path: str = "") -> Iterator[str]:
    """Places where two JSON values differ by more than the tolerance."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted(one.keys() | two.keys()):
            if key in one and key in two:
                yield from _differences(one[key], two[key], tolerance, f"{path}.{key}")
            else:
                yield f"{path}.{key}: only in the {'first' if key in one else 'second'}"
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for index, (a, b) in enumerate(zip(one, two, strict=True)):
            yield from _differences(a, b, tolerance, f"{path}[{index}]")
    elif _is_number(one) and _is_number(two):
        if abs(one - two) > tolerance:
            yield f"{path}: {one} and {two}"
    elif one != two:
        yield f"{path}: {_short(one)} and {_short(two)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(value: Any) -> str:
    return f"{type(value).__name__} of {len(value)}" if isinstance(value, list | dict) else repr(value)
