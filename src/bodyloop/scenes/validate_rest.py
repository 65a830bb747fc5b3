"""Do the objects of a home overlap, rest on something, and stay where they are?"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.scenes.builder import BuiltScene, build_spec
from bodyloop.scenes.description import SceneDescription
from bodyloop.scenes.furniture import KINDS
from bodyloop.sim.boxes import geom_aabbs
from bodyloop.sim.distance import DistanceQuery
from bodyloop.sim.entities import STAGE_ENTITY, EntityTable
from bodyloop.sim.world import World

__all__ = ["RestCheck"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

STEPS: Final = 120
_SAMPLE_STEPS: Final = 6
_NEAR_M: Final = 0.02
_HUNG: Final = ("wall_mounted", "ceiling")


class RestCheck:
    """A compiled home without a body in it."""

    def __init__(self, scene: SceneDescription) -> None:
        built: BuiltScene = build_spec(scene)
        self.scene = scene
        self.world = World(built.spec)
        self.table = EntityTable.build(self.world.model, None, built.objects)
        model = self.world.model
        touched = np.flatnonzero((model.geom_contype | model.geom_conaffinity) != 0).astype(np.int32)
        self.geoms: dict[int, IntArray] = {}
        for entity in np.unique(self.table.geom_entity[touched]):
            self.geoms[int(entity)] = touched[self.table.geom_entity[touched] == entity]
        self.query = DistanceQuery(self.world)
        self.boxes = geom_aabbs(self.world, np.arange(model.ngeom))

    def name(self, geom: int) -> str:
        """Name of a geom."""
        return self.table.geom_names[geom]

    def overlap(self) -> tuple[float, str]:
        """Depth (m) and names of the two pieces of different things that overlap most; 0 where none do."""
        geoms = np.concatenate(list(self.geoms.values()))
        entity, boxes = self.table.geom_entity[geoms], self.boxes[geoms]
        common = np.minimum(boxes[:, None, 3:], boxes[None, :, 3:]) - np.maximum(boxes[:, None, :3], boxes[None, :, :3])
        candidates = np.triu((common.min(axis=2) > 1e-6) & (entity[:, None] != entity[None, :]))
        worst, names = 0.0, ""
        for row, column in np.argwhere(candidates):
            depth = -self.query.pair(int(geoms[row]), int(geoms[column])).distance_m
            if depth > worst:
                worst, names = depth, f"{self.name(int(geoms[row]))} in {self.name(int(geoms[column]))}"
        return worst, names

    def support_gaps(self) -> dict[str, float]:
        """Height (m) of the lowest point of every standing object above what carries it, by name; negative below."""
        gaps = {}
        for instance in self.scene.instances:
            kind = KINDS.get(instance.template.rsplit("-", 1)[0])
            if kind is None or kind.placement not in _HUNG:
                gaps[instance.name] = self._support_gap(instance.object_id)
        return gaps

    def _support_gap(self, object_id: int) -> float:
        lower, upper = self._object_box(object_id)
        heights = [
            region.height_m
            for region in self.scene.floors
            if np.all(lower[:2] < region.upper_m) and np.all(upper[:2] > region.lower_m)
        ]
        carriers = [ids for entity, ids in self.geoms.items() if entity not in (object_id, STAGE_ENTITY)]
        others = np.concatenate([np.empty(0, dtype=np.int32), *carriers])
        below = self.boxes[others]
        under = np.all((lower[:2] < below[:, 3:5]) & (upper[:2] > below[:, :2]), axis=1)
        heights.extend(below[under, 5].tolist())
        gap = min((lower[2] - height for height in heights), key=abs, default=np.inf)
        return min(gap, self._contact_gap(object_id, others[under], float(lower[2])), key=abs)

    def _contact_gap(self, object_id: int, others: IntArray, bottom_m: float) -> float:
        """Distance to what touches the object near its lowest point, for tops that are not flat."""
        if object_id not in self.geoms or not len(others):
            return float(np.inf)
        found = self.query.between(self.geoms[object_id], others, max_distance_m=_NEAR_M)
        near = found.geom_a >= 0 and found.point_a_m[2] <= bottom_m + _NEAR_M
        return max(found.distance_m, 0.0) if near else float(np.inf)

    def _object_box(self, object_id: int) -> tuple[FloatArray, FloatArray]:
        """Corners (3,) of everything that is seen or touched of an object."""
        boxes = self.boxes[self.table.geoms_of(object_id)]
        return boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)

    def motions(self) -> dict[str, float]:
        """Farthest way (m) of any piece of every movable object during the first second, by name."""
        start = self.world.data.geom_xpos.copy()
        farthest = np.zeros(len(start))
        snapshot = self.world.snapshot()
        for _ in range(STEPS // _SAMPLE_STEPS):
            self.world.step(_SAMPLE_STEPS)
            self.world.forward()
            farthest = np.maximum(farthest, np.linalg.norm(self.world.data.geom_xpos - start, axis=1))
        self.world.restore(snapshot)
        names = self.table.object_names
        return {names[entity]: float(farthest[self.geoms[entity]].max()) for entity in sorted(self.table.dynamic_ids)}
