"""The registry of scores: functions of a confusion matrix, each with its range, formula and source.

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

from aifgraph.errors import OptionError
from aifgraph.stats import agreement, detection
from aifgraph.stats.matrix import ConfusionMatrix

ScoreFunction = Callable[[ConfusionMatrix], float | None]


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a confusion matrix; calling it gives the value.

    Attributes:
        name: what options, signatures and results call it: letters, digits and ``_``.
        function: gives the value of a matrix, or None where the score is undefined.
        range: the least and the greatest value.
        symmetric: whether the value stays the same when the two analyses are swapped.
        formula: the formula, in one line.
        source: the paper that it is from.
        undefined: the reason that is given where the function gives None for a matrix that has items.
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


_UNIT, _SIGNED = (0.0, 1.0), (-1.0, 1.0)
_PAPER = "Duthie et al. 2016, section 7.1"

SCORES: dict[str, Score] = {
    entry.name: entry
    for entry in (
        Score("kappa", agreement.kappa, _SIGNED, True, "(nD − Σrc) / (n² − Σrc)", "Cohen 1960"),
        Score("f1", detection.f1, _UNIT, True, "2TP / (2TP + FP + FN)", _PAPER, "neither side has a label"),
        Score("accuracy", detection.accuracy, _UNIT, True, "D / n", _PAPER),
        Score("precision", detection.precision, _UNIT, False, "TP / (TP + FP)", _PAPER, "the second side has no label"),
        Score("recall", detection.recall, _UNIT, False, "TP / (TP + FN)", _PAPER, "the first side has no label"),
        Score("specificity", detection.specificity, _UNIT, False, "TN / (TN + FP)", "Yerushalmy 1947", "no negatives"),
        Score(
            "balanced_accuracy",
            detection.balanced_accuracy,
            _UNIT,
            False,
            "(recall + specificity) / 2",
            _PAPER,
            "recall or specificity is undefined",
        ),
        Score(
            "informedness",
            detection.informedness,
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
            detection.macro_f1,
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


def score(name: str) -> Score:
    """A score by its name.

    Args:
        name: one that ``aifgraph metrics`` lists, or one that was registered.

    Returns:
        The score.

    Raises:
        OptionError: there is no such score.
    """
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

    Args:
        entry: the score, under a name that no other has.

    Returns:
        The same score.

    Raises:
        OptionError: the name is taken, or has other characters than letters, digits and ``_``.
    """
    if not entry.name.isidentifier():
        raise OptionError(f"{entry.name!r} is no name for a score", remedy="use letters, digits and _")
    if entry.name in SCORES:
        raise OptionError(f"there is a score {entry.name!r} already", remedy="register it under another name")
    SCORES[entry.name] = entry
    return entry
