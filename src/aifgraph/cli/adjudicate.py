"""``aifgraph adjudicate``: decide the differences of two corpora in the browser."""

from __future__ import annotations

import getpass
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.corpora import min_text_option
from aifgraph.cli.merge import rule_options
from aifgraph.cli.options import are_corpora, pairing_options
from aifgraph.cli.present import bar, put, rendered, say, warn
from aifgraph.cli.serving import server_settings, serving_options, warn_of_access
from aifgraph.errors import InputError, MissingExtraError, OptionError

if TYPE_CHECKING:
    from aifgraph.adjudication.selection import Preference, Wording
    from aifgraph.adjudication.study import Study
    from aifgraph.corpus.pairing import Pairing


@click.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where decisions, log and gold maps are kept; an existing study is resumed.",
)
@click.option("--as", "name", metavar="NAME", help="Who decides (default: the name of the user).")
@click.option(
    "--finish", "only_finish", is_flag=True, help="Write the gold maps by the decisions so far; serve nothing."
)
@pairing_options
@min_text_option
@rule_options
@serving_options(60, "Of the comparison of a pair.")
@compare_options
def adjudicate(
    first: str,
    second: str,
    out: Path,
    name: str | None,
    only_finish: bool,
    pairs: Path | None,
    pair_by: str,
    min_text: float,
    wording: Wording,
    prefer: Preference | None,
    host: str,
    port: int,
    timeout: float,
    **given: Any,
) -> int:
    """Decide the differences of two corpora, or of two maps, in the browser, and get gold maps.

    The pages are served on this machine only. Every decision is written to FOLDER at once: a file a pair, which
    `aifgraph merge --decisions` takes too, and a log. Start the command again to go on. When nothing is open,
    the button on the first page, or --finish, writes a folder of gold maps and the choices per annotator.

    \b
    Examples:
      aifgraph adjudicate ann/ ben/ --out gold-study --as Cleo
      aifgraph adjudicate ann.json ben.json --out gold-study
      aifgraph adjudicate ann/ ben/ --pair-by text --out gold-study --port 0
      aifgraph adjudicate ann/ ben/ --out gold-study --finish
    """
    from aifgraph.adjudication.study import Study

    options = options_from(given)
    by = _name(name)
    pairing = _pairing(first, second, pairs, pair_by, min_text)
    listening = None if only_finish else _listen(host, port)
    with bar("listing the differences") as progress:
        study = Study(out, pairing, options, progress=progress)
    with study:
        warn(f"{pair.name}: {pair.error}" for pair in study.pairs if pair.error)
        if listening is None:
            return _finish(study, wording, prefer)
        return _serve(study, listening, host, by, timeout, wording, prefer)


def _name(given: str | None) -> str:
    """Who decides, as the files name them."""
    try:
        name = " ".join((given if given is not None else getpass.getuser()).split())
    except (OSError, KeyError, ImportError):  # a user without a name
        name = ""
    if given is not None and (not name or len(name) > 100 or not name.isprintable()):
        raise OptionError("--as is no name", remedy="give a name of at most 100 characters")
    return name


def _pairing(first: str, second: str, pairs: Path | None, pair_by: str, min_text: float) -> Pairing:
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.corpus.names import is_corpus
    from aifgraph.corpus.pairing import Pair, Pairing
    from aifgraph.corpus.pairing import pair as pair_corpora

    if "-" in (first, second):
        raise OptionError("a study on standard input cannot be resumed", remedy="give files or folders")
    corpora = are_corpora(first, second)
    address = next((each for each in (first, second) if each.startswith("aifdb:") and not is_corpus(each)), None)
    if address:
        raise OptionError("a single map of AIFdb", where=address, remedy="fetch it, and give the file")
    one = open_corpus(first)
    other = one if first == second else open_corpus(second)
    warn(one.notices if other is one else (*one.notices, *other.notices))
    if not corpora:
        if pairs is not None or pair_by != "name":
            raise OptionError("--pairs and --pair-by are for corpora", remedy="leave them out")
        return Pairing((Pair(one[0], other[0], "given"),), method="given")
    if pairs is not None and pair_by != "name":
        raise OptionError("--pairs and --pair-by exclude each other", remedy="give one of them")
    pairing = pair_corpora(one, other, pairs or pair_by, min_similarity=min_text)
    warn(pairing.notices)
    alone = (("first", pairing.unpaired_first), ("second", pairing.unpaired_second))
    rest = [f"{entry.name} ({side})" for side, entries in alone for entry in entries]
    if rest and len(pairing):
        more = f" and {len(rest) - 5} more" if len(rest) > 5 else ""
        warn([f"without a partner, and left out: {', '.join(rest[:5])}{more}"])
    if not len(pairing):
        remedy = "pair by text or by a mapping file"
        raise InputError("the two corpora have no map in common", where=f"{first}, {second}", remedy=remedy)
    return pairing


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


def _serve(
    study: Study,
    listening: socket.socket,
    host: str,
    by: str,
    timeout: float,
    wording: Wording,
    prefer: Preference | None,
) -> int:
    import uvicorn

    from aifgraph.report.service.adjudication import application
    from aifgraph.report.service.app import Limits

    warn_of_access(host)
    progress = [pair.decisions.progress() for pair in study.pairs if not pair.error]
    decided, rows = sum(each.decided for each in progress), sum(each.rows for each in progress)
    shown = f"[{host}]" if ":" in host else host
    say(f"{len(progress)} pairs, {decided} of {rows} differences decided; Ctrl-C ends, and nothing is lost")
    print(f"http://{shown}:{listening.getsockname()[1]}/", flush=True)
    app = application(study, by=by, limits=Limits(seconds=timeout), hosts=(host,), wording=wording, prefer=prefer)
    config = uvicorn.Config(
        app,
        log_level="warning",
        lifespan="off",
        timeout_graceful_shutdown=5,
        **server_settings(),
    )
    with suppress(KeyboardInterrupt):  # how one ends it
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def _finish(study: Study, wording: Wording, prefer: Preference | None) -> int:
    from aifgraph.adjudication.finish import finish

    with bar("writing gold maps") as progress:
        finished = finish(study, wording=wording, prefer=prefer, progress=progress)
    warn(finished.notices)
    warn(f"{name}: not written: {reason}" for name, reason in finished.failed)
    warn(f"{name}: not written: {count} rows are open" for name, count in finished.open)
    put(rendered(finished.choices, "text"), None)
    print(f"{len(finished.gold)} gold maps in {study.folder / 'gold'}", file=sys.stderr)
    return 2 if finished.failed else 1 if finished.open else 0
