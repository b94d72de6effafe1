"""The profile ``full``: the ontology's triples, and this library's own for everything else a map holds.

Values that RDF cannot hold exactly (the entries of the file a map came from, with the JSON types of their ids and
their unknown fields) are JSON in a plain string, in ASCII, so that every RDF syntax brings them back unchanged. Where
both are there, a JSON value counts and its readable twin (a typed time, a name) is for queries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from rdflib import Literal, URIRef

from aifgraph.errors import FormatError
from aifgraph.graph import (
    ArgumentGraph,
    Edge,
    Leftover,
    LocutionRecord,
    Meta,
    Notice,
    Participant,
    Scheme,
    SourceText,
    Span,
)
from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import EMPTY, make_node
from aifgraph.graph.rules.view import label_of
from aifgraph.interop.rdf.plain import role_triples
from aifgraph.interop.rdf.vocabulary import (
    AIF,
    FOAF,
    OWL_INDIVIDUAL,
    OWN,
    OWN_ROLES,
    RDF_TYPE,
    RDFS_LABEL,
    ROLES,
    XSD,
    node_iri,
    scheme_iri,
)

if TYPE_CHECKING:
    import rdflib

Triple = tuple[Any, Any, Any]
# What XML cannot hold, or changes: control characters, carriage returns, lone surrogates.
_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_TYPE: Final = URIRef(RDF_TYPE)


def _own(name: str) -> URIRef:
    return URIRef(OWN + name)


def _json(value: Any) -> Literal:
    return Literal(json.dumps(value, separators=(",", ":"), default=dict))


def _text(value: str) -> Literal:
    return Literal(_UNSAFE.sub("\ufffd", value))


def _time(value: str | None) -> Literal | None:
    moment = parse_time(value)
    # Times without a zone stay so: the server's is not known.
    return None if moment is None else Literal(moment.isoformat(), datatype=URIRef(f"{XSD}dateTime"))


def triples(graph: ArgumentGraph, base: str, name: str) -> Iterator[Triple]:
    """All triples of a map; its own resources are named after it."""
    here = f"{OWN}map:{quote(name, safe='')}"
    iris = {node.id: URIRef(node_iri(node.id, base)) for node in graph}
    yield from _map_triples(graph, here, iris)
    for order, node in enumerate(graph):
        iri = iris[node.id]
        yield iri, _TYPE, URIRef(OWL_INDIVIDUAL)
        yield iri, _TYPE, _class(node.type)
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), _text(node.text)
        else:
            yield iri, URIRef(RDFS_LABEL), _text(node.text)
        for scheme in node.schemes:
            yield iri, URIRef(f"{AIF}fulfils"), (of := URIRef(scheme_iri(scheme)))
            yield of, URIRef(RDFS_LABEL), Literal(scheme.name or scheme.id or "")
        if node.type == "YA":
            yield iri, _own("label"), Literal(label_of(node))
        stored = _time(node.timestamp)
        if stored is not None:
            yield iri, _own("storedAt"), stored
        entry = URIRef(f"{here}/node/{order}")
        yield entry, _own("node"), iri
        yield entry, _own("order"), Literal(order)
        # Exactly what the node is; AIFdb's maps share nodes, so it belongs to this map's entry.
        exact = [node.id, node.type, node.text, [list(scheme) for scheme in node.schemes], dict(node.record) or None]
        yield entry, _own("exact"), _json(exact)
    yield from role_triples(graph, iris)
    yield from _own_roles(graph, iris)
    for order, edge in enumerate(graph.edges):
        entry = URIRef(f"{here}/edge/{order}")
        yield entry, _own("from"), iris[edge.source]
        yield entry, _own("to"), iris[edge.target]
        yield entry, _own("order"), Literal(order)
        exact = [edge.source, edge.target, edge.id, dict(edge.record) or None]
        yield entry, _own("exact"), _json(exact)
        if edge.id is not None:
            yield entry, _own("edgeID"), _text(edge.id)


def _class(type_: str) -> URIRef:
    declared = type_ in ("I", "L", "RA", "CA", "PA", "YA", "TA")
    return URIRef(f"{AIF if declared else OWN}{quote(type_, safe='')}-node")


def _own_roles(graph: ArgumentGraph, iris: Mapping[str, URIRef]) -> Iterator[Triple]:
    for edge in graph.edges:
        source, target = graph[edge.source].type, graph[edge.target].type
        if source in ("MA", "YA") or (source == "TA" and target == "L"):
            yield iris[edge.source], URIRef(OWN_ROLES[source][1]), iris[edge.target]
        elif target in OWN_ROLES and source not in ROLES:
            yield iris[edge.target], URIRef(OWN_ROLES[target][0]), iris[edge.source]
        elif source in ROLES and target == "MA":
            yield iris[edge.source], URIRef(ROLES[source][1]), iris[edge.target]


def _map_triples(graph: ArgumentGraph, here: str, iris: Mapping[str, URIRef]) -> Iterator[Triple]:
    meta = graph.meta
    map_ = URIRef(here)
    yield map_, _TYPE, _own("Map")
    yield map_, _own("form"), Literal(meta.form)
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
        yield iri, URIRef(f"{FOAF}name"), _text(person.name)
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
            yield iri, _own("personID"), _text(record.person_id)
            if record.person_id in people:
                yield iri, _own("person"), people[record.person_id]
        for field, time in (("startedAt", record.start), ("endedAt", record.end), ("storedAt", record.timestamp)):
            typed = _time(time)
            if typed is not None:
                yield iri, _own(field), typed
        exact = [record.node_id, record.person_id, record.start, record.end, record.source, record.timestamp]
        yield iri, _own("exact"), _json([*exact, dict(record.record) or None])
    for order, left in enumerate(meta.leftovers):
        iri = URIRef(f"{here}/leftover/{order}")
        yield iri, _TYPE, _own("Leftover")
        yield iri, _own("order"), Literal(order)
        yield iri, _own("exact"), _json([left.section, left.index, dict(left.value), _notice(left.notice)])
    if meta.source is not None:
        yield map_, _own("sourceText"), _text(meta.source.text)
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


def is_full(rdf: rdflib.Graph) -> bool:
    """Whether the triples are of this profile."""
    return (None, _TYPE, _own("Map")) in rdf


def read_full(rdf: rdflib.Graph, name: str) -> ArgumentGraph:
    """The one map in the triples. Raises ``FormatError`` where there are several, or something is damaged."""
    maps = list(rdf.subjects(_TYPE, _own("Map")))
    if len(maps) != 1:
        raise FormatError(f"{len(maps)} maps in one graph", where=name or None, remedy="read them graph by graph")
    try:
        return _read(rdf, maps[0], name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(
            f"damaged ({type(error).__name__}: {str(error)[:80]})", where=name or None, remedy="write it anew"
        ) from None


def _read(rdf: rdflib.Graph, map_: Any, name: str) -> ArgumentGraph:
    exact: dict[str, dict[int, Any]] = {}
    orders = {str(subject): int(str(value)) for subject, value in rdf.subject_objects(_own("order"))}
    here = f"{map_}/"
    for subject, value in rdf.subject_objects(_own("exact")):
        section = str(subject).removeprefix(here).split("/")[0]
        exact.setdefault(section, {})[orders[str(subject)]] = json.loads(str(value))

    def listed(section: str) -> list[Any]:
        return [entry for _, entry in sorted(exact.get(section, {}).items())]

    def one(property_: str) -> Any:
        value = rdf.value(map_, _own(property_))
        return None if value is None else json.loads(str(value))

    nodes = [
        make_node(type_, id_, text, tuple(Scheme(*scheme) for scheme in schemes), record or EMPTY)
        for id_, type_, text, schemes, record in listed("node")
    ]
    edges = [Edge(source, target, id_, record or EMPTY) for source, target, id_, record in listed("edge")]
    source = one("sourceExact")
    spans = tuple(Span(*span) for span in listed("span"))
    meta = Meta(
        participants=tuple(Participant(*_entry(fields)) for fields in listed("person")),
        locutions=tuple(LocutionRecord(*_entry(fields)) for fields in listed("locution")),
        source=SourceText(source[0], source[1], spans if source[2] else None) if source else None,
        form=str(rdf.value(map_, _own("form")) or "aif"),
        document=one("document") or {},
        aif=one("aif") or EMPTY,
        leftovers=tuple(
            Leftover(section, index, value, _as_notice(notice)) for section, index, value, notice in listed("leftover")
        ),
        notices=tuple(notice for each in one("notices") or () if (notice := _as_notice(each))),
    )
    return ArgumentGraph(nodes, edges, meta, name)


def _entry(fields: list[Any]) -> list[Any]:
    return [*fields[:-1], fields[-1] or EMPTY]


def _as_notice(given: Any) -> Notice | None:
    return None if given is None else Notice(given[0], given[1], tuple(given[2]))
