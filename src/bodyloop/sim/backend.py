"""Cheap choice of the OpenGL backend, made before MuJoCo is imported.

MuJoCo reads ``MUJOCO_GL`` at import and again when the first render context is made. Nothing here creates a GL
context: the choice looks only at which libraries load and whether EGL lists a device (about 4 ms).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, MutableMapping

from bodyloop.errors import RenderingError
from bodyloop.sim.egl_devices import list_egl_devices, matching_device

__all__ = [
    "BACKENDS",
    "INSTALL_HINT",
    "REMEDY",
    "choose_backend",
    "egl_device_count",
    "osmesa_available",
    "prepare_environment",
]

BACKENDS = ("egl", "osmesa", "glfw")
"""Values of ``MUJOCO_GL`` that can draw on Linux; ``egl`` and ``osmesa`` need no display."""

DISABLED = ("disable", "disabled", "off", "false", "0")
INSTALL_HINT = "apt-get install libegl1 libgl1 libgl1-mesa-dri libosmesa6"
REMEDY = "; run: "
"""Separates cause and command in the text of a `RenderingError`."""

_EGL_LIBRARY = "libEGL.so.1"
_OSMESA_LIBRARIES = ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so")


def _load(names: tuple[str, ...]) -> ctypes.CDLL | None:
    for name in names:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    return None


def egl_device_count() -> int:
    """Number of EGL devices that can draw without a display; 0 when EGL is missing. Mesa's software device counts."""
    return len(list_egl_devices())


def osmesa_available() -> bool:
    """Whether Mesa's off-screen library loads."""
    return _load(_OSMESA_LIBRARIES) is not None


def choose_backend(
    environ: MutableMapping[str, str],
    *,
    egl_devices: Callable[[], int] = egl_device_count,
    osmesa: Callable[[], bool] = osmesa_available,
) -> str | None:
    """Backend to use: the user's ``MUJOCO_GL`` if set, else egl, else osmesa, else glfw with a display, else None.

    Raises:
        RenderingError: ``MUJOCO_GL`` holds an unknown name.
    """
    wanted = environ.get("MUJOCO_GL", "").strip().lower()
    if wanted:
        if wanted not in (*BACKENDS, *DISABLED):
            raise RenderingError(f"MUJOCO_GL={wanted!r} is not known; use one of {', '.join(BACKENDS)}, or unset it")
        return wanted
    if egl_devices() > 0:
        return "egl"
    if osmesa():
        return "osmesa"
    return "glfw" if environ.get("DISPLAY") else None


def prepare_environment(environ: MutableMapping[str, str] = os.environ) -> None:
    """Set ``MUJOCO_GL``, and EGL's device for a given CUDA device, if the user did not; a missing library is no error.

    A backend that the user asked for but whose library is absent would make ``import mujoco`` itself fail, and with
    it work that draws nothing. MuJoCo is then imported with drawing off; making a renderer reports the problem.
    """
    if sys.platform != "linux":
        return
    chosen = choose_backend(environ)
    if chosen is None:
        return
    environ["MUJOCO_GL"] = chosen
    if chosen == "egl" and environ.get("CUDA_VISIBLE_DEVICES") and "MUJOCO_EGL_DEVICE_ID" not in environ:
        device = matching_device(list_egl_devices(), environ)
        if device is not None:
            environ["MUJOCO_EGL_DEVICE_ID"] = str(device)
    broken = (chosen == "osmesa" and not osmesa_available()) or (chosen == "egl" and _load((_EGL_LIBRARY,)) is None)
    if broken and "mujoco" not in sys.modules:
        environ["MUJOCO_GL"] = "off"
        import mujoco  # noqa: F401

        environ["MUJOCO_GL"] = chosen
