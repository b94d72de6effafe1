"""Agreement of the five crowd workers of each sentence of AURC-8.

Unitised alpha takes, as Habernal and Gurevych (2016) do, all sentences of a topic as one continuum, one after another,
in characters. Since not the same people saw all sentences, its five coders are places: the first, second, … worker of
a sentence. Kappa is Cohen's over pro, con and non, for each pair of workers over the tokens of the sentences that both
saw, and the mean of those weighted by their numbers of tokens. Where the file has no text, characters stand for tokens.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import fsum

from aifgraph.datasets.aurc import Segment, Sentence
from aifgraph.errors import InputError
from aifgraph.stats.agreement import kappa
from aifgraph.stats.krippendorff import Unit, Unitisation, unitised_alpha
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.tables import Table
from aifgraph.tasks.aurc.corpus import ALL, AurcCorpus, label_at, words_in
from aifgraph.tasks.aurc.predictions import LABELS
from aifgraph.tasks.scores import Result, signature


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


@dataclass(frozen=True, slots=True)
class Agreement(Result):
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


def agreement(corpus: AurcCorpus, *, progress: Callable[[str], None] | None = None) -> Agreement:
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
        if progress:
            progress(f"aurc agreement: {topic}")
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
