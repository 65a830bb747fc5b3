"""The declared shape of what measurements may read: one schema per suite, built per frame only when asked.

Works on any array-API array: only ``shape`` and ``dtype`` are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bodyloop.errors import ConfigError, SimulationError, UnknownNameError

__all__ = ["ContextField", "ContextSchema", "read_path"]


@dataclass(frozen=True)
class ContextField:
    """One array that measurements may read."""

    path: str
    """Unique dotted address, for example ``body.joint_position``."""
    shape: tuple[int | str, ...]
    """Sizes; a string is a symbol that stands for one size in the whole context. ``N`` leads: the number of bodies."""
    dtype: str
    """Array type by name, for example ``float64``; ``float`` stands for any floating type."""
    unit: str
    """For example ``m``, ``rad/s``; ``-`` for none."""
    producer: str
    """What fills it."""
    doc: str
    """One sentence."""
    parameters: tuple[str, ...] = ()
    """Kernel parameter names that mean this field before the names that follow from its path do."""


class ContextSchema:
    """An immutable set of context fields with unique paths."""

    def __init__(self, fields: Iterable[ContextField]) -> None:
        """Raises :class:`ConfigError` when two fields share a path, or a path lies inside another field."""
        self._fields: dict[str, ContextField] = {}
        for field in fields:
            if field.path in self._fields:
                raise ConfigError(f"context field {field.path!r} is declared twice")
            self._fields[field.path] = field
        for path in self._fields:
            inside = next((other for other in self._fields if other.startswith(f"{path}.")), None)
            if inside is not None:
                raise ConfigError(f"context field {inside!r} lies inside field {path!r}")

    def __iter__(self) -> Iterator[ContextField]:
        return iter(self._fields.values())

    def __len__(self) -> int:
        return len(self._fields)

    def __contains__(self, path: object) -> bool:
        return path in self._fields

    def field(self, path: str) -> ContextField:
        """The field at a path. Raises :class:`UnknownNameError`, naming the nearest one."""
        if path not in self._fields:
            raise UnknownNameError("context field", path, self._fields)
        return self._fields[path]

    def candidates(self, parameter: str) -> tuple[str, ...]:
        """The paths that a kernel parameter of this name may mean; several are an ambiguity.

        Names listed in ``ContextField.parameters`` go first. Otherwise the name is a path with ``_`` for ``.``, or the
        last part of a path.
        """
        listed = tuple(field.path for field in self if parameter in field.parameters)
        derived = (f.path for f in self if parameter in (f.path.replace(".", "_"), f.path.rpartition(".")[2]))
        return listed or tuple(derived)

    def parameter_names(self) -> tuple[str, ...]:
        """Every kernel parameter name that this schema knows, sorted."""
        derived = {name for f in self for name in (f.path.replace(".", "_"), f.path.rpartition(".")[2])}
        return tuple(sorted(derived | {name for field in self for name in field.parameters}))

    def validate(self, context: Mapping[str, Any], *, partial: bool = False) -> dict[str, int]:
        """Check a context, flat by path or nested, against every field.

        Args:
            context: Arrays by path.
            partial: Whether fields may be absent.

        Returns:
            The size found for each shape symbol.

        Raises:
            SimulationError: A field is absent or has another shape or type; the message names path, expected and
                actual. An undeclared entry is also an error.
        """
        flat = _flatten(context, self._fields)
        for path in flat:
            if path not in self._fields:
                raise SimulationError(f"context holds {path!r}, which the schema does not declare")
        sizes: dict[str, int] = {}
        for field in self:
            if field.path not in flat:
                if partial:
                    continue
                raise SimulationError(f"context field {field.path!r} is absent; {field.producer} should fill it")
            _check(field, flat[field.path], sizes)
        return sizes

    def markdown(self) -> str:
        """The schema as a Markdown table, in order of declaration."""
        head = "| path | shape | dtype | unit | producer | meaning |\n|---|---|---|---|---|---|\n"
        rows = (
            f"| `{f.path}` | ({', '.join(map(str, f.shape))}) | {f.dtype} | {f.unit} | {f.producer} | {f.doc} |\n"
            for f in self
        )
        return head + "".join(rows)


def read_path(context: Mapping[str, Any], path: str) -> Any:
    """The value at a path of a context, flat by path or nested; None when it holds none."""
    value = _entry(context, path)
    if value is not None or "." not in path:
        return value
    head, _, rest = path.partition(".")
    inner = _entry(context, head)
    return read_path(inner, rest) if isinstance(inner, Mapping) else None


def _entry(context: Mapping[str, Any], key: str) -> Any:
    try:
        return context[key]
    except (KeyError, UnknownNameError):  # a lazy context names the nearest path it knows
        return None


def _flatten(context: Mapping[str, Any], fields: Mapping[str, ContextField], prefix: str = "") -> dict[str, Any]:
    """Nested mappings to dotted paths."""
    flat: dict[str, Any] = {}
    for key, value in context.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping) and path not in fields:
            flat.update(_flatten(value, fields, f"{path}."))
        else:
            flat[path] = value
    return flat


def _check(field: ContextField, value: Any, sizes: dict[str, int]) -> None:
    """Compare one array with its field; binds new symbols in ``sizes``."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is None or dtype is None:
        raise SimulationError(f"context field {field.path!r}: expected an array, got {type(value).__name__}")
    name = str(dtype).rpartition(".")[2]  # torch says "torch.float32"
    if name != field.dtype and not (field.dtype == "float" and "float" in name):
        raise SimulationError(f"context field {field.path!r}: expected dtype {field.dtype}, got {name}")
    fits = len(shape) == len(field.shape) and all(
        size == (sizes.setdefault(want, size) if isinstance(want, str) else want)
        for size, want in zip(shape, field.shape, strict=True)
    )
    if not fits:
        known = ", ".join(f"{symbol}={size}" for symbol, size in sizes.items() if symbol in field.shape)
        expected = f"({', '.join(map(str, field.shape))})" + (f" with {known}" if known else "")
        raise SimulationError(f"context field {field.path!r}: expected shape {expected}, got {tuple(shape)}")
