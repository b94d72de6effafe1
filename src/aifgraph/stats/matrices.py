"""Scores of many confusion matrices at once (docs/measures.md, section 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.resampling import Array
from aifgraph.stats.scores import SCORES


def matrix_scores(cells: Array, labels: Sequence[str] = (), names: Collection[str] | None = None) -> dict[str, Array]:
    """Return scores of matrices (rounds × labels × labels, ``none`` last) by name; NaN where a score is undefined.

    ``labels`` are needed for scores that were registered: these are called with one matrix after the other.
    """
    rows, columns, diagonal = cells.sum(axis=2), cells.sum(axis=1), np.einsum("rii->ri", cells)
    n, agreed, tn = rows.sum(axis=1), diagonal.sum(axis=1), diagonal[:, -1]
    tp = agreed - tn
    fp, fn = n - columns[:, -1] - tp, n - rows[:, -1] - tp
    chance, squares = (rows * columns).sum(axis=1), n * n
    spread = (squares - (rows**2).sum(axis=1)) * (squares - (columns**2).sum(axis=1))
    pooled = ((rows + columns) ** 2).sum(axis=1)
    apart = 4 * squares - pooled
    free = np.maximum(((rows + columns) > 0).sum(axis=1), 2) - 1
    with np.errstate(all="ignore"):
        recall, specificity = tp / (tp + fn), tn / (tn + fp)
        of_labels = 2 * diagonal[:, :-1] / (rows + columns)[:, :-1]
        scores = {
            "kappa": np.where(squares > chance, (n * agreed - chance) / (squares - chance), 1),
            "f1": 2 * tp / (2 * tp + fp + fn),
            "accuracy": agreed / n,
            "precision": tp / (tp + fp),
            "recall": recall,
            "specificity": specificity,
            "balanced_accuracy": (recall + specificity) / 2,
            "informedness": recall + specificity - 1,
            "mcc": np.where(agreed < n, (n * agreed - chance) / np.sqrt(spread), 1),
            "macro_f1": nan_mean(of_labels.T),
            "pi": np.where(apart > 0, (4 * n * agreed - pooled) / apart, 1),
            "alpha": np.where(apart > 0, 1 - 2 * (n - agreed) * (2 * n - 1) / apart, 1),
            "ac1": (4 * n * agreed * free - apart) / (4 * squares * free - apart),
        }
    names = SCORES if names is None else names
    for name in set(names) - scores.keys():
        matrices = (ConfusionMatrix(tuple(labels), tuple(tuple(map(int, row)) for row in of)) for of in cells)
        scores[name] = np.array([SCORES[name](matrix) for matrix in matrices], dtype=np.float64)
    return {name: np.where(n > 0, scores[name], np.nan) for name in names}


def against_rest(cells: Array, label: int) -> Array:
    """Return the matrices of one label against all the rest."""
    both, first, second = cells[:, label, label], cells[:, label].sum(axis=1), cells[:, :, label].sum(axis=1)
    rest = cells.sum(axis=(1, 2)) - first - second + both
    return np.array([[both, first - both], [second - both, rest]]).transpose(2, 0, 1)


def nan_mean(values: Sequence[Array] | Array) -> Array:
    """Return the mean over the first axis of what is defined; NaN where nothing is."""
    table = np.asarray(values, dtype=np.float64)
    known = np.isfinite(table)
    with np.errstate(all="ignore"):
        mean: Array = np.where(known, table, 0).sum(axis=0) / known.sum(axis=0)
    return mean
