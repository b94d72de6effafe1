"""Examples in the docs name files as seen from the root of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent

#: Made while the site is built.
collect_ignore = ["docs/conf.py", "docs/reference"]


@pytest.fixture(autouse=True)
def _from_the_root(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(ROOT)
