"""The profile ``full``: the ontology's triples, and this library's own for everything else a map holds.

Values that RDF cannot hold exactly (the entries of the file a map came from, with the JSON types of their ids and
their unknown fields) are JSON in a plain string, in ASCII, so that every RDF syntax brings them back unchanged. Where
both are there, a JSON value counts and its readable twin (a typed time, a name) is for queries.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from rdflib import Literal, URIRef

from aifgraph.graph import (
    ArgumentGraph,
    Notice,
)
from aifgraph.graph.meta import parse_time
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.interop.rdf.names import MapNames
from aifgraph.interop.rdf.plain import text_literal
from aifgraph.interop.rdf.roles import DECLARED, any_role, role_triple
from aifgraph.interop.rdf.vocabulary import (
    AIF,
    FOAF,
    OWL_INDIVIDUAL,
    OWN,
    RDF_TYPE,
    RDFS_LABEL,
    XSD,
    node_iri,
    percent,
    scheme_iri,
)

if TYPE_CHECKING:
    pass

Triple = tuple[Any, Any, Any]
_TYPE: Final = URIRef(RDF_TYPE)


def _own(name: str) -> URIRef:
    return URIRef(OWN + name)


def _json(value: Any) -> Literal:
    return Literal(json.dumps(value, separators=(",", ":"), default=dict))


def _time(value: str | None) -> Literal | None:
    moment = parse_time(value)
    # Times without a zone stay so: the server's is not known.
    return None if moment is None else Literal(moment.isoformat(), datatype=URIRef(f"{XSD}dateTime"))


def triples(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """All triples of a map; its own resources are named after it."""
    here = names.iri
    iris = {node.id: URIRef(node_iri(node.id, names.base)) for node in graph}
    yield URIRef(here), _own("base"), Literal(names.base)
    yield URIRef(here), _own("name"), text_literal(names.name)
    if names.corpus is not None:
        yield URIRef(here), _own("corpus"), text_literal(names.corpus)
    yield from _map_triples(graph, here, iris)
    for order, node in enumerate(graph):
        iri = iris[node.id]
        yield iri, _TYPE, URIRef(OWL_INDIVIDUAL)
        yield iri, _TYPE, _class(node.type)
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), text_literal(node.text)
        else:
            yield iri, URIRef(RDFS_LABEL), text_literal(node.text)
        for scheme in node.schemes:
            yield iri, URIRef(f"{AIF}fulfils"), (of := URIRef(scheme_iri(scheme)))
            yield of, URIRef(RDFS_LABEL), text_literal(scheme.name or scheme.id or "")
        if node.type == "YA":
            yield iri, _own("label"), Literal(fold_name(label_of(node)))
        stored = _time(node.timestamp)
        if stored is not None:
            yield iri, _own("storedAt"), stored
        entry = URIRef(f"{here}/node/{order}")
        yield entry, _own("node"), iri
        yield entry, _own("order"), Literal(order)
        # Exactly what the node is; AIFdb's maps share nodes, so it belongs to this map's entry.
        exact = [node.id, node.type, node.text, [list(scheme) for scheme in node.schemes], dict(node.record) or None]
        yield entry, _own("exact"), _json(exact)
    for order, edge in enumerate(graph.edges):
        role = any_role(graph[edge.source].type, graph[edge.target].type)
        if role is not None:
            yield role_triple(role, iris[edge.source], iris[edge.target])
        entry = URIRef(f"{here}/edge/{order}")
        yield entry, _own("from"), iris[edge.source]
        yield entry, _own("to"), iris[edge.target]
        yield entry, _own("order"), Literal(order)
        exact = [edge.source, edge.target, edge.id, dict(edge.record) or None]
        yield entry, _own("exact"), _json(exact)
        if edge.id is not None:
            yield entry, _own("edgeID"), text_literal(edge.id)


def _class(type_: str) -> URIRef:
    return URIRef(f"{AIF if type_ in DECLARED else OWN}{percent(type_)}-node")


def _map_triples(graph: ArgumentGraph, here: str, iris: Mapping[str, URIRef]) -> Iterator[Triple]:
    meta = graph.meta
    map_ = URIRef(here)
    yield map_, _TYPE, _own("Map")
    yield map_, _own("form"), text_literal(meta.form)
    if meta.document:
        yield map_, _own("document"), _json(dict(meta.document))
    if meta.aif:
        yield map_, _own("aif"), _json(dict(meta.aif))
    if meta.notices:
        yield map_, _own("notices"), _json([_notice(notice) for notice in meta.notices])
    people: dict[str, URIRef] = {}
    for order, person in enumerate(meta.participants):
        iri = URIRef(f"{here}/person/{order}")
        people.setdefault(person.id, iri)
        yield iri, _TYPE, URIRef(f"{FOAF}Person")
        yield iri, URIRef(f"{FOAF}name"), text_literal(person.name)
        yield iri, _own("personID"), text_literal(person.id)
        yield iri, _own("order"), Literal(order)
        exact = [person.id, person.first_name, person.surname, dict(person.record) or None]
        yield iri, _own("exact"), _json(exact)
    for order, record in enumerate(meta.locutions):
        iri = URIRef(f"{here}/locution/{order}")
        yield iri, _TYPE, _own("LocutionRecord")
        yield iri, _own("order"), Literal(order)
        if record.node_id in iris:
            yield iri, _own("locution"), iris[record.node_id]
        if record.person_id is not None:
            yield iri, _own("personID"), text_literal(record.person_id)
            if record.person_id in people:
                yield iri, _own("person"), people[record.person_id]
        for field, time in (("startedAt", record.start), ("endedAt", record.end), ("storedAt", record.timestamp)):
            typed = _time(time)
            if typed is not None:
                yield iri, _own(field), typed
        exact = [record.node_id, record.person_id, record.start, record.end, record.source, record.timestamp]
        yield iri, _own("exact"), _json([*exact, dict(record.record) or None])
    for order, left in enumerate(meta.unread):
        iri = URIRef(f"{here}/leftover/{order}")
        yield iri, _TYPE, _own("Leftover")
        yield iri, _own("order"), Literal(order)
        yield iri, _own("exact"), _json([left.section, left.index, dict(left.value), _notice(left.notice)])
    if meta.source is not None:
        yield map_, _own("sourceText"), text_literal(meta.source.text)
        yield map_, _own("sourceExact"), _json([meta.source.text, meta.source.origin, meta.source.spans is not None])
        for order, span in enumerate(meta.source.spans or ()):
            iri = URIRef(f"{here}/span/{order}")
            yield iri, _TYPE, _own("Span")
            yield iri, _own("order"), Literal(order)
            yield iri, _own("exact"), _json([span.node_id, span.start, span.end])
            yield iri, _own("start"), Literal(span.start)
            yield iri, _own("end"), Literal(span.end)
            if span.node_id in iris:
                yield iri, _own("marks"), iris[span.node_id]


def _notice(notice: Notice | None) -> list[Any] | None:
    return None if notice is None else [notice.code, notice.message, list(notice.nodes)]
