"""``aifgraph query``: SPARQL over corpora, or over a store."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put, rendered, say, warn
from aifgraph.cli.store import add_corpus, open_maps
from aifgraph.errors import InputError, NotFoundError, OptionError
from aifgraph.tables import Table


@click.command()
@click.argument("corpora", metavar="[CORPUS]...", nargs=-1)
@click.argument("query")
@click.option("--store", type=click.Path(file_okay=False, path_type=Path), help="Ask what this folder holds.")
@output_options(("text", "json", "csv", "markdown", "latex"))
def query(corpora: tuple[str, ...], query: str, store: Path | None, format_: str, output: Path | None) -> int:
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
    from aifgraph.interop.rdf.dataset import held_corpora, open_dataset
    from aifgraph.interop.rdf.sparql import ask, asks_by_map, shared_nodes

    if not corpora and store is None:
        raise OptionError("nothing to ask", remedy="give a corpus before the query, or --store")
    text, where = _query_text(query)
    opened = [open_maps(path) for path in corpora]
    dataset = open_dataset(store, create=bool(corpora))
    try:
        added = dict(add_corpus(dataset, corpus, store=store) for corpus in opened)
        failed = [failure for taken in added.values() for failure in taken.failed]
        held = held_corpora(dataset)
        if not any(corpus.maps for corpus in held):
            if failed:  # An answer about no maps would pass for a count of 0.
                for _, error in failed:
                    say(f"aifgraph: {error}")
                return 2
            raise InputError("the store is empty", where=str(store), remedy="aifgraph store add STORE CORPUS")
        others = [each.name for each in held if each.name not in added]
        if added and others:
            warn([f"the store holds {', '.join(others)} as well, which is asked, too"])
        if not asks_by_map(text) and (shared := shared_nodes(dataset)):
            warn([f"nodes that are in several maps: {shared}; each counts once (GRAPH ?map {{ … }} asks map by map)"])
        answer = ask(dataset, text, where)
    finally:
        dataset.close()
    if answer.turtle is not None:
        put(answer.turtle, output)
    elif answer.holds is not None:
        put("yes" if answer.holds else "no", output)
    else:
        put(rendered(Table("", answer.columns, answer.rows), format_), output)
    for _, error in failed:
        say(f"aifgraph: {error}")
    if failed:
        return 2
    return 1 if answer.holds is False else 0


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
