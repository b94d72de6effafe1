"""The registry of scores: functions of a confusion matrix, each with its range, formula and source.

The detection scores say how well the second analysis finds what the first one has, ``none`` being the negative. TP =
the diagonal without (none, none); FN = off the diagonal with a first label that is not none; FP = off the diagonal with
a second label that is not none, so that a clash of two labels counts in both; TN = the cell (none, none). Each is one
division of integers, and ``None`` where that would be by 0.

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("RA", "none"), ((0, 0), (0, 9)))
>>> score("kappa")(matrix), score("f1")(matrix)
(1.0, None)
>>> undefined_reason("f1", matrix)
'neither side has a label'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import fsum

from aifgraph.errors import OptionError
from aifgraph.stats import agreement
from aifgraph.stats.matrix import NONE, ConfusionMatrix

ScoreFunction = Callable[[ConfusionMatrix], float | None]


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a confusion matrix; calling it gives the value, or None where it is undefined.

    ``range`` is the least and the greatest value; ``symmetric`` says whether the value stays the same when the two
    analyses are swapped; ``undefined`` is the reason given where a matrix that has items has no value.
    """

    name: str
    function: ScoreFunction
    range: tuple[float, float]
    symmetric: bool
    formula: str
    source: str
    undefined: str = "a denominator is 0"

    def __call__(self, matrix: ConfusionMatrix) -> float | None:
        return self.function(matrix)

    def __str__(self) -> str:
        return self.name


def f1(matrix: ConfusionMatrix) -> float | None:
    """2TP / (2TP + FP + FN)."""
    sums = matrix.sums
    double = 2 * sums.true_positives
    rest = double + sums.false_positives + sums.false_negatives
    return double / rest if rest else None


def accuracy(matrix: ConfusionMatrix) -> float | None:
    """The diagonal's share of all items."""
    sums = matrix.sums
    return sums.agreed / sums.total if sums.total else None


def precision(matrix: ConfusionMatrix) -> float | None:
    """TP / (TP + FP)."""
    sums = matrix.sums
    labelled = sums.true_positives + sums.false_positives
    return sums.true_positives / labelled if labelled else None


def recall(matrix: ConfusionMatrix) -> float | None:
    """TP / (TP + FN)."""
    sums = matrix.sums
    sought = sums.true_positives + sums.false_negatives
    return sums.true_positives / sought if sought else None


def specificity(matrix: ConfusionMatrix) -> float | None:
    """TN / (TN + FP)."""
    sums = matrix.sums
    clear = sums.true_negatives + sums.false_positives
    return sums.true_negatives / clear if clear else None


def balanced_accuracy(matrix: ConfusionMatrix) -> float | None:
    """(recall + specificity) / 2; ``None`` if either is."""
    sums = matrix.sums
    sought = sums.true_positives + sums.false_negatives
    clear = sums.true_negatives + sums.false_positives
    both = sought * clear
    return (sums.true_positives * clear + sums.true_negatives * sought) / (2 * both) if both else None


def informedness(matrix: ConfusionMatrix) -> float | None:
    """recall + specificity − 1; ``None`` if either is undefined."""
    sums = matrix.sums
    sought = sums.true_positives + sums.false_negatives
    clear = sums.true_negatives + sums.false_positives
    both = sought * clear
    return (sums.true_positives * clear + sums.true_negatives * sought - both) / both if both else None


def macro_f1(matrix: ConfusionMatrix) -> float | None:
    """The mean, over the labels other than none that occur, of each one's F1 against the rest."""
    sums = matrix.sums
    scores = [
        2 * both / (row + column)
        for label, both, row, column in zip(matrix.labels, sums.diagonal, sums.rows, sums.columns, strict=True)
        if label != NONE and row + column
    ]
    # fsum: the order of the labels must not change the last digit.
    return fsum(scores) / len(scores) if scores else None


_UNIT, _SIGNED = (0.0, 1.0), (-1.0, 1.0)
_PAPER = "Duthie et al. 2016, section 7.1"

SCORES: dict[str, Score] = {
    entry.name: entry
    for entry in (
        Score("kappa", agreement.kappa, _SIGNED, True, "(nD − Σrc) / (n² − Σrc)", "Cohen 1960"),
        Score("f1", f1, _UNIT, True, "2TP / (2TP + FP + FN)", _PAPER, "neither side has a label"),
        Score("accuracy", accuracy, _UNIT, True, "D / n", _PAPER),
        Score("precision", precision, _UNIT, False, "TP / (TP + FP)", _PAPER, "the second side has no label"),
        Score("recall", recall, _UNIT, False, "TP / (TP + FN)", _PAPER, "the first side has no label"),
        Score("specificity", specificity, _UNIT, False, "TN / (TN + FP)", "Yerushalmy 1947", "no negatives"),
        Score(
            "balanced_accuracy",
            balanced_accuracy,
            _UNIT,
            False,
            "(recall + specificity) / 2",
            _PAPER,
            "recall or specificity is undefined",
        ),
        Score(
            "informedness",
            informedness,
            _SIGNED,
            False,
            "recall + specificity − 1",
            "Powers 2011; " + _PAPER,
            "recall or specificity is undefined",
        ),
        Score(
            "mcc",
            agreement.mcc,
            _SIGNED,
            True,
            "(nD − Σrc) / √((n² − Σr²)(n² − Σc²))",
            "Matthews 1975; Gorodkin 2004",
            "one side uses a single label",
        ),
        Score(
            "macro_f1",
            macro_f1,
            _UNIT,
            True,
            "mean of 2d / (r + c) over the labels that occur, none left out",
            "Yang and Liu 1999",
            "neither side has a label",
        ),
        Score("pi", agreement.pi, _SIGNED, True, "(4nD − Q) / (4n² − Q), Q = Σ(r + c)²", "Scott 1955"),
        Score("alpha", agreement.alpha, _SIGNED, True, "1 − 2(n − D)(2n − 1) / (4n² − Q)", "Krippendorff 2011"),
        Score("ac1", agreement.ac1, _SIGNED, True, "(D/n − e) / (1 − e), e = Σπ(1 − π) / (q − 1)", "Gwet 2008"),
    )
}
"""Every score by its name, in the order reports show them. Add to it with :func:`register_score`."""

_OWN = frozenset(SCORES)


def score(name: str) -> Score:
    """A score by its name; ``OptionError`` if there is none."""
    try:
        return SCORES[name]
    except KeyError:
        raise OptionError(f"there is no score {name!r}", remedy=f"choose among {', '.join(SCORES)}") from None


def score_all(matrix: ConfusionMatrix, names: Iterable[str] | None = None) -> dict[str, float | None]:
    """The values of all scores, or of those in ``names``, by name."""
    if names is None:
        return {name: entry.function(matrix) for name, entry in SCORES.items()}
    return {name: score(name).function(matrix) for name in names}


def undefined_reason(name: str, matrix: ConfusionMatrix) -> str | None:
    """Why the score ``name`` is undefined on ``matrix``; ``None`` if it is defined."""
    entry = score(name)
    if entry.function(matrix) is not None:
        return None
    return entry.undefined if matrix.total else "the matrix has no items"


def register_score(entry: Score) -> Score:
    """Add a score of your own. From then on every comparison in this process has it.

    Raises:
        OptionError: the name is taken, or has other characters than letters, digits and ``_``.
    """
    if not entry.name.isidentifier():
        raise OptionError(f"{entry.name!r} is no name for a score", remedy="use letters, digits and _")
    if entry.name in SCORES:
        raise OptionError(f"there is a score {entry.name!r} already", remedy="register it under another name")
    SCORES[entry.name] = entry
    return entry


def registered_scores() -> tuple[Score, ...]:
    """The scores that were registered in this process, for another one that computes them."""
    return tuple(entry for name, entry in SCORES.items() if name not in _OWN)


def set_registered_scores(entries: Iterable[Score]) -> None:
    """Have these registered scores and no others."""
    wanted = {entry.name: entry for entry in entries}
    SCORES.update(wanted)
    for entry in registered_scores():
        if entry.name not in wanted:
            del SCORES[entry.name]
