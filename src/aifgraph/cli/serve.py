"""``aifgraph serve``: a local page and JSON endpoint for comparisons."""

from __future__ import annotations

import sys

import click

from aifgraph.errors import MissingExtraError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="The port; 0 takes a free one."
)
@click.option(
    "--max-size",
    type=click.FloatRange(0, min_open=True),
    default=20,
    show_default=True,
    metavar="MB",
    help="Of a request.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Of a comparison.",
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="A further host name under which it may be asked.")
@click.option(
    "--meaning",
    metavar="MODEL",
    help="Model of sentences, a folder or a name, that requests may switch on with min_meaning.",
)
def serve(host: str, port: int, max_size: float, timeout: float, names: tuple[str, ...], meaning: str | None) -> None:
    """A small web page and JSON endpoint: post two maps, get their comparison. Loopback only, unless told otherwise.

    \b
    Examples:
      aifgraph serve
      curl -F first=@ann.json -F second=@ben.json http://127.0.0.1:8080/compare
      curl -F first=@ann.json -F second=@ben.json 'http://127.0.0.1:8080/compare?format=html' -o report.html
      aifgraph serve --meaning models/all-minilm-l6-v2
      curl -F first=@ann.json -F second=@ben.json -F min_meaning=0.6 http://127.0.0.1:8080/compare
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingExtraError.of("uvicorn", "web") from None
    from aifgraph.report.service.app import Limits, application
    from aifgraph.report.service.protocol import CONNECTIONS, BoundedProtocol

    if host not in ("127.0.0.1", "localhost", "::1"):
        print(f"aifgraph: warning: {host} can be reached from elsewhere; there is no password", file=sys.stderr)
    app = application(Limits(int(max_size * (1 << 20)), timeout), (host, *names), meaning=meaning)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning" if port else "info",
        server_header=False,
        http=BoundedProtocol,
        ws="none",
        limit_concurrency=CONNECTIONS,
    )
