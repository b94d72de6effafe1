"""``aifgraph query``: SPARQL over a corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put
from aifgraph.formats.files import decode_strict, read_bytes
from aifgraph.tables import Table, render


@click.command()
@click.argument("corpus")
@click.argument("query")
@click.option("--store", type=click.Path(file_okay=False, path_type=Path), help="Keep the triples in this folder.")
@output_options(("text", "json", "csv", "markdown", "latex"))
def query(corpus: str, query: str, store: Path | None, format_: str, output: Path | None) -> int:
    """Ask a SPARQL QUERY (a file) of all maps of a CORPUS (a folder, an archive, a map).

    Each map is a named graph in the profile "full" (see docs/rdf.md); the default graph is their union. With --store
    they are kept in an Oxigraph store, and only new and changed maps are added next time. Exit code 1: the answer to
    an ASK is no.

    \b
    Examples:
      aifgraph query corpus/ docs/queries/undercuts.rq
      aifgraph query corpus.zip docs/queries/most-attacked.rq --format csv
      aifgraph query qt30/ docs/queries/most-attacked.rq --store qt30.store
    """
    from aifgraph.corpus import open_corpus
    from aifgraph.interop.rdf.dataset import MapSource, ask, open_dataset, take_in

    text = decode_strict(read_bytes(Path(query)), query)
    opened = open_corpus(corpus)

    def maps() -> Iterator[MapSource]:
        for entry in opened:
            digest = hashlib.sha256(entry.input().data + (entry.beside(".txt") or b"")).hexdigest()
            yield MapSource(entry.name, digest, entry.load)

    dataset = open_dataset(store)
    try:
        failed = take_in(dataset, maps())
        answer = ask(dataset, text, query)
    finally:
        dataset.close()
    if answer.turtle is not None:
        put(answer.turtle, output)
    elif answer.holds is not None:
        put("yes" if answer.holds else "no", output)
    else:
        put(render(Table("", answer.columns, answer.rows), format_), output)
    for _, error in failed:
        click.echo(f"aifgraph: {error}", err=True)
    if failed:
        return 2
    return 1 if answer.holds is False else 0
