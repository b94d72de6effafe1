"""``serve``: compare and decide in the browser."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli import options

if TYPE_CHECKING:
    import socket


@click.command()
@click.argument("sources", nargs=-1, metavar="[FOLDER]… | A B")
@click.option(
    "-o", "--output", "decisions", type=options.PATH, metavar="DECISIONS", help="Folder for decisions about A and B."
)
@click.option(
    "--annotator", metavar="NAME", envvar=("LOGNAME", "USER", "USERNAME"), default="",
    help="Who decides.  [default: the name of the user]",
)  # fmt: skip
@options.pairing()
@click.option(
    "--results", type=options.PATH, metavar="FOLDER", help="Keep results here.  [default: in the user's cache]"
)
@click.option("--aifdb", is_flag=True, help="Accept maps and corpora of AIFdb by name.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--allow-host", "hosts", multiple=True, metavar="HOST", help="Also answer requests to this host name.")
def serve(
    sources: tuple[str, ...], decisions: Path | None, annotator: str, pair_by: str, aifdb: bool, host: str,
    port: int, hosts: tuple[str, ...], results: Path | None,
) -> None:  # fmt: skip
    """Compare maps and corpora in the browser, or decide the differences.

    Without -o, the page takes two maps or two corpora: files to upload, paths
    below each FOLDER, and with --aifdb names and addresses of AIFdb; it lists
    recent results. With -o, the differences of the corpora A and B are decided,
    and the decisions are kept in a folder.

    \b
    Examples:
      aifgraph serve corpora/
      aifgraph serve ann/ ben/ -o decisions/ --annotator Cleo
      aifgraph merge ann/ ben/ --decisions decisions/ -o gold/
    """
    from aifgraph.errors import MissingExtraError

    try:
        import python_multipart  # noqa: F401  fastapi asks for it when a form comes
        import uvicorn

        from aifgraph.adjudication.decisions import locked
        from aifgraph.aifdb.fetch import cache_folder
        from aifgraph.report.app.guard import HEADERS
        from aifgraph.report.app.web import Server, application
    except ModuleNotFoundError as error:
        raise MissingExtraError.of(str(error.name), "web") from None
    results = (results or cache_folder() / "results").resolve()
    if decisions:
        how: Any = {
            "results": results,
            "pair_by": _absolute(pair_by),
            "decisions": decisions.resolve(),
            "by": annotator,
        }
        server = Server(corpora=_corpora(sources, pair_by), **how)
    else:
        server = Server(_folders(sources), aifdb, results)
    listening = _listen(host, port)
    with locked(decisions) if decisions else nullcontext():
        click.echo(f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/")
        how = {"http": "h11", "ws": "none", "headers": HEADERS, "server_header": False}
        how |= {"log_level": "warning", "proxy_headers": False, "limit_concurrency": 64, "timeout_graceful_shutdown": 2}
        uvicorn.Server(uvicorn.Config(application(server, (host, *hosts)), **how)).run(sockets=[listening])


def _corpora(sources: tuple[str, ...], pair_by: str) -> tuple[str, ...]:
    from aifgraph.cli import inputs
    from aifgraph.corpus import pair

    if len(sources) != 2:
        raise click.UsageError("-o needs two corpora, whose differences are decided")
    pair(*inputs.open_both(*sources), pair_by)  # raises where there is nothing to decide
    return tuple(map(_absolute, sources))


def _absolute(place: str) -> str:
    return place if place.startswith("aifdb:") or place in ("name", "text") else str(Path(place).resolve())


def _folders(sources: tuple[str, ...]) -> dict[str, Path]:
    from aifgraph.errors import InputError, NoSuchFileError

    folders: dict[str, Path] = {}
    for source in sources:
        path = Path(source).resolve()
        if not path.is_dir():
            raise NoSuchFileError("no such folder", where=source)
        if path.name in ("uploads", *folders):
            raise InputError(f"another folder of this server is called {path.name}", where=source)
        folders[path.name] = path
    return folders


def _listen(host: str, port: int) -> socket.socket:
    import socket

    from aifgraph.errors import InputError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(str(error.strerror).partition(" (")[0], where=f"{host}:{port}") from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else every answer takes 40 ms more
    return listening
