"""``propositional_relations``: which propositions are related, and how (paper, section 5).

The universe is the ordered pairs of proposition classes, with the pairs of nodes inside a class; if either side has a
relation on a relation (an undercut, or an argument for an inference), also every (proposition class, relation).
"""

from __future__ import annotations

from typing import Any

from aifgraph.align.alignment import Layer
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.calculation import Calculation, add
from aifgraph.comparison.calculations.links import SideLinks

NAME = "propositional_relations"


def calculate(
    layer: Layer,
    sides: tuple[Analysis, Analysis],
    links: tuple[SideLinks, SideLinks],
    relations: int,
    types: frozenset[str],
) -> Calculation:
    """``relations`` is the number of relations of either side, the same one of both sides counted once."""
    labels: tuple[dict[Any, set[str]], dict[Any, set[str]]] = ({}, {})
    undercut = False
    for analysis, joined, found, classes in zip(
        sides, links, labels, (layer.first_class, layer.second_class), strict=True
    ):
        for node, made in joined.relations.items():
            kind = analysis.kinds[node]
            for link, _ in made:
                add(found, link, kind)
        for node, kind in enumerate(analysis.kinds):
            if kind not in types:
                continue
            for target in analysis.successors[node]:
                targets = joined.relations.get(target) if analysis.kinds[target] in types else None
                if not targets:
                    continue
                for premise in analysis.predecessors[node]:
                    if analysis.kinds[premise] == "I":
                        undercut = True
                        for relation in targets:
                            add(found, ("on", classes[premise], relation), kind)
    count = len(layer.classes)
    inner = sum(
        len(each.first) * (len(each.first) - 1) + len(each.second) * (len(each.second) - 1)
        for each in layer.classes
        if len(each.first) > 1 or len(each.second) > 1
    )
    items = count * (count - 1) + inner + (count * relations if undercut else 0)
    return Calculation(NAME, items, *labels)
