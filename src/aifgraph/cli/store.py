"""``aifgraph store``: corpora as triples in a folder, to be asked again and again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import bar, put, rendered, say, warn
from aifgraph.errors import InputError, OptionError
from aifgraph.tables import Table

if TYPE_CHECKING:
    import rdflib

    from aifgraph.corpus import Corpus
    from aifgraph.interop.rdf.dataset import MapSource, Taken

_STORE = click.argument("store", type=click.Path(file_okay=False, path_type=Path))


@click.group()
def store() -> None:
    """Corpora as triples in a folder: add, remove, list. Ask them with "aifgraph query --store"."""


@store.command()
@_STORE
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@click.option("--name", help="What the corpus is called in the store (its folder's or file's name by default).")
@click.option("--base", metavar="IRI", help="What the IRIs of maps begin with that have none of AIFdb's.")
def add(store: Path, corpora: tuple[str, ...], name: str | None, base: str | None) -> int:
    """Add corpora to a STORE, or bring those that it holds up to date; others in it are left alone.

    Only new and changed maps are read, and maps that are no longer in the corpus are removed.

    \b
    Examples:
      aifgraph store add maps.store us2016/ qt30.zip
      aifgraph store add maps.store new/us2016 --name us2016-revised
    """
    from aifgraph.interop.rdf.dataset import open_dataset

    if name is not None and len(corpora) > 1:
        raise OptionError("--name is for one corpus", remedy="add them one by one")
    opened = [open_maps(path) for path in corpora]
    failed: list[tuple[str, str]] = []
    dataset = open_dataset(store)
    try:
        for corpus in opened:
            called, taken = add_corpus(dataset, corpus, name=name, base=base, store=store)
            put(_said(called, taken), None)
            failed += taken.failed
    finally:
        dataset.close()
    for _, error in failed:
        say(f"aifgraph: {error}")
    return 2 if failed else 0


@store.command()
@_STORE
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
def remove(store: Path, names: tuple[str, ...]) -> None:
    """Remove corpora from a STORE, by the names that "aifgraph store list" shows."""
    from aifgraph.interop.rdf.dataset import open_dataset, remove_corpus

    dataset = open_dataset(store, create=False)
    try:
        for name in names:
            try:
                put(f"{name}: {remove_corpus(dataset, name)} maps removed", None)
            except InputError as error:
                raise error.at(str(store)) from None
    finally:
        dataset.close()


@store.command(name="list")
@_STORE
@output_options(("text", "json", "csv", "markdown", "latex"))
def list_(store: Path, format_: str, output: Path | None) -> None:
    """The corpora in a STORE: name, number of maps, and where each came from."""
    from aifgraph.interop.rdf.dataset import held_corpora, open_dataset

    dataset = open_dataset(store, create=False)
    try:
        rows = [(each.name, len(each.maps), each.path) for each in held_corpora(dataset)]
    finally:
        dataset.close()
    if not rows:
        warn([f"{store} is empty"])
    put(rendered(Table("", ("corpus", "maps", "from"), rows), format_), output)


def open_maps(path: str) -> Corpus:
    """The corpus at a path; ``InputError`` where it has no map."""
    from aifgraph.corpus import open_corpus

    with bar(f"opening {path}") as progress:
        corpus = open_corpus(path, progress=progress)
    if not len(corpus):
        raise InputError("no map in it", where=path)
    warn(corpus.notices)
    return corpus


def add_corpus(
    dataset: rdflib.Dataset,
    corpus: Corpus,
    *,
    name: str | None = None,
    base: str | None = None,
    store: Path | None = None,
) -> tuple[str, Taken]:
    """Put a corpus into a dataset; its name there, and what became of its maps."""
    from aifgraph.interop.rdf.dataset import take_in

    called = corpus.name if name is None else name
    with bar(f"adding {called}") as progress:
        return called, take_in(
            dataset, _sources(corpus), called, str(corpus.path.resolve()), base=base, store=store, progress=progress
        )


def _said(name: str, taken: Taken) -> str:
    parts = [f"{taken.added} maps added"]
    for number, what in ((taken.unchanged, "unchanged"), (taken.removed, "removed")):
        if number:
            parts.append(f"{number} {what}")
    return f"{name}: {', '.join(parts)}"


def _sources(corpus: Corpus) -> Iterator[MapSource]:
    from aifgraph.interop.rdf.dataset import MapSource

    for entry in corpus:
        try:
            content = entry.input().data + (entry.sibling(".txt") or b"")
        except InputError:
            content = b""  # loading it says what is wrong
        yield MapSource(entry.name, hashlib.sha256(content).hexdigest(), entry.load)
