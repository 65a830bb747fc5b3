"""Computes named components of a frame, each object once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import array_api_compat.numpy as numpy_namespace
from array_api_compat import array_namespace

from bodyloop.errors import ConfigError
from bodyloop.evaluation.arrays import Array, is_array, namespace
from bodyloop.evaluation.component import MdpComponent
from bodyloop.evaluation.errors import ConfigMigrationError, MeasurementError

__all__ = ["ComponentManager", "Route"]


@dataclass(frozen=True, eq=False)
class Route:
    """One component object and every name that wants its value."""

    component: MdpComponent
    names: tuple[str, ...]
    static: Mapping[str, Any]
    """Fixed arguments, arrays moved to the manager's device."""
    takes_threshold: bool
    """Whether the kernel has a threshold of its own, which only a condition may have."""


class ComponentManager:
    """Routes from component objects to names, built once; a shared object is computed once per frame."""

    def __init__(
        self, components: Mapping[str, MdpComponent], num_envs: int, *, xp: Any = numpy_namespace, device: Any = None
    ) -> None:
        """Build the routes.

        Args:
            components: Components by name, in order of computation.
            num_envs: Environments N of every context.
            xp: Array library of the contexts, for example ``numpy`` or ``torch``.
            device: Device for fixed array arguments; the library's default when None.

        Raises:
            ConfigError: A value is no component, or ``num_envs`` is not positive.
        """
        if num_envs < 1:
            raise ConfigError(f"num_envs: expected 1 or more, got {num_envs}")
        self.num_envs = num_envs
        self.xp = namespace(xp)
        self.device = device
        names: dict[int, list[str]] = {}
        unique: dict[int, MdpComponent] = {}
        for name, component in components.items():
            if not isinstance(component, MdpComponent):
                raise ConfigError(f"component {name!r}: expected an MdpComponent, got {type(component).__name__}")
            unique.setdefault(id(component), component)
            names.setdefault(id(component), []).append(name)
        self.routes = tuple(
            Route(c, tuple(names[key]), self._fixed(c), c.takes("threshold")) for key, c in unique.items()
        )

    def check(self, context: Mapping[str, Any]) -> None:
        """Check before the first action that a context has what the components read.

        Raises:
            BindingError: A view that a component reads is absent; names component and path.
        """
        for route in self.routes:
            with_note(route, partial(route.component.arguments, context))

    def compute(self, context: Mapping[str, Any]) -> dict[str, Array]:
        """Values (N,) by name.

        Raises:
            MeasurementError: A result is not one real value per environment. What a kernel raises passes unchanged.
        """
        values: dict[str, Array] = {}
        for route in self.routes:
            values.update(dict.fromkeys(route.names, self.value(route, context)))
        return values

    def value(self, route: Route, context: Mapping[str, Any]) -> Array:
        """Compute one route."""
        value = with_note(route, partial(route.component.compute, context, route.static))
        self._check_value(route, value)
        return value

    def _check_value(self, route: Route, value: Any) -> None:
        label = f"{', '.join(route.names)} ({route.component.name})"
        if not is_array(value):
            raise MeasurementError(
                f"{label}: expected an array of shape ({self.num_envs},), got {type(value).__name__}"
            )
        if tuple(value.shape) != (self.num_envs,):
            raise MeasurementError(f"{label}: expected shape ({self.num_envs},), got {tuple(value.shape)}")
        if array_namespace(value) is not self.xp:
            raise MeasurementError(f"{label}: got an array of {type(value).__module__}, expected {self.xp.__name__}")
        if not self.xp.isdtype(value.dtype, ("bool", "integral", "real floating")):
            raise MeasurementError(f"{label}: expected real numbers, got dtype {value.dtype}")
        if route.takes_threshold and not self.xp.isdtype(value.dtype, "bool"):
            name = route.names[0].removeprefix("metric ").removeprefix("rule ")
            raise ConfigMigrationError(
                f"{label}: a numeric measurement takes no 'threshold'. Replace it with a kernel without one and\n"
                f"  failure_components[{name!r}] = ThresholdFailure(component, "
                f"{route.component.static.get('threshold', 'THRESHOLD')!r})"
            )

    def _fixed(self, component: MdpComponent) -> Mapping[str, Any]:
        return {
            name: self.xp.asarray(value, device=self.device) if is_array(value) else value
            for name, value in component.static.items()
        }


def with_note(route: Route, call: Callable[[], Any]) -> Any:
    """Call; an exception leaves unchanged but for a note with the component."""
    try:
        return call()
    except Exception as error:
        error.add_note(f"in component {', '.join(route.names)} ({route.component.name})")
        raise
