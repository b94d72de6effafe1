"""The profile ``aifdb``: the properties that AIFdb's ``/rdf/ID`` emits, on the nodes on which it puts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rdflib import Literal, URIRef

from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf.vocabulary import AIF, OWL_INDIVIDUAL, RDF_TYPE, node_iri

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


def triples(graph: ArgumentGraph, base: str, name: str) -> Iterator[tuple[Any, Any, Any]]:
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
