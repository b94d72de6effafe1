"""The licences of everything that an installation brings, with all extras: ``python docs/licences_page.py`` writes
``docs/licences.md`` from what is installed. ``tests/contract/test_dependencies.py`` checks it."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

DOCS = Path(__file__).parent
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
#: Extras that an installation for use has; ``gamma`` needs a compiler of its own and is not installed for the tests.
EXTRAS = sorted(PROJECT["optional-dependencies"].keys() - {"docs", "test", "dev", "gamma"})
HEAD = """# Licences of all packages

<!-- made by python docs/licences_page.py; a test fails where a package or its licence is not as it says -->

What aifgraph brings with all [extras](install.md#extras) on Linux, and what brings that in its turn. What each is for
stands [here](dependencies.md).

| package | licence |
|---|---|
"""


def licence_of(package: importlib.metadata.Distribution) -> str:
    """The licence as the package declares it: an SPDX expression, else its classifiers, else its own words."""
    declared = package.metadata
    if expression := declared.get("License-Expression"):
        return str(expression)
    classifiers = [line.split(" :: ")[-1] for line in declared.get_all("Classifier", []) if line.startswith("License")]
    named = [name for name in classifiers if name != "OSI Approved"]
    return ", ".join(named) or (declared.get("License") or "").strip().split("\n")[0]


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def licences() -> dict[str, str]:
    """The licence of each package that an installation with all extras needs, by name."""
    found: dict[str, str] = {}
    extras = (PROJECT["optional-dependencies"][extra] for extra in EXTRAS)
    declared = map(Requirement, (*PROJECT["dependencies"], *(line for extra in extras for line in extra)))
    wanted = [each for each in declared if each.marker is None or each.marker.evaluate()]
    seen: set[tuple[str, str]] = set()
    while wanted:
        requirement = wanted.pop()
        package = importlib.metadata.distribution(requirement.name)
        found[normalised(requirement.name)] = licence_of(package)
        for extra in ("", *requirement.extras):
            if (key := (normalised(requirement.name), extra)) in seen:
                continue
            seen.add(key)
            inner = map(Requirement, package.requires or ())
            wanted += [each for each in inner if each.marker is None or each.marker.evaluate({"extra": extra})]
    return dict(sorted(found.items()))


def page() -> str:
    return HEAD + "".join(f"| {name} | {licence} |\n" for name, licence in licences().items())


if __name__ == "__main__":
    (DOCS / "licences.md").write_text(page(), "utf-8")
