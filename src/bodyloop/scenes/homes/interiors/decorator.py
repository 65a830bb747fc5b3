"""The decorator: finds places in one room and keeps track of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bodyloop.errors import DataError
from bodyloop.scenes.furniture import KINDS, PALETTES, Furniture, make
from bodyloop.scenes.homes.arrange import (
    SIDES,
    WALL_GAP_M,
    Arrangement,
    Side,
    Solid,
    front_zone,
    overlap,
    side_of,
    turned_size,
    wall_rect,
    wall_span,
    wall_yaw,
)
from bodyloop.scenes.homes.interiors.measures import center, core, lowest_m, on_board, shrunk, widened
from bodyloop.scenes.homes.plan import FloorPlan, Placed, Rect, RoomPlan

__all__ = ["Decorator", "NoPlaceError", "Score", "Spot"]

Score = Callable[[Side, float], float]
_STEP_M = 0.1
_MAX_TRIES = 14
_EDGE_M = 0.05
_FLAT_M = 0.09
_HEAD_M = 1.9
_TOP_LIFT_M = 0.0005
_BACK_M = {"kitchen_counter": 0.2, "desk": 0.24}
"""Depth at the back of a top that is taken by jars or a hutch."""


class NoPlaceError(DataError):
    """A room has no place for something it must have."""


@dataclass(frozen=True)
class Spot:
    """Where a piece went."""

    placed: Placed
    rect: Rect
    side: Side
    """The wall its back points to."""
    t: float
    """Middle along that wall."""

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the footprint."""
        return (self.rect[0] + self.rect[2]) / 2, (self.rect[1] + self.rect[3]) / 2


class Decorator:
    """Furnishes one room; every piece is tested before it stays.

    Args:
        plan: the whole home.
        room: the room to furnish.
        rng: draws designs and places.
        modest: the room is hard to furnish; the curtains must make way.
    """

    def __init__(self, plan: FloorPlan, room: RoomPlan, rng: np.random.Generator, *, modest: bool = False) -> None:
        self.room, self.rng = room, rng
        self.modest = modest
        self.plan = plan
        self.palette = PALETTES[room.palette].vary(rng)
        self.space = Arrangement(plan, room)
        self.placed: list[Placed] = []
        self._tops: dict[int, list[Rect]] = {}
        self._doorways = len(self.space.zones)
        self.windows = [(side_of(room, o), o) for o in plan.openings_of(room) if o.kind == "window"]

    @property
    def size(self) -> tuple[float, float]:
        """Extents of the room along x and y."""
        x0, y0, x1, y1 = self.room.rect
        return x1 - x0, y1 - y0

    @property
    def doorways(self) -> list[Rect]:
        """Floor before doors and steps that stays free."""
        return self._lanes()

    @property
    def area(self) -> float:
        """Floor area, square metres."""
        return self.size[0] * self.size[1]

    def chance(self, share: float) -> bool:
        """A coin that falls on heads with the given probability."""
        return bool(self.rng.random() < share)

    def make(self, kind: str, style: int | None = None, size: tuple[float, float] | None = None) -> Furniture:
        """Design a piece in the room's colours."""
        drawn = int(self.rng.integers(64))
        return make(kind, drawn if style is None else style, self.rng, self.palette, size)

    # -- keeping what was found -------------------------------------------------------------------------------------

    def keep(
        self,
        kind: str,
        furniture: Furniture,
        xy: tuple[float, float],
        yaw_rad: float,
        *,
        solid: bool = True,
        dynamic: bool | None = None,
        lift_m: float = 0.0,
    ) -> Placed:
        """Enter a piece as placed; ``solid`` ones take their box out of the free space."""
        moving = KINDS[kind].motion == "DYNAMIC" if dynamic is None else dynamic
        position = (round(xy[0], 4), round(xy[1], 4), round(self.room.floor_height_m + lift_m, 4))
        placed = Placed(furniture, kind, self.room.name, position, round(yaw_rad, 5), moving)
        self.placed.append(placed)
        if solid:
            mounted = KINDS[kind].placement in ("wall_mounted", "ceiling")
            self.space.solids.append(self.solid(furniture, xy, yaw_rad, lowest_m(furniture) if mounted else 0.0))
        return placed

    @staticmethod
    def solid(furniture: Furniture, xy: tuple[float, float], yaw_rad: float, bottom_m: float = 0.0) -> Solid:
        """The box around a piece whose lowest part is at ``bottom_m``."""
        w, d = turned_size(furniture.footprint_m, yaw_rad)
        rect = (xy[0] - w / 2, xy[1] - d / 2, xy[0] + w / 2, xy[1] + d / 2)
        pot = core(furniture, xy, yaw_rad) if furniture.template.category == "potted_plant" else None
        return Solid(rect, bottom_m, furniture.height_m, pot)

    # -- along walls ------------------------------------------------------------------------------------------------

    def wall(
        self,
        kind: str,
        furniture: Furniture | None = None,
        *,
        sides: Sequence[Side] = SIDES,
        score: Score | None = None,
        clear_m: float | None = None,
        touch: bool = False,
        beside_m: float = 0.0,
        margin_m: float = 0.0,
        limit: float = math.inf,
        needed: bool = False,
    ) -> Spot | None:
        """Put a piece with its back to a wall.

        Args:
            kind: what it is.
            furniture: the piece; designed here if None.
            sides: walls allowed.
            score: lower is better, per wall and middle along it; drawn at random if None.
            clear_m: floor kept free in front, the catalogue's measure if None.
            touch: whether a body must be able to stand within reach.
            beside_m: floor also kept free along at least one side (beds).
            margin_m: free wall kept to both sides.
            limit: places with a worse score are not taken.
            needed: raise if there is no place.

        Raises:
            NoPlaceError: no place for a piece that is needed.
        """
        piece = furniture or self.make(kind)
        for side, t in self._candidates(piece, sides, score, margin_m, limit):
            rect = wall_rect(self.room.rect, side, t, piece.footprint_m)
            if margin_m and not self.space.fits(widened(rect, side, margin_m), 0.0, piece.height_m):
                continue
            spot = self.place(kind, piece, side, rect, clear_m=clear_m, touch=touch, beside_m=beside_m)
            if spot is not None:
                return spot
        if needed:
            raise NoPlaceError(f"{self.room.name}: no place for a {kind}")
        return None

    def place(
        self,
        kind: str,
        piece: Furniture,
        side: Side,
        rect: Rect,
        *,
        clear_m: float | None = None,
        touch: bool = False,
        beside_m: float = 0.0,
    ) -> Spot | None:
        """Put a piece exactly at ``rect`` with its back towards ``side``, if that is possible; see ``wall``."""
        clear = KINDS[kind].front_clearance_m if clear_m is None else clear_m
        if not self.space.fits(rect, 0.0, piece.height_m):
            return None
        zones = [front_zone(rect, side, clear)] if clear > 0 else []
        zones += self._beside(rect, side, beside_m)
        if (beside_m and len(zones) < 2) or not all(self.space.is_free(zone) for zone in zones):
            return None
        access = [*(shrunk(zone) for zone in zones if clear >= 0.65)]
        body = self.solid(piece, center(rect), wall_yaw(side))
        access += [self.space.touch_zone(body.core or rect)] if touch else []
        if not self.space.connected([body], access):
            return None
        self.space.zones += zones
        self.space.access += access
        middle = center(rect)
        t = middle[0] if side in "ns" else middle[1]
        return Spot(self.keep(kind, piece, middle, wall_yaw(side)), rect, side, t)

    def mark(self) -> tuple[int, int, int, int]:
        """A point to ``undo`` to."""
        return len(self.placed), len(self.space.solids), len(self.space.zones), len(self.space.access)

    def undo(self, mark: tuple[int, int, int, int]) -> None:
        """Take away all that came after the mark."""
        del self.placed[mark[0] :]
        del self.space.solids[mark[1] :]
        del self.space.zones[mark[2] :]
        del self.space.access[mark[3] :]

    def _beside(self, rect: Rect, side: Side, width_m: float) -> list[Rect]:
        """A strip along one free side of a bed, away from its head."""
        if not width_m:
            return []
        x0, y0, x1, y1 = rect
        head = 0.55
        if side in "ns":
            low, high = (y0, y1 - head) if side == "n" else (y0 + head, y1)
            strips = [(x0 - width_m, low, x0, high), (x1, low, x1 + width_m, high)]
        else:
            low, high = (x0, x1 - head) if side == "e" else (x0 + head, x1)
            strips = [(low, y0 - width_m, high, y0), (low, y1, high, y1 + width_m)]
        return [strip for strip in strips if self.space.is_free(strip)][:2]

    def _candidates(
        self, piece: Furniture, sides: Sequence[Side], score: Score | None, margin_m: float, limit: float = math.inf
    ) -> list[tuple[Side, float]]:
        found: list[tuple[float, Side, float]] = []
        half = piece.footprint_m[0] / 2 + margin_m
        for side in sides:
            low, high = wall_span(self.room.rect, side)
            low, high = low + WALL_GAP_M + half, high - WALL_GAP_M - half
            if high < low:
                continue
            steps = max(1, round((high - low) / _STEP_M))
            for t in np.linspace(low, high, steps + 1):
                jitter = float(self.rng.random())
                value = jitter if score is None else score(side, float(t)) + 0.15 * jitter
                found.append((value, side, float(t)))
        return [(side, t) for value, side, t in sorted(found) if value <= limit]

    def corner_score(self, side: Side, t: float) -> float:
        """Prefers corners."""
        low, high = wall_span(self.room.rect, side)
        return min(t - low, high - t) * 0.6

    def near_score(self, target: tuple[float, float]) -> Score:
        """Prefers places near a point."""

        def score(side: Side, t: float) -> float:
            x, y = center(wall_rect(self.room.rect, side, t, (0.3, 0.3)))
            return math.hypot(x - target[0], y - target[1])

        return score

    def middle_score(self, side: Side, t: float) -> float:
        """Prefers the middle of a wall."""
        low, high = wall_span(self.room.rect, side)
        return abs(t - (low + high) / 2)

    # -- on walls ---------------------------------------------------------------------------------------------------

    def mount(
        self,
        kind: str,
        furniture: Furniture | None = None,
        *,
        sides: Sequence[Side] = SIDES,
        score: Score | None = None,
        clear_m: float = 0.0,
        solid: bool = True,
    ) -> Spot | None:
        """Hang a piece on a wall, clear of doors, windows and tall furniture."""
        piece = furniture or self.make(kind)
        bottom = lowest_m(piece)
        for side, t in self._candidates(piece, sides, score, 0.0):
            rect = wall_rect(self.room.rect, side, t, piece.footprint_m, 0.002)
            body = self.solid(piece, center(rect), wall_yaw(side), bottom)
            if not self._hangs(body) or not self._out_of_the_way(body):
                continue
            zone = front_zone(rect, side, clear_m)
            if clear_m and not (self.space.is_free(zone) and self.space.connected([body], [shrunk(zone)])):
                continue
            if clear_m:
                self.space.zones.append(zone)
                self.space.access.append(shrunk(zone))
            return Spot(self.keep(kind, piece, center(rect), wall_yaw(side), solid=solid), rect, side, t)
        return None

    def _hangs(self, body: Solid) -> bool:
        return self.space.inside(body.rect) and not any(
            overlap(body.rect, other.rect, 0.03) and body.bottom_m < other.top_m and other.bottom_m < body.top_m
            for other in (*self.space.solids, *self.space.openings)
        )

    def _out_of_the_way(self, body: Solid) -> bool:
        """Flat pieces always are; shelves and radiators must leave the lanes open."""
        w, d = body.rect[2] - body.rect[0], body.rect[3] - body.rect[1]
        if min(w, d) < _FLAT_M or body.bottom_m > _HEAD_M:
            return True
        return not any(overlap(body.rect, zone) for zone in self._lanes()) and self.space.connected([body])

    def _lanes(self) -> list[Rect]:
        return self.space.zones[: self._doorways]

    def hang_above(self, kind: str, below: Spot, furniture: Furniture | None = None) -> Spot | None:
        """Hang a piece on the wall over another one, in its middle if possible."""
        return self.mount(kind, furniture, sides=(below.side,), score=lambda _, t: abs(t - below.t))

    def curtains(self) -> None:
        """Curtains at every window where both drapes hang free; to be called before the furniture comes."""
        style = int(self.rng.integers(3))
        for side, opening in self.windows:
            piece = self.make("curtain", style, (round(opening.width_m + 0.1, 2), 0.12))
            w, d = piece.footprint_m
            rect = wall_rect(self.room.rect, side, opening.center_m, (w, d), 0.002)
            drapes = [
                wall_rect(self.room.rect, side, opening.center_m + s * (w / 2 - 0.2), (0.4, d), 0.002) for s in (-1, 1)
            ]
            doors = [s for s in self.space.openings if s.bottom_m < 0.0]
            clash = any(overlap(rect, door.rect, 0.02) for door in (*doors, *self.space.solids))
            if clash or not self.space.inside(rect) or any(overlap(rect, z) for z in self.space.zones):
                continue
            self.keep("curtain", piece, center(rect), wall_yaw(side), solid=False)
            self.space.solids += [Solid(drape, 0.0, piece.height_m) for drape in drapes]

    # -- free-standing ----------------------------------------------------------------------------------------------

    def stand(
        self,
        kind: str,
        furniture: Furniture,
        places: Iterable[tuple[float, float, float]],
        *,
        clear: Sequence[Rect] = (),
        gap_m: float = 0.02,
        touch: bool = False,
    ) -> Placed | None:
        """Stand a piece on the first of ``places`` (x, y, yaw) that is free and leaves every way open."""
        tries = 0
        for x, y, yaw in places:
            body = self.solid(furniture, (x, y), yaw)
            if not self.space.fits(body.rect, 0.0, furniture.height_m, gap_m=gap_m):
                continue
            if not all(self.space.is_free(zone) for zone in clear):
                continue
            tries += 1
            access = [self.space.touch_zone(body.rect)] if touch else []
            if self.space.connected([body], access):
                self.space.access += access
                return self.keep(kind, furniture, (x, y), yaw)
            if tries > _MAX_TRIES:
                return None
        return None

    def toss(
        self, kind: str, furniture: Furniture | None = None, *, near: tuple[float, float] | None = None
    ) -> Placed | None:
        """Leave a small thing on the floor along a wall, out of the lanes, if wanted near a point."""
        piece = furniture or self.make(kind)
        places = []
        for _ in range(60):
            yaw = float(self.rng.uniform(-math.pi, math.pi)) if kind not in ("bin", "basket", "laundry_basket") else 0.0
            side = SIDES[int(self.rng.integers(4))]
            size = turned_size(piece.footprint_m, yaw)
            along = size if side in "ns" else (size[1], size[0])
            low, high = wall_span(self.room.rect, side)
            half = along[0] / 2 + 0.05
            if high - low <= 2 * half:
                continue
            t = float(self.rng.uniform(low + half, high - half))
            rect = wall_rect(self.room.rect, side, t, along, float(self.rng.uniform(0.04, 0.12)))
            if kind in ("bin", "basket", "laundry_basket"):
                yaw = wall_yaw(side)
                rect = wall_rect(self.room.rect, side, t, piece.footprint_m, 0.04)
            places.append((*center(rect), yaw))
        if near is not None:
            places.sort(key=lambda place: math.hypot(place[0] - near[0], place[1] - near[1]))
        return self.stand(kind, piece, places, gap_m=0.05)

    def rug(self, rect: Rect, style: int | None = None, yaw_rad: float = 0.0) -> Placed | None:
        """Lay a rug; furniture may stand on it. The long side follows x unless turned."""
        x0, y0, x1, y1 = self.room.rect
        area = (max(rect[0], x0 + 0.1), max(rect[1], y0 + 0.1), min(rect[2], x1 - 0.1), min(rect[3], y1 - 0.1))
        w, d = area[2] - area[0], area[3] - area[1]
        if w < d:
            w, d, yaw_rad = d, w, yaw_rad + math.pi / 2
        if d < 0.5:
            return None
        piece = self.make("rug", style, (round(w - 0.1, 2), round(d, 2)))
        return self.keep("rug", piece, center(area), yaw_rad, solid=False)

    def ceiling_lamp(self) -> None:
        """A lamp in the middle of the ceiling."""
        self.keep("ceiling_lamp", self.make("ceiling_lamp"), center(self.room.rect), 0.0, solid=False)

    # -- on tops ----------------------------------------------------------------------------------------------------

    def on_top(
        self,
        owner: Placed,
        kind: str,
        furniture: Furniture | None = None,
        *,
        at: tuple[float, float] | None = None,
        turn_rad: float = 0.5,
    ) -> Placed | None:
        """Put a small thing on a table, cabinet or counter.

        ``at`` is its wanted place in the owner's frame (tried first, with a little play); ``turn_rad`` the largest yaw off
        the owner's. None if nothing is free.
        """
        height = owner.furniture.template.support_height_m
        if height is None:
            return None
        piece = furniture or self.make(kind)
        taken = self._tops.setdefault(id(owner), [])
        for attempt in range(40):
            yaw = float(self.rng.uniform(-turn_rad, turn_rad))
            size = turned_size(piece.footprint_m, yaw)
            edge = 0.02 if kind == "table_lamp" else _EDGE_M
            spot = self._spot_on_top(owner, size, at if attempt < 12 else None, edge)
            if spot is None:
                return None
            rect = (spot[0] - size[0] / 2, spot[1] - size[1] / 2, spot[0] + size[0] / 2, spot[1] + size[1] / 2)
            if not on_board(owner, rect, edge) or any(overlap(rect, other, 0.02) for other in taken):
                continue
            taken.append(rect)
            c, s = math.cos(owner.yaw_rad), math.sin(owner.yaw_rad)
            x = owner.position_m[0] + c * spot[0] - s * spot[1]
            y = owner.position_m[1] + s * spot[0] + c * spot[1]
            return self.keep(kind, piece, (x, y), owner.yaw_rad + yaw, solid=False, lift_m=height + _TOP_LIFT_M)
        return None

    def _spot_on_top(
        self, owner: Placed, size: tuple[float, float], at: tuple[float, float] | None, edge_m: float
    ) -> tuple[float, float] | None:
        w, d = owner.furniture.footprint_m
        x_max = w / 2 - edge_m - size[0] / 2
        y_min, y_max = -d / 2 + edge_m + size[1] / 2, d / 2 - edge_m - size[1] / 2 - _BACK_M.get(owner.kind, 0.0)
        if x_max < 0 or y_max < y_min:
            return None
        if at is None:
            return float(self.rng.uniform(-x_max, x_max)), float(self.rng.uniform(y_min, y_max))
        x, y = at[0] + float(self.rng.uniform(-0.03, 0.03)), at[1] + float(self.rng.uniform(-0.03, 0.03))
        return min(max(x, -x_max), x_max), min(max(y, y_min), y_max)

    def scatter(self, owner: Placed, kinds: Iterable[str]) -> None:
        """Put several small things on a top, as many as find room."""
        for kind in kinds:
            self.on_top(owner, kind)
