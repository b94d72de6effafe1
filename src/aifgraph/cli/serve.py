"""``aifgraph adjudicate`` and ``serve``: pages on this machine, to decide differences and to compare two maps."""

from __future__ import annotations

import getpass
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.command import Command, option, part
from aifgraph.cli.differences import RuleOptions
from aifgraph.cli.options import TwoSides, compare_options, min_text_option, required_output
from aifgraph.cli.output import Output
from aifgraph.cli.terminal import bar, say, warn
from aifgraph.errors import InputError, MissingExtraError, OptionError
from aifgraph.printable import quantity

if TYPE_CHECKING:
    from aifgraph.adjudication.study import Study
    from aifgraph.comparison.options import Options
    from aifgraph.corpus.pairing import Pairing


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """Where pages are served, and how long a comparison may take."""

    host: str = option("127.0.0.1", help="Address to listen on.")
    port: int = option(8080, type=click.IntRange(0, 65535), help="Port to listen on; 0 takes a free one.")
    timeout: float = option(
        60.0, type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Time limit of the comparison of a pair."
    )


@dataclass(frozen=True, kw_only=True)
class Serve(Command):
    """A small web page and JSON endpoint for two maps.

    Post two maps, get their comparison. Loopback only, unless told otherwise.

    \b
    Examples:
      aifgraph serve
      curl -F first=@ann.json -F second=@ben.json http://127.0.0.1:8080/compare
      curl -F first=@ann.json -F second=@ben.json 'http://127.0.0.1:8080/compare?format=html' -o report.html
      aifgraph serve --meaning models/all-minilm-l6-v2
      curl -F first=@ann.json -F second=@ben.json -F min_meaning=0.75 http://127.0.0.1:8080/compare
    """

    server: ServerOptions = part(
        ServerOptions,
        timeout=option(
            30.0, type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Time limit of a comparison."
        ),
    )
    max_size: float = option(
        20.0, type=click.FloatRange(0, min_open=True), metavar="MB", help="Largest size of a request."
    )
    names: tuple[str, ...] = option(
        None, "--name", many=True, metavar="HOST", help="A further host name that requests may use."
    )
    meaning: str | None = option(
        metavar="MODEL",
        help="Model of sentences, a folder or a name, that requests switch on with min_meaning.",
    )

    def run(self) -> Output:
        listening = _listen(self.server.host, self.server.port)
        from aifgraph.report.service.app import Limits, application

        limits = Limits(int(self.max_size * (1 << 20)), self.server.timeout)
        app = application(limits, (self.server.host, *self.names), meaning=self.meaning)
        return _serve(app, self.server.host, listening)


@dataclass(frozen=True, kw_only=True)
class Adjudicate(TwoSides):
    """Decide differences in the browser, and get gold maps.

    Of two corpora, or of two maps.

    The pages are served on this machine only. Every decision is written to FOLDER at once: one file per pair, which
    `aifgraph merge --decisions` takes too, and a log. Start the command again to go on. When nothing is open,
    the button on the first page, or --finish, writes a folder of gold maps and the choices per annotator.

    \b
    Examples:
      aifgraph adjudicate ann/ ben/ -o gold-study --as Cleo
      aifgraph adjudicate ann.json ben.json -o gold-study
      aifgraph adjudicate ann/ ben/ --pair-by text -o gold-study --port 0
      aifgraph adjudicate ann/ ben/ -o gold-study --finish
    """

    output: Path = required_output(
        "Folder of decisions, log and gold maps; an existing study is resumed.", metavar="FOLDER"
    )
    name: str | None = option(None, "--as", metavar="NAME", help="Who decides.  [default: the name of the user]")
    finish: bool = option(False, help="Write the gold maps by the decisions so far, and serve nothing.")
    min_text: float = min_text_option()
    rule: RuleOptions = part(RuleOptions)
    server: ServerOptions = part(ServerOptions)
    options: Options = compare_options("chance")

    def run(self) -> Output:
        from aifgraph.adjudication.study import Study

        by = self._decider()
        pairing = self._pairing()
        listening = None if self.finish else _listen(self.server.host, self.server.port)
        with bar("listing the differences") as progress:
            study = Study(self.output, pairing, self.options, progress=progress)
        with study:
            warn(f"{pair.name}: {pair.error}" for pair in study.pairs if pair.error)
            return self._finish(study) if listening is None else self._serve(study, listening, by)

    def _decider(self) -> str:
        """Who decides, as the files name them."""
        try:
            name = " ".join((self.name if self.name is not None else getpass.getuser()).split())
        except (OSError, KeyError, ImportError):  # a user without a name
            name = ""
        if self.name is not None and (not name or len(name) > 100 or not name.isprintable()):
            raise OptionError("--as is no name", remedy="give a name of at most 100 characters")
        return name

    def _pairing(self) -> Pairing:
        from aifgraph.corpus.pairing import Pair, Pairing, pair
        from aifgraph.corpus_names import is_corpus

        sides = (self.first, self.second)
        if "-" in sides:
            raise OptionError("a study on standard input cannot be resumed", remedy="give files or folders")
        corpora = self.of_corpora
        address = next((side for side in sides if side.startswith("aifdb:") and not is_corpus(side)), None)
        if address:
            raise OptionError("a single map of AIFdb", where=address, remedy="fetch it, and give the file")
        one, other = self.open_both()
        warn(one.notices if other is one else (*one.notices, *other.notices))
        if not corpora:
            return Pairing((Pair(one[0], other[0], "given"),), method="given")
        pairing = pair(one, other, self.pairing.by, min_similarity=self.min_text)
        warn(pairing.notices)
        alone = (("first", pairing.unpaired_first), ("second", pairing.unpaired_second))
        rest = [f"{entry.name} ({side})" for side, entries in alone for entry in entries]
        if rest and len(pairing):
            more = f" and {len(rest) - 5} more" if len(rest) > 5 else ""
            warn([f"without a partner, and left out: {', '.join(rest[:5])}{more}"])
        if not len(pairing):
            remedy = "pair by text or by a mapping file"
            raise InputError("the two corpora have no map in common", where=", ".join(sides), remedy=remedy)
        return pairing

    def _serve(self, study: Study, listening: socket.socket, by: str) -> Output:
        from aifgraph.report.service.adjudication import application
        from aifgraph.report.service.app import Limits

        progress = [pair.decisions.progress() for pair in study.pairs if not pair.error]
        decided, rows = sum(of.decided for of in progress), sum(of.rows for of in progress)
        pairs = quantity(len(progress), "pairs")
        say(f"{pairs}, {decided} of {rows} differences decided; Ctrl-C ends, and nothing is lost")
        app = application(
            study,
            by=by,
            limits=Limits(seconds=self.server.timeout),
            hosts=(self.server.host,),
            wording=self.rule.wording,
            prefer=self.rule.prefer,
        )
        return _serve(app, self.server.host, listening)

    def _finish(self, study: Study) -> Output:
        from aifgraph.adjudication.finish import finish

        with bar("writing gold maps") as progress:
            finished = finish(study, wording=self.rule.wording, prefer=self.rule.prefer, progress=progress)
        warn(finished.notices)
        warn(f"{name}: not written: {reason}" for name, reason in finished.failed)
        warn(f"{name}: not written: {quantity(count, 'rows')} open" for name, count in finished.open)
        print(f"{quantity(len(finished.gold), 'gold maps')} in {study.folder / 'gold'}", file=sys.stderr)
        return Output(tables=[finished.choices], code=2 if finished.failed else 1 if finished.open else 0)


def _listen(host: str, port: int) -> socket.socket:
    """A socket before any work is done: a port that is taken is said at once."""
    try:
        import uvicorn  # noqa: F401

        from aifgraph.report.service import http  # noqa: F401
    except ImportError as error:
        if isinstance(error, MissingExtraError):
            raise
        raise MissingExtraError.of("uvicorn", "web") from None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        remedy = "give another --port, or 0 for a free one"
        raise InputError(error.strerror or "cannot be listened on", where=f"{host}:{port}", remedy=remedy) from None
    return listening


def _serve(app: Any, host: str, listening: socket.socket) -> Output:
    """Serve pages until Ctrl-C; their address is printed, with a warning where other machines can ask."""
    import uvicorn

    from aifgraph.report.service.http import CONNECTIONS, BoundedProtocol

    if host not in ("127.0.0.1", "localhost", "::1"):
        warn([f"{host} can be reached from elsewhere; there is no password"])
    print(f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(
        app,
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=5,
        server_header=False,
        http=BoundedProtocol,
        ws="none",
        limit_concurrency=CONNECTIONS,
    )
    with suppress(KeyboardInterrupt):  # how one ends it
        uvicorn.Server(config).run(sockets=[listening])
    return Output()
