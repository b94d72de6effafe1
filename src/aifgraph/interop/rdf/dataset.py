"""Corpora as named graphs, one a map, in memory or in an Oxigraph store on disk.

The default graph of a query is the union of all maps; ``GRAPH ?map { … }`` asks map by map. A store holds any number of
corpora, by name. It remembers the SHA-256 of each map, so that adding a corpus again takes in only what is new or has
changed, removes what is no longer in it, and leaves every other corpus alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aifgraph.errors import InputError, MissingExtraError, NotFoundError
from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf import to_rdf
from aifgraph.interop.rdf.names import map_names
from aifgraph.interop.rdf.plain import safe_text
from aifgraph.interop.rdf.quiet import quiet_rdflib
from aifgraph.interop.rdf.vocabulary import OWN, RDF_TYPE, percent

if TYPE_CHECKING:
    import rdflib


@dataclass(frozen=True)
class MapSource:
    """A map to take in.

    Attributes:
        name: its name in the corpus.
        digest: a hash of its content; a map whose hash is the same is not loaded again.
        load: gives the graph; an ``InputError`` of it is noted, and the map left out.
    """

    name: str
    digest: str
    load: Callable[[], ArgumentGraph]


@dataclass(frozen=True)
class HeldCorpus:
    """A corpus in a dataset.

    Attributes:
        name: its name.
        path: where it came from.
        maps: the IRI of each map, by the name of the map.
    """

    name: str
    path: str
    maps: dict[str, str] = field(repr=False)


@dataclass
class Taken:
    """What became of the maps of a corpus.

    Attributes:
        added: how many are new or changed.
        unchanged: how many were there already.
        removed: how many are no longer in the corpus and were taken out.
        failed: the name of each map that could not be loaded, and why.
    """

    added: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


@quiet_rdflib()
def open_dataset(store: str | Path | None = None, *, create: bool = True) -> rdflib.Dataset:
    """An empty dataset in memory, or the store in a folder.

    Args:
        store: the folder; None for memory.
        create: whether to make a store where the folder is not there or empty.

    Returns:
        The rdflib dataset. Its default graph is the union of all maps; close it when it is a store.

    Raises:
        NotFoundError: there is no store, and none is to be made.
        InputError: the folder holds something else, or the store cannot be used.
        MissingExtraError: a store needs oxrdflib (extra ``oxigraph``).
    """
    import rdflib

    if store is None:
        return rdflib.Dataset(default_union=True)
    try:
        import oxrdflib  # noqa: F401  (registers the store)
    except ImportError:
        raise MissingExtraError.of("oxrdflib", "oxigraph") from None
    folder = Path(store)
    fresh = not folder.is_dir() or not any(folder.iterdir())
    if fresh and not create:
        raise NotFoundError("no store", where=str(store), remedy="make one: aifgraph store add STORE CORPUS")
    # The database would put its files between those of whatever else is there.
    if not fresh and not (folder / "CURRENT").is_file():
        raise InputError("a folder that is no store", where=str(store), remedy="name a new folder")
    dataset = rdflib.Dataset(store="Oxigraph", default_union=True)
    with _store_errors(store):
        if fresh and folder.is_dir():
            folder.rmdir()
        dataset.open(str(store), create=fresh)
    return dataset


@contextmanager
def _store_errors(store: str | Path) -> Iterator[None]:
    try:
        with quiet_rdflib():
            yield
    except InputError:
        raise
    except (OSError, RuntimeError, ValueError) as error:  # what pyoxigraph raises
        if "No space left" in str(error):
            remedy = "make room, and run the same again: what is in the store stays"
            raise InputError("no space left on the disk of the store", where=str(store), remedy=remedy) from None
        raise InputError(f"no usable store: {str(error)[:120]}", where=str(store), remedy="give a folder") from None


@quiet_rdflib()
def held_corpora(dataset: rdflib.Dataset) -> list[HeldCorpus]:
    """The corpora in a dataset.

    Args:
        dataset: from :func:`aifgraph.interop.rdf.dataset.open_dataset`.

    Returns:
        The corpora, sorted by name.
    """
    from rdflib import URIRef

    corpus_of, name_of = URIRef(f"{OWN}corpus"), URIRef(f"{OWN}name")
    maps: dict[str, dict[str, str]] = {}
    paths: dict[str, str] = {}
    for iri, corpus in dataset.subject_objects(corpus_of):
        if (iri, URIRef(RDF_TYPE), URIRef(f"{OWN}Map")) in dataset:
            maps.setdefault(str(corpus), {})[str(dataset.value(iri, name_of))] = str(iri)
        else:
            paths[str(corpus)] = str(dataset.value(iri, URIRef(f"{OWN}path")) or "")
    return [HeldCorpus(name, paths.get(name, ""), maps.get(name, {})) for name in sorted(maps.keys() | paths.keys())]


@quiet_rdflib()
def take_in(
    dataset: rdflib.Dataset,
    maps: Iterable[MapSource],
    corpus: str,
    path: str = "",
    *,
    base: str | None = None,
    store: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Taken:
    """Put every map of a corpus into a named graph of its own.

    Maps that are there unchanged stay, those that are no longer in the corpus go, other corpora are left alone.

    Args:
        dataset: from :func:`aifgraph.interop.rdf.dataset.open_dataset`; it is changed.
        maps: the maps of the corpus, all of them.
        corpus: the name of the corpus.
        path: where the corpus comes from.
        base: what the IRIs of maps begin with; None as in :func:`aifgraph.to_rdf`.
        store: the folder of the store, for messages; None for ``path``.
        progress: called with the number of the map and 0, as the number of all is not known.

    Returns:
        How many maps were taken in, and which failed.

    Raises:
        InputError: the dataset holds a corpus of this name from another ``path``, or the store cannot be written.
        OptionError: ``base`` is no IRI.

    >>> from aifgraph import load
    >>> dataset, path = open_dataset(), "fixtures/debate/first.json"
    >>> take_in(dataset, [MapSource("first", "1", lambda: load(path))], "debate")
    Taken(added=1, unchanged=0, removed=0, failed=[])
    >>> take_in(dataset, [MapSource("first", "1", lambda: load(path))], "debate").unchanged
    1
    >>> [(held.name, list(held.maps)) for held in held_corpora(dataset)], remove_corpus(dataset, "debate")
    ([('debate', ['first'])], 1)
    """
    from rdflib import Literal, URIRef

    corpus = safe_text(corpus)
    held = next((each for each in held_corpora(dataset) if each.name == corpus), HeldCorpus(corpus, path, {}))
    if held.path != path:
        remedy = "give this one another name (--name), or remove that one first (aifgraph store remove)"
        raise InputError(
            f"there is another corpus {corpus!r} in the store, from {held.path}", where=path, remedy=remedy
        )
    digest = URIRef(f"{OWN}sha256")
    taken = Taken()
    left = dict(held.maps)
    with _store_errors(store or path):
        _note_corpus(dataset, corpus, path)
        for number, source in enumerate(maps, 1):
            if progress is not None:
                progress(number, 0)
            name = safe_text(source.name)
            old = left.pop(name, None)
            if old is not None and str(dataset.value(URIRef(old), digest)) == source.digest:
                taken.unchanged += 1
                continue
            if old is not None:
                dataset.remove_graph(URIRef(old))
            try:
                graph = source.load()
            except InputError as error:
                taken.failed.append((source.name, str(error)))
                continue
            iri = URIRef(map_names(graph, base=base, name=source.name, corpus=corpus).iri)
            named = dataset.graph(iri)
            to_rdf(graph, name=source.name, corpus=corpus, base=base, into=named)
            # Last, so that a map whose triples are not all there is taken in again.
            named.add((iri, digest, Literal(source.digest)))
            taken.added += 1
        for old in left.values():
            dataset.remove_graph(URIRef(old))
        taken.removed = len(left)
    return taken


def _note_corpus(dataset: rdflib.Dataset, corpus: str, path: str) -> None:
    from rdflib import Literal, URIRef

    iri = _corpus_iri(corpus)
    note = dataset.graph(iri)
    note.add((iri, URIRef(f"{OWN}corpus"), Literal(corpus)))
    note.add((iri, URIRef(f"{OWN}path"), Literal(safe_text(path))))


def _corpus_iri(corpus: str) -> Any:
    from rdflib import URIRef

    return URIRef(f"{OWN}corpus:{percent(corpus)}")


@quiet_rdflib()
def remove_corpus(dataset: rdflib.Dataset, corpus: str) -> int:
    """Take a corpus out of a dataset.

    Args:
        dataset: from :func:`aifgraph.interop.rdf.dataset.open_dataset`; it is changed.
        corpus: the name of the corpus.

    Returns:
        How many maps it had.

    Raises:
        NotFoundError: there is no corpus of this name.
    """
    from rdflib import URIRef

    corpora = held_corpora(dataset)
    held = next((each for each in corpora if each.name == corpus), None)
    if held is None:
        there = ", ".join(each.name for each in corpora) or "nothing"
        raise NotFoundError(f"there is no corpus {corpus!r} in the store", remedy=f"it holds {there}")
    with quiet_rdflib():
        for iri in held.maps.values():
            dataset.remove_graph(URIRef(iri))
        dataset.remove_graph(_corpus_iri(corpus))
    return len(held.maps)
