from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from rich.console import Console

from bodyloop.cli.doctor import doctor, show
from bodyloop.sim.diagnosis import Check


def plain(width: int = 60) -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=width), out


def test_findings_and_commands_stay_on_one_line_each() -> None:
    console, out = plain()
    command = "apt-get install " + " ".join(f"package{i}" for i in range(12))
    code = show([Check("Python", "ok", "3.11"), Check("rendering", "failure", "no [GL] here", command)], console)
    lines = out.getvalue().splitlines()
    assert code == 1
    assert lines[1].split() == ["ok", "Python", "3.11"]
    assert lines[2].endswith("no [GL] here")
    assert lines[3].strip() == f"-> {command}"
    assert lines[4] == "not ready: 1 of 2 checks failed"
    assert "\x1b" not in out.getvalue()


def test_warnings_and_notes_do_not_fail() -> None:
    console, out = plain()
    assert show([Check("a", "warning", "x", "y"), Check("b", "note", "z")], console) == 0
    assert out.getvalue().splitlines()[-1].startswith("ready")


def test_colours_on_a_terminal() -> None:
    out = io.StringIO()
    show([Check("a", "failure", "x")], Console(file=out, force_terminal=True, color_system="standard"))
    assert "\x1b[1;31m" in out.getvalue()


def test_doctor_finds_this_machine_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    console, out = plain(200)
    assert doctor(console) == 0
    text = out.getvalue()
    for word in (
        "MuJoCo",
        "satisfies ~=3.17.0",
        "OpenGL devices",
        "rendering",
        "frames/s",
        "H.264 encoder",
        "cache folder",
    ):
        assert word in text
    if "llvmpipe" in text:
        assert "software rendering" in text


@pytest.mark.skipif(sys.platform != "linux", reason="device selection of EGL on Linux")
def test_doctor_without_drawing_fails_with_the_fix() -> None:
    code = "from bodyloop.cli.doctor import doctor; raise SystemExit(doctor())"
    environ = {**os.environ, "MUJOCO_GL": "egl", "MUJOCO_EGL_DEVICE_ID": "99"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ, timeout=60)
    assert (done.returncode, done.stderr) == (1, "")
    assert "failure  rendering" in done.stdout
    assert "-> apt-get install libegl1" in done.stdout
