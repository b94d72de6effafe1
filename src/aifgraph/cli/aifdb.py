"""``fetch`` and ``query``: maps from AIFdb, and SPARQL over maps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli import inputs, options
from aifgraph.cli.output import Output, failures, notices, print_status, progress

if TYPE_CHECKING:
    from aifgraph.aifdb import AIFdb
    from aifgraph.graph import ArgumentGraph
    from aifgraph.rdf.terms import MapNames


@click.command()
@click.argument("names", nargs=-1)
@click.option("-o", "--output", "folder", type=options.PATH, metavar="FOLDER", help="Folder to write to.")
@click.option("--refresh", is_flag=True, help="Fetch maps again that the folder already has.")
@click.option("--pause", type=click.FloatRange(0), metavar="SECONDS", help="Pause between two requests.")
@click.option("--list", "listing", is_flag=True, help="List all corpora.")
def fetch(names: tuple[str, ...], folder: Path | None, refresh: bool, pause: float | None, listing: bool) -> int:
    """Fetch maps and corpora from AIFdb.

    NAMES are numbers of nodesets and names of corpora. To continue an
    interrupted download, run the command again. AIFGRAPH_AIFDB_URL names another
    server.

    \b
    Examples:
      aifgraph fetch 17940 17941 -o maps/
      aifgraph fetch US2016 -o us2016/
      aifgraph fetch --list
    """
    from aifgraph.aifdb import AIFdb, Policy
    from aifgraph.tables import Table

    with AIFdb(policy=Policy() if pause is None else Policy(pause=pause)) as client:
        if listing:
            Output(details=True).write([Table("", ("name", "title"), [*client.corpora().items()])])
            if not names:
                return 0
        if not names or folder is None:
            raise click.UsageError("give numbers or names and -o FOLDER, or --list")
        return max(_fetch(client, name, folder, refresh) for name in names)


def _fetch(client: AIFdb, name: str, folder: Path, refresh: bool) -> int:
    from aifgraph.aifdb import fetch_corpus, fetch_nodesets

    with progress(f"fetching {name}") as moved:
        if name.removeprefix("nodeset").isdecimal():
            done = fetch_nodesets(client, [name], folder, refresh=refresh)
        else:
            done = fetch_corpus(client, name, folder, refresh=refresh, progress=moved)
    notices(done.notices)
    print_status(f"{folder}: {done.here} of {len(done.ids)} maps, {done.new} new")
    return failures([(f"nodeset{number}", reason) for number, reason in done.failed.items()])


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@click.argument("query")
@options.output("text", "json", "csv", "latex", "markdown")
def query(corpora: tuple[str, ...], query: str, output: Output) -> int:
    """Query maps with SPARQL.

    QUERY is a file, "-" (standard input), the text of a query, or the name of a
    query that aifgraph has: most-attacked, schemes, self-contradiction,
    undercuts, unanswered-questions. Each map is a named graph; the default graph
    is their union. The exit code is 1 if an ASK query answers no.

    \b
    Examples:
      aifgraph query corpus.zip undercuts
      aifgraph query corpus/ "SELECT ?n WHERE { ?n a aif:CA-node }"
    """
    from aifgraph.corpus.query import ask
    from aifgraph.tables import Table

    failed: list[tuple[str, str]] = []
    text = _query_text(query)
    answer = ask(_named_maps(corpora, failed), text, query if "{" not in query else "<query>")
    if isinstance(answer, bool):
        output.write_text("yes" if answer else "no")
    elif isinstance(answer, Table):
        output.write([answer])
    else:
        output.write_text(answer)
    return failures(failed) or (1 if answer is False else 0)


def _named_maps(paths: tuple[str, ...], failed: list[tuple[str, str]]) -> Iterator[tuple[ArgumentGraph, MapNames]]:
    from aifgraph.errors import AifgraphError
    from aifgraph.files import is_corpus
    from aifgraph.rdf.terms import map_names

    for path in paths:
        if not is_corpus(path):
            graph = inputs.load(path)
            notices(graph.notices)
            yield graph, map_names(graph)
            continue
        corpus = inputs.open_corpus(path)
        with progress(f"reading {corpus.name}") as moved:
            for number, entry in enumerate(corpus, 1):
                try:
                    graph = entry.load()
                except AifgraphError as error:
                    failed.append((path, str(error)))
                else:
                    yield graph, map_names(graph, corpus=corpus.name, name=entry.name)
                if moved:
                    moved(number, len(corpus))


def _query_text(query: str) -> str:
    from aifgraph.corpus.query import shipped_queries
    from aifgraph.errors import NotFoundError, choose_from
    from aifgraph.files import decode_strict, read_bounded, read_bytes, standard_input

    if "{" in query:
        return query
    if query == "-":
        return decode_strict(read_bounded(standard_input(), "<stdin>"), "<stdin>")
    shipped = shipped_queries()
    if query in shipped:
        return shipped[query]
    if not Path(query).exists():
        what = "no such file, and no query of aifgraph has this name"
        raise NotFoundError(what, where=query, remedy=choose_from(shipped))
    return decode_strict(read_bytes(Path(query)), query)
