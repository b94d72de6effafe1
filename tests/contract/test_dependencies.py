"""What we depend on: each is named with its purpose, its licence is one that we can live with, and CI's lock has it."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
#: Under the GPL, and why that does no harm is in docs/dependencies.md.
COPYLEFT = {"levenshtein", "python-levenshtein"}


@pytest.fixture
def licences(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(DOCS))
    yield importlib.import_module("licences_page")
    sys.modules.pop("licences_page")


def test_every_licence_is_listed_and_none_is_a_surprise(licences: Any) -> None:
    try:
        found = licences.licences()
    except importlib.metadata.PackageNotFoundError as missing:
        pytest.skip(f"an extra is not installed: {missing}")
    page = (DOCS / "licences.md").read_text("utf-8")
    assert [name for name in found if f"| {name} | " not in page] == [], "run python docs/licences_page.py"
    assert [name for name, licence in found.items() if not licence] == []
    assert {name for name, licence in found.items() if re.search("GPL|Affero|Proprietary", licence)} == COPYLEFT


def test_every_dependency_is_named_with_what_it_is_for(licences: Any) -> None:
    page = (DOCS / "dependencies.md").read_text("utf-8")
    names = [Requirement(line).name for line in licences.PROJECT["dependencies"]]
    assert [name for name in names if f"\n| {name} | " not in page] == []


def test_the_lock_of_ci_has_every_dependency(licences: Any) -> None:
    lock = {
        licences.normalised(requirement.name): requirement.specifier
        for line in (ROOT / "ci-lock.txt").read_text("utf-8").splitlines()
        if not line.lstrip().startswith("#")
        for requirement in [Requirement(line)]
    }
    for extra, lines in ({"": licences.PROJECT["dependencies"]} | licences.PROJECT["optional-dependencies"]).items():
        for requirement in map(Requirement, lines):
            if requirement.name == "aifgraph" or extra == "gamma":
                continue
            (pinned,) = lock[licences.normalised(requirement.name)]
            assert requirement.specifier.contains(pinned.version), f"{requirement}: run make lock"
