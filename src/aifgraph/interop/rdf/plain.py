"""The two profiles of others' vocabularies: what AIFdb's ``/rdf/ID`` emits, and what the AIF ontology 1.0 declares.

AIFdb's properties stand on the nodes on which it puts them. Of the ontology (F. Bex) nothing else is used: a creation
date stands on scheme nodes only, for it makes everything that has one a scheme application, which no statement may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from rdflib import Literal, URIRef

from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import parse_time
from aifgraph.interop.rdf.names import MapNames
from aifgraph.interop.rdf.roles import DECLARED, declared_role, role_triple
from aifgraph.interop.rdf.vocabulary import AIF, OWL_INDIVIDUAL, RDF_TYPE, XSD, node_iri, percent, scheme_iri

# What XML cannot hold, or changes: control characters, carriage returns, lone surrogates.
_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


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


def aifdb_triples(graph: ArgumentGraph, names: MapNames) -> Iterator[tuple[Any, Any, Any]]:
    """All triples of a map."""
    type_, individual = URIRef(RDF_TYPE), URIRef(OWL_INDIVIDUAL)
    iris = {node.id: URIRef(node_iri(node.id, names.base)) for node in graph}
    for node in graph:
        iri = iris[node.id]
        yield iri, type_, individual
        yield iri, type_, URIRef(f"{AIF}{percent(node.type)}-node")
        if node.type == "TA":
            yield iri, type_, URIRef(f"{AIF}Transition")
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


def owl_triples(graph: ArgumentGraph, names: MapNames) -> Iterator[tuple[Any, Any, Any]]:
    """All triples of a map."""
    type_, individual = URIRef(RDF_TYPE), URIRef(OWL_INDIVIDUAL)
    iris = {node.id: URIRef(node_iri(node.id, names.base)) for node in graph}
    for node in graph:
        if node.type not in DECLARED:
            continue
        iri = iris[node.id]
        yield iri, type_, individual
        yield iri, type_, URIRef(f"{AIF}{node.type}-node")
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), text_literal(node.text)
            continue
        for scheme in node.schemes:
            yield iri, URIRef(f"{AIF}fulfils"), URIRef(scheme_iri(scheme))
        stored = parse_time(node.timestamp)
        if stored is not None:
            yield iri, URIRef(f"{AIF}creationDate"), Literal(stored.date().isoformat(), datatype=URIRef(f"{XSD}date"))
    for edge in graph.edges:
        source, target = graph[edge.source].type, graph[edge.target].type
        role = declared_role(source, target)
        if role is not None:
            yield role_triple(role, iris[edge.source], iris[edge.target])
