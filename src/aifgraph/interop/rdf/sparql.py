"""SPARQL over a dataset of maps, and the worked queries that come with the library."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aifgraph.errors import FormatError, InputError
from aifgraph.interop.rdf.quiet import quiet_rdflib
from aifgraph.interop.rdf.syntax import turtle
from aifgraph.interop.rdf.vocabulary import AIF, FOAF, OWN

if TYPE_CHECKING:
    import rdflib


@dataclass(frozen=True)
class QueryAnswer:
    """The answer to a query.

    Attributes:
        columns: the names of the variables (SELECT).
        rows: the values in the order of the columns, None where a variable is not bound (SELECT).
        holds: yes or no (ASK); otherwise None.
        turtle: triples in Turtle (CONSTRUCT, DESCRIBE); otherwise None.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int | float | bool | None, ...], ...] = ()
    holds: bool | None = None
    turtle: str | None = None


@quiet_rdflib()
def ask(dataset: rdflib.Dataset, query: str, where: str = "<query>") -> QueryAnswer:
    """Ask a dataset in SPARQL. Queries are run, updates are not.

    ``SERVICE`` and ``FROM <http://…>`` access the network: run only queries that you trust.

    Args:
        dataset: from :func:`aifgraph.interop.rdf.dataset.open_dataset`.
        query: the query; the prefixes ``aif``, ``ag``, ``foaf``, ``rdf``, ``rdfs`` and ``xsd`` are declared.
        where: what errors call it, such as its file.

    Returns:
        The answer.

    Raises:
        FormatError: the query cannot be read or run.

    >>> from aifgraph import load, to_rdf
    >>> from aifgraph.interop.rdf.dataset import open_dataset
    >>> dataset = open_dataset()
    >>> _ = to_rdf(load("fixtures/debate/first.json"), into=dataset.graph())
    >>> ask(dataset, "SELECT (COUNT(?n) AS ?premises) { ?n a aif:I-node }").rows
    ((13,),)
    """
    prefixes = {"aif": AIF, "ag": OWN, "foaf": FOAF}
    try:
        with quiet_rdflib():
            result = dataset.query(query, initNs=prefixes)
            if result.type == "ASK":
                return QueryAnswer(holds=bool(result.askAnswer))
            if result.type in ("CONSTRUCT", "DESCRIBE"):
                return QueryAnswer(turtle=turtle(result.graph or (), prefixes))
            columns = tuple(str(var) for var in result.vars or ())
            rows = tuple(tuple(_plain(value) for value in row) for row in result)  # type: ignore[union-attr]
    except InputError:
        raise
    except Exception as error:  # pyparsing's, rdflib's and pyoxigraph's errors have no common root
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FormatError(f"no SPARQL query: {first[:160]}", where=where, remedy="see docs/rdf.md") from None
    return QueryAnswer(columns, rows)


def _plain(value: Any) -> str | int | float | bool | None:
    if value is None:
        return None
    made = value.toPython() if hasattr(value, "toPython") else value
    if isinstance(made, Decimal):
        return float(made)
    return made if isinstance(made, bool | int | float) else str(value)


@cache
def worked_queries() -> dict[str, Path]:
    """The queries of ``docs/queries`` by name.

    >>> "most-attacked" in worked_queries()
    True
    """
    package = Path(__file__).parents[2]
    # A wheel carries the folder in the package; an editable install runs from the checkout, where it is in the docs.
    for folder in (package / "queries", package.parents[1] / "docs" / "queries"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.rq"))}
    return {}


@quiet_rdflib()
def shared_nodes(dataset: rdflib.Dataset) -> int:
    """How many nodes are in more than one map: a query without ``GRAPH`` counts each of them once."""
    from rdflib import URIRef

    first: dict[Any, Any] = {}
    shared: set[Any] = set()
    for _, _, node, graph in dataset.quads((None, URIRef(f"{OWN}node"), None, None)):
        if first.setdefault(node, graph) != graph:
            shared.add(node)
    return len(shared)


_STRINGS = re.compile(r"#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|<[^<>\s]*>")


def asks_by_map(query: str) -> bool:
    """Whether a query names graphs, or says which it is about.

    >>> asks_by_map("SELECT ?m { GRAPH ?m { ?n a aif:I-node } }"), asks_by_map("SELECT ?n { ?n a aif:I-node } # GRAPH")
    (True, False)
    """
    bare = _STRINGS.sub(" ", query)
    return re.search(r"\b(?:GRAPH|FROM)\b", bare, re.IGNORECASE) is not None
