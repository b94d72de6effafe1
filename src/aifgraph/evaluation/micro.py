"""Micro numbers: the scores of matrices and edits that are summed over all pairs (docs/measures.md, section 8)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from aifgraph.comparison.calculations import CALCULATIONS, ER
from aifgraph.comparison.cass import counts_in, fuse, means_over
from aifgraph.evaluation.macro import PARTS
from aifgraph.evaluation.pooled import Number, TextTable
from aifgraph.evaluation.record import Outcome
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.stats.resampling import Array
from aifgraph.stats.scores import SCORES, against_rest, matrix_scores

#: The scores of one label against all the rest.
LABEL_SCORES = ("precision", "recall", "f1", "kappa")

Numbers = Mapping[Number, Array]


def micro_tables(outcomes: Iterable[Outcome], *, mean_of_layers: bool = False) -> list[TextTable]:
    """Return the tables of the texts of all pairs that could be compared.

    The first has S, and M and CASS of each layer. Each of the others has the scores of one calculation, by its code
    (``IL-kappa``), and, where it has several labels, of each label against the rest and of any against ``none``.
    """
    matrices: dict[str, dict[str, ConfusionMatrix]] = {}  # by text and calculation
    edits: dict[str, Array] = {}  # weight, potential boundaries, pairs
    pairs: dict[str, Counter[str]] = defaultdict(Counter)  # to which a calculation or a layer applies
    in_mean: set[str] = set()
    for outcome in outcomes:
        pair, text = outcome.result, outcome.text
        if pair is None or outcome.missing:
            continue
        in_mean |= pair.matrices.keys()
        matrices_of_pair = {**({ER.name: pair.explicit.matrix} if pair.explicit else {}), **pair.matrices}
        of_text = matrices.setdefault(text, {})
        for name, matrix in matrices_of_pair.items():
            of_text[name] = of_text[name] + matrix if name in of_text else matrix
        pairs[text].update(matrices_of_pair.keys())
        pairs[text].update(layer for layer in PARTS if any(counts_in(name, layer) for name in pair.matrices))
        segmentation = (0, 0, 0) if pair.S is None else (pair.segmentation.weight, pair.segmentation.potential, 1)
        edits[text] = edits.get(text, np.zeros(3)) + segmentation

    texts = tuple(matrices)
    applies = {
        name: np.array([pairs[text][name] for text in texts], dtype=np.float64) for name in (*CALCULATIONS, *PARTS)
    }
    tables = {
        name: _calculation_table(name, texts, [matrices[text].get(name) for text in texts], applies[name])
        for name in CALCULATIONS
        if applies[name].any()
    }
    of_mean = {name: table for name, table in tables.items() if name in in_mean}
    columns = np.array([edits[text] for text in texts]).reshape(len(texts), 3)
    segmented = columns[:, 2]
    counts = {Number("S"): segmented}
    for layer, part in PARTS.items():
        for score in SCORES:
            counts[Number("M", score, part)] = applies[layer]
            counts[Number("CASS", score, part)] = np.where(segmented > 0, applies[layer], 0)
    numbers = partial(_whole_numbers, tables=of_mean, mean_of_layers=mean_of_layers)
    whole = TextTable(texts, np.hstack([columns, *(table.columns for table in of_mean.values())]), numbers, counts)
    return [whole, *tables.values()]


def _calculation_table(
    name: str, texts: tuple[str, ...], matrices: Sequence[ConfusionMatrix | None], applies: Array
) -> TextTable:
    """Return the table of one calculation: a column for each cell that occurs."""
    cells = list(dict.fromkeys(cell for matrix in matrices if matrix for cell in matrix.cells))
    labels = sorted({label for cell in cells for label in cell} - {NONE})
    place = {label: number for number, label in enumerate([*labels, NONE])}
    columns = np.array(
        [[matrix.cells.get(cell, 0) if matrix else 0 for cell in cells] for matrix in matrices], dtype=float
    )
    places = tuple(np.array([[place[label] for label in cell] for cell in cells]).T)

    def numbers(sums: Array) -> Numbers:
        cells_of_rounds = np.zeros((len(sums), len(place), len(place)))
        cells_of_rounds[:, places[0], places[1]] = sums
        found = {
            Number(CALCULATIONS[name].code, score): values for score, values in matrix_scores(cells_of_rounds).items()
        }
        if len(labels) > 1:
            any_label = against_rest(cells_of_rounds, len(labels))[:, ::-1, ::-1]
            found |= _label_numbers(name, "attachment", any_label, ("kappa", "f1"))
            for number, label in enumerate(labels):
                found |= _label_numbers(name, label, against_rest(cells_of_rounds, number), LABEL_SCORES)
        return found

    return TextTable(texts, columns, numbers, dict.fromkeys(numbers(columns[:1]), applies))


def _label_numbers(name: str, label: str, cells: Array, scores: Sequence[str]) -> dict[Number, Array]:
    """Return scores of a label against the rest; undefined where nobody gives it."""
    given = cells[:, 0, 0] + cells[:, 0, 1] + cells[:, 1, 0] > 0
    found = matrix_scores(cells, scores)
    return {
        Number(CALCULATIONS[name].code, score, label): np.where(given, values, np.nan)
        for score, values in found.items()
    }


def _whole_numbers(sums: Array, *, tables: Mapping[str, TextTable], mean_of_layers: bool) -> Numbers:
    """Return S, M and CASS of sums: the three columns of S, then those of each calculation that M is of."""
    ends = np.cumsum([3, *(table.columns.shape[1] for table in tables.values())])
    segmentation, *parts = np.split(sums, ends[:-1], axis=1)
    weight, potential, segmented = segmentation.T
    similarity = np.where(weight > 0, np.maximum(0, (potential - weight) / potential), 1)
    similarity = np.where(segmented > 0, similarity, np.nan)
    found = {Number("S"): similarity}
    undefined = np.full(len(sums), np.nan)
    scores: dict[str, dict[str, Array]] = {}
    for (name, table), part in zip(tables.items(), parts, strict=True):
        numbers = table.numbers(part)
        scores[name] = {score: numbers[Number(CALCULATIONS[name].code, score)] for score in SCORES}
    for layer, part_name in PARTS.items():
        counted = {name: of for name, of in scores.items() if counts_in(name, layer)}
        means = means_over(counted, SCORES, mean_of_layers=mean_of_layers and layer == "all")
        for score, value in means.items():
            mean = undefined if value is None else value
            found[Number("M", score, part_name)] = mean
            found[Number("CASS", score, part_name)] = fuse(mean, similarity)
    return found
