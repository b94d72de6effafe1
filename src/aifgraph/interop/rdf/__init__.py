"""Argument graphs in RDF, by rdflib: three profiles to write, all of them read.

============ ====================================================================================================
``aifdb``    exactly what AIFdb's ``/rdf/ID`` emits. Lost: MA and PA links, S→S links, texts of scheme nodes,
             schemes, people, times of locutions, edge ids
``owl``      what the AIF ontology 1.0 declares. Lost: MA, the links of YA and TA, people, times, edge ids
``full``     the ontology's names, and ``urn:aifgraph:`` for the rest: nothing is lost
============ ====================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf.vocabulary import AIF, FOAF, NODES, OWN

if TYPE_CHECKING:
    import rdflib

Profile = Literal["aifdb", "owl", "full"]
PROFILES = ("aifdb", "owl", "full")


def to_rdf(
    graph: ArgumentGraph, profile: Profile = "full", *, base: str = NODES, name: str | None = None, into: Any = None
) -> rdflib.Graph:
    """The triples of a graph in a profile.

    Nodes are ``base`` followed by their percent-encoded id. ``name`` names the map (its file's name by default), and
    ``into`` is an rdflib graph to add to, for instance a named graph of a ``Dataset``.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> rdf = to_rdf(build.graph(), "owl")
    >>> sorted(f"{s.n3(rdf.namespace_manager)} {o}" for s, p, o in rdf if p.endswith("hasPremise"))
    ['n:3 http://www.aifdb.org/nodes/1']
    """
    import rdflib

    if profile not in PROFILES:
        raise OptionError(f"there is no RDF profile {profile!r}", remedy=f"choose from {', '.join(PROFILES)}")
    out = rdflib.Graph() if into is None else into
    for prefix, space in (("aif", AIF), ("foaf", FOAF), ("ag", OWN), ("n", base)):
        out.bind(prefix, space, override=True, replace=True)
    if profile == "aifdb":
        from aifgraph.interop.rdf.plain import aifdb_triples as triples
    elif profile == "owl":
        from aifgraph.interop.rdf.plain import owl_triples as triples
    else:
        from aifgraph.interop.rdf.full import triples
    for triple in triples(graph, base, map_name(graph) if name is None else name):
        out.add(triple)
    return out


def from_rdf(rdf: rdflib.Graph, *, base: str = NODES, name: str = "") -> ArgumentGraph:
    """The argument graph in triples, of whichever profile; both of AIF's namespaces are read.

    Directions of AIFdb's two-sided properties follow from the types at their ends. Links between nodes that have no
    type are left out with a notice. ``full`` gives back the very graph. Raises ``FormatError`` where a ``full``
    document is damaged.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> from_rdf(to_rdf(build.graph())) == build.graph()
    True
    """
    from aifgraph.interop.rdf.full import is_full, read_full
    from aifgraph.interop.rdf.read import read_plain

    return read_full(rdf, name) if is_full(rdf) else read_plain(rdf, base, name)


def map_name(graph: ArgumentGraph) -> str:
    """What a map is called in RDF: its file's name without folders and suffix."""
    last = graph.name.replace("\\", "/").rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last[1:] else last
