"""Published contact rows turned into arrays, a scripted environment, and the reference cases.

A published row is ``{body_part, other: {object_id, type, name[, motion_type]}, other_object_id, contact_distance,
position_on_other_ws, position_on_agent_ws[, normal_force]}`` in Habitat axes (Y up); a pair row is ``{a, b}``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from bodyloop.body.skeleton import JOINT_NAMES
from bodyloop.household.metrics.contacts import ContactRows, OtherKind, pelvis_target_mask
from bodyloop.household.metrics.environment import Posture, RayHit

Row = Mapping[str, Any]

_KINDS: Final = {
    "stage": OtherKind.STAGE,
    "articulated_object": OtherKind.ARTICULATED_OBJECT,
    "unknown": OtherKind.UNKNOWN,
}


class RowReader:
    """Reads rows of one episode; names of links and objects get numbers in order of appearance.

    ``up_axis`` is the vertical coordinate of the row positions: 1 for Habitat axes, 2 for the trajectory frame.
    With ``by_name`` objects are told apart by name, else by ``other_object_id``.
    """

    def __init__(self, *, up_axis: int = 1, by_name: bool = False) -> None:
        self.link_names: list[str] = list(JOINT_NAMES)
        self.object_names: dict[int, str] = {}
        self._up_axis = up_axis
        self._by_name = by_name

    def read(
        self, agent_frames: Sequence[Sequence[Row]] | None, pair_frames: Sequence[Sequence[Row]] | None = None
    ) -> ContactRows | None:
        """One chunk; ``None`` when neither stream exists. Contacts of the body with itself are left out."""
        if agent_frames is None and pair_frames is None:
            return None
        agent, pairs = agent_frames or [], pair_frames or []
        rows = [
            (frame, row) for frame, contacts in enumerate(agent) for row in contacts if _kind(row["other"]) is not None
        ]
        edges = [
            (frame, *edge) for frame, contacts in enumerate(pairs) for row in contacts if (edge := self._edge(row))
        ]
        return ContactRows(
            frames=max(len(agent), len(pairs)),
            frame=np.array([frame for frame, _ in rows], dtype=np.int64),
            link=np.array([self._link(row["body_part"]) for _, row in rows], dtype=np.int64),
            kind=np.array([_kind(row["other"]) for _, row in rows], dtype=np.int64),
            object_id=np.array([self._object(row) for _, row in rows], dtype=np.int64),
            height_m=np.array([self._height(row) for _, row in rows], dtype=np.float64),
            distance_m=np.array([row.get("contact_distance", 0.0) for _, row in rows], dtype=np.float64),
            normal_up=np.zeros(len(rows)),
            normal_force_n=np.array([row.get("normal_force", float("nan")) for _, row in rows], dtype=np.float64),
            pair_frame=np.array([edge[0] for edge in edges], dtype=np.int64),
            pair_ids=np.array([edge[1:] for edge in edges], dtype=np.int64).reshape(-1, 2),
        )

    def _link(self, name: str) -> int:
        if name not in self.link_names:
            self.link_names.append(name)
        return self.link_names.index(name)

    def _object(self, row: Row) -> int:
        other = row["other"]
        if self._by_name:
            return self._number(str(other.get("name", "")))
        object_id = int(row.get("other_object_id", other.get("object_id", -1)))
        if _kind(other) == OtherKind.DYNAMIC_OBJECT:
            self.object_names.setdefault(object_id, str(other.get("name", "")))
        return object_id

    def _number(self, name: str) -> int:
        for number, known in self.object_names.items():
            if known == name:
                return number
        self.object_names[len(self.object_names)] = name
        return len(self.object_names) - 1

    def _edge(self, row: Row) -> tuple[int, int] | None:
        sides = [row.get("a"), row.get("b")]
        if any(not side or not side.get("name") or _kind(side) != OtherKind.DYNAMIC_OBJECT for side in sides):
            return None
        a, b = (self._number(str(side["name"])) for side in sides if side)
        return a, b

    def _height(self, row: Row) -> float:
        point = row.get("position_on_other_ws", row.get("position_on_agent_ws"))
        return float("nan") if point is None else float(point[self._up_axis])


def _kind(other: Row) -> OtherKind | None:
    """Kind of a contact side; ``None`` for the body itself and for nameless types."""
    if other.get("type") == "rigid_object":
        moving = str(other.get("motion_type", "")).rsplit(".", 1)[-1] == "DYNAMIC"
        return OtherKind.DYNAMIC_OBJECT if moving else OtherKind.STATIC_OBJECT
    return _KINDS.get(str(other.get("type", "")))


@pytest.fixture
def row_reader() -> type[RowReader]:
    return RowReader


@pytest.fixture
def parse_json() -> Callable[[str], Any]:
    """JSON with numbers that are not finite written as ``{"__float__": "nan"}``."""

    def hook(value: dict[str, Any]) -> Any:
        return float(value["__float__"]) if set(value) == {"__float__"} else value

    return lambda text: json.loads(text, object_hook=hook)


@pytest.fixture(params=["committed", "whole"])
def case_folder(request: pytest.FixtureRequest) -> Path:
    """Reference numbers: a small committed part, and the whole files where they are installed."""
    if request.param == "committed":
        return Path(__file__).parents[2] / "data" / "metrics"
    folder: Path = request.getfixturevalue("conformance_dir")
    return folder / "household"


@pytest.fixture
def cases(case_folder: Path, parse_json: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda name: parse_json((case_folder / f"{name}.json").read_text())


class StubEnvironment:
    """A metric environment whose answers are written down."""

    def __init__(self, reset: Mapping[str, Any], reader: RowReader, agent_id: int = 7) -> None:
        # Reference positions are in Habitat axes; the environment answers in the trajectory frame.
        x, y, z = reset["agent_translation"]
        self.root = np.array([-x, z, y], dtype=np.float64)
        boxes = [reset.get("root_box_min_y"), *reset.get("link_box_min_y", [])]
        self.lowest = boxes
        self.hits = [RayHit(float(height), agent=owner == agent_id) for height, owner in reset["ray_hits"]]
        self.resting = [row["d"] for row in reset.get("reset_contacts", []) if row.get("active", True)]
        self.reader = reader
        self.ids = reset.get("target_ids", [])
        self.distance = reset.get("final_distance", 0.0)
        self.interact = reset.get("is_interact", False)
        self.surface: float | None = None
        self.body_posture = Posture(0.5, 5.0)
        self.seats: dict[int, list[float]] = {}
        self.ray: tuple[list[float], float] | None = None
        self.contact_queries = 0
        self.skipped_goals = 0

    def root_position_m(self) -> np.ndarray:
        return self.root

    def cast_down(self, origin_m: np.ndarray, max_distance_m: float) -> Sequence[RayHit]:
        self.ray = ([-origin_m[0], origin_m[2], origin_m[1]], max_distance_m)
        return self.hits

    def body_lowest_heights_m(self) -> Sequence[float | None]:
        return self.lowest

    def reset_contacts(self) -> ContactRows:
        self.contact_queries += 1
        rows = [{"body_part": "pelvis", "other": {"type": "stage"}, "contact_distance": d} for d in self.resting]
        contacts = self.reader.read([rows])
        assert contacts is not None
        return contacts

    def target_ids(self) -> Sequence[int]:
        return self.ids

    def object_names(self) -> Mapping[int, str]:
        return self.reader.object_names

    def is_interact_episode(self) -> bool:
        return self.interact

    def is_pelvis_target_contact(self, contacts: ContactRows) -> np.ndarray:
        return pelvis_target_mask(contacts, self.ids)

    def metric_target_geometry(self) -> Mapping[str, Any]:
        return {"body_target_aabb_distance_m": self.distance, "body_point_count": 22, "target_aabb_count": 1}

    def nav_surface_distance_m(self) -> float | None:
        return self.surface

    def seat_heights_m(self, object_id: int) -> Sequence[float]:
        return self.seats.get(object_id, [])

    def posture(self) -> Posture:
        return self.body_posture


@pytest.fixture
def stub_environment() -> type[StubEnvironment]:
    return StubEnvironment


def close(value: Any, expected: Any, tolerance: float, where: str = "") -> None:
    """Recursive comparison; every key of ``expected`` must be there, further ones may."""
    if isinstance(expected, Mapping):
        for key, item in expected.items():
            assert key in value, f"{where}/{key} is missing"
            close(value[key], item, tolerance, f"{where}/{key}")
    elif isinstance(expected, float) or (isinstance(expected, int) and not isinstance(expected, bool)):
        assert value == pytest.approx(expected, abs=tolerance, rel=tolerance), where
    else:
        assert value == expected, where


@pytest.fixture
def assert_close() -> Callable[..., None]:
    return close
