"""Where the fixtures of data sets are."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def data(fixtures: Path) -> Path:
    return fixtures / "datasets"
