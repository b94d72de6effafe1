"""What the commands that serve pages share: where they listen, how long a comparison may take, and how they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from aifgraph.cli.options import F, together
from aifgraph.cli.present import warn


def serving_options(seconds: float, of: str) -> Callable[[F], F]:
    """``--host``, ``--port`` and ``--timeout``, whose default is ``seconds``; ``of`` says what it is the time of."""
    return together(
        click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on."),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=8080,
            show_default=True,
            help="The port; 0 takes a free one.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(0, min_open=True),
            default=seconds,
            show_default=True,
            metavar="SECONDS",
            help=of,
        ),
    )


def server_settings() -> dict[str, Any]:
    """What uvicorn is told by each of them."""
    from aifgraph.report.service.http import CONNECTIONS, BoundedProtocol

    return {"server_header": False, "http": BoundedProtocol, "ws": "none", "limit_concurrency": CONNECTIONS}


def warn_of_access(host: str) -> None:
    """Say it where others than this machine can ask."""
    if host not in ("127.0.0.1", "localhost", "::1"):
        warn([f"{host} can be reached from elsewhere; there is no password"])
