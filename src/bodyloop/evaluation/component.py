"""A kernel with the sources of its parameters."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from bodyloop.errors import UnknownNameError
from bodyloop.evaluation.arrays import Array
from bodyloop.evaluation.context import ContextField, ContextSchema, read_path
from bodyloop.evaluation.errors import BindingError, ConfigMigrationError
from bodyloop.evaluation.tracking_context import TRACKING_CONTEXT

__all__ = ["MdpComponent"]

Kernel = Callable[..., Array]


@dataclass(frozen=True, eq=False)
class MdpComponent:
    """A pure function of arrays, the context path of each parameter, and fixed arguments.

    A component is identified by the object: use one object in several places to compute it once per frame; two equal
    components are two computations. It does not change after construction.

    Raises:
        BindingError: A parameter has no source or two, a path or name is unknown, or the kernel takes ``*args`` or
            ``**kwargs``, which would hide mistakes.
        ConfigMigrationError: ``static`` holds a threshold that belongs to a
            :class:`~bodyloop.evaluation.ThresholdFailure`.
    """

    kernel: Kernel
    bindings: Mapping[str, str]
    """Context path of each bound parameter."""
    static: Mapping[str, Any] = field(default_factory=dict)
    """Fixed arguments by parameter."""
    schema: ContextSchema = TRACKING_CONTEXT

    def __post_init__(self) -> None:
        for name in ("bindings", "static"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        parameters = _parameters(self.kernel)
        _refuse_rule_arguments(self, parameters)
        for name in (*self.bindings, *self.static):
            if name not in parameters:
                raise _unknown_parameter(self.name, name, parameters)
        for name, path in self.bindings.items():
            if name in self.static:
                raise BindingError(f"{self.name}: parameter {name!r} has both a path and a fixed value")
            if path not in self.schema:
                error = UnknownNameError("context path", path, [f.path for f in self.schema])
                raise BindingError(f"{self.name}: parameter {name!r}: {error}")
        for name, parameter in parameters.items():
            if name not in self.bindings and name not in self.static and parameter.default is parameter.empty:
                raise _unbound(self.name, name, self.schema)

    def __reduce__(self) -> tuple[Any, ...]:
        return MdpComponent, (self.kernel, dict(self.bindings), dict(self.static), self.schema)

    @classmethod
    def from_kernel(
        cls,
        kernel: Kernel,
        schema: ContextSchema = TRACKING_CONTEXT,
        *,
        bindings: Mapping[str, str | ContextField] | None = None,
        static: Mapping[str, Any] | None = None,
        **paths: str | ContextField,
    ) -> MdpComponent:
        """Bind a kernel by the names of its parameters.

        Args:
            kernel: Pure function of arrays that returns one value per environment, shape (N,).
            schema: What the names mean.
            bindings: Paths by parameter, instead of what the schema says. Also accepted as keyword arguments.
            static: Fixed arguments by parameter.

        Raises:
            BindingError: A name is ambiguous, or the cases of the class.
        """
        sources = {**(bindings or {}), **paths}
        bound = {name: p.path if isinstance(p, ContextField) else p for name, p in sources.items()}
        fixed = dict(static or {})
        for name in _parameters(kernel):
            if name in bound or name in fixed:
                continue
            candidates = schema.candidates(name)
            if len(candidates) > 1:
                raise BindingError(
                    f"{_kernel_name(kernel)}: parameter {name!r} is ambiguous: it may mean {', '.join(candidates)}; "
                    f"pass bindings={{{name!r}: {candidates[0]!r}}} or another of them"
                )
            if candidates:
                bound[name] = candidates[0]
        return cls(kernel, bound, fixed, schema)

    @property
    def name(self) -> str:
        """Dotted name of the kernel."""
        return _kernel_name(self.kernel)

    def takes(self, parameter: str) -> bool:
        """Whether the kernel has a parameter of this name."""
        return parameter in _parameters(self.kernel)

    def arguments(self, context: Mapping[str, Any]) -> dict[str, Any]:
        """Bound arguments read from a context.

        Raises:
            BindingError: The context lacks a path, and the parameter does not default to None.
        """
        values = {name: read_path(context, path) for name, path in self.bindings.items()}
        for name, value in values.items():
            if value is None and _parameters(self.kernel)[name].default is not None:
                path = self.bindings[name]
                raise BindingError(
                    f"{self.name}: parameter {name!r} reads {path!r}, which this context does not hold; "
                    f"{self.schema.field(path).producer} should fill it"
                )
        return values

    def compute(self, context: Mapping[str, Any], static: Mapping[str, Any] | None = None) -> Array:
        """Call the kernel; ``static`` are the fixed arguments moved to another device."""
        return self.kernel(**self.arguments(context), **(self.static if static is None else static))


def _kernel_name(kernel: Kernel) -> str:
    return f"{kernel.__module__}.{kernel.__qualname__}"


def _parameters(kernel: Kernel) -> Mapping[str, inspect.Parameter]:
    parameters = inspect.signature(kernel).parameters
    for parameter in parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise BindingError(f"{_kernel_name(kernel)}: parameter {parameter.name!r} cannot be bound by name")
    return parameters


def _refuse_rule_arguments(component: MdpComponent, parameters: Mapping[str, inspect.Parameter]) -> None:
    """Thresholds once lived among the fixed arguments; a kernel's own ``threshold`` stays legitimate."""
    static = component.static
    if "fail_above" in static or ("threshold" in static and "threshold" not in parameters):
        raise ConfigMigrationError(
            f"{component.name}: 'threshold' and 'fail_above' are no arguments of a measurement. Replace them with:\n"
            f"  failure_components[NAME] = ThresholdFailure(component, {static.get('threshold', 'THRESHOLD')!r}, "
            f"fail_above={static.get('fail_above', True)!r})"
        )


def _unknown_parameter(kernel: str, name: str, known: Mapping[str, Any]) -> BindingError:
    return BindingError(f"{kernel}: {UnknownNameError('parameter', name, known)}")


def _unbound(kernel: str, name: str, schema: ContextSchema) -> BindingError:
    near = difflib.get_close_matches(name, schema.parameter_names(), n=3, cutoff=0.5)
    hint = f"; names near it: {', '.join(near)}" if near else ""
    return BindingError(
        f"{kernel}: parameter {name!r} has no source{hint}; pass bindings={{{name!r}: PATH}}, a fixed value in "
        "static, or give it a default"
    )
