"""Measures trials and judges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import array_api_compat.numpy as numpy_namespace
import numpy as np

from bodyloop.errors import ConfigError, SimulationError
from bodyloop.evaluation.accumulators import FrameRules, Track, Verdict, judge_window
from bodyloop.evaluation.arrays import Array
from bodyloop.evaluation.component import MdpComponent
from bodyloop.evaluation.components import ComponentManager, Route
from bodyloop.evaluation.config import SUCCESS_RATE_KEY, EvaluatorConfig
from bodyloop.evaluation.describe import describe_groups
from bodyloop.evaluation.plugins import ChannelRecorder, Plugin
from bodyloop.evaluation.report import BatchRecord, build_outcomes, logs_of
from bodyloop.evaluation.result import EvaluationResult
from bodyloop.evaluation.rules import Reduction, ThresholdFailure

__all__ = ["EvaluationManager", "FrameEnd"]

_METRIC, _RULE = "metric ", "rule "
_METRIC_REDUCTIONS = frozenset({Reduction.MEAN, Reduction.MIN, Reduction.MAX})


@dataclass(frozen=True, eq=False)
class FrameEnd:
    """Which environments ended at a frame; boolean arrays (N,) on the manager's device."""

    just_failed: Array
    """Trials that a rule ended: reset these environments before the next action."""
    just_completed: Array
    """Trials that reached their window."""
    active: Array
    """Trials that go on."""


class EvaluationManager(ComponentManager):
    """Accumulates measurements of trials, one per environment and batch, and reports on them.

    For each batch: :meth:`begin_batch`; after every step :meth:`measure` and :meth:`end_frame`, until no trial is
    active; :meth:`finish_batch`. Then :meth:`result`. Nothing in :meth:`measure` reads an array on the host, unless a
    plugin records.
    """

    def __init__(
        self,
        metric_components: Mapping[str, MdpComponent],
        failure_components: Mapping[str, ThresholdFailure],
        num_envs: int,
        *,
        score_key: str | None = None,
        plugins: Sequence[Plugin] = (),
        protocol: Mapping[str, Any] | None = None,
        xp: Any = numpy_namespace,
        device: Any = None,
    ) -> None:
        """Build routes and accumulators.

        Args:
            metric_components: Logged measurements by name.
            failure_components: Rules by name.
            num_envs: Environments N.
            score_key: ``eval/success_rate`` or None.
            plugins: Aggregates over recorded trajectories.
            protocol: JSON-ready facts of the caller that make results comparable, for example control rate and seed.
            xp: Array library of the contexts.
            device: Device of the accumulators.

        Raises:
            ConfigError: The groups or the score key are not acceptable.
        """
        EvaluatorConfig(dict(metric_components), dict(failure_components), score_key)
        self.metrics, self.rules = dict(metric_components), dict(failure_components)
        named = {_METRIC + name: component for name, component in self.metrics.items()}
        named |= {_RULE + name: rule.component for name, rule in self.rules.items()}
        super().__init__(named, num_envs, xp=xp, device=device)
        self.score_key = score_key
        self._protocol = dict(protocol or {})
        self._plugins = tuple(plugins)
        for plugin in self._plugins:
            plugin.begin()
        self._recorder = ChannelRecorder(self._plugins)
        self._reductions = {route: self._reductions_of(route) for route in self.routes}
        self._any_rules = {route: self._rules_of(route, judged_at_frames=True) for route in self.routes}
        self._window_rules = {route: self._rules_of(route, judged_at_frames=False) for route in self.routes}
        self._thresholds: dict[Route, Array] = {}
        self._dtypes: dict[Route, Any] = {}
        self._records: list[BatchRecord] = []
        self._trials: set[int] = set()
        self._in_batch = False
        self.steps = 0
        """Frames measured in all batches."""

    @classmethod
    def from_config(cls, config: EvaluatorConfig, num_envs: int, **options: Any) -> EvaluationManager:
        """Build from a configuration, checked again here because its groups may have changed."""
        config.validate()
        return cls(config.metric_components, config.failure_components, num_envs, score_key=config.score_key, **options)

    def begin_batch(self, trial_ids: Sequence[int], windows: Sequence[int]) -> None:
        """Start trials.

        Args:
            trial_ids: One trial per environment; -1 for an environment that is not scored.
            windows: Scored frames granted to each; 0 leaves the trial unmeasured.

        Raises:
            ConfigError: Wrong lengths, a repeated trial or a negative window.
            SimulationError: The batch before is not finished.
        """
        if self._in_batch:
            raise SimulationError("begin_batch: the batch before is not finished")
        ids, granted = np.asarray(trial_ids, np.int64), np.asarray(windows, np.int64)
        if ids.shape != (self.num_envs,) or granted.shape != (self.num_envs,):
            raise ConfigError(f"begin_batch: expected {self.num_envs} trial ids and windows")
        scored = [int(trial) for trial in ids if trial >= 0]
        if len(set(scored)) < len(scored) or self._trials & set(scored):
            raise ConfigError("begin_batch: a trial id is repeated")
        if (granted < 0).any():
            raise ConfigError("begin_batch: a window is negative")
        self._trials |= set(scored)
        xp, device = self.xp, self.device
        self._ids, self._granted, self._in_batch = ids, granted, True
        self._windows = xp.asarray(granted, device=device)
        self._frames = xp.zeros((self.num_envs,), dtype=xp.int64, device=device)
        self._active = xp.asarray((ids >= 0) & (granted > 0) & bool(self.routes), device=device)
        self._tracks = {r: Track(xp, self.num_envs, device, self._reductions[r]) for r in self.routes}
        self._frame_rules = {
            r: FrameRules(rules, xp, self.num_envs, device) for r, rules in self._any_rules.items() if rules
        }
        self._recorder.begin()

    @property
    def active(self) -> Array:
        """Trials that are being scored, (N,) bool."""
        return self._active

    def measure(self, context: Mapping[str, Any]) -> None:
        """Score one frame of the active trials, each component object once.

        Raises:
            BindingError, MeasurementError, ConfigMigrationError: See :meth:`ComponentManager.compute`. What a kernel
                raises passes unchanged, with a note of component and frame.
        """
        self._require_batch("measure")
        xp = self.xp
        self.steps += 1
        self._frames = self._frames + xp.astype(self._active, xp.int64)
        for route in self.routes:
            try:
                value = self.value(route, context)
            except Exception as error:
                error.add_note(f"at frame {self.steps} of the evaluation, batch {len(self._records) + 1}")
                raise
            number = xp.astype(value, xp.float64)
            finite = xp.isfinite(number)
            self._tracks[route].update(number, self._active, finite)
            self._dtypes.setdefault(route, value.dtype)
            if route in self._frame_rules:
                thresholds = self._frame_thresholds(route)
                self._frame_rules[route].judge(number, finite, self._active, self._frames, thresholds)
        if self._plugins:
            self._recorder.record(context, self._active)

    def end_frame(self) -> FrameEnd:
        """Close the frame: end failed trials and those at the end of their window."""
        self._require_batch("end_frame")
        failed = self._active & False
        for rules in self._frame_rules.values():
            failed = failed | (self.xp.any(rules.failed, axis=0) & self._active)
        completed = self._active & ~failed & (self._frames >= self._windows)
        self._active = self._active & ~failed & ~completed
        return FrameEnd(failed, completed, self._active)

    def finish_batch(self) -> None:
        """Close every window, also of trials still active, and judge the rules that wait for it."""
        self._require_batch("finish_batch")
        verdicts: dict[str, Verdict] = {}
        for route in self.routes:
            if route in self._frame_rules:
                verdicts |= self._frame_rules[route].verdicts()
            for name, rule in self._window_rules[route].items():
                threshold = self._rounded(route, rule.threshold)
                verdicts[name] = judge_window(rule, self._tracks[route], self._frames, threshold, self.xp)
        tracks = {
            n.removeprefix(_METRIC): self._tracks[r] for r in self.routes for n in r.names if n.startswith(_METRIC)
        }
        rule_tracks = {name: self._tracks[r] for r in self.routes for name in self._rule_names(r)}
        self._records.append(BatchRecord(self._ids, self._granted, self._frames, verdicts, rule_tracks, tracks))
        self._recorder.deliver()
        self._in_batch = False

    def result(self, *, artifacts: Mapping[str, str] | None = None) -> EvaluationResult:
        """Reduce the finished batches to an :class:`EvaluationResult`."""
        outcomes, nonfinite = build_outcomes(self._records, tuple(self.metrics), tuple(self.rules), self.rules)
        logs = logs_of(outcomes, nonfinite, self.steps)
        notes: list[str] = []
        if outcomes.measured.any():
            for plugin in self._plugins:
                logs |= plugin.logs()
                notes += plugin.notes()
        score = logs.get(SUCCESS_RATE_KEY) if self.score_key is not None else None
        protocol = {
            **self._protocol,
            **describe_groups(self.metrics, self.rules),
            "score_key": self.score_key,
            "trials": [[int(t), int(w)] for t, w in zip(outcomes.trial_id, outcomes.window, strict=True)],
        }
        count = int(outcomes.measured.sum())
        return EvaluationResult(logs, score, count, outcomes, protocol, dict(artifacts or {}), tuple(notes))

    def _require_batch(self, operation: str) -> None:
        if not self._in_batch:
            raise SimulationError(f"{operation}: call begin_batch first")

    def _rule_names(self, route: Route) -> list[str]:
        return [name.removeprefix(_RULE) for name in route.names if name.startswith(_RULE)]

    def _reductions_of(self, route: Route) -> frozenset[Reduction]:
        wanted = {Reduction(self.rules[name].reduction) for name in self._rule_names(route)}
        return frozenset(wanted) | (_METRIC_REDUCTIONS if any(n.startswith(_METRIC) for n in route.names) else set())

    def _rules_of(self, route: Route, *, judged_at_frames: bool) -> dict[str, ThresholdFailure]:
        named = {name: self.rules[name] for name in self._rule_names(route)}
        return {name: rule for name, rule in named.items() if (rule.reduction is Reduction.ANY) is judged_at_frames}

    def _frame_thresholds(self, route: Route) -> Array:
        """Thresholds of the ``any`` rules of a component, (R, 1)."""
        if route not in self._thresholds:
            rounded = [self._rounded(route, rule.threshold) for rule in self._any_rules[route].values()]
            self._thresholds[route] = self.xp.stack(rounded)[:, None]
        return self._thresholds[route]

    def _rounded(self, route: Route, threshold: float) -> Array:
        """A threshold rounded to the measurement's floating type, so that equality passes as configured."""
        xp, dtype = self.xp, self._dtypes.get(route, self.xp.float64)
        dtype = dtype if xp.isdtype(dtype, "real floating") else xp.float64
        return xp.astype(xp.asarray(threshold, dtype=dtype, device=self.device), xp.float64)
