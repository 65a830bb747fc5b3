"""``python -m bodyloop.sim.gl_probe``: draw a small scene and tell about it in one JSON line.

Run as a child process, so that a driver that crashes or hangs takes nothing else with it.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from dataclasses import asdict
from typing import Any

import numpy as np

import bodyloop.sim  # noqa: F401  picks the GL backend before MuJoCo is imported
from bodyloop.errors import BodyloopError

__all__ = ["REFERENCE_GREYS", "measure"]

SIZE = 448
SECONDS = 0.5
SCENE = """
<mujoco>
  <visual><headlight ambient=".3 .3 .3" diffuse=".3 .3 .3" specular="0 0 0"/></visual>
  <asset>
    <texture name="squares" type="2d" builtin="checker" rgb1=".8 .6 .4" rgb2=".3 .2 .1" width="256" height="256"/>
    <material name="floor" texture="squares" texrepeat="6 6" specular="0"/>
  </asset>
  <worldbody>
    <light type="directional" pos="0 0 4" dir=".3 .2 -1" diffuse=".5 .5 .5" specular="0 0 0"/>
    <geom type="box" size="3 3 .05" pos="0 0 -.05" material="floor"/>
    <geom type="box" size=".4 .4 .4" pos=".6 .6 .4" rgba=".8 .2 .2 1"/>
    <geom type="sphere" size=".4" pos="-.6 .5 .4" rgba=".2 .7 .3 1"/>
    <geom type="capsule" size=".2 .4" pos="0 -.5 .6" rgba=".2 .3 .9 1"/>
  </worldbody>
</mujoco>
"""
REFERENCE_GREYS = ((0, 0, 0, 0), (31, 51, 43, 30), (93, 93, 89, 92), (93, 91, 91, 89))
"""Mean grey level of a 4 x 4 grid of the picture, as drawn by Mesa's software rasteriser."""


def measure() -> dict[str, Any]:
    """Who draws, frames a second at 448 x 448, hash and mean grey levels of the picture.

    Raises:
        RenderingError: nothing can be drawn.
    """
    import mujoco

    from bodyloop.sim.cameras import CameraPose, Renderer
    from bodyloop.sim.gl import gl_info
    from bodyloop.sim.world import World

    info = gl_info()
    pose = CameraPose.looking_at((2.2, -2.6, 2.0), (0, 0, 0.3), 60)
    with Renderer(World(mujoco.MjSpec.from_string(SCENE)), SIZE, SIZE) as renderer:
        picture = renderer.rgb(pose)
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < SECONDS:
            renderer.rgb(pose)
            count += 1
        rate = count / (time.perf_counter() - start)
    greys = np.rint(picture.reshape(4, SIZE // 4, 4, SIZE // 4, 3).mean(axis=(1, 3, 4))).astype(int)
    digest = hashlib.sha256(picture.tobytes()).hexdigest()
    return {**asdict(info), "software": info.software, "fps": rate, "sha256": digest, "greys": greys.tolist()}


def main() -> int:
    """Write the JSON line; ``{"error": ...}`` when nothing can be drawn."""
    try:
        result: dict[str, Any] = measure()
    except BodyloopError as error:
        result = {"error": str(error)}
    sys.stdout.write(json.dumps(result) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
