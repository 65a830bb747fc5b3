from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bodyloop import __version__
from bodyloop.cli import run as run_verb
from bodyloop.cli.main import main
from bodyloop.errors import ConfigError, DataError, MissingFileError, SimulationError
from bodyloop.runs.slots import Scheduling

EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'countdown_suite.py'}:CountdownSuite"
PROBE = f"{Path(__file__).parents[1] / 'runs' / 'probe_suite.py'}:ProbeSuite"


@pytest.fixture
def executed(monkeypatch):
    """What the run verb would execute."""
    calls = []

    def record(suite, config, output, **flags):
        calls.append((suite, config, output, flags))

    monkeypatch.setattr(run_verb, "execute", record)
    return calls


def test_household_flags_become_one_configuration(executed):
    flags = "--model oracle --output out --episodes smoke --profile p.json --metrics --video --resume --n-rollouts 3"
    more = "--scene-id s --episode-id 4 --object-category bed --max-steps 7 --seed 5 --gpus 0,1 --workers-per-gpu 2"
    assert main(["run", "household", *flags.split(), *more.split(), "--worker-mode", "persistent"]) == 0
    ((suite, config, output, rest),) = executed
    assert (suite, output) == ("household", Path("out"))
    assert config == {
        "profile": "p.json",
        "episodes": "smoke",
        "scene_id": "s",
        "episode_id": "4",
        "object_category": "bed",
        "model": "oracle",
        "max_steps": 7,
        "metrics": True,
        "video": True,
    }
    scheduling = Scheduling("0,1", 2, None, "persistent")
    assert rest == {"seed": 5, "n_rollouts": 3, "resume": True, "plan": scheduling}


def test_household_defaults(executed):
    assert main(["run", "household", "--model", "random", "--output", "out"]) == 0
    ((_, config, _, rest),) = executed
    assert (config["profile"], config["episodes"], config["metrics"], config["video"]) == (
        "homes_v1",
        "one",
        False,
        False,
    )
    assert rest["plan"] == Scheduling()


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["run"],
        ["unknown"],
        ["run", "household", "--output", "out"],
        ["run", "household", "--model", "oracle"],
        ["run", "household", "--model", "oracle", "--output", "out", "--max-steps", "0"],
        ["run", "household", "--model", "oracle", "--output", "out", "--workers", "1", "--workers-per-gpu", "1"],
        ["metrics"],
        ["status"],
        ["rollout"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_2(argv, executed, capsys):
    assert main(argv) == 2
    assert not executed
    assert "Usage" in "".join(capsys.readouterr())


@pytest.mark.parametrize("argv", [["--help"], ["run", "household", "--help"], ["metrics", "--help"], ["--version"]])
def test_help_exits_0(argv, capsys):
    assert main(argv) == 0
    assert capsys.readouterr().out


def test_version(capsys):
    main(["--version"])
    assert capsys.readouterr().out == f"bodyloop {__version__}\n"


@pytest.mark.parametrize(
    ("error", "status"),
    [(ConfigError("a\n b"), 2), (DataError("a b"), 2), (MissingFileError("a b"), 2), (SimulationError("a b"), 1)],
)
def test_a_known_error_is_one_line_with_its_status(error, status, monkeypatch, capsys):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(run_verb, "execute", fail)
    assert main(["run", "household", "--model", "oracle", "--output", "out"]) == status
    assert capsys.readouterr().err == "bodyloop: a b\n"


def test_an_unknown_error_is_not_hidden(monkeypatch):
    def fail(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr(run_verb, "execute", fail)
    with pytest.raises(ZeroDivisionError):
        main(["run", "household", "--model", "oracle", "--output", "out"])


@pytest.fixture(scope="module")
def example_run(tmp_path_factory):
    output = tmp_path_factory.mktemp("cli") / "run"
    assert main(["run", "suite", EXAMPLE, "--output", str(output), "--config", '{"starts": [1, 2]}']) == 0
    return output


def test_run_prints_table_paths_and_the_end_line(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text('{"starts": [1]}')
    assert main(["run", "suite", EXAMPLE, "--output", str(tmp_path / "run"), "--config", str(config)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "selected 1, skipped 0, completed 1, failed 0, unscored 0"
    assert f"results: {tmp_path / 'run'}" in out
    assert f"metrics_summary.json: {tmp_path / 'run' / 'metrics_summary.json'}" in out
    assert any("95% interval" in line for line in out)


def test_the_module_form_passes_the_status_on(tmp_path):
    command = [sys.executable, "-m", "bodyloop", "run", "suite", PROBE, "--output", str(tmp_path / "run")]
    config = json.dumps({"episodes": {"a": "raise"}})
    done = subprocess.run([*command, "--config", config], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "selected 1, skipped 0, completed 0, failed 1, unscored 1"


def test_status_counts(example_run, capsys):
    assert main(["status", str(example_run)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "selected 2, completed 2, failed 0, unscored 0, open 0"


def test_metrics_prints_tables_and_writes_only_when_asked(example_run, capsys):
    summary = example_run / "metrics_summary.json"
    content = summary.read_bytes()
    summary.unlink()
    assert main(["metrics", str(example_run)]) == 0
    assert "coverage" in capsys.readouterr().out
    assert not summary.exists()
    assert main(["metrics", str(example_run), "--write-json"]) == 0
    assert summary.read_bytes() == content


def test_metrics_as_json(tmp_path, example_run, capsys):
    assert main(["metrics", str(example_run), "--json"]) == 2
    assert "has no JSON summary" in capsys.readouterr().err
    main(["run", "suite", PROBE, "--output", str(tmp_path / "run"), "--config", '{"episodes": {"a": "ok"}}'])
    capsys.readouterr()
    assert main(["metrics", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"n": 1}


def test_metrics_of_nothing(tmp_path, capsys):
    assert main(["metrics", str(tmp_path)]) == 2
    assert "run.json: no such file" in capsys.readouterr().err
    main(["run", "suite", PROBE, "--output", str(tmp_path / "run"), "--config", '{"episodes": {"a": "budget"}}'])
    capsys.readouterr()
    assert main(["metrics", str(tmp_path / "run")]) == 1
    assert "holds no scored rollout" in capsys.readouterr().err


def test_config_prints_a_profile(capsys):
    assert main(["config", "mine", "--suite", PROBE]) == 0
    assert json.loads(capsys.readouterr().out) == {"profile": "mine"}
    assert main(["config", "--suite", EXAMPLE]) == 2
    assert "has no profiles" in capsys.readouterr().err
