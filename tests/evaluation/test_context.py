from __future__ import annotations

import numpy as np
import pytest

from bodyloop.errors import ConfigError, SimulationError, UnknownNameError
from bodyloop.evaluation.context import ContextField, ContextSchema

SCHEMA = ContextSchema(
    [
        ContextField("body.position", ("N", 22, 3), "float64", "m", "environment", "Joint positions."),
        ContextField("body.contacts", ("N", "C"), "bool", "-", "environment", "Who touches."),
        ContextField("target_distance", ("N",), "float64", "m", "environment", "Distance."),
    ]
)


def _context(n: int = 1, contacts: int = 4) -> dict:
    return {
        "body": {"position": np.zeros((n, 22, 3)), "contacts": np.zeros((n, contacts), bool)},
        "target_distance": np.zeros(n),
    }


def test_a_context_is_accepted_nested_or_flat():
    assert SCHEMA.validate(_context(2)) == {"N": 2, "C": 4}
    flat = {f"body.{name}": value for name, value in _context()["body"].items()}
    assert SCHEMA.validate(flat | {"target_distance": np.zeros(1)}) == {"N": 1, "C": 4}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target_distance": np.zeros(3)}, r"'target_distance': expected shape \(N\) with N=1, got \(3,\)"),
        ({"target_distance": np.zeros((1, 1))}, r"expected shape \(N\) with N=1, got \(1, 1\)"),
        ({"target_distance": np.zeros(1, np.float32)}, "'target_distance': expected dtype float64, got float32"),
        ({"target_distance": [0.0]}, "'target_distance': expected an array, got list"),
        ({"body": {"position": np.zeros((1, 21, 3))}}, r"'body.position': expected shape \(N, 22, 3\)"),
        ({"body": {}}, "'body.position' is absent; environment should fill it"),
        ({"body": {"velocity": np.zeros(1)}}, "holds 'body.velocity', which the schema does not declare"),
    ],
)
def test_an_error_names_path_expected_and_actual(change, message):
    with pytest.raises(SimulationError, match=message):
        SCHEMA.validate(_context() | change)


def test_an_array_of_another_library_is_judged_by_shape_and_dtype():
    class Tensor:
        shape, dtype = (1,), "torch.float64"

    assert SCHEMA.validate(_context() | {"target_distance": Tensor()})["N"] == 1


def test_paths_are_unique_and_do_not_nest():
    field = ContextField("a", ("N",), "float64", "m", "p", "d")
    with pytest.raises(ConfigError, match="'a' is declared twice"):
        ContextSchema([field, field])
    with pytest.raises(ConfigError, match=r"'a\.b' lies inside field 'a'"):
        ContextSchema([field, ContextField("a.b", ("N",), "float64", "m", "p", "d")])


def test_fields_are_found_by_path():
    assert SCHEMA.field("body.contacts").dtype == "bool"
    assert "body.contacts" in SCHEMA
    assert len(SCHEMA) == 3
    with pytest.raises(UnknownNameError, match=r"did you mean 'body\.position'"):
        SCHEMA.field("body.positon")


def test_markdown_lists_every_field_in_order():
    lines = SCHEMA.markdown().splitlines()
    assert lines[0] == "| path | shape | dtype | unit | producer | meaning |"
    assert lines[2] == "| `body.position` | (N, 22, 3) | float64 | m | environment | Joint positions. |"
    assert len(lines) == 5
