"""``bodyloop data``: the homes that come with the package."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from rich.console import Console

from bodyloop.cli.data import show_reports
from bodyloop.cli.main import main
from bodyloop.household.home_data import (
    BUDGET_BYTES,
    check_home,
    check_home_data,
    compare_home_data,
    shipped_home_data,
)
from bodyloop.household.standing import standing_links
from bodyloop.records.files import load_json, sha256_file
from bodyloop.scenes.codec import load_scene
from bodyloop.scenes.homes import HOME_IDS
from bodyloop.scenes.validate import Check, HomeReport, validate_home


def write(folder: Path, name: str, content: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(content).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "two"):
        write(tmp_path / name, "manifest.json", {"files": {}})
        write(tmp_path / name, "scenes/home.json.gz", {"rooms": [{"lower_m": [0.0, 1.0]}], "name": "home"})
    return tmp_path / "one", tmp_path / "two"


def test_equal_folders_have_no_difference(folders: tuple[Path, Path]) -> None:
    assert compare_home_data(*folders, exact=True) == []


@pytest.mark.parametrize(("shift_m", "exact", "count"), [(5e-5, False, 0), (2e-4, False, 1), (5e-5, True, 1)])
def test_numbers_may_differ_by_a_tenth_of_a_millimetre_elsewhere(
    folders: tuple[Path, Path], shift_m: float, exact: bool, count: int
) -> None:
    write(folders[1], "scenes/home.json.gz", {"rooms": [{"lower_m": [0.0, 1.0 + shift_m]}], "name": "home"})
    found = compare_home_data(*folders, exact=exact)
    assert len(found) == count
    assert all(line.startswith("scenes/home.json.gz: .rooms[0].lower_m[1]: ") for line in found)


def test_words_lengths_and_missing_files_differ_everywhere(folders: tuple[Path, Path]) -> None:
    write(folders[1], "scenes/home.json.gz", {"rooms": [], "name": "house", "extra": 1})
    write(folders[1], "lists/smoke.json", {})
    assert compare_home_data(*folders, exact=False) == [
        f"lists/smoke.json: only in {folders[1]}",
        "scenes/home.json.gz: .extra: only in the second",
        "scenes/home.json.gz: .name: 'home' and 'house'",
        "scenes/home.json.gz: .rooms: list of 1 and list of 0",
    ]


def test_other_compression_counts_on_the_same_platform_only(folders: tuple[Path, Path]) -> None:
    path = folders[1] / "scenes/home.json.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), compresslevel=1, mtime=7))
    assert compare_home_data(*folders, exact=True) == ["scenes/home.json.gz: same content in other bytes"]
    assert compare_home_data(*folders, exact=False) == []


def test_check_without_homes_is_an_input_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "build-homes", "--check", "--output", str(tmp_path)]) == 2
    assert "build-homes" in capsys.readouterr().err


def test_unknown_home_suggests_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "build-homes", "--home", HOME_IDS[0] + "x"]) == 2
    assert HOME_IDS[0] in capsys.readouterr().err


def test_reports_are_a_matrix_with_the_failures_below() -> None:
    reports = (
        HomeReport("home_01", (Check("overlap", 0.001, "<= 0.002 m", True, "a in b"),)),
        HomeReport("home_02", (Check("overlap", 0.004, "<= 0.002 m", False, "c in d"),)),
    )
    console = Console(record=True, width=120, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    show_reports(reports, console)
    text = console.export_text()
    assert "home_02: overlap 0.004, wanted <= 0.002 m  c in d" in text
    assert "home_01: overlap" not in text


def test_standing_links_stand_on_the_floor() -> None:
    links = standing_links()
    assert links.shape == (22, 3)
    assert 0.0 < links[:, 2].min() < 0.05
    assert 0.85 < links[0, 2] < 0.98
    assert links[:, 1].min() < -0.05  # toes ahead, along -Y
    assert abs(links[:, 0].mean()) < 0.01


def test_shipped_files_are_the_pinned_ones() -> None:
    root = shipped_home_data()
    manifest = load_json(root / "manifest.json")
    assert len(HOME_IDS) == 12
    assert {f"scenes/{home}.json.gz" for home in HOME_IDS} <= set(manifest["files"])
    assert {f"episodes/val/content/{home}.json.gz" for home in HOME_IDS} <= set(manifest["files"])
    on_disk = {path.relative_to(root).as_posix() for path in root.rglob("*.json*")}
    assert on_disk == {*manifest["files"], "manifest.json"}
    for name, entry in manifest["files"].items():
        assert sha256_file(root / name) == entry["sha256"], name
    assert sum((root / name).stat().st_size for name in on_disk) <= BUDGET_BYTES


@pytest.mark.parametrize("home_id", [HOME_IDS[0], HOME_IDS[-1]])
def test_shipped_home_passes(home_id: str) -> None:
    report = validate_home(load_scene(shipped_home_data() / "scenes" / f"{home_id}.json.gz"), standing_links())
    assert report.failures == ()


def test_three_homes_have_a_raised_part() -> None:
    scenes = [load_scene(shipped_home_data() / "scenes" / f"{home_id}.json.gz") for home_id in HOME_IDS]
    raised = [scene for scene in scenes if any(room.floor_height_m > 0 for room in scene.rooms)]
    assert len(raised) >= 3
    for scene in raised:
        assert any(region.kind == "tread" for region in scene.floors) or min(
            room.floor_height_m for room in scene.rooms if room.floor_height_m > 0
        ) == pytest.approx(0.17)


@pytest.mark.slow
@pytest.mark.parametrize("home_id", HOME_IDS)
def test_generated_home_passes(home_id: str) -> None:
    assert check_home(home_id).failures == ()


@pytest.mark.slow
def test_shipped_homes_are_as_generated() -> None:
    assert check_home_data(shipped_home_data()) == []
