"""What a run consists of, as written to ``run.json``.

The file holds everything that fixes the results and the list of rollouts, and nothing that may differ between two
executions of the same run: no times, no worker counts, no output path.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from bodyloop import __version__
from bodyloop.errors import ArtifactError, ConfigError, FingerprintMismatchError, UnknownNameError
from bodyloop.records.files import canonical_json, load_json, write_json_atomic
from bodyloop.records.fingerprint import Fingerprint
from bodyloop.records.protocols import Suite
from bodyloop.records.seeds import derive_seed
from bodyloop.records.specs import RolloutSpec

__all__ = ["RunPlan", "make_plan", "prepare_fingerprint"]

SCHEMA = "bodyloop_run_v1"
FILE_NAME = "run.json"


@dataclass(frozen=True)
class RunPlan:
    """One configuration and the rollouts to do under it."""

    suite: str
    """Reference for :func:`~bodyloop.runs.suites.load_suite`."""
    config: Mapping[str, Any]
    """The suite's configuration, handed to it unchanged in every process."""
    seed: int
    n_rollouts: int
    fingerprint: Fingerprint
    rollouts: tuple[RolloutSpec, ...]
    """In the suite's episode order, the rollouts of an episode together."""
    versions: Mapping[str, str]

    def spec(self, key: str) -> RolloutSpec:
        """The rollout with this key. Raises UnknownNameError if it is not planned."""
        try:
            return self._by_key[key]
        except KeyError:
            raise UnknownNameError("rollout", key, self._by_key) from None

    @cached_property
    def _by_key(self) -> Mapping[str, RolloutSpec]:
        return {spec.key: spec for spec in self.rollouts}

    def to_json(self) -> dict[str, Any]:
        """Content of ``run.json``."""
        return {
            "schema": SCHEMA,
            "suite": self.suite,
            "config": dict(self.config),
            "seed": self.seed,
            "n_rollouts": self.n_rollouts,
            "versions": dict(self.versions),
            "fingerprint": {"digest": self.fingerprint.digest, "fields": self.fingerprint.fields},
            "rollouts": [spec.to_json() for spec in self.rollouts],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Inverse of :meth:`to_json`. Raises KeyError, TypeError or ValueError on anything else."""
        if data["schema"] != SCHEMA:
            raise ValueError(f"schema is {data['schema']!r}, expected {SCHEMA!r}")
        fingerprint = Fingerprint(data["fingerprint"]["fields"])
        if fingerprint.digest != data["fingerprint"]["digest"]:
            raise ValueError("the fingerprint fields do not match their digest")
        return cls(
            suite=data["suite"],
            config=data["config"],
            seed=data["seed"],
            n_rollouts=data["n_rollouts"],
            fingerprint=fingerprint,
            rollouts=tuple(RolloutSpec.from_json(row, fingerprint.digest) for row in data["rollouts"]),
            versions=data["versions"],
        )

    def write(self, run_dir: Path) -> None:
        """Write ``run.json``."""
        write_json_atomic(run_dir / FILE_NAME, self.to_json())

    @classmethod
    def read(cls, run_dir: Path) -> Self:
        """Read ``run.json``. Raises MissingFileError, or :class:`ConfigError` if it was damaged."""
        path = run_dir / FILE_NAME
        try:
            return cls.from_json(load_json(path))
        except (ArtifactError, KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{path}: not a usable run description ({error}); use a new output folder") from error


def make_plan(
    reference: str, suite: Suite, config: Mapping[str, Any], *, seed: int = 0, n_rollouts: int = 1
) -> RunPlan:
    """Prepare the suite and list the rollouts.

    Raises:
        ConfigError: The configuration is wrong, or the suite selects no episodes or ambiguous ones.
    """
    if n_rollouts < 1:
        raise ConfigError(f"n_rollouts must be at least 1, got {n_rollouts}")
    try:
        plain = json.loads(canonical_json(config))
    except (TypeError, ValueError) as error:
        raise ConfigError(f"the configuration of suite {reference!r} is not plain JSON data: {error}") from error
    fingerprint = prepare_fingerprint(suite, plain, seed)
    specs = tuple(
        replace(spec, fingerprint=fingerprint.digest) for spec in _rollouts(suite, seed=seed, n_rollouts=n_rollouts)
    )
    _check_unique(specs)
    versions = {"bodyloop": __version__, "python": platform.python_version(), suite.name: suite.version}
    return RunPlan(reference, plain, seed, n_rollouts, fingerprint, specs, versions)


def prepare_fingerprint(suite: Suite, config: Mapping[str, Any], seed: int) -> Fingerprint:
    """Run the suite's checks; its fields, with the run's own under ``run``."""
    fields = suite.prepare(config)
    if "run" in fields:
        raise ConfigError(f"suite {suite.name!r} uses the reserved fingerprint field 'run'")
    own = {"bodyloop": __version__, "suite": suite.name, "suite_version": suite.version, "seed": seed}
    return Fingerprint({"run": own, **fields})


def verify_inputs(plan: RunPlan, suite: Suite) -> None:
    """Prepare the suite in another process, and refuse inputs that have changed since the run was planned."""
    changed = plan.fingerprint.diff(prepare_fingerprint(suite, plan.config, plan.seed))
    if changed:
        raise FingerprintMismatchError(f"the inputs changed while the run was going: {changed[0]} (planned != now)")


def _rollouts(suite: Suite, *, seed: int, n_rollouts: int) -> list[RolloutSpec]:
    return [
        RolloutSpec(
            episode=episode,
            rollout_index=index,
            seed=derive_seed(seed, suite.name, episode.episode_id, index),
            folder=suite.rollout_folder(episode, index),
        )
        for episode in suite.episodes()
        for index in range(n_rollouts)
    ]


def _check_unique(specs: tuple[RolloutSpec, ...]) -> None:
    if not specs:
        raise ConfigError("no episode is selected")
    for what, values in (("key", [s.key for s in specs]), ("folder", [s.folder for s in specs])):
        value, count = Counter(values).most_common(1)[0]
        if count > 1:
            raise ConfigError(f"{count} rollouts share the {what} {value!r}; episode ids must be unique")
