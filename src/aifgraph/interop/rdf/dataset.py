"""A corpus as named graphs, one a map, in memory or in an Oxigraph store on disk, and SPARQL over all of them.

The default graph of a query is the union of all maps; ``GRAPH ?map { … }`` asks map by map. A store remembers the
SHA-256 of each map, so that going on with it takes in only what is new or has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from aifgraph.errors import FormatError, InputError, MissingExtraError
from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf import to_rdf
from aifgraph.interop.rdf.vocabulary import AIF, FOAF, OWN

if TYPE_CHECKING:
    import rdflib


@dataclass(frozen=True)
class MapSource:
    """A map to take in: its name in the corpus, what its content hashes to, and how to load it."""

    name: str
    digest: str
    load: Callable[[], ArgumentGraph]


def open_dataset(store: str | Path | None = None) -> rdflib.Dataset:
    """An empty dataset in memory, or the one in a folder (the extra ``oxigraph``)."""
    import rdflib

    if store is None:
        return rdflib.Dataset(default_union=True)
    try:
        import oxrdflib  # noqa: F401  (registers the store)
    except ImportError:
        raise MissingExtraError.of("oxrdflib", "oxigraph") from None
    dataset = rdflib.Dataset(store="Oxigraph", default_union=True)
    try:
        fresh = not Path(store).is_dir() or not any(Path(store).iterdir())
        if fresh and Path(store).is_dir():
            Path(store).rmdir()
        dataset.open(str(store), create=fresh)
    except Exception as error:  # pyoxigraph raises OSError and RuntimeError of its own
        raise InputError(f"no usable store: {str(error)[:120]}", where=str(store), remedy="give a folder") from None
    return dataset


def take_in(dataset: rdflib.Dataset, maps: Iterable[MapSource]) -> list[tuple[str, str]]:
    """Put every map into its named graph ``urn:aifgraph:map:NAME``, those that are there unchanged left alone and those
    that are no longer in the corpus taken out. Gives name and error of each that cannot be read."""
    from rdflib import Literal, URIRef

    digest = URIRef(f"{OWN}sha256")
    failed: list[tuple[str, str]] = []
    wanted: set[str] = set()
    for each in maps:
        iri = URIRef(f"{OWN}map:{quote(each.name, safe='')}")
        wanted.add(str(iri))
        named = dataset.graph(iri)
        if str(named.value(iri, digest)) == each.digest:
            continue
        named.remove((None, None, None))
        try:
            graph = each.load()
        except InputError as error:
            failed.append((each.name, str(error)))
            continue
        to_rdf(graph, name=each.name, into=named)
        named.add((iri, digest, Literal(each.digest)))
    for old in list(dataset.graphs()):
        if str(old.identifier).startswith(f"{OWN}map:") and str(old.identifier) not in wanted:
            dataset.remove_graph(old)
    return failed


@dataclass(frozen=True)
class QueryAnswer:
    """What a query gave: columns and rows (SELECT), a yes or no (ASK), or triples in Turtle (CONSTRUCT, DESCRIBE)."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int | float | bool | None, ...], ...] = ()
    holds: bool | None = None
    turtle: str | None = None


def ask(dataset: rdflib.Dataset, query: str, where: str = "<query>") -> QueryAnswer:
    """Run a SPARQL query (no update); the prefixes ``aif``, ``ag``, ``foaf``, ``rdf``, ``rdfs`` and ``xsd`` are there.

    Raises ``FormatError`` where the query cannot be read.
    """
    prefixes = {"aif": AIF, "ag": OWN, "foaf": FOAF}
    try:
        result = dataset.query(query, initNs=prefixes)
        if result.type == "ASK":
            return QueryAnswer(holds=bool(result.askAnswer))
        if result.type in ("CONSTRUCT", "DESCRIBE"):
            return QueryAnswer(turtle=_turtle(result.graph, prefixes))
        columns = tuple(str(var) for var in result.vars or ())
        rows = tuple(tuple(_plain(value) for value in row) for row in result)  # type: ignore[union-attr]
    except InputError:
        raise
    except Exception as error:  # pyparsing's, rdflib's and pyoxigraph's errors have no common root
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FormatError(f"no SPARQL query: {first[:160]}", where=where, remedy="see docs/rdf.md") from None
    return QueryAnswer(columns, rows)


def _turtle(graph: Any, prefixes: dict[str, str]) -> str:
    for prefix, space in prefixes.items():
        graph.bind(prefix, space)
    return str(graph.serialize(format="turtle"))


def _plain(value: Any) -> str | int | float | bool | None:
    if value is None:
        return None
    made = value.toPython() if hasattr(value, "toPython") else value
    if isinstance(made, Decimal):
        return float(made)
    return made if isinstance(made, bool | int | float) else str(value)
