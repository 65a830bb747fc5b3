from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.runs.queue import RolloutQueue


def _specs(groups):
    return [RolloutSpec(EpisodeSpec("s", f"{group}{i}", group, ""), 0, 0, f"{i}") for i, group in enumerate(groups)]


def _pop(queue, *args):
    return queue.pop(*args).episode.episode_id


def test_a_worker_stays_with_its_group():
    queue = RolloutQueue(_specs("abab"))
    assert [_pop(queue, "b"), _pop(queue, "b"), _pop(queue, "b")] == ["b1", "b3", "a0"]


def test_a_new_worker_takes_the_first_group_that_nobody_has():
    queue = RolloutQueue(_specs("aabbc"))
    assert _pop(queue, None, {"a"}) == "b2"
    assert _pop(queue, None, {"a", "b"}) == "c4"


def test_an_idle_worker_steals_from_the_end_of_the_longest_group():
    queue = RolloutQueue(_specs("aabbb"))
    assert _pop(queue, "c", {"a", "b"}) == "b4"


def test_an_empty_queue_says_so():
    queue = RolloutQueue([])
    assert len(queue) == 0
    with pytest.raises(IndexError):
        queue.pop()


@given(st.lists(st.sampled_from("abc")), st.data())
def test_every_rollout_comes_out_once(groups, data):
    queue = RolloutQueue(_specs(groups))
    popped = []
    while queue:
        loaded = data.draw(st.sampled_from([None, "a", "b", "z"]))
        taken = data.draw(st.sets(st.sampled_from("abc")))
        popped.append(queue.pop(loaded, taken).key)
    assert sorted(popped) == sorted(spec.key for spec in _specs(groups))
