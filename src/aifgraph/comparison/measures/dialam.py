"""The scores of the shared task DialAM-2024: ARI (propositional relations) and ILO (illocutions), general and focused.

The first analysis is the gold one. ARI labels every ordered pair of its propositions RA, CA, MA (the first of these
where there are several) or none; ILO every pair of a locution and a proposition with the illocution between them or
none. *General* is the macro mean over all labels that occur, none among them; *focused* over the items that the gold
analysis labels. A quotient with denominator 0 is 0.

As the organisers' script does: all locutions of the gold file take part, those of analysts too; a relation and an
illocution lead to the one node that their first edge in the file leads to, from every node that leads to them; of
several illocutions between the same two the first in the file counts. The script knows a node of the system by its id;
here it is the gold node that it is matched with, and an id only for the locutions of analysts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from aifgraph.align.alignment import Alignment, Layer
from aifgraph.align.analysis import Analysis

Cells = Counter[tuple[str, str]]
_NONE = ""
_TYPES = ("RA", "CA", "MA")


def ari_cells(alignment: Alignment) -> Cells:
    """How many pairs of propositions got which (gold, other) labels."""
    gold = alignment.first.propositions
    sides = []
    for analysis, gold_of in _both(alignment, alignment.propositions):
        label_of: dict[tuple[int, int], str] = {}
        for type_ in _TYPES:
            numbers = [number for number, node in enumerate(analysis.nodes) if node.kind == type_]
            for _, start, end in _steps(analysis, numbers):
                if start in gold_of and end in gold_of and gold_of[start] != gold_of[end]:
                    label_of.setdefault((gold_of[start], gold_of[end]), type_)
        sides.append(label_of)
    return _cells(sides[0], sides[1], len(gold) * (len(gold) - 1))


def ilo_cells(alignment: Alignment) -> Cells:
    """How many pairs of a locution and a proposition got which (gold, other) labels."""
    first = alignment.first
    locutions = [number for number, node in enumerate(first.nodes) if node.kind == "L"]
    by_id = {first.nodes[number].id: number for number in locutions if number not in set(first.locutions)}
    sides = []
    both = zip(_both(alignment, alignment.propositions), _both(alignment, alignment.locutions), strict=True)
    for (analysis, proposition_of), (_, locution_of) in both:
        others = {number: by_id[node.id] for number, node in enumerate(analysis.nodes) if node.id in by_id}
        anchors = {**others, **locution_of}
        label_of: dict[tuple[int, int], str] = {}
        for illocution, start, end in _steps(analysis, list(analysis.label_names)):
            if start in anchors and end in proposition_of:
                label_of.setdefault((anchors[start], proposition_of[end]), analysis.label_names[illocution])
        sides.append(label_of)
    return _cells(sides[0], sides[1], len(locutions) * len(first.propositions))


def _both(alignment: Alignment, layer: Layer) -> Sequence[tuple[Analysis, Mapping[int, int]]]:
    """Each side with the gold node of each of its nodes that has one."""
    own = {number: number for number in layer.first_class}
    host = {number: node_class.match.first for number, node_class in enumerate(layer.classes) if node_class.match}
    matched = {number: host[of] for number, of in layer.second_class.items() if of in host}
    return (alignment.first, own), (alignment.second, matched)


def _steps(analysis: Analysis, numbers: Sequence[int]) -> list[tuple[int, int, int]]:
    """For each of the nodes and each node that leads to it: it, that one, and the first node that it leads to."""
    number_of = {node.id: number for number, node in enumerate(analysis.nodes)}
    starts: dict[int, list[int]] = defaultdict(list)
    first_end: dict[int, int] = {}
    for edge in analysis.graph.edges:
        source, target = number_of[edge.source], number_of[edge.target]
        starts[target].append(source)
        first_end.setdefault(source, target)
    return [(number, start, first_end[number]) for number in numbers if number in first_end for start in starts[number]]


def _cells(gold: dict[tuple[int, int], str], other: dict[tuple[int, int], str], items: int) -> Cells:
    cells: Cells = Counter()
    for item in gold.keys() | other.keys():
        cells[gold.get(item, _NONE), other.get(item, _NONE)] += 1
    if rest := items - len(gold.keys() | other.keys()):
        cells[_NONE, _NONE] += rest
    return cells


def macro_scores(cells: Cells, *, focused: bool = False) -> tuple[float, float, float] | None:
    """Macro precision, recall and F1; None without items.

    >>> macro_scores(Counter({("RA", "RA"): 1, ("RA", ""): 1, ("", ""): 8}))
    (0.9444444444444444, 0.75, 0.803921568627451)
    """
    counted = {cell: count for cell, count in cells.items() if count and (cell[0] != _NONE or not focused)}
    labels = sorted({label for cell in counted for label in cell})
    if not labels:
        return None
    sums = [0.0, 0.0, 0.0]
    for label in labels:
        both = counted.get((label, label), 0)
        gold = sum(count for (one, _), count in counted.items() if one == label)
        other = sum(count for (_, two), count in counted.items() if two == label)
        sums[0] += both / other if other else 0.0
        sums[1] += both / gold if gold else 0.0
        sums[2] += 2 * both / (gold + other) if gold + other else 0.0
    return sums[0] / len(labels), sums[1] / len(labels), sums[2] / len(labels)


def score_of(alignment: Alignment, cells: Callable[[Alignment], Cells], focused: bool, place: int) -> float | None:
    """Precision (``place`` 0), recall (1) or F1 (2) of :func:`ari_cells` or :func:`ilo_cells`."""
    scores = macro_scores(cells(alignment), focused=focused)
    return None if scores is None else scores[place]
