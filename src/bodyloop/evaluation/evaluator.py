"""The one loop that runs trials, and leaves no trace in the environment and the policy."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import array_api_compat.numpy as numpy_namespace
import numpy as np
import numpy.typing as npt

from bodyloop.errors import ConfigError
from bodyloop.evaluation.arrays import Array, to_numpy
from bodyloop.evaluation.config import EvaluatorConfig
from bodyloop.evaluation.manager import EvaluationManager, FrameEnd
from bodyloop.evaluation.plugins import Plugin
from bodyloop.evaluation.result import EvaluationResult
from bodyloop.evaluation.snapshots import Snapshotable, preserved

__all__ = ["BaseEvaluator", "EvaluationEnv", "EvaluationPolicy", "TrialBatch"]


class EvaluationEnv(Protocol):
    """A vectorised environment that does not reset by itself."""

    @property
    def num_envs(self) -> int:
        """Environments N."""

    def begin_evaluation(self) -> None:
        """Switch perturbations off; the snapshot parts bring them back."""

    def reset(self, env_ids: npt.NDArray[np.int64]) -> None:
        """Start new episodes in some rows."""

    def observe(self) -> Any:
        """Observations of the current state, once per step."""

    def step(self, action: Any) -> Array:
        """Advance one control period; returns which environments call themselves done, (N,) bool."""

    def context(self) -> Mapping[str, Any]:
        """What measurements read of the current frame."""

    def snapshot_parts(self) -> Mapping[str, Snapshotable]:
        """Everything an evaluation changes, in order of restoration."""


class EvaluationPolicy(Protocol):
    """What chooses actions."""

    def begin_evaluation(self) -> None:
        """Switch modules to eval mode; the snapshot parts bring their modes back."""

    def reset_context(self, env_ids: npt.NDArray[np.int64]) -> None:
        """Forget what is kept across steps in some rows."""

    def act(self, observation: Any) -> Any:
        """Actions of all environments."""

    def snapshot_parts(self) -> Mapping[str, Snapshotable]:
        """Context across steps and module modes, in order of restoration."""


@dataclass(frozen=True)
class TrialBatch:
    """Trials that run at the same time, one entry per environment."""

    trial_ids: Sequence[int]
    """-1 for an environment that is not scored."""
    windows: Sequence[int]


class BaseEvaluator:
    """Runs the planned batches, measures after every step, and restores everything.

    The state after a reset is not scored; the first scored frame is the one after the first action. An environment that
    calls itself done does not end its trial: only rules and windows do. Failed environments are reset before the next
    action and not scored again in their batch, as are unscored ones when they are done. A batch stops as soon as no
    trial is scored, without a further reset.

    Subclasses override :meth:`plan`, :meth:`reset_envs` or :meth:`select_action`, and nothing of the loop.
    """

    def __init__(
        self,
        config: EvaluatorConfig,
        env: EvaluationEnv,
        policy: EvaluationPolicy,
        *,
        plugins: Sequence[Plugin] = (),
        protocol: Mapping[str, Any] | None = None,
        xp: Any = numpy_namespace,
        device: Any = None,
    ) -> None:
        """Raises :class:`ConfigError` when the configuration is not acceptable."""
        config.validate()
        self.config, self.env, self.policy = config, env, policy
        self._plugins, self._protocol, self._xp, self._device = tuple(plugins), dict(protocol or {}), xp, device

    def plan(self) -> Iterator[TrialBatch]:
        """One batch with a trial per environment, each up to ``max_eval_steps`` frames."""
        count = self.env.num_envs
        yield TrialBatch(range(count), [self.config.max_eval_steps] * count)

    def reset_envs(self, env_ids: npt.NDArray[np.int64], batch: TrialBatch) -> None:  # noqa: ARG002 for subclasses
        """Reset some rows to the start of their trials."""
        self.env.reset(env_ids)

    def select_action(self, observation: Any) -> Any:
        """Actions for an observation."""
        return self.policy.act(observation)

    def evaluate(self) -> EvaluationResult:
        """Run all trials.

        Environment and policy are restored before this returns or raises. Without any component nothing runs, and the
        result has no logs.

        Raises:
            ConfigError: The configuration has become unacceptable.
            BindingError: The environment lacks a view; before the first action.
            Exception: What a kernel, the environment or the policy raises, unchanged.
        """
        options = {"protocol": self._protocol, "xp": self._xp, "device": self._device, "plugins": self._plugins}
        manager = EvaluationManager.from_config(self.config, self.env.num_envs, **options)
        if not self.config.enabled:
            return dataclasses.replace(manager.result(), logs={})
        with preserved(self._parts()):
            self.env.begin_evaluation()
            self.policy.begin_evaluation()
            for batch in self.plan():
                self._run_batch(manager, batch)
            return manager.result()

    def _run_batch(self, manager: EvaluationManager, batch: TrialBatch) -> None:
        manager.begin_batch(batch.trial_ids, batch.windows)
        if to_numpy(manager.active).any():
            self._restart(np.arange(self.env.num_envs), batch)
            manager.check(self.env.context())
            while True:
                done = self.env.step(self.select_action(self.env.observe()))
                manager.measure(self.env.context())
                active, restart = self._read(manager.end_frame(), done)
                if not active.any():
                    break
                if restart.any():
                    self._restart(np.flatnonzero(restart), batch)
        manager.finish_batch()

    def _read(self, end: FrameEnd, done: Array) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which trials go on and which environments start anew; the only read on the host of a step."""
        masks = to_numpy(self._xp.stack([end.active, end.just_failed | (~end.active & done)]))
        return masks[0], masks[1]

    def _restart(self, env_ids: npt.NDArray[np.int64], batch: TrialBatch) -> None:
        self.reset_envs(env_ids, batch)
        self.policy.reset_context(env_ids)

    def _parts(self) -> dict[str, Snapshotable]:
        env, policy = self.env.snapshot_parts(), self.policy.snapshot_parts()
        if set(env) & set(policy):
            raise ConfigError(
                f"environment and policy share snapshot parts: {', '.join(sorted(set(env) & set(policy)))}"
            )
        return {**env, **policy}
