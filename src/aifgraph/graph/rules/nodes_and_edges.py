"""Rules 1xx: nodes and edges as such, and what reading had to repair before there was a graph."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.graph.nodes import KINDS, RELATIONS, Edge
from aifgraph.graph.rules.index import ENTHYMEME, GraphIndex
from aifgraph.graph.rules.rule import Hit, rule

_SPEC = "AIF specification 2011"
_BEX = "Bex, Prakken & Reed 2010, definition of an AIF graph"
_IAT = "IAT annotation guidelines 2023"

#: The edges that are always or on a condition legal, by the types at their ends.
_LEGAL = frozenset(
    [("I", each) for each in RELATIONS]
    + [("L", "YA"), ("L", "TA"), ("TA", "L"), ("TA", "YA"), ("YA", "I"), ("YA", "L")]
    + [("YA", each) for each in RELATIONS]
    + [(each, "I") for each in RELATIONS]
    + [(each, other) for each in ("RA", "CA", "PA") for other in RELATIONS if (each, other) != ("PA", "MA")]
)
_UNUSUAL = frozenset([*(("MA", each) for each in RELATIONS), ("PA", "MA"), ("YA", "YA")])
_TEXT_NODES = frozenset("IL")
_KNOWN = frozenset(KINDS)


def _noticed(index: GraphIndex, code: str) -> Iterator[Hit]:
    for notice in index.graph.notices:
        if notice.code == code:
            yield notice.message, notice.nodes


@rule(101, _SPEC, aif="E", iat="E", xaif="E")
def type_known(index: GraphIndex) -> Iterator[Hit]:
    """The type of a node is I, L, RA, CA, MA, PA, YA or TA."""
    for kind in index.by_kind:
        if kind not in _KNOWN:
            for id_ in index.of(kind):
                yield f"node {id_} is of type {kind}, which AIF does not define", (id_,)


@rule(102, "AIFdb: the same id twice means the same node with one more scheme", aif="E", iat="E", xaif="E")
def id_unique(index: GraphIndex) -> Iterator[Hit]:
    """A node id is given once (once per scheme in AIFdb's own files, which is no fault)."""
    return _noticed(index, "node-repeated")


@rule(103, "AIF specification 2011; occurs in xAIF", aif="E", iat="E", xaif="E")
def edge_resolves(index: GraphIndex) -> Iterator[Hit]:
    """Both ends of an edge are nodes of the map."""
    return _noticed(index, "edge-dangling")


@rule(104, _BEX + " (a simple graph); occurs in QT30", aif="E", iat="E", xaif="E")
def edge_loop(index: GraphIndex) -> Iterator[Hit]:
    """No edge leads from a node to itself."""
    return _noticed(index, "edge-loop")


@rule(105, _BEX + " (a simple graph)", aif="W", iat="W", xaif="W")
def edge_duplicate(index: GraphIndex) -> Iterator[Hit]:
    """An edge is given once."""
    return _noticed(index, "edge-repeated")


@rule(106, _SPEC, aif="W", iat="W", xaif="W")
def text_missing(index: GraphIndex) -> Iterator[Hit]:
    """A node has a text, even if it is empty."""
    return _noticed(index, "text-missing")


@rule(107, "AIFdb upload form and xAIF, schemefulfillments", aif="W", iat="W", xaif="W")
def fulfilment_resolves(index: GraphIndex) -> Iterator[Hit]:
    """A scheme fulfilment names a node of the map."""
    return _noticed(index, "fulfilment-dangling")


@rule(108, "OVA3", aif="N", iat="N", xaif="N")
def enthymeme(index: GraphIndex) -> Iterator[Hit]:
    """OVA3's type EN (enthymeme) is read as a proposition by these rules; no measure counts it."""
    for node in index.graph.others:
        if node.type == ENTHYMEME:
            yield f"node {node.id} is of type {ENTHYMEME}, which only OVA3 knows", (node.id,)


_OWN_RULE = {
    "node-repeated",
    "edge-dangling",
    "edge-loop",
    "edge-repeated",
    "text-missing",
    "fulfilment-dangling",
    "type-unknown",
}


@rule(109, "this library: nothing is repaired silently", aif="W", iat="W", xaif="W")
def reading(index: GraphIndex) -> Iterator[Hit]:
    """Reading the file needs no repair beyond those of the rules above."""
    for notice in index.graph.notices:
        if notice.code not in _OWN_RULE:
            yield notice.message, notice.nodes


@rule(110, "AIFdb: an edge is stored under its id", aif="W", iat="W", xaif="W")
def edge_id_unique(index: GraphIndex) -> Iterator[Hit]:
    """An edge id is given once: a program that finds edges by their ids sees one of two."""
    first: dict[str, Edge] = {}
    for edge in index.graph.edges:
        other = first.setdefault(edge.id, edge) if edge.id is not None else edge
        if other is not edge:
            ends = ", ".join(f"{index.name(each.source)} → {index.name(each.target)}" for each in (other, edge))
            yield f"two edges have the id {edge.id}: {ends}", (*other[:2], *edge[:2])


@rule(111, _BEX + "; AIF ontology 1.0; " + _IAT, aif="E", iat="E", xaif="E")
def i_to_i(index: GraphIndex) -> Iterator[Hit]:
    """Propositions and locutions are linked through scheme nodes only: no edge from I or L to I or L."""
    for ends in index.pairs:
        for source, target in index.pairs[ends] if ends[0] in _TEXT_NODES and ends[1] in _TEXT_NODES else ():
            yield (
                f"{index.name(source)} leads straight to {index.name(target)}, without a scheme node between",
                (source, target),
            )


@rule(112, _SPEC + "; " + _IAT, aif="E", iat="E", xaif="E")
def edge_types(index: GraphIndex) -> Iterator[Hit]:
    """The types at an edge's ends go together: I leads to relations, L to YA and TA, relations to propositions and
    relations, YA to what is said or done, TA to locutions and YA. Reported speech (YA to L) is legal."""
    fine = _LEGAL | _UNUSUAL
    for ends in index.pairs:
        both_texts = ends[0] in _TEXT_NODES and ends[1] in _TEXT_NODES
        if ends in fine or both_texts or not _KNOWN.issuperset(ends):
            continue
        for source, target in index.pairs[ends]:
            yield (
                f"{index.name(source)} leads to {index.name(target)}: no edge goes from {ends[0]} to {ends[1]}",
                (source, target),
            )


@rule(113, _BEX + " allows it, " + _IAT + " do not", aif="N", iat="W", xaif="W")
def edge_unusual(index: GraphIndex) -> Iterator[Hit]:
    """A rephrase leads to a proposition, a preference to no rephrase, and an illocution to no other illocution."""
    for ends in index.pairs:
        for source, target in index.pairs[ends] if ends in _UNUSUAL else ():
            yield (
                f"{index.name(source)} leads to {index.name(target)}, which is unusual",
                (source, target),
            )
