from __future__ import annotations

import io

from rich.console import Console

from bodyloop.records.record import Outcome, RolloutRecord
from bodyloop.records.specs import EpisodeSpec, RolloutSpec
from bodyloop.runs.progress import BarProgress, LineProgress, progress_for

SPEC = RolloutSpec(EpisodeSpec("s", "episode", "g", ""), 0, 0, "e")
GOOD = RolloutRecord.of(SPEC, Outcome.SUCCESS, model="m")
LOST = RolloutRecord.unscored(SPEC, "infrastructure: killed by SIGKILL", model="m")


def _show(terminal: bool, width: int = 40) -> str:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=width, color_system=None)
    progress = progress_for(console)
    progress.begin(2, "2 CPU workers, process mode")
    progress.finished(GOOD, 1.25)
    progress.finished(LOST, 0.5)
    progress.end()
    return console.file.getvalue()


def test_one_unwrapped_line_for_each_rollout_off_a_terminal():
    lines = _show(terminal=False).splitlines()
    assert lines[0] == "2 rollouts on 2 CPU workers, process mode"
    assert lines[1].startswith("[1/2] episode#00 success 1.2 s")
    assert lines[2] == "[2/2] episode#00 unscored (infrastructure: killed by SIGKILL) 0.5 s"
    assert len(lines) == 3


def test_a_bar_on_a_terminal_that_names_only_lost_rollouts():
    text = _show(terminal=True, width=120)
    assert "2/2" in text
    assert "1 successful" in text
    assert "killed by SIGKILL" in " ".join(text.split())
    assert "episode#00 success" not in text


def test_the_kind_follows_the_console():
    assert isinstance(progress_for(Console(force_terminal=True)), BarProgress)
    assert isinstance(progress_for(Console(file=io.StringIO())), LineProgress)
