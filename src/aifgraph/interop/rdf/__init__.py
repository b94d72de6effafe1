"""Argument graphs in RDF, by rdflib: three profiles to write, all of them read.

============ ====================================================================================================
``aifdb``    exactly what AIFdb's ``/rdf/ID`` emits. Lost: MA and PA links, S→S links, texts of scheme nodes,
             schemes, people, times of locutions, edge ids
``owl``      what the AIF ontology 1.0 declares. Lost: MA, the links of YA and TA, people, times, edge ids
``full``     the ontology's names, and ``urn:aifgraph:`` for the rest: nothing is lost
============ ====================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf.names import MapNames, map_names
from aifgraph.interop.rdf.vocabulary import AIF, FOAF, OWL, OWN, RDFS, XSD

if TYPE_CHECKING:
    import rdflib

Profile = Literal["aifdb", "owl", "full"]
PROFILES = ("aifdb", "owl", "full")


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

    Returns:
        The rdflib graph with the triples.

    Raises:
        OptionError: there is no such profile, or the base is no IRI.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder(name="masks.json")
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> rdf = to_rdf(build.graph(), "owl", base="http://example.org/")
    >>> sorted(f"{s.n3(rdf.namespace_manager)} {o}" for s, p, o in rdf if p.endswith("hasPremise"))
    ['n:3 http://example.org/masks#1']
    """
    import rdflib

    names = map_names(graph, base=base, name=name, corpus=corpus)
    out = rdflib.Graph() if into is None else into
    for prefix, space in prefixes(names).items():
        out.bind(prefix, space, override=True, replace=True)
    out.addN((*triple, out) for triple in triples(graph, profile, names))
    return out


def triples(graph: ArgumentGraph, profile: str, names: MapNames) -> Iterator[tuple[Any, Any, Any]]:
    """The triples of a graph in a profile, under these names. Raises ``OptionError`` for a profile there is not."""
    if profile == "aifdb":
        from aifgraph.interop.rdf.plain import aifdb_triples

        return aifdb_triples(graph, names)
    if profile == "owl":
        from aifgraph.interop.rdf.plain import owl_triples

        return owl_triples(graph, names)
    if profile == "full":
        from aifgraph.interop.rdf.full import triples as full_triples

        return full_triples(graph, names)
    raise OptionError(f"there is no RDF profile {profile!r}", remedy=f"choose from {', '.join(PROFILES)}")


def prefixes(names: MapNames) -> dict[str, str]:
    """The prefixes that a map is written with; ``n`` stands for its nodes."""
    return {"aif": AIF, "foaf": FOAF, "ag": OWN, "n": names.base, "owl": OWL, "rdfs": RDFS, "xsd": XSD}


def from_rdf(rdf: rdflib.Graph, *, name: str = "") -> ArgumentGraph:
    """The argument graph that triples describe, of whichever profile; both of AIF's namespaces are read.

    Directions of AIFdb's two-sided properties follow from the types at their ends. Links between nodes that have no
    type are left out with a notice. What ``full`` embeds (ids as the file has them, unknown fields) is used where it
    agrees with the triples, so that it gives back the very graph; a triple that was changed, added or taken away
    counts, with a notice.

    Args:
        rdf: the triples of one map.
        name: the name of the graph; without one, that of the map in the triples.

    Returns:
        The graph; its ``notices`` say what was left out.

    Raises:
        FormatError: an embedded entry is damaged, or several maps are in one graph.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> from_rdf(to_rdf(build.graph())) == build.graph()
    True
    """
    from aifgraph.interop.rdf.read import read_triples

    return read_triples(rdf, name)
