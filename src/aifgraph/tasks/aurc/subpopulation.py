"""On which mixed-segment sentences is a model right? The subpopulations T4 to T6 (Kamp et al. 2022, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aifgraph.errors import InputError
from aifgraph.stats import Estimate
from aifgraph.tables import Table
from aifgraph.tasks.aurc.predictions import (
    Label,
    Predicted,
    Run,
    Ties,
    Tokens,
    is_argument,
    same_sentences,
    sentence_label,
)
from aifgraph.tasks.scores import TaskResult, mean_and_deviation, one_of, short, signature, some

Decision: TypeAlias = Literal["stance", "argument"]
DECISIONS: tuple[Decision, ...] = ("argument", "stance")
Neighbour: TypeAlias = Literal["opposite", "any"]
NEIGHBOURS: tuple[Neighbour, ...] = ("opposite", "any")
Marks: TypeAlias = Literal["counted", "left-out"]
MARKS: tuple[Marks, ...] = ("counted", "left-out")

PUNCTUATION = frozenset((".", "..", "...", "....", ".....", "?", "!", ")", "(", "/", "\\", "”", "'", '"'))
"""The tokens that, where they are non, the authors' script leaves out of T6."""

_WHAT = {
    "T4": "similarity to the nearest, of the same label",
    "T5": "highest similarity to the opposite label",
    "T6": "share of argument tokens",
}

Similarities: TypeAlias = Callable[[Sequence[Predicted], Sequence[Tokens]], Sequence[Sequence[float]]]
"""(test, training sentences) → a row per test sentence, a column per training one, numbers that grow with likeness."""

Pairs: TypeAlias = list[tuple[int, float]]
"""For each sentence that counts its place among the mixed ones, and the value."""


@dataclass(frozen=True, slots=True, repr=False)
class Subpopulations(TaskResult):
    """Point-biserial correlations of being right with T4, T5 and T6: by run and test, with the options of their making.

    ``sentences`` says on how many sentences each was made.
    """

    runs: dict[str, dict[str, Estimate]]
    sentences: dict[str, int]
    options: Mapping[str, object]

    @property
    def signature(self) -> str:
        options = {"correlation": "point-biserial", **self.options, "deviation": "population"}
        return signature("aurc.subpopulation", **options, runs=len(self.runs))

    def mean(self, test: str) -> tuple[float, float] | None:
        """Mean and population deviation of a correlation over the runs; None where that of a run is undefined."""
        return mean_and_deviation([run[test].value for run in self.runs.values()])

    def undefined(self) -> list[str]:
        """The correlations that are undefined."""
        lines: dict[str, list[str]] = {}
        for name, run in self.runs.items():
            for test, result in run.items():
                if result.value is None:
                    lines.setdefault(f"{test} is undefined: {result.reason}", []).append(name)
        every = len(self.runs)
        return [line if len(names) == every else f"{some(names)}: {line}" for line, names in lines.items()]

    def tables(self) -> list[Table]:
        """A row for each test with mean and deviation over the runs; then each run, where there are several."""
        rows = [(test, _WHAT[test], *(self.mean(test) or (None, None)), self.sentences[test]) for test in _WHAT]
        tables = [Table("Correlations", ("test", "variable", "r", "deviation", "sentences"), rows)]
        if len(self.runs) > 1:
            names = short(list(self.runs))
            by_run = [
                (name, *(run[test].value for test in _WHAT))
                for name, run in zip(names, self.runs.values(), strict=True)
            ]
            tables.append(Table("Runs", ("run", *_WHAT), by_run))
        return tables


def subpopulation(
    runs: Run | Sequence[Run],
    train: Sequence[Tokens] = (),
    *,
    similarity: Similarities | None = None,
    similarity_name: str = "given",
    decision: Decision = "argument",
    neighbour: Neighbour = "opposite",
    marks: Marks = "counted",
    ties: Ties = "random",
    seed: int | None = None,
) -> Subpopulations:
    """On which sentences is a model right? Correlations with T4, T5 and T6 (Kamp et al. 2022, section 5.2).

    They are over the sentences with both argument and non-argument gold tokens. T4 is the similarity to the nearest
    training sentence, where that has the same label; T5 the highest similarity to one of the opposite label; T6 the
    share of argument tokens.

    Args:
        similarity: a function of test and training sentences that gives a row for each test sentence with a number for
            each training sentence, larger for more alike. Without one T4 and T5 are undefined.
        similarity_name: what the signature calls it.
        decision: with ``"argument"``, as in the paper, a sentence is argument or none, and these are opposites; with
            ``"stance"`` its label is pro, con or non, and pro is the opposite of con.
        neighbour: T5 takes only sentences whose nearest training sentence is of the opposite label (``"opposite"``, as
            the authors' script does), or all (``"any"``).
        marks: T6 counts all tokens (``"counted"``), or leaves out non tokens that are punctuation marks
            (``"left-out"``, as the authors' script does).
        ties: how a sentence with as many pro as con tokens is decided; for ``decision="stance"`` only.

    Raises:
        InputError: no run, or runs on different sentences.
        OptionError: a tie and no seed, or an option out of its range.
    """
    one_of("decision", decision, DECISIONS)
    one_of("neighbour", neighbour, NEIGHBOURS)
    one_of("marks", marks, MARKS)
    all_runs = [runs] if isinstance(runs, Run) else list(runs)
    if not all_runs:
        raise InputError("there is no run", remedy="give one file of predictions or more")
    same_sentences(all_runs)
    mixed = [one for one in all_runs[0].sentences if is_argument(one.gold) and "non" in one.gold]

    def label(tokens: Sequence[Label], key: str) -> str:
        if decision == "argument":
            return "argument" if is_argument(tokens) else "non"
        return sentence_label(tokens, ties, seed, key)

    gold = [label(one.gold, one.id) for one in mixed]
    values: dict[str, Pairs] = {"T4": [], "T5": [], "T6": list(enumerate(_share(one, marks) for one in mixed))}
    if train and mixed and similarity is not None:
        opposite = {"pro": "con", "con": "pro", "argument": "non"}
        trained = [label(one.labels, f"train {one.id}") for one in train]
        table = similarity(mixed, train)
        for place, (wanted, row) in enumerate(zip(gold, table, strict=True)):
            best = max(row)
            # Of equally near sentences one with the label is enough; their order must not matter.
            if any(near == best and known == wanted for near, known in zip(row, trained, strict=True)):
                values["T4"].append((place, best))
            others = [near for near, known in zip(row, trained, strict=True) if known == opposite[wanted]]
            if others and (neighbour == "any" or max(others) == best):
                values["T5"].append((place, max(others)))
    results = {}
    for run in all_runs:
        predicted = {one.id: one.predicted for one in run.sentences}
        hits = [(label(predicted[one.id], one.id) == wanted) for one, wanted in zip(mixed, gold, strict=True)]
        results[run.name] = {test: _correlate(hits, pairs) for test, pairs in values.items()}
        if not (train and mixed and similarity is not None):
            missing = "there is no similarity" if train else "there are no training sentences"
            reason = missing if mixed else "no sentence has mixed segments"
            results[run.name] |= {test: Estimate.undefined(reason) for test in ("T4", "T5")}
    drawn = decision == "stance"
    options = {
        "decision": decision,
        "similarity": similarity_name if train and similarity else "none",
        "t5_nearest": neighbour,
        "t6_marks": marks,
        "ties": ties if drawn else None,
        "seed": seed if drawn and ties == "random" else None,
    }
    return Subpopulations(results, {test: len(pairs) for test, pairs in values.items()}, options)


def _share(one: Predicted, marks: Marks) -> float:
    """Argument tokens of a sentence's tokens, which are not only marks: it has an argument token."""
    counted = [
        label
        for token, label in zip(one.tokens, one.gold, strict=True)
        if marks == "counted" or label != "non" or token not in PUNCTUATION
    ]
    return sum(label != "non" for label in counted) / len(counted)


def _correlate(hits: Sequence[bool], pairs: Pairs) -> Estimate:
    """The point-biserial correlation of being right with a value."""
    from scipy.stats import pointbiserialr

    flags, values = [hits[place] for place, _ in pairs], [value for _, value in pairs]
    if len(pairs) < 2:
        return Estimate.undefined("there are fewer than two items")
    if min(flags) == max(flags):
        return Estimate.undefined("the yes/no variable is constant")
    if min(values) == max(values):
        return Estimate.undefined("the values are constant")
    return Estimate(float(pointbiserialr(flags, values).statistic))
