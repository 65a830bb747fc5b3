"""Components and rules as plain data, and back; shared objects stay shared."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from bodyloop.errors import ConfigError
from bodyloop.evaluation.arrays import is_array, to_numpy
from bodyloop.evaluation.component import MdpComponent
from bodyloop.evaluation.context import ContextSchema
from bodyloop.evaluation.rules import Reduction, ThresholdFailure
from bodyloop.evaluation.tracking_context import TRACKING_CONTEXT

__all__ = ["describe_groups", "load_groups"]


def describe_groups(metrics: Mapping[str, MdpComponent], failures: Mapping[str, ThresholdFailure]) -> dict[str, Any]:
    """JSON-ready description: a list of component objects, and both groups referring to it by position."""
    unique: dict[int, MdpComponent] = {}
    for component in (*metrics.values(), *(rule.component for rule in failures.values())):
        unique.setdefault(id(component), component)
    position = {key: i for i, key in enumerate(unique)}
    return {
        "components": [_describe(component) for component in unique.values()],
        "metric_components": {name: position[id(component)] for name, component in metrics.items()},
        "failure_components": {
            name: {
                "component": position[id(rule.component)],
                "threshold": rule.threshold,
                "fail_above": rule.fail_above,
                "reduction": str(rule.reduction),
            }
            for name, rule in failures.items()
        },
    }


def load_groups(
    data: Mapping[str, Any], schema: ContextSchema = TRACKING_CONTEXT
) -> tuple[dict[str, MdpComponent], dict[str, ThresholdFailure]]:
    """Both groups from a description; arrays among the fixed arguments come back as NumPy.

    Raises:
        ConfigError: A kernel cannot be imported by its name, or an entry is not acceptable.
    """
    components = [
        MdpComponent(_import(entry["kernel"]), entry["bindings"], _fixed(entry["static"]), schema)
        for entry in data["components"]
    ]
    metrics = {name: components[i] for name, i in data["metric_components"].items()}
    failures = {
        name: ThresholdFailure(
            components[entry["component"]], entry["threshold"], entry["fail_above"], Reduction(entry["reduction"])
        )
        for name, entry in data["failure_components"].items()
    }
    return metrics, failures


def _describe(component: MdpComponent) -> dict[str, Any]:
    static = {name: _plain(value) for name, value in component.static.items()}
    module, name = component.kernel.__module__, component.kernel.__qualname__
    return {"kernel": f"{module}:{name}", "bindings": dict(component.bindings), "static": static}


def _plain(value: Any) -> Any:
    if is_array(value):
        array = to_numpy(value)
        return {"dtype": str(array.dtype), "values": array.tolist()}
    return value


def _fixed(static: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: np.array(value["values"], value["dtype"]) if isinstance(value, Mapping) and "dtype" in value else value
        for name, value in static.items()
    }


def _import(kernel: str) -> Any:
    module, _, name = kernel.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"kernel {kernel!r} cannot be imported; define it at the top level of a module") from error
    return found
