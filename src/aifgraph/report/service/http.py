"""What both services ask of a request before they do anything, how they answer and refuse, and the bounds of a
connection.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from markupsafe import Markup

from aifgraph.errors import MissingExtraError
from aifgraph.report.html.embed import clean, environment, policy, static
from aifgraph.version import __version__

try:
    from starlette.applications import Starlette
    from starlette.datastructures import MutableHeaders
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from uvicorn.protocols.http.h11_impl import H11Protocol
except ImportError:
    raise MissingExtraError.of("starlette", "web") from None

#: What every answer of both services says beside what its handler says: no other site may frame it, read it or open it
#: in a window that it holds, nothing is guessed, and nothing is kept.
HEADERS: Final = {
    "Content-Security-Policy": "frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: Where a request that writes has the token of the service, which only the service's own pages can read.
TOKEN_HEADER: Final = "X-Aifgraph-Token"
#: Seconds from the first sign of a connection, or of a further request, to the end of its head.
HEAD_SECONDS = 10.0
#: Connections at one time; more are answered with 503 at once.
CONNECTIONS = 64
T = TypeVar("T")


class SafeHeaders:
    """ASGI middleware: ``HEADERS`` on every answer, refusals of other middleware too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class RefusedError(Exception):
    """A request that is answered with no: the status, what is wrong, where, and what to do; ``rows`` are the ids of the
    differences that it is about."""

    def __init__(
        self, status: int, what: str, where: str | None = None, remedy: str | None = None, rows: Sequence[str] = ()
    ) -> None:
        super().__init__(what)
        self.status = status
        self.error: dict[str, Any] = {"what": what, "where": where, "remedy": remedy}
        if rows:
            self.error["rows"] = [*rows]


def service_of(routes: list[Route], hosts: tuple[str, ...], workers: Workers) -> Starlette:
    """The application; it answers only to loopback names and ``hosts`` (pages elsewhere must not reach it by DNS)."""
    allowed = ["localhost", "127.0.0.1", "[::1]", *hosts]
    middleware = [Middleware(SafeHeaders), Middleware(TrustedHostMiddleware, allowed_hosts=allowed)]
    return Starlette(routes=routes, middleware=middleware, lifespan=workers.lifespan)


def page(template: str, status: int = 200, *, error: Mapping[str, str | None] | None = None, **values: Any) -> Response:
    """A page without script, with a form that posts to this service; with an ``error`` it says what went wrong."""
    style = static("report.css")
    html = environment().get_template(template).render(error=error, version=__version__, style=Markup(style), **values)
    allowed = policy([], [style]).replace("form-action 'none'", "form-action 'self'") + "; frame-ancestors 'none'"
    return HTMLResponse(clean(html), status, headers={"Content-Security-Policy": allowed})


def refusal(status: int, error: Mapping[str, str | None], template: str | None) -> Response:
    """The answer that says what went wrong: the page of a ``template``, or JSON."""
    answer = page(template, status, error=error) if template else JSONResponse({"error": error}, status)
    answer.headers["Connection"] = "close"  # the rest of the request is not read
    if status == 503:
        answer.headers["Retry-After"] = "5"
    return answer


def check_origin(request: Request) -> None:
    """A page of another site must not post here in the name of whoever reads it."""
    origin = request.headers.get("origin")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise RefusedError(403, "a request from another site", remedy="open this service's own page")
    if origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}":
        return
    raise RefusedError(403, f"a request from another site ({origin[:80]!a})", remedy="open this service's own page")


def check_token(given: str | None, token: str) -> None:
    """A request that writes has the token of this service: nobody has it who cannot read the service's pages."""
    if not secrets.compare_digest((given or "").encode(), token.encode()):
        raise RefusedError(403, "a request without the token of this service", remedy="reload the page, and try again")


async def body_of(request: Request, max_bytes: int, *, remedy: str | None = None) -> bytes:
    """The body of a request, read no further than ``max_bytes``."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > max_bytes:
            size = f"{max_bytes >> 20} MB" if max_bytes >> 20 else f"{max_bytes} bytes"
            raise RefusedError(413, f"larger than {size}", remedy=remedy)
    return bytes(body)


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of the work, which is ended when the client closes the connection."""
    running = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise RefusedError(499, "the client has left")
        return running.result()
    finally:
        running.cancel()
        leaving.cancel()
        await asyncio.gather(running, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Workers:
    """Processes for jobs (``worker``), a new one for each.

    Importing what a job needs takes longer than most jobs: while the application runs, the process of the next one has
    done so already.
    """

    def __init__(self) -> None:
        self._next: subprocess.Popen[bytes] | None = None
        self._runs = False

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """As long as the application runs."""
        self._runs = True
        self._prepare()
        try:
            yield
        finally:
            self._runs = False
            if self._next:
                with self._next as worker:
                    worker.kill()

    def _prepare(self) -> None:
        if self._runs and self._next is None:
            self._next = _worker()

    async def run(self, job: object, seconds: float, *, remedy: str, wrong_input: int = 400) -> dict[str, Any]:
        """What a process of its own answers to a job; it is ended after so many seconds, or when nobody waits for it
        any more. ``wrong_input`` is the status where a map cannot be used.

        Raises:
            RefusedError: it took longer, or ended without an answer.
        """
        worker, self._next = self._next, None
        if worker is None or worker.poll() is not None:
            worker = _worker()
        try:
            out = await asyncio.to_thread(_answer, worker, pickle.dumps(job), seconds)
        except subprocess.TimeoutExpired:
            raise RefusedError(504, f"took longer than {seconds:g} seconds", remedy=remedy) from None
        finally:
            worker.kill()  # whoever asked may have left
            self._prepare()
        try:
            answer: dict[str, Any] = json.loads(out)
        except ValueError:
            raise RefusedError(500, "the comparison ended without an answer", remedy="try the command line") from None
        if "error" in answer:
            error = answer["error"]
            status = {"input": wrong_input, "option": 422}.get(error["kind"], 500)
            raise RefusedError(status, error["what"], error["where"], error["remedy"], error.get("rows", ()))
        return answer


def _worker() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "aifgraph.report.service.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _answer(worker: subprocess.Popen[bytes], job: bytes, seconds: float) -> bytes:
    try:
        return worker.communicate(job, seconds)[0]
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.communicate()
        raise


class BoundedProtocol(H11Protocol):  # type: ignore[misc]  # uvicorn leaves it untyped
    """Closes connections that do not send the head of a request in time."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._waiting:
            self._waiting.cancel()

    def _watch(self) -> None:
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)
        elif not idle and self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
