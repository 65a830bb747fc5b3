from __future__ import annotations

import sys

import pytest

from bodyloop.errors import RenderingError
from bodyloop.sim.backend import choose_backend, egl_device_count, prepare_environment


def never() -> bool:
    raise AssertionError("must not be looked at")


@pytest.mark.parametrize("name", ["egl", "osmesa", "glfw", "off", " EGL "])
def test_the_users_choice_wins(name: str) -> None:
    assert choose_backend({"MUJOCO_GL": name}, egl_devices=never, osmesa=never) == name.strip().lower()


@pytest.mark.parametrize(
    ("devices", "osmesa", "display", "expected"),
    [
        (1, False, "", "egl"),
        (2, True, ":0", "egl"),
        (0, True, ":0", "osmesa"),
        (0, False, ":0", "glfw"),
        (0, False, "", None),
    ],
)
def test_order_of_preference(devices: int, osmesa: bool, display: str, expected: str | None) -> None:
    environ = {"DISPLAY": display} if display else {}
    assert choose_backend(environ, egl_devices=lambda: devices, osmesa=lambda: osmesa) == expected


def test_unknown_names_are_refused() -> None:
    with pytest.raises(RenderingError, match="'vulkan' is not known; use one of egl, osmesa, glfw"):
        choose_backend({"MUJOCO_GL": "vulkan"})


@pytest.mark.skipif(sys.platform != "linux", reason="the choice is made on Linux only")
def test_environment_is_set_once() -> None:
    environ: dict[str, str] = {}
    prepare_environment(environ)
    chosen = dict(environ)
    assert chosen.get("MUJOCO_GL") == choose_backend({})
    prepare_environment(environ)
    assert environ == chosen


def test_counting_devices_is_harmless() -> None:
    assert egl_device_count() == egl_device_count() >= 0
