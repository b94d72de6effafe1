"""What every service here asks of a request before it does anything, and how it says no."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from aifgraph.errors import MissingExtraError

try:
    from starlette.requests import Request
except ImportError:
    raise MissingExtraError.of("starlette", "web") from None

HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
T = TypeVar("T")


class RefusedError(Exception):
    """A request that is answered with no: the status, and what is wrong, where, and what to do."""

    def __init__(self, status: int, what: str, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.status = status
        self.error = {"what": what, "where": where, "remedy": remedy}


def check_origin(request: Request) -> None:
    """A page of another site must not post here in the name of whoever reads it."""
    origin = request.headers.get("origin")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise RefusedError(403, "a request from another site", remedy="open this service's own page")
    if origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}":
        return
    raise RefusedError(403, f"a request from another site ({origin[:80]!a})", remedy="open this service's own page")


async def body_of(request: Request, most: int, *, remedy: str | None = None) -> bytes:
    """The body of a request, read no further than ``most`` bytes."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            size = f"{most >> 20} MB" if most >> 20 else f"{most} bytes"
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


async def run_worker(module: str, job: bytes, seconds: float, *, remedy: str) -> bytes:
    """What a module, run in a process of its own, answers to a job on its standard input; it is ended after so many
    seconds, or when nobody waits for it any more."""
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        out, _ = await asyncio.wait_for(worker.communicate(job), seconds)
    except TimeoutError:
        raise RefusedError(504, f"took longer than {seconds:g} seconds", remedy=remedy) from None
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
    return out
