"""``aifgraph formats``, ``metrics``, ``schemes`` and ``doctor``: what there is to choose from, what is installed."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import aifgraph
from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import say
from aifgraph.tables import Cell, Table


@dataclass(frozen=True, kw_only=True)
class Formats(Command):
    """The formats: what they are called, whether they are read and written, their suffixes, what is lost in them.

    \b
    Examples:
      aifgraph formats
      aifgraph formats --format json
    """

    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.formats.registry import formats_table

        return Output(tables=[formats_table()])


@dataclass(frozen=True, kw_only=True)
class Metrics(Command):
    """Every score of CASS, and every other measure that `compare --metrics` computes: formula, range, source.

    \b
    Examples:
      aifgraph metrics
      aifgraph metrics --format markdown
    """

    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.comparison.measures.registry import all_measures
        from aifgraph.stats.scores import SCORES

        scores: list[list[Cell]] = [
            [score.name, f"{score.range[0]:g} … {score.range[1]:g}", score.symmetric, score.formula, score.source]
            for score in SCORES.values()
        ]
        measures: list[list[Cell]] = [
            [of.name, f"{of.range[0]:g} … {of.range[1]:g}", of.symmetric, of.formula, of.source, of.checked]
            for of in all_measures().values()
        ]
        columns = ("name", "range", "symmetric", "formula", "source")
        both = [[*row, ""] for row in scores] + measures
        return Output(
            tables=[
                Table("Scores of a confusion matrix (CASS-NAME is CASS of a score)", columns, scores),
                Table("Measures other than CASS (--metrics)", (*columns, "checked"), measures),
            ],
            csv=[Table("Metrics", (*columns, "checked"), both)],
        )


@dataclass(frozen=True, kw_only=True)
class Schemes(Command):
    """AIFdb's schemes: all of them, those whose name contains WORD (letters only), or the one of an id.

    Exit code 1 if there is none.

    \b
    Examples:
      aifgraph schemes "expert opinion"
      aifgraph schemes 74
      aifgraph schemes --kind YA --format csv
    """

    word: str = argument(optional=True)
    kind: str | None = option(
        choices=("graph.nodes:SCHEME_KINDS",), ignore_case=True, help="Only schemes of this type of node."
    )
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.graph.schemes import find_schemes, named

        word = self.word or ""
        rows = find_schemes(word, self.kind)
        shared = sorted({row.name for row in rows if len(named(row.name)) > 1})
        note = f"more than one scheme has this name: {', '.join(shared)}; give the id" if shared and word else ""
        cells = [(row.id, row.name, row.kind, row.type_id) for row in rows]
        if not rows:
            say(f"aifgraph: no scheme is called {word!r}" + (f" among {self.kind}" if self.kind else ""))
        return Output(tables=[Table("", ("id", "name", "kind", "type"), cells, note=note)], code=0 if rows else 1)


#: A requirement as a package's own data has it: ``pandas>=2.1; extra == 'frames'``.
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9_.-]+)(?:\[[^\]]*\])?\s*(?P<range>[<>=!~][^;]*)?(?:;.*extra == ['\"](?P<extra>[^'\"]+)['\"])?"
)

#: Extras that only we who work on the library need.
_OURS = ("test", "dev", "docs")

#: Programs that commands call.
_PROGRAMS = {"dot": "aifgraph draw to .svg, .png and .pdf (Graphviz)"}


@dataclass(frozen=True)
class Package:
    """A package that aifgraph uses: with which extra, what it asks for, and which version is installed."""

    name: str
    extra: str
    needed: str
    version: str | None

    @property
    def too_old(self) -> bool:
        """Whether the version is below what is asked for."""
        least = re.search(r">=\s*([\d.]+)", self.needed)
        return bool(self.version and least and _numbers(self.version) < _numbers(least[1]))

    @property
    def state(self) -> str:
        """``ok``, ``missing`` or ``too old``, as people read it."""
        return "missing" if self.version is None else "too old" if self.too_old else "ok"


@dataclass(frozen=True)
class Diagnosis:
    """What ``aifgraph doctor`` finds."""

    packages: tuple[Package, ...]
    programs: tuple[tuple[str, str | None, str], ...]

    @property
    def sound(self) -> bool:
        """Whether all that aifgraph cannot do without is there."""
        return all(package.extra or package.state == "ok" for package in self.packages)

    @property
    def line(self) -> str:
        """The line to paste into an issue."""
        lacking = [package.name for package in self.packages if package.state != "ok"]
        missing = f"; without {', '.join(lacking)}" if lacking else ""
        return f"aifgraph {aifgraph.__version__}, Python {platform.python_version()}, {platform.platform()}{missing}"

    def tables(self) -> list[Table]:
        """What is installed, and the programs."""
        rows = [
            (package.extra or "–", package.name, package.needed, package.version, package.state)
            for package in self.packages
        ]
        note = "a missing extra: pip install 'aifgraph[EXTRA]'" if any(not row[3] for row in rows) else ""
        programs = [(name, "ok" if path else "missing", use) for name, path, use in self.programs]
        return [
            Table("Packages", ("extra", "package", "needed", "installed", "state"), rows, note=note),
            Table("Programs", ("program", "state", "for"), programs),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "line": self.line,
            "python": sys.version,
            "executable": sys.executable,
            "aifgraph": str(Path(aifgraph.__file__).parent),
            "packages": [
                {"extra": p.extra, "name": p.name, "needed": p.needed, "version": p.version, "state": p.state}
                for p in self.packages
            ],
            "programs": [{"name": name, "path": path, "for": use} for name, path, use in self.programs],
        }


def diagnose() -> Diagnosis:
    """Look through what is installed, without importing it."""
    try:
        required = metadata.requires("aifgraph") or []
    except metadata.PackageNotFoundError:  # the sources, on the path but not installed
        required = []
    packages = []
    for requirement in required:
        match = _REQUIREMENT.match(requirement)
        if match is None or match["extra"] in _OURS or match["name"] == "aifgraph":
            continue
        needed = (match["range"] or "").strip()
        packages.append(Package(match["name"], match["extra"] or "", needed, _version(match["name"])))
    packages.sort(key=lambda package: (package.extra, package.name.lower()))
    return Diagnosis(tuple(packages), tuple((name, shutil.which(name), use) for name, use in _PROGRAMS.items()))


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


@dataclass(frozen=True, kw_only=True)
class Doctor(Command):
    """Versions, extras and what is missing, and a line to paste into an issue.

    The exit code is 1 if something that aifgraph needs is missing, or too old.
    """

    destination: Destination = destination(("text", "json"))

    def run(self) -> Output:
        diagnosis = diagnose()
        return Output(
            tables=diagnosis.tables(),
            data=diagnosis.to_dict,
            headline=diagnosis.line,
            signature=f"installed in {sys.prefix}",
            code=0 if diagnosis.sound else 1,
        )
