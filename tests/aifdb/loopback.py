"""A server on the loopback that answers as AIFdb does, and misbehaves where it is told to."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat
from typing import Any

Reply = tuple[int, str, bytes]
Behaviour = Callable[[BaseHTTPRequestHandler], Reply | None]


def a_map(number: int) -> bytes:
    nodes = [{"nodeID": str(number), "text": f"Claim {number}", "type": "I", "timestamp": "2016-01-01 00:00:00"}]
    return json.dumps({"nodes": nodes, "edges": [], "locutions": []}).encode()


class Server:
    """``paths[path]`` is a reply, a behaviour, or a list of them, used up one a request, the last one staying."""

    def __init__(self) -> None:
        self.paths: dict[str, Any] = {}
        self.requests: list[tuple[float, str, str]] = []
        self.headers: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                outer.requests.append((time.monotonic(), self.command, self.path))
                outer.headers.append(dict(self.headers))
                with suppress(BrokenPipeError, ConnectionResetError):
                    outer.answer(self)

            do_GET = _answer  # noqa: N815  http.server's name for it

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]  a client that has left
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        planned = self.paths.get(handler.path.split("?")[0], (404, "text/html", b"<html>Not found</html>"))
        if isinstance(planned, list):
            planned = planned.pop(0) if len(planned) > 1 else planned[0]
        reply = planned(handler) if callable(planned) else planned
        if reply is not None:
            status, kind, data = reply
            handler.send_response(status)
            handler.send_header("Content-Type", kind)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)

    def asked(self, start: str = "") -> list[str]:
        return [path for _, _, path in self.requests if path.startswith(start)]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    # -- an AIFdb with everything in its place ----------------------------------------------------------------------

    def has_map(self, number: int, text: str | None = None) -> None:
        self.paths[f"/json/{number}"] = (200, "text/html", a_map(number))
        reply = (200, "text/html", text.encode()) if text else (200, "text/html", b"")
        self.paths[f"/TXTdb/nodeset/{number}"] = reply

    def has_corpus(self, name: str, ids: list[int], archive: bytes | None = None) -> None:
        for number in ids:
            self.has_map(number)
        self.paths[f"/{name}/nodesets"] = (200, "text/html", json.dumps({"nodeSets": ids}).encode())
        if archive is not None:
            self.paths[f"/zip/{name}/download"] = (200, "application/octet-stream", archive)


def with_headers(status: int, data: bytes = b"", **headers: str) -> Behaviour:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return behave


def cut(data: bytes, at: int) -> Behaviour:
    """Promises all of the data and closes the connection after some."""
    return raw([b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(data), data[:at]])


def chunked(data: bytes, whole: bool = True) -> Behaviour:
    """A body without length, in chunks; one that is not whole lacks its end."""
    parts = [data[start : start + 10] for start in range(0, len(data), 10)] + [b""] * whole
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return raw([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunks])


def raw(pieces: Iterable[bytes], pause: float = 0) -> Behaviour:
    """Says the pieces one by one, with a pause after each, and closes the connection."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(pause)
        handler.connection.shutdown(socket.SHUT_RDWR)

    return behave


def slow(seconds: float, reply: Reply) -> Behaviour:
    def behave(handler: BaseHTTPRequestHandler) -> Reply:
        time.sleep(seconds)
        return reply

    return behave


def gone(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection without an answer."""
    handler.close_connection = True
    raise ConnectionResetError


def endless(handler: BaseHTTPRequestHandler) -> None:
    """A body without length that does not end."""
    raw(chain([b"HTTP/1.1 200 OK\r\n\r\n"], repeat(b" " * 65536)))(handler)
