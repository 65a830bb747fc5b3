from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from bodyloop.config.profiles import Profile, Section, builtin_profiles, load_profile
from bodyloop.errors import BodyloopError, ConfigError, MissingFileError, UnknownNameError


class Physics(Section):
    friction: Annotated[float, Field(ge=0)]
    substeps: tuple[int, ...]
    gains: dict[str, float]


class Example(Profile):
    physics: Physics
    optional: Physics | None


GOOD = {
    "schema": "example_v1",
    "profile": "example",
    "description": "",
    "physics": {"friction": 0.4, "substeps": [0, 2], "gains": {"ankle": 0.1}},
    "optional": None,
}


def _load(tmp_path: Path, data: object) -> Example:
    path = tmp_path / "p.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return load_profile(Example, str(path), {})


def _changed(section: str | None, **fields: object) -> dict[str, object]:
    data = json.loads(json.dumps(GOOD))
    (data if section is None else data[section]).update(fields)
    return data


def test_a_profile_round_trips(tmp_path):
    assert _load(tmp_path, GOOD).to_json() == GOOD


def test_integers_are_numbers(tmp_path):
    assert _load(tmp_path, _changed("physics", friction=1)).physics.friction == 1.0


def test_a_profile_is_frozen(tmp_path):
    profile = _load(tmp_path, GOOD)
    with pytest.raises(ValueError, match="frozen"):
        profile.physics.friction = 1.0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_changed("physics", frction=1.0), "unknown field 'frction' in physics; did you mean 'friction'?"),
        (_changed(None, physic={}), "unknown field 'physic' in the profile; did you mean 'physics'?"),
        (
            _changed(None, optional={**GOOD["physics"], "gain": {}}),
            "unknown field 'gain' in optional; did you mean 'gains'?",
        ),
        (_changed("physics", friction="0.4"), "field 'physics.friction': input should be a valid number"),
        (_changed("physics", friction=True), "field 'physics.friction'"),
        (_changed("physics", friction=-1.0), "field 'physics.friction': input should be greater than or equal to 0"),
        (_changed("physics", substeps=[0.5]), "field 'physics.substeps.0'"),
        ({key: value for key, value in GOOD.items() if key != "physics"}, "field 'physics' is missing"),
        ({key: value for key, value in GOOD.items() if key != "optional"}, "field 'optional' is missing"),
        ({key: value for key, value in GOOD.items() if key != "schema"}, "field 'schema' is missing"),
        (_changed(None, profile=""), "field 'profile'"),
        (_changed(None, extends="base"), "field 'extends' is not supported"),
        ([GOOD], "a profile is a JSON object"),
        ("{", "not valid JSON"),
        ('{"profile": "a", "profile": "b"}', "key 'profile' comes twice"),
        (json.dumps(GOOD).replace("0.4", "NaN"), "field 'physics.friction'"),
    ],
)
def test_an_error_names_file_and_field_in_one_line(tmp_path, data, message):
    with pytest.raises(ConfigError) as caught:
        _load(tmp_path, data)
    assert str(caught.value).startswith(str(tmp_path / "p.json"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_many_errors_are_cut_short(tmp_path):
    with pytest.raises(ConfigError, match="and 3 more"):
        _load(tmp_path, {f"x{index}": 0 for index in range(3)})


def test_builtin_profiles_by_name(tmp_path):
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    (tmp_path / "readme.txt").touch()
    known = builtin_profiles(tmp_path)
    assert list(known) == ["good"]
    assert load_profile(Example, "good", known).profile == "example"
    with pytest.raises(UnknownNameError, match="did you mean 'good'"):
        load_profile(Example, "goud", known)
    with pytest.raises(MissingFileError, match=r"goud\.json does not exist; built-in: good"):
        load_profile(Example, "goud.json", known)


def test_a_default_is_refused_where_the_class_is_made():
    with pytest.raises(TypeError, match="friction"):
        type("Loose", (Section,), {"__annotations__": {"friction": float}, "friction": 0.4, "__module__": __name__})


@given(text=st.one_of(st.text(), st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps)))
def test_any_text_gives_a_profile_or_a_clear_error(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "p.json"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(BodyloopError):
        load_profile(Example, str(path), {})
