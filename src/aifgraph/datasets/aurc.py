"""AURC-8 (Trautmann et al. 2020): argument segments, pro or con a topic, marked by five crowd workers a sentence.

The topic is the claim ("TOPIC should be supported"); each argument segment is L → YA Asserting → I with its span, pro
RA, con CA to the claim. The published tables leave the sentence column empty until it is filled from the crawl; a
segment whose words are not there says so in its text and keeps its span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from aifgraph.corpus_names import UniqueNames, file_name
from aifgraph.datasets.dataset import Dataset, Problems
from aifgraph.datasets.dialogue_map import DialogueMap, Statement, not_here
from aifgraph.datasets.rows import Row, tsv_rows
from aifgraph.errors import InputError, OptionError
from aifgraph.graph import ArgumentGraph, Span

DATA, SPLITS, STANCE = "AURC_DATA.tsv", "AURC_DOMAIN_SPLITS.tsv", "AURC_SENTENCE_LEVEL_STANCE.tsv"
GOLD, LENGTH, WORKER = "merged_segments", "length_in_text", "ANNOTATOR_"
COLUMNS = ("topic", "sentence_hash", "sentence", LENGTH, GOLD)

Stance: TypeAlias = Literal["pro", "con"]

_CELL = re.compile(r"\(\s*'(?:true'\s*,\s*None\s*,\s*None|false'\s*,\s*'([^']*)'\s*,\s*'([^']*)')\s*\)")
_SPAN = re.compile(r"\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)")


class Segment(NamedTuple):
    """An argument segment of a sentence, in characters counted from 0, pro or con the topic."""

    start: int
    length: int
    label: Stance

    @property
    def end(self) -> int:
        """The first character behind it."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Damage:
    """A cell that cannot be used as it is; ``usable`` are the segments of it that can be."""

    code: Literal["cell", "span", "number"]
    column: str
    message: str
    usable: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of AURC-8 as it was annotated.

    Attributes:
        id: the ``sentence_hash``.
        length: in characters.
        text: None where the file leaves the words out.
        gold: the argument segments of the gold standard.
        workers: those of each crowd worker who saw it, by column; of a column in ``damage`` none.
    """

    id: str
    topic: str
    length: int
    text: str | None
    gold: tuple[Segment, ...]
    workers: dict[str, tuple[Segment, ...]]
    damage: tuple[Damage, ...] = ()

    @property
    def damaged(self) -> tuple[str, ...]:
        """The workers whose cells cannot be used."""
        return tuple(damage.column for damage in self.damage if damage.column.startswith(WORKER))


def segments_in(cell: str) -> tuple[Segment, ...]:
    """The segments in a cell, none for "no argument"; ``ValueError`` for a damaged one.

    A cell is the text of a tuple, so that white space between its parts says nothing. A segment without characters
    marks nothing and is skipped.

    >>> segments_in("('false','(41,59);(120,65);','pro;con;')")
    (Segment(start=41, length=59, label='pro'), Segment(start=120, length=65, label='con'))
    >>> segments_in("('true', None, None)")
    ()
    """
    parts = _CELL.fullmatch(cell.strip())
    if parts is None:
        raise ValueError(f"not a tuple of flag, spans and labels: {cell[:60]!r}")
    if parts[1] is None:
        return ()
    spans = [_SPAN.fullmatch(span) for span in parts[1].rstrip(";").split(";")]
    labels = [label.strip() for label in parts[2].rstrip(";").split(";")]
    if None in spans or len(spans) != len(labels) or not set(labels) <= {"pro", "con"}:
        raise ValueError(f"spans and labels do not fit: {cell[:60]!r}")
    segments = (
        Segment(int(span[1]), int(span[2]), cast(Stance, label))
        for span, label in zip(spans, labels, strict=True)
        if span
    )
    return tuple(segment for segment in segments if segment.length)


def read_sentences(path: Path, problems: Problems, name: str = "") -> Iterator[tuple[Row, Sentence]]:
    """The rows of ``AURC_DATA.tsv``; damaged cells are in each sentence's ``damage``."""
    for row in tsv_rows(path, problems, COLUMNS, name):
        yield row, _sentence(row.cells)


def _sentence(cells: Mapping[str, str]) -> Sentence:
    length = int(cells[LENGTH]) if re.fullmatch(r"[0-9]{1,9}", cells[LENGTH]) else None
    damage: list[Damage] = []
    if length is None:
        damage.append(Damage("number", LENGTH, f"{LENGTH} is {cells[LENGTH][:20]!r}, not a number"))
    marked: dict[str, tuple[Segment, ...]] = {}
    for column, cell in cells.items():
        if not cell or not (column == GOLD or column.startswith(WORKER)):
            continue
        try:
            segments = segments_in(cell)
        except ValueError as error:
            damage.append(Damage("cell", column, f"{column}: {error}"))
            continue
        inside = tuple(segment for segment in segments if length is None or segment.end <= length)
        if len(inside) < len(segments):
            damage.append(Damage("span", column, f"{column}: a span goes beyond the sentence", inside))
        else:
            marked[column] = segments
    gold = marked.pop(GOLD, ())
    text = cells["sentence"] or None
    return Sentence(cells["sentence_hash"], cells["topic"], length or 0, text, gold, marked, tuple(damage))


@dataclass(eq=False, kw_only=True)
class Aurc(Dataset):
    """The folder of the three tables (splits and sentence stance may be missing): a map a sentence.

    ``annotator`` is ``merged`` (the gold segments), a column (``ANNOTATOR_07``) or ``each``: the maps of all workers,
    named ``ANNOTATOR_07/hash``.
    """

    name = "aurc"
    title = "AURC-8"

    annotator: str = "merged"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.annotator not in ("merged", "each") and not self.annotator.startswith(WORKER):
            raise OptionError(
                f"annotator is {self.annotator!r}", remedy="give merged, each or a column such as ANNOTATOR_07"
            )

    def maps(self) -> Iterator[ArgumentGraph]:
        folder = self.path if self.path.is_dir() else self.path.parent
        data = folder / DATA if self.path.is_dir() else self.path
        if not data.is_file():
            raise InputError(f"the table {DATA} is missing", where=str(self.path), remedy="give the folder of AURC-8")
        tables = {name: self._by_sentence(folder / name) for name in (SPLITS, STANCE)}
        names: dict[str, UniqueNames] = {}
        ids: set[str] = set()
        for row, sentence in read_sentences(data, self.problems):
            if sentence.id in ids:
                self.problems.add("duplicate", f"sentence {sentence.id} is given twice", data.name, row.line)
            ids.add(sentence.id)
            for damage in sentence.damage:
                self.problems.add(damage.code, damage.message, data.name, row.line)
            cells = row.as_written()
            document: dict[str, Any] = {
                "line": row.line,
                "row": {column: cell for column, cell in cells.items() if cell},
                "tables": {name: list(table[sentence.id]) for name, table in tables.items() if sentence.id in table},
            }
            marked = {GOLD: sentence.gold, **sentence.workers, **{d.column: d.usable for d in sentence.damage}}
            for column, cell in row.cells.items():
                if cell and column in marked and self._wanted(column):
                    prefix = f"{file_name(column)}/" if self.annotator == "each" else ""
                    name = prefix + names.setdefault(file_name(column), UniqueNames()).unique(sentence.id)
                    yield self._map(name, sentence, marked[column], document | {"annotation": column})

    def _wanted(self, column: str) -> bool:
        if self.annotator == "each":
            return column.startswith(WORKER)
        return column == (GOLD if self.annotator == "merged" else self.annotator)

    def _by_sentence(self, path: Path) -> dict[str, tuple[int, dict[str, str]]]:
        """A table next to the data by sentence, with line numbers."""
        if not path.is_file():
            self.counts[f"without {path.name}"] = 1
            return {}
        rows: dict[str, tuple[int, dict[str, str]]] = {}
        for row in tsv_rows(path, self.problems, ("sentence_hash",)):
            key = row.cells["sentence_hash"]
            if key in rows:
                self.problems.add("duplicate", f"sentence {key} is given twice", path.name, row.line)
            rows[key] = (row.line, row.as_written())
        return rows

    def _map(
        self, name: str, sentence: Sentence, segments: Sequence[Segment], document: dict[str, Any]
    ) -> ArgumentGraph:
        dialogue = DialogueMap(name)
        topic = f"{sentence.topic} should be supported"
        claim = Statement(None, dialogue.build.proposition(topic, record={"aurc": {"topic": 1}}))
        spans: list[Span] = []
        for segment in segments:
            start, length, label = segment
            self._held("segments", label)
            record = {"aurc": {"start": start, "length": length, "label": label}}
            place = f"sentence {sentence.id}, characters {start} to {segment.end}"
            words = (sentence.text or "")[start : segment.end] or not_here(place)
            statement = dialogue.say("", words, record=record)
            spans.append(Span(statement.proposition, start, segment.end))
            dialogue.relate("RA" if label == "pro" else "CA", statement, claim, "", None, record)
        if not sentence.text:
            return dialogue.graph("aurc", document)
        return dialogue.graph("aurc", document, sentence.text, tuple(spans))
