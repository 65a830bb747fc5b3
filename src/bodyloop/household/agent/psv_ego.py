"""The agent as the evaluator sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from bodyloop.household.agent.history import HistoryItem
from bodyloop.household.agent.image import EgoImage
from bodyloop.household.agent.planner import PlannerOptions, PSVPlanSkillPlanner
from bodyloop.household.types import FindNavInteractEpisode, PlannerResult
from bodyloop.models.base import Model

__all__ = ["PSVEgoAgent"]

RgbImage = npt.NDArray[np.uint8] | Image.Image


class PSVEgoAgent:
    """Ego-view agent: one picture and a bounded text history in, one skill out."""

    def __init__(
        self, model: Model, options: PlannerOptions | None = None, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.model = model
        self.planner = PSVPlanSkillPlanner(model, options or PlannerOptions(), sleep)

    def reset(self, episode: FindNavInteractEpisode) -> None:
        """Start an episode; a model with a ``reset`` of its own is told as well."""
        self.planner.reset(episode)
        reset: Any = getattr(self.model, "reset", None)
        if callable(reset):
            reset(episode)

    def act(self, image: RgbImage, history: Sequence[HistoryItem], images: Sequence[RgbImage] = ()) -> PlannerResult:
        """Decide on the current (H, W, 3) uint8 view and the history items so far."""
        return self.planner.act(EgoImage(image), history, [EgoImage(earlier) for earlier in images])
