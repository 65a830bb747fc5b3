"""A suite whose rollouts misbehave on request, for tests of the dispatcher.

Config: ``episodes``, a mapping of episode id to behaviour, and ``groups``, a mapping of episode id to group.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from bodyloop.errors import ConfigError, ModelError
from bodyloop.records.files import artifact, load_json, write_json_atomic
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec


class ProbeSuite:
    name, version = "probe", "1"
    model, privileged = "probe-model", True

    def prepare(self, config):
        self.config = config
        if config.get("refuse"):
            raise ConfigError(config["refuse"])
        if config.get("changing_file"):
            return {"input": Path(config["changing_file"]).read_text()}
        return {"rules": config.get("rules", 1)}

    def episodes(self):
        groups = self.config.get("groups", {})
        return [
            EpisodeSpec(self.name, name, groups.get(name, "g"), "0" * 64, tags={"kind": kind.split(":")[0]})
            for name, kind in self.config["episodes"].items()
        ]

    def rollout_folder(self, episode, rollout_index):
        return f"{episode.episode_id}/rollout_{rollout_index:02d}"

    def required_artifacts(self):
        return ["result.json", "manifest.json", *(["extra.json"] if self.config.get("extra") else [])]

    def open_worker(self, slot):
        return ProbeWorker(self.config, slot)

    def load_record(self, run_dir, spec):
        path = run_dir / spec.folder / "manifest.json"
        return RolloutRecord.from_json(load_json(path)) if path.exists() else None

    def finish(self, run_dir, records):
        write_json_atomic(run_dir / "metrics_summary.json", {record.key: record.outcome for record in records})

    def summary(self, run_dir, records):
        return {"n": len(records)}

    def profile_json(self, name_or_path):
        return {"profile": name_or_path or "default"}


class ProbeWorker:
    def __init__(self, config, slot):
        self.config, self.slot = config, slot
        self.loads, self.group = 0, None

    def run(self, batch, run_dir):
        for spec in batch:
            self.loads += spec.episode.group != self.group
            self.group = spec.episode.group
            kind = self.config["episodes"][spec.episode.episode_id]
            folder = run_dir / spec.folder
            folder.mkdir(parents=True, exist_ok=True)
            sys.stdout.write("noise on stdout\n")
            sys.stdout.flush()
            os.write(1, b'{"record": "noise on the descriptor"}\n')
            if not (run_dir / "mended").exists():
                self._misbehave(kind, folder)
            yield self._record(spec, folder, kind)

    def _misbehave(self, kind, folder):
        if kind == "sigkill":
            (folder / "partial.txt").write_text("partial")
            (folder / ".result.json.dead.tmp").write_text("torn")
            os.kill(os.getpid(), signal.SIGKILL)
        elif kind == "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif kind == "raise":
            raise RuntimeError("the first line\nthe second line")
        elif kind == "provider":
            raise ModelError("no reply after 5 attempts")
        elif kind == "exit":
            sys.exit(3)
        elif kind == "leak":  # a grandchild outlives the child and holds whatever it inherited
            subprocess.Popen(["sleep", "3"])
            os.kill(os.getpid(), signal.SIGKILL)
        elif kind.startswith("sleep:"):
            time.sleep(float(kind.split(":")[1]))

    def _record(self, spec, folder, kind):
        if kind == "budget":
            return RolloutRecord.unscored(spec, "budget: wall time", model="probe-model", privileged=True)
        outcome = Outcome.FAILURE if kind == "failure" else Outcome.SUCCESS
        names = ["result.json", *(["extra.json"] if self.config.get("extra") else [])]
        for name in names:
            write_json_atomic(folder / name, {"seed": spec.seed, "kind": kind})
        artifacts = tuple(artifact(folder, name) for name in names)
        record = RolloutRecord.of(spec, outcome, model="probe-model", privileged=True, artifacts=artifacts)
        if kind == "nothing":
            (folder / "result.json").unlink()
        if kind == "stranger":
            return RolloutRecord.from_json(record.to_json() | {"episode_id": "someone else"})
        write_json_atomic(folder / "manifest.json", record.canonical())
        volatile = {"pid": os.getpid(), "loads": self.loads, "cuda": os.environ["CUDA_VISIBLE_DEVICES"]}
        return RolloutRecord.from_json(record.to_json() | {"volatile": volatile})

    def close(self):
        pass
