from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bodyloop.errors import DataError, MissingFileError
from bodyloop.scenes.codec import decode_scene, encode_scene, load_scene, save_scene, scene_sha256
from bodyloop.scenes.description import (
    FloorRegion,
    Light,
    Material,
    ObjectInstance,
    ObjectTemplate,
    Part,
    Room,
    SceneDescription,
    SeatSurface,
)
from bodyloop.scenes.furniture import PALETTES, make

numbers = st.floats(-50, 50, allow_nan=False).map(lambda value: round(value, 5) + 0.0)
vectors = st.tuples(numbers, numbers, numbers)
names = st.text("abcdefgh_", min_size=1, max_size=6)
parts = st.builds(
    Part,
    name=names,
    shape=st.sampled_from(["box", "sphere", "cylinder"]),
    size_m=st.lists(numbers, min_size=1, max_size=3).map(tuple),
    position_m=vectors,
    material=st.just("m"),
    collide=st.booleans(),
    visible=st.booleans(),
)
templates = st.builds(
    ObjectTemplate,
    name=names,
    category=names,
    parts=st.lists(parts, max_size=4).map(tuple),
    seats=st.lists(st.builds(SeatSurface, vectors, st.tuples(numbers, numbers), numbers), max_size=2).map(tuple),
    mass_kg=numbers,
    support_height_m=st.none() | numbers,
)
scenes = st.builds(
    SceneDescription,
    scene_id=names,
    rooms=st.just(()),
    stage=st.lists(parts, max_size=4).map(tuple),
    floors=st.lists(
        st.builds(
            FloorRegion,
            st.tuples(numbers, numbers),
            st.tuples(numbers, numbers),
            numbers,
            st.sampled_from(["floor", "tread"]),
        ),
        max_size=3,
    ).map(tuple),
    materials=st.builds(Material, st.just("wood"), vectors, numbers, st.integers(0, 9)).map(lambda m: {"m": m}),
    templates=st.dictionaries(names, templates, max_size=3),
    instances=st.just(()),
    lights=st.lists(st.builds(Light, vectors, vectors), max_size=2).map(tuple),
    meshes=st.dictionaries(
        names, st.tuples(st.lists(vectors, max_size=4).map(tuple), st.just(((0, 1, 2),))), max_size=2
    ),
)


@settings(max_examples=60, deadline=None)
@given(scenes)
def test_round_trip(scene: SceneDescription) -> None:
    text = encode_scene(scene)
    again = decode_scene(text)
    assert again == scene
    assert encode_scene(again) == text
    assert scene_sha256(again) == scene_sha256(scene)


def small_home() -> SceneDescription:
    item = make("armchair", 0, np.random.default_rng(0), PALETTES["nordic"])
    wall = Material("paint", (0.9, 0.9, 0.88))
    return SceneDescription(
        scene_id="small",
        rooms=(Room("den", "living_room", (0, 0), (4, 3), 0.0, "wall", "wall"),),
        stage=(Part("wall/a", "box", (2, 0.05, 1.3), (2, 3, 1.3), "wall"),),
        floors=(FloorRegion((0, 0), (4, 3), 0.0),),
        materials={"wall": wall, **item.materials},
        templates={item.template.name: item.template},
        instances=(ObjectInstance(0, "chair_:0000", item.template.name, (1, 1, 0), (0, 0, 0, 1), "STATIC", "den"),),
        lights=(Light((2, 1, 2.4), (1, 1, 0.9)),),
    )


def test_real_furniture_round_trips_and_defaults_are_left_out(tmp_path: Path) -> None:
    home = small_home()
    text = encode_scene(home)
    assert decode_scene(text) == home
    assert "casts_shadow" not in text
    assert "\n" not in text
    digests = {save_scene(home, tmp_path / name) for name in ("a.json", "b.json.gz")}
    assert digests == {scene_sha256(home)}
    assert load_scene(tmp_path / "a.json") == load_scene(tmp_path / "b.json.gz") == home
    first = (tmp_path / "b.json.gz").read_bytes()
    save_scene(home, tmp_path / "b.json.gz")
    assert (tmp_path / "b.json.gz").read_bytes() == first


def test_hash_sees_every_change_above_the_rounding() -> None:
    home = small_home()
    tiny = dataclasses.replace(home, ceiling_height_m=2.6 + 1e-7)
    small = dataclasses.replace(home, ceiling_height_m=2.6 + 1e-4)
    assert scene_sha256(tiny) == scene_sha256(home)
    assert scene_sha256(small) != scene_sha256(home)


def broken(change: Any) -> str:
    content = json.loads(encode_scene(small_home()))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("format"), "'format'"),
        (lambda c: c.pop("rooms"), "rooms: "),
        (lambda c: c["rooms"][0].update(kind=5), r"rooms\[0\].kind"),
        (lambda c: c["stage"][0].update(shape="cone"), r"stage\[0\].shape"),
        (lambda c: c["stage"][0].update(position_m=[1, 2]), r"stage\[0\].position_m"),
        (lambda c: c["stage"][0].update(colour="red"), r"stage\[0\].colour: unknown field"),
        (lambda c: c.update(extra=1), "extra: unknown field"),
        (lambda c: c["stage"][0].update(material="gold"), r"stage\[0\].material: no material 'gold'"),
        (lambda c: c["instances"][0].update(template="x"), r"instances\[0\].template"),
        (lambda c: c["instances"][0].update(object_id=4), r"instances\[0\].object_id"),
        (lambda c: c["instances"][0].update(room="attic"), r"instances\[0\].room"),
        (lambda c: c["materials"]["wall"].update(texture="gold"), "materials.wall.texture"),
        (lambda c: c.update(ceiling_height_m=float("nan")), "ceiling_height_m"),
    ],
)
def test_errors_name_file_and_field(change: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "home.json"
    path.write_text(broken(change))
    with pytest.raises(DataError, match=message) as error:
        load_scene(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"none\.json"):
        load_scene(tmp_path / "none.json")
    (tmp_path / "cut.json").write_text('{"format": ')
    with pytest.raises(DataError, match=r"cut\.json: not JSON"):
        load_scene(tmp_path / "cut.json")
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(DataError, match=r"cut\.json\.gz: cannot be read"):
        load_scene(tmp_path / "cut.json.gz")
