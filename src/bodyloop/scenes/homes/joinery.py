"""Casings of doorways, windows with glass, the closed front door."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bodyloop.scenes.description import Part
from bodyloop.scenes.homes.architect import WALL_M
from bodyloop.scenes.homes.plan import FloorPlan, Opening
from bodyloop.scenes.homes.solids import axis_box

__all__ = ["joinery_parts"]

_HALF: Final = WALL_M / 2
_CASING_M: Final = (0.07, 0.016)
"""Width on the wall and how far it stands out."""


def joinery_parts(plan: FloorPlan) -> Iterator[Part]:
    """Frames and fillings of all openings; only window panes are touched."""
    levels = {room.name: room.floor_height_m for room in plan.rooms}
    middles = {room.name: ((room.rect[0] + room.rect[2]) / 2, (room.rect[1] + room.rect[3]) / 2) for room in plan.rooms}
    for number, item in enumerate(plan.openings):
        axis = 1 if item.along == "x" else 0
        if item.kind == "door":
            signs = [(1.0 if middles[name][axis] > item.at_m else -1.0, levels[name]) for name in item.rooms]
            yield from _doorway(number, item, signs)
        elif item.kind == "window":
            inward = 1.0 if middles[item.rooms[0]][axis] > item.at_m else -1.0
            yield from _window(number, item, inward)
        else:
            inward = 1.0 if middles[item.rooms[0]][axis] > item.at_m else -1.0
            yield from _front_door(number, item, inward)


def _casing(name: str, item: Opening, sign: float, bottom: float, *, closed: bool = False) -> Iterator[Part]:
    """Boards around an opening on one side of the wall."""
    wide, out = _CASING_M
    face = item.at_m + sign * _HALF
    depth = (min(face, face + sign * out), max(face, face + sign * out))
    left, right = item.center_m - item.width_m / 2, item.center_m + item.width_m / 2
    stiles = ((left - wide, left), (right, right + wide))
    for index, span in enumerate(stiles):
        yield axis_box(f"{name}_{index}", item.along, span, depth, (bottom, item.top_m), "trim", collide=False)
    rails = [(item.top_m, item.top_m + wide)]
    if closed:
        rails.append((bottom - wide, bottom))
    for index, height in enumerate(rails):
        yield axis_box(
            f"{name}_rail{index}", item.along, (left - wide, right + wide), depth, height, "trim", collide=False
        )


def _doorway(number: int, item: Opening, signs: list[tuple[float, float]]) -> Iterator[Part]:
    low, high = min(level for _, level in signs), max(level for _, level in signs)
    for side, (sign, level) in enumerate(signs):
        yield from _casing(f"frame/door{number}_{side}", item, sign, level)
    depth = (item.at_m - _HALF, item.at_m + _HALF)
    left, right = item.center_m - item.width_m / 2, item.center_m + item.width_m / 2
    thin = 0.008
    for index, span in enumerate(((left, left + thin), (right - thin, right))):
        yield axis_box(
            f"frame/jamb{number}_{index}", item.along, span, depth, (high, item.top_m), "trim", collide=False
        )
    top = (item.top_m - thin, item.top_m)
    yield axis_box(f"frame/head{number}", item.along, (left, right), depth, top, "trim", collide=False)
    if low == high:
        strip = (item.bottom_m - 0.004, item.bottom_m + 0.003)
        middle = (item.at_m - 0.03, item.at_m + 0.03)
        yield axis_box(f"frame/sill{number}", item.along, (left, right), middle, strip, "threshold", collide=False)


def _window(number: int, item: Opening, inward: float) -> Iterator[Part]:
    along, at = item.along, item.at_m
    left, right = item.center_m - item.width_m / 2, item.center_m + item.width_m / 2
    yield from _casing(f"frame/window{number}", item, inward, item.bottom_m, closed=True)
    lining, rim = 0.004, 0.05
    reveal = (at - _HALF, at + _HALF)
    for index, (span, height) in enumerate(
        (
            ((left, left + lining), (item.bottom_m, item.top_m)),
            ((right - lining, right), (item.bottom_m, item.top_m)),
            ((left, right), (item.bottom_m, item.bottom_m + lining)),
            ((left, right), (item.top_m - lining, item.top_m)),
        )
    ):
        yield axis_box(f"window/reveal{number}_{index}", along, span, reveal, height, "trim", collide=False)
    depth = (at - 0.035, at + 0.035)
    bars = [((left, left + rim), (item.bottom_m, item.top_m)), ((right - rim, right), (item.bottom_m, item.top_m))]
    bars += [((left, right), (item.bottom_m, item.bottom_m + rim)), ((left, right), (item.top_m - rim, item.top_m))]
    if item.width_m > 1.0:
        bars.append(((item.center_m - 0.03, item.center_m + 0.03), (item.bottom_m, item.top_m)))
    for index, (span, height) in enumerate(bars):
        yield axis_box(f"window/bar{number}_{index}", along, span, depth, height, "trim", collide=False)
    yield axis_box(
        f"window/glass{number}",
        along,
        (left, right),
        (at - 0.004, at + 0.004),
        (item.bottom_m, item.top_m),
        "glass",
        collide=False,
    )
    pane = (at - 0.05, at + 0.05)
    yield axis_box(
        f"window/pane{number}", along, (left, right), pane, (item.bottom_m, item.top_m), "glass", visible=False
    )
    face = at + inward * _HALF
    board = tuple(sorted((at, face + inward * 0.05)))
    yield axis_box(
        f"window/board{number}",
        along,
        (left - 0.05, right + 0.05),
        (board[0], board[1]),
        (item.bottom_m - 0.03, item.bottom_m),
        "trim",
        collide=False,
    )


def _front_door(number: int, item: Opening, inward: float) -> Iterator[Part]:
    along = item.along
    left, right = item.center_m - item.width_m / 2, item.center_m + item.width_m / 2
    face = item.at_m + inward * _HALF
    yield from _casing(f"frame/entrance{number}", item, inward, item.bottom_m)
    leaf = tuple(sorted((face, face + inward * 0.01)))
    yield axis_box(
        f"door/leaf{number}",
        along,
        (left, right),
        (leaf[0], leaf[1]),
        (item.bottom_m, item.top_m),
        "door",
        collide=False,
    )
    panel = tuple(sorted((face, face + inward * 0.018)))
    middle = (left + right) / 2
    for index, (span, height) in enumerate(
        (x, z) for x in ((left + 0.1, middle - 0.05), (middle + 0.05, right - 0.1)) for z in ((0.15, 0.85), (1.15, 1.9))
    ):
        level = (item.bottom_m + height[0], item.bottom_m + height[1])
        yield axis_box(
            f"door/panel{number}_{index}", along, span, (panel[0], panel[1]), level, "door_panel", collide=False
        )
    grip = tuple(sorted((face + inward * 0.03, face + inward * 0.06)))
    rose = tuple(sorted((face, face + inward * 0.06)))
    yield axis_box(
        f"door/handle{number}",
        along,
        (left + 0.06, left + 0.19),
        (grip[0], grip[1]),
        (1.0, 1.025),
        "metal",
        collide=False,
    )
    yield axis_box(
        f"door/rose{number}",
        along,
        (left + 0.06, left + 0.085),
        (rose[0], rose[1]),
        (0.97, 1.055),
        "metal",
        collide=False,
    )
