"""SPARQL over many maps, each a named graph. Without ``FROM``, the default graph is the union of all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from importlib.resources import files
from math import inf
from typing import Any, Final

from aifgraph.corpus.corpus import CorpusLike, open_corpus
from aifgraph.errors import FormatError
from aifgraph.graph import ArgumentGraph
from aifgraph.rdf.terms import PREFIXES, XSD, MapNames, map_names
from aifgraph.rdf.write import quads
from aifgraph.tables import Table


def query(graphs: ArgumentGraph | CorpusLike, sparql: str) -> Table | Any:  # by the words of the query
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
    if not isinstance(sparql, str):
        raise TypeError(f"a query is a string, not {type(sparql).__name__}")
    if isinstance(graphs, ArgumentGraph):
        named = [(graphs, map_names(graphs))]
    else:
        corpus = open_corpus(graphs)
        loaded = ((entry.load(), entry.name) for entry in corpus)
        named = [(graph, map_names(graph, corpus=corpus.name, name=name)) for graph, name in loaded]
    return ask(named, shipped_queries().get(sparql, sparql))


#: Variables and local names, or ``SERVICE`` with what has to follow it, also in strings and comments: where these begin
#: depends on the grammar.
_SERVICE: Final = re.compile(
    r"""[?$]\w++|:[\w:%-]++|(service\s*+(?:silent\s*+)?(?:[<?$#]|[^\s:'"(){},;<>]{0,99}+:|[^\s:'"(){},;<>]{100}))""",
    re.IGNORECASE,
)


#: ``FROM`` outside of strings, IRIs, comments and names. A string without an end goes to the end: linear, and an error.
_FROM: Final = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\n]|\\.)*+"?'''
    r"""|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?|'(?:[^'\\\n]|\\.)*+'?|<[^\s<>"{}|^`\\]*+>|#[^\n]*+|[?$@]\w++"""
    r"""|[\w.-]*+:[\w.:%-]*+|\b(from)\b""",
    re.IGNORECASE | re.DOTALL,
)


def ask(maps: Iterable[tuple[ArgumentGraph, MapNames]], query: str, where: str = "query") -> Table | Any:
    """Answer a query about maps, each in the named graph of its IRI; ``SERVICE`` would ask another server."""
    import pyoxigraph as ox

    store = ox.Store()
    for graph, names in maps:
        store.extend(quads(graph, names))
    if any(found[1] for found in _SERVICE.finditer(query)):
        raise FormatError("SERVICE is not allowed, because it asks another server", where=where)
    if not re.search(r"\b(?:select|ask|construct|describe)\b", query, re.IGNORECASE):
        remedy = f"SPARQL has SELECT, ASK, CONSTRUCT or DESCRIBE; known: {', '.join(sorted(shipped_queries()))}"
        raise FormatError(f"no such query: {query[:60]!r}", where=where, remedy=remedy)
    union = not any(found[1] for found in _FROM.finditer(query))  # which would go before FROM
    try:
        found = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=union)
        if isinstance(found, ox.QueryBoolean):
            return bool(found)
        if isinstance(found, ox.QueryTriples):
            return (ox.serialize(found, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b"").decode()
        return Table("", [variable.value for variable in found.variables], [tuple(map(_plain, row)) for row in found])
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        raise FormatError(f"not a SPARQL query: {str(error)[:160]}", where=where) from None


def _plain(term: Any) -> str | int | float | bool | None:
    """Return a term as a plain value: a number or a truth value where it is one that JSON can hold, else its text."""
    if term is None:
        return None
    type_ = term.datatype.value.removeprefix(XSD) if hasattr(term, "datatype") else ""
    text = str(getattr(term, "value", term))
    if type_ == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(text, text)
    if type_ not in ("integer", "decimal", "double", "float") or not text.isascii() or "_" in text:
        return text
    try:
        number = int(text) if type_ == "integer" else float(text)
    except ValueError:  # an ill-typed literal, or thousands of digits
        return text
    exact = type_ != "decimal" or Decimal(repr(number)) == Decimal(text)
    return number if exact and abs(number) < inf else text


def shipped_queries() -> dict[str, str]:
    """Return the queries that come with the library, by name."""
    folder = files("aifgraph.rdf") / "queries"
    return {path.name.removesuffix(".rq"): path.read_text("utf-8") for path in folder.iterdir()}
