"""The rollouts still to be launched, kept together by group so that a scene is loaded as rarely as possible."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from bodyloop.records.specs import RolloutSpec

__all__ = ["RolloutQueue"]


class RolloutQueue:
    """Waiting rollouts by group, groups in the order of the plan."""

    def __init__(self, specs: Iterable[RolloutSpec]) -> None:
        self._groups: dict[str, deque[RolloutSpec]] = {}
        for spec in specs:
            self._groups.setdefault(spec.episode.group, deque()).append(spec)

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def pop(self, loaded: str | None = None, taken: Collection[str] = ()) -> RolloutSpec:
        """The next rollout for a worker; IndexError when none waits.

        It comes from the group that the worker has ``loaded``, else from the first group that no other worker has
        ``taken``, else it is stolen from the end of the longest group.
        """
        if not self._groups:
            raise IndexError("no rollout is waiting")
        if loaded in self._groups:
            return self._take(loaded, steal=False)
        free = next((group for group in self._groups if group not in taken), None)
        if free is not None:
            return self._take(free, steal=False)
        longest = max(self._groups, key=lambda group: len(self._groups[group]))
        return self._take(longest, steal=True)

    def _take(self, group: str, *, steal: bool) -> RolloutSpec:
        waiting = self._groups[group]
        spec = waiting.pop() if steal else waiting.popleft()
        if not waiting:
            del self._groups[group]
        return spec
