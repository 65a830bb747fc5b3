"""The oracle on hand-made homes with a body that does what it is told: find, go, touch or sit, stop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from agent_fakes import episode
from kinematic import FloorRegion, KinematicView, Run, home, make_view, run_episode

from bodyloop.household.agent.oracle import OracleModel
from bodyloop.household.agent.oracle.geometry import FloatArray, wrap
from bodyloop.scenes.routes import RouteGrid

SITTING = ("bed", "couch", "toilet")
CATEGORIES = ("chair", "couch", "tv", "potted_plant", "toilet", "bed")

TWO_ROOMS = home(
    [
        ("couch", 6.5, 4.5, 0, 0),
        ("chair", 1.0, 4.0, 0, 30),
        ("table", 6.0, 0.35, 0, 180),
        ("tv", 6.0, 0.35, 0.5, 180),
        ("potted_plant", 7.6, 2.5, 0, 0),
        ("toilet", 0.5, 0.5, 0, 90),
        ("bed", 4.6, 3.9, 0, 0),
        ("chair", 5.5, 2.0, 0, 10),
    ],
    walls=[(3.0, 0, 3.1, 1.8), (3.0, 2.75, 3.1, 5.0)],
    dynamic=(1, 7),
)
RAISED = home(
    [
        ("couch", 6.8, 4.5, 0.51, 0),
        ("chair", 7.5, 2.0, 0.51, 270),
        ("table", 6.0, 0.35, 0.51, 180),
        ("tv", 6.0, 0.4, 1.01, 180),
        ("potted_plant", 0.4, 2.5, 0, 0),
        ("toilet", 7.6, 0.7, 0.51, -90),
        ("bed", 1.4, 3.9, 0, 0),
    ],
    walls=[(3.95, 3.0, 4.6, 5.0)],
    extra_floors=[
        FloorRegion((4.0, 0.0), (4.3, 3.0), 0.17, "tread"),
        FloorRegion((4.3, 0.0), (4.6, 3.0), 0.34, "tread"),
        FloorRegion((4.6, 0.0), (8.0, 5.0), 0.51),
    ],
)


@dataclass
class NoisyView(KinematicView):
    """Skills are off by up to 8 %, a centimetre and three degrees."""

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def _slide(self, move: FloatArray) -> None:
        self.yaw = wrap(self.yaw + math.radians(self.rng.uniform(-3, 3)))
        if move.any():
            move = move * (1 + self.rng.uniform(-0.08, 0.08)) + self.rng.normal(0, 0.01, 2)
        super()._slide(move)


def assert_success(run: Run) -> None:
    category = run.view.episode.object_category
    assert run.stopped
    assert run.decisions <= 60
    assert any(reply["target_visible"] for reply in run.replies)
    if category in SITTING:
        assert run.sits >= 3
        assert run.view.pelvis_on_target()
        assert run.replies[-1]["additional_info"] == {"stop_after_sit": True}
        flagged = [r["action_name"] for r in run.replies if r["additional_info"].get("turn_for_sit")]
        assert all(name.startswith("Turn") for name in flagged)
    else:
        assert run.view.touch_distance() <= 0.2
    assert run.replies[-1]["mid_level_goal"] == "Stop/Stand"


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("scene", [TWO_ROOMS, RAISED], ids=["two rooms", "raised floor"])
def test_every_category_from_many_places(scene: object, category: str) -> None:
    points = RouteGrid.from_scene(scene, body_radius_m=0.3).free_points()  # type: ignore[arg-type]
    rng = np.random.default_rng(len(category))
    for seed in range(4):
        xy = points[rng.integers(len(points)), :2]
        task = episode(category, object_label=category)
        yaw = float(rng.uniform(-math.pi, math.pi))
        view = NoisyView(scene, task, xy.copy(), yaw, rng=np.random.default_rng(seed))  # type: ignore[arg-type]
        assert_success(run_episode(OracleModel(), view))


def test_risers_are_taken_one_chunk_each_and_squarely() -> None:
    up = run_episode(OracleModel(), make_view(RAISED, "chair", (2.0, 1.0), 45))
    assert_success(up)
    assert sum(r["action_name"] == "Climb upstairs<normal>" for r in up.replies) == 3
    down = run_episode(OracleModel(), make_view(RAISED, "potted_plant", (6.5, 3.0), 180))
    assert_success(down)
    assert sum(r["action_name"] == "Walk downstairs<normal>" for r in down.replies) == 3


def test_an_unmapped_obstacle_is_walked_around() -> None:
    scene = home([("chair", 7.0, 2.5, 0, 0)])
    view = make_view(scene, "chair", (1.0, 2.5), 90, hidden_walls=((4.0, 2.5, 0.25),))
    run = run_episode(OracleModel(), view)
    assert view.bumps > 0
    assert_success(run)


def test_a_moved_object_changes_the_route() -> None:
    scene = home([("chair", 7.0, 2.5, 0, 0), ("table", 1.0, 4.4, 0, 0)], dynamic=(1,))
    view = make_view(scene, "chair", (1.0, 2.5), 90)
    view.poses[1] = (np.array([4.0, 2.5, 0.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    run = run_episode(OracleModel(), view)
    assert_success(run)
    assert max(abs(y - 2.5) for _, _, y in view.log) > 0.3


def test_movable_objects_in_the_only_doorway_do_not_stop_it_from_trying() -> None:
    scene = home(
        [("chair", 6.0, 2.5, 0, 0), ("potted_plant", 3.05, 2.3, 0, 0)],
        walls=[(3.0, 0, 3.1, 1.8), (3.0, 2.75, 3.1, 5.0)],
        dynamic=(1,),
    )
    view = make_view(scene, "chair", (1.0, 2.0), 90, max_steps=30)
    run = run_episode(OracleModel(), view)
    assert max(x for _, x, _ in view.log) > 2.4
    assert run.stopped


def test_unreachable_target_ends_with_stop_at_the_last_decision() -> None:
    scene = home([("chair", 6.0, 2.5, 0, 0)], walls=[(3.0, 0, 3.1, 5.0)])
    run = run_episode(OracleModel(), make_view(scene, "chair", (1.0, 2.0), 90, max_steps=12))
    assert run.stopped
    assert run.decisions == 12
    assert not any(reply["target_visible"] for reply in run.replies)


def test_a_target_at_hand_but_behind_is_looked_at_first() -> None:
    scene = home([("chair", 2.0, 2.0, 0, 0)])
    run = run_episode(OracleModel(), make_view(scene, "chair", (2.0, 1.45), 0))
    assert run.replies[0]["target_visible"] is False
    assert_success(run)


def test_a_missed_seat_is_tried_again() -> None:
    @dataclass
    class Slippery(KinematicView):
        misses: int = 6

        def pelvis_on_target(self) -> bool:
            if self.sat and self.misses:
                self.misses -= 1
                return False
            return super().pelvis_on_target()

    task = episode("couch")
    view = Slippery(TWO_ROOMS, task, np.array([5.5, 2.8]), 0.0)
    run = run_episode(OracleModel(), view)
    assert run.sits > 5
    assert_success(run)


def test_same_state_same_episode() -> None:
    runs = [run_episode(OracleModel(), make_view(TWO_ROOMS, "bed", (2.0, 2.0), 20)) for _ in range(2)]
    assert runs[0].replies == runs[1].replies


def test_a_model_object_serves_episode_after_episode() -> None:
    model = OracleModel()
    alone = [run_episode(OracleModel(), make_view(TWO_ROOMS, c, (2.0, 2.0), 0)).replies for c in ("tv", "bed")]
    shared = [run_episode(model, make_view(TWO_ROOMS, c, (2.0, 2.0), 0)).replies for c in ("tv", "bed")]
    assert shared == alone
