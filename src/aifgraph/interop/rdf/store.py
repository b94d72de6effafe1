"""Corpora as named graphs, one a map, in memory or in an Oxigraph store on disk; and SPARQL over them.

The default graph of a query is the union of all maps; ``GRAPH ?map { … }`` asks map by map. A store holds any number of
corpora, by name. A map that is added again replaces the one of its name in its corpus.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

import rdflib
from rdflib import URIRef

from aifgraph.errors import FormatError, InputError, MissingExtraError, NotFoundError
from aifgraph.guesses import near
from aifgraph.interop import Loadable
from aifgraph.interop.rdf.syntax import lines
from aifgraph.interop.rdf.terms import (
    AIF,
    DECLARED,
    DOCUMENT,
    FIELD,
    FOAF,
    OWL,
    OWN,
    RDF_TYPE,
    RDFS,
    ROLES,
    XSD,
    map_names,
    scheme_of,
    shipped_folder,
)
from aifgraph.interop.rdf.write import safe_text, to_rdf, triples

_CORPUS: Final = URIRef(f"{OWN}corpus")
_NAME: Final = URIRef(f"{OWN}name")


@contextmanager
def quiet_rdflib() -> Iterator[None]:
    """No warnings of rdflib's use of what rdflib has deprecated: nobody here could do anything about them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"(ox)?rdflib\b")
        yield


@quiet_rdflib()
def open_dataset(store: str | Path | None = None, *, create: bool = True) -> rdflib.Dataset:
    """An empty dataset in memory, or the store in a folder; its default graph is the union of all maps.

    Close it when it is a store. Without ``create`` a folder that is not there or empty is a ``NotFoundError``; one that
    holds something else is an ``InputError``. A store needs oxrdflib (extra ``oxigraph``), which in memory makes
    queries faster than rdflib alone.
    """
    try:
        import pyoxigraph
        from oxrdflib.store import OxigraphStore
    except ImportError:
        if store is None:
            return rdflib.Dataset(default_union=True)
        raise MissingExtraError.of("oxrdflib", "oxigraph") from None
    if store is None:
        return _Oxigraph(OxigraphStore, pyoxigraph.Store())
    folder = Path(store)
    fresh = not folder.is_dir() or not any(folder.iterdir())
    if fresh and not create:
        raise NotFoundError("no store", where=str(store), remedy="make one: aifgraph store add STORE CORPUS")
    # The database would put its files between those of whatever else is there.
    if not fresh and not (folder / "CURRENT").is_file():
        remedy = "name a new folder" if create else f"aifgraph query {store} QUERY asks maps in a folder"
        raise InputError("a folder that is no store", where=str(store), remedy=remedy)
    with _store_errors(str(store)):
        if fresh and folder.is_dir():
            folder.rmdir()
        return _Oxigraph(OxigraphStore, pyoxigraph.Store(str(store)), str(store))


class _Oxigraph(rdflib.Dataset):
    """A dataset in a store of Oxigraph's, which takes quads as text faster than rdflib's terms one by one."""

    def __init__(self, kind: Any, store: Any, folder: str = "") -> None:
        super().__init__(store=kind(store=store), default_union=True)
        self._quads, self._folder = store, folder

    def close(self, commit_pending_transaction: bool = False) -> None:
        """Let go of the store, whose folder another may then open."""
        super().close(commit_pending_transaction)
        if self._quads is not None and self._folder:
            # Whoever opens it next would else do this, in ten times the time.
            with _store_errors(self._folder):
                self._quads.flush()
        self._quads = None

    def add_quads(self, text: str) -> None:
        """Add what N-Quads say, all of it or nothing."""
        import pyoxigraph

        self._quads.load(text.encode(), format=pyoxigraph.RdfFormat.N_QUADS)


@contextmanager
def _store_errors(where: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (OSError, RuntimeError, ValueError, SyntaxError) as error:  # what pyoxigraph raises
        if "No space left" in str(error):
            remedy = "make room, and run the same again: what is in the store stays"
            raise InputError("no space left on the disk of the store", where=where, remedy=remedy) from None
        raise InputError(f"no usable store: {str(error)[:120]}", where=where, remedy="give a folder") from None


@quiet_rdflib()
def stored_maps(dataset: rdflib.Dataset) -> dict[str, dict[str, str]]:
    """The maps in a dataset: the IRI of each, by the name of its corpus and its own."""
    maps: dict[str, dict[str, str]] = {}
    for iri, corpus in dataset.subject_objects(_CORPUS):
        maps.setdefault(str(corpus), {})[str(dataset.value(iri, _NAME))] = str(iri)
    return dict(sorted(maps.items()))


@quiet_rdflib()
def add_maps(
    dataset: rdflib.Dataset,
    maps: Iterable[Loadable],
    corpus: str,
    *,
    base: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, list[str]]:
    """Put every map of a corpus into a named graph of its own, in the place of one of its name that is there.

    Gives how many maps were added, and the errors of those that could not be loaded. ``base`` is as in
    :func:`aifgraph.to_rdf`; ``progress`` is called with the number of the map and 0, as that of all is not known.
    """
    corpus = safe_text(corpus)
    before = stored_maps(dataset).get(corpus, {})
    added, failed = 0, []
    with _store_errors(corpus):
        for number, entry in enumerate(maps, 1):
            if progress is not None:
                progress(number, 0)
            try:
                graph = entry.load()
            except InputError as error:
                failed.append(str(error))
                continue
            if safe_text(entry.name) in before:
                dataset.remove_graph(URIRef(before[safe_text(entry.name)]))
            names = map_names(graph, base=base, name=entry.name, corpus=corpus)
            if isinstance(dataset, _Oxigraph):
                dataset.add_quads(lines(triples(graph, "full", names), names.iri))
            else:
                to_rdf(graph, name=entry.name, corpus=corpus, base=base, into=dataset.graph(URIRef(names.iri)))
            added += 1
    return added, failed


@quiet_rdflib()
def remove_corpus(dataset: rdflib.Dataset, corpus: str) -> int:
    """Take a corpus out of a dataset; the number of its maps. ``NotFoundError`` where there is none of this name."""
    corpora = stored_maps(dataset)
    if corpus not in corpora:
        names = ", ".join(corpora) or "nothing"
        raise NotFoundError(f"there is no corpus {corpus!r} in the store", remedy=f"it holds {names}")
    for iri in corpora[corpus].values():
        dataset.remove_graph(URIRef(iri))
    return len(corpora[corpus])


# -- SPARQL -------------------------------------------------------------------------------------------------------


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
    """Ask a dataset in SPARQL. Queries are run, updates are not; ``FormatError`` for one that cannot be run.

    ``SERVICE`` and ``FROM <http://…>`` access the network: run only queries that you trust. The prefixes ``aif``,
    ``ag``, ``d``, ``f``, ``foaf``, ``owl``, ``rdf``, ``rdfs`` and ``xsd`` are declared. ``where`` is what errors call
    the query.

    >>> from aifgraph import load, to_rdf
    >>> dataset = open_dataset()
    >>> _ = to_rdf(load("fixtures/debate/first.json"), into=dataset.graph())
    >>> ask(dataset, "SELECT (COUNT(?n) AS ?premises) { ?n a aif:I-node }").rows
    ((13,),)
    """
    prefixes = {"aif": AIF, "ag": OWN, "d": DOCUMENT, "f": FIELD, "foaf": FOAF, "owl": OWL}
    try:
        with quiet_rdflib():
            # A store that is opened again knows no prefixes, not even those of RDF.
            spaces = {"rdf": RDF_TYPE.removesuffix("type"), "rdfs": RDFS, "xsd": XSD}
            result = dataset.query(query, initNs=prefixes | spaces)
            if result.type == "ASK":
                return QueryAnswer(holds=bool(result.askAnswer))
            if result.type in ("CONSTRUCT", "DESCRIBE"):
                triples = result.graph if result.graph is not None else rdflib.Graph()
                for prefix, space in prefixes.items():
                    triples.bind(prefix, space, override=True, replace=True)
                return QueryAnswer(turtle=triples.serialize(format="turtle"))
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
    folder = shipped_folder("queries", "docs/queries")
    return {} if folder is None else {path.stem: path for path in sorted(folder.glob("*.rq"))}


@quiet_rdflib()
def shared_nodes(dataset: rdflib.Dataset) -> int:
    """How many nodes are in more than one map: a query without ``GRAPH`` counts each of them once."""
    each = "SELECT ?n { GRAPH ?map { ?entry ag:node ?n } } GROUP BY ?n HAVING (COUNT(DISTINCT ?map) > 1)"
    answer = ask(dataset, f"SELECT (COUNT(?n) AS ?shared) {{ {{ {each} }} }}")
    return int(answer.rows[0][0] or 0)


#: The names of AIF's namespace that maps are written with, whether or not these maps have them.
_KNOWN: Final = frozenset(
    {f"{AIF}{type_}-node" for type_ in DECLARED} | {f"{AIF}{name}" for name in ("claimText", "creationDate", "fulfils")}
) | {role for roles in ROLES.values() for role in roles}


@quiet_rdflib()
def unknown_terms(dataset: rdflib.Dataset, query: str) -> list[str]:
    """What is said of each name of AIF's in a query that neither the profile nor a map of the dataset has.

    >>> unknown_terms(open_dataset(), "SELECT ?x { ?x a aif:RA_node }")
    ['no map has aif:RA_node; did you mean aif:RA-node?']
    """
    said = []
    for name in dict.fromkeys(_AIF_NAME.findall(_STRINGS.sub(" ", query))):
        used = f"ASK {{ {{ ?s <{AIF}{name}> ?o }} UNION {{ ?s ?p <{AIF}{name}> }} }}"
        scheme = scheme_of(AIF + name)
        if AIF + name not in _KNOWN and not (scheme and scheme.id) and not ask(dataset, used).holds:
            meant = near(name, (known.removeprefix(AIF) for known in _KNOWN))
            said.append(f"no map has aif:{name}" + (f"; did you mean aif:{meant}?" if meant else ""))
    return said


_AIF_NAME = re.compile(r"(?<!\w)aif:(\w(?:[\w-]*\w)?)")
_STRINGS = re.compile(r"#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|<[^<>\s]*>")


def asks_by_map(query: str) -> bool:
    """Whether a query names graphs, or says which it is about.

    >>> asks_by_map("SELECT ?m { GRAPH ?m { ?n a aif:I-node } }"), asks_by_map("SELECT ?n { ?n a aif:I-node } # GRAPH")
    (True, False)
    """
    bare = _STRINGS.sub(" ", query)
    return re.search(r"\b(?:GRAPH|FROM)\b", bare, re.IGNORECASE) is not None
