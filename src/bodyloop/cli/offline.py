"""Finds the rollouts that an offline verb works on, and opens the environment they were made in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bodyloop.errors import ConfigError, DataError, MissingFileError
from bodyloop.records.specs import RolloutSpec

if TYPE_CHECKING:
    from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
    from bodyloop.household.types import FindNavInteractEpisode

__all__ = ["OfflineRun", "open_offline"]


@dataclass(frozen=True)
class OfflineRun:
    """A run folder with the environment of its rollouts."""

    run_dir: Path
    specs: tuple[RolloutSpec, ...]
    """Chosen rollouts whose folder exists."""
    env: FindNavInteractEnv
    episodes: dict[str, FindNavInteractEpisode]

    def episode(self, spec: RolloutSpec) -> FindNavInteractEpisode:
        """The task of a rollout."""
        return self.episodes[spec.episode.episode_id]


@contextmanager
def open_offline(path: Path, *, metrics: bool = False, video: bool = False) -> Iterator[OfflineRun]:
    """Open a run, or the run around one rollout folder.

    Raises:
        MissingFileError: no run description in the folder or above it.
        ConfigError: not a household run.
        DataError: none of its rollouts was found.
    """
    from bodyloop.household.envs.find_nav_interact_env import FindNavInteractEnv
    from bodyloop.household.envs.half_physics_env import EnvFlags
    from bodyloop.household.suite import HouseholdSuite
    from bodyloop.runs.plan import RunPlan
    from bodyloop.runs.suites import load_suite

    run_dir = _run_dir(path)
    plan = RunPlan.read(run_dir)
    suite = load_suite(plan.suite)
    if not isinstance(suite, HouseholdSuite):
        raise ConfigError(f"{run_dir} is a run of suite {suite.name!r}; this works on household runs")
    suite.prepare(plan.config)
    chosen = path.resolve()
    specs = tuple(
        spec
        for spec in plan.rollouts
        if (run_dir / spec.folder).is_dir() and chosen in ((run_dir / spec.folder), *(run_dir / spec.folder).parents)
    )
    if not specs:
        raise DataError(f"{path} holds no rollout of the run {run_dir}")
    profile, runtimes, episode_of = suite.offline()
    try:
        episodes = {spec.episode.episode_id: episode_of(spec.episode.episode_id) for spec in specs}
        yield OfflineRun(
            run_dir, specs, FindNavInteractEnv(profile, runtimes, EnvFlags(metrics=metrics, video=video)), episodes
        )
    finally:
        runtimes.close()


def _run_dir(path: Path) -> Path:
    full = path.resolve()
    for folder in (full, *full.parents):
        if (folder / "run.json").is_file():
            return folder
    raise MissingFileError(f"{path}: no run.json there or above; give a run or a rollout folder of one")
