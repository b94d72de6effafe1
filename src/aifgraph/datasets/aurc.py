"""AURC-8 (Trautmann et al. 2020): argument segments, pro or con a topic, marked by five crowd workers a sentence.

The topic is the claim ("TOPIC should be supported"); each argument segment is L → YA Asserting → I with its span, pro
RA, con CA to the claim. The published tables leave the sentence column empty until it is filled from the crawl; a
segment whose words are not there says so in its text and keeps its span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.dialogue import Dialogue, Said, not_here
from aifgraph.datasets.keeping import Names, file_name, kept, write_table
from aifgraph.datasets.rows import tsv_rows
from aifgraph.errors import InputError, OptionError
from aifgraph.graph import ArgumentGraph, Span

DATA, SPLITS, STANCE = "AURC_DATA.tsv", "AURC_DOMAIN_SPLITS.tsv", "AURC_SENTENCE_LEVEL_STANCE.tsv"
COLUMNS = ("topic", "sentence_hash", "sentence", "length_in_text", "merged_segments")

_CELL = re.compile(r"\(\s*'(true|false)'\s*,\s*(None|'[^']*')\s*,\s*(None|'[^']*')\s*\)")
_SPAN = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)")


class Segment(NamedTuple):
    """An argument segment: first character, length, and ``pro`` or ``con``."""

    start: int
    length: int
    label: str


def segments_in(cell: str) -> list[Segment]:
    """The segments in a cell, none for "no argument"; ``ValueError`` for a damaged one.

    >>> segments_in("('false', '(41,59);(120,65);', 'pro;con;')")
    [Segment(start=41, length=59, label='pro'), Segment(start=120, length=65, label='con')]
    >>> segments_in("('true', None, None)")
    []
    """
    found = _CELL.fullmatch(cell.strip())
    if found is None:
        raise ValueError(f"not a tuple of flag, spans and labels: {cell[:60]!r}")
    none, spans, labels = (part.strip("'") for part in found.groups())
    if none == "true":
        return []
    places = [_SPAN.fullmatch(part) for part in spans.rstrip(";").split(";")]
    stances = labels.rstrip(";").split(";")
    if None in places or len(places) != len(stances) or not set(stances) <= {"pro", "con"}:
        raise ValueError(f"spans and labels do not fit: {cell[:60]!r}")
    return [Segment(int(p[1]), int(p[2]), label) for p, label in zip(places, stances, strict=True) if p]


class Aurc(Dataset):
    """The folder of the three tables (splits and sentence stance may be missing): a map a sentence.

    ``annotator`` is ``merged`` (the gold segments), a column (``ANNOTATOR_07``) or ``each``: the maps of all workers,
    named ``ANNOTATOR_07/hash``.
    """

    name = "aurc"
    title = "AURC-8"
    writes = True

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        annotator: str = "merged",
        strict: bool = False,
        propositions_only: bool = False,
    ) -> None:
        super().__init__(path, strict=strict, propositions_only=propositions_only)
        if annotator not in ("merged", "each") and not annotator.startswith("ANNOTATOR_"):
            raise OptionError(
                f"annotator is {annotator!r}", remedy="give merged, each or a column such as ANNOTATOR_07"
            )
        self.annotator = annotator

    def maps(self) -> Iterator[ArgumentGraph]:
        folder = self.path if self.path.is_dir() else self.path.parent
        data = folder / DATA if self.path.is_dir() else self.path
        if not data.is_file():
            raise InputError(f"the table {DATA} is missing", where=str(self.path), remedy="give the folder of AURC-8")
        beside = {name: self._beside(folder / name) for name in (SPLITS, STANCE)}
        names: dict[str, Names] = {}
        seen: set[str] = set()
        for row in tsv_rows(data, self.problems, COLUMNS):
            cells = row.cells
            key = cells["sentence_hash"]
            if key in seen:
                self.problems.add("duplicate", f"sentence {key} is given twice", data.name, row.line)
            seen.add(key)
            found = self._segments(cells, data.name, row.line)
            document: dict[str, Any] = {
                "line": row.line,
                "row": {column: cell for column, cell in cells.items() if cell},
                "columns": _columns(cells),
                "tables": {name: list(table[key]) for name, table in beside.items() if key in table},
            }
            for column, segments in found.items():
                prefix = f"{file_name(column)}/" if self.annotator == "each" else ""
                name = prefix + names.setdefault(file_name(column), Names()).unique(key)
                yield self._map(name, cells, segments, document | {"annotation": column})

    def _beside(self, path: Path) -> dict[str, tuple[int, dict[str, str]]]:
        """A table beside the data by sentence, with line numbers."""
        if not path.is_file():
            self.tallies[f"without {path.name}"] = 1
            return {}
        found: dict[str, tuple[int, dict[str, str]]] = {}
        for row in tsv_rows(path, self.problems, ("sentence_hash",)):
            key = row.cells["sentence_hash"]
            if key in found:
                self.problems.add("duplicate", f"sentence {key} is given twice", path.name, row.line)
            found[key] = (row.line, row.cells)
        return found

    def _segments(self, cells: Mapping[str, str], file: str, line: int) -> dict[str, list[Segment]]:
        """The segments of the columns that were asked for; every column is looked at, so that damage is found."""
        found: dict[str, list[Segment]] = {}
        length = int(cells["length_in_text"]) if cells["length_in_text"].isdecimal() else None
        if length is None:
            self.problems.add("number", f"length_in_text is {cells['length_in_text'][:20]!r}", file, line)
        for column, cell in cells.items():
            if not (column == "merged_segments" or column.startswith("ANNOTATOR_")) or not cell:
                continue
            try:
                segments = segments_in(cell)
            except ValueError as error:
                self.problems.add("cell", f"{column}: {error}", file, line)
                segments = []
            inside = [each for each in segments if length is None or each.start + each.length <= length]
            if len(inside) < len(segments):
                self.problems.add("span", f"{column}: a span goes beyond the sentence", file, line)
            wanted = column == "merged_segments" if self.annotator == "merged" else column == self.annotator
            if wanted or (self.annotator == "each" and column != "merged_segments"):
                found[column] = inside
        return found

    def _map(
        self, name: str, cells: Mapping[str, str], segments: list[Segment], document: dict[str, Any]
    ) -> ArgumentGraph:
        talk = Dialogue(name, propositions_only=self.propositions_only)
        sentence = cells["sentence"]
        claim = Said(
            None, talk.build.proposition(f"{cells['topic']} should be supported", record={"aurc": {"topic": 1}})
        )
        spans: list[Span] = []
        for start, length, label in segments:
            record = {"aurc": {"start": start, "length": length, "label": label}}
            place = f"sentence {cells['sentence_hash']}, characters {start} to {start + length}"
            words = sentence[start : start + length] or not_here(place)
            said = talk.say("", words, record=record)
            spans.append(Span(said.proposition, start, start + length))
            talk.relate("RA" if label == "pro" else "CA", said, claim, "", None, record)
        if not sentence:
            return talk.graph("aurc", document)
        return talk.graph("aurc", document, sentence, tuple(spans))

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """The tables of maps that came from them, into a folder; gives the files written."""
        data: dict[int, dict[str, str]] = {}
        tables: dict[str, dict[int, dict[str, str]]] = {SPLITS: {}, STANCE: {}}
        for graph in graphs:
            entry = kept(graph, "aurc")
            data[entry["line"]] = {column: entry["row"].get(column, "") for column in _header(entry["columns"])}
            for name, (line, row) in entry["tables"].items():
                tables[name][line] = dict(row)
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        written = [write_table([row for _, row in sorted(data.items())], folder / DATA)]
        for name, rows in tables.items():
            if rows:
                written.append(write_table([row for _, row in sorted(rows.items())], folder / name))
        return written


def _columns(cells: Mapping[str, str]) -> list[Any]:
    """The header, with the long tail of annotators as their number where it is regular."""
    plain = [column for column in cells if not column.startswith("ANNOTATOR_")]
    workers = [column for column in cells if column.startswith("ANNOTATOR_")]
    regular = [f"ANNOTATOR_{number:02d}" for number in range(len(workers))]
    return [*plain, len(workers)] if list(cells) == plain + regular else list(cells)


def _header(columns: list[Any]) -> list[str]:
    if columns and isinstance(columns[-1], int):
        return [*columns[:-1], *(f"ANNOTATOR_{number:02d}" for number in range(columns[-1]))]
    return columns
