"""From a graph to triples, in three profiles (docs/rdf.md).

============ ====================================================================================================
``aifdb``    exactly what AIFdb's ``/rdf/ID`` emits, its properties on the nodes on which AIFdb puts them
``owl``      what the AIF ontology 1.0 (F. Bex) declares, and nothing else
``full``     the ontology's names, and ``urn:aifgraph:`` for the rest of the model; fields that the model does not
             know (layout, what tools add) are lost
============ ====================================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from typing import Literal as Choice

import rdflib
from rdflib import Literal, URIRef

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph, LocutionRecord
from aifgraph.graph.meta import parse_time
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.interop.rdf.terms import (
    AIF,
    DECLARED,
    FOAF,
    OWL,
    OWL_INDIVIDUAL,
    OWN,
    RDF_TYPE,
    RDFS,
    RDFS_LABEL,
    XSD,
    MapNames,
    Role,
    any_role,
    declared_role,
    map_names,
    node_iri,
    percent,
    scheme_iri,
)

Profile = Choice["aifdb", "owl", "full"]
Triple = tuple[Any, Any, Any]
_TYPE: Final = URIRef(RDF_TYPE)
_INDIVIDUAL: Final = URIRef(OWL_INDIVIDUAL)


def to_rdf(
    graph: ArgumentGraph,
    profile: Profile = "full",
    *,
    base: str | None = None,
    name: str | None = None,
    corpus: str | None = None,
    into: Any = None,
) -> rdflib.Graph:
    """The triples of a graph in a profile.

    A node's IRI is the map's own, followed by ``#`` and the percent-encoded id. AIFdb's maps, and those read from RDF,
    keep their nodes' IRIs.

    Args:
        graph: the graph to describe.
        profile: ``full``, ``owl`` or ``aifdb`` (what each holds: ``docs/rdf.md``).
        base: what the IRIs of all other maps begin with; None makes a ``urn:`` of the map's name and content.
        name: the name of the map; None for its file's.
        corpus: the name of the corpus that it is part of.
        into: an rdflib graph to add to, for instance a named graph of a ``Dataset``; None makes a new one.

    Raises:
        OptionError: there is no such profile, or the base is no IRI.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder(name="masks.json")
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> rdf = to_rdf(build.graph(), "owl", base="http://example.org/")
    >>> sorted(f"{s.n3(rdf.namespace_manager)} {o}" for s, p, o in rdf if p.endswith("hasPremise"))
    ['n:3 http://example.org/masks#1']
    """
    names = map_names(graph, base=base, name=name, corpus=corpus)
    out = rdflib.Graph() if into is None else into
    for prefix, space in prefixes(names).items():
        out.bind(prefix, space, override=True, replace=True)
    out.addN((*triple, out) for triple in triples(graph, profile, names))
    return out


def triples(graph: ArgumentGraph, profile: str, names: MapNames) -> Iterator[Triple]:
    """The triples of a graph in a profile, under these names. Raises ``OptionError`` for a profile there is not."""
    if profile not in _PROFILES:
        raise OptionError(f"there is no RDF profile {profile!r}", remedy=f"choose from {', '.join(_PROFILES)}")
    return _PROFILES[profile](graph, names)


def prefixes(names: MapNames) -> dict[str, str]:
    """The prefixes that a map is written with; ``n`` stands for its nodes."""
    return {"aif": AIF, "foaf": FOAF, "ag": OWN, "n": names.base, "owl": OWL, "rdfs": RDFS, "xsd": XSD}


def _edge_triple(role: Role, source: URIRef, target: URIRef) -> Triple:
    return (source, URIRef(role.property), target) if role.on_source else (target, URIRef(role.property), source)


# What XML cannot hold, or changes: control characters, lone surrogates.
_UNSAFE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def safe_text(value: str) -> str:
    """A text that every syntax of RDF brings back unchanged: what XML cannot hold is U+FFFD."""
    return _UNSAFE.sub("\ufffd", value)


def text_literal(value: str) -> Literal:
    """A text as a literal."""
    return Literal(safe_text(value))


_BOTH, _SOURCE, _TARGET = "both", "source", "target"

#: Types at an edge's ends → the property, and the node on which it is written.
LINKS: Final = {
    **{("I", kind): ("Premise", _BOTH) for kind in ("RA", "CA")},
    **{(kind, "I"): ("Conclusion", _BOTH) for kind in ("RA", "CA")},
    **{("YA", kind): ("IllocutionaryContent", _BOTH) for kind in ("I", "RA", "CA")},
    **{("YA", kind): ("IllocutionaryContent", _SOURCE) for kind in ("L", "MA", "PA", "YA", "TA")},
    ("L", "YA"): ("Locution", _BOTH),
    ("TA", "YA"): ("Anchor", _TARGET),
    ("L", "TA"): ("StartLocution", _BOTH),
    ("TA", "L"): ("EndLocution", _BOTH),
}


def _aifdb(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """A map as AIFdb's ``/rdf/ID`` has it."""
    iris = {node.id: URIRef(node_iri(node.id, names.base)) for node in graph}
    for node in graph:
        iri = iris[node.id]
        yield iri, _TYPE, _INDIVIDUAL
        yield iri, _TYPE, URIRef(f"{AIF}{percent(node.type)}-node")
        if node.type == "TA":
            yield iri, _TYPE, URIRef(f"{AIF}Transition")
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), text_literal(node.text)
        if node.type == "L":
            yield iri, URIRef(f"{AIF}source"), text_literal(node.text.split(" says ", 1)[0])
        if node.timestamp is not None:
            yield iri, URIRef(f"{AIF}creationDate"), text_literal(node.timestamp)
    for edge in graph.edges:
        link = LINKS.get((graph[edge.source].type, graph[edge.target].type))
        if link is None:
            continue
        source, target, property_ = iris[edge.source], iris[edge.target], URIRef(AIF + link[0])
        if link[1] != _TARGET:
            yield source, property_, target
        if link[1] != _SOURCE:
            yield target, property_, source


def _owl(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """A map in the words of the AIF ontology 1.0."""
    iris = {node.id: URIRef(node_iri(node.id, names.base)) for node in graph}
    for node in graph:
        if node.type not in DECLARED:
            continue
        iri = iris[node.id]
        yield iri, _TYPE, _INDIVIDUAL
        yield iri, _TYPE, URIRef(f"{AIF}{node.type}-node")
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), text_literal(node.text)
            continue
        for scheme in node.schemes:
            yield iri, URIRef(f"{AIF}fulfils"), URIRef(scheme_iri(scheme))
        if (stored := parse_time(node.timestamp)) is not None:
            yield iri, URIRef(f"{AIF}creationDate"), Literal(stored.date().isoformat(), datatype=URIRef(f"{XSD}date"))
    for edge in graph.edges:
        source, target = graph[edge.source].type, graph[edge.target].type
        role = declared_role(source, target)
        if role is not None:
            yield _edge_triple(role, iris[edge.source], iris[edge.target])


# -- the profile full ---------------------------------------------------------------------------------------------


def _own(name: str) -> URIRef:
    return URIRef(OWN + name)


def _full(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """A map with all that the model has; its own resources are named after it."""
    map_ = URIRef(names.iri)
    iris = {node.id: URIRef(node_iri(node.id, names.base)) for node in graph}
    yield map_, _TYPE, _own("Map")
    yield map_, _own("base"), Literal(names.base)
    yield map_, _own("name"), text_literal(names.name)
    yield map_, _own("form"), text_literal(graph.meta.form)
    if names.corpus is not None:
        yield map_, _own("corpus"), text_literal(names.corpus)
    yield from _nodes(graph, names, iris)
    for order, edge in enumerate(graph.edges):
        role = any_role(graph[edge.source].type, graph[edge.target].type)
        if role is not None:
            yield _edge_triple(role, iris[edge.source], iris[edge.target])
        entry = URIRef(f"{names.iri}/edge/{order}")
        yield entry, _own("from"), iris[edge.source]
        yield entry, _own("to"), iris[edge.target]
        yield entry, _own("order"), Literal(order)
        yield from _texts(entry, {_own("edgeID"): edge.id, _own("formEdgeID"): edge.form_edge_id})
    yield from _people(graph, names)
    yield from _source(graph, names)


def _nodes(graph: ArgumentGraph, names: MapNames, iris: Mapping[str, URIRef]) -> Iterator[Triple]:
    for order, node in enumerate(graph):
        iri = iris[node.id]
        yield iri, _TYPE, _INDIVIDUAL
        yield iri, _TYPE, URIRef(f"{AIF if node.type in DECLARED else OWN}{percent(node.type)}-node")
        yield iri, URIRef(f"{AIF}claimText" if node.type in ("I", "L") else RDFS_LABEL), text_literal(node.text)
        for scheme in node.schemes:
            resource = URIRef(scheme_iri(scheme))
            yield iri, URIRef(f"{AIF}fulfils"), resource
            yield from _texts(resource, {URIRef(RDFS_LABEL): scheme.name})
        if node.type == "YA":
            yield iri, _own("label"), Literal(fold_name(label_of(node)))
        yield from _time(iri, "storedAt", node.timestamp)
        # AIFdb's maps share nodes, so the place of a node belongs to an entry of this map.
        entry = URIRef(f"{names.iri}/node/{order}")
        yield entry, _own("node"), iri
        yield entry, _own("order"), Literal(order)


def _people(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    people: dict[str, URIRef] = {}
    for order, person in enumerate(graph.meta.participants):
        iri = URIRef(f"{names.iri}/person/{order}")
        people.setdefault(person.id, iri)
        yield iri, _TYPE, URIRef(f"{FOAF}Person")
        yield iri, _own("order"), Literal(order)
        yield iri, URIRef(f"{FOAF}name"), text_literal(person.name)
        named = {URIRef(f"{FOAF}givenName"): person.first_name, URIRef(f"{FOAF}familyName"): person.surname}
        yield from _texts(iri, {_own("personID"): person.id, **named})
    for order, record in enumerate(graph.meta.locutions):
        iri = URIRef(f"{names.iri}/locution/{order}")
        yield iri, _own("order"), Literal(order)
        yield from _locution(iri, record, names)
        if record.person_id in people:
            yield iri, _own("person"), people[record.person_id]


def _locution(iri: URIRef, record: LocutionRecord, names: MapNames) -> Iterator[Triple]:
    yield iri, _TYPE, _own("LocutionRecord")
    yield iri, _own("locution"), URIRef(node_iri(record.node_id, names.base))
    yield from _texts(iri, {_own("personID"): record.person_id, _own("source"): record.source})
    for field, time in (("startedAt", record.start), ("endedAt", record.end), ("storedAt", record.timestamp)):
        yield from _time(iri, field, time)


def _source(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    source, map_ = graph.meta.source, URIRef(names.iri)
    if source is None:
        return
    yield map_, _own("sourceText"), text_literal(source.text)
    yield map_, _own("sourceOrigin"), Literal(source.origin)
    yield map_, _own("markedUp"), Literal(source.spans is None)
    for order, span in enumerate(source.spans or ()):
        iri = URIRef(f"{names.iri}/span/{order}")
        yield iri, _TYPE, _own("Span")
        yield iri, _own("order"), Literal(order)
        yield iri, _own("start"), Literal(span.start)
        yield iri, _own("end"), Literal(span.end)
        yield iri, _own("marks"), URIRef(node_iri(span.node_id, names.base))


def _texts(subject: URIRef, values: Mapping[URIRef, str | None]) -> Iterator[Triple]:
    for property_, value in values.items():
        if value is not None:
            yield subject, property_, text_literal(value)


def _time(subject: URIRef, field: str, value: str | None) -> Iterator[Triple]:
    """A time, typed for queries; and as text where it is written in another way than AIFdb writes times.

    Times without a zone stay so: the server's is not known.
    """
    moment = parse_time(value)
    if moment is not None:
        yield subject, _own(field), Literal(moment.isoformat(), datatype=URIRef(f"{XSD}dateTime"))
    if value is not None and (moment is None or moment.isoformat(" ") != value):
        yield subject, _own(field), text_literal(value)


_PROFILES: Final[Mapping[str, Callable[[ArgumentGraph, MapNames], Iterator[Triple]]]] = {
    "aifdb": _aifdb,
    "owl": _owl,
    "full": _full,
}
