from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np
import pytest

from bodyloop.evaluation import ContextField, ContextSchema, EvaluationManager, EvaluationResult, MdpComponent
from bodyloop.evaluation.arrays import to_numpy

LIBRARIES = [name for name in ("numpy", "torch", "array_api_strict") if importlib.util.find_spec(name)]

SCHEMA = ContextSchema(
    [
        ContextField("value", ("N",), "float", "-", "script", "Scripted measurement."),
        ContextField("view.height", ("N",), "float", "m", "script", "Scripted height."),
        ContextField("flag", ("N",), "bool", "-", "script", "Scripted condition."),
    ]
)


@pytest.fixture(params=LIBRARIES)
def xp(request: pytest.FixtureRequest) -> Any:
    """Every array library that is installed."""
    return importlib.import_module(request.param)


@pytest.fixture
def run_table():
    """Run one batch of scripted values: row per trial, column per frame; rows may differ in length."""
    return _run_table


def read(value):
    return value


def component() -> MdpComponent:
    return MdpComponent.from_kernel(read, SCHEMA, bindings={"value": "value"})


@pytest.fixture(name="component")
def component_fixture() -> MdpComponent:
    return component()


@pytest.fixture
def schema() -> ContextSchema:
    return SCHEMA


def _run_table(
    rows: list[list[Any]], metrics: dict, rules: dict, *, xp: Any = np, dtype: str = "float64", **options: Any
) -> EvaluationResult:
    manager = EvaluationManager(metrics, rules, len(rows), xp=xp, **options)
    manager.begin_batch(range(len(rows)), [len(row) for row in rows])
    for frame in range(max(map(len, rows))):
        column = [row[frame] if frame < len(row) else 1e6 for row in rows]
        if not to_numpy(manager.active).any():
            break
        manager.measure({"value": xp.asarray(column, dtype=getattr(xp, dtype))})
        manager.end_frame()
    manager.finish_batch()
    return manager.result()
