"""Requests to the service, changed: the multipart body, and the job that a comparison's own process is given."""

from __future__ import annotations

import asyncio
import base64
from functools import cache
from typing import Any

from fuzz.seeds import FIXTURES

_ZOO = FIXTURES / "zoo"


@cache
def seeds() -> tuple[tuple[str, bytes], ...]:
    """Bodies of requests: with options, with texts, and one of two maps alone."""
    files = {side: (_ZOO / f"{side}.json").read_bytes() for side in ("ann", "ben")}
    parts = [("first", "a.json", files["ann"]), ("second", "b.json", files["ben"])]
    texts = [("first_text", "a.txt", (_ZOO / "ann.txt").read_bytes())]
    fields = [
        ("matching", "", b"optimal"),
        ("min_overlap", "", b"0.4"),
        ("relations", "", b"RA"),
        ("format", "", b"html"),
    ]
    return (("request", _body(parts)), ("request", _body([*parts, *texts])), ("request", _body([*parts, *fields])))


def _body(parts: list[tuple[str, str, bytes]]) -> bytes:
    body = b""
    for name, file, data in parts:
        called = f'; filename="{file}"' if file else ""
        body += f'--x\r\nContent-Disposition: form-data; name="{name}"{called}\r\n\r\n'.encode() + data + b"\r\n"
    return body + b"--x--\r\n"


def answered(body: bytes) -> int:
    """The status of the service's answer to a body."""
    from aifgraph.report.service.app import Limits, application

    return asyncio.run(_asked(application(Limits(seconds=15)), body))


async def _asked(app: Any, body: bytes) -> int:
    sent: list[dict[str, Any]] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"multipart/form-data; boundary=x")]
    scope = {"type": "http", "method": "POST", "path": "/compare", "query_string": b"", "headers": headers}
    scope |= {"scheme": "http", "server": ("127.0.0.1", 80), "http_version": "1.1", "asgi": {"version": "3.0"}}
    await app(scope, receive, send)
    return int(sent[0]["status"])


def job(name: str, data: bytes) -> dict[str, Any]:
    """What a comparison's process is given for a map."""
    encoded = base64.b64encode(data).decode()
    other = base64.b64encode((_ZOO / "ben.json").read_bytes()).decode()
    return {"first": {"name": name, "data": encoded}, "second": {"name": "b.json", "data": other}}
