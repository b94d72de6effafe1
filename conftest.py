"""Examples in the docs name files as seen from the root of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent

#: Pages made of docstrings, whose examples run where they are written.
collect_ignore = [
    str(page) for page in (ROOT / "docs" / "reference").glob("*.md") if "<!-- reference" in page.read_text("utf-8")
]


@pytest.fixture(autouse=True)
def _from_the_root(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(ROOT)
