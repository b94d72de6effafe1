"""A copy of a map to change: its nodes, the ends of its edges, and its locution records."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, SourceText, Span
from aifgraph.graph.meta import said
from aifgraph.graph.nodes import SCHEME_KINDS, Node, Scheme, make_node
from aifgraph.text.markup import plain_text

T = TypeVar("T")


class EditableGraph:
    """What a change works on. ``share`` of the places where it can be made are drawn from ``rng``."""

    def __init__(self, graph: ArgumentGraph, share: float, rng: random.Random) -> None:
        self.old = graph
        self.rng = rng
        self.share = share
        self.nodes: dict[str, Node] = {node.id: node for node in graph}
        self.edges = [(edge.source, edge.target) for edge in graph.edges]
        self.records: list[LocutionRecord] = list(graph.meta.locutions)

    def some(self, places: Sequence[T]) -> list[T]:
        """``share`` of the places, in their order: as many as that is, one more by the chance of the remainder."""
        wanted = self.share * len(places)
        count = int(wanted + 1e-9)
        count += self.rng.random() < wanted - count - 1e-9
        return [places[index] for index in sorted(self.rng.sample(range(len(places)), count))]

    def of(self, *kinds: str) -> list[str]:
        """The ids of the nodes of these kinds; sorted, so that the order of the file decides nothing."""
        return sorted(id_ for id_, node in self.nodes.items() if node.kind in kinds)

    def after(self, id_: str, kind: str) -> list[str]:
        """The nodes of a kind that edges lead to."""
        return [b for a, b in self.edges if a == id_ and b in self.nodes and self.nodes[b].kind == kind]

    def before(self, id_: str, kind: str) -> list[str]:
        """The nodes of a kind that edges lead from."""
        return [a for a, b in self.edges if b == id_ and a in self.nodes and self.nodes[a].kind == kind]

    def contents(self, locution: str) -> list[str]:
        """The propositions that a locution anchors."""
        return list(dict.fromkeys(text for act in self.after(locution, "YA") for text in self.after(act, "I")))

    def prefix(self, id_: str) -> tuple[str, str]:
        """What stands before the words of a unit (white space, a locution's speaker), and its words."""
        node = self.nodes[id_]
        words = said(node)
        return node.text[: node.text.find(words)], words

    def put(self, id_: str, text: str, type_: str = "", schemes: tuple[Scheme, ...] | None = None) -> None:
        """Give a node another text, and another type or other schemes where they are given."""
        node = self.nodes[id_]
        new_schemes = node.schemes if schemes is None else schemes
        self.nodes[id_] = make_node(type_ or node.type, id_, text, new_schemes, node.record)

    def new(self, type_: str, text: str, schemes: tuple[Scheme, ...] = ()) -> str:
        """A new node."""
        number = len(self.nodes)
        while f"p{number}" in self.nodes or f"p{number}" in self.old:
            number += 1
        self.nodes[f"p{number}"] = make_node(type_, f"p{number}", text, schemes)
        return f"p{number}"

    def prune(self) -> None:
        """Take out the scheme nodes that have lost their last start or their last end."""
        old = {node.id: node.kind for node in self.old}
        starts, ends = self._sides([(edge.source, edge.target) for edge in self.old.edges], old)
        while True:
            kinds = {id_: node.kind for id_, node in self.nodes.items()}
            self.edges = [(a, b) for a, b in self.edges if a in kinds and b in kinds]
            starts_now, ends_now = self._sides(self.edges, kinds)
            lost = (starts - starts_now) | (ends - ends_now)
            gone = [id_ for id_ in lost if id_ in kinds and kinds[id_] in SCHEME_KINDS]
            if not gone:
                return
            for id_ in gone:
                del self.nodes[id_]

    @staticmethod
    def _sides(edges: Iterable[tuple[str, str]], kinds: dict[str, str]) -> tuple[set[str], set[str]]:
        """The nodes that something leads to, and those that lead to something; illocutions that anchor a node, or are
        anchored in it, do not count."""
        listed = list(edges)
        return {b for a, b in listed if kinds[a] != "YA"}, {a for a, b in listed if kinds[b] != "YA"}

    def graph(self) -> ArgumentGraph:
        """The changed map. Spans of the source text belong to the old units: those that changed lose them."""
        meta, known = self.old.meta, {(edge.source, edge.target): edge for edge in self.old.edges}
        ends = [(a, b) for a, b in dict.fromkeys(self.edges) if a in self.nodes and b in self.nodes and a != b]
        changed = {node.id for node in self.old if self.nodes.get(node.id) != node}
        source = _without_spans(meta.source, {id_ for id_ in changed if self.old[id_].kind in ("I", "L")})
        return ArgumentGraph(
            self.nodes.values(),
            [known.get((a, b)) or Edge(a, b) for a, b in ends],
            replace(
                meta,
                locutions=tuple(record for record in self.records if record.node_id in self.nodes),
                source=source,
                # An entry set aside says again what the node said before.
                unread=tuple(left for left in meta.unread if str(left.value.get("nodeID")) not in changed),
            ),
            self.old.name,
        )


def _without_spans(source: SourceText | None, changed: set[str]) -> SourceText | None:
    """The text without the spans of these nodes; one that is marked up becomes plain where it has any."""
    if source is None or not changed:
        return source
    if source.spans is not None:
        return replace(source, spans=tuple(span for span in source.spans if span.node_id not in changed))
    plain = plain_text(source.text)
    if not any(span.id in changed for span in plain.spans):
        return source
    return replace(source, text=plain.text, spans=tuple(Span(*span) for span in plain.spans if span.id not in changed))
