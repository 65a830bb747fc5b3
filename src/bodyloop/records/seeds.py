"""Seeds and random generators derived from names, never from positions, workers or the clock."""

from __future__ import annotations

import hashlib

import numpy as np

from bodyloop.records.files import canonical_json
from bodyloop.records.specs import RolloutSpec

__all__ = ["derive_seed", "generator", "rollout_generator"]


def derive_seed(
    run_seed: int,
    suite: str,
    episode_id: str,
    rollout_index: int,
    purpose: str = "",
    decision: int | None = None,
) -> int:
    """A seed that depends on the named arguments and on nothing else.

    Returns:
        A non-negative integer below 2**63, so that it also fits signed 64-bit arrays.
    """
    name = canonical_json([run_seed, suite, episode_id, rollout_index, purpose, decision])
    digest = hashlib.sha256(name.encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def generator(
    run_seed: int,
    suite: str,
    episode_id: str,
    rollout_index: int,
    purpose: str = "",
    decision: int | None = None,
) -> np.random.Generator:
    """A fresh generator seeded by :func:`derive_seed` of the same arguments."""
    seed = derive_seed(run_seed, suite, episode_id, rollout_index, purpose, decision)
    return np.random.Generator(np.random.PCG64(seed))


def rollout_generator(spec: RolloutSpec, purpose: str, decision: int | None = None) -> np.random.Generator:
    """A fresh generator for one purpose (and decision) of a rollout, from the rollout's own seed."""
    episode = spec.episode
    return generator(spec.seed, episode.suite, episode.episode_id, spec.rollout_index, purpose, decision)
