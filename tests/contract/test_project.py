"""The pages of the docs have every format and extra; the lock of CI has what the project depends on."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_what_the_page_on_security_names_is_there() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    assert [path for path in re.findall(r"`(tests/[\w./]+)`", page) if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([\w-]+)", page)) <= targets
    for place in re.findall(r"`(aifgraph(?:\.\w+)+)`", page):
        module, _, name = place.rpartition(".")
        try:
            importlib.import_module(place)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), name), place


def test_the_lock_of_ci_has_every_dependency() -> None:
    lock = {
        canonicalize_name(requirement.name): requirement.specifier
        for line in (ROOT / "ci-lock.txt").read_text("utf-8").splitlines()
        if not line.lstrip().startswith("#")
        for requirement in [Requirement(line)]
    }
    for lines in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]:
        for requirement in map(Requirement, lines):
            if requirement.name == "aifgraph":
                continue
            (pinned,) = lock[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(pinned.version), f"{requirement}: run make lock"
