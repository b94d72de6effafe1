"""A server of one's own, and a client of it that does not wait."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aifdb.loopback import Server
from aifgraph.aifdb import AIFdb, Policy


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    # A proxy of the surroundings must not come between; and nothing may reach the real AIFdb.
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    made = Server()
    monkeypatch.setenv("AIFGRAPH_AIFDB_URL", made.url)
    monkeypatch.setenv("AIFGRAPH_CORPORA_URL", made.url)
    monkeypatch.setenv("AIFGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("AIFGRAPH_TEXT_URL", raising=False)
    monkeypatch.setattr(
        "aifgraph.aifdb.client.Policy", lambda **given: Policy(**{"pause": 0, "backoff": 0.01, **given})
    )
    yield made
    made.close()


@pytest.fixture
def client(server: Server) -> Iterator[AIFdb]:
    with AIFdb(policy=Policy(pause=0, deadline=10, retries=2, backoff=0.01)) as made:
        yield made
