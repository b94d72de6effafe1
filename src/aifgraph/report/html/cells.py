"""What stands behind every cell of every matrix, as elements to light up and a line to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.explanation import explain
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.report.html.merged_map import Union
from aifgraph.stats.matrix import NONE

#: More items of a cell than this are counted, not listed.
LISTED = 400


def cells_of(result: Comparison, union: Union) -> dict[str, dict[str, list[tuple[str, list[int]]]]]:
    """Calculation → ``"row,column"`` → (what it says, elements) of each item; (none, none) is not listed."""
    index = node_numbers(result)
    return {
        name: dict(_cells(result, each, union, index)) for name, each in result.calculations.items() if each.applicable
    }


def node_numbers(result: Comparison) -> tuple[dict[str, int], dict[str, int]]:
    alignment = result.alignment
    one = {node.id: number for number, node in enumerate(alignment.first.nodes)}
    return one, {node.id: number for number, node in enumerate(alignment.second.nodes)}


def _cells(
    result: Comparison, each: ScoredCalculation, union: Union, index: tuple[dict[str, int], dict[str, int]]
) -> Iterator[tuple[str, list[tuple[str, list[int]]]]]:
    labels, rows = each.matrix.labels, each.matrix.rows
    for i, row in enumerate(rows):
        for j, count in enumerate(row):
            if not count or labels[i] == labels[j] == NONE:
                continue
            found: list[tuple[str, list[int]]] = []
            for item in each.calculation.labelled(labels[i], labels[j]):
                if len(found) == LISTED:
                    break
                said = explain(result.alignment, each.name, item)
                elements = [
                    union.of[side, index[side][id_]] for side, ids in ((0, said.first), (1, said.second)) for id_ in ids
                ]
                found.append((said.text, list(dict.fromkeys([*elements, *_schemes(each.name, item, union)]))))
            yield f"{i},{j}", found


def _schemes(calculation: str, item: Any, union: Union) -> list[int]:
    """The scheme elements that an item is made of."""
    relations, transitions, acts = (union.by_item[group] for group in ("S", "TA", "YA"))
    if calculation == "propositional_relations":
        return relations.get(item, [])
    if calculation == "transitions":
        return transitions.get(item, [])
    if calculation == "illocutions":
        return transitions.get(item, []) + [
            number for (_, anchor), numbers in acts.items() if anchor == item for number in numbers
        ]
    if calculation == "argument_structure":
        one, other, conclusion = item
        return relations.get((one, conclusion), []) + relations.get((other, conclusion), [])
    content, anchor = item
    related = relations.get(content[0], []) if isinstance(content, tuple) else []
    return related + transitions.get(anchor, []) + acts.get((content, anchor), [])
