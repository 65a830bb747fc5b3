"""Render the README's pictures: a person walking in a home, from outside and through their own eyes.

python tools/make_pictures.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from bodyloop.body.layout import xb75_to_pose
from bodyloop.household.dataset import open_dataset
from bodyloop.household.envs.cameras import ego_camera, exo_camera
from bodyloop.household.envs.runtime import SceneRuntime
from bodyloop.household.profile import load_household_profile
from bodyloop.motion.analytic import AnalyticGenerator
from bodyloop.motion.runner import MotionSkillRunner
from bodyloop.sim.cameras import EGO_GROUPS, EXO_GROUPS
from bodyloop.sim.rays import cast_ray

HOME, PLACE, YAW_DEG = "home_01", (-2.5, 1.2, 0.0), -160.0
SIZE = 640


def main(folder: Path) -> None:
    """Write ``home_exo.png`` and ``home_ego.png``."""
    profile = load_household_profile("homes_v1")
    profile = profile.model_copy(update={"rendering": profile.rendering.model_copy(update={"quality": "fine"})})
    runtime = SceneRuntime(open_dataset("homes_v1").load_scene(HOME), profile)
    motion = MotionSkillRunner(AnalyticGenerator())
    motion.reset(PLACE, YAW_DEG)
    pose = xb75_to_pose(motion.generate("walk_forward", [0.0, 0.4, 0.0]).xb_world_75).frame(7)
    human = runtime.human
    human.place(pose.transl, pose.global_orient, pose.body_pose)
    runtime.settle_lights()
    renderer = runtime.renderer(SIZE, SIZE)
    position, rotation = human.root_pose()
    eye, axes = human.eye_pose(profile.rendering.ego_forward_offset_m)
    boom = exo_camera(
        position,
        rotation[:, 2],
        profile.rendering,
        lambda origin, direction: cast_ray(runtime.world, origin, direction, geomgroups=(0,))[0],
    )
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(renderer.rgb(boom, EXO_GROUPS)).save(folder / "home_exo.png", optimize=True)
    Image.fromarray(renderer.rgb(ego_camera(eye, axes, profile.rendering), EGO_GROUPS)).save(
        folder / "home_ego.png", optimize=True
    )
    runtime.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs" / "pictures")
