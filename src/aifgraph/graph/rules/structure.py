"""Rules 1xx and 2xx: nodes and edges, what reading had to repair, and what a relation joins.

An illocution that leads to a relation anchors it and is no premise of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from aifgraph.graph.nodes import KINDS, RELATIONS, SCHEME_KINDS, Edge
from aifgraph.graph.rules.index import ENTHYMEME, GraphIndex, Hit, rule
from aifgraph.graph.schemes import is_default

_SPEC: Final = "AIF specification 2011"
_BEX: Final = "Bex, Prakken & Reed 2010, definition of an AIF graph"
_IAT: Final = "IAT annotation guidelines 2023"
_OWL: Final = "AIF ontology 1.0"
_REVIEWERS: Final = "what reviewers of annotations look for"

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
    for type_ in [type_ for type_ in index.ids if type_ not in KINDS]:
        for id_ in index.ids[type_]:
            yield f"node {id_} is of type {type_}, which AIF does not define", (id_,)


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
            ends = ", ".join(f"{index.name(start)} → {index.name(end)}" for start, end, *_ in (other, edge))
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


#: What a node starts from and leads to, where it is not a premise and a conclusion.
_STARTS: Final = {"YA": "anchor", "TA": "locution that it answers"}
_ENDS: Final = {"YA": "content", "TA": "locution that answers"}


@rule(201, "EEW", _BEX)
def s_in_out(index: GraphIndex) -> Iterator[Hit]:
    """A scheme node starts from something and leads to something. Illocutions that anchor a relation are not counted;
    a transition starts from a locution and leads to a locution."""
    for id_ in index.of_type(*SCHEME_KINDS):
        kind = index.types[id_]
        missing = [] if index.starts(id_) else [_STARTS.get(kind, "premise")]
        missing += [] if index.ends(id_) else [_ENDS.get(kind, "conclusion")]
        if missing:
            yield f"{index.name(id_)} has no {' and no '.join(missing)}", (id_,)


#: The rules about how many nodes, and which, an S-node joins: number, name, levels, source, types, side that is looked
#: at, what several nodes there are, text. The side ``both`` looks for nodes that are on both.
_ARITY: Final = (
    (202, "ra-conclusion", "EEE", f"{_OWL}; {_IAT}; xAIF tutorial", ("RA",), "ends", "conclusions",
     "An inference has one conclusion (its premises may be several: linked support)."),
    (204, "ca-arity", "WEW", f"{_OWL}; {_IAT}", ("CA",), "ends", "conclusions instead of one",
     "A conflict leads to one node (several may attack it together: joint attack)."),
    (205, "ma-arity", "WEW", _IAT, ("MA",), "starts ends", "{} instead of one",
     "A rephrase leads from one proposition to one proposition."),
    (206, "pa-arity", "EEE", _OWL, ("PA",), "starts ends", "{} instead of one",
     "A preference leads from one preferred node to one dispreferred node."),
    (207, "premise-is-conclusion", "WWW", "occurs in QT30", ("RA", "CA", "PA"), "both", "",
     "No node is both premise and conclusion of one inference, conflict or preference."),
    (208, "ma-same-node", "WEW", f"{_IAT} (QT30: 50 times)", ("MA",), "both", "",
     "A rephrase joins two different propositions."),
    (214, "ca-joint", "NNN", f"Peldszus & Stede 2013, linked premises of an attack; {_OWL} has one", ("CA",), "starts",
     "premises, which attack jointly", "A conflict starts from one node. Several attack jointly, as in the microtexts, "
     "but not in AIF's ontology."),
    (301, "ta-ends", "WWW", f"{_IAT} (QT30: 34 times)", ("TA",), "ends", "locutions at its end",
     "A transition leads to one locution (it may answer several)."),
    (305, "ya-anchor", "WEW", _IAT, ("YA",), "starts", "anchors",
     "An illocution is anchored in one locution or transition."),
    (306, "ya-target", "WEW", _IAT, ("YA",), "ends", "contents",
     "An illocution has one content: a proposition, a relation, or a locution (reported speech, Analysing)."),
)  # fmt: skip
_SIDES: Final = {"starts": "premises", "ends": "conclusions"}


def _arity(types: tuple[str, ...], sides: str, several: str, index: GraphIndex) -> Iterator[Hit]:
    for side in sides.split():
        for id_ in index.of_type(*types):
            starts, ends = index.starts(id_), index.ends(id_)
            found = starts if side == "starts" else ends
            if side == "both":
                found = [*filter({*ends}.__contains__, starts)]
            if found and side == "both":
                yield f"{index.name(id_)} starts from and leads to the same node: {index.names(found)}", (id_, *found)
            elif len(found) > 1:
                what = several.format(_SIDES.get(side))
                yield f"{index.name(id_)} has {len(found)} {what}: {index.names(found)}", (id_, *found)


for _number, _name, _levels, _source, _types, _side, _several, _text in _ARITY:
    rule(_number, _levels, _source, _name, _text)(partial(_arity, _types, _side, _several))


@rule(210, "WWW", "Walton 1991, Begging the Question (circular reasoning)")
def support_acyclic(index: GraphIndex) -> Iterator[Hit]:
    """No proposition supports itself by way of others (inferences from premise to conclusion form no circle)."""
    for circle in index.cycles("RA"):
        yield f"{index.names(circle)} support each other in a circle", tuple(circle)


@rule(203, "NWN", f"{_OWL} (premises are statements; Bex, Prakken & Reed 2010 allow scheme nodes)")
def ra_premise_type(index: GraphIndex) -> Iterator[Hit]:
    """The premises of an inference are propositions."""
    for id_ in index.of_type("RA"):
        if odd := [start for start in index.starts(id_) if index.types[start] in SCHEME_KINDS]:
            yield f"RA {id_} has a scheme node as premise: {index.names(odd)}", (id_, *odd)


@rule(209, "NNN", _IAT)
def sym_conflict(index: GraphIndex) -> Iterator[Hit]:
    """Two nodes conflict in one direction: a conflict each way counts as two in measures; perhaps one was meant."""
    attacks: dict[tuple[str, str], str] = {}
    conflicts = index.of_type("CA")
    both_ways = {id_ for node in conflicts for id_ in index.starts(node)}
    both_ways &= {id_ for node in conflicts for id_ in index.ends(node)}
    for id_, start, end in index.links("CA", among=both_ways):
        attacks.setdefault((start, end), id_)
    for (start, end), id_ in attacks.items():
        back = attacks.get((end, start))
        if back is not None and back != id_ and start < end:
            what = f"{index.names([start, end])} conflict in both directions, by CA {id_} and CA {back}"
            yield what, (start, end, id_, back)


@rule(211, "WWW", _REVIEWERS)
def relation_duplicate(index: GraphIndex) -> Iterator[Hit]:
    """Two inferences (or conflicts, or rephrases) with the same premises, the same conclusion and the same scheme are
    one."""
    same: dict[tuple[object, ...], list[str]] = {}
    for id_ in index.of_type("RA", "CA", "MA"):
        starts, ends = frozenset(index.starts(id_)), frozenset(index.ends(id_))
        if starts and ends:
            kind = index.types[id_]
            schemes = frozenset(scheme for scheme in index.graph[id_].schemes if not is_default(scheme, kind))
            same.setdefault((kind, starts, ends, schemes), []).append(id_)
    for ids in same.values():
        if len(ids) > 1:
            yield f"{index.names(ids)} join the same nodes in the same way", tuple(ids)


@rule(212, "WWW", _REVIEWERS)
def support_and_conflict(index: GraphIndex) -> Iterator[Hit]:
    """A node that supports another one does not conflict with it, in either direction."""
    supporting, conflicting = (
        {id_ for node in index.of_type(type_) for id_ in (*index.starts(node), *index.ends(node))}
        for type_ in ("RA", "CA")
    )
    both = supporting & conflicting
    supports = {frozenset((start, end)): id_ for id_, start, end in index.links("RA", among=both)}
    for id_, start, end in index.links("CA", among=both):
        # Each pair once, by its last support.
        if start != end and (support := supports.pop(frozenset((start, end)), None)):
            what = f"{index.names([start, end])} are joined by a support (RA {support}) and a conflict (CA {id_})"
            yield what, (start, end, support, id_)


@rule(213, "NNN", f"{_REVIEWERS} (QT30: 10 times)")
def i_alone(index: GraphIndex) -> Iterator[Hit]:
    """A proposition is joined to something (checked only if the map has edges; else it is a list of units)."""
    for id_ in index.of_type("I") if index.out else ():
        if id_ not in index.into and id_ not in index.out:
            yield f"{index.name(id_)} stands alone: {index.text(id_)[:60]!r}", (id_,)
