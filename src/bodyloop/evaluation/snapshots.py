"""Composes the snapshots of several parts and restores them whatever happens in between."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from bodyloop.errors import SimulationError, UnknownNameError

__all__ = ["AttributeSettings", "ModuleModes", "Snapshotable", "preserved", "restore_all", "save_all"]


class Snapshotable(Protocol):
    """Anything with a temporary snapshot; not the same as a model checkpoint."""

    def save_state(self) -> Any:
        """A snapshot that later changes do not reach."""

    def restore_state(self, snapshot: Any) -> None:
        """Bring the state of the snapshot back, in place."""


def save_all(parts: Mapping[str, Snapshotable]) -> dict[str, Any]:
    """Snapshots by part."""
    return {name: part.save_state() for name, part in parts.items()}


def restore_all(parts: Mapping[str, Snapshotable], snapshots: Mapping[str, Any]) -> None:
    """Restore in the order of ``parts``, all of them even if one fails.

    Order matters where one restoration overwrites another's: physical poses first, then solver state, buffers of the
    simulator, components, observation buffers, model context, module modes, settings.

    Raises:
        SimulationError: A snapshot is missing; nothing is restored then.
        Exception: The first error of a part, after all parts had their turn; further ones are notes.
    """
    if set(parts) != set(snapshots):
        raise SimulationError(f"snapshots do not fit the parts: {', '.join(sorted(set(parts) ^ set(snapshots)))}")
    first: Exception | None = None
    for name, part in parts.items():
        try:
            part.restore_state(snapshots[name])
        except Exception as error:
            if first is None:
                error.add_note(f"while restoring {name}")
                first = error
            else:
                first.add_note(f"restoring {name} failed too: {type(error).__name__}: {error}")
    if first is not None:
        raise first


@contextmanager
def preserved(parts: Mapping[str, Snapshotable]) -> Iterator[None]:
    """Save on entry and restore on exit.

    An error inside the block propagates as it is; an error of the restoration then becomes its context and a note.
    """
    snapshots = save_all(parts)
    try:
        yield
    except BaseException as original:
        failure = _attempt(lambda: restore_all(parts, snapshots))
        if failure is not None:
            original.add_note(f"restoring failed too: {type(failure).__name__}: {failure}")
            _last_context(original).__context__ = failure
        raise
    restore_all(parts, snapshots)


class ModuleModes:
    """Train or eval flag of each module of a model, frozen submodules included; works for ``torch.nn.Module``."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def save_state(self) -> list[tuple[Any, bool]]:
        """Each module with its flag."""
        return [(module, bool(module.training)) for module in self._model.modules()]

    def restore_state(self, snapshot: Iterable[tuple[Any, bool]]) -> None:
        """Set each flag by itself, not through the parent."""
        for module, training in snapshot:
            module.training = training


class AttributeSettings:
    """Named attributes of an object, for example push and noise settings."""

    def __init__(self, owner: Any, names: Iterable[str]) -> None:
        """Raises :class:`UnknownNameError` when the object lacks an attribute."""
        self._owner, self._names = owner, tuple(names)
        for name in self._names:
            if not hasattr(owner, name):
                raise UnknownNameError("setting", name, [n for n in dir(owner) if not n.startswith("_")])

    def save_state(self) -> dict[str, Any]:
        """Deep copies of the values."""
        return {name: copy.deepcopy(getattr(self._owner, name)) for name in self._names}

    def restore_state(self, snapshot: Mapping[str, Any]) -> None:
        """Set the values again; the snapshot stays usable."""
        for name, value in snapshot.items():
            setattr(self._owner, name, copy.deepcopy(value))


def _attempt(action: Callable[[], None]) -> Exception | None:
    try:
        action()
    except Exception as error:
        return error
    return None


def _last_context(error: BaseException) -> BaseException:
    """The oldest error of a chain."""
    seen = {id(error)}
    while error.__context__ is not None and id(error.__context__) not in seen:
        error = error.__context__
        seen.add(id(error))
    return error
