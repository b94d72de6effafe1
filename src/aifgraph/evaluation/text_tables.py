"""Text tables of compared pairs (docs/measures.md, section 8).

Macro numbers are means over texts of the means over a text's pairs. M and S are of the pairs in which M-kappa and S are
defined. CASS fuses the means, since a mean of fused scores is biased: CASS is never below 0, and M can be.

Micro numbers are the scores of matrices and edits that are summed over all pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Final

import numpy as np

from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.comparison.cass import (
    LAYER_NAMES,
    SCORE_LAYERS,
    AboveChance,
    ScoreLayer,
    Scores,
    counts_in,
    fuse,
    means_over,
)
from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.estimates import MetricName, TextTable, fused_in, mean_table
from aifgraph.evaluation.record import Outcome
from aifgraph.graph.columns import gc_paused
from aifgraph.stats.resampling import Array
from aifgraph.stats.scores import NONE, SCORES, ConfusionMatrix, against_rest, check_labels, in_order, matrix_scores

#: What the layers are called, by their names in a pair's result; the whole has no name.
PARTS: Final[Mapping[ScoreLayer, str]] = {layer: LAYER_NAMES[layer].strip() for layer in SCORE_LAYERS}
#: The scores of one label against all the rest.
LABEL_SCORES = ("precision", "recall", "f1", "kappa")

Numbers = Mapping[MetricName, Array]
Values = dict[MetricName, float | None]
#: Counts of pairs of labels.
Cells = Counter[tuple[str, str]]


# -- macro ------------------------------------------------------------------------------------------------------------


@gc_paused
def macro_table(outcomes: Iterable[Outcome], *, chance: bool = False) -> TextTable:
    """Return the table of the texts of all pairs that could be compared.

    Its numbers: S, M and CASS of each layer; ER; ``mean CASS``, of the pairs; further measures. With chance also E, M'
    and CASS' of each layer, and E(ER) and ER', which with ``chance`` have a place even where no pair has them.
    """
    row_of: dict[str, int] = {}
    rows: list[int] = []
    values: list[Values] = []
    for outcome in outcomes:
        if pair := outcome.result:
            chance = chance or pair.expected is not None
            values.append(_missing_values(pair, chance) if outcome.missing else _pair_values(pair, chance))
            rows.append(row_of.setdefault(outcome.text, len(row_of)))
    numbers = list(values[0]) if values else []
    by_pair = np.array([[of.get(number) for number in numbers] for of in values], dtype=np.float64)
    by_pair = by_pair.reshape(len(rows), len(numbers))
    defined = np.isfinite(by_pair)
    sums, counts = np.zeros((2, len(row_of), len(numbers)))
    places = np.array(rows, dtype=np.intp)
    np.add.at(sums, places, np.where(defined, by_pair, 0))
    np.add.at(counts, places, defined)
    with np.errstate(all="ignore"):
        means = dict(zip(numbers, (sums / counts).T, strict=True))
    pairs = dict(zip(numbers, counts.T, strict=True))
    # M and S are of the same texts, but where a score is undefined.
    pairs |= {cass: pairs[similarity] for cass, (_, similarity) in _fused(numbers).items()}
    return mean_table(list(row_of), means, pairs, _with_cass)


def _with_cass(means: Numbers) -> Numbers:
    fused = {cass: fuse(means[mean], means[similarity]) for cass, (mean, similarity) in _fused(means).items()}
    return {**means, **fused}


def _fused(numbers: Iterable[MetricName]) -> dict[MetricName, tuple[MetricName, MetricName]]:
    """Return each number that is fused, with its M and its S."""
    made = (number._replace(what=number.what.replace("M", "CASS")) for number in numbers if number.what in ("M", "M'"))
    return {number: parts for number in made if (parts := fused_in(number))}


def _pair_values(pair: PairResult, chance: bool) -> Values:
    """Return the numbers that have means; all pairs of a run have the same numbers."""
    values: Values = {}

    def add(what: str, part: str, scores: Scores) -> None:
        values.update(zip(_score_names(what, part), map(scores.get, SCORES), strict=True))

    for layer, part in PARTS.items():
        means = pair.layers[layer].mean
        similarity = None if means["kappa"] is None else pair.S
        values[MetricName("S", "", part)] = similarity
        add("M", part, {} if similarity is None else means)
        if chance:
            expected, above = _against_chance(None if similarity is None else pair.chance.get(layer))
            add("E", part, expected)
            add("M'", part, above)
            add("S'", part, dict.fromkeys(above, similarity))
    add("CASS", "mean", pair.cass)
    add("ER", "", pair.explicit.scores if pair.explicit else {})
    if chance:
        expected, above = _against_chance(pair.chance.get("explicit"))
        add("E(ER)", "", expected)
        add("ER'", "", above)
    return values | {MetricName(name): value for name, value in pair.measures.items()}


@cache
def _score_names(what: str, part: str) -> list[MetricName]:
    return [MetricName(what, score, part) for score in SCORES]


def _against_chance(chance: AboveChance | None) -> tuple[Scores, Scores]:
    """Return the values by chance and above it of the scores that have both."""
    above = {score: value for score, value in chance.above.items() if value is not None} if chance else {}
    expected = {score: value for score in above if chance and (value := chance.mean[score]) is not None}
    return expected, {score: above[score] for score in expected}


def zero_row(pair: PairResult) -> dict[str, float | None]:
    """Return the numbers of a pair of which a map is missing, and counts 0, by their names in a row of a pair."""
    values = _missing_values(pair, pair.expected is not None)
    named = {number._replace(part="") if number.part == "mean" else number: value for number, value in values.items()}
    layers = {number: values[parts[0]] for number, parts in _fused(values).items() if number.part}
    return {str(n): value for n, value in (named | layers).items() if n.what not in ("S", "S'") or str(n) == "S"}


def _missing_values(pair: PairResult, chance: bool) -> Values:
    """Return 0 for what a text counts in that only one corpus has, from its comparison with an empty map."""
    parts = {"", "mean", *(part for layer, part in PARTS.items() if pair.layers[layer].mean["kappa"] is not None)}
    values: Values = {}
    for number in _pair_values(pair, chance):
        applies = pair.explicit is not None if "ER" in number.what else number.part in parts
        values[number] = 0.0 if applies and number.what not in pair.measures else None
    return values


# -- micro ------------------------------------------------------------------------------------------------------------


def summed_matrices(outcomes: Iterable[Outcome]) -> dict[str, ConfusionMatrix]:
    """Return the matrices of the calculations, and of explicit relations, summed over the pairs."""
    cells: dict[str, Cells] = defaultdict(Counter)
    labels: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        for name, matrix in outcome.result.summed.items() if outcome.result and not outcome.missing else ():
            cells[name].update(matrix.cells)
            labels[name].update(matrix.labels)
    in_order_of = ((name, in_order(sorted(labels[name]))) for name in CALCULATIONS if name in cells)
    return {name: ConfusionMatrix.counts(cells[name], of_name) for name, of_name in in_order_of}


def micro_tables(outcomes: Iterable[Outcome], *, mean_of_layers: bool = False) -> list[TextTable]:
    """Return the tables of the texts of all pairs that could be compared.

    The first has S, and M and CASS of each layer. Each of the others has the scores of one calculation, by its code
    (``IL-kappa``), and, where it has several labels, of each label against the rest and of any against ``none``.
    """
    cells: dict[str, dict[str, Cells]] = defaultdict(lambda: defaultdict(Counter))  # by calculation and text
    edits: dict[str, Array] = {}  # weight, potential boundaries, pairs
    pairs: dict[str, Counter[str]] = defaultdict(Counter)  # to which a calculation or a layer applies
    in_mean: set[str] = set()
    for outcome in outcomes:
        pair, text = outcome.result, outcome.text
        if pair is None or outcome.missing:
            continue
        matrices = pair.summed
        of_mean = matrices.keys() & pair.calculations.keys()
        in_mean |= of_mean
        for name, matrix in matrices.items():
            cells[name][text].update(matrix.cells)
        pairs[text].update(matrices.keys())
        pairs[text].update(layer for layer in PARTS if any(counts_in(name, layer) for name in of_mean))
        segmentation = (0, 0, 0) if pair.S is None else (pair.segmentation.weight, pair.segmentation.potential, 1)
        edits[text] = edits.get(text, np.zeros(3)) + segmentation

    texts = tuple(edits)
    applies = {
        name: np.array([pairs[text][name] for text in texts], dtype=np.float64) for name in (*CALCULATIONS, *PARTS)
    }
    tables = {
        name: _calculation_table(name, texts, [cells[name][text] for text in texts], applies[name])
        for name in CALCULATIONS
        if applies[name].any()
    }
    summed = {name: table for name, table in tables.items() if name in in_mean}
    columns = np.array([edits[text] for text in texts]).reshape(len(texts), 3)
    segmented = columns[:, 2]
    counts = {MetricName("S"): segmented}
    for layer, part in PARTS.items():
        # S is of all texts, also of those that lack the layer.
        fused = np.maximum(segmented, applies[layer]) * (segmented.any() and applies[layer].any())
        for score in SCORES:
            counts[MetricName("M", score, part)] = applies[layer]
            counts[MetricName("CASS", score, part)] = fused
    numbers = partial(_whole_numbers, tables=summed, mean_of_layers=mean_of_layers)
    whole = TextTable(texts, np.hstack([columns, *(table.columns for table in summed.values())]), numbers, counts)
    return [whole, *tables.values()]


def _calculation_table(name: str, texts: tuple[str, ...], counts: Sequence[Cells], applies: Array) -> TextTable:
    """Return the table of one calculation: a column for each cell that occurs."""
    cells = list(dict.fromkeys(chain.from_iterable(counts)))
    labels = sorted({label for cell in cells for label in cell} - {NONE})
    check_labels(labels)
    place = {label: number for number, label in enumerate([*labels, NONE])}
    columns = np.array([[of_text[cell] for cell in cells] for of_text in counts], dtype=float)
    places = tuple(np.array([[place[label] for label in cell] for cell in cells]).T)

    def numbers(sums: Array) -> Numbers:
        cells_of_rounds = np.zeros((len(sums), len(place), len(place)))
        cells_of_rounds[:, places[0], places[1]] = sums
        found = {
            MetricName(CALCULATIONS[name].code, score): values
            for score, values in matrix_scores(cells_of_rounds).items()
        }
        if len(labels) > 1:
            any_label = against_rest(cells_of_rounds, len(labels))[:, ::-1, ::-1]
            found |= _label_numbers(name, "attachment", any_label, ("kappa", "f1"))
            for number, label in enumerate(labels):
                found |= _label_numbers(name, label, against_rest(cells_of_rounds, number), LABEL_SCORES)
        return found

    return TextTable(texts, columns, numbers, dict.fromkeys(numbers(columns[:1]), applies))


def _label_numbers(name: str, label: str, cells: Array, scores: Sequence[str]) -> dict[MetricName, Array]:
    """Return scores of a label against the rest; undefined where nobody gives it."""
    given = cells[:, 0, 0] + cells[:, 0, 1] + cells[:, 1, 0] > 0
    found = matrix_scores(cells, scores)
    return {
        MetricName(CALCULATIONS[name].code, score, label): np.where(given, values, np.nan)
        for score, values in found.items()
    }


def _whole_numbers(sums: Array, *, tables: Mapping[str, TextTable], mean_of_layers: bool) -> Numbers:
    """Return S, M and CASS of sums: the three columns of S, then those of each calculation that M is of."""
    ends = np.cumsum([3, *(table.columns.shape[1] for table in tables.values())])
    segmentation, *parts = np.split(sums, ends[:-1], axis=1)
    weight, potential, segmented = segmentation.T
    similarity = np.where(weight > 0, np.maximum(0, (potential - weight) / potential), 1)
    similarity = np.where(segmented > 0, similarity, np.nan)
    found = {MetricName("S"): similarity}
    undefined = np.full(len(sums), np.nan)
    scores: dict[str, dict[str, Array]] = {}
    for (name, table), part in zip(tables.items(), parts, strict=True):
        numbers = table.numbers(part)
        scores[name] = {score: numbers[MetricName(CALCULATIONS[name].code, score)] for score in SCORES}
    for layer, part_name in PARTS.items():
        counted = {name: of for name, of in scores.items() if counts_in(name, layer)}
        means = means_over(counted, SCORES, mean_of_layers=mean_of_layers and layer == "all")
        for score, value in means.items():
            mean = undefined if value is None else value
            found[MetricName("M", score, part_name)] = mean
            found[MetricName("CASS", score, part_name)] = fuse(mean, similarity)
    return found
