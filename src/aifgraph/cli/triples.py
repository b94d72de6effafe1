"""``aifgraph query`` and ``store``: SPARQL over corpora, and corpora as triples in a folder, asked again and again."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import click

from aifgraph.cli.command import Command, CommandGroup, argument, option
from aifgraph.cli.corpora import opened_corpus
from aifgraph.cli.messages import bar, say, warn
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.errors import InputError, NotFoundError, OptionError
from aifgraph.tables import Table

if TYPE_CHECKING:
    import rdflib

    from aifgraph.corpus import Corpus
    from aifgraph.interop.rdf.dataset import MapSource, Taken

_FOLDER = click.Path(file_okay=False, path_type=Path)
_FORMATS = ("text", "json", "csv", "markdown", "latex")


@dataclass(frozen=True, kw_only=True)
class Query(Command):
    """Ask a SPARQL QUERY of all maps of one CORPUS or several (a folder, an archive, a map), or of a store.

    QUERY is a file, "-" for standard input, the query itself, or the name of a worked one (most-attacked, schemes,
    self-contradiction, undercuts, unanswered-questions). Each map is a named graph in the profile "full" (see
    docs/rdf.md); the default graph is their union. With --store, what the store holds is asked; a CORPUS is added to
    it first, as by "aifgraph store add". Exit code 1: the answer to an ASK is no.

    \b
    Examples:
      aifgraph query corpus/ undercuts
      aifgraph query corpus.zip my.rq --format csv
      aifgraph query corpus/ "SELECT ?n WHERE { ?n a aif:CA-node }"
      aifgraph query --store qt30.store most-attacked
    """

    corpora: tuple[str, ...] = argument("[CORPUS]...", many=True, optional=True)
    query: str = argument()
    store: Path | None = option(type=_FOLDER, help="Ask what this store holds.")
    destination: Destination = destination(_FORMATS)

    def run(self) -> Output:
        from aifgraph.interop.rdf.dataset import held_corpora, open_dataset
        from aifgraph.interop.rdf.sparql import ask, asks_by_map, shared_nodes

        if not self.corpora and self.store is None:
            raise OptionError("nothing to ask", remedy="give a corpus before the query, or --store")
        text, where = _query_text(self.query)
        corpora = [opened_corpus(path) for path in self.corpora]
        dataset = open_dataset(self.store, create=bool(corpora))
        try:
            added = dict(_add(dataset, corpus, store=self.store) for corpus in corpora)
            failed = [failure for taken in added.values() for failure in taken.failed]
            for _, error in failed:
                say(f"aifgraph: {error}")
            stored = held_corpora(dataset)
            if not any(corpus.maps for corpus in stored):
                if failed:  # An answer about no maps would pass for a count of 0.
                    return Output(code=2)
                raise InputError("the store is empty", where=str(self.store), remedy="aifgraph store add STORE CORPUS")
            others = [corpus.name for corpus in stored if corpus.name not in added]
            if added and others:
                warn([f"the store holds {', '.join(others)} as well, which is asked, too"])
            if not asks_by_map(text) and (shared := shared_nodes(dataset)):
                hint = "each counts once (GRAPH ?map { … } asks map by map)"
                warn([f"nodes that are in several maps: {shared}; {hint}"])
            answer = ask(dataset, text, where)
        finally:
            dataset.close()
        code = 2 if failed else 1 if answer.holds is False else 0
        if answer.turtle is not None:
            return Output(content=answer.turtle, code=code)
        if answer.holds is not None:
            return Output(content="yes" if answer.holds else "no", code=code)
        return Output(tables=[Table("", answer.columns, answer.rows)], code=code)


def _query_text(query: str) -> tuple[str, str]:
    """The text of a query, and what to call it in messages."""
    from aifgraph.formats.files import decode_strict, read_bounded, read_bytes
    from aifgraph.interop.rdf.sparql import worked_queries

    if query == "-":
        name = "<stdin>"
        return decode_strict(read_bounded(getattr(sys.stdin, "buffer", sys.stdin), name), name), name
    # What has braces is no file's name.
    if "{" in query:
        return query, "<query>"
    worked = worked_queries()
    if not Path(query).is_file() and query.removesuffix(".rq") in worked:
        query = str(worked[query.removesuffix(".rq")])
    try:
        return decode_strict(read_bytes(Path(query)), query), query
    except NotFoundError:
        remedy = f"give a file, a query, or one of {', '.join(worked)}"
        raise NotFoundError("no such query", where=query, remedy=remedy) from None


@dataclass(frozen=True, kw_only=True)
class Add(Command):
    """Add corpora to a STORE, or bring those that it holds up to date; others in it are left alone.

    Only new and changed maps are read, and maps that are no longer in the corpus are removed.

    \b
    Examples:
      aifgraph store add maps.store us2016/ qt30.zip
      aifgraph store add maps.store new/us2016 --name us2016-revised
    """

    store: Path = argument(type=_FOLDER)
    corpora: tuple[str, ...] = argument("CORPUS...", many=True)
    name: str | None = option(help="Name of the corpus in the store.  [default: that of its folder or file]")
    base: str | None = option(metavar="IRI", help="Start of the IRIs of maps that have none of AIFdb's.")

    @property
    def one_corpus(self) -> bool:
        return len(self.corpora) == 1

    def run(self) -> Output:
        from aifgraph.interop.rdf.dataset import open_dataset

        corpora = [opened_corpus(path) for path in self.corpora]
        failed: list[tuple[str, str]] = []
        lines = []
        dataset = open_dataset(self.store)
        try:
            for corpus in corpora:
                name, taken = _add(dataset, corpus, name=self.name, base=self.base, store=self.store)
                lines.append(_in_words(name, taken))
                failed += taken.failed
        finally:
            dataset.close()
        for _, error in failed:
            say(f"aifgraph: {error}")
        return Output(content="\n".join(lines), code=2 if failed else 0)


@dataclass(frozen=True, kw_only=True)
class Remove(Command):
    """Remove corpora from a STORE, by the names that "aifgraph store list" shows."""

    store: Path = argument(type=_FOLDER)
    names: tuple[str, ...] = argument("NAME...", many=True)

    def run(self) -> Output:
        from aifgraph.interop.rdf.dataset import open_dataset, remove_corpus

        lines = []
        dataset = open_dataset(self.store, create=False)
        try:
            for name in self.names:
                try:
                    lines.append(f"{name}: {remove_corpus(dataset, name)} maps removed")
                except InputError as error:
                    raise error.at(str(self.store)) from None
        finally:
            dataset.close()
        return Output(content="\n".join(lines))


@dataclass(frozen=True, kw_only=True)
class ListStore(Command):
    """The corpora in a STORE: name, number of maps, and where each came from."""

    store: Path = argument(type=_FOLDER)
    destination: Destination = destination(_FORMATS)

    def run(self) -> Output:
        from aifgraph.interop.rdf.dataset import held_corpora, open_dataset

        dataset = open_dataset(self.store, create=False)
        try:
            rows = [(corpus.name, len(corpus.maps), corpus.path) for corpus in held_corpora(dataset)]
        finally:
            dataset.close()
        if not rows:
            warn([f"{self.store} is empty"])
        return Output(tables=[Table("", ("corpus", "maps", "from"), rows)])


class Store(CommandGroup):
    """Corpora as triples in a folder: add, remove, list. Ask them with "aifgraph query --store"."""

    commands: ClassVar = {"add": Add, "remove": Remove, "list": ListStore}


def _add(
    dataset: rdflib.Dataset,
    corpus: Corpus,
    *,
    name: str | None = None,
    base: str | None = None,
    store: Path | None = None,
) -> tuple[str, Taken]:
    """Put a corpus into a dataset; its name there, and what became of its maps."""
    from aifgraph.interop.rdf.dataset import take_in

    name = corpus.name if name is None else name
    path = str(corpus.path.resolve())
    with bar(f"adding {name}") as progress:
        return name, take_in(dataset, _sources(corpus), name, path, base=base, store=store, progress=progress)


def _in_words(name: str, taken: Taken) -> str:
    counts = [f"{taken.added} maps added"]
    for number, what in ((taken.unchanged, "unchanged"), (taken.removed, "removed")):
        if number:
            counts.append(f"{number} {what}")
    return f"{name}: {', '.join(counts)}"


def _sources(corpus: Corpus) -> Iterator[MapSource]:
    from aifgraph.interop.rdf.dataset import MapSource

    for entry in corpus:
        try:
            content = entry.input().data + (entry.sibling(".txt") or b"")
        except InputError:
            content = b""  # loading it says what is wrong
        yield MapSource(entry.name, hashlib.sha256(content).hexdigest(), entry.load)
