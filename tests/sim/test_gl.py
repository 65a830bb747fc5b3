from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading

import pytest

from bodyloop.errors import RenderingError
from bodyloop.sim.cameras import CameraPose, Renderer
from bodyloop.sim.gl import GLInfo, gl_info, gl_session

POSE = CameraPose((0, 0, 0), (1, 0, 0), (0, 0, 1), 60)


def test_one_session_and_who_draws() -> None:
    assert gl_session() is gl_session()
    info = gl_info()
    assert info.backend in ("egl", "osmesa", "glfw", "darwin", "win32")
    assert info.vendor
    assert info.renderer
    assert info.version


@pytest.mark.parametrize(
    ("renderer", "software"),
    [("llvmpipe (LLVM 15.0.6, 256 bits)", True), ("softpipe", True), ("NVIDIA GeForce RTX 4090/PCIe/SSE2", False)],
)
def test_software_rendering_is_recognised(renderer: str, software: bool) -> None:
    assert GLInfo("egl", "x", renderer, "4.5").software is software


def test_render_contexts_are_counted_and_freed(make_world) -> None:
    gc.collect()
    session, world = gl_session(), make_world('<geom size=".1"/>')
    session._free_unused()
    before = len(session._contexts)
    first, second = Renderer(world, 8, 8), Renderer(world, 16, 16)
    fine = Renderer(world, 8, 8, "fine")
    assert len(session._contexts) == before + 2
    first.close()
    assert len(session._contexts) == before + 2
    second.rgb(POSE)
    second.close()
    assert len(session._contexts) == before + 1
    del fine
    gc.collect()
    assert len(session._contexts) == before


def in_thread(work) -> BaseException | None:
    caught: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except RenderingError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return caught[0] if caught else None


def test_other_threads_are_refused_and_do_no_harm(make_world) -> None:
    world = make_world('<geom size=".1" pos="1 0 0"/>')
    renderer = Renderer(world, 8, 8)
    before = renderer.segmentation(POSE)
    for work in (lambda: renderer.rgb(POSE), lambda: Renderer(world, 8, 8)):
        assert "another thread" in str(in_thread(work))
    assert (renderer.segmentation(POSE) == before).all()
    assert in_thread(renderer.close) is None
    Renderer(world, 8, 8).close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_forked_processes_are_refused(make_world) -> None:
    renderer = Renderer(make_world('<geom size=".1"/>'), 8, 8)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            renderer.rgb(POSE)
        except RenderingError as error:
            code = 0 if "fork" in str(error) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    renderer.rgb(POSE)


PHYSICS_THEN_PICTURE = """
import bodyloop.sim, mujoco
from bodyloop.errors import RenderingError
from bodyloop.sim.world import World
from bodyloop.sim.cameras import Renderer
world = World(mujoco.MjSpec.from_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"))
world.step()
try:
    Renderer(world, 8, 8)
except RenderingError as error:
    print(error)
"""


def child(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={**os.environ, **environ}
    )


@pytest.mark.skipif(sys.platform != "linux", reason="device selection of EGL on Linux")
def test_a_backend_that_fails_says_what_to_install() -> None:
    done = child(PHYSICS_THEN_PICTURE, MUJOCO_GL="egl", MUJOCO_EGL_DEVICE_ID="99")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "no OpenGL context with MUJOCO_GL='egl'" in done.stdout
    assert "; run: apt-get install libegl1" in done.stdout
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="MUJOCO_GL=off on Linux")
def test_physics_works_with_rendering_switched_off() -> None:
    done = child(PHYSICS_THEN_PICTURE, MUJOCO_GL="off")
    assert (done.returncode, done.stderr) == (0, "")
    assert "switched off by MUJOCO_GL='off'" in done.stdout


MISSING_OSMESA = """
import bodyloop.sim.backend as backend
import sys, os
for name in [n for n in sys.modules if n.startswith("mujoco")]:
    del sys.modules[name]
os.environ["MUJOCO_GL"] = "osmesa"
backend.osmesa_available = lambda: False
backend.prepare_environment()
import mujoco
print(os.environ["MUJOCO_GL"], hasattr(mujoco, "GLContext"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="osmesa on Linux")
def test_a_missing_library_does_not_break_importing_mujoco() -> None:
    done = child(MISSING_OSMESA)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["osmesa", "False"]


def test_a_context_made_in_a_thread_ends_without_a_traceback() -> None:
    code = """
import threading, bodyloop.sim, mujoco
from bodyloop.sim.world import World
from bodyloop.sim.cameras import CameraPose, Renderer
world = World(mujoco.MjSpec.from_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"))
kept = []
def draw():
    kept.append(Renderer(world, 8, 8))
    kept[0].rgb(CameraPose((1, 0, 0), (-1, 0, 0), (0, 0, 1), 60))
thread = threading.Thread(target=draw)
thread.start()
thread.join()
print("drawn")
"""
    done = child(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "drawn\n", "")
