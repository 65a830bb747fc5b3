"""Reductions of a measurement over a trial, and thresholds on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

from bodyloop.errors import ConfigError, UnknownNameError
from bodyloop.evaluation.component import MdpComponent

__all__ = ["Reduction", "ThresholdFailure"]


class Reduction(StrEnum):
    """How the scored frames of one trial become one value."""

    ANY = "any"
    """Judged at every frame; the first bad one ends the trial."""
    SUM = "sum"
    MEAN = "mean"
    MIN = "min"
    MAX = "max"
    LAST = "last"


@dataclass(frozen=True)
class ThresholdFailure:
    """A trial fails when the reduced measurement lies beyond a threshold; equality passes.

    The threshold is rounded to the floating type of the measurement before the comparison. A value that is not finite
    fails the rule: with ``any`` at its frame, otherwise when the window closes.

    Raises:
        TypeError: A field has the wrong type.
        ConfigError: The threshold is not finite, or the reduction is unknown; the message lists them.
    """

    component: MdpComponent
    """One real value per environment; a boolean counts as 0 or 1."""
    threshold: float
    """In the unit of the measurement; for ``sum`` the unit times samples."""
    fail_above: bool = True
    """Whether larger values fail; otherwise smaller ones do."""
    reduction: Reduction | str = Reduction.ANY

    def __post_init__(self) -> None:
        if not isinstance(self.component, MdpComponent):
            raise TypeError(f"component: expected an MdpComponent, got {type(self.component).__name__}")
        if isinstance(self.threshold, bool) or not isinstance(self.threshold, Real):
            raise TypeError(f"threshold: expected a number, got {type(self.threshold).__name__}")
        if not math.isfinite(self.threshold):
            raise ConfigError(f"threshold: expected a finite number, got {self.threshold}")
        if not isinstance(self.fail_above, bool):
            raise TypeError(f"fail_above: expected a bool, got {type(self.fail_above).__name__}")
        if self.reduction not in list(Reduction):
            error = UnknownNameError("reduction", str(self.reduction), list(Reduction))
            raise ConfigError(f"{error} (one of {', '.join(Reduction)})")
        object.__setattr__(self, "threshold", float(self.threshold))
        object.__setattr__(self, "reduction", Reduction(self.reduction))
