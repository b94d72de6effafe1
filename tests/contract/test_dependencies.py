"""CI's lock has what the project depends on."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


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
