"""What the writers of formats share: JSON in a field, ids, places in the text, relations of trees."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping

from aifgraph.graph import ArgumentGraph, Node, Proposition, SchemeNode, SourceText, Span
from aifgraph.text.markup import MarkedSpan, plain_text


def as_json(value: object) -> str:
    """Compact JSON in ASCII: nothing in it can be taken for markup of the text around it."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def writable(
    graph: ArgumentGraph,
    types: Collection[str],
    onto: Callable[[SchemeNode, Node], bool] = lambda relation, node: False,
) -> dict[str, tuple[SchemeNode, list[Proposition], Node]]:
    """Relations by id, each with its premises and its first conclusion that can be written.

    A proposition can always be a conclusion; a relation can where ``onto(relation, that)`` says so and it is written.
    """
    left = {node.id: node for node in graph.relations if node.type in types}
    while True:
        complete = {id_: whole for id_, node in left.items() if (whole := _whole(graph, node, left, onto))}
        if len(complete) == len(left):
            return complete
        left = {id_: left[id_] for id_ in complete}


def _whole(
    graph: ArgumentGraph,
    relation: SchemeNode,
    written: Mapping[str, Node],
    onto: Callable[[SchemeNode, Node], bool],
) -> tuple[SchemeNode, list[Proposition], Node] | None:
    premises = [node for node in graph.premises_of(relation) if isinstance(node, Proposition)]
    for node in graph.conclusions_of(relation):
        if isinstance(node, Proposition) or (node.id in written and onto(relation, node)):
            # What is its own premise is no argument to these formats.
            others = [premise for premise in premises if premise.id != node.id]
            if others:
                return relation, others, node
    return None


class NodeIds:
    """The ids that nodes get in a file, each once.

    ``allowed`` says whether a text can be an id of the format.
    """

    def __init__(self, graph: ArgumentGraph, allowed: Callable[[str], bool]) -> None:
        self._allowed = allowed
        self._names: dict[str, str] = {}
        # Other nodes' own ids are not given away, whether or not their turn has come.
        self._taken = {node.id for node in graph if allowed(node.id)}
        self._next = 1

    def take(self, node: Node) -> str:
        """The id of a node in the file."""
        if node.id not in self._names:
            if self._allowed(node.id):
                self._names[node.id] = node.id
            else:
                initial = "c" if node.type != "I" else "a"
                self._names[node.id] = self.fresh(f"{initial}_")
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


def with_places(graph: ArgumentGraph) -> ArgumentGraph:
    """The graph with its source text plain, and what was marked in it as spans of its nodes; plain texts stay."""
    source = graph.meta.source
    if source is None or source.spans is not None:
        return graph
    plain = plain_text(source.text)
    if not plain.spans and plain.text == source.text:
        return graph
    return graph.with_meta(source=SourceText(plain.text, source.origin, _joined(plain.spans, graph)))


def _joined(marks: Collection[MarkedSpan], graph: ArgumentGraph) -> tuple[Span, ...]:
    """The marks of the graph's nodes; pieces of one that had to be cut, as it crosses another, are one again."""
    spans: list[Span] = []
    ending: dict[tuple[str, int], int] = {}
    for mark in marks:
        if mark.id in graph:
            place = ending.pop((mark.id, mark.start), len(spans))
            start = spans[place].start if place < len(spans) else mark.start
            spans[place : place + 1] = [Span(mark.id, start, mark.end)]
            ending[mark.id, mark.end] = place
    return tuple(spans)
