from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import bodyloop.evaluation as evaluation

ROOT = Path(__file__).parents[2]


def test_the_block_of_the_page_prints_what_the_page_says(capsys):
    page = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(compile(block, "docs/evaluation.md", "exec"), {"__name__": "page"})
    assert f"It prints `{capsys.readouterr().out.strip()}`" in page


def test_the_example_program_ends_the_straying_trial(capsys):
    spec = importlib.util.spec_from_file_location("custom_measurement", ROOT / "examples" / "custom_measurement.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()
    result = module.evaluate()
    assert capsys.readouterr().out.splitlines()[-1] == "1 failed 37 strayed 37"
    assert result.score == 0.5
    assert result.logs["eval/slow_time/max"] == 0.0


@pytest.fixture
def alias(monkeypatch):
    """The public names under the package layout of the published ProtoMotions documentation."""
    layout = {
        "protomotions.agents.evaluators.config": {"MimicEvaluatorConfig": evaluation.MimicEvaluatorConfig},
        "protomotions.agents.evaluators.components": {"ThresholdFailure": evaluation.ThresholdFailure},
        "protomotions.envs.mdp_component": {"MdpComponent": evaluation.MdpComponent},
        "protomotions.envs.terminations.tracking": {"mean_body_pos_error": evaluation.mean_body_pos_error},
    }
    for path, names in layout.items():
        parts = path.split(".")
        for i in range(1, len(parts) + 1):
            name = ".".join(parts[:i])
            if name not in sys.modules:
                package = ModuleType(name)
                package.__path__ = []
                monkeypatch.setitem(sys.modules, name, package)
        for name, value in names.items():
            monkeypatch.setattr(sys.modules[path], name, value, raising=False)


def test_a_tracking_error_is_logged_and_judged_through_the_published_names(alias):
    from protomotions.agents.evaluators.components import ThresholdFailure
    from protomotions.agents.evaluators.config import MimicEvaluatorConfig
    from protomotions.envs.mdp_component import MdpComponent
    from protomotions.envs.terminations.tracking import mean_body_pos_error

    error = MdpComponent.from_kernel(mean_body_pos_error)
    config = MimicEvaluatorConfig(
        metric_components={"gt_error": error},
        failure_components={"gt_error": ThresholdFailure(error, 0.5)},
        score_key="eval/success_rate",
    )
    manager = evaluation.EvaluationManager.from_config(config, 2)
    assert len(manager.routes) == 1
    manager.begin_batch([0, 1], [3, 3])
    for offset_m in (0.1, 0.5, 0.6):
        body = np.zeros((2, 24, 3), np.float32)
        reference = body.copy()
        reference[:, :, 1] = [[offset_m], [0.2]]
        manager.measure({"current.rigid_body_pos": body, "mimic.ref_state.rigid_body_pos": reference})
        manager.end_frame()
    manager.finish_batch()
    result = manager.result()
    assert result.score == 0.5
    assert result.outcomes.fail_frame.tolist() == [3, -1]
    assert result.logs["eval/gt_error/mean"] == pytest.approx((0.4 + 0.2) / 2)


def test_rules_of_a_recovery_replace_the_groups_of_a_configuration(alias):
    from protomotions.agents.evaluators.components import ThresholdFailure
    from protomotions.agents.evaluators.config import MimicEvaluatorConfig
    from protomotions.envs.mdp_component import MdpComponent

    height = MdpComponent.from_kernel(lambda root_height: root_height)
    evaluator = MimicEvaluatorConfig()
    evaluator.metric_components = {"height": height}
    evaluator.failure_components = {
        "never_upright": ThresholdFailure(height, 0.8, fail_above=False, reduction="max"),
        "not_upright_at_end": ThresholdFailure(height, 0.8, fail_above=False, reduction="last"),
    }
    manager = evaluation.EvaluationManager.from_config(evaluator, 2)
    assert len(manager.routes) == 1
    manager.begin_batch([0, 1], [3, 3])
    for heights in ([0.2, 0.2], [0.9, 0.5], [0.7, 0.8]):
        manager.measure({"current": {"root_height": np.array(heights)}})
        assert not manager.end_frame().just_failed.any()
    manager.finish_batch()
    logs = manager.result().logs
    assert logs["eval/never_upright/failure_rate"] == 0.0
    assert logs["eval/not_upright_at_end/failure_rate"] == 0.5
    assert logs["eval/height/max"] == 0.9
