"""The one OpenGL context of a process, and the MuJoCo render contexts that live in it.

The context is made when the first renderer is, stays until the process ends, and belongs to the thread and process
that made it. Renderers of the same model and quality share one MuJoCo render context (textures, meshes, buffers).
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any, Literal

import mujoco

from bodyloop.errors import RenderingError
from bodyloop.sim.backend import DISABLED, INSTALL_HINT, REMEDY, egl_device_count, osmesa_available

__all__ = ["GLInfo", "GLSession", "Quality", "RenderContext", "gl_info", "gl_session"]

Quality = Literal["fast", "fine"]

_SAMPLES: dict[str, int] = {"fast": 0, "fine": 4}
_SHADOW_MAP: dict[str, int] = {"fast": 0, "fine": 2048}
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software", "swiftshader")


@dataclass(frozen=True)
class GLInfo:
    """Who draws."""

    backend: str
    vendor: str
    renderer: str
    version: str

    @property
    def software(self) -> bool:
        """Whether the CPU draws."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)


class RenderContext:
    """A MuJoCo render context: one per model and quality, shared and counted by `GLSession`."""

    def __init__(self, model: mujoco.MjModel, quality: Quality, width: int, height: int) -> None:
        self.model = model
        self.quality = quality
        self.users = 0
        self.context: mujoco.MjrContext = self._make(width, height)

    def _make(self, width: int, height: int) -> mujoco.MjrContext:
        """Buffer sizes are read from the model; it is left as it was."""
        look, size = self.model.vis.quality, self.model.vis.global_
        before = (look.offsamples, look.shadowsize, size.offwidth, size.offheight)
        look.offsamples, look.shadowsize = _SAMPLES[self.quality], _SHADOW_MAP[self.quality]
        size.offwidth, size.offheight = width, height
        try:
            return mujoco.MjrContext(self.model, int(mujoco.mjtFontScale.mjFONTSCALE_100))
        finally:
            look.offsamples, look.shadowsize, size.offwidth, size.offheight = before

    def select(self, width: int, height: int) -> None:
        """Make this context's off-screen buffer the target, at least this large."""
        context = self.context
        if width > context.offWidth or height > context.offHeight:
            mujoco.mjr_resizeOffscreen(max(width, context.offWidth), max(height, context.offHeight), context)
        mujoco.mjr_setBuffer(int(mujoco.mjtFramebuffer.mjFB_OFFSCREEN), context)


class GLSession:
    """The GL context; use `gl_session` to get the one of this process."""

    def __init__(self) -> None:
        self.backend = os.environ.get("MUJOCO_GL", "").strip().lower() if sys.platform == "linux" else sys.platform
        self._process, self._thread = os.getpid(), threading.get_ident()
        self._contexts: dict[tuple[int, str], RenderContext] = {}
        self._gl: Any = _make_context(self.backend)
        self.use()
        self.info = GLInfo(self.backend, *_strings())
        atexit.register(self.close)

    def use(self) -> None:
        """Make the context current.

        Raises:
            RenderingError: called from another thread or a forked process, or after `close`.
        """
        if self._gl is None:
            raise RenderingError("the OpenGL context of this process is closed")
        if os.getpid() != self._process:
            raise RenderingError(
                "the OpenGL context was made before a fork; start worker processes by spawn, or render only in them"
            )
        if threading.get_ident() != self._thread:
            raise RenderingError(
                "the OpenGL context belongs to another thread; render in the thread that rendered first"
            )
        self._gl.make_current()

    def acquire(self, model: mujoco.MjModel, quality: Quality, width: int, height: int) -> RenderContext:
        """The render context of a model, made when it is the first user; give it back with `release`."""
        self.use()
        self._free_unused()
        key = (id(model), quality)
        if key not in self._contexts:
            try:
                self._contexts[key] = RenderContext(model, quality, width, height)
            except mujoco.FatalError as error:
                raise RenderingError(
                    f"MuJoCo cannot draw with {self.info.renderer} ({self.backend}): {error}"
                ) from error
        self._contexts[key].users += 1
        return self._contexts[key]

    def release(self, shared: RenderContext) -> None:
        """Count one user less; the last one frees the memory, at the next `acquire` if this is another thread."""
        shared.users -= 1
        if threading.get_ident() == self._thread:
            self._free_unused()

    def _free_unused(self) -> None:
        if self._gl is None or os.getpid() != self._process:
            return
        self.use()
        for key in [key for key, shared in self._contexts.items() if shared.users == 0]:
            self._contexts.pop(key).context.free()

    def close(self) -> None:
        """Free everything; runs by itself when the process ends."""
        if self._gl is None:
            return
        if os.getpid() == self._process and threading.get_ident() == self._thread:
            self._gl.make_current()
            for shared in self._contexts.values():
                shared.context.free()
            self._gl.free()
        else:
            # Another thread still owns the context, so it cannot be made current here: the driver frees it.
            self._gl._context = None
        self._contexts.clear()
        self._gl = None


def _make_context(backend: str) -> Any:
    _check_libraries(backend)
    try:
        if backend == "egl":
            from mujoco.egl import GLContext
        elif backend == "osmesa":
            from mujoco.osmesa import GLContext
        elif backend == "glfw":
            from mujoco.glfw import GLContext
        else:
            from mujoco import GLContext
        _silence_deleter(GLContext)
        return GLContext(1, 1)
    except Exception as error:  # drivers and PyOpenGL fail in many ways (ImportError, AttributeError, GLError, ...)
        text = " ".join(str(error).split()) or type(error).__name__
        other = "egl" if backend == "osmesa" else "osmesa"
        raise RenderingError(
            f"no OpenGL context with MUJOCO_GL={backend!r} ({text[:200]}){REMEDY}{INSTALL_HINT}, or set MUJOCO_GL={other}"
        ) from error


def _check_libraries(backend: str) -> None:
    """Say plainly what is missing, where the failing import would not."""
    if backend in DISABLED:
        raise RenderingError(f"rendering is switched off by MUJOCO_GL={backend!r}{REMEDY}unset MUJOCO_GL")
    if sys.platform != "linux":
        return
    if backend == "":
        raise RenderingError(f"no OpenGL library for drawing without a display{REMEDY}{INSTALL_HINT}")
    if backend == "osmesa" and not osmesa_available():
        raise RenderingError(f"MUJOCO_GL='osmesa', but libOSMesa is missing{REMEDY}apt-get install libosmesa6")
    if backend == "egl" and not egl_device_count():
        command = "apt-get install libegl1 libgl1 libgl1-mesa-dri"
        raise RenderingError(f"MUJOCO_GL='egl', but EGL is missing or lists no device{REMEDY}{command}")


def _silence_deleter(context_class: Any) -> None:
    """A context that failed half-way, or outlives its driver, must not print a traceback from its deleter."""
    deleter = context_class.__del__

    def safe(context: Any) -> None:
        with contextlib.suppress(Exception):
            deleter(context)

    context_class.__del__ = safe


def _strings() -> tuple[str, str, str]:
    from OpenGL import GL

    def text(name: Any) -> str:
        value = GL.glGetString(name)
        return value.decode(errors="replace") if value else "unknown"

    return text(GL.GL_VENDOR), text(GL.GL_RENDERER), text(GL.GL_VERSION)


@functools.cache
def gl_session() -> GLSession:
    """The GL context of this process, made on first use.

    Raises:
        RenderingError: no context can be made; the message names the packages to install.
    """
    return GLSession()


def gl_info() -> GLInfo:
    """Backend, vendor, renderer string and version; makes the context if there is none yet.

    Raises:
        RenderingError: as `gl_session`.
    """
    return gl_session().info
