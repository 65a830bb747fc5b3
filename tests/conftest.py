"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def _folder(variable: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} is not set")
    return Path(value)


@pytest.fixture(scope="session")
def conformance_dir() -> Path:
    """Folder of reference numbers, named by BODYLOOP_CONFORMANCE."""
    return _folder("BODYLOOP_CONFORMANCE")


@pytest.fixture(scope="session")
def published_data_dir() -> Path:
    """Folder of real files of published formats, named by BODYLOOP_PUBLISHED_DATA."""
    return _folder("BODYLOOP_PUBLISHED_DATA")
