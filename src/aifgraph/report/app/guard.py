"""What every request passes before the app sees it, and the headers that every answer has."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

#: For ``uvicorn.Config``, which sets them on its own refusals, too. Pages say themselves which scripts they have.
HEADERS: Final = [
    ("Content-Security-Policy", "base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"),
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
]


class RefusedError(HTTPException):
    """A request that is answered with what is wrong, and where."""

    def __init__(self, status: int, what: str, where: str | None = None) -> None:
        super().__init__(status, what)
        self.where = where


class JSONAnswer(JSONResponse):
    """JSON in ASCII, which holds half surrogates, too."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return json.dumps(content).encode()


def error_answer(status: int, what: str, where: str | None = None, **more: Any) -> JSONAnswer:
    """Return the one form that errors have."""
    return JSONAnswer({"error": {"what": what, "where": where}, **more}, status)


class Guard:
    """ASGI middleware: checks host and origin, and the size and the time of the body."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], *, max_bytes: int, seconds: float) -> None:
        self.app, self.hosts, self.max_bytes, self.seconds = app, {*hosts}, max_bytes, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        http = scope["type"] == "http"
        refused = self._refusal(scope["method"], Headers(scope=scope)) if http else None
        await (refused or self.app)(scope, self._bounded(receive) if http else receive, send)

    def _refusal(self, method: str, headers: Headers) -> JSONAnswer | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if _hostname(host) not in self.hosts:
            return error_answer(400, "this server does not go by that name", "Host")
        own = (None, f"http://{host}", f"https://{host}")
        site = headers.get("sec-fetch-site", "none")
        if method not in ("GET", "HEAD") and (origin not in own or site not in ("none", "same-origin")):
            return error_answer(403, "a request from the page of another site", "Origin")
        if int(headers.get("content-length", "0")) > self.max_bytes:  # h11 lets only digits pass
            return error_answer(413, f"larger than {self.max_bytes >> 20} MiB")
        return None

    def _bounded(self, receive: Receive) -> Receive:
        """Bound the body; what comes after it (that the client has left) may take as long as it likes."""
        left, end, whole = self.max_bytes, monotonic() + self.seconds, False

        async def bounded() -> Message:
            nonlocal left, whole
            try:
                message = await asyncio.wait_for(receive(), None if whole else end - monotonic())
            except TimeoutError:
                raise RefusedError(408, "the request did not come in time") from None
            left -= len(message.get("body", b""))
            if left < 0:
                raise RefusedError(413, f"larger than {self.max_bytes >> 20} MiB")
            whole = not message.get("more_body", False)
            return message

        return bounded


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


class BoundedProtocol(H11Protocol):
    """HTTP that closes a connection on which the head of a request does not come in time."""

    seconds = 10.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(self.seconds, self._look, None)

    def _look(self, before: object) -> None:
        """Close the connection if it waits for a head as it did at the last look."""
        waits = self.cycle is None or self.cycle.response_complete
        if waits and before is self.cycle:
            self.transport.close()
        if not self.transport.is_closing():
            self.loop.call_later(self.seconds, self._look, self.cycle if waits else self)

    def send_400_response(self, msg: str) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in [*HEADERS, ("Connection", "close")])
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{lines}Content-Length: 0\r\n\r\n".encode())
        self.transport.close()
