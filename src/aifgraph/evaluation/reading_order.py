"""The units of a map in the order in which they are read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import Node
from aifgraph.text.markup import MarkedSpan
from aifgraph.text.placing import Run, place_units, source_words


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """A locution, or a proposition that nobody is known to say, and its words ``start`` to ``stop`` of the source text;
    None where they are not known."""

    node: Node
    run: Run | None


def reading_order(graph: ArgumentGraph) -> list[ReadUnit]:
    """The units of a map (docs/measures.md, section 0) as they stand in its text.

    A unit that is not found follows the one before it in the file, or comes last. Without a text, or with one in which
    fewer than a quarter of the units are found, the times of the locutions decide where all units have one, else the
    order of the file.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> build.source("Masks help. They filter.")
    >>> _ = build.proposition("They filter"), build.proposition("Masks help")
    >>> [(unit.node.text, unit.run) for unit in reading_order(build.graph())]
    [('Masks help', (0, 2)), ('They filter', (2, 4))]
    """
    analysis = analyse(graph)
    nodes = [analysis.nodes[index] for index in analysis.units]
    runs = _runs(graph, analysis)
    if not any(runs):
        times = [_time(graph, node) for node in nodes]
        known = [time for time in times if time is not None]
        if known and len(known) == len(nodes) and len({time.tzinfo is None for time in known}) == 1:
            nodes = [node for _, _, node in sorted(zip(known, range(len(nodes)), nodes, strict=True))]
        return [ReadUnit(node, None) for node in nodes]
    places: list[tuple[float, float, int]] = []
    start = float("inf")
    for index, run in enumerate(runs):
        start = run[0] if run else start
        places.append((start, run[1] if run else float("inf"), index))
    return [ReadUnit(nodes[index], runs[index]) for _, _, index in sorted(places)]


def _runs(graph: ArgumentGraph, analysis: Analysis) -> list[Run | None]:
    """The words of each unit; of units of equal words each takes a run of its own, in the order of the file."""
    source = graph.meta.source
    spans = None
    if source is not None and source.spans is not None:
        spans = [MarkedSpan(span.node_id, span.start, span.end) for span in source.spans]
    words = source_words(source.text, spans) if source is not None else None
    if words is None:
        return [None] * len(analysis.units)
    units = [(analysis.ids[index], analysis.said[index]) for index in analysis.units]
    parts = (node.id for node, kind in zip(analysis.nodes, analysis.kinds, strict=True) if kind)
    placed = [unit.runs for unit in place_units(words, units, parts)]
    if 4 * sum(map(bool, placed)) < len(placed):
        return [None] * len(placed)
    used: dict[tuple[Run, ...], int] = defaultdict(int)
    runs: list[Run | None] = []
    for own in placed:
        runs.append(own[min(used[own], len(own) - 1)] if own else None)
        used[own] += 1
    return runs


def _time(graph: ArgumentGraph, node: Node) -> datetime | None:
    times = [time for record in graph.records_of(node) if (time := parse_time(record.start)) is not None]
    return times[0] if times else None
