"""Servers of the web app: in this process, where limits can be set, and of their own processes."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
import uvicorn

from aifgraph.report.app.guard import HEADERS
from aifgraph.report.app.web import Server, application
from documents import FIXTURES
from web.servers import Client, Process, make_corpora


@pytest.fixture(scope="session")
def in_process() -> Iterator[Callable[..., Client]]:
    """Start a server in a thread, of the FIXTURES if nothing else is said."""
    started = []

    def start(**how: Any) -> Client:
        folders = {"debates": FIXTURES / "debates", "debate": FIXTURES / "debate"}
        app = application(Server(**{"folders": folders, **how}))
        config = uvicorn.Config(app, port=0, http="h11", headers=HEADERS, log_level="critical", server_header=False)
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.01)
        started.append((running, thread))
        return Client(f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}")

    yield start
    for running, _ in started:
        running.should_exit = True
    for _, thread in started:
        thread.join(10)


@pytest.fixture(scope="session")
def client(in_process: Callable[..., Client]) -> Client:
    return in_process()


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("corpora"))


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start a server of its own process."""
    started: list[Process] = []
    yield (
        lambda *arguments, **env: (
            started.append(
                Process(*arguments, TMPDIR=str(tmp_path), **{"AIFGRAPH_CACHE": str(tmp_path / "cache"), **env})
            )
            or started[-1]
        )
    )
    for server in started:
        if server.process.poll() is None:
            server.close()
