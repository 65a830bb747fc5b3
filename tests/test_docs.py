"""The commands of the README work, and the files it links to exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _commands() -> list[list[str]]:
    lines = [line for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith(".venv/bin/bodyloop ")]


def test_the_readme_shows_commands():
    verbs = {command[0] for command in _commands()}
    assert verbs == {"run", "status", "metrics", "replay", "rescore", "doctor"}


def test_its_commands_work(tmp_path):
    """Each in a process of its own, as typed. Runs are cut to one decision, and the long list to one episode."""
    printed = ""
    for command in _commands():
        if command[0] == "run":
            command = [*("one" if word in ("smoke", "val100") else word for word in command), "--max-steps", "1"]
        done = subprocess.run(
            [sys.executable, "-m", "bodyloop", *command], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
        printed += done.stdout
    assert "selected 1, skipped 0, completed 1, failed 0, unscored 0" in printed


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_and_pictures_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", text)
    local = [first or second for first, second in targets if not (first or second).startswith("http")]
    assert local or page == "CONTRIBUTING.md"
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_make_targets_of_the_documentation_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"`?make ([a-z-]+)`?", README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert {"demo", "test"} <= named
    assert all(f"\n{target}:" in makefile for target in named)
