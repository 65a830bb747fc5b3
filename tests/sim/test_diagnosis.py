from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bodyloop.sim import diagnosis
from bodyloop.sim.backend import INSTALL_HINT
from bodyloop.sim.diagnosis import (
    Check,
    check_devices,
    check_encoder,
    check_engine,
    check_folder,
    check_packages,
    check_rendering,
    run_probe,
    usable,
)
from bodyloop.sim.egl_devices import EGLDevice, matching_device
from bodyloop.sim.gl_probe import REFERENCE_GREYS

PROBE = {
    "backend": "egl",
    "vendor": "Mesa",
    "renderer": "llvmpipe (LLVM 15)",
    "version": "4.5",
    "software": True,
    "fps": 123.4,
    "sha256": "ab" * 32,
    "greys": [list(row) for row in REFERENCE_GREYS],
}
HARDWARE = EGLDevice(0, False, "NVIDIA", "/dev/dri/card0", 1)
SOFTWARE = EGLDevice(1, True)


@pytest.mark.parametrize(
    ("version", "status", "words"),
    [
        (None, "failure", "not installed"),
        ("4.0.0", "failure", "4.0.0 does not satisfy ~=3.17.0"),
        ("3.16.2", "failure", "3.16.2"),
        ("3.170", "failure", "3.170"),
        ("3.17.0", "ok", "satisfies ~=3.17.0"),
        ("3.17.4", "ok", "satisfies"),
    ],
)
def test_engine_version(version: str | None, status: str, words: str) -> None:
    check = check_engine(version)
    assert check.status == status
    assert words in check.detail
    assert ("pip install 'mujoco~=3.17.0'" in check.fix) == (status == "failure")


def test_missing_and_old_packages_come_with_the_command() -> None:
    requirements = ["av>=14", "coal>=3.0", "numpy>=2.0", "torch>=2.6; extra == 'motion'", "ruff>=0.9; extra == 'dev'"]
    requirements.append("pywin32>=300; sys_platform == 'win32'")
    versions = {"av": "12.1", "numpy": "2.3.1"}
    checks = check_packages(requirements, versions.get)
    assert [(c.name, c.status, c.detail) for c in checks] == [
        ("package av", "failure", "12.1 does not satisfy av>=14"),
        ("package coal", "failure", "not installed"),
        ("extra motion", "note", "not installed: torch>=2.6"),
    ]
    assert checks[1].fix == f"{sys.executable} -m pip install 'coal>=3.0'"
    assert checks[2].fix.endswith("pip install 'bodyloop[motion]'")


def test_complete_packages_are_one_line() -> None:
    checks = check_packages(
        ["av>=14", "numpy", "torch; extra == 'motion'"], {"av": "18.1", "numpy": "2", "torch": "2"}.get
    )
    assert [(c.status, c.detail) for c in checks] == [("ok", "all 2 required packages are installed")]


def test_software_rendering_is_named() -> None:
    rendering, speed, picture = check_rendering(PROBE)
    assert rendering.status == "ok"
    assert "software rendering" in rendering.detail
    assert "llvmpipe" in rendering.detail
    assert "123 frames/s" in speed.detail
    assert picture.status == "ok"
    assert check_rendering(PROBE, nvidia=True)[0].status == "warning"
    fast = check_rendering({**PROBE, "software": False, "renderer": "NVIDIA H200"}, nvidia=True)[0]
    assert fast.status == "ok"
    assert "software" not in fast.detail


def test_a_darker_picture_is_a_warning() -> None:
    dark = [[value * 8 // 10 for value in row] for row in REFERENCE_GREYS]
    picture = check_rendering({**PROBE, "greys": dark})[2]
    assert picture.status == "warning"
    assert "different" in picture.detail


def test_failed_drawing_keeps_cause_and_command_apart() -> None:
    (check,) = check_rendering({"error": "libOSMesa is missing; run: apt-get install libosmesa6"})
    assert (check.status, check.detail, check.fix) == (
        "failure",
        "libOSMesa is missing",
        "apt-get install libosmesa6",
    )
    assert check_rendering({"error": "odd"})[0].fix == INSTALL_HINT


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed (SIGSEGV)"),
        ("raise SystemError('boom')", "SystemError: boom"),
        ("", "no output"),
        ("print('[1]')", "[1]"),
    ],
)
def test_a_crashing_driver_is_a_finding(code: str, words: str) -> None:
    found = run_probe((sys.executable, "-c", code))
    assert words in found["error"]


def test_a_hanging_driver_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "PROBE_TIMEOUT_S", 0.5)
    assert "hung" in run_probe((sys.executable, "-c", "import time; time.sleep(30)"))["error"]


def test_the_real_probe_draws() -> None:
    found = run_probe()
    assert "error" not in found
    assert found["fps"] > 1
    assert len(found["sha256"]) == 64
    assert {check.status for check in check_rendering(found)} == {"ok"}


@pytest.mark.skipif(sys.platform != "linux", reason="GL packages of Debian")
def test_devices() -> None:
    assert check_devices([], False, False).status == "failure"
    assert check_devices([], False, False).fix == INSTALL_HINT
    assert check_devices([], True, False).status == "ok"
    check = check_devices([HARDWARE, SOFTWARE], False, True)
    assert check.status == "ok"
    assert "0: NVIDIA, /dev/dri/card0, CUDA 1; 1: software" in check.detail
    hidden = check_devices([SOFTWARE], False, True)
    assert hidden.status == "warning"
    assert "NVIDIA_DRIVER_CAPABILITIES" in hidden.fix


@pytest.mark.parametrize(
    ("visible", "expected"),
    [(None, None), ("", None), ("0", 1), ("1", 0), ("1,0", 0), ("7", None), ("GPU-3f2a", None), ("-1", None)],
)
def test_egl_device_of_a_cuda_device(visible: str | None, expected: int | None) -> None:
    devices = [HARDWARE, EGLDevice(1, False, "NVIDIA", "", 0), EGLDevice(2, True)]
    environ = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
    assert matching_device(devices, environ) == expected


def test_encoder_works_here() -> None:
    check = check_encoder()
    assert check.status == "ok"
    assert "libx264" in check.detail


def test_encoder_failures_are_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bodyloop.sim.video.CODEC", "libnothing")
    check = check_encoder()
    assert check.status == "failure"
    assert "av>=14" in check.fix
    monkeypatch.setitem(sys.modules, "bodyloop.sim.video", None)
    assert "cannot be imported" in check_encoder().detail


def test_folders(tmp_path: Path) -> None:
    assert check_folder("cache folder", tmp_path / "new" / "bodyloop").status == "ok"
    assert list(tmp_path.iterdir()) == []
    blocked = tmp_path / "file"
    blocked.touch()
    check = check_folder("cache folder", blocked / "bodyloop")
    assert check.status == "warning"
    assert "XDG_CACHE_HOME" in check.fix


def test_usable_means_no_failure() -> None:
    assert usable([Check("a", "ok", ""), Check("b", "warning", ""), Check("c", "note", "")])
    assert not usable([Check("a", "ok", ""), Check("b", "failure", "")])


def test_cache_folder_follows_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert diagnosis.cache_folder() == Path("/somewhere/bodyloop")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert diagnosis.cache_folder() == Path.home() / ".cache" / "bodyloop"
