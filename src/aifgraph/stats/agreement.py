"""Chance-corrected agreement of two analyses (kappa, pi, alpha, AC1, the correlation R_K), and Fleiss' kappa of more.

Those of two take a :class:`~aifgraph.stats.matrix.ConfusionMatrix` over all labels with ``none``, work in integers
until the one division, and give ``None`` for a matrix without items. In the formulas n is the number of items, D the
diagonal's sum, r and c a label's row and column sums, Q = Σ(r + c)².

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("yes", "none"), ((20, 5), (10, 15)))
>>> kappa(matrix)
0.4
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

from aifgraph.errors import OptionError
from aifgraph.stats import Estimate
from aifgraph.stats.matrix import ConfusionMatrix

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

#: The labels that the coders give to one item.
LabelRow = TypeVar("LabelRow", bound=tuple[Hashable, ...])


def kappa(matrix: ConfusionMatrix) -> float | None:
    """Cohen's kappa, (nD − Σrc) / (n² − Σrc); 1 if chance agreement is 1 (Cohen 1960)."""
    sums = matrix.sums
    return cohen(sums.total, sums.agreed, sums.chance)


def cohen(total: int, agreed: int, chance: int) -> float | None:
    """Cohen's kappa from sums: n, D and Σrc; ``None`` without items.

    >>> cohen(50, 35, 30 * 25 + 20 * 25)
    0.4
    """
    if not total:
        return None
    rest = total * total - chance
    return (total * agreed - chance) / rest if rest else 1.0


def pi(matrix: ConfusionMatrix) -> float | None:
    """Scott's pi, (4nD − Q) / (4n² − Q); 1 if all items are on the diagonal (Scott 1955)."""
    sums = matrix.sums
    n = sums.total
    if not n:
        return None
    rest = 4 * n * n - sums.pooled_squares
    # It is 0 only if both sides use one and the same label: all on the diagonal.
    return (4 * n * sums.agreed - sums.pooled_squares) / rest if rest else 1.0


def alpha(matrix: ConfusionMatrix) -> float | None:
    """Krippendorff's nominal alpha of two coders, 1 − 2(n − D)(2n − 1) / (4n² − Q); 1 if all are on the diagonal.

    Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability, without missing data.
    """
    sums = matrix.sums
    n = sums.total
    if not n:
        return None
    rest = 4 * n * n - sums.pooled_squares
    return (rest - 2 * (n - sums.agreed) * (2 * n - 1)) / rest if rest else 1.0


def ac1(matrix: ConfusionMatrix) -> float | None:
    """Gwet's AC1 with chance agreement Σπ(1 − π) / (q − 1), π = (r + c) / 2n (Gwet 2008).

    q is the number of labels that occur on either side, ``none`` included, and at least 2.
    """
    sums = matrix.sums
    n = sums.total
    if not n:
        return None
    absent = [not (r or c) for r, c in zip(sums.rows, sums.columns, strict=True)]
    occurring = len(sums.rows) - sum(absent)
    free = max(occurring, 2) - 1
    disorder = 4 * n * n - sums.pooled_squares
    # The denominator is above 0: with free = 1 it is Q, with more it is larger still.
    return (4 * n * sums.agreed * free - disorder) / (4 * n * n * free - disorder)


def mcc(matrix: ConfusionMatrix) -> float | None:
    """Gorodkin's R_K, Matthews' correlation for any number of labels: (nD − Σrc) / √((n² − Σr²)(n² − Σc²)).

    1 if all items are on the diagonal; ``None`` if otherwise one side uses one label only. Source: Gorodkin (2004),
    Comparing two K-category assignments by a K-category correlation coefficient.
    """
    sums = matrix.sums
    n = sums.total
    if not n:
        return None
    if sums.agreed == n:
        return 1.0
    square = n * n
    spread = (square - sums.row_squares) * (square - sums.column_squares)
    return (n * sums.agreed - sums.chance) / sqrt(spread) if spread else None


def fleiss_kappa(counts: Mapping[LabelRow, int]) -> Estimate:
    """Fleiss' kappa, (P − Pe) / (1 − Pe), P the mean share of agreeing pairs of labels in an item, Pe = Σ p², p a
    label's share: agreement of a fixed number of coders per item, who need not be the same from item to item.

    ``counts`` says how many items got which labels, all of the same number, 2 or more. 1 if chance agreement is 1, as
    with Cohen's; undefined without items. Source: Fleiss (1971), Measuring nominal scale agreement among many raters.

    Raises:
        OptionError: an item with another number of labels than the first, or with fewer than two.

    >>> fleiss_kappa({("pro", "pro", "con"): 1, ("con", "con", "con"): 1, ("pro", "pro", "pro"): 1}).value
    0.55
    """
    coders = 0
    for item in counts:
        labels = [label for label in item if label is not None]
        coders = coders or len(labels)
        if len(labels) != coders or coders < 2:
            raise OptionError(
                f"{len(labels)} labels, where {max(coders, 2)} are needed",
                where=f"item {item}",
                remedy="Krippendorff's alpha allows missing labels",
            )
    agreeing, *totals = label_sums(counts)
    n = sum(totals)
    if not n:
        return Estimate.undefined("there are no items")
    observed, chance = Fraction(agreeing, n), Fraction(sum(total * total for total in totals), n * n)
    return Estimate(float((observed - chance) / (1 - chance)) if chance != 1 else 1.0)


def label_sums(counts: Mapping[LabelRow, int], labels: Iterable[Hashable] | None = None) -> list[Fraction | int]:
    """What :func:`fleiss_kappa` and Krippendorff's alpha are computed from, exact, to be added up over texts: the sum
    over items of the ordered pairs of labels that agree, each item's divided by its number of labels − 1; then how
    often each of the ``labels`` (those that occur) is given in items that have at least two."""
    totals: dict[Hashable, int] = dict.fromkeys(labels or (), 0)
    agreeing: Counter[int] = Counter()
    for item, count in counts.items():
        given = Counter(label for label in item if label is not None)
        if (number := given.total()) > 1:
            for label, times in given.items():
                totals[label] = totals.get(label, 0) + times * count
                agreeing[number - 1] += times * (times - 1) * count
    return [sum(Fraction(pairs, others) for others, pairs in agreeing.items()), *totals.values()]


def fleiss_of_sums(sums: Array) -> Array:
    """Fleiss' kappa for every line of added :func:`label_sums`; NaN where it is undefined."""
    import numpy as np

    labels = sums[:, 1:].sum(axis=1)
    with np.errstate(all="ignore"):
        observed, chance = sums[:, 0] / labels, (sums[:, 1:] ** 2).sum(axis=1) / labels**2
        kappa: Array = np.where(chance < 1, (observed - chance) / (1 - chance), 1.0)
    return np.where(labels > 0, kappa, np.nan)
