"""Components that own per-environment state, and the check that none of it hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import array_api_compat.numpy as numpy_namespace

from bodyloop.evaluation.arrays import Array, is_array, same_storage
from bodyloop.evaluation.episode_tensors import EpisodeTensors
from bodyloop.evaluation.errors import UnregisteredStateError

__all__ = ["ControlComponent", "check_registered"]


class _CheckedAtConstruction(type):
    """Checks an instance after its outermost constructor has finished."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        instance = super().__call__(*args, **kwargs)
        check_registered(instance)
        return instance


class ControlComponent(metaclass=_CheckedAtConstruction):
    """Base of components with per-environment state, all of it in ``self.state``.

    Construction is refused when an attribute, or an entry of a list, tuple or mapping in one, is an array whose first
    dimension is the number of environments and which the registry does not know. Objects in attributes are looked
    through one level deep, except those named in ``services``: give an owned object ``self.state.child(name)``.

    Allocate in the constructor only; call :func:`check_registered` again after the first step while developing.
    """

    services: ClassVar[frozenset[str]] = frozenset()
    """Attributes that hold shared services, whose arrays belong to others."""

    def __init__(self, num_envs: int, *, xp: Any = numpy_namespace, device: Any = None) -> None:
        self.state = EpisodeTensors(num_envs, xp=xp, device=device)

    def save_state(self) -> dict[str, Any]:
        """A snapshot of the registry. Override together with :meth:`restore_state` to add more."""
        return self.state.save_state()

    def restore_state(self, snapshot: Mapping[str, Any]) -> None:
        """Restore a snapshot in place. Raises :class:`SimulationError` when it does not fit."""
        self.state.load_state(snapshot)

    def reset(self, env_ids: Any) -> None:
        """Reset rows: numbers, or a boolean mask (N,)."""
        self.state.reset(env_ids)


def check_registered(component: ControlComponent) -> None:
    """Refuse per-environment arrays that the registry does not know.

    Raises:
        UnregisteredStateError: Names class and attribute.
    """
    registered = list(component.state.registered())
    for name, array in _arrays(component):
        suspicious = len(array.shape) >= 1 and array.shape[0] == component.state.num_envs
        if suspicious and not any(same_storage(array, known) for known in registered):
            raise UnregisteredStateError(
                f"{type(component).__name__}.{name}: an array {tuple(array.shape)} with one row per environment is not "
                f"registered; allocate it with self.state.add, or self.state.child(...).add for an owned object, or "
                "register it with self.state.constant if it never changes (also when its length is the number of "
                "environments by chance)"
            )


def _arrays(component: ControlComponent) -> Iterator[tuple[str, Array]]:
    """Arrays of the component with their attribute names: own, in containers, and of objects it holds."""
    for name, value in vars(component).items():
        if name in component.services or isinstance(value, EpisodeTensors):
            continue
        yield from _contained(name, value)
        if not is_array(value) and not isinstance(value, ControlComponent) and hasattr(value, "__dict__"):
            for inner, owned in vars(value).items():
                if not isinstance(owned, EpisodeTensors):
                    yield from _contained(f"{name}.{inner}", owned)


def _contained(name: str, value: Any) -> Iterator[tuple[str, Array]]:
    """The value if it is an array, or the arrays one level inside a container."""
    if is_array(value):
        yield name, value
    elif isinstance(value, Mapping):
        yield from ((f"{name}[{key!r}]", item) for key, item in value.items() if is_array(item))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((f"{name}[{i}]", item) for i, item in enumerate(value) if is_array(item))
