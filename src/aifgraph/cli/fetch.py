"""``aifgraph fetch``: maps and corpora from AIFdb into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.options import output_options, together
from aifgraph.cli.present import bar, put, rendered, warn
from aifgraph.tables import Table

if TYPE_CHECKING:
    from aifgraph.aifdb import AIFdb
    from aifgraph.aifdb.download import Fetched

_server_options = together(
    click.option("--retries", type=int, help="How often a request is tried again.  [default: 4]"),
    click.option(
        "--timeout", type=float, help="Seconds for the head of an answer, and for each further byte.  [default: 60]"
    ),
    click.option("--pause", type=float, help="Seconds between two requests.  [default: 2]"),
    click.option("--text-url", metavar="URL", help="Server of source texts."),
    click.option("--corpora-url", metavar="URL", help="Server of corpora.  [default: http://corpora.aifdb.org]"),
    click.option("--base-url", metavar="URL", help="Server of maps.  [default: http://www.aifdb.org]"),
)


@click.group()
def fetch() -> None:
    """Maps and corpora from AIFdb. Interrupted downloads are resumed; finished ones are only checked."""


@fetch.command()
@click.argument("ids", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
@click.option("--refresh", is_flag=True, help="Ask again for maps that are there already.")
@_server_options
def nodeset(ids: tuple[str, ...], output: Path, refresh: bool, **server: Any) -> int:
    """Single maps, each with its source text where there is one.

    \b
    Examples:
      aifgraph fetch nodeset 17940 -o maps
    """
    from aifgraph.aifdb.answers import nodeset_id
    from aifgraph.aifdb.download import fetch_nodesets

    numbers = list(dict.fromkeys(map(nodeset_id, ids)))
    with _client(server) as client:
        return _done(fetch_nodesets(client, numbers, output, refresh=refresh))


@fetch.command()
@click.argument("name")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
@_server_options
def corpus(name: str, output: Path, **server: Any) -> int:
    """All maps of a corpus, by its short name.

    \b
    Examples:
      aifgraph fetch corpus US2016 -o us2016
    """
    from aifgraph.aifdb.download import fetch_corpus

    with _client(server) as client, bar(f"fetching {name}") as progress:
        return _done(fetch_corpus(client, name, output, progress=progress))


@fetch.command("list")
@output_options()
@_server_options
def list_(format_: str, output: Path | None, **server: Any) -> None:
    """All corpora."""
    with _client(server) as client:
        rows = [(info.name, info.title, info.id, info.locked) for info in client.corpora()]
    put(rendered(Table("Corpora", ("name", "title", "id", "locked"), rows), format_), output)


@fetch.command()
@click.argument("query")
@click.option("--page", type=click.IntRange(1), default=1, show_default=True)
@output_options()
@_server_options
def search(query: str, page: int, format_: str, output: Path | None, **server: Any) -> None:
    """Propositions that contain some words, and the maps they are in."""
    with _client(server) as client:
        rows = [(hit.node_id, " ".join(map(str, hit.nodesets)), hit.text) for hit in client.search(query, page)]
    put(rendered(Table("Propositions", ("node", "maps", "text"), rows), format_), output)


def _client(server: dict[str, Any]) -> AIFdb:
    from aifgraph.aifdb import AIFdb

    return AIFdb.from_environment(**{key: value for key, value in server.items() if value is not None})


def _done(fetched: Fetched) -> int:
    if fetched.errors and not fetched.here:
        raise fetched.errors[0]
    warn(fetched.notices)
    failed = f", {len(fetched.failed)} failed" if fetched.failed else ""
    put(f"{fetched.folder}: {fetched.here} of {fetched.wanted} maps, {fetched.new} new{failed}", None)
    return 2 if fetched.failed else 0
