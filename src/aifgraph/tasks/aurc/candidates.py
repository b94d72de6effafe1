"""Candidates for the perturbations T1 to T3 (Kamp et al. 2022, section 5.1), for a person to check.

T1: after a segment that announces an argument, the argument is replaced by a non-argument segment of the topic.
T2: to a sentence that is one argument segment, "and besides," and a non-argument sentence of the topic are appended.
T3: a non-argument segment next to an argument segment is removed.

The authors checked theirs by hand, since a machine does not see whether the result is English, nor whether it argues.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from random import Random
from typing import Literal, TypeAlias

from aifgraph.errors import InputError, OptionError
from aifgraph.tasks.aurc.corpus import Tokens
from aifgraph.tasks.aurc.predictions import Label, is_argument, sentence_label

Test: TypeAlias = Literal["T1", "T2", "T3"]
TESTS: tuple[Test, ...] = ("T1", "T2", "T3")

BESIDES = ("and", "besides", ",")
LEAST = 3
"""Words that an announcing, a replacing or a removed segment has at least."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A perturbed sentence: its ``source`` sentence, what was done (``operation``), and the ``expected`` label.

    ``material`` is the id of the sentence that the inserted words are from, empty if there are none.
    """

    test: Test
    source: str
    topic: str
    operation: str
    material: str
    before: str
    before_labels: str
    after: str
    after_labels: str
    expected: str


@dataclass(frozen=True, slots=True)
class _Run:
    label: Label
    start: int
    end: int


def candidates(sentences: Sequence[Tokens], test: Test, *, seed: int = 0) -> list[Candidate]:
    """One candidate for each sentence that the test fits; ``seed`` chooses what is inserted.

    What is drawn for a sentence depends on the set of sentences, not on their order.

    Raises:
        OptionError: there is no such test. InputError: the test fits no sentence.
    """
    if test not in TESTS:
        raise OptionError(f"there is no test {test!r} that makes candidates", remedy=f"choose from {', '.join(TESTS)}")
    stock = _stock(sentences, test)
    found = []
    for one in sentences:
        draw = Random(f"{seed}|{test}|{one.id}")
        made = {"T1": _announced, "T2": _besides, "T3": _removed}[test](one, stock[one.topic], draw)
        if made:
            found.append(made)
    if not found:
        raise InputError(f"no sentence is of the kind that {test} needs", remedy="give more labelled sentences")
    return found


def dumped(found: Sequence[Candidate]) -> str:
    """Candidates as JSON: a list of objects."""
    return json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=1) + "\n"


def _runs(labels: Sequence[Label]) -> list[_Run]:
    found, start = [], 0
    for label, group in groupby(labels):
        end = start + sum(1 for _ in group)
        found.append(_Run(label, start, end))
        start = end
    return found


def _words(tokens: Sequence[str]) -> int:
    return sum(any(char.isalnum() for char in token) for token in tokens)


def _shape(one: Tokens) -> list[_Run]:
    """The runs of a sentence, without the non-argument marks (a full stop) at its end."""
    runs = _runs(one.labels)
    if runs and runs[-1].label == "non" and not _words(one.tokens[runs[-1].start :]):
        runs.pop()
    return runs


def _stock(sentences: Sequence[Tokens], test: Test) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Per topic: (id, words) of what can be inserted. T1: non-argument segments after an argument; T2: sentences."""
    stock: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for one in sentences:
        if not is_argument(one.labels):
            if _words(one.tokens) >= LEAST:
                stock[one.topic].append((one.id, one.tokens))
        elif test == "T1":
            last = _shape(one)[-1]
            words = one.tokens[last.start : last.end]
            if last.label == "non" and _words(words) >= LEAST:
                stock[one.topic].append((one.id, words))
    for pieces in stock.values():
        pieces.sort()
    return stock


def _make(
    test: Test, one: Tokens, operation: str, material: str, tokens: Sequence[str], labels: Sequence[Label]
) -> Candidate:
    return Candidate(
        test,
        one.id,
        one.topic,
        operation,
        material,
        one.text,
        " ".join(one.labels),
        " ".join(tokens),
        " ".join(labels),
        # A candidate keeps the label of its argument; pro and con in equal numbers are left to the person.
        sentence_label(labels, "pro") if labels.count("pro") != labels.count("con") or not is_argument(labels) else "?",
    )


def _announced(one: Tokens, stock: Sequence[tuple[str, tuple[str, ...]]], draw: Random) -> Candidate | None:
    runs = _shape(one)
    others = [piece for piece in stock if piece[0] != one.id]
    if [run.label != "non" for run in runs] != [False, True] or _words(one.tokens[: runs[0].end]) < LEAST or not others:
        return None
    announcing, argument = runs
    material, words = draw.choice(others)
    tokens = (*one.tokens[: announcing.end], *words)
    labels: tuple[Label, ...] = tuple("non" for _ in tokens)
    what = f"tokens {argument.start}-{argument.end} replaced by a non-argument segment"
    return _make("T1", one, what, material, tokens, labels)


def _besides(one: Tokens, stock: Sequence[tuple[str, tuple[str, ...]]], draw: Random) -> Candidate | None:
    runs = _shape(one)
    if len(runs) != 1 or runs[0].label == "non" or not stock:
        return None
    material, words = draw.choice(stock)
    kept = runs[0].end
    while kept > 1 and not _words(one.tokens[kept - 1 : kept]):
        kept -= 1
    tokens = (*one.tokens[:kept], *BESIDES, *words)
    rest: tuple[Label, ...] = tuple("non" for _ in tokens[kept:])
    return _make(
        "T2", one, "'and besides,' and a non-argument sentence appended", material, tokens, (*one.labels[:kept], *rest)
    )


def _removed(one: Tokens, stock: Sequence[tuple[str, tuple[str, ...]]], draw: Random) -> Candidate | None:
    runs = _shape(one)
    beside = [
        run
        for place, run in enumerate(runs)
        if run.label == "non"
        and _words(one.tokens[run.start : run.end]) >= LEAST
        and any(other.label != "non" for other in runs[max(0, place - 1) : place + 2])
    ]
    if not beside:
        return None
    # The longest: it changes the sentence most; of equal ones the first.
    gone = max(beside, key=lambda run: (run.end - run.start, -run.start))
    tokens = one.tokens[: gone.start] + one.tokens[gone.end :]
    labels = one.labels[: gone.start] + one.labels[gone.end :]
    return _make("T3", one, f"tokens {gone.start}-{gone.end} removed", "", tokens, labels)
