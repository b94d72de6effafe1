"""``query``: SPARQL over maps in Python, as the command of the same name asks it."""

from __future__ import annotations

from aifgraph.corpus.corpus import CorpusLike, as_corpus
from aifgraph.graph import ArgumentGraph
from aifgraph.rdf import ask, load_store, shipped_queries
from aifgraph.rdf.terms import map_names
from aifgraph.tables import Table


def query(graphs: ArgumentGraph | CorpusLike, sparql: str) -> Table | bool | str:
    """Answer a SPARQL 1.1 query about a graph, a list of graphs, or a corpus or its path.

    Each map is a named graph; the default graph is the union of all. The usual prefixes are set.

    Args:
        graphs: what to ask.
        sparql: the query, or the name of one that comes with aifgraph: ``undercuts``.

    Returns:
        a table for SELECT, yes or no for ASK, Turtle for CONSTRUCT and DESCRIBE.

    Raises:
        FormatError: it is no SPARQL query, or it asks another server.

    >>> from aifgraph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> _ = builder.proposition("Masks help", extra={"confidence": 0.9})
    >>> query(builder.graph(), "SELECT ?text ?c { ?n aif:claimText ?text ; f:confidence ?c }").records()
    [{'text': 'Masks help', 'c': 0.9}]
    """
    if isinstance(graphs, ArgumentGraph):
        named = [(graphs, map_names(graphs))]
    else:
        corpus = as_corpus(graphs)
        loaded = ((entry.load(), entry.name) for entry in corpus)
        named = [(graph, map_names(graph, corpus=corpus.name, name=name)) for graph, name in loaded]
    return ask(load_store(named), shipped_queries().get(sparql, sparql))
