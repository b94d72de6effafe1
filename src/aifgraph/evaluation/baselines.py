"""Baselines: analyses of a map's units that do not look at its argument.

In ``units`` there is no relation, in ``chain`` each proposition supports the one before, in ``star`` all support the
first. In a map with locutions, each asserts what it says, and transitions lead from one to the next; a relation is then
anchored in the transition to the later of its two propositions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count, pairwise
from math import inf
from typing import Final, Literal

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.matching import place
from aifgraph.corpus.corpus import MapEntry
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.nodes import Locution, Node, Proposition, Transition
from aifgraph.graph.side_data import parse_time, said
from aifgraph.text.similarity import Position

Baseline = Literal["units", "chain", "star"]
BASELINES: Final[tuple[Baseline, ...]] = ("units", "chain", "star")


@dataclass(frozen=True, slots=True)
class BaselineSource:
    """A baseline over the units of a map, made where it is compared."""

    entry: MapEntry
    kind: Baseline

    @property
    def name(self) -> str:
        """The name of the map."""
        return self.entry.name

    def load(self) -> ArgumentGraph:
        """Return the baseline."""
        return baseline(self.entry.load(), self.kind)


def baseline(graph: ArgumentGraph, kind: Baseline) -> ArgumentGraph:
    """Return a baseline over the units of a map, with its text, people and ids.

    A locution that anchors no proposition asserts what it says.

    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> chain = baseline(build.graph(), "chain")
    >>> [node.text for node in chain.premises_of(chain.inferences[0])]
    ['They filter']
    """
    analysis = analyse(graph)
    positions = _positions(analysis)
    build = GraphBuilder(name=graph.name)
    # An id of the map must not come to name another node: a span of the text may bear it.
    ids = (id_ for number in count(1) if (id_ := f"b{number}") not in graph)
    place_of: dict[str, int | None] = {}  # of each proposition, the number of the locution that says it first
    says: dict[str, list[str]] = {}
    words: dict[str, tuple[float, int]] = {}  # where each proposition starts, and its number
    numbers = {id_: number for number, id_ in enumerate(analysis.ids)}
    for number in reading_order(analysis, positions):
        node = analysis.nodes[number]
        propositions: dict[str, tuple[str, int]] = {node.id: (node.text, number)}
        if isinstance(node, Locution):
            propositions = {content.id: (content.text, numbers[content.id]) for content in _said_by(graph, node)}
            propositions = propositions or {next(ids): (said(node), number)}
            build.locution(node.text, id=node.id)
            says[node.id] = list(propositions)
        for id_, (text, at) in propositions.items():
            if id_ not in place_of:
                build.proposition(text, id=id_)
                place_of[id_] = len(says) - 1 if says and isinstance(node, Locution) else None
                words[id_] = (positions[at][0][0] if at in positions else inf, at)
    for locution, contents_of in says.items():
        for content_id in contents_of:
            build.illocution(locution, content_id, "Asserting", id=next(ids))
    steps = [build.transition(start, end, id=next(ids)) for start, end in pairwise(says)]
    order = sorted(place_of, key=words.__getitem__) if positions else list(place_of)
    for premise, conclusion in _relations(order, kind):
        relation = build.inference([premise], conclusion, id=next(ids))
        places = [place for end in (premise, conclusion) if (place := place_of[end]) is not None]
        if any(places):
            build.illocution(steps[max(places) - 1], relation, "Arguing", id=next(ids))
    built = build.graph()
    records = [record for record in graph.meta.locutions if record.node_id in says]
    # Spans of other nodes stay, as they help to find units (docs/measures.md, section 1).
    return built.with_meta(participants=graph.meta.participants, locutions=tuple(records), source=graph.meta.source)


def _relations(order: list[str], kind: Baseline) -> list[tuple[str, str]]:
    """Return premise and conclusion of each relation."""
    if kind == "chain":
        return [(later, earlier) for earlier, later in pairwise(order)]
    return [(premise, order[0]) for premise in order[1:]] if kind == "star" else []


def _positions(analysis: Analysis) -> Mapping[int, Position]:
    """Return where the units stand in the text; empty where there is none that fits."""
    placed, _ = place((analysis, analysis)).sides
    return placed.positions


def reading_order(analysis: Analysis, positions: Mapping[int, Position] | None = None) -> list[int]:
    """Return the numbers of the units as they stand in the text, or by the times of locutions, or as in the file."""
    positions = _positions(analysis) if positions is None else positions
    units = analysis.units
    if not positions:
        graph = analysis.graph
        records = [graph.records_of(analysis.nodes[unit]) for unit in units]
        times = [next((time for record in listed if (time := parse_time(record.start))), None) for listed in records]
        known = [time for time in times if time is not None]
        if len(known) == len(units) and len({time.tzinfo is None for time in known}) == 1:
            return [unit for _, unit in sorted(zip(known, units, strict=True))]
        return list(units)
    used: Counter[Position] = Counter()
    keys: list[tuple[float, float, int]] = []
    start: float = inf
    for unit in units:
        end: float = inf  # a unit without a position follows the one before it in the file
        if runs := positions.get(unit):
            start, end = runs[min(used[runs], len(runs) - 1)]  # units of equal words have their runs in common
            used[runs] += 1
        keys.append((start, end, unit))
    return [unit for _, _, unit in sorted(keys)]


def _said_by(graph: ArgumentGraph, locution: Node) -> list[Node]:
    """Return the propositions that a locution anchors, or that only transitions to it do."""
    if direct := _contents(graph, locution):
        return direct
    steps = [node for node in graph.predecessors(locution) if isinstance(node, Transition)]
    contents = {node.id: node for step in steps for node in _contents(graph, step)}
    return [
        node for node in contents.values() if not any(isinstance(anchor, Locution) for anchor in graph.anchors_of(node))
    ]


def _contents(graph: ArgumentGraph, anchor: Node) -> list[Node]:
    return [node for node in graph.content_of(anchor) if isinstance(node, Proposition)]
