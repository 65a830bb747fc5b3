"""``bodyloop config``: print a profile."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bodyloop.errors import ConfigError
from bodyloop.records.protocols import HasProfiles


def config(
    profile: Annotated[str | None, typer.Argument(help="Profile name or file.", show_default="the suite's")] = None,
    suite: Annotated[str, typer.Option(help="Suite that the profile belongs to.")] = "household",
) -> None:
    """Check a profile and print it as JSON."""
    from bodyloop.runs.suites import load_suite

    owner = load_suite(suite)
    if not isinstance(owner, HasProfiles):
        raise ConfigError(f"suite {suite!r} has no profiles")
    print(json.dumps(owner.profile_json(profile), indent=2, ensure_ascii=False))
