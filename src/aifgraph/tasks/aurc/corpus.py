"""AURC-8 as published (Trautmann et al. 2020): marks of five crowd workers a sentence, gold segments, splits.

Sentences can also come from the robustness tests' two JSON forms, which have tokens and labels but no workers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from aifgraph.errors import FormatError, InputError, NotFoundError, OptionError
from aifgraph.formats.files import parse_json
from aifgraph.tasks.aurc.predictions import Label, labels_of, read_run
from aifgraph.tasks.tsv import read_sheet, read_text

Segment = tuple[int, int, Label]
"""Start and end (exclusive), in characters, and stance."""

Unit: TypeAlias = Literal["token", "character"]

DOMAINS = {"in": "In-Domain", "cross": "Cross-Domain"}
SPLITS = ("Train", "Dev", "Test")

_CELL = re.compile(r"\('false', '((?:\(\d+,\d+\);?)+)', '((?:(?:pro|con);?)+)'\)")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence of ``length`` characters; ``workers``: what each of those who saw it marked, by column name.

    ``text`` is ``None`` where the file leaves it out. ``damaged`` names workers whose cell cannot be read.
    """

    id: str
    topic: str
    length: int
    text: str | None
    gold: tuple[Segment, ...]
    workers: dict[str, tuple[Segment, ...]]
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sentence as tokens, each with its gold label.

    Of a sentence whose text is not there, the ``unit`` is ``character``: the labels are those of its characters, and
    the ``tokens`` are empty.
    """

    id: str
    topic: str
    tokens: tuple[str, ...]
    labels: tuple[Label, ...]
    unit: Unit = "token"

    @property
    def text(self) -> str:
        """The tokens with spaces between."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Aurc:
    """The sentences of a folder, and of each the split by domain (``In-Domain``, ``Cross-Domain``)."""

    name: str
    sentences: tuple[Marked, ...]
    splits: dict[str, dict[str, str]] = field(default_factory=dict)


def segments(cell: str) -> tuple[Segment, ...] | None:
    """The segments in a cell of the data file; none for ``('true', None, None)``; ``None`` for a damaged one.

    >>> segments("('false', '(0,9);(12,4);', 'pro;con;')")
    ((0, 9, 'pro'), (12, 16, 'con'))
    """
    if cell == "('true', None, None)":
        return ()
    match = _CELL.fullmatch(cell)
    if match is None:
        return None
    places = [tuple(map(int, place)) for place in re.findall(r"\((\d+),(\d+)\)", match[1])]
    labels = re.findall("pro|con", match[2])
    if len(places) != len(labels):
        return None
    return tuple(
        (start, start + length, label) for (start, length), label in zip(places, labels, strict=True) if length
    )


def read_folder(folder: str | Path) -> Aurc:
    """``AURC_DATA.tsv`` and, where it is there, ``AURC_DOMAIN_SPLITS.tsv`` of a folder.

    Raises:
        NotFoundError: there is no such folder or data file. FormatError: columns or cells are not as they should be.
    """
    place = Path(folder)
    if not (place / "AURC_DATA.tsv").is_file():
        raise NotFoundError("there is no AURC_DATA.tsv", where=str(place), remedy="give the folder of AURC-8")
    wanted = ("topic", "sentence_hash", "sentence", "length_in_text", "merged_segments")
    sheet = read_sheet(place / "AURC_DATA.tsv", wanted)
    sentences = tuple(_marked(record, f"{sheet.name}, line {line}") for line, record in sheet.records())
    splits: dict[str, dict[str, str]] = {}
    if (place / "AURC_DOMAIN_SPLITS.tsv").is_file():
        table = read_sheet(place / "AURC_DOMAIN_SPLITS.tsv", ("sentence_hash", *DOMAINS.values()))
        splits = {row["sentence_hash"]: {name: row[name] for name in DOMAINS.values()} for _, row in table.records()}
    return Aurc(str(place), sentences, splits)


def _marked(record: dict[str, str], where: str) -> Marked:
    if not record["length_in_text"].isdecimal():
        raise FormatError(f"the length {record['length_in_text']!r} is not a number", where=where)
    gold = segments(record["merged_segments"])
    if gold is None:
        raise FormatError(f"gold segments {record['merged_segments'][:60]!r} cannot be read", where=where)
    workers, damaged = {}, []
    for column, cell in record.items():
        if column.startswith("ANNOTATOR_") and cell:
            marks = segments(cell)
            if marks is None:
                damaged.append(column)
            else:
                workers[column] = marks
    return Marked(
        record["sentence_hash"],
        record["topic"],
        int(record["length_in_text"]),
        record["sentence"] or None,
        gold,
        workers,
        tuple(damaged),
    )


def read_tokens(
    source: str | Path, *, domain: str = "in", split: str | None = None, needs_text: bool = True
) -> list[Tokens]:
    """Labelled sentences of a folder of AURC-8 (of one ``split`` of a ``domain``, or of all), or of a JSON file.

    A JSON file is one of predictions, of which the gold labels are taken, or ``{topic: [{"sentence_hash":
    …, "tokenized_sentence_spacy": …, "tokenized_sentence_spacy_labels": …}]}``, whose entries without hash are
    dummies. Text of a folder is split into words and punctuation marks; unless ``needs_text``, a sentence without text
    is given by its characters.

    Raises:
        InputError: a sentence of the folder has no text, or there is no sentence. FormatError: not one of the forms.
    """
    place = Path(source)
    if place.is_dir():
        return _folder_tokens(read_folder(place), domain, split, needs_text)
    data = parse_json(read_text(place), str(place))
    if isinstance(data, dict) and data and all(isinstance(entries, list) for entries in data.values()):
        found = [
            _entry(topic, number, entry, str(place))
            for topic, entries in data.items()
            for number, entry in enumerate(entries)
            if not isinstance(entry, dict) or entry.get("sentence_hash", True)
        ]
    else:
        found = [Tokens(one.id, "", one.tokens, one.gold) for one in read_run(place).sentences]
    if not found:
        raise InputError("there is no sentence in the file", where=str(place))
    return found


def _folder_tokens(corpus: Aurc, domain: str, split: str | None, needs_text: bool) -> list[Tokens]:
    if domain not in DOMAINS:
        raise OptionError(f"there is no domain {domain!r}", remedy="choose in or cross")
    kept = [one for one in corpus.sentences if not split or corpus.splits.get(one.id, {}).get(DOMAINS[domain]) == split]
    if not kept:
        raise InputError(f"no sentence is in the split {split} ({DOMAINS[domain]})", where=corpus.name)
    found = []
    for one in kept:
        if one.text is None and needs_text:
            raise InputError(
                "the column sentence of AURC_DATA.tsv is empty",
                where=f"{corpus.name}, sentence {one.id}",
                remedy="fill it with AURC's own download and preparation, or give a JSON file with tokens and labels",
            )
        words = _TOKEN.finditer(one.text) if one.text else ()
        places = [word.span() for word in words] or [(place, place + 1) for place in range(one.length)]
        labels = [next((k for s, e, k in one.gold if s < end and start < e), "non") for start, end in places]
        tokens = tuple(one.text[start:end] if one.text else "" for start, end in places)
        found.append(Tokens(one.id, one.topic, tokens, labels_of(labels, one.id), "token" if one.text else "character"))
    return found


def _entry(topic: str, number: int, entry: Any, name: str) -> Tokens:
    where, fields = f"{name}, {topic}, entry {number}", ("tokenized_sentence_spacy", "tokenized_sentence_spacy_labels")
    if not isinstance(entry, dict) or any(not isinstance(entry.get(one), str | list) for one in fields):
        raise FormatError(f"expected an object with {' and '.join(fields)}", where=where)
    tokens, labels = (cell.split() if isinstance(cell := entry[one], str) else [str(c) for c in cell] for one in fields)
    if len(tokens) != len(labels):
        raise FormatError(f"{len(tokens)} tokens and {len(labels)} labels", where=where)
    return Tokens(str(entry.get("sentence_hash") or number), topic, tuple(tokens), labels_of(labels, where))
