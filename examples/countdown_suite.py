"""A whole suite in 60 lines: `bodyloop run suite examples/countdown_suite.py:CountdownSuite --output out`.

An agent counts down from a start value, taking one or two away per decision by lot; landing on zero is success.
"""

import time

from bodyloop.errors import ConfigError
from bodyloop.records.files import artifact, load_json, sha256_json, write_json_atomic
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.seeds import rollout_generator
from bodyloop.records.specs import EpisodeSpec


class CountdownSuite:
    """Config: `starts` (positive integers) and `delay_s` per decision, which changes no result."""

    name, version = "countdown", "1"
    model, privileged = "lot", False

    def prepare(self, config):
        self.starts, self.delay_s = config.get("starts", [3, 4, 5, 6]), config.get("delay_s", 0.0)
        if not all(isinstance(start, int) and start > 0 for start in self.starts):
            raise ConfigError(f"starts must be positive integers, got {self.starts}")
        return {"rules": "take one or two away, by lot"}

    def episodes(self):
        parity = {start: "odd" if start % 2 else "even" for start in self.starts}
        return [EpisodeSpec(self.name, f"from_{s}", parity[s], sha256_json(s), {"start": s}) for s in self.starts]

    def rollout_folder(self, episode, rollout_index):
        return f"{episode.episode_id}/rollout_{rollout_index:02d}"

    def required_artifacts(self):
        return ["counts.json", "manifest.json"]

    def open_worker(self, slot):
        return CountdownWorker(self.delay_s)

    def load_record(self, run_dir, spec):
        manifest = run_dir / spec.folder / "manifest.json"
        return RolloutRecord.from_json(load_json(manifest)) if manifest.exists() else None

    def finish(self, run_dir, records):
        write_json_atomic(run_dir / "metrics_summary.json", {record.key: record.outcome for record in records})


class CountdownWorker:
    """Runs rollouts; there is nothing expensive to keep."""

    def __init__(self, delay_s):
        self.delay_s = delay_s

    def run(self, batch, run_dir):
        for spec in batch:
            folder, counts = run_dir / spec.folder, [spec.episode.limits["start"]]
            (folder / "manifest.json").unlink(missing_ok=True)
            while counts[-1] > 0:
                time.sleep(self.delay_s)
                taken = rollout_generator(spec, "take", decision=len(counts)).integers(1, 3)
                counts.append(counts[-1] - int(taken))
            write_json_atomic(folder / "counts.json", counts)
            outcome = Outcome.SUCCESS if counts[-1] == 0 else Outcome.FAILURE
            files = (artifact(folder, "counts.json"),)
            record = RolloutRecord.of(
                spec, outcome, model="lot", metrics={"decisions": len(counts) - 1}, artifacts=files
            )
            write_json_atomic(folder / "manifest.json", record.canonical())
            yield record

    def close(self):
        pass
