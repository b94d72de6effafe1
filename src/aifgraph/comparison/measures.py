"""Measures beside CASS: other measures of two argument graphs.

A measure is a function of an alignment, so that it counts over the same classes as CASS; None is undefined.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from typing import Final, Literal

from aifgraph.align.alignment import Alignment, NodeClasses
from aifgraph.align.analysis import Analysis, Pair
from aifgraph.align.matching import PlacedSide
from aifgraph.comparison.links import node_links
from aifgraph.errors import OptionError, choose_from
from aifgraph.graph.nodes import RELATIONS
from aifgraph.stats.alpha import Unit, unitised_alpha

Measure = Callable[[Alignment], float | None]


# -- Kirschner et al. (2015) ------------------------------------------------------------------------------------------

#: A longer path than of so many relations counts as none.
MAX_PATH: Final = 6


def graph_agreement(alignment: Alignment) -> float | None:
    """Return the graph-based measure of Kirschner, Eckle-Kohler and Gurevych (2015), as the CASS paper describes it.

    A relation of one side counts 1 / d, d the length of the shortest path between its ends in the other side's graph,
    whatever the direction and type of its relations; 0 without a path. A direction is the mean over a side's relations,
    the measure the harmonic mean of both; None without relations, 0 if only one side has any.
    """
    first, second = map(_related, alignment.analyses, alignment.propositions.class_of)
    if not first and not second:
        return None
    near, near_first = _relations_near(first, second), _relations_near(second, first)
    return 2 * near * near_first / (near + near_first) if near + near_first else 0.0


def _related(analysis: Analysis, class_of: Mapping[int, int]) -> set[tuple[int, int]]:
    pairs = {(class_of[start], class_of[end]) for _, start, end in node_links(analysis.graph).relations}
    return {(start, end) for start, end in pairs if start != end}


def _relations_near(first: Set[tuple[int, int]], second: Set[tuple[int, int]]) -> float:
    if not first:
        return 0.0
    import networkx

    graph = networkx.Graph(sorted(second))
    reach: dict[int, dict[int, int]] = {}
    total = 0.0
    for start, end in sorted(first):
        if start in graph and start not in reach:
            reach[start] = dict(networkx.single_source_shortest_path_length(graph, start, cutoff=MAX_PATH))
        distance = reach.get(start, {}).get(end)
        total += 1 / distance if distance else 0.0
    return total / len(first)


# -- unitised alpha ---------------------------------------------------------------------------------------------------


def alpha_of_roles(alignment: Alignment) -> float | None:
    """Return unitised alpha over all roles; None without positions, or where nothing is marked.

    The units are the runs of words of the propositions by role: a *premise* of some relation, else the *claim* of one,
    else *neither*.
    """
    placement = alignment.placement
    if not placement.fits or not placement.length:
        return None
    return unitised_alpha([_units(side) for side in placement.sides], placement.length).all.value


def _units(side: PlacedSide) -> list[Unit]:
    propositions = ((node, _role(side.analysis, node)) for node in side.analysis.propositions)
    return [(start, end, role) for node, role in propositions for start, end in side.positions.get(node, ())]


def _role(analysis: Analysis, node: int) -> str:
    if any(analysis.kinds[end] in RELATIONS for end in analysis.successors[node]):
        return "premise"
    if any(analysis.kinds[end] in RELATIONS for end in analysis.predecessors[node]):
        return "claim"
    return "neither"


# -- DialAM-2024 ------------------------------------------------------------------------------------------------------
#
# The first analysis is the gold one. ARI labels every ordered pair of its propositions RA, CA, MA (the first of these
# where there are several) or none; ILO every pair of a locution and a proposition with the illocution between them or
# none. *General* is the macro mean over all labels that occur, none among them; *focused* over the items that the gold
# analysis labels. A quotient with denominator 0 is 0.
#
# As the organisers' script does: all locutions of the gold file take part, those of analysts too; a relation and an
# illocution lead to the one node that their first edge in the file leads to, from every node that leads to them; of
# several illocutions between the same two the first in the file counts. The script knows a node of the system by its
# id; here it is the gold node that it is matched with, and an id only for the locutions of analysts.

Cells = Counter[tuple[str, str]]
_NONE: Final = ""
_TYPES: Final = ("RA", "CA", "MA")


def ari_cells(alignment: Alignment) -> Cells:
    """Count the pairs of propositions by their labels (gold, system)."""
    labels = []
    for analysis, gold_of in zip(alignment.analyses, _gold_nodes(alignment.propositions), strict=True):
        types = {node: type_ for type_ in _TYPES for node, kind in enumerate(analysis.kinds) if kind == type_}
        labels.append(_labels(analysis, types, gold_of, gold_of))
    gold, _ = alignment.analyses
    return _cells(*labels, items=len(gold.propositions) * (len(gold.propositions) - 1))


def ilo_cells(alignment: Alignment) -> Cells:
    """Count the pairs of a locution and a proposition by their labels (gold, system)."""
    labels, (gold, _) = [], alignment.analyses
    locutions = {node.id: number for number, node in enumerate(gold.nodes) if node.kind == "L"}
    of_analysts = {id_: number for id_, number in locutions.items() if not gold.kinds[number]}
    for analysis, *gold_of in zip(alignment.analyses, *map(_gold_nodes, alignment.kinds), strict=True):
        proposition_of, locution_of = gold_of
        by_id = {number: of_analysts[id_] for number, id_ in enumerate(analysis.ids) if id_ in of_analysts}
        labels.append(_labels(analysis, analysis.label_names, by_id | locution_of, proposition_of))
    return _cells(*labels, items=len(locutions) * len(gold.propositions))


def _gold_nodes(nodes: NodeClasses) -> Pair[dict[int, int]]:
    """Return by side the gold node of each node that has one."""
    first_class, second_class = nodes.class_of
    host = {number: node_class.match.first for number, node_class in enumerate(nodes.classes) if node_class.match}
    matched = {node: host[number] for node, number in second_class.items() if number in host}
    return {node: node for node in first_class}, matched


def _labels(
    analysis: Analysis, label_of: Mapping[int, str], starts: Mapping[int, int], ends: Mapping[int, int]
) -> dict[tuple[int, int], str]:
    """Return the labels that scheme nodes give to pairs of gold nodes, those of a node that leads to the scheme node
    and of the first node that it leads to; of several labels the first."""
    sources: dict[int, list[int]] = defaultdict(list)
    first_end: dict[int, int] = {}
    for source, target in zip(analysis.graph._columns.sources, analysis.graph._columns.targets, strict=True):
        sources[target].append(source)
        first_end.setdefault(source, target)
    labels: dict[tuple[int, int], str] = {}
    for scheme, label in label_of.items():
        end = ends.get(first_end.get(scheme, -1))
        for start in (starts.get(source) for source in sources[scheme]):
            if start is not None and end is not None and start != end:
                labels.setdefault((start, end), label)
    return labels


def _cells(gold: Mapping[tuple[int, int], str], system: Mapping[tuple[int, int], str], *, items: int) -> Cells:
    labelled = gold.keys() | system.keys()
    cells: Cells = Counter((gold.get(item, _NONE), system.get(item, _NONE)) for item in labelled)
    cells[_NONE, _NONE] += items - len(labelled)
    return cells


def dialam_score(
    alignment: Alignment,
    cells: Callable[[Alignment], Cells],
    focused: bool,
    metric: Literal["precision", "recall", "f1"],
) -> float | None:
    """Return macro precision, recall or F1 of :func:`ari_cells` or :func:`ilo_cells`; None without items."""
    counted = {cell: n for cell, n in cells(alignment).items() if n and (cell[0] != _NONE or not focused)}
    scores: list[float] = []
    for label in sorted({label for cell in counted for label in cell}):
        both = counted.get((label, label), 0)
        gold = sum(n for (first, _), n in counted.items() if first == label)
        system = sum(n for (_, second), n in counted.items() if second == label)
        quotients = {"precision": (both, system), "recall": (both, gold), "f1": (2 * both, gold + system)}
        top, bottom = quotients[metric]
        scores.append(top / bottom if bottom else 0.0)
    return sum(scores) / len(scores) if scores else None


# -- all of them ------------------------------------------------------------------------------------------------------


#: Every measure by name.
MEASURES: Final[dict[str, Measure]] = {
    "kirschner_graph": graph_agreement,
    "unitised_alpha": alpha_of_roles,
    **{
        f"dialam_{task}_{view}_{metric[0]}": partial(
            dialam_score, cells=cells, focused=view == "focused", metric=metric
        )
        for task, cells in (("ari", ari_cells), ("ilo", ilo_cells))
        for view in ("general", "focused")
        for metric in ("precision", "recall", "f1")
    },
}


def measure_all(alignment: Alignment, names: Iterable[str]) -> dict[str, float | None]:
    """Return the values of the named measures."""
    return {name: MEASURES[name](alignment) for name in names}


def measures_named(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return the full names of measures (in a string they are joined by ``+``); ``all`` and ``dialam`` are several.

    >>> measures_named("unitised_alpha+dialam_ari_focused")
    ('unitised_alpha', 'dialam_ari_focused_p', 'dialam_ari_focused_r', 'dialam_ari_focused_f')
    """
    chosen: dict[str, None] = {}
    for name in filter(None, map(str.strip, names.split("+"))) if isinstance(names, str) else names:
        group = [known for known in MEASURES if name in (known, "all") or known.startswith(f"{name}_")]
        if not group:
            raise OptionError(f"there is no measure {name!r}", remedy=choose_from(MEASURES))
        chosen |= dict.fromkeys(group)
    return tuple(chosen)
