"""Cost of the simulation layer, in CPU milliseconds a call: ``python benchmarks/sim.py``."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bodyloop.body.humanoid import add_humanoid
from bodyloop.scenes.bare_room import bare_room
from bodyloop.scenes.builder import build_spec
from bodyloop.sim.cameras import EXO_GROUPS, CameraPose, Renderer
from bodyloop.sim.contacts import contact_arrays
from bodyloop.sim.distance import DistanceQuery
from bodyloop.sim.gl import gl_info
from bodyloop.sim.rays import cast_ray
from bodyloop.sim.video import VideoWriter
from bodyloop.sim.world import World

EGO = CameraPose((0.0, -0.2, 1.5), (0.0, -0.788, -0.616), (0.0, -0.616, 0.788), 100.0)
EXO = CameraPose.looking_at((0.9, 1.2, 1.8), (0.0, 0.0, 1.0), 60.0)


def cost(call: Callable[[], object], repeats: int) -> tuple[float, float]:
    """CPU and wall milliseconds a call."""
    call()
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.process_time() - cpu) / repeats * 1e3, (time.perf_counter() - wall) / repeats * 1e3


def show(name: str, call: Callable[[], object], repeats: int = 50) -> None:
    """Print one line."""
    cpu, wall = cost(call, repeats)
    print(f"{name:<40} {cpu:9.3f} cpu-ms {wall:9.3f} ms")


def bench_pictures() -> np.ndarray:
    """Both qualities; returns a picture for the encoder."""
    picture = np.zeros((448, 448, 3), dtype=np.uint8)
    for quality in ("fast", "fine"):
        built = build_spec(bare_room(), quality=quality)
        add_humanoid(built.spec)
        world = World(built.spec)
        with Renderer(world, 448, 448, quality) as ego, Renderer(world, 512, 512, quality) as exo:
            show(f"ego 448, {quality}", lambda ego=ego: ego.rgb(EGO), 20)
            show(f"ego segmentation 448, {quality}", lambda ego=ego: ego.segmentation(EGO), 20)
            show(f"exo 512, {quality}", lambda exo=exo: exo.rgb(EXO, EXO_GROUPS), 20)
            picture = ego.rgb(EGO)
    return picture


def main() -> None:
    """Print the table."""
    info = gl_info()
    print(f"{info.backend}: {info.renderer}{' (software)' if info.software else ''}")
    built = build_spec(bare_room())
    add_humanoid(built.spec)
    world = World(built.spec)
    print(f"bare room with a body: {world.model.ngeom} geoms, nv {world.model.nv}")
    groups = world.model.geom_group
    names = [world.model.geom(geom).name for geom in range(world.model.ngeom)]
    touched = [geom for geom in np.flatnonzero(groups == 3) if not names[geom].startswith("stage/")]
    body = [geom for geom in touched if names[geom].startswith("human/")]
    things = [geom for geom in touched if geom not in body]
    query = DistanceQuery(world)
    show("4 steps", lambda: world.step(4))
    show("forward", world.forward)
    show("contacts", lambda: contact_arrays(world))
    show("contacts with forces", lambda: contact_arrays(world, forces=True))
    show("snapshot", world.snapshot)
    saved = world.snapshot()
    show("restore", lambda: world.restore(saved))
    show("state hash", world.state_hash)
    show("ray", lambda: cast_ray(world, (0, 0, 1.6), (0.3, -1, -0.4)))
    show(f"distance, {len(body)} x {len(things)} geoms", lambda: query.between(body, things))
    picture = bench_pictures()
    with tempfile.TemporaryDirectory() as folder, VideoWriter(Path(folder) / "a.mp4", 30, 448, 448) as writer:
        show("video frame 448, medium", lambda: writer.append(picture))


if __name__ == "__main__":
    main()
