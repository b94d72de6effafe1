"""Graphs as RDF. ``triples`` yields what a graph says; rdflib and pyoxigraph make their terms of it and write files.

A node has its edges as properties, in the ontology's words and in AIFdb's. People, locution records and spans are
resources named after the map. Fields that data sets and tools add are ``f:NAME``, those around the map in its file
``d:NAME``. The order, ids and fields of edges are one JSON list, ``ag:edges``: which edges there are, the properties
alone decide.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

from aifgraph.files import unique_name, xml_safe
from aifgraph.formats import NamedMap
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.graph import check_graph
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.graph.side_data import parse_time
from aifgraph.rdf import terms
from aifgraph.rdf.terms import AIF, DOCUMENT, FIELD, OWN, RDF, RDFS, TYPE, XSD, Literal, MapNames, Triple

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib

    RdfGraph: TypeAlias = rdflib.Graph
else:  # imported when it is made
    RdfGraph = Any


def to_rdf(graph: ArgumentGraph | Iterable[ArgumentGraph | NamedMap], *, base: str | None = None) -> RdfGraph:
    """Return a graph as triples of rdflib, from which ``from_rdf`` makes an equal graph; of several, a data set.

    The IRIs of map and nodes begin with ``base``; give one if they should stay the same when the map changes. In a data
    set each map is a named graph, called as in its corpus, and the default graph is the union of all.
    """
    import rdflib

    if isinstance(graph, ArgumentGraph):
        names = terms.map_names(graph, base=base)
        return _filled(rdflib.Graph(identifier=names.iri), graph, names)
    maps = rdflib.Dataset(default_union=True)
    uses: Counter[str] = Counter()
    corpus = getattr(graph, "name", None)
    for source in graph:
        loaded = source.load() if isinstance(source, NamedMap) else source
        check_graph(loaded)
        name = source.name if corpus else unique_name(uses, Path(source.name).stem or "map")
        names = terms.map_names(loaded, base=base, corpus=corpus, name=name)
        _filled(maps.graph(names.iri), loaded, names)
    return maps


def _filled(rdf: RdfGraph, graph: ArgumentGraph, names: MapNames) -> RdfGraph:
    """Add the triples of a map to a graph of rdflib, and return it."""
    import rdflib

    for prefix, space in _prefixes(names).items():
        rdf.bind(prefix, space, override=True, replace=True)
    iri = cache(rdflib.URIRef)
    for subject, property_, value in triples(graph, names):
        term: rdflib.term.Node
        if isinstance(value, Literal):
            datatype = None if value.datatype == XSD + "string" else iri(value.datatype)
            term = rdflib.Literal(value.text, datatype=datatype, normalize=False)
        else:
            term = iri(value)
        rdf.store.add((iri(subject), iri(property_), term), rdf)
    return rdf


def quads(graph: ArgumentGraph, names: MapNames) -> Iterator[pyoxigraph.Quad]:
    """Yield a graph as quads of pyoxigraph, in the named graph of the map's IRI."""
    import pyoxigraph as ox

    iri = cache(ox.NamedNode)
    for subject, property_, value in triples(graph, names):
        term = ox.Literal(value.text, datatype=iri(value.datatype)) if isinstance(value, Literal) else iri(value)
        yield ox.Quad(iri(subject), iri(property_), term, iri(names.iri))


def write_map(syntax: str, graph: ArgumentGraph, *, base: str | None = None) -> str:
    """Write a graph in a syntax, named by the suffix of its files; in ``trig`` and ``nq`` as a named graph."""
    import pyoxigraph as ox

    names = terms.map_names(graph, base=base)
    found: Iterable[Any] = quads(graph, names)
    if syntax not in ("trig", "nq"):
        found = (quad.triple for quad in found)
    format_ = ox.RdfFormat.from_extension(syntax)
    text = (ox.serialize(found, format=format_, prefixes=_prefixes(names)) or b"").decode()
    # pyoxigraph writes a carriage return as it is, and readers of XML take it for a line end.
    return text.replace("\r", "&#13;") if syntax == "rdf" else text


def _prefixes(names: MapNames) -> dict[str, str]:
    """Return the prefixes of one map's file: ``n`` for its nodes, ``m`` for its people, records and spans."""
    return {**terms.PREFIXES, "n": names.base, "m": f"{names.iri}/"}


def triples(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """Yield all that a graph says, subject by subject, each triple once."""
    meta, source = graph.meta, graph.meta.source
    yield names.iri, TYPE, OWN + "Map"
    name = unquote(terms.last_part(names.iri))
    yield from _values(names.iri, OWN, name=name, corpus=names.corpus)
    if source is not None:
        yield from _values(names.iri, OWN, sourceText=source.text, sourceOrigin=source.origin)
    yield from _fields(names.iri, meta.aif)
    # The source text is said in other triples.
    yield from _fields(names.iri, {key: value for key, value in meta.document.items() if key != "text"}, DOCUMENT)
    yield from _nodes(graph, names)
    yield from _parts(names, "person", meta.participants)
    yield from _parts(names, "locution", meta.locutions)
    yield from _parts(names, "span", source.spans if source else ())


def _nodes(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    iris = {node.id: names.node(node.id) for node in graph}
    types = {node.id: node.type for node in graph}
    links: dict[str, dict[tuple[str, str], None]] = {id_: {} for id_ in iris}
    rows: list[list[Any]] = []
    for source, target, id_, extra in graph.edges:
        for property_, on_source in terms.edge_properties(types[source], types[target]):
            here, there = (source, target) if on_source else (target, source)
            links[here][property_, iris[there]] = None
        rows.append(
            [source, target, id_, extra] if extra else [source, target] if id_ is None else [source, target, id_]
        )
    yield names.iri, OWN + "edges", _json(rows)
    for scheme in dict.fromkeys(scheme for node in graph for scheme in node.schemes):
        yield from _values(terms.scheme_iri(scheme), RDFS, label=scheme.name)
    for order, node in enumerate(graph):
        iri = iris[node.id]
        yield iri, TYPE, terms.node_class(node.type)
        yield iri, AIF + "claimText" if node.type in ("I", "L") else RDFS + "label", _literal(node.text)
        for scheme in dict.fromkeys(node.schemes):
            yield iri, AIF + "fulfils", terms.scheme_iri(scheme)
        for property_, other in links[node.id]:
            yield iri, property_, other
        if node.type == "YA":
            yield iri, OWN + "label", _literal(fold_name(label_of(node)))
        if node.type == "L" and (speaker := graph.speaker_of(node)) is not None and speaker.name:
            yield iri, OWN + "speaker", _literal(speaker.name)
        yield from _values(iri, AIF, creationDate=node.timestamp)
        yield iri, OWN + "order", _literal(order)
        yield from _fields(iri, node.extra)


def _parts(names: MapNames, kind: str, entries: Iterable[Any]) -> Iterator[Triple]:
    """Yield people, locution records or spans, whose IRIs are numbered in their order."""
    class_, properties = terms.PARTS[kind]
    for order, entry in enumerate(entries):
        iri = f"{names.iri}/{kind}-{order}"
        yield iri, TYPE, class_
        for field, property_ in properties.items():
            value = getattr(entry, field)
            if field == "node_id":
                yield iri, property_, names.node(value)
            elif value is not None:
                yield iri, property_, _literal(value)
        yield from _fields(iri, getattr(entry, "extra", {}))


def _values(subject: str, space: str, **values: object) -> Iterator[Triple]:
    """Yield the values that are there, by the names of their properties in a namespace."""
    return ((subject, space + name, _literal(value)) for name, value in values.items() if value is not None)


def _fields(subject: str, extra: Mapping[str, Any], space: str = FIELD) -> Iterator[Triple]:
    """Yield the fields that the model does not know; those whose names are no part of an IRI as one object, ``f:_``."""
    odd: dict[str, Any] = {}
    for key, value in extra.items():
        if re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", key):
            yield subject, space + key, _literal(value)
        else:
            odd[key] = value
    if odd:
        yield subject, space + "_", _json(odd)


_SQL_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def _literal(value: object) -> Literal:
    """Return a JSON value as a literal that queries can compare, if it is a simple one; else as JSON."""
    if isinstance(value, str) and xml_safe(value) == value:
        if _SQL_TIME.fullmatch(value) and parse_time(value):
            return Literal(value.replace(" ", "T"), XSD + "dateTime")
        return Literal(value)
    if isinstance(value, int | float) and abs(value) < 1 << 53:
        return Literal(json.dumps(value), XSD + {bool: "boolean", int: "integer"}.get(type(value), "double"))
    return _json(value)


def _json(value: object) -> Literal:
    """Return a value as JSON in ASCII, which every syntax of RDF holds unchanged."""
    return Literal(json.dumps(value, separators=(",", ":")), RDF + "JSON")
