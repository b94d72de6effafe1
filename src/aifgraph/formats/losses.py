"""What a graph holds, by kind, and what of it a format loses.

No format keeps books: what is lost is what the graph held, less what reading the written file back holds. Default
schemes count as no scheme, because the node's type says as much.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aifgraph.graph import ArgumentGraph, LocutionRecord, Node, SchemeNode, SourceText, Span
from aifgraph.graph.meta import epoch_seconds
from aifgraph.graph.nodes import EDGE_FIELDS, ENTRY_FIELDS, NODE_FIELDS
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, is_default, label_of
from aifgraph.printable import quantity
from aifgraph.tables import Document, Result, Table
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

#: Every kind of thing that a graph can hold, in the order of a report.
KINDS: Final = (
    *NODE_KINDS.values(),
    OTHER_NODES,
    "edges",
    "joint premises",
    "texts",
    "node ids",
    "labels of scheme nodes",
    "schemes",
    "timestamps",
    "edge ids",
    "form edges",
    "participants",
    "locution records",
    "locution times",
    "locution sources",
    "source texts",
    "spans",
    "layout",
    "descriptor fulfilments",
    "entries set aside",
    "extra fields",
    "document fields",
)
EVERYTHING: Final = frozenset(KINDS)
#: What a format for plain argument trees has a place for.
ARGUMENT: Final = frozenset({"propositions", "inferences", "conflicts", "edges"})
EVERY_NODE: Final = frozenset({*NODE_KINDS.values(), OTHER_NODES, "edges", "joint premises", "texts"})

Inventory = dict[str, Counter[object]]


@dataclass(frozen=True)
class LossReport(Result):
    """What a format cannot hold, counted by kind; false where nothing was lost.

    Attributes:
        counts: how many ``locutions``, ``illocutions``, ``edge ids`` … were lost.
        done: how often the writer had to fill in what the format needs (``positions computed``).
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    done: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __add__(self, other: LossReport) -> LossReport:
        return LossReport(_sum(self.counts, other.counts), _sum(self.done, other.done))

    def document(self) -> Document:
        """A row a kind of thing, and how many of it were lost."""
        return Document(tables=[Table("Lost", ("kind", "lost"), [*self.counts.items()])])

    def __str__(self) -> str:
        lost = _listed(self.counts) if self else "nothing"
        return f"lost: {lost}" + (f"; {_listed(self.done)}" if self.done else "")


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    kinds = [*one, *(kind for kind in other if kind not in one)]
    return {kind: one.get(kind, 0) + other.get(kind, 0) for kind in kinds}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(quantity(number, kind) for kind, number in counts.items() if number)


def lost(before: ArgumentGraph, after: ArgumentGraph) -> dict[str, int]:
    """What of a graph has not come back, counted by kind.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> lost(build.graph(), ArgumentGraph([], []))
    {'propositions': 2, 'inferences': 1, 'edges': 2, 'node ids': 3}
    """
    held, left = inventory(before), inventory(after)
    gone = Counter({kind: (values - left.get(kind, Counter())).total() for kind, values in held.items()})
    more_edges = left.get("edges", Counter()) - held.get("edges", Counter())
    for type_, kind in NODE_KINDS.items():
        # A relation that became one for each of its premises is not lost, and its copies make up for no other.
        copies = sum(number for ends, number in more_edges.items() if isinstance(ends, tuple) and ends[0] == type_)
        if copies and kind in held:
            whole = held[kind].total()
            gone[kind] = min(max(whole + copies - left.get(kind, Counter()).total(), 0), whole)
            gone["joint premises"] += copies
    # A text whose node is lost is not counted once more.
    gone["texts"] -= gone["propositions"] + gone["locutions"] + gone[OTHER_NODES]
    if gone["source texts"]:  # places in another text are no longer those
        gone["spans"] = held["spans"].total() if "spans" in held else 0
    return _in_order(gone)


def _in_order(gone: Mapping[str, int]) -> dict[str, int]:
    """Counts in the order of a report; what belongs to lost locution records is not counted once more."""
    within = ("locution times", "locution sources") if gone.get("locution records") else ()
    return {kind: gone[kind] for kind in KINDS if gone.get(kind, 0) > 0 and kind not in within}


def unsupported(graph: ArgumentGraph, supports: Collection[str]) -> dict[str, int]:
    """What of a graph is of a kind that a format has no place for: for formats that cannot be read back."""
    return _in_order({kind: values.total() for kind, values in inventory(graph).items() if kind not in supports})


def inventory(graph: ArgumentGraph) -> Inventory:
    """What a graph holds: of each kind of thing the values, so that the same number of other things is not the same."""
    held: Inventory = {kind: Counter() for kind in KINDS}
    _structure(graph, held)
    _side_data(graph, held)
    held["document fields"].update((key, _json(value)) for key, value in _document_fields(graph))
    return {kind: values for kind, values in held.items() if values}


_PLACE_FIELDS = frozenset({"x", "y", "visible"})


def _structure(graph: ArgumentGraph, held: Inventory) -> None:
    for node in graph:
        held[NODE_KINDS.get(node.type, OTHER_NODES)][node.type] += 1
        held["node ids"][node.id] += 1
        held["schemes"].update(
            each.id or fold_name(each.name or "") for each in node.schemes if not is_default(each, node.type)
        )
        if not isinstance(node, SchemeNode):
            held["texts"][node.type, node.text] += 1
        elif not _implied(node):
            held["labels of scheme nodes"][node.text] += 1
        if node.timestamp is not None:
            held["timestamps"][node.timestamp] += 1
        known = NODE_FIELDS
        if {"x", "y"} <= node.record.keys():  # as OVA2 keeps places
            held["layout"][node.id, _json(node.record["x"]), _json(node.record["y"])] += 1
            known |= _PLACE_FIELDS
        _extra(held, node.record, known)
    for edge in graph.edges:
        held["edges"][graph[edge.source].type, graph[edge.target].type] += 1
        if edge.id is not None:
            held["edge ids"][edge.id] += 1
        if edge.form_edge_id is not None:
            held["form edges"][edge.form_edge_id] += 1
        _extra(held, edge.record, EDGE_FIELDS)


_PLAIN_LABELS = {kind: {"", fold_name(kind), fold_name(text)} for kind, text in DEFAULT_TEXTS.items()}


def _implied(node: Node) -> bool:
    """Whether the label of a scheme node is that of its scheme or the default of its type."""
    label = fold_name(label_of(node) if node.type == "YA" else node.text)
    return label in _PLAIN_LABELS[node.type] or any(label == fold_name(scheme.name or "") for scheme in node.schemes)


def _extra(held: Inventory, record: Mapping[str, Any], known: Collection[str]) -> None:
    if record:
        held["extra fields"].update((key, _json(value)) for key, value in record.items() if key not in known)


def _side_data(graph: ArgumentGraph, held: Inventory) -> None:
    meta = graph.meta
    for person in meta.participants:
        held["participants"][person.id, person.name] += 1
        _extra(held, person.record, ENTRY_FIELDS)
    for record in meta.locutions:
        held["locution records"][record.node_id, record.person_id] += 1
        held["locution times"].update(_times(record))
        if record.source is not None:
            held["locution sources"][record.source] += 1
        _extra(held, record.record, ENTRY_FIELDS)
    if meta.source is not None:
        marked = plain_text(meta.source.text) if meta.source.spans is None else None
        text = marked.text if marked else meta.source.text
        held["source texts"][text] += 1
        places: list[tuple[str, int, int]]
        places = (
            list(marked.spans) if marked else [(span.node_id, span.start, span.end) for span in meta.source.spans or ()]
        )
        for id_, start, end in places:
            held["spans"][graph[id_].type if id_ in graph else id_, start, end] += 1
    for place in _boxes(graph):
        held["layout"][str(place.get("nodeID")), _json(place.get("x")), _json(place.get("y"))] += 1
    for key in ("descriptorfulfillments", "cqdescriptorfulfillments"):
        entries = meta.aif.get(key)
        held["descriptor fulfilments"].update(map(_json, entries if isinstance(entries, list) else ()))
    held["entries set aside"].update(_json(dict(entry.value)) for entry in meta.unread)


def _times(record: LocutionRecord) -> Iterator[object]:
    for time in (record.start, record.end, record.timestamp):
        if time is not None:
            yield epoch_seconds(time) or time


def _boxes(graph: ArgumentGraph) -> list[dict[str, Any]]:
    ova = graph.meta.document.get("OVA", graph.meta.document.get("ova"))
    nodes = ova.get("nodes") if isinstance(ova, dict) else None
    return [box for box in nodes if isinstance(box, dict)] if isinstance(nodes, list) else []


_COUNTED_ELSEWHERE = frozenset(
    {"text", "OVA", "ova", "descriptorfulfillments", "cqdescriptorfulfillments", "schemefulfillments"}
)


def _document_fields(graph: ArgumentGraph) -> Iterator[tuple[str, Any]]:
    document = graph.meta.document
    for key, value in (*document.items(), *graph.meta.aif.items()):
        if key not in _COUNTED_ELSEWHERE and _says(value):
            yield key, value
    ova = document.get("OVA", document.get("ova"))
    if isinstance(ova, dict):
        yield from ((key, value) for key, value in ova.items() if key not in ("nodes", "edges") and _says(value))
    text = document.get("text")
    if isinstance(text, dict):
        yield from ((key, value) for key, value in text.items() if key != "txt")


def _says(value: object) -> bool:
    return value is not None and value != [] and value != {} and value != "" and value is not True


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


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
