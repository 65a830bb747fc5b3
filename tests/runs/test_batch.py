"""The dispatcher against children that die, raise, lie and leak."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bodyloop.errors import ConfigError, FingerprintMismatchError
from bodyloop.records.journal import Journal
from bodyloop.records.record import Outcome
from bodyloop.runs.resume import Earlier

EXPECTED_REASONS = {
    "sigkill": "infrastructure: killed by SIGKILL",
    "segfault": "infrastructure: killed by SIGSEGV",
    "raise": "infrastructure: RuntimeError: the first line",
    "provider": "provider: no reply after 5 attempts",
    "exit": "infrastructure: exited with status 3",
    "nothing": "infrastructure: artifacts are missing or differ from their hashes",
    "leak": "infrastructure: killed by SIGKILL",
}


@pytest.fixture(scope="module")
def failed_run(tmp_path_factory, request):
    from bodyloop.runs.batch import RunConfig, run_batch
    from bodyloop.runs.slots import Scheduling

    suite = f"{Path(__file__).with_name('probe_suite.py')}:ProbeSuite"
    output = tmp_path_factory.mktemp("failures") / "run"
    kinds = ["ok", *EXPECTED_REASONS, "stranger", "budget", "failure"]
    config = {"episodes": {kind: kind for kind in kinds}}
    return run_batch(RunConfig(suite, config, output, scheduling=Scheduling(workers=3)))


def _records(result):
    return {record.episode_id: record for record in result.records}


@pytest.mark.parametrize("kind", EXPECTED_REASONS)
def test_a_child_that_fails_is_unscored_with_its_reason(failed_run, kind):
    record = _records(failed_run)[kind]
    assert (record.outcome, record.failed, record.reason) == (Outcome.UNSCORED, True, EXPECTED_REASONS[kind])
    assert record.model == "probe-model"
    assert record.privileged


def test_a_record_of_another_rollout_is_refused(failed_run):
    record = _records(failed_run)["stranger"]
    assert record.failed
    assert "gave ['someone else#00']" in record.reason


def test_other_rollouts_are_intact(failed_run):
    records = _records(failed_run)
    assert records["ok"].outcome is Outcome.SUCCESS
    assert records["failure"].outcome is Outcome.FAILURE
    assert not records["failure"].failed


def test_a_bound_that_was_reached_is_unscored_but_not_failed(failed_run):
    record = _records(failed_run)["budget"]
    assert (record.outcome, record.failed) == (Outcome.UNSCORED, False)


def test_counts_add_up(failed_run):
    counts = failed_run.counts
    assert counts == {"selected": 11, "skipped": 0, "completed": 3, "failed": 8, "unscored": 9}


def test_failures_are_listed_with_log_and_last_lines(failed_run):
    rows = {row["rollout"]: row for row in json.loads((failed_run.output / "failures.json").read_text())}
    assert len(rows) == 9
    killed, raised, left = rows["sigkill#00"], rows["raise#00"], rows["exit#00"]
    assert (killed["signal"], killed["exit_code"]) == ("SIGKILL", None)
    assert (raised["signal"], raised["exit_code"]) == (None, 1)
    assert left["exit_code"] == 3
    assert any("the second line" in line for line in raised["last_lines"])
    assert "noise on stdout" in (failed_run.output / killed["log"]).read_text()
    assert "log" not in rows["budget#00"]
    assert not (failed_run.output / "logs" / "ok%2300.log").exists()


def test_partial_artifacts_stay(failed_run):
    assert (failed_run.output / "sigkill" / "rollout_00" / "partial.txt").exists()


def test_the_suite_sums_up_all_selected_rollouts(failed_run):
    assert len(json.loads((failed_run.output / "metrics_summary.json").read_text())) == 11


def test_a_failure_in_persistent_mode_costs_only_that_rollout(probe):
    result = probe({"a": "ok", "b": "sigkill", "c": "raise", "d": "ok"}, mode="persistent", workers=1)
    assert [record.failed for record in result.records] == [False, True, True, False]
    log = (result.output / "logs" / "b%2300.log").read_text()
    assert log.count("noise on stdout") == 1, "the log holds only what was printed during that rollout"


def test_resume_runs_what_failed_and_cleans_up_after_it(probe, tmp_path):
    episodes = {"a": "ok", "b": "sigkill", "c": "raise"}
    first = probe(episodes)
    (tmp_path / "run" / "mended").touch()
    before = (tmp_path / "run" / "a" / "rollout_00" / "manifest.json").stat().st_mtime_ns
    second = probe(episodes, resume=True)
    assert second.counts == {"selected": 3, "skipped": 1, "completed": 2, "failed": 0, "unscored": 0}
    assert (tmp_path / "run" / "a" / "rollout_00" / "manifest.json").stat().st_mtime_ns == before
    assert second.records[0] == first.records[0], "the journal line of a finished rollout is kept, times included"
    assert not (tmp_path / "run" / "failures.json").exists()
    assert not (tmp_path / "run" / "logs").exists()
    assert not list((tmp_path / "run").rglob("*.tmp"))


def test_a_killed_child_with_finished_artifacts_is_still_run_again(probe, tmp_path):
    probe({"a": "ok"})
    journal = Journal(tmp_path / "run" / "journal.jsonl")
    (line,) = journal.read()
    journal.append(type(line).from_json(line.to_json() | {"outcome": "unscored", "failed": True}))
    assert probe({"a": "ok"}, resume=True).counts["completed"] == 1


def test_resume_covers_every_rollout_index(probe, tmp_path):
    probe({"a": "ok", "b": "ok"}, n_rollouts=2)
    (tmp_path / "run" / "b" / "rollout_01" / "result.json").unlink()
    assert probe({"a": "ok", "b": "ok"}, n_rollouts=2, resume=True).counts["skipped"] == 3


def test_resume_may_add_rollouts_and_episodes_but_not_drop_any(probe, tmp_path):
    probe({"a": "ok"})
    grown = probe({"a": "ok", "b": "ok"}, n_rollouts=2, resume=True)
    assert grown.counts == {"selected": 4, "skipped": 1, "completed": 3, "failed": 0, "unscored": 0}
    with pytest.raises(ConfigError, match="a#01, which is not selected now"):
        probe({"a": "ok", "b": "ok"}, n_rollouts=1, resume=True)


def test_output_flags_that_ask_for_more_make_a_rollout_incomplete(probe):
    probe({"a": "ok"})
    assert probe({"a": "ok"}, resume=True, extra=True).counts["completed"] == 1
    assert probe({"a": "ok"}, resume=True, extra=True).counts["skipped"] == 1
    assert probe({"a": "ok"}, resume=True).counts["skipped"] == 1, "what is there and not asked for does no harm"


def test_without_resume_the_same_run_is_done_again(probe, tmp_path):
    probe({"a": "ok"})
    (tmp_path / "run" / "a" / "rollout_00" / "notes.txt").write_text("mine")
    again = probe({"a": "ok"})
    assert again.counts["completed"] == 1
    assert len(Journal(tmp_path / "run" / "journal.jsonl").read()) == 1
    assert (tmp_path / "run" / "a" / "rollout_00" / "notes.txt").exists(), "files of the user stay"


@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_of_another_run_is_refused_and_left_alone(probe, tmp_path, resume):
    probe({"a": "ok"})
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    with pytest.raises(FingerprintMismatchError, match=r"rules: 1 != 2"):
        probe({"a": "ok"}, rules=2, resume=resume)
    with pytest.raises(FingerprintMismatchError, match=r"run\.seed: 0 != 7"):
        probe({"a": "ok"}, seed=7, resume=resume)
    assert before == {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}


def test_a_folder_that_is_no_run_is_refused(probe, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").touch()
    with pytest.raises(ConfigError, match=r"not empty and holds no run\.json"):
        probe({"a": "ok"})


def test_an_output_that_cannot_be_written_is_refused(probe, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be written"):
        probe({"a": "ok"}, output=tmp_path / "file" / "run")


def test_a_wrong_configuration_is_refused_before_the_output_is_touched(probe, tmp_path):
    with pytest.raises(ConfigError, match="no such profile"):
        probe({"a": "ok"}, refuse="no such profile")
    assert not (tmp_path / "run").exists()


def test_inputs_that_change_during_the_run_fail_the_rollout(probe, tmp_path, monkeypatch):
    data = tmp_path / "input.txt"
    data.write_text("before")
    import bodyloop.runs.batch as batch

    original = batch.reconcile

    def change(*args):
        data.write_text("after")
        return original(*args)

    monkeypatch.setattr(batch, "reconcile", change)
    result = probe({"a": "ok"}, resume=True, changing_file=str(data))
    assert "inputs changed while the run was going: input" in result.records[0].reason


def test_persistent_workers_keep_a_group_together(probe):
    episodes = {f"{group}{index}": "sleep:0.05" for index in range(3) for group in "xy"}
    result = probe(episodes, groups={name: name[0] for name in episodes}, mode="persistent")
    assert result.counts["completed"] == 6
    assert len({record.volatile["pid"] for record in result.records}) == 2
    by_pid = {}
    for record in result.records:
        by_pid.setdefault(record.volatile["pid"], []).append(record)
    # One load per worker, unless one finished early and took over a rollout of the other.
    assert sum(max(record.volatile["loads"] for record in records) for records in by_pid.values()) <= 3


def test_process_mode_gives_every_rollout_its_own_process(probe):
    result = probe({"a": "ok", "b": "ok"}, workers=1)
    assert len({record.volatile["pid"] for record in result.records}) == 2


def test_a_rollout_that_another_dispatcher_finished_is_skipped_at_launch(probe, tmp_path, monkeypatch):
    import bodyloop.runs.batch as batch

    original = batch.reconcile

    def meanwhile(*args):
        finished = original(*args).finished
        return Earlier({key: record for key, record in finished.items() if key != "b#00"})

    probe({"a": "ok", "b": "ok"})
    monkeypatch.setattr(batch, "reconcile", meanwhile)
    assert probe({"a": "ok", "b": "ok"}, resume=True).counts["skipped"] == 2


def test_cpu_workers_see_no_gpu(probe):
    assert probe({"a": "ok"}).records[0].volatile["cuda"] == ""
