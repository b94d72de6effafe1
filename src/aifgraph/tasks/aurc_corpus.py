"""The sentences of AURC-8 (Trautmann et al. 2020): as tokens with gold labels, counted, and how far workers agree."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import fsum
from pathlib import Path
from typing import Final

from aifgraph.datasets.aurc import DATA, GOLD, ID, SPLITS, Segment, Sentence, read_sentences
from aifgraph.datasets.dataset import Log, place_below, read_tsv
from aifgraph.errors import FormatError, InputError, NoSuchFileError
from aifgraph.stats.alpha import Unit, Unitisation, unitised_alpha
from aifgraph.stats.scores import SCORES, ConfusionMatrix
from aifgraph.tables import Table
from aifgraph.tasks.aurc import LABELS, Label
from aifgraph.tasks.scores import TaskResult, signature

DOMAINS: Final = {"in": "In-Domain", "cross": "Cross-Domain"}
#: What the rows of all topics are called.
ALL: Final = "all topics"


@dataclass(frozen=True, slots=True)
class AurcCorpus:
    """A folder of AURC-8: its sentences, and the split of each by domain (``In-Domain``, ``Cross-Domain``) and id."""

    name: str
    sentences: tuple[Sentence, ...]
    splits: dict[str, dict[str, str]]


def read_folder(folder: str | Path) -> AurcCorpus:
    """Read ``AURC_DATA.tsv`` and, if it is there, ``AURC_DOMAIN_SPLITS.tsv``; damaged cells of workers are left out.

    >>> read_folder("fixtures/tasks/aurc").sentences[0].gold
    (Segment(start=18, length=15, label='pro'),)
    """
    strict = Log(strict=True)
    data, splits = (place_below(Path(folder), name, strict) for name in (DATA, SPLITS))
    if data is None:
        raise NoSuchFileError(f"there is no {DATA}", where=str(folder))
    sentences = tuple(read_sentences(data, strict, Log()))
    for sentence in sentences:
        if GOLD in sentence.damaged:
            raise FormatError("the gold segments are missing or damaged", where=f"{data}, line {sentence.line}")
    rows = list(read_tsv(splits, strict, (ID, *DOMAINS.values()), unique=ID)) if splits else []
    by_domain = {domain: {row.cells[ID]: row.cells[domain] for row in rows} for domain in DOMAINS.values()}
    return AurcCorpus(str(folder), sentences, by_domain)


def label_at(segments: Sequence[Segment], start: int, end: int) -> Label:
    """Return the label of the first segment that has a character between two places, else non."""
    return next((segment.label for segment in segments if segment.start < end and start < segment.end), "non")


# -- agreement of the workers -----------------------------------------------------------------------------------------


def agreement(corpus: AurcCorpus) -> TaskResult:
    """Return unitised alpha and Cohen's kappa of the crowd workers, for each topic and for all.

    Alpha takes the sentences of a topic one after another as one continuum of characters (Habernal and Gurevych 2016).
    Since not the same people saw all sentences, its coders are places: the first, second, … worker of a sentence. It
    leaves out sentences with a damaged cell or fewer workers than others; kappa, over pro, con and non, does not. It is
    the mean over pairs of workers, weighted by the number of their common tokens, or characters where texts are left
    out.

    >>> row = agreement(read_folder("fixtures/tasks/aurc")).records("Agreement")[-1]
    >>> row["topic"], round(row["alpha"], 3), round(row["token kappa"], 3)
    ('guns', 0.877, 0.889)
    """
    coders = max((len(sentence.marks) - 1 for sentence in corpus.sentences), default=0)
    if coders < 2:
        raise InputError("no sentence was seen by two workers", where=corpus.name)
    by_topic: dict[str, list[Sentence]] = defaultdict(list)
    for sentence in corpus.sentences:
        by_topic[sentence.topic].append(sentence)
    topics = sorted(by_topic.items()) + ([(ALL, list(corpus.sentences))] if len(by_topic) > 1 else [])
    rows = []
    for topic, sentences in topics:
        whole = [sentence for sentence in sentences if len(sentence.workers) == coders]
        alpha = _alpha(whole, coders)
        alphas = [by.value if (by := alpha.categories.get(label)) else None for label in ("pro", "con")]
        left_out = len(sentences) - len(whole)
        rows.append((topic, len(sentences), alpha.all.value, *alphas, *_kappa(sentences), left_out))
    unit = "token" if all(sentence.text for sentence in corpus.sentences) else "character"
    columns = ("topic", "sentences", "alpha", "alpha pro", "alpha con", f"{unit} kappa", "pairs", "left out")
    options = {"alpha": "unitised", "continuum": "topic", "alpha_unit": "character", "kappa_unit": unit}
    return TaskResult(signature("aurc.agreement", **options), (Table("Agreement", columns, rows),))


def _alpha(sentences: Sequence[Sentence], coders: int) -> Unitisation:
    units: list[list[Unit]] = [[] for _ in range(coders)]
    start = 0
    for sentence in sentences:
        for of_coder, marks in zip(units, sentence.workers.values(), strict=True):
            of_coder += [(start + mark.start, start + mark.end, mark.label) for mark in marks]
        start += sentence.length
    return unitised_alpha(units, max(start, 1))


def _kappa(sentences: Sequence[Sentence]) -> tuple[float | None, int]:
    """Return the mean kappa, and over how many pairs of workers it is."""
    cells: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for sentence in sentences:
        places = _places(sentence)
        labels = {name: [label_at(marks, *place) for *place, _ in places] for name, marks in sentence.workers.items()}
        for pair in combinations(sorted(labels), 2):
            for first, second, (_, _, weight) in zip(*(labels[name] for name in pair), places, strict=True):
                cells[pair][first, second] += weight
    matrices = [ConfusionMatrix.counts(counts, LABELS) for counts in cells.values()]
    values = [(value, matrix.total) for matrix in matrices if (value := SCORES["kappa"](matrix)) is not None]
    total = sum(weight for _, weight in values)
    return (fsum(value * weight for value, weight in values) / total if total else None), len(values)


def _places(sentence: Sentence) -> list[tuple[int, int, int]]:
    """Return (start, end, weight) of the tokens; without text of the stretches between all marks, by their length."""
    if sentence.text:
        return [(*token.span(), 1) for token in re.finditer(r"\w+|[^\w\s]", sentence.text)]
    edges = {edge for marks in sentence.workers.values() for mark in marks for edge in (mark.start, mark.end)}
    return [(start, end, end - start) for start, end in pairwise(sorted(edges | {0, sentence.length}))]
