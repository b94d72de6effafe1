"""Rules 2xx: what a relation joins. An illocution that leads to a relation anchors it and is no premise of it."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.graph.nodes import SCHEME_KINDS
from aifgraph.graph.rules import passes
from aifgraph.graph.rules.rule import Hit, rule
from aifgraph.graph.rules.view import View, cycles
from aifgraph.graph.schemes import is_default

_OWL = "AIF ontology 1.0"
_IAT = "IAT annotation guidelines 2023"


@rule(
    201,
    "Bex, Prakken & Reed 2010, definition of an AIF graph",
    aif="E",
    iat="E",
    xaif="W",
    passes=passes.starts_and_ends,
)
def s_in_out(view: View) -> Iterator[Hit]:
    """A scheme node starts from something and leads to something. Illocutions that anchor a relation are not counted;
    a transition starts from a locution and leads to a locution."""
    for kind in SCHEME_KINDS:
        for id_ in view.lacking(kind):
            no_start, no_end = not view.starts(id_), not view.ends(id_)
            start = {"YA": "anchor", "TA": "locution that it answers"}.get(kind, "premise")
            end = {"YA": "content", "TA": "locution that answers"}.get(kind, "conclusion")
            missing = [word for word, absent in ((start, no_start), (end, no_end)) if absent]
            yield f"{view.name(id_)} has no {' and no '.join(missing)}", (id_,)


@rule(202, _OWL + "; " + _IAT + "; xAIF tutorial", aif="E", iat="E", xaif="E", passes=passes.one_end("RA"))
def ra_conclusion(view: View) -> Iterator[Hit]:
    """An inference has one conclusion (its premises may be several: linked support)."""
    for id_ in view.several_ends("RA"):
        ends = view.ends(id_)
        yield f"RA {id_} has {len(ends)} conclusions: {view.names(ends)}", (id_, *ends)


@rule(
    203,
    _OWL + " (premises are statements; Bex, Prakken & Reed 2010 allow scheme nodes)",
    aif="N",
    iat="W",
    xaif="N",
    passes=passes.no_scheme_premises,
)
def ra_premise_type(view: View) -> Iterator[Hit]:
    """The premises of an inference are propositions."""
    for id_ in view.of("RA"):
        odd = [each for each in view.starts(id_) if view.kind[each] in SCHEME_KINDS]
        if odd:
            yield f"RA {id_} has a scheme node as premise: {view.names(odd)}", (id_, *odd)


def _one_each(view: View, kind: str) -> Iterator[Hit]:
    for id_ in view.several_starts(kind):
        starts = view.starts(id_)
        yield f"{kind} {id_} starts from {len(starts)} nodes instead of one: {view.names(starts)}", (id_, *starts)
    for id_ in view.several_ends(kind):
        ends = view.ends(id_)
        yield f"{kind} {id_} leads to {len(ends)} nodes instead of one: {view.names(ends)}", (id_, *ends)


@rule(204, _OWL + "; " + _IAT, aif="W", iat="E", xaif="W", passes=passes.one_end("CA"))
def ca_arity(view: View) -> Iterator[Hit]:
    """A conflict leads to one node (several may attack it together: joint attack)."""
    for id_ in view.several_ends("CA"):
        ends = view.ends(id_)
        yield f"CA {id_} leads to {len(ends)} nodes instead of one: {view.names(ends)}", (id_, *ends)


@rule(205, _IAT, aif="W", iat="E", xaif="W", passes=passes.one_each("MA"))
def ma_arity(view: View) -> Iterator[Hit]:
    """A rephrase leads from one proposition to one proposition."""
    return _one_each(view, "MA")


@rule(206, _OWL, aif="E", iat="E", xaif="E", passes=passes.one_each("PA"))
def pa_arity(view: View) -> Iterator[Hit]:
    """A preference leads from one preferred node to one dispreferred node."""
    return _one_each(view, "PA")


def _same(view: View, *kinds: str) -> Iterator[Hit]:
    for id_ in view.of(*kinds):
        ends = set(view.ends(id_))
        both = [each for each in view.starts(id_) if each in ends]
        if both:
            yield f"{view.name(id_)} starts from and leads to the same node: {view.names(both)}", (id_, *both)


@rule(207, "occurs in QT30", aif="W", iat="W", xaif="W", passes=passes.ends_differ("RA", "CA", "PA"))
def premise_is_conclusion(view: View) -> Iterator[Hit]:
    """No node is both premise and conclusion of one inference, conflict or preference."""
    return _same(view, "RA", "CA", "PA")


@rule(208, _IAT + " (QT30: 50 times)", aif="W", iat="E", xaif="W", passes=passes.ends_differ("MA"))
def ma_same_node(view: View) -> Iterator[Hit]:
    """A rephrase joins two different propositions."""
    return _same(view, "MA")


@rule(209, _IAT, aif="N", iat="N", xaif="N", passes=passes.one_way_conflicts)
def sym_conflict(view: View) -> Iterator[Hit]:
    """Two nodes that conflict in both directions are joined by two conflicts, which measures count as two: a note, for
    where one was meant."""
    attacks: dict[tuple[str, str], str] = {}
    for id_ in view.of("CA"):
        for start in view.starts(id_):
            for end in view.ends(id_):
                attacks.setdefault((start, end), id_)
    for (start, end), id_ in attacks.items():
        back = attacks.get((end, start))
        if back is not None and back != id_ and start < end:
            pair = view.names([start, end])
            yield f"{pair} conflict in both directions, by CA {id_} and CA {back}", (start, end, id_, back)


@rule(
    210,
    "Walton 1991, Begging the Question (circular reasoning)",
    aif="W",
    iat="W",
    xaif="W",
    passes=passes.acyclic("RA"),
)
def support_acyclic(view: View) -> Iterator[Hit]:
    """No proposition supports itself by way of others (inferences from premise to conclusion form no circle)."""
    after: dict[str, list[str]] = {}
    for id_ in view.of("RA"):
        for start in view.starts(id_):
            after.setdefault(start, []).extend(view.ends(id_))
    for circle in cycles(after):
        yield f"{view.names(circle)} support each other in a circle", tuple(circle)


@rule(211, "what reviewers of annotations look for", aif="W", iat="W", xaif="W", passes=passes.different_relations)
def relation_duplicate(view: View) -> Iterator[Hit]:
    """Two inferences (or conflicts, or rephrases) with the same premises, the same conclusion and the same scheme are
    one."""
    same: dict[tuple[object, ...], list[str]] = {}
    for id_ in view.of("RA", "CA", "MA"):
        starts, ends = frozenset(view.starts(id_)), frozenset(view.ends(id_))
        if starts and ends:
            kind = view.kind[id_]
            schemes = frozenset(scheme for scheme in view.schemes.get(id_, ()) if not is_default(scheme, kind))
            same.setdefault((kind, starts, ends, schemes), []).append(id_)
    for ids in same.values():
        if len(ids) > 1:
            yield f"{view.names(ids)} join the same nodes in the same way", tuple(ids)


@rule(212, "what reviewers of annotations look for", aif="W", iat="W", xaif="W", passes=passes.support_or_conflict)
def support_and_conflict(view: View) -> Iterator[Hit]:
    """Two nodes of which one supports the other are not in conflict, in either direction."""
    supports = {
        frozenset((start, end)): id_ for id_ in view.of("RA") for start in view.starts(id_) for end in view.ends(id_)
    }
    reported: set[frozenset[str]] = set()
    for id_ in view.of("CA"):
        for start in view.starts(id_):
            for end in view.ends(id_):
                pair = frozenset((start, end))
                support = supports.get(pair)
                if support is not None and len(pair) == 2 and pair not in reported:
                    reported.add(pair)
                    yield (
                        f"{view.names([start, end])} are joined by a support (RA {support}) and a conflict (CA {id_})",
                        (start, end, support, id_),
                    )


@rule(
    213,
    "what reviewers of annotations look for (QT30: 10 times)",
    aif="N",
    iat="N",
    xaif="N",
    passes=passes.none_alone("I"),
)
def i_alone(view: View) -> Iterator[Hit]:
    """A proposition is joined to something (asked where a map has edges: one without any is a list of units)."""
    for id_ in view.of("I") if view.out else ():
        if id_ not in view.into and id_ not in view.out:
            yield f"{view.name(id_)} stands alone: {view.text[id_][:60]!r}", (id_,)


@rule(
    214,
    "Peldszus & Stede 2013, linked premises of an attack; " + _OWL + " has one",
    aif="N",
    iat="N",
    xaif="N",
    passes=passes.one_start("CA"),
)
def ca_joint(view: View) -> Iterator[Hit]:
    """A conflict starts from one node. Several attack jointly, which the microtexts have and AIF's ontology has not."""
    for id_ in view.several_starts("CA"):
        starts = view.starts(id_)
        yield f"CA {id_} starts from {len(starts)} nodes, which attack jointly: {view.names(starts)}", (id_, *starts)
