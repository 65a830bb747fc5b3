"""What this machine can run, and the exact command that repairs what it cannot.

Nothing here needs MuJoCo, coal or PyAV to be importable: a missing one is a finding.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bodyloop.sim.backend import INSTALL_HINT, REMEDY, osmesa_available
from bodyloop.sim.egl_devices import EGLDevice, list_egl_devices

__all__ = [
    "Check",
    "check_devices",
    "check_encoder",
    "check_engine",
    "check_folder",
    "check_packages",
    "check_rendering",
    "diagnose",
    "run_probe",
    "usable",
]

Status = Literal["ok", "note", "warning", "failure"]

PROBE_TIMEOUT_S = 120
GREY_TOLERANCE = 6
_PIP = f"{sys.executable} -m pip install"


@dataclass(frozen=True)
class Check:
    """One finding."""

    name: str
    status: Status
    detail: str
    fix: str = ""
    """A command or an instruction; empty when there is nothing to do."""


def diagnose() -> list[Check]:
    """Run every check; takes about two seconds."""
    checks = [check_python(), check_machine(), check_engine(_installed("mujoco"))]
    checks += check_packages(_requirements(), _installed)
    checks += [check_devices(list_egl_devices(), osmesa_available(), _nvidia_driver())]
    checks += check_rendering(run_probe(), nvidia=_nvidia_driver())
    checks += [
        check_encoder(),
        check_folder("cache folder", cache_folder()),
        check_folder("temporary folder", _temporary()),
    ]
    return checks


def usable(checks: Iterable[Check]) -> bool:
    """Whether nothing that a run needs has failed."""
    return all(check.status != "failure" for check in checks)


def check_python() -> Check:
    """The interpreter."""
    return Check("Python", "ok", f"{platform.python_version()} on {platform.platform(terse=True)}")


def check_machine() -> Check:
    """Cores that this process may use, and memory."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        import psutil

        memory = f", {psutil.virtual_memory().available / 2**30:.1f} GiB of memory free"
    except ImportError:
        memory = ""
    return Check("machine", "ok", f"{cores} CPU cores{memory}")


def check_engine(version: str | None) -> Check:
    """MuJoCo's version: replays are tied to the release line that this version of bodyloop was made for."""
    fix = f"{_PIP} 'mujoco~=3.17.0'"
    if version is None:
        return Check("MuJoCo", "failure", "not installed", fix)
    if not re.match(r"3\.17(\.\d+)?$", version):
        return Check("MuJoCo", "failure", f"{version} does not satisfy ~=3.17.0", fix)
    try:
        engine = importlib.import_module("mujoco").mj_versionString()
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        return Check("MuJoCo", "failure", f"{version} cannot be imported: {_line(error)}", f"{fix} --force-reinstall")
    return Check("MuJoCo", "ok", f"{engine} (satisfies ~=3.17.0)")


def check_packages(requirements: Sequence[str], installed: Callable[[str], str | None]) -> list[Check]:
    """Required packages that are missing or too old are failures; incomplete extras are notes.

    Args:
        requirements: As in the package's metadata, extras marked by ``extra == '...'``.
        installed: Gives the version of a distribution, or None.
    """
    missing: dict[str, list[str]] = {}
    for text in requirements:
        requirement, _, marker = (part.strip() for part in text.partition(";"))
        if not _satisfied(requirement, marker, installed):
            missing.setdefault(_extra(marker), []).append(requirement)
    required = missing.pop("", [])
    checks = [_missing_package(requirement, installed) for requirement in required]
    if not required:
        count = sum("extra" not in text for text in requirements)
        checks.append(Check("packages", "ok", f"all {count} required packages are installed"))
    for group, names in sorted(missing.items()):
        if group not in ("dev", "all"):
            detail = f"not installed: {', '.join(names)}"
            checks.append(Check(f"extra {group}", "note", detail, f"{_PIP} 'bodyloop[{group}]'"))
    return checks


def _missing_package(requirement: str, installed: Callable[[str], str | None]) -> Check:
    name = _name(requirement)
    version = installed(name)
    detail = "not installed" if version is None else f"{version} does not satisfy {requirement}"
    return Check(f"package {name}", "failure", detail, f"{_PIP} '{requirement}'")


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    return match.group() if match else requirement


def _extra(marker: str) -> str:
    found = re.search(r"extra\s*==\s*['\"]([^'\"]+)", marker)
    return found.group(1) if found else ""


def _satisfied(requirement: str, marker: str, installed: Callable[[str], str | None]) -> bool:
    version = installed(_name(requirement))
    try:
        from packaging.markers import Marker
        from packaging.requirements import Requirement
    except ImportError:  # itself a dependency of a required package, which is then reported
        return version is not None
    if marker and not Marker(marker).evaluate({"extra": _extra(marker)}):
        return True
    return version is not None and Requirement(requirement).specifier.contains(version, prereleases=True)


def check_devices(devices: Sequence[EGLDevice], osmesa: bool, nvidia: bool) -> Check:
    """What could draw without a display."""
    vendors = sorted(
        file.name
        for folder in ("/etc/glvnd", "/usr/share/glvnd")
        for file in Path(folder, "egl_vendor.d").glob("*.json")
    )
    detail = f"EGL devices [{'; '.join(map(str, devices)) or 'none'}], EGL vendors [{', '.join(vendors) or 'none'}]"
    detail += f", OSMesa {'present' if osmesa else 'absent'}"
    if nvidia and devices and all(device.software for device in devices):
        fix = (
            "install the driver's EGL part (apt-get install libnvidia-gl-<driver version>), "
            "or start the container with NVIDIA_DRIVER_CAPABILITIES=all"
        )
        return Check("OpenGL devices", "warning", f"{detail}; an NVIDIA driver is present but EGL does not see it", fix)
    if not devices and not osmesa and sys.platform == "linux":
        return Check("OpenGL devices", "failure", detail, INSTALL_HINT)
    return Check("OpenGL devices", "ok", detail)


def check_rendering(probe: Mapping[str, Any], *, nvidia: bool = False) -> list[Check]:
    """What drawing a small scene in a child process gave; see `run_probe`."""
    if "error" in probe:
        cause, _, remedy = str(probe["error"]).partition(REMEDY)
        return [Check("rendering", "failure", cause, str(probe.get("fix") or remedy or INSTALL_HINT))]
    software = ", software rendering on the CPU" if probe["software"] else ""
    detail = f"{probe['backend']}: {probe['renderer']} ({probe['vendor']}, {probe['version']}{software})"
    checks = [Check("rendering", "warning" if software and nvidia else "ok", detail)]
    checks.append(Check("render speed", "ok", f"{probe['fps']:.0f} frames/s of a small scene at 448 x 448"))
    from bodyloop.sim.gl_probe import REFERENCE_GREYS

    pairs = zip(REFERENCE_GREYS, probe["greys"], strict=True)
    worst = max(abs(a - b) for wanted, got in pairs for a, b in zip(wanted, got, strict=True))
    picture = f"reference picture {probe['sha256'][:12]}, brightness within {worst} of 255 grey levels"
    if worst > GREY_TOLERANCE:
        advice = "compare results only with runs made by the same renderer"
        checks.append(Check("picture", "warning", picture + ": looks different from the reference renderer", advice))
    else:
        checks.append(Check("picture", "ok", picture))
    return checks


def run_probe(command: Sequence[str] = (sys.executable, "-m", "bodyloop.sim.gl_probe")) -> dict[str, Any]:
    """Draw in a child process: its findings, or ``{"error": ..., "fix": ...}``, also if it crashes or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return {"error": f"the graphics driver hung for {PROBE_TIMEOUT_S} s", "fix": "try MUJOCO_GL=osmesa"}
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return {"error": f"the graphics driver crashed ({name})", "fix": "try MUJOCO_GL=osmesa or another driver"}
    try:
        found = json.loads(done.stdout.strip().splitlines()[-1])
    except (json.JSONDecodeError, IndexError):
        lines = done.stderr.strip().splitlines()
        return {"error": f"drawing failed: {lines[-1] if lines else 'no output'}"}
    return found if isinstance(found, dict) else {"error": f"drawing gave {found!r}"}


def check_encoder() -> Check:
    """Write and read back a short H.264 video."""
    fix = f"{_PIP} --force-reinstall 'av>=14'"
    try:
        import numpy as np

        from bodyloop.sim.video import CODEC, VideoWriter, probe_video

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "check.mp4"
            with VideoWriter(path, 30, 64, 64) as writer:
                for grey in (0, 120, 240):
                    writer.append(np.full((64, 64, 3), grey, dtype=np.uint8))
            frames = probe_video(path).frames
    except ImportError as error:
        return Check("H.264 encoder", "failure", f"PyAV cannot be imported: {_line(error)}", fix)
    except Exception as error:  # whatever an incomplete FFmpeg build raises is the finding
        return Check("H.264 encoder", "failure", _line(error), fix)
    if frames != 3:
        return Check("H.264 encoder", "failure", f"3 frames written, {frames} read back", fix)
    version = _installed("av")
    return Check("H.264 encoder", "ok", f"{CODEC} in PyAV {version}, 3 frames written and read back")


def cache_folder() -> Path:
    """The user's cache folder of bodyloop: ``$XDG_CACHE_HOME/bodyloop`` or ``~/.cache/bodyloop``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "bodyloop"


def check_folder(name: str, folder: Path) -> Check:
    """Whether files can be made in a folder, or in the nearest parent that exists. Leaves nothing behind."""
    parent = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    try:
        with tempfile.NamedTemporaryFile(dir=parent):
            pass
    except OSError as error:
        variable = "XDG_CACHE_HOME" if name == "cache folder" else "TMPDIR"
        return Check(
            name, "warning", f"{folder}: not writable ({error.strerror})", f"export {variable}=<a writable folder>"
        )
    return Check(name, "ok", f"{folder}: writable")


def _temporary() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:  # none of the usual places is writable
        return Path(os.environ.get("TMPDIR", "/tmp"))


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _requirements() -> list[str]:
    try:
        return importlib.metadata.requires("bodyloop") or []
    except importlib.metadata.PackageNotFoundError:  # run from a source tree that is not installed
        return []


def _nvidia_driver() -> bool:
    return Path("/proc/driver/nvidia/version").exists()


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
