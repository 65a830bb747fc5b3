from __future__ import annotations

import json

from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec

SPEC = RolloutSpec(EpisodeSpec("s", "e", "g", "0" * 64, {"max_steps": 5}, {"category": "bed"}), 3, 2**62, "e/r", "f")


def test_a_spec_round_trips_without_its_fingerprint():
    data = json.loads(json.dumps(SPEC.to_json()))
    assert "fingerprint" not in data
    assert RolloutSpec.from_json(data, "f") == SPEC


def test_keys_name_episode_and_index():
    assert SPEC.key == "e#03"
    assert RolloutRecord.of(SPEC, Outcome.SUCCESS, model="m").key == "e#03"


def test_a_record_takes_its_identity_from_the_spec():
    record = RolloutRecord.unscored(SPEC, "cancelled", model="m", privileged=True)
    assert (record.seed, record.folder, record.fingerprint, record.group) == (2**62, "e/r", "f", "g")
    assert (record.outcome, record.reason, record.tags) == (Outcome.UNSCORED, "cancelled", {"category": "bed"})
