"""Chance-corrected agreement of two analyses: kappa, pi, alpha, AC1, and the correlation R_K.

Each takes a :class:`~aifgraph.stats.matrix.ConfusionMatrix` over all labels with ``none``, works in integers until the
one division, and gives ``None`` for a matrix without items. In the formulas n is the number of items, D the diagonal's
sum, r and c a label's row and column sums, Q = Σ(r + c)².

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("yes", "none"), ((20, 5), (10, 15)))
>>> kappa(matrix)
0.4
"""

from __future__ import annotations

from math import sqrt

from aifgraph.stats.matrix import ConfusionMatrix


def kappa(matrix: ConfusionMatrix) -> float | None:
    """Cohen's kappa, (nD − Σrc) / (n² − Σrc); 1 if chance agreement is 1 (Cohen 1960)."""
    sums = matrix.sums
    n = sums.total
    if not n:
        return None
    rest = n * n - sums.chance
    return (n * sums.agreed - sums.chance) / rest if rest else 1.0


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
    occurring = len(sums.rows) - sum([not (r or c) for r, c in zip(sums.rows, sums.columns, strict=True)])
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
