"""Options of the controller: what is accepted, what is refused, and how."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from bodyloop.body.options import (
    HalfPhysicsOptions,
    OptionTypeError,
    angular_speed_limit,
    normalize_gain_map,
    normalize_schedule,
)
from bodyloop.errors import ConfigError

COERCED = ([["0", "2"], 4], [[0.9, 2.2], 4], ["02", 4], [[True, False], 4], [[], "list"], ["", "str"])
"""Inputs that the reference converts silently; here they are type errors."""


def call(row: dict[str, Any]) -> Any:
    args = row["args"]
    if row["fn"] == "schedule":
        return list(normalize_schedule(*args))
    if row["fn"] == "angular_speed_limit":
        value = args[0]
        return angular_speed_limit({"nan": math.nan, "inf": math.inf}.get(value, value))
    value, kind = args
    return normalize_gain_map(dict(value) if kind == "dict" else value)


def test_reference_rows(conformance_dir: Path) -> None:
    rows = json.loads((conformance_dir / "household" / "halfphysics_validation.json").read_text())
    for row in rows:
        if row["args"] in COERCED and row["fn"] != "angular_speed_limit" and row["args"] != [[], "dict"]:
            with pytest.raises(OptionTypeError):
                call(row)
        elif row["ok"]:
            assert call(row) == pytest.approx(row["result"]), row
        else:
            with pytest.raises((TypeError, ValueError)) as caught:
                call(row)
            assert row["error"] in {kind.__name__ for kind in type(caught.value).__mro__}, row


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("root_gravity_mode", "euler", ConfigError),
        ("root_gravity_mode", 3, OptionTypeError),
        ("root_vertical_command", "always", ConfigError),
        ("root_gravity_scale", math.nan, ConfigError),
        ("root_gravity_scale", "1", OptionTypeError),
        ("pjsc_lambda", True, OptionTypeError),
        ("pjsc_substeps", 0, ConfigError),
        ("pjsc_substeps", 2.0, OptionTypeError),
        ("root_linear_xz_command_substeps", (1,), ConfigError),
        ("root_linear_xz_command_substeps", (0, 4), ConfigError),
        ("root_linear_xz_command_substeps", "02", OptionTypeError),
        ("root_linear_xz_command_substeps", (0, 2.0), OptionTypeError),
        ("pjsc_lambda_by_link", [("left_ankle", 0.1)], OptionTypeError),
        ("pjsc_lambda_by_link", {"left_ankle": math.inf}, ConfigError),
        ("inherit_downward_root_y_velocity", 1, OptionTypeError),
    ],
)
def test_wrong_option_is_named(field: str, value: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=field):
        HalfPhysicsOptions(**{field: value})  # type: ignore[arg-type]


def test_values_are_normalised() -> None:
    options = HalfPhysicsOptions(
        root_gravity_mode="MIDPOINT",  # type: ignore[arg-type]
        pjsc_lambda_by_link={"Left Ankle": "0.2", 3: 0.5},  # type: ignore[dict-item]
        root_linear_xz_command_substeps=[2, 0, 2],  # type: ignore[arg-type]
    )
    assert options.root_gravity_mode == "midpoint"
    assert dict(options.pjsc_lambda_by_link) == {"left_ankle": 0.2, "3": 0.5}
    assert options.root_linear_xz_command_substeps == (2, 0)
    with pytest.raises(TypeError):
        options.pjsc_lambda_by_link["left_ankle"] = 1.0  # type: ignore[index]


def test_speed_limit_is_thirty_degrees_per_frame() -> None:
    assert angular_speed_limit(1 / 30) == pytest.approx(15.70796, abs=1e-5)
