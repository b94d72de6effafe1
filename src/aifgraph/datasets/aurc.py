"""AURC-8 (Trautmann et al. 2020): segments for or against a topic, by five crowd workers; one map per sentence.

The topic is the claim ("TOPIC should be supported"); each segment is L → YA Asserting → I with its span, and RA (pro)
or CA (con) to the claim. The published tables have no sentences; until the column is filled, the text of a segment
says so. Fields stand under ``aurc``: ``start``, ``end``, ``label`` of segments and relations; ``row``,
``annotation`` and the rows of the other two tables of the map.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from aifgraph.datasets.dataset import COPY_LINKS, Log, finished, missing_words, place_below, read_tsv, say
from aifgraph.errors import InputError, OptionError
from aifgraph.files import unique_name
from aifgraph.graph import ArgumentGraph, GraphBuilder, Span

DATA: Final = "AURC_DATA.tsv"
SPLITS: Final = "AURC_DOMAIN_SPLITS.tsv"
STANCE: Final = "AURC_SENTENCE_LEVEL_STANCE.tsv"
ID: Final = "sentence_hash"
GOLD: Final = "merged_segments"
LENGTH: Final = "length_in_text"
WORKER: Final = "ANNOTATOR_"
Stance: TypeAlias = Literal["pro", "con"]

_CELL: Final = re.compile(
    r"\(\s*+'(?:true'\s*+,\s*+None\s*+,\s*+None|false'\s*+,\s*+'([^']*+)'\s*+,\s*+'([^']*+)')\s*+\)"
)
_SPAN: Final = re.compile(r"\(\s*+(\d{1,9})\s*+,\s*+(\d{1,9})\s*+\)")


class Segment(NamedTuple):
    """An argument segment of a sentence, in characters counted from 0, for or against the topic."""

    start: int
    length: int
    label: Stance

    @property
    def end(self) -> int:
        """The first character behind it."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it was annotated.

    ``marks`` has the segments of the gold standard (``merged_segments``) and of each worker by column; ``damaged`` the
    columns whose cells could be used in part or not at all. ``text`` is ``None`` where the file leaves the words out.
    """

    id: str
    topic: str
    length: int
    text: str | None
    marks: dict[str, tuple[Segment, ...]]
    damaged: frozenset[str]
    line: int
    row: dict[str, str]

    @property
    def gold(self) -> tuple[Segment, ...]:
        """The segments of the gold standard."""
        return self.marks.get(GOLD, ())

    @property
    def workers(self) -> dict[str, tuple[Segment, ...]]:
        """The segments of each worker whose cell is whole."""
        return {column: marks for column, marks in self.marks.items() if column not in {GOLD, *self.damaged}}


def segments_in(cell: str) -> tuple[Segment, ...]:
    """Return the segments in a cell, none for "no argument"; ``ValueError`` for a damaged one.

    >>> segments_in("('false','(41,59);(120,65);','pro;con;')")
    (Segment(start=41, length=59, label='pro'), Segment(start=120, length=65, label='con'))
    >>> segments_in("('true', None, None)")
    ()
    """
    parts = _CELL.fullmatch(cell.strip())
    if parts is None:
        raise ValueError(f"not a tuple of a flag, spans and labels: {cell[:60]!r}")
    if parts[1] is None:
        return ()
    spans = [_SPAN.fullmatch(span) for span in parts[1].rstrip(";").split(";")]
    labels = [label.strip() for label in parts[2].rstrip(";").split(";")]
    if None in spans or len(spans) != len(labels) or not {*labels} <= {"pro", "con"}:
        raise ValueError(f"spans and labels do not fit: {cell[:60]!r}")
    segments = (
        Segment(int(span[1]), int(span[2]), cast(Stance, label))
        for span, label in zip(spans, labels, strict=True)
        if span
    )
    return tuple(segment for segment in segments if segment.length)


def read_sentences(path: Path, log: Log, cell_log: Log | None = None) -> Iterator[Sentence]:
    """Yield the sentences of ``AURC_DATA.tsv``; of damaged cells, which have a log of their own, what can be used."""
    cell_log = cell_log or log
    for row in read_tsv(path, log, ("topic", ID, "sentence", LENGTH, GOLD), unique=ID):
        cells = row.cells
        length = int(cells[LENGTH]) if re.fullmatch(r"[0-9]{1,9}", cells[LENGTH]) else 0
        if not length:
            log.problem("number", f"{LENGTH} is {cells[LENGTH][:20]!r}", path, row.line)
        text = cells["sentence"] or None
        if text and length and len(text) != length:
            what = f"the text has {len(text)} characters where {LENGTH} is {length}; it is left out"
            log.problem("text", what, path, row.line)
            text = None
        marks: dict[str, tuple[Segment, ...]] = {}
        damaged: set[str] = set()
        for column, cell in cells.items():
            if column != GOLD and not (cell and column.startswith(WORKER)):
                continue
            try:
                segments = segments_in(cell)
            except ValueError as error:
                cell_log.problem("cell", f"{column}: {error}", path, row.line)
                segments = ()
                damaged.add(column)
            marks[column] = tuple(segment for segment in segments if segment.end <= length)
            if len(marks[column]) < len(segments):
                cell_log.problem("span", f"{column}: a span goes beyond the sentence", path, row.line)
                damaged.add(column)
        id_, topic = cells[ID], cells["topic"]
        yield Sentence(id_, topic, length, text, marks, frozenset(damaged), row.line, cells)


def read(path: Path, log: Log, *, annotator: str = "merged") -> Iterator[ArgumentGraph]:
    """Read the folder of the three tables, of which two may be missing.

    ``annotator`` is ``merged`` (the gold standard), a column (``ANNOTATOR_07``), or ``each``: the maps of all workers,
    named ``ANNOTATOR_07/hash``.
    """
    if annotator not in ("merged", "each") and not annotator.startswith(WORKER):
        raise OptionError(
            f"annotator cannot be {annotator!r}", remedy="give merged, each or a column such as ANNOTATOR_07"
        )
    data = place_below(path, DATA, log)
    if data is None:
        remedy = COPY_LINKS if log.problem_counts["link"] else None
        raise InputError(f"there is no {DATA}", where=str(path), remedy=remedy)
    others = {
        name: {row.cells[ID]: row.cells for row in read_tsv(place, log, (ID,), unique=ID)}
        for name in (SPLITS, STANCE)
        if (place := place_below(path, name, log))
    }
    wanted = GOLD if annotator == "merged" else annotator
    names = Counter[str]()
    for sentence in read_sentences(data, log):
        document: dict[str, Any] = {
            "line": sentence.line,
            "row": {column: cell for column, cell in sentence.row.items() if cell},
            "tables": {name: table[sentence.id] for name, table in others.items() if sentence.id in table},
        }
        for column, marks in sentence.marks.items():
            if column == wanted or (annotator == "each" and column != GOLD):
                name = unique_name(names, *([column] if annotator == "each" else []), sentence.id)
                yield _graph(name, sentence, marks, document | {"annotation": column}, log)


def _graph(
    name: str, sentence: Sentence, segments: Sequence[Segment], document: dict[str, Any], log: Log
) -> ArgumentGraph:
    build = GraphBuilder(name=name)
    claim = build.proposition(f"{sentence.topic} should be supported", extra={"aurc": {"topic": sentence.topic}})
    spans: list[Span] = []
    for segment in segments:
        log.counts[f"{segment.label} segments"] += 1
        extra = {"aurc": {"start": segment.start, "end": segment.end, "label": segment.label}}
        place = f"sentence {sentence.id}, characters {segment.start} to {segment.end}"
        words = (sentence.text or "")[segment.start : segment.end] or missing_words(place)
        said = say(build, "", words, extra=extra)
        spans.append(Span(said.proposition, segment.start, segment.end))
        build.relation("RA" if segment.label == "pro" else "CA", [said.proposition], claim, extra=extra)
    return finished(build, "aurc", document, sentence.text or "", spans)
