"""A difference between two systems, as every comparison states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from statsmodels.stats.multitest import multipletests

from bodyloop.stats.intervals import Interval

__all__ = ["Effect", "difference_bounds", "holm"]


@dataclass(frozen=True)
class Effect:
    """The difference B - A with everything that has to stand beside it."""

    value: float
    interval: Interval | None
    """``None`` where the data do not determine one (a single unit)."""
    p_value: float
    """Two-sided."""
    n: int
    """Independent units behind the test: pairs, episodes or groups; for unpaired data the sum of both arms."""
    test: str
    interval_method: str


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm-adjusted p-values of a declared family, by name: each may be compared with the level of the family."""
    if not p_values:
        return {}
    adjusted = multipletests(list(p_values.values()), method="holm")[1]
    return {name: float(value) for name, value in zip(p_values, adjusted, strict=True)}


def difference_bounds(
    first: Sequence[float | None], second: Sequence[float | None], low: float = 0.0, high: float = 1.0
) -> Interval:
    """The mean of ``second`` minus the mean of ``first`` if all missing values were as bad, or as good, as possible.

    Args:
        first: Values of A between ``low`` and ``high``, ``None`` where unscored.
        second: Values of B likewise. The lengths may differ.
        low: Least possible value.
        high: Largest possible value.

    Raises:
        ValueError: A side is empty.
    """
    if not first or not second:
        raise ValueError("bounds need at least one planned trial on each side")
    return Interval(_mean(second, low) - _mean(first, high), _mean(second, high) - _mean(first, low))


def _mean(values: Sequence[float | None], missing: float) -> float:
    return sum(missing if value is None else value for value in values) / len(values)
