"""Rules 1xx: nodes and edges as such, and what reading had to repair before there was a graph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from aifgraph.graph.nodes import KINDS, RELATIONS, Edge
from aifgraph.graph.rules.index import ENTHYMEME, GraphIndex, Hit, rule

_SPEC: Final = "AIF specification 2011"
_BEX: Final = "Bex, Prakken & Reed 2010, definition of an AIF graph"
_IAT: Final = "IAT annotation guidelines 2023"

#: The edges that are legal, always or on a condition, by the types at their ends.
_LEGAL: Final = frozenset(
    [("I", kind) for kind in RELATIONS]
    + [("L", "YA"), ("L", "TA"), ("TA", "L"), ("TA", "YA"), ("YA", "I"), ("YA", "L")]
    + [("YA", kind) for kind in RELATIONS]
    + [(kind, "I") for kind in RELATIONS]
    + [(kind, other) for kind in ("RA", "CA", "PA") for other in RELATIONS if (kind, other) != ("PA", "MA")]
)
_UNUSUAL: Final = frozenset([*(("MA", kind) for kind in RELATIONS), ("PA", "MA"), ("YA", "YA")])
#: Edges without a scheme node between.
_DIRECT: Final = frozenset([("I", "I"), ("I", "L"), ("L", "I"), ("L", "L")])

#: The rules that reading sees to: number, name, levels, source, code of the notice, text.
_NOTICED: Final = (
    (102, "id-unique", "EEE", "AIFdb: the same id twice means the same node with one more scheme", "node-repeated",
     "A node id is given once (once per scheme in AIFdb's own files, which is no fault)."),
    (103, "edge-resolves", "EEE", f"{_SPEC}; occurs in xAIF", "edge-dangling",
     "Both ends of an edge are nodes of the map."),
    (104, "edge-loop", "EEE", f"{_BEX} (a simple graph); occurs in QT30", "edge-loop",
     "No edge leads from a node to itself."),
    (105, "edge-duplicate", "WWW", f"{_BEX} (a simple graph)", "edge-repeated",
     "An edge is given once."),
    (106, "text-missing", "WWW", _SPEC, "text-missing",
     "A node has a text, even if it is empty."),
    (107, "fulfilment-resolves", "WWW", "AIFdb upload form and xAIF, schemefulfillments", "fulfilment-dangling",
     "A scheme fulfilment names a node of the map."),
)  # fmt: skip
_OWN_RULE: Final = {"type-unknown", "references-decoded", *(code for *_, code, _ in _NOTICED)}


def _noticed(code: str, index: GraphIndex) -> Iterator[Hit]:
    return ((notice.message, notice.nodes) for notice in index.graph.notices if notice.code == code)


for _number, _name, _levels, _source, _code, _text in _NOTICED:
    rule(_number, _levels, _source, _name, _text)(partial(_noticed, _code))


@rule(101, "EEE", _SPEC)
def type_known(index: GraphIndex) -> Iterator[Hit]:
    """The type of a node is I, L, RA, CA, MA, PA, YA or TA."""
    for kind in index.by_kind:
        for id_ in index.of(kind) if kind not in KINDS else ():
            yield f"node {id_} is of type {kind}, which AIF does not define", (id_,)


@rule(108, "NNN", "OVA3")
def enthymeme(index: GraphIndex) -> Iterator[Hit]:
    """OVA3's type EN (enthymeme) is read as a proposition by these rules; no measure counts it."""
    for node in index.graph.others:
        if node.type == ENTHYMEME:
            yield f"node {node.id} is of type {ENTHYMEME}, which only OVA3 knows", (node.id,)


@rule(109, "WWW", "this library: nothing is repaired silently")
def reading(index: GraphIndex) -> Iterator[Hit]:
    """Reading the file needs no repair beyond those of the rules above."""
    return ((notice.message, notice.nodes) for notice in index.graph.notices if notice.code not in _OWN_RULE)


@rule(110, "WWW", "AIFdb: an edge is stored under its id")
def edge_id_unique(index: GraphIndex) -> Iterator[Hit]:
    """An edge id is given once; a program that finds edges by id would see only one of two."""
    first: dict[str, Edge] = {}
    for edge in index.graph.edges:
        other = first.setdefault(edge.id, edge) if edge.id is not None else edge
        if other is not edge:
            ends = ", ".join(f"{index.name(one.source)} → {index.name(one.target)}" for one in (other, edge))
            yield f"two edges have the id {edge.id}: {ends}", (*other[:2], *edge[:2])


@rule(111, "EEE", f"{_BEX}; AIF ontology 1.0; {_IAT}")
def i_to_i(index: GraphIndex) -> Iterator[Hit]:
    """Propositions and locutions are linked through scheme nodes only: no edge from I or L to I or L."""
    for source, target in (ends for kinds, pairs in index.pairs.items() if kinds in _DIRECT for ends in pairs):
        what = f"{index.name(source)} leads straight to {index.name(target)}, without a scheme node between"
        yield what, (source, target)


@rule(112, "EEE", f"{_SPEC}; {_IAT}")
def edge_types(index: GraphIndex) -> Iterator[Hit]:
    """The types at an edge's ends go together: I leads to relations, L to YA and TA, relations to propositions and
    relations, YA to its content, TA to locutions and YA. Reported speech (YA to L) is legal."""
    for kinds, pairs in index.pairs.items():
        if kinds not in _LEGAL | _UNUSUAL | _DIRECT and set(KINDS).issuperset(kinds):
            why = f"no edge goes from {kinds[0]} to {kinds[1]}"
            for source, target in pairs:
                yield f"{index.name(source)} leads to {index.name(target)}: {why}", (source, target)


@rule(113, "NWW", f"{_BEX} allows it, {_IAT} do not")
def edge_unusual(index: GraphIndex) -> Iterator[Hit]:
    """A rephrase leads to a proposition, a preference to no rephrase, and an illocution to no other illocution."""
    for source, target in (ends for kinds, pairs in index.pairs.items() if kinds in _UNUSUAL for ends in pairs):
        yield f"{index.name(source)} leads to {index.name(target)}, which is unusual", (source, target)
