"""What stands behind every cell of every matrix, as elements to light up and a line to read."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.comparison.calculations.items import (
    Anchor,
    AnchoredContent,
    InnerLink,
    Item,
    JointSupport,
    Link,
    Relation,
    Undercut,
)
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.explanation import Explainer
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.printable import unhashed
from aifgraph.report.html.merged_map import MergedMap
from aifgraph.stats.matrix import NONE

#: More items of a cell than this are counted, not listed.
LISTED = 400


def cells_of(result: Comparison, merged: MergedMap) -> dict[str, dict[str, list[tuple[str, list[int]]]]]:
    """Calculation → ``"row,column"`` → (what it says, elements) of each item; (none, none) is not listed."""
    index, explainer = node_numbers(result), Explainer(result.alignment)
    return {
        name: dict(_cells(each, explainer, merged, index))
        for name, each in result.calculations.items()
        if each.applicable
    }


def node_numbers(result: Comparison) -> tuple[dict[str, int], dict[str, int]]:
    alignment = result.alignment
    one = {node.id: number for number, node in enumerate(alignment.first.nodes)}
    return one, {node.id: number for number, node in enumerate(alignment.second.nodes)}


def _cells(
    each: ScoredCalculation, explainer: Explainer, merged: MergedMap, index: tuple[dict[str, int], dict[str, int]]
) -> Iterator[tuple[str, list[tuple[str, list[int]]]]]:
    labels, rows = each.matrix.labels, each.matrix.rows
    for i, row in enumerate(rows):
        for j, count in enumerate(row):
            if not count or labels[i] == labels[j] == NONE:
                continue
            listed: list[tuple[str, list[int]]] = []
            for item in each.calculation.labelled(labels[i], labels[j]):
                if len(listed) == LISTED:
                    break
                said = explainer.explained(each.name, item)
                elements = [
                    merged.of[side, index[side][id_]]
                    for side, ids in ((0, said.first), (1, said.second))
                    for id_ in ids
                ]
                listed.append(
                    (unhashed(said.text), list(dict.fromkeys([*elements, *_schemes(each.name, item, merged)])))
                )
            yield f"{i},{j}", listed


def _schemes(calculation: str, item: Item, merged: MergedMap) -> list[int]:
    """The scheme elements that an item is made of."""
    relations, transitions, illocutions = merged.by_claim["S"], merged.by_claim["TA"], merged.by_claim["YA"]
    match item:
        case Undercut():
            return relations.get(item, [])
        case JointSupport(first, second, conclusion):
            return relations.get(Link(first, conclusion), []) + relations.get(Link(second, conclusion), [])
        case AnchoredContent(content, anchor):
            related = relations.get(content.link, []) if isinstance(content, Relation) else []
            return related + _of_anchor(anchor, merged) + illocutions.get(item, [])
        case Link() | InnerLink() if calculation != "illocutions":
            return (relations if calculation == "propositional_relations" else transitions).get(item, [])
        case _:
            return _of_anchor(item, merged) + merged.illocutions_at.get(item, [])


def _of_anchor(anchor: Anchor, merged: MergedMap) -> list[int]:
    return [] if isinstance(anchor, int) else merged.by_claim["TA"].get(anchor, [])
