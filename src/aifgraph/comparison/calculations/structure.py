"""``argument_structure``: linked against convergent support (paper, section 5, the second option).

Items are the pairs of proposition classes that both support a conclusion, on either side, with that conclusion; the
label is ``linked`` where one RA takes both, else ``convergent``.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from aifgraph.align.alignment import Layer
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.calculation import Calculation

NAME = "argument_structure"


def calculate(layer: Layer, sides: tuple[Analysis, Analysis]) -> Calculation:
    """Over the inferences of both sides, links inside a class left out."""
    first, second = (
        _labels(analysis, classes)
        for analysis, classes in zip(sides, (layer.first_class, layer.second_class), strict=True)
    )
    return Calculation(NAME, len(first.keys() | second.keys()), first, second)


def _labels(analysis: Analysis, classes: dict[int, int]) -> dict[Any, set[str]]:
    supports: dict[int, set[int]] = {}
    linked: set[tuple[int, int, int]] = set()
    for node, kind in enumerate(analysis.kinds):
        if kind != "RA":
            continue
        premises = {classes[each] for each in analysis.predecessors[node] if analysis.kinds[each] == "I"}
        for conclusion in {classes[each] for each in analysis.successors[node] if analysis.kinds[each] == "I"}:
            together = premises - {conclusion}
            supports.setdefault(conclusion, set()).update(together)
            linked.update((*pair, conclusion) for pair in combinations(sorted(together), 2))
    return {
        (*pair, conclusion): {"linked" if (*pair, conclusion) in linked else "convergent"}
        for conclusion, premises in supports.items()
        for pair in combinations(sorted(premises), 2)
    }
