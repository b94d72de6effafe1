"""Baselines: analyses of a map's units that do not look at its argument.

In ``units`` there is no relation, in ``chain`` each proposition supports the one before, in ``star`` all support the
first. In a map with locutions, each asserts what it says, and transitions lead from one to the next; a relation is then
anchored in the transition to the later of its two propositions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, pairwise
from math import inf
from typing import Final, Literal, NamedTuple

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.matching import place
from aifgraph.corpus.corpus import MapEntry
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.columns import cached_per_graph
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
        return self.entry.name

    def load(self) -> ArgumentGraph:
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
    units = _units(graph)
    if kind == "units" or not units.order:
        return units.graph
    build, order = GraphBuilder(units.graph), units.order
    ids = _new_ids(graph, units.graph)
    pairs = ((later, earlier) for earlier, later in pairwise(order))
    for premise, conclusion in pairs if kind == "chain" else ((premise, order[0]) for premise in order[1:]):
        relation = build.inference([premise], conclusion, id=next(ids))
        said_at = [place for end in (premise, conclusion) if (place := units.said_at[end]) is not None]
        if any(said_at):
            build.illocution(units.steps[max(said_at) - 1], relation, "Arguing", id=next(ids))
    return build.graph()


class _Units(NamedTuple):
    """A map without its argument: its propositions in ``order``, the number of the locution that says each first, and
    the transitions from one locution to the next."""

    graph: ArgumentGraph
    order: list[str]
    said_at: Mapping[str, int | None]
    steps: list[str]


def _new_ids(*graphs: ArgumentGraph) -> Iterator[str]:
    """Yield ids that no map has: a span of the text may bear the id of a node that a baseline leaves out."""
    return (id_ for number in count(1) if not any((id_ := f"b{number}") in graph for graph in graphs))


@cached_per_graph
def _units(graph: ArgumentGraph) -> _Units:
    analysis = analyse(graph)
    positions = _positions(analysis)
    build, ids = GraphBuilder(name=graph.name), _new_ids(graph)
    said_at: dict[str, int | None] = {}
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
            if id_ not in said_at:
                build.proposition(text, id=id_)
                said_at[id_] = len(says) - 1 if says and isinstance(node, Locution) else None
                words[id_] = (positions[at][0][0] if at in positions else inf, at)
    for locution, contents in says.items():
        for content_id in contents:
            build.illocution(locution, content_id, "Asserting", id=next(ids))
    steps = [build.transition(start, end, id=next(ids)) for start, end in pairwise(says)]
    order = sorted(said_at, key=words.__getitem__) if positions else list(said_at)
    records = tuple(record for record in graph.meta.locutions if record.node_id in says)
    # Spans of other nodes stay, as they help to find units (docs/measures.md, section 1).
    meta = {"participants": graph.meta.participants, "locutions": records, "source": graph.meta.source}
    return _Units(build.graph(**meta), order, said_at, steps)


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
