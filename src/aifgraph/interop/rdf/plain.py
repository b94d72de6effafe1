"""The two profiles of others' vocabularies: what AIFdb's ``/rdf/ID`` emits, and what the AIF ontology 1.0 declares.

AIFdb's properties stand on the nodes on which it puts them. Of the ontology (F. Bex) nothing else is used: a creation
date stands on scheme nodes only, for it makes everything that has one a scheme application, which no statement may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rdflib import Literal, URIRef

from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import parse_time
from aifgraph.interop.rdf.vocabulary import AIF, OWL_INDIVIDUAL, RDF_TYPE, ROLES, XSD, node_iri, scheme_iri

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


def aifdb_triples(graph: ArgumentGraph, base: str, name: str) -> Iterator[tuple[Any, Any, Any]]:
    """All triples of a map."""
    type_, individual = URIRef(RDF_TYPE), URIRef(OWL_INDIVIDUAL)
    iris = {node.id: URIRef(node_iri(node.id, base)) for node in graph}
    for node in graph:
        iri = iris[node.id]
        yield iri, type_, individual
        yield iri, type_, URIRef(f"{AIF}{node.type}-node")
        if node.type == "TA":
            yield iri, type_, URIRef(f"{AIF}Transition")
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), Literal(node.text)
        if node.type == "L":
            yield iri, URIRef(f"{AIF}source"), Literal(node.text.split(" says ", 1)[0])
        if node.timestamp is not None:
            yield iri, URIRef(f"{AIF}creationDate"), Literal(node.timestamp)
    for edge in graph.edges:
        link = LINKS.get((graph[edge.source].type, graph[edge.target].type))
        if link is None:
            continue
        source, target, property_ = iris[edge.source], iris[edge.target], URIRef(AIF + link[0])
        if link[1] != _TARGET:
            yield source, property_, target
        if link[1] != _SOURCE:
            yield target, property_, source


_DECLARED: Final = frozenset({"I", "L", "RA", "CA", "PA", "TA", "YA"})


def owl_triples(graph: ArgumentGraph, base: str, name: str) -> Iterator[tuple[Any, Any, Any]]:
    """All triples of a map."""
    type_, individual = URIRef(RDF_TYPE), URIRef(OWL_INDIVIDUAL)
    iris = {node.id: URIRef(node_iri(node.id, base)) for node in graph}
    for node in graph:
        if node.type not in _DECLARED:
            continue
        iri = iris[node.id]
        yield iri, type_, individual
        yield iri, type_, URIRef(f"{AIF}{node.type}-node")
        if node.type in ("I", "L"):
            yield iri, URIRef(f"{AIF}claimText"), Literal(node.text)
            continue
        for scheme in node.schemes:
            yield iri, URIRef(f"{AIF}fulfils"), URIRef(scheme_iri(scheme))
        stored = parse_time(node.timestamp)
        if stored is not None:
            yield iri, URIRef(f"{AIF}creationDate"), Literal(stored.date().isoformat(), datatype=URIRef(f"{XSD}date"))
    yield from role_triples(graph, iris)


def role_triples(graph: ArgumentGraph, iris: dict[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """What relations start from and lead to, in the ontology's properties."""
    for edge in graph.edges:
        source, target = graph[edge.source].type, graph[edge.target].type
        if target not in _DECLARED or source not in _DECLARED:
            continue
        # Between two relations it is the first that acts on the second: an undercut is no premise.
        if source in ROLES:
            yield iris[edge.source], URIRef(ROLES[source][1]), iris[edge.target]
        elif target in ROLES and source in ("I", "L"):
            yield iris[edge.target], URIRef(ROLES[target][0]), iris[edge.source]
