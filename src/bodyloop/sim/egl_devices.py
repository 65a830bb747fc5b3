"""EGL devices: what there is to draw with, and which one belongs to the CUDA device of this process."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["EGLDevice", "list_egl_devices", "matching_device"]

_LIBRARY = "libEGL.so.1"
_MAX_DEVICES = 32
_EXTENSIONS, _VENDOR, _DRM_FILE, _CUDA_DEVICE = 0x3055, 0x3053, 0x3233, 0x323A


@dataclass(frozen=True)
class EGLDevice:
    """One entry of EGL's device list."""

    index: int
    """Value for ``MUJOCO_EGL_DEVICE_ID``; not the CUDA index."""
    software: bool
    vendor: str = ""
    drm_file: str = ""
    cuda_index: int | None = None

    def __str__(self) -> str:
        if self.software:
            return f"{self.index}: software"
        parts = [self.vendor or "hardware", self.drm_file]
        if self.cuda_index is not None:
            parts.append(f"CUDA {self.cuda_index}")
        return f"{self.index}: {', '.join(part for part in parts if part)}"


def list_egl_devices() -> tuple[EGLDevice, ...]:
    """All EGL devices in EGL's order; empty when EGL or its device extension is missing. Makes no context."""
    try:
        library = ctypes.CDLL(_LIBRARY)
        library.eglGetProcAddress.restype = ctypes.c_void_p
        library.eglGetProcAddress.argtypes = [ctypes.c_char_p]
        addresses = [library.eglGetProcAddress(name) for name in (b"eglQueryDevicesEXT", b"eglQueryDeviceStringEXT")]
        attribute_address = library.eglGetProcAddress(b"eglQueryDeviceAttribEXT")
    except (OSError, AttributeError):
        return ()
    if not all(addresses):
        return ()
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(addresses[0])
    text = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int)(addresses[1])
    attribute = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(attribute_address or 0)
    handles, count = (ctypes.c_void_p * _MAX_DEVICES)(), ctypes.c_int()
    if not query(_MAX_DEVICES, handles, ctypes.byref(count)):
        return ()

    def describe(index: int) -> EGLDevice:
        extensions = (text(handles[index], _EXTENSIONS) or b"").decode().split()
        vendor = drm = b""
        cuda = None
        if "EGL_EXT_device_query_name" in extensions:
            vendor = text(handles[index], _VENDOR) or b""
        if "EGL_EXT_device_drm" in extensions:
            drm = text(handles[index], _DRM_FILE) or b""
        if "EGL_NV_device_cuda" in extensions and attribute_address:
            value = ctypes.c_ssize_t(-1)
            if attribute(handles[index], _CUDA_DEVICE, ctypes.byref(value)):
                cuda = value.value
        software = "EGL_MESA_device_software" in extensions
        return EGLDevice(index, software, vendor.decode(), drm.decode(), cuda)

    return tuple(describe(index) for index in range(count.value))


def matching_device(devices: Sequence[EGLDevice], environ: Mapping[str, str]) -> int | None:
    """EGL index of the GPU that ``CUDA_VISIBLE_DEVICES`` gives to this process first; None without a clear answer.

    EGL numbers devices in its own order and knows nothing of that variable, so without this choice all workers
    would draw on the first GPU.
    """
    first = environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip()
    with contextlib.suppress(ValueError):
        wanted = int(first)
        return next((device.index for device in devices if device.cuda_index == wanted), None)
    return None
