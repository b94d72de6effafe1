"""Labels of several annotators, as items for Krippendorff's alpha and Fleiss' kappa.

Nodes that pairwise alignments put into one class, directly or by way of others, are one. Every calculation of CASS is
then an annotation of items, to which each annotator gives a label or ``none``. Several labels of one annotator on one
item are one label, joined by ``+``.

Sources: Krippendorff (2011), Computing Krippendorff's alpha-reliability; Fleiss (1971).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from networkx.utils import UnionFind

from aifgraph.align.alignment import NodeKind
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations import CALCULATIONS, ER, count
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.links import class_links
from aifgraph.comparison.options import Options
from aifgraph.evaluation.pooled import Number, TextTable
from aifgraph.stats.alpha import alpha_of_sums, fleiss_of_sums, label_sums
from aifgraph.stats.matrix import NONE
from aifgraph.stats.resampling import Array

#: The labels of an item, one of each annotator; None where an annotator did not do the text.
Labels = tuple[str | None, ...]
#: How many items got which labels.
LabelCounts = Counter[Labels]


def labels_of_text(
    annotators: Sequence[str], compared: Mapping[tuple[str, str], Comparison], options: Options
) -> dict[str, LabelCounts]:
    """Count the labels of the items of a text by calculation; ER is there where positions are known.

    ``compared`` has every two annotators of the text.
    """
    analyses: dict[str, Analysis] = {}
    reconstructed: dict[str, frozenset[int] | None] = {}
    for names, comparison in compared.items():
        alignment = comparison.alignment
        analyses |= zip(names, (alignment.first, alignment.second), strict=True)
        reconstructed |= zip(names, alignment.reconstructed, strict=True)
    propositions = _joined_classes(compared, "propositions")
    locutions = _joined_classes(compared, "locutions")
    sides = [
        class_links(analysis, propositions[name], locutions[name], number, options.relations, reconstructed[name])
        for number, (name, analysis) in enumerate(analyses.items())
    ]
    wanted = [*options.calculations, *([] if None in reconstructed.values() else [ER.name])]
    sizes = [
        len({*chain(*(numbers.values() for numbers in classes.values()))}) for classes in (propositions, locutions)
    ]
    counts: dict[str, LabelCounts] = {}
    for name, counted in count(sides, sizes[0], sizes[1], wanted).items():
        labels_of = dict(zip(analyses, counted.labels, strict=True))
        rows: LabelCounts = Counter()
        for item in {item for labels in counted.labels for item in labels}:
            shown = {
                annotator: "+".join(sorted(map(counted.shown, labels.get(item, ())))) or NONE
                for annotator, labels in labels_of.items()
            }
            rows[tuple(map(shown.get, annotators))] += 1
        unlabelled = counted.size - rows.total()
        rows[tuple(NONE if annotator in analyses else None for annotator in annotators)] += unlabelled
        counts[name] = +rows
    return counts


def _joined_classes(compared: Mapping[tuple[str, str], Comparison], kind: NodeKind) -> dict[str, dict[int, int]]:
    """Return by annotator the number of each node's class, joined over all alignments."""
    groups: UnionFind[tuple[str, object]] = UnionFind()
    nodes: dict[tuple[str, int], None] = {}
    for names, comparison in compared.items():
        for node_class in getattr(comparison.alignment, kind).classes:
            sides = zip(names, (node_class.first, node_class.second), strict=True)
            members = [(name, node) for name, side in sides for node in side]
            nodes |= dict.fromkeys(members)
            if node_class.first and node_class.second:
                groups.union(*members)
    numbers: dict[object, int] = {}
    classes: dict[str, dict[int, int]] = {name: {} for names in compared for name in names}
    for name, node in nodes:
        classes[name][node] = numbers.setdefault(groups[name, node], len(numbers))
    return classes


def label_tables(name: str, texts: Mapping[str, LabelCounts]) -> Iterator[TextTable]:
    """Yield the text tables of a calculation: alpha, Fleiss' kappa, and alpha of each label against the rest.

    They are called ``IL-alpha``, ``IL-fleiss`` and ``Asserting IL-alpha``. Fleiss' kappa is of the texts that all
    annotators did.
    """
    by_all = {text: Counter({row: n for row, n in rows.items() if None not in row}) for text, rows in texts.items()}
    code = CALCULATIONS[name].code
    yield _label_table(Number(code, "alpha"), texts, alpha_of_sums)
    yield _label_table(Number(code, "fleiss"), by_all, fleiss_of_sums)
    labels = labels_in(texts)
    for label in labels if len(labels) > 1 else ():
        alone = {text: _alone(rows, label) for text, rows in texts.items()}
        yield _label_table(Number(code, "alpha", label), alone, alpha_of_sums)


def labels_in(texts: Mapping[str, LabelCounts]) -> list[str]:
    """Return the labels that somebody gives."""
    cells = {cell for rows in texts.values() for row in rows for cell in row if cell}
    return sorted({label for cell in cells for label in cell.split("+")} - {NONE})


def _label_table(number: Number, texts: Mapping[str, LabelCounts], coefficient: Callable[[Array], Array]) -> TextTable:
    """Return the table of a coefficient of sums: of agreeing pairs of labels, and of each label."""
    labels = sorted({label for rows in texts.values() for row in rows for label in row if label is not None})
    columns = np.array([label_sums(rows, labels) for rows in texts.values()], dtype=np.float64)
    given = [place for place, label in enumerate(labels, 1) if label != NONE]

    def numbers(sums: Array) -> dict[Number, Array]:
        # Where nobody gives a label, there is nothing to agree on.
        return {number: np.where(sums[:, given].sum(axis=1) > 0, coefficient(sums), np.nan)}

    return TextTable(tuple(texts), columns, numbers, {number: (columns[:, 1:].sum(axis=1) > 0).astype(np.float64)})


def _alone(rows: LabelCounts, label: str) -> LabelCounts:
    """Return the same items with one label against the rest."""
    counts: LabelCounts = Counter()
    for row, number in rows.items():
        counts[tuple(cell and (label if label in cell.split("+") else NONE) for cell in row)] += number
    return counts
