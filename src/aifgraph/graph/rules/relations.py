"""Rules 2xx: what a relation joins. An illocution that leads to a relation anchors it and is no premise of it."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.graph.nodes import SCHEME_KINDS
from aifgraph.graph.rules.index import GraphIndex, cycles
from aifgraph.graph.rules.rule import Hit, rule
from aifgraph.graph.schemes import is_default

_OWL = "AIF ontology 1.0"
_IAT = "IAT annotation guidelines 2023"


@rule(201, "Bex, Prakken & Reed 2010, definition of an AIF graph", aif="E", iat="E", xaif="W")
def s_in_out(index: GraphIndex) -> Iterator[Hit]:
    """A scheme node starts from something and leads to something. Illocutions that anchor a relation are not counted;
    a transition starts from a locution and leads to a locution."""
    lacking = [id_ for id_ in index.of(*SCHEME_KINDS) if not index.starts(id_) or not index.ends(id_)]
    for id_ in lacking:
        kind = index.kind[id_]
        start = {"YA": "anchor", "TA": "locution that it answers"}.get(kind, "premise")
        end = {"YA": "content", "TA": "locution that answers"}.get(kind, "conclusion")
        missing = [word for word, nodes in ((start, index.starts(id_)), (end, index.ends(id_))) if not nodes]
        yield f"{index.name(id_)} has no {' and no '.join(missing)}", (id_,)


@rule(202, _OWL + "; " + _IAT + "; xAIF tutorial", aif="E", iat="E", xaif="E")
def ra_conclusion(index: GraphIndex) -> Iterator[Hit]:
    """An inference has one conclusion (its premises may be several: linked support)."""
    for id_, ends in index.several_ends("RA"):
        yield f"RA {id_} has {len(ends)} conclusions: {index.names(ends)}", (id_, *ends)


@rule(203, _OWL + " (premises are statements; Bex, Prakken & Reed 2010 allow scheme nodes)", aif="N", iat="W", xaif="N")
def ra_premise_type(index: GraphIndex) -> Iterator[Hit]:
    """The premises of an inference are propositions."""
    for id_ in index.of("RA"):
        odd = [start for start in index.starts(id_) if index.kind[start] in SCHEME_KINDS]
        if odd:
            yield f"RA {id_} has a scheme node as premise: {index.names(odd)}", (id_, *odd)


def _one_each(index: GraphIndex, kind: str) -> Iterator[Hit]:
    for id_, starts in index.several_starts(kind):
        yield f"{kind} {id_} starts from {len(starts)} nodes instead of one: {index.names(starts)}", (id_, *starts)
    yield from _one_end(index, kind)


def _one_end(index: GraphIndex, kind: str) -> Iterator[Hit]:
    for id_, ends in index.several_ends(kind):
        yield f"{kind} {id_} leads to {len(ends)} nodes instead of one: {index.names(ends)}", (id_, *ends)


@rule(204, _OWL + "; " + _IAT, aif="W", iat="E", xaif="W")
def ca_arity(index: GraphIndex) -> Iterator[Hit]:
    """A conflict leads to one node (several may attack it together: joint attack)."""
    return _one_end(index, "CA")


@rule(205, _IAT, aif="W", iat="E", xaif="W")
def ma_arity(index: GraphIndex) -> Iterator[Hit]:
    """A rephrase leads from one proposition to one proposition."""
    return _one_each(index, "MA")


@rule(206, _OWL, aif="E", iat="E", xaif="E")
def pa_arity(index: GraphIndex) -> Iterator[Hit]:
    """A preference leads from one preferred node to one dispreferred node."""
    return _one_each(index, "PA")


def _same(index: GraphIndex, *kinds: str) -> Iterator[Hit]:
    for id_ in index.of(*kinds):
        ends = set(index.ends(id_))
        both = [start for start in index.starts(id_) if start in ends]
        if both:
            yield f"{index.name(id_)} starts from and leads to the same node: {index.names(both)}", (id_, *both)


@rule(207, "occurs in QT30", aif="W", iat="W", xaif="W")
def premise_is_conclusion(index: GraphIndex) -> Iterator[Hit]:
    """No node is both premise and conclusion of one inference, conflict or preference."""
    return _same(index, "RA", "CA", "PA")


@rule(208, _IAT + " (QT30: 50 times)", aif="W", iat="E", xaif="W")
def ma_same_node(index: GraphIndex) -> Iterator[Hit]:
    """A rephrase joins two different propositions."""
    return _same(index, "MA")


@rule(209, _IAT, aif="N", iat="N", xaif="N")
def sym_conflict(index: GraphIndex) -> Iterator[Hit]:
    """Two nodes conflict in one direction: a conflict each way counts as two in measures; perhaps one was meant."""
    attacks: dict[tuple[str, str], str] = {}
    for id_, start, end in index.links("CA"):
        attacks.setdefault((start, end), id_)
    for (start, end), id_ in attacks.items():
        back = attacks.get((end, start))
        if back is not None and back != id_ and start < end:
            pair = index.names([start, end])
            yield f"{pair} conflict in both directions, by CA {id_} and CA {back}", (start, end, id_, back)


@rule(210, "Walton 1991, Begging the Question (circular reasoning)", aif="W", iat="W", xaif="W")
def support_acyclic(index: GraphIndex) -> Iterator[Hit]:
    """No proposition supports itself by way of others (inferences from premise to conclusion form no circle)."""
    after: dict[str, list[str]] = {}
    for _, start, end in index.links("RA"):
        after.setdefault(start, []).append(end)
    for circle in cycles(after):
        yield f"{index.names(circle)} support each other in a circle", tuple(circle)


@rule(211, "what reviewers of annotations look for", aif="W", iat="W", xaif="W")
def relation_duplicate(index: GraphIndex) -> Iterator[Hit]:
    """Two inferences (or conflicts, or rephrases) with the same premises, the same conclusion and the same scheme are
    one."""
    same: dict[tuple[object, ...], list[str]] = {}
    for id_ in index.of("RA", "CA", "MA"):
        starts, ends = frozenset(index.starts(id_)), frozenset(index.ends(id_))
        if starts and ends:
            kind = index.kind[id_]
            schemes = frozenset(scheme for scheme in index.node(id_).schemes if not is_default(scheme, kind))
            same.setdefault((kind, starts, ends, schemes), []).append(id_)
    for ids in same.values():
        if len(ids) > 1:
            yield f"{index.names(ids)} join the same nodes in the same way", tuple(ids)


@rule(212, "what reviewers of annotations look for", aif="W", iat="W", xaif="W")
def support_and_conflict(index: GraphIndex) -> Iterator[Hit]:
    """Two nodes of which one supports the other are not in conflict, in either direction."""
    supports = {frozenset((start, end)): id_ for id_, start, end in index.links("RA")}
    reported: set[frozenset[str]] = set()
    for id_, start, end in index.links("CA"):
        pair = frozenset((start, end))
        support = supports.get(pair)
        if support is not None and len(pair) == 2 and pair not in reported:
            reported.add(pair)
            pair_names = index.names([start, end])
            message = f"{pair_names} are joined by a support (RA {support}) and a conflict (CA {id_})"
            yield message, (start, end, support, id_)


@rule(213, "what reviewers of annotations look for (QT30: 10 times)", aif="N", iat="N", xaif="N")
def i_alone(index: GraphIndex) -> Iterator[Hit]:
    """A proposition is joined to something (asked where a map has edges: one without any is a list of units)."""
    for id_ in index.of("I") if index.out else ():
        if id_ not in index.into and id_ not in index.out:
            yield f"{index.name(id_)} stands alone: {index.text(id_)[:60]!r}", (id_,)


@rule(214, "Peldszus & Stede 2013, linked premises of an attack; " + _OWL + " has one", aif="N", iat="N", xaif="N")
def ca_joint(index: GraphIndex) -> Iterator[Hit]:
    """A conflict starts from one node. Several attack jointly, as in the microtexts, but not in AIF's ontology."""
    for id_, starts in index.several_starts("CA"):
        yield f"CA {id_} starts from {len(starts)} nodes, which attack jointly: {index.names(starts)}", (id_, *starts)
