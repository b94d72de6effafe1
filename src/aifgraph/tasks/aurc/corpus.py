"""The sentences of AURC-8 (Trautmann et al. 2020): as tokens with gold labels, counted, and how far workers agree.

Sentences can also come from the robustness tests' two JSON forms, which have tokens and labels but no workers.

Unitised alpha takes, as Habernal and Gurevych (2016) do, all sentences of a topic as one continuum, one after another,
in characters. Since not the same people saw all sentences, its five coders are places: the first, second, … worker of
a sentence. Kappa is Cohen's over pro, con and non, for each pair of workers over the tokens of the sentences that both
saw, and the mean of those weighted by their numbers of tokens. Where the file has no text, characters stand for tokens.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby, pairwise
from math import fsum
from pathlib import Path
from typing import Any

from aifgraph.datasets.aurc import DATA, GOLD, LENGTH, SPLITS, Segment, Sentence, read_sentences
from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.rows import not_empty, read_text, tsv_rows
from aifgraph.errors import FormatError, InputError, NoSuchFileError
from aifgraph.formats.files import parse_json
from aifgraph.stats.agreement import kappa
from aifgraph.stats.krippendorff import Unit, Unitisation, unitised_alpha
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.tables import Cell, Table
from aifgraph.tasks.aurc.predictions import LABELS, Label, Tokens, labels_of, read_run
from aifgraph.tasks.scores import Counts, TaskResult, one_of, signature

DOMAINS = {"in": "In-Domain", "cross": "Cross-Domain"}
#: The row of a table that has the sentences of every topic.
ALL = "all topics"

SPLIT_NAMES = ("Train", "Dev", "Test")


@dataclass(frozen=True, slots=True)
class AurcCorpus:
    """A folder of AURC-8: its sentences in order, and their ``splits``: by id, the split in each domain."""

    name: str
    sentences: tuple[Sentence, ...]
    splits: dict[str, dict[str, str]] = field(default_factory=dict)


def read_folder(folder: str | Path) -> AurcCorpus:
    """Read a folder of AURC-8: ``AURC_DATA.tsv`` and, if it is there, ``AURC_DOMAIN_SPLITS.tsv``.

    Raises:
        NotFoundError: there is no such folder or data file.
        InputError: the file is empty.
        FormatError: a row, a length or gold segments are damaged.

    >>> read_folder("fixtures/tasks/aurc").sentences[0].gold
    (Segment(start=18, length=15, label='pro'),)
    """
    data, splits = Path(folder) / DATA, Path(folder) / SPLITS
    if not data.is_file():
        raise NoSuchFileError(f"there is no {DATA}", where=str(folder), remedy="give the folder of AURC-8")
    sentences = []
    for row, sentence in not_empty(read_sentences(data, Problems.refused(), str(data)), data):
        wrong = [damage.message for damage in sentence.damage if damage.column in (LENGTH, GOLD)]
        if wrong or not row.cells[GOLD]:
            raise FormatError((wrong or ["there are no gold segments"])[0], where=f"{data}, line {row.line}")
        sentences.append(sentence)
    domains = DOMAINS.values()
    split_of: dict[str, dict[str, str]] = {}
    if splits.is_file():
        rows = tsv_rows(splits, Problems.refused(), ("sentence_hash", *domains), str(splits))
        split_of = {row.cells["sentence_hash"]: {name: row.cells[name] for name in domains} for row in rows}
    return AurcCorpus(str(folder), tuple(sentences), split_of)


def words_in(one: Sentence) -> list[tuple[int, int]]:
    """Where the words and punctuation marks of a sentence are; nowhere if the file leaves its text out."""
    return [word.span() for word in re.finditer(r"\w+|[^\w\s]", one.text or "")]


def label_at(segments: Sequence[Segment], start: int, end: int) -> Label:
    """The label of the first segment that has a character between ``start`` and ``end``; else non."""
    return next((segment.label for segment in segments if segment.start < end and start < segment.end), "non")


def read_tokens(source: str | Path, *, domain: str = "in", split: str | None = None) -> list[Tokens]:
    """Sentences as tokens with gold labels, of a folder of AURC-8 or of a JSON file.

    A JSON file is one of predictions, of which the gold labels are taken, or ``{topic: [{"sentence_hash":
    …, "tokenized_sentence_spacy": …, "tokenized_sentence_spacy_labels": …}]}``, whose entries with an empty hash are
    left out. The text of a folder is split into words and punctuation marks.

    Args:
        domain: of a folder, whose splits are meant: ``in`` or ``cross``.
        split: of a folder, ``Train``, ``Dev`` or ``Test``; None for all sentences.

    Raises:
        NotFoundError: there is no such folder or file.
        InputError: a sentence of the folder has no text, or there is no sentence.
        FormatError: the file is in none of the forms.
        OptionError: there is no such domain.
    """
    place = Path(source)
    if place.is_dir():
        return _folder_tokens(read_folder(place), domain, split)
    data = parse_json(read_text(place), str(place))
    if isinstance(data, dict) and data and all(isinstance(entries, list) for entries in data.values()):
        sentences = [
            _entry(topic, number, entry, str(place))
            for topic, entries in data.items()
            for number, entry in enumerate(entries)
            if not isinstance(entry, dict) or entry.get("sentence_hash", True)
        ]
    else:
        sentences = [Tokens(one.id, "", one.tokens, one.gold) for one in read_run(place).sentences]
    if not sentences:
        raise InputError("there is no sentence in the file", where=str(place))
    return sentences


def _folder_tokens(corpus: AurcCorpus, domain: str, split: str | None) -> list[Tokens]:
    one_of("domain", domain, tuple(DOMAINS))
    chosen = [
        one for one in corpus.sentences if not split or corpus.splits.get(one.id, {}).get(DOMAINS[domain]) == split
    ]
    if not chosen:
        raise InputError(f"no sentence is in the split {split} ({DOMAINS[domain]})", where=corpus.name)
    sentences = []
    for one in chosen:
        if one.text is None:
            raise InputError(
                "the column sentence of AURC_DATA.tsv is empty",
                where=f"{corpus.name}, sentence {one.id}",
                remedy="fill it with AURC's own download and preparation, or give a JSON file with tokens and labels",
            )
        places = words_in(one)
        tokens = tuple(one.text[start:end] for start, end in places)
        sentences.append(Tokens(one.id, one.topic, tokens, tuple(label_at(one.gold, *place) for place in places)))
    return sentences


def _entry(topic: str, number: int, entry: Any, name: str) -> Tokens:
    where, fields = f"{name}, {topic}, entry {number}", ("tokenized_sentence_spacy", "tokenized_sentence_spacy_labels")
    if not isinstance(entry, dict) or any(not isinstance(entry.get(one), str | list) for one in fields):
        raise FormatError(f"expected an object with {' and '.join(fields)}", where=where)
    tokens, labels = (cell.split() if isinstance(cell := entry[one], str) else [str(c) for c in cell] for one in fields)
    if len(tokens) != len(labels):
        raise FormatError(f"{len(tokens)} tokens and {len(labels)} labels", where=where)
    return Tokens(str(entry.get("sentence_hash") or number), topic, tuple(tokens), labels_of(labels, where))


_KINDS = ("all pro", "all con", "mixed", "non")
_FULL_STOP = 2
"""So many characters outside of the one segment are taken for a mark at an end."""


def stats(source: str | Path | AurcCorpus) -> Counts:
    """Count the sentences of AURC-8 by topic, kind and split (Kamp et al. 2022, section 3.1); errors of read_folder."""
    corpus = source if isinstance(source, AurcCorpus) else read_folder(source)
    kinds: dict[str, Counter[str]] = {}
    splits: dict[str, Counter[tuple[str, str]]] = {}
    for one in corpus.sentences:
        labels = [label_at(one.gold, place, place + 1) for place in range(one.length)]
        runs = [(label, sum(1 for _ in group)) for label, group in groupby(labels)]
        argument = [label for label, _ in runs if label != "non"]
        outside = sum(size for label, size in runs if label == "non")
        whole = len(argument) == 1 and outside <= _FULL_STOP
        kind = "non" if not argument else f"all {argument[0]}" if whole else "mixed"
        kinds.setdefault(one.topic, Counter())[kind] += 1
        splits.setdefault(one.topic, Counter()).update(corpus.splits.get(one.id, {}).items())
    kinds[ALL] = sum(kinds.values(), Counter[str]())
    rows: list[tuple[Cell, ...]] = [
        (topic, *(count[kind] for kind in _KINDS), count.total() - count["non"], count.total())
        for topic, count in kinds.items()
    ]
    note = "all pro, all con: one segment is the whole sentence, but for up to 2 characters"
    tables = [Table("Sentences", ("topic", *_KINDS, "argument", "sentences"), rows, note=note)]
    if any(splits.values()):
        splits[ALL] = sum(splits.values(), Counter[tuple[str, str]]())
        columns = {f"{domain}: {split}": (title, split) for domain, title in DOMAINS.items() for split in SPLIT_NAMES}
        rows = [(topic, *(count[column] for column in columns.values())) for topic, count in splits.items()]
        tables.append(Table("Splits", ("topic", *columns), rows))
    return Counts("aurc.stats", tuple(tables), {"full_stop": f"{_FULL_STOP} characters"})


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """The agreement on one topic, or on all: kappa is the mean over ``pairs`` of workers, None where none has one.

    ``left_out`` is how many of the ``sentences`` alpha leaves out.
    """

    topic: str
    sentences: int
    alpha: Unitisation
    kappa: float | None
    pairs: int
    left_out: int


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(TaskResult):
    """The agreement of crowd workers by topic; kappa counts the ``unit``: ``token``, ``character`` without texts."""

    topics: tuple[TopicAgreement, ...]
    unit: str

    @property
    def signature(self) -> str:
        return signature(
            "aurc.agreement", alpha="unitised", continuum="topic", alpha_unit="character", kappa_unit=self.unit
        )

    def tables(self) -> list[Table]:
        """One table with a row for each topic."""
        rows = []
        for one in self.topics:
            alphas = [one.alpha.categories[k].value if k in one.alpha.categories else None for k in ("pro", "con")]
            rows.append((one.topic, one.sentences, one.alpha.all.value, *alphas, one.kappa, one.pairs, one.left_out))
        columns = ("topic", "sentences", "alpha", "alpha pro", "alpha con", f"{self.unit} kappa", "pairs", "left out")
        note = "left out: sentences in which a worker's marks cannot be read" if any(r[-1] for r in rows) else ""
        return [Table("Agreement", columns, rows, note=note)]


def agreement(corpus: AurcCorpus) -> Agreement:
    """Unitised alpha and Cohen's kappa of the crowd workers, for each topic and for all.

    Alpha takes the sentences of a topic one after another as one continuum of characters (Habernal and Gurevych 2016).
    It leaves out sentences with a damaged cell, or with fewer workers than others. Kappa is over pro, con and non; it
    uses the marks that can be read.

    Raises:
        InputError: no sentence was seen by two workers, or a mark lies outside its sentence.

    >>> from aifgraph.tasks import aurc
    >>> topic = aurc.agreement(aurc.read_folder("fixtures/tasks/aurc")).topics[-1]
    >>> topic.topic, round(topic.alpha.all.value, 3), round(topic.kappa, 3)
    ('guns', 0.877, 0.889)
    """
    coders = max((len(one.workers) + len(one.damaged) for one in corpus.sentences), default=0)
    if coders < 2:
        raise InputError("no sentence was seen by two workers", where=corpus.name)
    unit = "token" if all(one.text for one in corpus.sentences) else "character"
    by_topic: dict[str, list[Sentence]] = defaultdict(list)
    for one in corpus.sentences:
        by_topic[one.topic].append(one)
    topics = []
    for topic, sentences in [*sorted(by_topic.items()), (ALL, list(corpus.sentences))]:
        if topic == ALL and len(by_topic) == 1:
            continue
        whole = [one for one in sentences if len(one.workers) == coders]
        mean, pairs = _kappa(sentences)
        topics.append(
            TopicAgreement(topic, len(sentences), _alpha(whole, coders), mean, pairs, len(sentences) - len(whole))
        )
    return Agreement(tuple(topics), unit)


def _alpha(sentences: Sequence[Sentence], coders: int) -> Unitisation:
    units: list[list[Unit]] = [[] for _ in range(coders)]
    start = 0
    for one in sentences:
        for mine, marks in zip(units, one.workers.values(), strict=True):
            mine += [(start + mark.start, start + mark.end, mark.label) for mark in _joined(one, marks)]
        start += one.length
    return unitised_alpha(units, max(start, 1))


def _joined(one: Sentence, marks: Sequence[Segment]) -> list[Segment]:
    """Marks in order; those of one stance that overlap are one."""
    joined: list[Segment] = []
    for mark in sorted(marks, key=lambda mark: (mark.label, mark.start)):
        if mark.end > one.length:
            raise InputError(f"a mark ends at {mark.end} of {one.length} characters", where=f"sentence {one.id}")
        last = joined[-1] if joined else None
        if last and last.label == mark.label and mark.start < last.end:
            joined[-1] = last._replace(length=max(mark.end, last.end) - last.start)
        else:
            joined.append(mark)
    return joined


def _kappa(sentences: Sequence[Sentence]) -> tuple[float | None, int]:
    cells: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for one in sentences:
        places = _places(one)
        labels = {
            name: [label_at(marks, start, end) for start, end, _ in places] for name, marks in one.workers.items()
        }
        # Sorted names: a pair is the same pair whichever column comes first.
        for first, second in combinations(sorted(labels), 2):
            counts = cells[first, second]
            for a, b, (_, _, weight) in zip(labels[first], labels[second], places, strict=True):
                counts[a, b] += weight
    matrices = [ConfusionMatrix.counts(counts, LABELS) for counts in cells.values()]
    values = [(value, matrix.total) for matrix in matrices if (value := kappa(matrix)) is not None]
    total = sum(weight for _, weight in values)
    return (fsum(value * weight for value, weight in values) / total if total else None), len(values)


def _places(one: Sentence) -> list[tuple[int, int, int]]:
    """(start, end, weight): the tokens, or without text the stretches between all marks' ends, by their length."""
    if one.text:
        return [(start, end, 1) for start, end in words_in(one)]
    edges = {
        0,
        one.length,
        *(edge for marks in one.workers.values() for mark in marks for edge in (mark.start, mark.end)),
    }
    return [(start, end, end - start) for start, end in pairwise(sorted(edges))]
