"""What all tests share: the fixtures folder, and the real data where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The hand-made files, one folder per format."""
    return ROOT / "fixtures"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real third-party data beside the checkout; tests that need it are skipped where it is missing."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("needs the real data in ../shared/data, which is not here")
    return path
