"""``repair``: repair what needs no decision of a reader, and list every change.

Steps, in this order, each with a switch: direct edges between propositions (``direct``), propositions of the same text
(``duplicates``), analysts' bookkeeping (``analysts``), scheme nodes that join nothing (``orphans``), missing schemes
(``schemes``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from aifgraph.errors import OptionError
from aifgraph.graph.edit import join, merge_nodes, with_scheme, without_edges, without_nodes
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import without_speaker
from aifgraph.graph.nodes import RELATIONS, SCHEME_KINDS, Scheme
from aifgraph.graph.rules.index import GraphIndex
from aifgraph.graph.schemes import DEFAULT_TEXTS, schemes_of_text
from aifgraph.tables import Document, Result, Table

Direct = Literal["join", "drop", "keep"]


@dataclass(frozen=True, slots=True)
class Repair:
    """One change: the switch of ``repair`` that it belongs to, what was changed, and the ids of the nodes."""

    kind: str
    message: str
    nodes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True, slots=True, repr=False)
class Repairs(Result):
    """All changes, in the order in which they were made. Empty is false."""

    items: tuple[Repair, ...] = ()

    def __iter__(self) -> Iterator[Repair]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Repair:
        return self.items[index]

    def counts(self) -> Counter[str]:
        """How many changes of each kind."""
        return Counter(item.kind for item in self.items)

    def document(self) -> Document:
        """A row a change: its kind, the ids of the nodes, what was done."""
        rows = [(item.kind, " ".join(item.nodes), item.message) for item in self.items]
        return Document(tables=[Table("", ("repair", "nodes", "message"), rows)])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: ``repairs`` and ``counts``."""
        listed = [{"kind": item.kind, "message": item.message, "nodes": list(item.nodes)} for item in self.items]
        return {"repairs": listed, "counts": dict(self.counts())}

    def __str__(self) -> str:
        return "\n".join(map(str, self.items)) if self.items else "nothing to repair"


def repair(
    graph: ArgumentGraph,
    *,
    direct: Direct = "join",
    duplicates: bool = True,
    analysts: bool = True,
    orphans: bool = True,
    schemes: bool = True,
) -> tuple[ArgumentGraph, Repairs]:
    """A repaired graph, and what was changed; repairing it again changes nothing.

    Args:
        graph: the graph to repair; it does not change.
        direct: edges without a scheme node between: ``join`` puts an RA-node into an edge from I to I (as OVA does) and
            leaves other direct edges between I and L alone; ``drop`` drops all of them; ``keep`` keeps them.
        duplicates: whether propositions of the same text become the first of them. Two that a relation joins are left
            alone.
        analysts: whether to drop YA ``Analysing``, the locutions that lead to them alone, and detached copies of
            locutions.
        orphans: whether to drop scheme nodes that start from nothing or lead to nothing.
        schemes: whether a scheme node without a scheme gets the one that its text names, or the default of its type
            where the text is empty or names only the type. Other texts are left alone.

    Raises:
        OptionError: ``direct`` is none of the three.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> build.edge(reason, claim)
    >>> repaired, repairs = repair(build.graph(), schemes=False)
    >>> print(repairs, [node.type for node in repaired])
    direct: I 2 → I 1 is joined by RA 3 ['I', 'I', 'RA']
    """
    if direct not in ("join", "drop", "keep"):
        raise OptionError(f"direct={direct!r}", remedy="choose from join, drop, keep")
    repairs: list[Repair] = []
    graph = _direct(graph, direct, repairs)
    if duplicates:
        graph = _duplicates(graph, repairs)
    while True:
        before = len(repairs)
        if analysts:
            graph = _analysts(graph, repairs)
        if orphans:
            graph = _orphans(graph, repairs)
        if len(repairs) == before:
            break
    if schemes:
        graph = _schemes(graph, repairs)
    return graph, Repairs(tuple(repairs))


def _direct(graph: ArgumentGraph, how: Direct, repairs: list[Repair]) -> ArgumentGraph:
    index = GraphIndex(graph)
    ends = [(e.source, e.target) for e in graph.edges if index.kind[e.source] in "IL" and index.kind[e.target] in "IL"]
    if how == "drop":
        repairs += [Repair("direct", f"{index.name(a)} → {index.name(b)} is dropped", (a, b)) for a, b in ends]
        return without_edges(graph, ends)
    if how == "join":
        between = [(a, b) for a, b in ends if index.kind[a] == index.kind[b] == "I"]
        joined = join(graph, between, "RA", DEFAULT_TEXTS["RA"])
        new = [node.id for node in joined if node.id not in graph]
        for (a, b), id_ in zip(between, new, strict=True):
            repairs.append(
                Repair(
                    "direct", f"{index.name(a)} → {index.name(b)} is joined by {joined[id_].type} {id_}", (a, b, id_)
                )
            )
        return joined
    return graph


def _duplicates(graph: ArgumentGraph, repairs: list[Repair]) -> ArgumentGraph:
    joined: dict[str, set[str]] = {}
    for _, start, end in GraphIndex(graph).links(*RELATIONS):
        joined.setdefault(start, set()).add(end)
        joined.setdefault(end, set()).add(start)
    # The propositions that stay, by text, each with what is merged into it.
    staying: dict[str, dict[str, set[str]]] = {}
    into: dict[str, str] = {}
    for node in graph.propositions:
        if not node.text.strip():
            continue
        of_text = staying.setdefault(node.text.strip(), {})
        # Merged with what a relation joins it to, it would support, attack or rephrase itself.
        unrelated = (id_ for id_, merged in of_text.items() if merged.isdisjoint(joined.get(node.id, ())))
        host = next(unrelated, node.id)
        of_text.setdefault(host, set()).add(node.id)
        if host != node.id:
            into[node.id] = host
            repairs.append(Repair("duplicates", f"I {node.id} is merged into I {host}", (node.id, host)))
    return merge_nodes(graph, into) if into else graph


def _analysts(graph: ArgumentGraph, repairs: list[Repair]) -> ArgumentGraph:
    index = GraphIndex(graph)
    speech = set(index.speech)
    said = {graph[id_].text.strip() for id_ in speech}
    dropped = []
    for id_ in [*index.of("YA"), *index.of("L")]:
        if index.kind[id_] == "YA":
            drop, what = id_ in index.analysing, "an analyst's illocution"
        elif id_ in index.out or id_ in index.into:
            drop, what = id_ not in speech, "an analyst's locution"
        else:
            # Alone and the copy of another, with the analyst's name in front. What is alone and says something of its
            # own stays: somebody may have meant to link it.
            drop, what = without_speaker(graph[id_].text) in said, "an analyst's copy of a locution"
        if drop:
            dropped.append(id_)
            repairs.append(Repair("analysts", f"{index.name(id_)}, {what}, is dropped", (id_,)))
    return without_nodes(graph, dropped)


def _orphans(graph: ArgumentGraph, repairs: list[Repair]) -> ArgumentGraph:
    while True:
        index = GraphIndex(graph)
        dropped = [id_ for id_ in index.of(*SCHEME_KINDS) if not index.starts(id_) or not index.ends(id_)]
        if not dropped:
            return graph
        for id_ in dropped:
            lacks = "what it starts from" if not index.starts(id_) else "what it leads to"
            repairs.append(Repair("orphans", f"{index.name(id_)} lacks {lacks} and is dropped", (id_,)))
        graph = without_nodes(graph, dropped)


def _schemes(graph: ArgumentGraph, repairs: list[Repair]) -> ArgumentGraph:
    missing: dict[str, Scheme] = {}
    for node in graph:
        if node.kind not in SCHEME_KINDS or node.schemes:
            continue
        for scheme in schemes_of_text(node.kind, node.text):
            missing[node.id] = scheme
            what = f"{node.type} {node.id} gets the scheme {scheme.name} ({scheme.id})"
            repairs.append(Repair("schemes", what, (node.id,)))
    return with_scheme(graph, missing) if missing else graph
