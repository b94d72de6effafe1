"""Krippendorff's unitised alpha of where the argument's parts lie, as Habernal and Gurevych (2016) use it.

The continuum is the common axis of words; the units are the runs of words of the propositions, by role: a *premise* of
some relation, else the *claim* of one, else *neither*. Units of one role that overlap on one side are one unit.
"""

from __future__ import annotations

from collections.abc import Mapping

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.graph.nodes import RELATIONS
from aifgraph.stats.krippendorff import Unit, unitised_alpha


def unitised(alignment: Alignment) -> float | None:
    """uα over all roles; None without positions, or where nothing is marked."""
    axis = alignment.placement.axis
    if axis is None or not alignment.placement.fits or axis.length < 1:
        return None
    units = [
        _units(alignment.first, alignment.first_positions),
        _units(alignment.second, alignment.second_positions),
    ]
    return unitised_alpha(units, axis.length).all.value


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
