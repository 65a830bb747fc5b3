"""What a measurement may read of a household frame; single-body, so N = 1.

Declared once here; an array is computed only when a measurement asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.errors import UnknownNameError
from bodyloop.evaluation.context import ContextField, ContextSchema
from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv

__all__ = ["HOUSEHOLD_CONTEXT", "FrameContext"]

Array = npt.NDArray[np.float64]

_ENV = "household.envs"
HOUSEHOLD_CONTEXT: Final = ContextSchema(
    [
        ContextField("body.link_positions", ("N", 22, 3), "float64", "m", _ENV, "Link origins, trajectory frame."),
        ContextField("body.link_velocities", ("N", 22, 3), "float64", "m/s", _ENV, "Velocities of the link origins."),
        ContextField(
            "body.joint_velocities", ("N", 21, 3), "float64", "rad/s", _ENV, "Joint velocities, child frames."
        ),
        ContextField("body.root_position", ("N", 3), "float64", "m", _ENV, "Pelvis position, trajectory frame."),
        ContextField("target.distance", ("N",), "float64", "m", _ENV, "Nearest link origin to nearest target box."),
        ContextField("contact.count", ("N",), "float64", "-", _ENV, "Contacts of the body with anything else."),
        ContextField("contact.penetration", ("N",), "float64", "m", _ENV, "Deepest penetration of the body."),
    ]
)


class FrameContext(Mapping[str, Array]):
    """Lazy context of the environment's current frame; each value is computed at most once."""

    def __init__(self, env: FindNavInteractEnv) -> None:
        self._env = env
        self._values: dict[str, Array] = {}
        human = env.runtime.human
        self._producers: Mapping[str, Callable[[], Array]] = {
            "body.link_positions": lambda: human.link_positions()[None],
            "body.link_velocities": lambda: human.link_velocities()[0][None],
            "body.joint_velocities": lambda: human.joint_velocities()[None],
            "body.root_position": lambda: human.link_positions()[:1],
            "target.distance": lambda: np.array([env.metric_target_geometry()["body_target_aabb_distance_m"]]),
            "contact.count": lambda: np.array([float(len(env.reset_contacts().link))]),
            "contact.penetration": lambda: np.array([-min(0.0, *env.reset_contacts().distance_m, 0.0)]),
        }

    def __getitem__(self, path: str) -> Array:
        if path not in self._producers:
            raise UnknownNameError("context path", path, self._producers)
        if path not in self._values:
            self._values[path] = np.asarray(self._producers[path](), dtype=np.float64)
        return self._values[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._producers)

    def __len__(self) -> int:
        return len(self._producers)
