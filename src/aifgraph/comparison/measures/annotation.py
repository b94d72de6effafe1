"""Measures that studies of annotation report: the graph-based one of Kirschner et al. (2015), and unitised alpha.

Kirschner, Eckle-Kohler and Gurevych (2015), as the CASS paper describes it: a relation of one side counts 1 / d, d the
length of the shortest path between its ends in the other side's graph, whatever the direction and type of its
relations; 0 without a path or where it is longer than :data:`MAX_PATH`. A direction is the mean over a side's
relations; the two directions, like precision and recall, make the harmonic mean (as the CASS paper has it) or the
arithmetic one.

Krippendorff's unitised alpha of where the argument's parts lie, as Habernal and Gurevych (2016) use it. The continuum
is the common axis of words; the units are the runs of words of the propositions, by role: a *premise* of some relation,
else the *claim* of one, else *neither*. Units of one role that overlap on one side are one unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.links import links_of_both
from aifgraph.graph.nodes import RELATIONS
from aifgraph.stats.krippendorff import Unit, unitised_alpha

MAX_PATH = 6
"""A longer path than of so many relations counts as none."""


def graph_agreement(alignment: Alignment) -> float | None:
    """The harmonic mean of both directions; None without relations, 0 if only one side has any."""
    directions = _directions(alignment)
    if directions is None:
        return None
    first, second = directions
    return 2 * first * second / (first + second) if first + second else 0.0


def graph_agreement_arithmetic(alignment: Alignment) -> float | None:
    """The arithmetic mean of both directions; None without relations."""
    directions = _directions(alignment)
    return None if directions is None else sum(directions) / 2


def _directions(alignment: Alignment) -> tuple[float, float] | None:
    first, second = ({link[:2] for link in side.typed_links()} for side in links_of_both(alignment))
    if not first and not second:
        return None
    return _relations_near(first, second), _relations_near(second, first)


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


def unitised(alignment: Alignment) -> float | None:
    """uα over all roles; None without positions, or where nothing is marked."""
    axis = alignment.placement.axis
    if axis is None or not alignment.placement.fits or axis.length < 1:
        return None
    return unitised_alpha(_units_of_both(alignment), axis.length).all.value


def _units_of_both(alignment: Alignment) -> list[list[Unit]]:
    sides = (alignment.first, alignment.first_positions), (alignment.second, alignment.second_positions)
    return [_units(analysis, positions) for analysis, positions in sides]


def _units(analysis: Analysis, positions: Mapping[int, tuple[tuple[int, int], ...]]) -> list[Unit]:
    runs: dict[str, list[tuple[int, int]]] = {}
    for node in analysis.propositions:
        runs.setdefault(_role(analysis, node), []).extend(positions.get(node, ()))
    units: list[Unit] = []
    for role, role_runs in runs.items():
        joined: list[tuple[int, int]] = []
        for start, end in sorted(role_runs):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        units += [(start, end, role) for start, end in joined]
    return units


def _role(analysis: Analysis, node: int) -> str:
    if any(analysis.kinds[other] in RELATIONS for other in analysis.successors[node]):
        return "premise"
    if any(analysis.kinds[other] in RELATIONS for other in analysis.predecessors[node]):
        return "claim"
    return "neither"
