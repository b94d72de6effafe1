"""What a graph holds, by kind, and what a format loses of it: the one source of every ``LossReport``.

A codec says which kinds it ``holds``; while it writes, it counts each node and edge that it keeps. What is not
kept, and every kind that is not held, is reported. Default schemes count as no scheme: the node's type says as much.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from aifgraph.errors import OptionError
from aifgraph.formats.codec import LossReport
from aifgraph.graph import ArgumentGraph, Edge, Node, SchemeNode, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS, is_default, letters
from aifgraph.text.markup import MarkedSpan, plain_text

#: AIF type → what such nodes are called in a report.
NODE_KINDS: Final = {
    "I": "propositions",
    "L": "locutions",
    "RA": "inferences",
    "CA": "conflicts",
    "MA": "rephrases",
    "PA": "preferences",
    "YA": "illocutions",
    "TA": "transitions",
}
OTHER_NODES: Final = "nodes of other types"

_PLAIN = {kind: {"", letters(kind), letters(text)} for kind, text in DEFAULT_TEXTS.items()}
_MARK = re.compile(r"<span\b[^<>]*\bid\s*=", re.IGNORECASE)
_EDGE_FIELDS = frozenset({"edgeID", "fromID", "toID", "formEdgeID"})
_RECORD_FIELDS = frozenset(
    {"nodeID", "personID", "timestamp", "start", "end", "source", "participantID", "firstname", "surname"}
)


def _labels(node: Node) -> int:
    if not isinstance(node, SchemeNode):
        return 0
    label = letters(node.text)
    implied = label in _PLAIN[node.type] or any(label == letters(scheme.name or "") for scheme in node.schemes)
    return 0 if implied else 1


def _schemes(node: Node) -> int:
    return sum(not is_default(scheme, node.type) for scheme in node.schemes)


#: What nodes carry besides their type and text, counted on one node.
_OF_NODES: Mapping[str, Callable[[Node], int]] = {
    "node ids": lambda node: 1,
    "labels of scheme nodes": _labels,
    "schemes": _schemes,
    "timestamps": lambda node: node.timestamp is not None,
}
#: The same of edges.
_OF_EDGES: Mapping[str, Callable[[Edge], int]] = {
    "edge ids": lambda edge: edge.id is not None,
    "form edges": lambda edge: edge.form_edge_id is not None,
}


def _extra(graph: ArgumentGraph, own: Collection[str]) -> int:
    fields = [key for node in graph for key in node.record if key not in _NODE_FIELDS]
    fields += (key for edge in graph.edges for key in edge.record if key not in _EDGE_FIELDS)
    beside = [person.record for person in graph.meta.participants] + [each.record for each in graph.meta.locutions]
    fields += (key for record in beside for key in record if key not in _RECORD_FIELDS)
    return sum(key not in own for key in fields)


_NODE_FIELDS = frozenset({"nodeID", "text", "type", "timestamp", "scheme", "schemeID"})


def _spans(graph: ArgumentGraph) -> int:
    source = graph.meta.source
    if source is None:
        return 0
    return len(_MARK.findall(source.text)) if source.spans is None else len(source.spans)


def _layout(graph: ArgumentGraph) -> int:
    ova = graph.meta.document.get("OVA", graph.meta.document.get("ova"))
    nodes = ova.get("nodes") if isinstance(ova, dict) else None
    return len(nodes) if isinstance(nodes, list) else 0


def _descriptors(graph: ArgumentGraph) -> int:
    lists = (graph.meta.aif.get(key) for key in ("descriptorfulfillments", "cqdescriptorfulfillments"))
    return sum(len(each) for each in lists if isinstance(each, list))


_COUNTED_ELSEWHERE = frozenset(
    {"text", "OVA", "ova", "descriptorfulfillments", "cqdescriptorfulfillments", "schemefulfillments"}
)


def _document(graph: ArgumentGraph, own: Collection[str]) -> int:
    beside: list[tuple[str, Any]] = [*graph.meta.document.items(), *graph.meta.aif.items()]
    count = sum(key not in _COUNTED_ELSEWHERE and key not in own and _says(value) for key, value in beside)
    ova = graph.meta.document.get("OVA", graph.meta.document.get("ova"))
    if isinstance(ova, dict):
        count += sum(key != "nodes" and _says(value) for key, value in ova.items())
    text = graph.meta.document.get("text")
    return count + (sum(key != "txt" for key in text) if isinstance(text, dict) else 0)


def _says(value: object) -> bool:
    return value is not None and value != [] and value != {} and value != "" and value is not True


#: The side data of a graph.
_OF_META: Mapping[str, Callable[[ArgumentGraph], int]] = {
    "participants": lambda graph: len(graph.meta.participants),
    "locution records": lambda graph: len(graph.meta.locutions),
    "source texts": lambda graph: graph.meta.source is not None,
    "spans": _spans,
    "layout": _layout,
    "descriptor fulfilments": _descriptors,
    "entries set aside": lambda graph: len(graph.meta.leftovers),
}

#: Every kind of thing that a graph can hold, in the order of a report.
KINDS: Final = (
    *NODE_KINDS.values(),
    OTHER_NODES,
    "edges",
    *_OF_NODES,
    *_OF_EDGES,
    *_OF_META,
    "extra fields",
    "document fields",
)
ALL: Final = frozenset(KINDS)
ARGUMENT: Final = frozenset({"propositions", "inferences", "conflicts", "edges"})
EVERY_NODE: Final = frozenset({*NODE_KINDS.values(), OTHER_NODES, "edges"})


def not_held(holds: Collection[str]) -> tuple[str, ...]:
    """The kinds of things that a format loses.

    Args:
        holds: the kinds that it has a place for, from :data:`aifgraph.formats.contents.KINDS`.

    Returns:
        The other kinds, in the order of a report.
    """
    return tuple(kind for kind in KINDS if kind not in holds)


def contents(graph: ArgumentGraph, own: Collection[str] = ()) -> dict[str, int]:
    """How many things of each kind a graph holds; ``own`` names fields that are a format's business.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> contents(build.graph())
    {'propositions': 2, 'inferences': 1, 'edges': 2, 'node ids': 3}
    """
    counts = _count_structure(graph.nodes, graph.edges)
    counts |= {kind: int(of_meta(graph)) for kind, of_meta in _OF_META.items()}
    counts |= {"extra fields": _extra(graph, own), "document fields": _document(graph, own)}
    return {kind: counts[kind] for kind in KINDS if counts.get(kind)}


def _count_structure(nodes: Collection[Node], edges: Collection[Edge]) -> dict[str, int]:
    """Nodes and edges by kind, and what they carry."""
    counts = dict.fromkeys(EVERY_NODE, 0) | Counter(NODE_KINDS.get(node.type, OTHER_NODES) for node in nodes)
    counts["edges"] = len(edges)
    counts |= {kind: sum(map(of_node, nodes)) for kind, of_node in _OF_NODES.items()}
    counts |= {kind: sum(map(of_edge, edges)) for kind, of_edge in _OF_EDGES.items()}
    return counts


def with_places(graph: ArgumentGraph) -> ArgumentGraph:
    """The graph with its source text plain, and what was marked in it as spans of its nodes; plain texts stay."""
    source = graph.meta.source
    if source is None or source.spans is not None:
        return graph
    plain = plain_text(source.text)
    if not plain.spans and plain.text == source.text:
        return graph
    return graph.with_meta(source=SourceText(plain.text, source.origin, tuple(_joined(plain.spans, graph))))


def _joined(marks: Iterable[MarkedSpan], graph: ArgumentGraph) -> Iterator[Span]:
    """The marks of the graph's nodes; pieces of one that had to be cut, as it crosses another, are one again."""
    spans: list[Span] = []
    ending: dict[tuple[str, int], int] = {}
    for mark in marks:
        if mark.id in graph:
            place = ending.pop((mark.id, mark.start), len(spans))
            start = spans[place].start if place < len(spans) else mark.start
            spans[place : place + 1] = [Span(mark.id, start, mark.end)]
            ending[mark.id, mark.end] = place
    return iter(spans)


class Losses:
    """What of one graph a format loses: whatever a codec does not say that it keeps.

    Args:
        graph: the graph that is written.
        holds: the kinds of things that the format has a place for, from :data:`aifgraph.formats.contents.KINDS`.
        own: the fields that the codec writes and reads back itself.
        places: whether the attribute ``graph`` has a plain source text with spans where the given one has a marked one.

    Attributes:
        graph: the graph to write.
        holds: as given.
        own: as given.
    """

    def __init__(
        self, graph: ArgumentGraph, holds: Collection[str], own: Collection[str] = (), *, places: bool = False
    ) -> None:
        unknown = set(holds) - ALL
        if unknown:
            raise OptionError(f"no such kinds: {', '.join(sorted(unknown))}")
        self.graph = graph
        self.holds = holds
        self.own = own
        self._nodes: set[str] = set()
        self._edges: set[tuple[str, str]] = set()
        self._more: dict[str, int] = {}
        if places:
            self.graph = with_places(graph)
            self.lose("spans", _spans(graph) - _spans(self.graph))

    def keep_node(self, *ids: str) -> None:
        """Note that nodes are written.

        Args:
            *ids: their ids.
        """
        self._nodes.update(ids)

    def keep_edge(self, source: str, target: str) -> None:
        """Note that an edge is written.

        Args:
            source: the id of the node that it leads from.
            target: the id of the node that it leads to.
        """
        self._edges.add((source, target))

    def keep_relation(self, relation: Node, premises: Iterable[Node], target: Node) -> None:
        """Note that a relation is written, with its edges.

        Args:
            relation: the relation.
            premises: those of its premises that are written.
            target: its conclusion.
        """
        self.keep_node(relation.id)
        self.keep_edge(relation.id, target.id)
        for premise in premises:
            self.keep_edge(premise.id, relation.id)

    def keep_all(self) -> None:
        """Note that all nodes and edges are written."""
        self._nodes.update(node.id for node in self.graph)
        self._edges.update((edge.source, edge.target) for edge in self.graph.edges)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._nodes

    def lose(self, kind: str, number: int = 1) -> None:
        """Note a loss that the nodes and edges do not tell.

        Args:
            kind: what is lost, one of :data:`aifgraph.formats.contents.KINDS` or a name of your own.
            number: how many; below 0 for things that are kept although the format has no place for all of them.
        """
        self._more[kind] = self._more.get(kind, 0) + number

    def report(self) -> LossReport:
        """What is lost.

        Returns:
            The numbers by kind, in the order of ``KINDS``, the codec's own kinds last.
        """
        total = contents(self.graph, self.own)
        kept = total | _count_structure(
            [node for node in self.graph if node.id in self._nodes],
            [edge for edge in self.graph.edges if (edge.source, edge.target) in self._edges],
        )
        held = EVERY_NODE | frozenset(self.holds)
        lost = {kind: total.get(kind, 0) - (kept.get(kind, 0) if kind in held else 0) for kind in KINDS}
        for kind, number in self._more.items():
            lost[kind] = lost.get(kind, 0) + number
        return LossReport({kind: number for kind, number in lost.items() if number > 0})


class NodeIds:
    """The ids that nodes get in a file, each once; what had to be renamed is counted as lost.

    ``allowed`` says whether a text can be an id of the format.
    """

    def __init__(self, losses: Losses, allowed: Callable[[str], bool]) -> None:
        self._losses = losses
        self._allowed = allowed
        self._names: dict[str, str] = {}
        # Other nodes' own ids are not given away, whether or not their turn has come.
        self._taken = {node.id for node in losses.graph if allowed(node.id)}
        self._next = 1

    def take(self, node: Node) -> str:
        """The id of a node in the file."""
        if node.id not in self._names:
            if self._allowed(node.id):
                self._names[node.id] = node.id
            else:
                initial = "c" if node.type != "I" else "a"
                self._names[node.id] = self.fresh(f"{initial}_")
                if "node ids" in self._losses.holds:
                    self._losses.lose("node ids")
        return self._names[node.id]

    def fresh(self, prefix: str, wanted: object = None) -> str:
        """A new id: the wanted one where it is free, else one that begins with ``prefix``."""
        if isinstance(wanted, str) and self._allowed(wanted) and wanted not in self._taken:
            self._taken.add(wanted)
            return wanted
        while f"{prefix}{self._next}" in self._taken:
            self._next += 1
        self._taken.add(f"{prefix}{self._next}")
        return f"{prefix}{self._next}"

    def reserve(self, name: str) -> None:
        """An id that stands in the file for something else than a node."""
        self._taken.add(name)

    def __getitem__(self, id_: str) -> str:
        return self._names[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._names
