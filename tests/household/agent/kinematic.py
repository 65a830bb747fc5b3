"""Small hand-made homes and a view whose body does exactly what it is told, stopped only by obstacles."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from agent_fakes import episode
from scipy.spatial.transform import Rotation

from bodyloop.body.skeleton import joint_index, rest_positions
from bodyloop.household.actions import parse_action_name
from bodyloop.household.agent.oracle.geometry import FloatArray, forward, leftward, placed_links, wrap
from bodyloop.household.agent.oracle.pursuit import floor_at
from bodyloop.household.agent.oracle.state import commanded
from bodyloop.household.types import FindNavInteractEpisode, SkillCall
from bodyloop.scenes.description import (
    FloorRegion,
    ObjectInstance,
    ObjectTemplate,
    Part,
    Room,
    SceneDescription,
    SeatSurface,
)
from bodyloop.scenes.footprints import part_bounds
from bodyloop.scenes.routes import RouteGrid

PELVIS_M = 0.97


def box(name: str, size: tuple[float, float, float], at: tuple[float, float, float]) -> Part:
    """Full extents, middle of the underside."""
    return Part(name, "box", (size[0] / 2, size[1] / 2, size[2] / 2), (at[0], at[1], at[2] + size[2] / 2), "m")


def seat_template(category: str, width: float, depth: float, height: float) -> ObjectTemplate:
    parts = (
        box("base", (width, depth, height), (0, 0, 0)),
        box("back", (width, 0.12, 0.4), (0, depth / 2 - 0.06, height)),
    )
    seat = SeatSurface((0.0, -0.05, height), (width, depth - 0.15))
    return ObjectTemplate(category, category, parts, (seat,) if category != "chair" else ())


TEMPLATES = {
    "couch": seat_template("couch", 1.8, 0.85, 0.44),
    "bed": ObjectTemplate(
        "bed",
        "bed",
        (box("base", (1.6, 2.0, 0.5), (0, 0, 0)), box("head", (1.6, 0.08, 0.5), (0, 0.96, 0.5))),
        (
            SeatSurface((0.5, -0.2, 0.5), (0.6, 1.2), math.pi / 2),
            SeatSurface((-0.5, -0.2, 0.5), (0.6, 1.2), -math.pi / 2),
        ),
    ),
    "toilet": seat_template("toilet", 0.42, 0.6, 0.42),
    "chair": seat_template("chair", 0.45, 0.5, 0.45),
    "table": ObjectTemplate("table", "table", (box("top", (1.2, 0.5, 0.5), (0, 0, 0)),)),
    "tv": ObjectTemplate("tv", "tv", (box("panel", (0.9, 0.06, 0.55), (0, 0, 0)),)),
    "potted_plant": ObjectTemplate("plant", "potted_plant", (box("pot", (0.35, 0.35, 1.0), (0, 0, 0)),)),
}


def home(
    objects: list[tuple[str, float, float, float, float]],
    *,
    walls: list[tuple[float, float, float, float]] = (),  # type: ignore[assignment]
    extra_floors: list[FloorRegion] = (),  # type: ignore[assignment]
    size: tuple[float, float] = (8.0, 5.0),
    dynamic: tuple[int, ...] = (),
) -> SceneDescription:
    """Objects are (kind, x, y, z, yaw_deg); walls are (x0, y0, x1, y1)."""
    w, d = size
    rim = [(-0.1, -0.1, w + 0.1, 0.0), (-0.1, d, w + 0.1, d + 0.1), (-0.1, 0.0, 0.0, d), (w, 0.0, w + 0.1, d)]
    stage = [
        box(f"wall/{i}", (x1 - x0, y1 - y0, 2.6), ((x0 + x1) / 2, (y0 + y1) / 2, 0.0))
        for i, (x0, y0, x1, y1) in enumerate(rim + list(walls))
    ]
    instances = tuple(
        ObjectInstance(
            i,
            f"{kind}_:{i:04d}",
            kind,
            (x, y, z),
            tuple(Rotation.from_euler("z", yaw, degrees=True).as_quat()),
            "DYNAMIC" if i in dynamic else "STATIC",
            "room",
        )
        for i, (kind, x, y, z, yaw) in enumerate(objects)
    )
    floors = (FloorRegion((0.0, 0.0), (w, d), 0.0), *extra_floors)
    rooms = (Room("room", "living_room", (0.0, 0.0), (w, d), 0.0, "m", "m"),)
    return SceneDescription("hand_made", rooms, tuple(stage), floors, {}, TEMPLATES, instances, ())


def standing_links() -> FloatArray:
    """(22, 3) link origins at yaw 0 above floor 0, arms hanging."""
    rest = rest_positions()
    links = np.stack([rest[:, 0], -rest[:, 2], rest[:, 1] + PELVIS_M], axis=-1)  # body x left, y up, z ahead
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shoulder = links[joint_index(f"{side}_shoulder")]
        links[joint_index(f"{side}_elbow")] = shoulder + np.array([0.04 * sign, 0.0, -0.31])
        links[joint_index(f"{side}_wrist")] = shoulder + np.array([0.06 * sign, -0.04, -0.55])
    return links


@dataclass
class KinematicView:
    """Ideal skill execution; a move ends where the body's axis would come within ``stop_m`` of an obstacle."""

    scene: SceneDescription
    episode: FindNavInteractEpisode
    xy: FloatArray
    yaw: float
    stop_m: float = 0.14
    hidden_walls: tuple[tuple[float, float, float], ...] = ()
    """(x, y, radius) obstacles that no map knows."""
    poses: dict[int, tuple[FloatArray, FloatArray]] = field(default_factory=dict)
    height: float = 0.0
    sat: bool = False
    log: list[tuple[str, float, float]] = field(default_factory=list)
    bumps: int = 0
    carry: float = 0.0

    def __post_init__(self) -> None:
        self._grid = RouteGrid.from_scene(self.scene, body_radius_m=0.2)
        self.height = floor_at(self.scene.floors, self.xy)

    @property
    def goal_object_ids(self) -> tuple[int, ...]:
        category = self.episode.object_category
        return tuple(i.object_id for i in self.scene.instances if self.scene.templates[i.template].category == category)

    def link_positions(self) -> FloatArray:
        links = placed_links(standing_links(), self.xy, np.asarray(self.yaw), np.asarray(self.height))
        return links - np.array([0.0, 0.0, 0.4]) if self.sat else links

    def pelvis_position(self) -> FloatArray:
        return np.array([*self.xy, self.height + PELVIS_M])

    def yaw_rad(self) -> float:
        return self.yaw

    def floor_height(self) -> float:
        return self.height

    def object_poses(self) -> Mapping[int, tuple[FloatArray, FloatArray]]:
        rows = [i for i in self.scene.instances if i.motion_type == "DYNAMIC"]
        own = {i.object_id: (np.asarray(i.position_m), np.asarray(i.rotation_xyzw)) for i in rows}
        return own | self.poses

    def object_box(self, object_id: int) -> tuple[FloatArray, FloatArray]:
        instance = self.scene.instances[object_id]
        position, rotation = self.poses.get(object_id, (instance.position_m, instance.rotation_xyzw))
        bounds = [part_bounds(p, position, rotation) for p in self.scene.templates[instance.template].parts]
        return np.min([b[0] for b in bounds], axis=0), np.max([b[1] for b in bounds], axis=0)

    def target_visible(self, object_id: int) -> bool:
        lower, upper = self.object_box(object_id)
        offset = 0.5 * (lower + upper)[:2] - self.xy
        distance = float(np.linalg.norm(offset))
        if abs(wrap(math.atan2(offset[0], -offset[1]) - self.yaw)) > math.radians(45) or distance > 8:
            return False
        walls = self._grid.coverage == -1
        for t in np.linspace(0.0, 1.0, int(distance / 0.03) + 2):
            cell = self._grid.cell(self.xy + t * offset)
            if cell is not None and walls[cell]:
                return False
        return True

    def pelvis_on_target(self) -> bool:
        if not self.sat:
            return False
        boxes = [self.object_box(goal) for goal in self.goal_object_ids]
        return any(bool(np.all(self.xy >= low[:2] + 0.08) and np.all(self.xy <= high[:2])) for low, high in boxes)

    def execute(self, call: SkillCall) -> None:
        self.log.append((call.action_name or "", *self.xy))
        if call.skill == "sit":
            if not self.sat:
                self.xy = self.xy - 0.36 * forward(self.yaw)
            self.sat = True
            return
        if self.sat:
            self.sat = False
            self.xy = self.xy + 0.36 * forward(self.yaw)
        ahead, left, turn = commanded(call)
        if call.skill in ("step_climb_up", "step_climb_down"):
            self._step(0.17 if call.skill == "step_climb_up" else -0.17)
            return
        if turn:
            self._slide(self.carry * forward(self.yaw))
        self.carry = 0.31 * ahead if call.skill == "walk_forward" else 0.0
        self.yaw = wrap(self.yaw + turn)
        self._slide(ahead * forward(self.yaw) + left * leftward(self.yaw))

    def _step(self, rise: float) -> None:
        edge = floor_at(self.scene.floors, self.xy + 0.30 * forward(self.yaw))
        assert abs(edge - self.height - rise) < 0.02, f"no riser of {rise} m at the feet, {edge - self.height}"
        self.xy = self.xy + 0.30 * forward(self.yaw)
        self.height = edge

    def _slide(self, move: FloatArray) -> None:
        length = float(np.linalg.norm(move))
        count = max(1, int(length / 0.01))
        for _ in range(count):
            there = self.xy + move / count
            here, next_room = self._room(self.xy), self._room(there)
            level = abs(floor_at(self.scene.floors, there) - self.height) < 0.02
            if not level or (next_room < self.stop_m and next_room < here - 1e-9):
                self.bumps += 1
                return
            self.xy = there

    def _room(self, xy: FloatArray) -> float:
        room = min([self._grid_room(xy)] + [math.hypot(xy[0] - x, xy[1] - y) - r for x, y, r in self.hidden_walls])
        return float(room)

    def _grid_room(self, xy: FloatArray) -> float:
        cell = self._grid.cell(xy)
        if cell is None:
            return 0.0
        if self._grid.corridor[cell] >= 0:
            return 1.0
        return float(self._grid.clearance_m[cell])

    def touch_distance(self) -> float:
        links = self.link_positions()
        best = np.inf
        for goal in self.goal_object_ids:
            low, high = self.object_box(goal)
            best = min(best, float(np.linalg.norm(np.maximum(np.maximum(low - links, links - high), 0), axis=1).min()))
        return best


def make_view(
    scene: SceneDescription, category: str, xy: tuple[float, float], yaw_deg: float, **changes: Any
) -> KinematicView:
    label = {"potted_plant": "potted plant", "tv": "TV"}.get(category, category)
    task = episode(category, object_label=label, max_steps=changes.pop("max_steps", 100))
    return KinematicView(scene, task, np.array(xy, dtype=float), math.radians(yaw_deg), **changes)


@dataclass(frozen=True)
class Run:
    """One finished kinematic episode."""

    view: KinematicView
    replies: list[dict[str, Any]]
    visible: list[bool]
    sits: int
    stopped: bool

    @property
    def decisions(self) -> int:
        return len(self.replies)


def run_episode(model: Any, view: KinematicView) -> Run:
    """Drive a privileged model through the view until Stop or the limit."""
    model.attach(view)
    replies, visible, sits = [], [], 0
    for step in range(view.episode.max_steps):
        model.current_episode_step = step
        visible.append(any(view.target_visible(goal) for goal in view.goal_object_ids))
        reply = json.loads(model.respond([{"role": "user", "content": [{"type": "text", "text": "plan"}]}]))
        replies.append(reply)
        call = parse_action_name(reply["action_name"])
        if call.skill == "stand":
            return Run(view, replies, visible, sits, True)
        sits += call.skill == "sit"
        view.execute(call)
    return Run(view, replies, visible, sits, False)
