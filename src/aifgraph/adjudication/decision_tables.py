"""Decisions about the pairs of two corpora: one file with the rows of all, or a folder with a file a pair."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aifgraph.adjudication.decisions import (
    Decision,
    decisions_among,
    decisions_text,
    maps_of,
    of_other_maps,
    records_of,
)
from aifgraph.comparison.differences import Differences
from aifgraph.errors import InputError

#: The rows of maps (``maps_of``), each with its file and line.
_Rows = dict[str, list[tuple[str, dict[str, str]]]]


class DecisionTables:
    """The rows of a file, of all ``.tsv`` files of a folder, or of the folder of ``aifgraph adjudicate``.

    Raises:
        InputError: no file of decisions there, or one that cannot be read.
        FormatError: a file that is not UTF-8, or no table with the columns that are needed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._by_maps: _Rows = {}
        self._by_text: dict[str, tuple[str, set[str]]] = {}
        self._unused: dict[str, str] = {}
        for file in _files(path):
            name = str(file)
            for line, record in records_of(decisions_text(file), name):
                self._by_maps.setdefault(record["maps"], []).append((f"{name}, line {line}", record))
                if text := record.get("text"):
                    self._by_text.setdefault(text, (name, set()))[1].add(record["maps"])
                self._unused.setdefault(record["maps"], f"{name}, line {line}")

    def of(self, differences: Differences, name: str) -> dict[str, Decision]:
        """The decisions about a pair, whose name is ``name``; none where no row is about it.

        Raises:
            InputError: rows of this name are about other maps, or a row is wrong (``decisions_among``).
        """
        about = self.about(differences, name)
        self.use(about)
        if about[1:]:
            file, others = self._by_text[name]
            raise of_other_maps(others, differences, f"{file}, the rows of {name}")
        return decisions_among(self._by_maps.get(about[0], ()), differences)

    def about(self, differences: Differences, name: str) -> tuple[str, ...]:
        """A pair's two maps as rows name them; after them the other maps that the rows of its name are about, where no
        row is about its own."""
        maps = maps_of(differences)
        wrong = maps not in self._by_maps and len(differences) and name in self._by_text
        return (maps, *sorted(self._by_text[name][1])) if wrong else (maps,)

    def use(self, maps: Iterable[str]) -> None:
        """Count the rows about these maps as used."""
        for each in maps:
            self._unused.pop(each, None)

    @property
    def unused(self) -> tuple[str, ...]:
        """The first rows about maps that no pair so far has, by file and line."""
        return tuple(self._unused.values())


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    folder = path / "decisions" if (path / "study.json").is_file() else path
    try:
        files = sorted(folder.glob("*.tsv"))
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(folder)) from None
    if not files:
        remedy = "give the folder that `aifgraph adjudicate` writes, or a file of decisions"
        raise InputError("there is no .tsv file in it", where=str(folder), remedy=remedy)
    return files
