from __future__ import annotations

import json
from pathlib import Path

import pytest

from bodyloop.cli.main import main
from bodyloop.errors import ConfigError, DataError, FingerprintMismatchError, MissingFileError, UnknownNameError
from bodyloop.records.files import sha256_json
from bodyloop.records.fingerprint import Fingerprint
from bodyloop.records.journal import Journal
from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.report.compare import CompareOptions, Verdict, compare_runs, gate
from bodyloop.report.compare_text import comparison_markdown, comparison_notes, comparison_rows
from bodyloop.report.pairing import ComparedRun, read_run
from bodyloop.runs.plan import RunPlan

S, F, U, N = Outcome.SUCCESS, Outcome.FAILURE, Outcome.UNSCORED, Outcome.NOT_EVALUATED
EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'countdown_suite.py'}:CountdownSuite"


@pytest.fixture
def folder(tmp_path):
    """``folder("a", {"ep1": S, ...}, metrics={"ep1": {...}})`` writes a run folder as the runner does."""

    def write(
        name, outcomes, *, metrics=None, model="m", repeats=1, groups=8, premise="p", seed=0, lines=None, **fields
    ):
        fingerprint = Fingerprint({"run": {"seed": seed}, "model": {"name": model}, "rules": "r", **fields})
        specs = [
            RolloutSpec(
                EpisodeSpec("s", key, f"home_{index % groups}", sha256_json([key, premise])),
                rollout,
                seed,
                f"{key}/{rollout}",
                fingerprint.digest,
            )
            for index, key in enumerate(outcomes)
            for rollout in range(repeats)
        ]
        plan = RunPlan("s", {}, seed, repeats, fingerprint, tuple(specs), {})
        plan.write(tmp_path / name)
        journal = Journal(tmp_path / name / "journal.jsonl")
        records = [
            RolloutRecord.of(
                spec,
                outcomes[spec.episode.episode_id],
                model=model,
                metrics=(metrics or {}).get(spec.episode.episode_id, {}),
                reason="provider: 503" if outcomes[spec.episode.episode_id] is U else None,
            )
            for spec in specs
        ]
        journal.rewrite(records[:lines])
        return tmp_path / name

    return write


def _outcomes(text):
    return {f"ep{index}": {"+": S, "-": F, "?": U, ".": N}[letter] for index, letter in enumerate(text)}


def _compare(a, b, **options):
    return compare_runs(read_run(a), read_run(b), CompareOptions(**options))


def test_the_published_pairs_give_the_published_numbers(folder):
    """Cavo et al. 2012 as two runs: 59 both, 6 only A, 16 only B, 80 neither."""
    a = folder("a", _outcomes("+" * 59 + "+" * 6 + "-" * 16 + "-" * 80), model="one")
    b = folder("b", _outcomes("+" * 59 + "-" * 6 + "+" * 16 + "-" * 80), model="two")
    comparison = _compare(a, b)
    (metric,) = comparison.metrics
    assert metric.effect.p_value == pytest.approx(0.0525, abs=5e-5)
    assert metric.effect.interval == pytest.approx((0.0046, 0.1186), abs=5e-5)
    assert metric.lost == tuple(f"ep{index}#00" for index in range(59, 65))
    assert metric.gained == tuple(f"ep{index}#00" for index in range(65, 81))
    assert metric.verdict is Verdict.NO_DIFFERENCE_SHOWN
    assert metric.detectable == pytest.approx(0.085, abs=0.01)
    assert comparison.differences == ('model.name: "one" != "two"',)
    (row,) = comparison_rows(comparison)
    assert row == (
        "success",
        "40.4% [32.7, 48.4] n=161/161",
        "46.6% [38.7, 54.6] n=161/161",
        "+6.2 points",
        "[+0.5, +11.9]",
        "0.0525",
        "161 pairs",
        "100%",
        "no difference shown",
    )
    assert any("a true difference of 8." in note for note in comparison_notes(comparison))


def test_pairs_are_made_by_name_and_not_by_position(folder):
    a = folder("a", {"x": S, "y": F, "z": F})
    b = folder("b", {"z": F, "y": S, "w": S, "x": S})
    comparison = _compare(a, b)
    (metric,) = comparison.metrics
    assert (metric.effect.n, metric.gained, metric.lost) == (3, ("y#00",), ())
    assert "left out: 0 rollouts planned only in A, 1 only in B" in comparison_notes(comparison)


def test_a_run_equals_itself(folder):
    a = folder("a", _outcomes("+-" * 20))
    (metric,) = _compare(a, a).metrics
    assert (metric.effect.value, metric.effect.p_value, metric.verdict) == (0.0, 1.0, Verdict.NO_DIFFERENCE_SHOWN)
    assert gate(_compare(a, a), 1.0) == []


def test_swapping_the_runs_mirrors_everything(folder):
    a, b = folder("a", _outcomes("+" * 10 + "-" * 20)), folder("b", _outcomes("-" * 2 + "+" * 28))
    (forth,), (back,) = _compare(a, b).metrics, _compare(b, a).metrics
    assert (forth.verdict, back.verdict) == (Verdict.BETTER, Verdict.WORSE)
    assert back.effect.value == -forth.effect.value
    assert back.effect.p_value == forth.effect.p_value
    assert (back.gained, back.lost) == (forth.lost, forth.gained)
    assert back.group_interval == pytest.approx((-forth.group_interval.high, -forth.group_interval.low), abs=0.05)


def test_other_protocols_are_refused_by_the_name_of_the_field(folder):
    a = folder("a", _outcomes("+-"))
    b = folder("b", _outcomes("+-"), seed=1, physics={"friction": 0.4})
    with pytest.raises(
        FingerprintMismatchError, match=r"physics\.friction, run\.seed differ.*--allow physics\.friction"
    ):
        _compare(a, b)
    with pytest.raises(FingerprintMismatchError, match=r"\(run\.seed differ\)"):
        _compare(a, b, allow=("physics",))
    with pytest.raises(FingerprintMismatchError, match="physics"):
        _compare(a, b, allow=("run.seed", "phys"))
    assert len(_compare(a, b, allow=("physics.friction", "run")).differences) == 2


def test_other_premises_are_refused_or_compared_without_pairs(folder):
    a, b = folder("a", _outcomes("+" * 10 + "-" * 10)), folder("b", _outcomes("+" * 20), premise="other")
    with pytest.raises(ConfigError, match=r"20 of 20 common rollouts start from another premise.*--unpaired"):
        _compare(a, b)
    comparison = _compare(a, b, unpaired=True)
    (metric,) = comparison.metrics
    assert (metric.effect.test, metric.unit, metric.gained) == ("Boschloo", "rollout", ())
    assert metric.verdict is Verdict.BETTER
    assert "unpaired: " in comparison_markdown(comparison)


def test_runs_without_a_common_episode_are_refused(folder):
    with pytest.raises(ConfigError, match="no episode in common"):
        _compare(folder("a", {"x": S}), folder("b", {"y": S}))


def test_missing_rollouts_forbid_a_claim_and_bound_the_difference(folder):
    a = folder("a", _outcomes("-" * 30), model="one")
    b = folder("b", _outcomes("+" * 24 + "?" * 4 + "++"), model="two", lines=29)
    comparison = _compare(a, b)
    (metric,) = comparison.metrics
    assert metric.coverage == pytest.approx(25 / 30)
    assert metric.b.unscored == {"not run": 1, "provider": 4}
    assert metric.verdict is Verdict.NO_CLAIM
    assert metric.bounds == pytest.approx((25 / 30, 1.0))
    assert gate(comparison, 0.05) == ["success: coverage 83.3% is below 95%"]
    notes = "\n".join(comparison_notes(comparison))
    assert "no claim" in notes
    assert "without a value in B: 1 not run, 4 provider" in notes
    assert "the difference lies in [+83.3, +100.0]" in notes


def test_a_difference_that_one_scene_makes_is_called_that(folder):
    outcomes = {f"ep{index}": F for index in range(80)}
    flipped = {key: S if index % 8 == 0 else F for index, key in enumerate(outcomes)}
    comparison = _compare(folder("a", outcomes), folder("b", flipped))
    (metric,) = comparison.metrics
    assert metric.verdict is Verdict.BETTER
    assert metric.group_interval == pytest.approx((0.0, 0.375), abs=0.13)
    assert any("not for other scenes" in note for note in comparison_notes(comparison))


def test_repeats_are_not_independent_pairs(folder):
    a = folder("a", _outcomes("+-" * 5), repeats=4, groups=3)
    b = folder("b", _outcomes("++" * 5), repeats=4, groups=3)
    (metric,) = _compare(a, b).metrics
    assert (metric.effect.test, metric.unit, metric.effect.n) == ("paired permutation", "episode", 10)
    assert metric.effect.p_value == 2 / 2**5  # the five that changed, all one way
    assert len(metric.gained) == 20


def test_a_continuous_metric(folder):
    keys = [f"ep{index}" for index in range(48)]
    base = {key: {"length_m": 5.0 + index % 7, "hit": index % 2 == 0} for index, key in enumerate(keys)}
    longer = {key: {"length_m": base[key]["length_m"] + 0.5 + 0.1 * (index % 3)} for index, key in enumerate(keys)}
    a = folder("a", dict.fromkeys(keys, S), metrics=base)
    b = folder("b", dict.fromkeys(keys, F), metrics=longer)
    comparison = _compare(a, b, metrics=("length_m",), lower_is_better=("length_m",))
    (metric,) = comparison.metrics
    assert metric.effect.value == pytest.approx(0.6)
    assert (metric.unit, metric.effect.n, metric.effect.p_value) == ("group", 8, 2 / 2**8)
    assert metric.verdict is Verdict.WORSE
    assert metric.effect.interval.low > 0.5
    assert metric.bounds is None
    assert comparison_rows(comparison)[0][0] == "length_m (lower is better)"
    (free,) = _compare(a, b, metrics=("length_m",), unpaired=True).metrics
    assert (free.effect.test, free.unit) == ("Welch", "episode")
    assert free.detectable > 0.5


def test_a_family_of_metrics_is_adjusted(folder):
    keys = [f"ep{index}" for index in range(12)]
    a = folder("a", dict.fromkeys(keys, F), metrics={key: {"x": False} for key in keys})
    b = folder(
        "b", {key: S if index < 6 else F for index, key in enumerate(keys)}, metrics={k: {"x": True} for k in keys}
    )
    alone, (success, x) = _compare(a, b).metrics[0], _compare(a, b, metrics=("success", "x")).metrics
    assert alone.verdict is Verdict.BETTER
    assert success.effect.p_value == alone.effect.p_value == 0.03125
    assert x.binary
    assert x.p_adjusted == 2 * x.effect.p_value
    assert success.p_adjusted == 0.03125
    assert success.detectable > alone.detectable


@pytest.mark.parametrize(
    ("metrics", "options", "error", "message"),
    [
        ({"ep0": {"length": 1.0}}, {"metrics": ("lenght",)}, UnknownNameError, "did you mean 'length'"),
        ({"ep0": {"word": "no"}}, {"metrics": ("word",)}, DataError, "is the text 'no'"),
        ({"ep0": {"x": None}}, {"metrics": ("x",)}, DataError, "no pair has a value.*no value"),
        ({}, {"lower_is_better": ("jerk",)}, UnknownNameError, "jerk"),
    ],
)
def test_unusable_metrics(folder, metrics, options, error, message):
    a = folder("a", {"ep0": S}, metrics=metrics)
    with pytest.raises(error, match=message):
        _compare(a, a, **options)


def test_runs_without_scores_are_refused(folder):
    a = folder("a", _outcomes("..."))
    with pytest.raises(DataError, match="6 not evaluated"):
        _compare(a, a)


def test_folders_that_are_no_runs(folder, tmp_path):
    with pytest.raises(MissingFileError):
        read_run(tmp_path)
    a, b = folder("a", {"x": S}), folder("b", {"x": S}, seed=5)
    (b / "journal.jsonl").replace(a / "journal.jsonl")
    with pytest.raises(DataError, match="another run"):
        read_run(a)
    (a / "run.json").write_text("{}")
    with pytest.raises(ConfigError, match="not a usable run"):
        read_run(a)


def test_a_torn_last_line_is_a_rollout_not_run(folder):
    a = folder("a", _outcomes("++"))
    path = a / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    assert len(read_run(a).records) == 1
    assert isinstance(read_run(a), ComparedRun)


def test_the_command_on_two_real_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    config = json.dumps({"starts": list(range(1, 25))})
    for name, seed in (("a", "0"), ("b", "1")):
        flags = ["--config", config, "--seed", seed, "--workers", "1", "--worker-mode", "persistent"]
        assert main(["run", "suite", EXAMPLE, "--output", str(tmp_path / name), *flags]) == 0
    a, b, page = str(tmp_path / "a"), str(tmp_path / "b"), tmp_path / "c.md"
    capsys.readouterr()
    assert main(["compare", a, b]) == 2
    assert "run.seed" in capsys.readouterr().err
    family = ["--allow", "run.seed", "--metric", "success", "--metric", "decisions"]
    assert main(["compare", a, b, *family, "--json", "--fail-if-worse", "0.05"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "bodyloop_compare_v1"
    assert [metric["name"] for metric in data["metrics"]] == ["success", "decisions"]
    flipped = len(data["metrics"][0]["gained"]) - len(data["metrics"][0]["lost"])
    assert data["metrics"][0]["effect"]["value"] == pytest.approx(flipped / 24)
    assert main(["compare", a, b, *family, "--markdown", str(page)]) == 0
    assert "exact McNemar" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith("# Comparison\n")


def test_the_gate(folder, capsys):
    a, b = folder("a", _outcomes("+" * 30)), folder("b", _outcomes("-" * 10 + "+" * 20))
    assert main(["compare", str(a), str(b)]) == 0
    assert main(["compare", str(b), str(a), "--fail-if-worse", "0.05"]) == 0
    assert main(["compare", str(a), str(b), "--fail-if-worse", "0.0001"]) == 0
    assert main(["compare", str(a), str(b), "--fail-if-worse", "0.05"]) == 1
    assert "gate: success: B is worse (p = 0.00195 <= 0.05)" in capsys.readouterr().err


def test_a_page_that_cannot_be_written(folder, tmp_path, capsys):
    a = str(folder("a", _outcomes("+-")))
    (tmp_path / "file").write_text("")
    assert main(["compare", a, a, "--markdown", str(tmp_path / "file" / "page.md")]) == 2
    assert "cannot be written" in capsys.readouterr().err
