"""``aifgraph fetch``: maps and corpora from AIFdb into a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from aifgraph.cli.command import Command, CommandGroup, argument, option, part
from aifgraph.cli.options import required_output
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import bar, warn
from aifgraph.errors import NotFoundError
from aifgraph.tables import Table

if TYPE_CHECKING:
    from aifgraph.aifdb import AIFdb
    from aifgraph.aifdb.download import Fetched


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """Which servers are asked, and how."""

    base_url: str | None = option(metavar="URL", help="Server of maps.  [default: http://www.aifdb.org]")
    corpora_url: str | None = option(metavar="URL", help="Server of corpora.  [default: http://corpora.aifdb.org]")
    text_url: str | None = option(metavar="URL", help="Server of source texts.")
    pause: float | None = option(type=float, help="Seconds between two requests.  [default: 2]")
    timeout: float | None = option(
        type=float, help="Seconds to wait for an answer to begin, and for each further part of it.  [default: 60]"
    )
    retries: int | None = option(type=int, help="How often a failed request is tried again.  [default: 4]")

    @property
    def client(self) -> AIFdb:
        from aifgraph.aifdb import AIFdb

        return AIFdb.from_environment(**{name: value for name, value in vars(self).items() if value is not None})


def _folder() -> Any:
    return required_output("Folder to write to.", type=click.Path(file_okay=False, path_type=Path))


@dataclass(frozen=True, kw_only=True)
class Nodeset(Command):
    """Single maps, each with its source text if there is one.

    \b
    Examples:
      aifgraph fetch nodeset 17940 -o maps
    """

    ids: tuple[str, ...] = argument(many=True)
    output: Path = _folder()
    refresh: bool = option(False, help="Fetch maps again that are already in the folder.")
    server: ServerOptions = part(ServerOptions)

    def run(self) -> Output:
        from aifgraph.aifdb.answers import nodeset_id
        from aifgraph.aifdb.download import fetch_nodesets

        numbers = list(dict.fromkeys(map(nodeset_id, self.ids)))
        with self.server.client as client:
            return _fetched(fetch_nodesets(client, numbers, self.output, refresh=self.refresh))


@dataclass(frozen=True, kw_only=True)
class FetchCorpus(Command):
    """All maps of a corpus, by its short name.

    \b
    Examples:
      aifgraph fetch corpus US2016 -o us2016
      aifgraph fetch corpus US2016 -o us2016 --refresh
    """

    name: str = argument()
    output: Path = _folder()
    refresh: bool = option(False, help="Ask for maps again that are already in the folder; changed ones are replaced.")
    server: ServerOptions = part(ServerOptions)

    def run(self) -> Output:
        from aifgraph.aifdb.download import fetch_corpus

        try:
            with self.server.client as client, bar(f"fetching {self.name}", lines=True) as progress:
                return _fetched(fetch_corpus(client, self.name, self.output, refresh=self.refresh, progress=progress))
        except NotFoundError as error:
            raise type(error)(error.what, where=error.where, remedy=_elsewhere(self.name) or error.remedy) from None


@dataclass(frozen=True, kw_only=True)
class ListCorpora(Command):
    """All corpora."""

    destination: Destination = destination()
    server: ServerOptions = part(ServerOptions)

    def run(self) -> Output:
        with self.server.client as client:
            rows = [(info.name, info.title, info.id, info.locked) for info in client.corpora()]
        return Output(tables=[Table("Corpora", ("name", "title", "id", "locked"), rows)])


@dataclass(frozen=True, kw_only=True)
class Search(Command):
    """Propositions that contain some words, and the maps they are in."""

    query: str = argument()
    page: int = option(1, type=click.IntRange(1), help="Page of the answer.")
    destination: Destination = destination()
    server: ServerOptions = part(ServerOptions)

    def run(self) -> Output:
        with self.server.client as client:
            hits = client.search(self.query, self.page)
            rows = [(hit.node_id, " ".join(map(str, hit.nodesets)), hit.text) for hit in hits]
        return Output(tables=[Table("Propositions", ("node", "maps", "text"), rows)])


class Fetch(CommandGroup):
    """Maps and corpora from AIFdb.

    Interrupted downloads are resumed; complete ones are only checked.
    """

    commands: ClassVar = {"nodeset": Nodeset, "corpus": FetchCorpus, "list": ListCorpora, "search": Search}


def _elsewhere(name: str) -> str | None:
    """What to do about a data set that is no corpus of AIFdb."""
    from aifgraph.datasets import ALIASES, DATASETS

    known = ALIASES.get(name.lower(), name.lower())
    if known not in DATASETS:
        return None
    return f"get it from its authors (docs/datasets.md), then: aifgraph convert --dataset {known} FOLDER OUT"


def _fetched(fetched: Fetched) -> Output:
    if fetched.errors and not fetched.here:
        raise fetched.errors[0]
    warn(fetched.notices)
    failed = f", {len(fetched.failed)} failed" if fetched.failed else ""
    line = f"{fetched.folder}: {fetched.here} of {fetched.wanted} maps, {fetched.new} new{failed}"
    return Output(content=line, code=2 if fetched.failed else 0)
