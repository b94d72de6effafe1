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
from functools import partial

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.measures.registry import sides, triples

Cells = Counter[tuple[str, str]]
_NONE = ""
_ORDER = {"RA": 0, "CA": 1, "MA": 2}


def ari_cells(alignment: Alignment) -> Cells:
    """How many pairs of propositions got which (gold, other) labels."""
    known = {number for number, each in enumerate(alignment.propositions.classes) if each.first}
    labels = []
    for side in sides(alignment):
        found: dict[tuple[int, int], str] = {}
        for start, end, kind in sorted(triples(side), key=lambda each: (each[0], each[1], _ORDER.get(each[2], 9))):
            if kind in _ORDER and start in known and end in known:
                found.setdefault((start, end), kind)
        labels.append(found)
    return _cells(labels[0], labels[1], len(known) * (len(known) - 1))


def ilo_cells(alignment: Alignment) -> Cells:
    """How many pairs of a locution and a proposition got which (gold, other) labels."""
    propositions = {number for number, each in enumerate(alignment.propositions.classes) if each.first}
    locutions = {number for number, each in enumerate(alignment.locutions.classes) if each.first}
    labels = []
    for side in sides(alignment):
        found: dict[tuple[int, int], str] = {}
        for label, anchors, contents, _ in side.acts:
            for anchor in anchors:
                for content in contents:
                    if isinstance(anchor, int) and isinstance(content, int):
                        pair = (anchor, content)
                        if anchor in locutions and content in propositions:
                            found[pair] = min(label, found.get(pair, label))
        labels.append(found)
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


def _score(alignment: Alignment, cells: Callable[[Alignment], Cells], focused: bool, place: int) -> float | None:
    found = macro_scores(cells(alignment), focused=focused)
    return None if found is None else found[place]


ari_general_p = partial(_score, cells=ari_cells, focused=False, place=0)
ari_general_r = partial(_score, cells=ari_cells, focused=False, place=1)
ari_general_f = partial(_score, cells=ari_cells, focused=False, place=2)
ari_focused_p = partial(_score, cells=ari_cells, focused=True, place=0)
ari_focused_r = partial(_score, cells=ari_cells, focused=True, place=1)
ari_focused_f = partial(_score, cells=ari_cells, focused=True, place=2)
ilo_general_p = partial(_score, cells=ilo_cells, focused=False, place=0)
ilo_general_r = partial(_score, cells=ilo_cells, focused=False, place=1)
ilo_general_f = partial(_score, cells=ilo_cells, focused=False, place=2)
ilo_focused_p = partial(_score, cells=ilo_cells, focused=True, place=0)
ilo_focused_r = partial(_score, cells=ilo_cells, focused=True, place=1)
ilo_focused_f = partial(_score, cells=ilo_cells, focused=True, place=2)
