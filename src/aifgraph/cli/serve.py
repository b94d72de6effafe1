"""``aifgraph serve``: a local page and JSON endpoint for comparisons."""

from __future__ import annotations

import click

from aifgraph.cli.serving import server_settings, serving_options, warn_of_access
from aifgraph.errors import MissingExtraError


@click.command()
@serving_options(30, "Of a comparison.")
@click.option(
    "--max-size",
    type=click.FloatRange(0, min_open=True),
    default=20,
    show_default=True,
    metavar="MB",
    help="Of a request.",
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

    warn_of_access(host)
    app = application(Limits(int(max_size * (1 << 20)), timeout), (host, *names), meaning=meaning)
    uvicorn.run(app, host=host, port=port, log_level="warning" if port else "info", **server_settings())
