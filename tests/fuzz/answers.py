"""An AIFdb whose answers are changed: a server on the loopback that says what it is told, byte for byte."""

from __future__ import annotations

import contextlib
import json
import os
import socketserver
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from aifdb.loopback import a_map, a_tar, a_zip
from aifgraph.aifdb import AIFdb, web
from aifgraph.aifdb.web import Web

#: What can be asked, and what an undamaged server says: the body, or (``raw``) the whole answer.
_BODIES: dict[str, bytes] = {
    "/json/1": a_map(1),
    "/json/2": a_map(2),
    "/US/nodesets": json.dumps({"nodeSets": [1, 2]}).encode(),
    "/US": b"<html><script>var nsIDs = [1, 2];</script></html>",
    "/zip/US/download": a_zip({"nodeset1.json": a_map(1), "nodeset1.txt": b"Claim 1", "nodeset2.json": a_map(2)}),
    "/api/archive.php": a_tar({"nodeset1.json": a_map(1), "nodeset2.json": a_map(2)}),
    "/list.php": json.dumps({"corpora": [{"shortname": "US", "title": "T", "corpusID": "1", "locked": "0"}]}).encode(),
    "/api/getCorpusSubcorpora.php": json.dumps({"subcorpora": [{"shortname": "US"}]}).encode(),
    "/search": b'<div id="arg-1"><a class="stext" href="/argview/1">Claim 1</a><a href="/argview/2">2</a></div>',
    "/TXTdb/nodeset/1": b"Claim 1",
}

LINES = ("fetch 1 2 -o OUT", "fetch US -o OUT", "fetch --list", "show aifdb:US", "show aifdb:1")


def whole(body: bytes, head: str = "HTTP/1.1 200 OK\r\nContent-Type: text/html") -> bytes:
    """A whole answer."""
    return f"{head}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


@cache
def seeds() -> tuple[tuple[str, bytes], ...]:
    """Bodies by the path that is asked, and whole answers (with a ``!`` before the path)."""
    heads = [(f"!{path}", whole(body)) for path, body in _BODIES.items()]
    moved = whole(b"", "HTTP/1.1 302 Found\r\nLocation: /json/2")
    later = whole(b"", "HTTP/1.1 503 Busy\r\nRetry-After: 0")
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n\x1f\x8b\x08\0\0"
    odd = [("!/json/1", moved), ("!/json/1", later), ("!/json/1", chunks), ("!/json/1", packed)]
    return (*_BODIES.items(), *heads, *odd)


class Server:
    """Answers every request with what stands in ``answers`` for its path, and closes the connection."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                words = self.rfile.readline(65_536).split()
                while self.rfile.readline(65_536).strip():
                    pass
                path = words[1].decode("latin-1").split("?")[0] if len(words) > 1 else ""
                self.wfile.write(outer.answers.get(path) or whole(b"", "HTTP/1.1 404 Not Found"))

            def finish(self) -> None:
                with contextlib.suppress(OSError):  # the client has left
                    super().finish()

        class Quiet(socketserver.ThreadingTCPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()


@cache
def _server(process: int) -> Server:
    return Server()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """What an attempt changes around it is put back: in this process other tests may follow. Nobody waits meanwhile."""
    longest, wait, environment, client = web.MAX_WAIT, Web._wait, dict(os.environ), AIFdb.from_environment
    AIFdb.from_environment = lambda **policy: client(**policy, timeout=3, retries=0)
    web.MAX_WAIT = 0.2  # what a server may ask for is slept, and is no hang
    Web._wait = lambda *_: None
    try:
        yield
    finally:
        web.MAX_WAIT, Web._wait, AIFdb.from_environment = longest, wait, client
        os.environ.clear()
        os.environ.update(environment)


def prepare(name: str, data: bytes, place: Path) -> None:
    """Let the server give the data for its path, and lead commands to it."""
    server = _server(os.getpid())
    path = name.removeprefix("!")
    server.answers = {each: whole(body) for each, body in _BODIES.items()}
    server.answers[path] = data if name.startswith("!") else whole(data)
    for variable in ("AIFGRAPH_AIFDB_URL", "AIFGRAPH_CORPORA_URL"):
        os.environ[variable] = server.url
    os.environ["AIFGRAPH_CACHE"] = str(place / "cache")
