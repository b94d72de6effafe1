"""The perturbations T1 to T3 (Kamp et al. 2022): accuracies before and after (table 2), and candidates (section 5.1).

T1: after a segment that announces an argument, the argument is replaced by a non-argument segment of the topic.
T2: to a sentence that is one argument segment, "and besides," and a non-argument sentence of the topic are appended.
T3: a non-argument segment next to an argument segment is removed.

The authors checked their candidates by hand, since a machine cannot tell whether the result is English, nor whether it
argues. Of a corpus without texts the candidates are instructions in characters, to be carried out where the texts are.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import fsum
from random import Random
from typing import Literal, TypeAlias

from aifgraph.errors import InputError
from aifgraph.tables import Cell, Table
from aifgraph.tasks.aurc.predictions import Label, Run, Tokens, Unit, is_argument
from aifgraph.tasks.scores import TaskResult, mean_and_deviation, mean_rows, one_of, short, signature, some

Test: TypeAlias = Literal["T1", "T2", "T3"]
TESTS: tuple[Test, ...] = ("T1", "T2", "T3")

BESIDES = ("and", "besides", ",")
LEAST: dict[Unit, int] = {"token": 3, "character": 15}
"""How long an announcing, a replacing or a removed segment is at least: in words, or in characters."""
_MARKS = 2
"""A stretch of so many characters is taken for the full stop at the end."""


@dataclass(frozen=True, slots=True)
class Change:
    """The accuracy of one run in telling argument from none, before and after a perturbation."""

    name: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """after − before."""
        return self.after - self.before

    @property
    def relative(self) -> float | None:
        """The difference of this run in per cent of its ``before``; None where that is 0."""
        return 100 * self.difference / self.before if self.before else None


@dataclass(frozen=True, slots=True)
class Perturbation(TaskResult):
    """What a perturbation did to the runs of a system, and how many sentences there are before and after."""

    runs: tuple[Change, ...]
    sentences: tuple[int, int]

    @property
    def signature(self) -> str:
        options = {"relative": "ratio-of-means", "deviation": "population"}
        return signature("aurc.perturbation", decision="any-token", **options, runs=len(self.runs))

    def mean(self, measure: str) -> tuple[float | None, float | None] | None:
        """Mean and population deviation of a measure over the runs; ``relative`` is in per cent.

        As in the paper's table 2, the relative difference of all runs is that of their means, not the mean of theirs.
        """
        mean = mean_and_deviation([getattr(run, measure) for run in self.runs])
        if measure != "relative":
            return mean
        before, difference = (fsum(getattr(run, name) for run in self.runs) for name in ("before", "difference"))
        return (100 * difference / before, mean and mean[1]) if before else None

    def tables(self) -> list[Table]:
        """The paper's table 2, by run and over all runs."""
        measures = ("before", "after", "difference", "relative")
        means = [self.mean(measure) for measure in measures]
        names = short([run.name for run in self.runs])
        rows: list[tuple[Cell, ...]] = [
            (name, *(getattr(run, measure) for measure in measures)) for name, run in zip(names, self.runs, strict=True)
        ]
        rows += mean_rows(means)
        note = f"accuracy of argument against none; {self.sentences[0]} sentences before, {self.sentences[1]} after"
        return [Table("Accuracies", ("run", "before", "after", "difference", "relative %"), rows, note=note)]


def accuracy(run: Run) -> float:
    """The share of sentences rightly taken as argument (some token is pro or con) or as none."""
    return sum(is_argument(one.gold) == is_argument(one.predicted) for one in run.sentences) / len(run.sentences)


def perturbation(before: Sequence[Run], after: Sequence[Run]) -> Perturbation:
    """What a perturbation of the test sentences does to accuracy (Kamp et al. 2022, table 2).

    A sentence counts as argument where a token is pro or con.

    Raises:
        InputError: no runs, not as many before as after, or one side's runs have different numbers of sentences.
    """
    if not before or len(before) != len(after):
        raise InputError(f"{len(before)} run(s) before, {len(after)} after", remedy="give as many, in the same order")
    for side in (before, after):
        for run in side:
            if len(run.sentences) != len(side[0].sentences):
                what = f"{len(run.sentences)} sentences, where {side[0].name} has {len(side[0].sentences)}"
                raise InputError(what, where=run.name)
    changes = tuple(
        Change(first.name, accuracy(first), accuracy(second)) for first, second in zip(before, after, strict=True)
    )
    return Perturbation(changes, (len(before[0].sentences), len(after[0].sentences)))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A perturbed sentence, to be checked by a person: its ``source`` is changed from ``start`` to before ``end``.

    Words are taken from the sentence ``material``; ``unit`` says whether places count tokens or characters;
    ``expected`` is the label that the new sentence should have (``mixed``: pro and con). Without the texts of the
    corpus, the last four are None; labels are those of the tokens, with spaces between.
    """

    test: Test
    source: str
    topic: str
    operation: Literal["replace", "append", "remove"]
    unit: Unit
    start: int
    end: int
    material: str | None
    material_start: int | None
    material_end: int | None
    expected: str
    before: str | None
    before_labels: str | None
    after: str | None
    after_labels: str | None


@dataclass(frozen=True, slots=True)
class _Run:
    """Equal labels from ``start`` to ``end``; as material, of the sentence ``one``."""

    one: Tokens
    label: Label
    start: int
    end: int

    @property
    def long(self) -> bool:
        return _length(self) >= LEAST[self.one.unit]


def candidates(sentences: Sequence[Tokens], test: Test, *, seed: int = 0) -> list[Candidate]:
    """Perturbed sentences for a person to check, one for each sentence that the test fits.

    T1 replaces an argument after a segment that announces it, T2 appends "and besides," and a non-argument sentence,
    T3 removes a non-argument segment next to an argument (Kamp et al. 2022, section 5.1). What T1 and T2 put in is of
    the same topic.

    Raises:
        OptionError: there is no such test.
        InputError: the test fits no sentence, or needs topics and there are none.
    """
    one_of("test", test, TESTS)
    if test != "T3" and (without := [one.id for one in sentences if not one.topic]):
        raise InputError(
            f"{test} puts in words of the same topic, and the sentence {some(without)} has none",
            remedy="give a folder of AURC-8 or JSON by topic, or name the topics (--topics)",
        )
    stock = _stock(sentences, test)
    make = {"T1": _replaced, "T2": _appended, "T3": _removed}[test]
    perturbed = (make(one, stock[one.topic], Random(f"{seed}|{test}|{one.id}")) for one in sentences)
    fitting = [candidate for candidate in perturbed if candidate]
    if not fitting:
        raise InputError(f"no sentence is of the kind that {test} needs", remedy="give more labelled sentences")
    return fitting


def dumped(candidates: Sequence[Candidate]) -> str:
    """Candidates as JSON: a list of objects."""
    return json.dumps([asdict(one) for one in candidates], ensure_ascii=False, indent=1) + "\n"


def _length(run: _Run) -> int:
    """In words; or in characters, where the few of a full stop count as none."""
    if run.one.unit == "character":
        size = run.end - run.start
        return size if size > _MARKS else 0
    return sum(any(char.isalnum() for char in token) for token in run.one.tokens[run.start : run.end])


def _shape(one: Tokens) -> list[_Run]:
    """The runs of a sentence, without the non-argument marks (a full stop) at its end."""
    runs, start = [], 0
    for label, group in groupby(one.labels):
        end = start + sum(1 for _ in group)
        runs.append(_Run(one, label, start, end))
        start = end
    if len(runs) > 1 and runs[-1].label == "non" and not _length(runs[-1]):
        runs.pop()
    return runs


def _stock(sentences: Sequence[Tokens], test: Test) -> dict[str, list[_Run]]:
    """Per topic, what can be put in: non-argument sentences, and for T1 also such segments at the end of others."""
    stock: dict[str, list[_Run]] = defaultdict(list)
    for one in sentences:
        last = _shape(one)[-1]
        if last.label == "non" and last.long and (test == "T1" or not is_argument(one.labels)):
            stock[one.topic].append(last)
    for pieces in stock.values():
        pieces.sort(key=lambda piece: (piece.one.id, piece.start))
    return stock


def _replaced(one: Tokens, stock: Sequence[_Run], draw: Random) -> Candidate | None:
    runs = _shape(one)
    others = [piece for piece in stock if piece.one.id != one.id]
    if [run.label != "non" for run in runs] != [False, True] or not runs[0].long or not others:
        return None
    piece = draw.choice(others)
    tokens = (*one.tokens[: runs[0].end], *piece.one.tokens[piece.start : piece.end])
    return _candidate("T1", runs[1], piece, tokens, ["non"] * len(tokens))


def _appended(one: Tokens, stock: Sequence[_Run], draw: Random) -> Candidate | None:
    runs = _shape(one)
    if len(runs) != 1 or runs[0].label == "non" or not stock:
        return None
    piece, end = draw.choice(stock), runs[0].end
    # A full stop inside the segment goes, too.
    while one.unit == "token" and end > 1 and not _length(_Run(one, "non", end - 1, end)):
        end -= 1
    tokens = (*one.tokens[:end], *BESIDES, *piece.one.tokens[piece.start : piece.end])
    labels: list[Label] = [*one.labels[:end], *["non" for _ in tokens[end:]]]  # type: ignore[list-item]
    return _candidate("T2", _Run(one, "non", end, len(one.tokens)), piece, tokens, labels)


def _removed(one: Tokens, stock: Sequence[_Run], draw: Random) -> Candidate | None:
    runs = _shape(one)
    neighbours = [
        run
        for place, run in enumerate(runs)
        if run.label == "non" and run.long and any(o.label != "non" for o in runs[max(0, place - 1) : place + 2])
    ]
    if not neighbours:
        return None
    # The longest: it changes the sentence most; of equal ones the first.
    removed = max(neighbours, key=lambda run: (run.end - run.start, -run.start))
    tokens = one.tokens[: removed.start] + one.tokens[removed.end :]
    return _candidate("T3", removed, None, tokens, one.labels[: removed.start] + one.labels[removed.end :])


_OPERATIONS: dict[Test, Literal["replace", "append", "remove"]] = {"T1": "replace", "T2": "append", "T3": "remove"}


def _candidate(test: Test, place: _Run, piece: _Run | None, tokens: Sequence[str], labels: Sequence[str]) -> Candidate:
    one, stances = place.one, sorted(set(labels) - {"non"})
    known = one.unit == "token"
    return Candidate(
        test=test,
        source=one.id,
        topic=one.topic,
        operation=_OPERATIONS[test],
        unit=one.unit,
        start=place.start,
        end=place.end,
        material=piece.one.id if piece else None,
        material_start=piece.start if piece else None,
        material_end=piece.end if piece else None,
        expected="mixed" if len(stances) > 1 else stances[0] if stances else "non",
        before=one.text if known else None,
        before_labels=" ".join(one.labels) if known else None,
        after=" ".join(tokens) if known else None,
        after_labels=" ".join(labels) if known else None,
    )
