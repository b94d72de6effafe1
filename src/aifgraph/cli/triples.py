"""``aifgraph query`` and ``store``: SPARQL over corpora, and corpora as triples in a folder, asked again and again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import click

from aifgraph.cli.command import Command, CommandGroup, argument, option
from aifgraph.cli.options import opened_corpus
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import bar, say, warn
from aifgraph.errors import InputError, NotFoundError, OptionError
from aifgraph.printable import quantity
from aifgraph.tables import Table

if TYPE_CHECKING:
    import rdflib

    from aifgraph.corpus import Corpus

_FOLDER = click.Path(file_okay=False, path_type=Path)
_FORMATS = ("text", "json", "csv", "markdown", "latex")


@dataclass(frozen=True, kw_only=True)
class Query(Command):
    """Ask a SPARQL QUERY of the maps of a CORPUS.

    Of one corpus or several (a folder, an archive, a map), or of a store.

    QUERY is a file, "-" for standard input, the query itself, or the name of a worked one (most-attacked, schemes,
    self-contradiction, undercuts, unanswered-questions). Each map is a named graph in the profile "full" (see
    docs/rdf.md); the default graph is their union. Exit code 1: the answer to an ASK is no.

    \b
    Examples:
      aifgraph query corpus/ undercuts
      aifgraph query corpus.zip my.rq --format csv
      aifgraph query corpus/ "SELECT ?n WHERE { ?n a aif:CA-node }"
      aifgraph query --store qt30.store most-attacked
    """

    corpora: tuple[str, ...] = argument("[CORPUS]...", many=True, optional=True)
    query: str = argument()
    store: Path | None = option(type=_FOLDER, help="Ask this store, instead of corpora.")
    destination: Destination = destination(_FORMATS)

    def run(self) -> Output:
        from aifgraph.interop.rdf.store import (
            ask,
            asks_by_map,
            open_dataset,
            shared_nodes,
            stored_maps,
            unknown_terms,
            worked_queries,
        )

        if bool(self.corpora) == (self.store is not None):
            raise OptionError("either corpora or a store is asked", remedy="give a corpus before the query, or --store")
        queries = [each for each in self.corpora if not Path(each).exists()]
        if swapped := [each for each in queries if "{" in each or each.removesuffix(".rq") in worked_queries()]:
            remedy = f'the query comes last: aifgraph query {self.query[:100]} "…"'
            raise OptionError("a query stands where a corpus belongs", where=swapped[0][:100], remedy=remedy)
        text, where = _query_text(self.query)
        corpora = [opened_corpus(path) for path in self.corpora]
        dataset = open_dataset(self.store, create=False)
        try:
            failed = [error for corpus in corpora for error in _add(dataset, corpus, corpus.name)[1]]
            if not stored_maps(dataset):
                if failed:  # An answer about no maps would pass for a count of 0.
                    return Output(code=2)
                raise InputError("the store is empty", where=str(self.store), remedy="aifgraph store add STORE CORPUS")
            if not asks_by_map(text) and (shared := shared_nodes(dataset)):
                hint = "each counts once (GRAPH ?map { … } asks map by map)"
                warn([f"nodes that are in several maps: {shared}; {hint}"])
            answer = ask(dataset, text, where)
            warn(unknown_terms(dataset, text))
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
    from aifgraph.interop.rdf.store import worked_queries

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
    """Add corpora to a STORE. A map that is added again replaces the one of its name.

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
        from aifgraph.interop.rdf.store import open_dataset

        corpora = [opened_corpus(path) for path in self.corpora]
        failed: list[str] = []
        lines = []
        dataset = open_dataset(self.store)
        try:
            for corpus in corpora:
                name = corpus.name if self.name is None else self.name
                added, errors = _add(dataset, corpus, name, self.base)
                lines.append(f"{name}: {quantity(added, 'maps')} added")
                failed += errors
        finally:
            dataset.close()
        return Output(content="\n".join(lines), code=2 if failed else 0)


@dataclass(frozen=True, kw_only=True)
class Remove(Command):
    """Remove corpora from a STORE, by the names that "aifgraph store list" shows."""

    store: Path = argument(type=_FOLDER)
    names: tuple[str, ...] = argument("NAME...", many=True)

    def run(self) -> Output:
        from aifgraph.interop.rdf.store import open_dataset, remove_corpus

        lines = []
        dataset = open_dataset(self.store, create=False)
        try:
            for name in self.names:
                try:
                    lines.append(f"{name}: {quantity(remove_corpus(dataset, name), 'maps')} removed")
                except InputError as error:
                    raise error.at(str(self.store)) from None
        finally:
            dataset.close()
        return Output(content="\n".join(lines))


@dataclass(frozen=True, kw_only=True)
class ListStore(Command):
    """The corpora in a STORE: name and number of maps."""

    store: Path = argument(type=_FOLDER)
    destination: Destination = destination(_FORMATS)

    def run(self) -> Output:
        from aifgraph.interop.rdf.store import open_dataset, stored_maps

        dataset = open_dataset(self.store, create=False)
        try:
            rows = [(name, len(maps)) for name, maps in stored_maps(dataset).items()]
        finally:
            dataset.close()
        if not rows:
            warn([f"{self.store} is empty"])
        return Output(tables=[Table("", ("corpus", "maps"), rows)])


class Store(CommandGroup):
    """Corpora as triples in a folder: add, remove, list.

    Ask them with "aifgraph query --store".
    """

    commands: ClassVar = {"add": Add, "remove": Remove, "list": ListStore}


def _add(dataset: rdflib.Dataset, corpus: Corpus, name: str, base: str | None = None) -> tuple[int, list[str]]:
    """Put a corpus into a dataset, and name the maps that cannot be read; how many could, and the errors."""
    from aifgraph.interop.rdf.store import add_maps

    with bar(f"adding {name}") as progress:
        added, failed = add_maps(dataset, corpus, name, base=base, progress=progress)
    for error in failed:
        say(f"aifgraph: {error}")
    return added, failed
