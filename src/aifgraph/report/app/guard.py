"""What every request passes before the app sees it, and the headers that every answer has."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        return json.dumps(content).encode()


def error_answer(status: int, what: str, where: str | None = None, **more: Any) -> JSONAnswer:
    """Return the one form that errors have."""
    return JSONAnswer({"error": {"what": what, "where": where}, **more}, status)


class Guard:
    """ASGI middleware: refuses other hosts and origins, and a body that is too large."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], *, max_bytes: int) -> None:
        self.app, self.hosts, self.max_bytes = app, {*hosts}, max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = self.max_bytes

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise RefusedError(413, f"larger than {self.max_bytes >> 20} MiB")
            return message

        http = scope["type"] == "http"
        refused = self._refusal(scope["method"], Headers(scope=scope)) if http else None
        await (refused or self.app)(scope, bounded if http else receive, send)

    def _refusal(self, method: str, headers: Headers) -> JSONAnswer | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host.rpartition(":")[0].strip("[]") not in self.hosts and host.strip("[]") not in self.hosts:
            return error_answer(400, "this server does not go by that name", "Host")
        own = (None, f"http://{host}", f"https://{host}")
        site = headers.get("sec-fetch-site", "none")
        if method not in ("GET", "HEAD") and (origin not in own or site not in ("none", "same-origin")):
            return error_answer(403, "a request from the page of another site", "Origin")
        return None
