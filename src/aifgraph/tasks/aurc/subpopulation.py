"""On which mixed-segment sentences is a model right? The subpopulations T4 to T6 (Kamp et al. 2022, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.rows import not_empty, number_in, table_name, tsv_rows
from aifgraph.errors import FormatError, InputError
from aifgraph.stats import Estimate
from aifgraph.stats.correlation import point_biserial
from aifgraph.tables import Table
from aifgraph.tasks.aurc.predictions import Run, Ties, Tokens, is_argument, sentence_label
from aifgraph.tasks.scores import Result, one_of, signature
from aifgraph.tasks.textmodel import Sentence, Similarities, tfidf_cosine

Decision: TypeAlias = Literal["stance", "argument"]
DECISIONS: tuple[Decision, ...] = ("stance", "argument")

_WHAT = {
    "T4": "similarity to the nearest training sentence, where that has the same label",
    "T5": "highest similarity to a training sentence of the opposite label",
    "T6": "share of argument tokens",
}


@dataclass(frozen=True, slots=True)
class Subpopulations(Result):
    """The correlation of being right with each of the three, and on how many sentences it was made."""

    correlations: dict[str, tuple[Estimate, int]]
    decision: Decision
    ties: Ties
    seed: int | None
    similarity: str

    @property
    def signature(self) -> str:
        return signature(
            "aurc.subpopulation",
            correlation="point-biserial",
            decision=self.decision,
            similarity=self.similarity,
            ties=self.ties,
            seed=self.seed if self.ties == "random" else None,
        )

    def undefined(self) -> list[str]:
        """A line for each correlation without value, and why."""
        return [f"{test} is undefined: {r.reason}" for test, (r, _) in self.correlations.items() if r.value is None]

    def tables(self) -> list[Table]:
        """One row per subpopulation."""
        rows = [(test, _WHAT[test], r.value, count) for test, (r, count) in self.correlations.items()]
        return [Table("Correlations", ("test", "variable", "r", "sentences"), rows)]


def subpopulation(
    run: Run,
    train: Sequence[Tokens] = (),
    *,
    similarity: Similarities | None = None,
    similarity_name: str = "given",
    decision: Decision = "stance",
    ties: Ties = "random",
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Subpopulations:
    """Correlate being right with T4, T5 and T6 on the sentences with both argument and non-argument gold tokens.

    With ``decision="stance"`` a sentence's label is pro, con or non, and pro is the opposite of con; with
    ``"argument"`` it is argument or none, and these are opposites. ``similarity`` takes two lists of sentences
    (which have ``id`` and ``text``); without it, it is the cosine over TF-IDF vectors. T4 and T5 need ``train``.

    Raises:
        OptionError: a tie and no seed, or an option out of its range. MissingExtraError: no scikit-learn for TF-IDF.
    """
    one_of("decision", decision, DECISIONS)
    mixed = [one for one in run.sentences if is_argument(one.gold) and "non" in one.gold]

    def label(tokens: Sequence[str], key: str) -> str:
        stance = sentence_label(tokens, ties, seed, key)  # type: ignore[arg-type]
        return stance if decision == "stance" or stance == "non" else "argument"

    opposite = {"pro": "con", "con": "pro"} if decision == "stance" else {"argument": "non"}
    gold = [label(one.gold, one.id) for one in mixed]
    hits = [int(label(one.predicted, one.id) == wanted) for one, wanted in zip(mixed, gold, strict=True)]
    shares = [sum(k != "non" for k in one.gold) / len(one.gold) for one in mixed]
    correlations: dict[str, tuple[Estimate, int]] = {}
    if train and mixed:
        if progress:
            progress(f"aurc subpopulation: {len(mixed)} × {len(train)} similarities")
        trained = [label(one.labels, f"train {one.id}") for one in train]
        table = (similarity or tfidf_cosine)(mixed, train)
        four, five = [], []
        for hit, wanted, row in zip(hits, gold, table, strict=True):
            best = max(row)
            # Of equally near sentences one with the same label is enough; their order must not matter.
            if any(near == best and known == wanted for near, known in zip(row, trained, strict=True)):
                four.append((hit, best))
            others = [near for near, known in zip(row, trained, strict=True) if known == opposite[wanted]]
            if others:
                five.append((hit, max(others)))
        correlations = {"T4": _correlate(four), "T5": _correlate(five)}
    else:
        missing = Estimate.undefined("there are no training sentences" if mixed else "no sentence has mixed segments")
        correlations = {"T4": (missing, 0), "T5": (missing, 0)}
    correlations["T6"] = _correlate(list(zip(hits, shares, strict=True)))
    name = similarity_name if similarity else "tfidf-cosine"
    return Subpopulations(correlations, decision, ties, seed, name if train else "none")


def _correlate(pairs: Sequence[tuple[int, float]]) -> tuple[Estimate, int]:
    return point_biserial([hit for hit, _ in pairs], [value for _, value in pairs]), len(pairs)


def read_similarities(path: str | Path) -> Similarities:
    """A similarity given as a file with the columns ``test``, ``train`` (ids) and ``similarity``.

    What it returns raises ``InputError`` for a pair that is not in the file.

    Raises:
        InputError: a pair is there twice. FormatError: a similarity is no number.
    """
    name = table_name(path)
    values: dict[tuple[str, str], float] = {}
    for row in not_empty(tsv_rows(Path(path), Problems.refused(), ("test", "train", "similarity"), name), path):
        pair, where = (row.cells["test"], row.cells["train"]), f"{name}, line {row.line}"
        if pair in values:
            raise InputError(f"the pair {pair[0]}, {pair[1]} is there twice", where=where)
        try:
            value = number_in(row.cells["similarity"], "the similarity")
        except ValueError as error:
            raise FormatError(str(error), where=where) from None
        if value is None:
            raise FormatError("there is no similarity", where=where)
        values[pair] = value

    def given(tests: Sequence[Sentence], trains: Sequence[Sentence]) -> list[list[float]]:
        missing = next(((a.id, b.id) for a in tests for b in trains if (a.id, b.id) not in values), None)
        if missing:
            raise InputError(f"there is no similarity of the pair {missing[0]}, {missing[1]}", where=name)
        return [[values[a.id, b.id] for b in trains] for a in tests]

    return given
