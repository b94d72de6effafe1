"""Reading RDF that others wrote: AIFdb's own and the ontology's properties, from either namespace."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from rdflib import URIRef

from aifgraph.graph import ArgumentGraph, Edge, Meta, Node, Notice, Scheme
from aifgraph.graph.nodes import EMPTY, KINDS, make_node
from aifgraph.graph.schemes import letters
from aifgraph.interop.rdf.plain import LINKS
from aifgraph.interop.rdf.vocabulary import OWN, OWN_ROLES, RDF_TYPE, RDFS_LABEL, ROLES, local, node_id, scheme_of

if TYPE_CHECKING:
    import rdflib

#: Classes that say a type in other words (the ontology's equivalents and this library's own).
_CLASSES: Final = {
    "Statement": "I",
    "Inference": "RA",
    "Conflict": "CA",
    "Preference": "PA",
    "Illocution": "YA",
    "Transition": "TA",
} | {f"{kind}-node": kind for kind in KINDS}

#: The ontology's properties: whether the edge leads into the subject.
_INTO: Final = {local(role[0]): True for role in ROLES.values()} | {local(role[1]): False for role in ROLES.values()}
_OWN_INTO: Final = {role[0]: True for role in OWN_ROLES.values()} | {role[1]: False for role in OWN_ROLES.values()}
_BY_NAME: Final = {
    name: {ends for ends, link in LINKS.items() if link[0] == name} for name in {link[0] for link in LINKS.values()}
}


def read_plain(rdf: rdflib.Graph, base: str, name: str) -> ArgumentGraph:
    """The graph in triples of the profiles ``aifdb`` and ``owl`` (or a mixture)."""
    kinds: dict[str, str] = {}
    for subject, class_ in rdf.subject_objects(URIRef(RDF_TYPE)):
        kind = _kind(str(class_))
        # An L-node is a kind of I-node, and AIFdb's TA is a Transition as well: the narrower one counts.
        if kind and isinstance(subject, URIRef) and kinds.get(str(subject)) in (None, "I"):
            kinds[str(subject)] = kind
    ids = _ids(sorted(kinds, key=lambda iri: _by_number(node_id(iri, base))), base)
    nodes: dict[str, Node] = {}
    for iri, id_ in ids.items():
        said = _values(rdf, iri)
        schemes = tuple(sorted((s for each in said.get("fulfils", ()) if (s := scheme_of(each))), key=str))
        text = next(iter(said.get("claimText", ())), None)
        if text is None:
            text = next(iter(said.get("label", ())), schemes[0].name if schemes and schemes[0].name else "")
        stamp = next(iter(said.get("creationDate", ())), None)
        record = {"nodeID": id_, "text": text, "type": kinds[iri], "timestamp": stamp} if stamp else EMPTY
        nodes[id_] = make_node(kinds[iri], id_, text, tuple(Scheme(*scheme) for scheme in schemes), record)
    pairs: dict[tuple[str, str], None] = {}
    notices: list[Notice] = []
    for subject, property_, object_ in sorted(rdf, key=lambda triple: _triple_key(triple, ids)):
        ends = _edge(str(subject), str(property_), str(object_), kinds)
        if ends is None:
            continue
        source, target = (ids.get(end) for end in ends)
        if source is None or target is None:
            missing = str(object_) if str(object_) not in ids else str(subject)
            notices.append(Notice("edge-dangling", f"{property_} names {missing}, which has no type: left out"))
        elif source != target:
            pairs[source, target] = None
    edges = tuple(Edge(*ends, str(number)) for number, ends in enumerate(pairs, 1))
    return ArgumentGraph(nodes.values(), edges, Meta(notices=tuple(notices)), name)


def _kind(class_: str) -> str | None:
    name = local(class_)
    if name is None:
        return _CLASSES.get(class_.removeprefix(OWN)) if class_.startswith(OWN) else None
    if name in _CLASSES:
        return _CLASSES[name]
    # The ontology's sub-classes: ExpertOpinion_Inference, Bias_Conflict, …
    return next((kind for word, kind in _CLASSES.items() if name.endswith(f"_{word}")), None)


def _ids(iris: list[str], base: str) -> dict[str, str]:
    """IRI → node id; two IRIs that end alike keep their whole IRI as id."""
    short = [node_id(iri, base) for iri in iris]
    twice = {id_ for id_, count in Counter(short).items() if count > 1}
    return {iri: iri if id_ in twice else id_ for iri, id_ in zip(iris, short, strict=True)}


def _by_number(id_: str) -> tuple[int, int, str]:
    # AIFdb counts its nodes up: by number is the order in which they were made.
    return (0, int(id_), id_) if id_.isascii() and id_.isdigit() and len(id_) < 20 else (1, 0, id_)


def _triple_key(triple: tuple[Any, Any, Any], ids: dict[str, str]) -> tuple[object, ...]:
    return tuple(_by_number(ids.get(str(each), str(each))) for each in triple)


def _values(rdf: rdflib.Graph, iri: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for property_, value in rdf.predicate_objects(URIRef(iri)):
        name = "label" if str(property_) == RDFS_LABEL else local(str(property_))
        if name is not None:
            found.setdefault(name, []).append(str(value))
    return {name: sorted(values) for name, values in found.items()}


def _edge(subject: str, property_: str, object_: str, kinds: dict[str, str]) -> tuple[str, str] | None:
    """The ends of the edge that a triple stands for, in AIF's direction; None for a triple of another kind."""
    if property_ in _OWN_INTO:
        return (object_, subject) if _OWN_INTO[property_] else (subject, object_)
    name = local(property_)
    if name is None:
        return None
    if name in _BY_NAME:
        ends = kinds.get(subject, ""), kinds.get(object_, "")
        if name == "IllocutionaryContent" and "YA" in ends:
            # AIFdb writes it on both sides: it always leads away from the illocution. Between two illocutions it
            # is written on the first only.
            return (subject, object_) if ends[0] == "YA" else (object_, subject)
        if ends in _BY_NAME[name]:
            return subject, object_
        if ends[::-1] in _BY_NAME[name]:
            return object_, subject
        return (subject, object_) if "" in ends else None
    if name in _INTO:
        return (object_, subject) if _INTO[name] else (subject, object_)
    # The ontology's properties of single schemes: hasFieldExpertise_Premise, …_Exception, …_Presumption.
    if name.startswith("has") and letters(name).endswith(("premise", "presumption", "exception")):
        return object_, subject
    return None
