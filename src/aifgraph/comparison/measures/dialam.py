"""The scores of the shared task DialAM-2024: ARI (propositional relations) and ILO (illocutions), general and focused.

The first analysis is the gold one. ARI labels every ordered pair of propositions RA, CA, MA (the first of these where
there are several) or none; ILO every locution and proposition with the illocution between them or none. *General* is
the macro mean over all labels that occur, none among them; *focused* over the items that the gold analysis labels. A
quotient with denominator 0 is 0. The task gives both systems one set of nodes; here the items are made of the classes
that have a gold node. Of several illocutions between the same two the first in the alphabet counts (the task's script
takes the first in the file).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.links import links_of_both

Cells = Counter[tuple[str, str]]
_NONE = ""
_ORDER = {"RA": 0, "CA": 1, "MA": 2}


def ari_cells(alignment: Alignment) -> Cells:
    """How many pairs of propositions got which (gold, other) labels."""
    known = {number for number, node_class in enumerate(alignment.propositions.classes) if node_class.first}
    labels = []
    for side in links_of_both(alignment):
        label_of: dict[tuple[int, int], str] = {}
        for start, end, type_ in sorted(
            side.typed_links(), key=lambda link: (link[0], link[1], _ORDER.get(link[2], len(_ORDER)))
        ):
            if type_ in _ORDER and start in known and end in known:
                label_of.setdefault((start, end), type_)
        labels.append(label_of)
    return _cells(labels[0], labels[1], len(known) * (len(known) - 1))


def ilo_cells(alignment: Alignment) -> Cells:
    """How many pairs of a locution and a proposition got which (gold, other) labels."""
    propositions = {number for number, node_class in enumerate(alignment.propositions.classes) if node_class.first}
    locutions = {number for number, node_class in enumerate(alignment.locutions.classes) if node_class.first}
    labels = []
    for side in links_of_both(alignment):
        label_of: dict[tuple[int, int], str] = {}
        for label, anchors, contents, _ in side.illocutions:
            for anchor in anchors:
                for content in contents:
                    if isinstance(anchor, int) and isinstance(content, int):
                        pair = (anchor, content)
                        if anchor in locutions and content in propositions:
                            label_of[pair] = min(label, label_of.get(pair, label))
        labels.append(label_of)
    return _cells(labels[0], labels[1], len(locutions) * len(propositions))


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
    kept = {cell: count for cell, count in cells.items() if count and (cell[0] != _NONE or not focused)}
    labels = sorted({label for cell in kept for label in cell})
    if not labels:
        return None
    sums = [0.0, 0.0, 0.0]
    for label in labels:
        both = kept.get((label, label), 0)
        gold = sum(count for (one, _), count in kept.items() if one == label)
        other = sum(count for (_, two), count in kept.items() if two == label)
        sums[0] += both / other if other else 0.0
        sums[1] += both / gold if gold else 0.0
        sums[2] += 2 * both / (gold + other) if gold + other else 0.0
    return sums[0] / len(labels), sums[1] / len(labels), sums[2] / len(labels)


def score_of(alignment: Alignment, cells: Callable[[Alignment], Cells], focused: bool, place: int) -> float | None:
    """Precision (``place`` 0), recall (1) or F1 (2) of :func:`ari_cells` or :func:`ilo_cells`."""
    scores = macro_scores(cells(alignment), focused=focused)
    return None if scores is None else scores[place]
