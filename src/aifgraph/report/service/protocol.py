"""HTTP as uvicorn speaks it, with a bound on how long the head of a request may take."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds from the first sign of a connection, or of a further request, to the end of its head.
HEAD_SECONDS = 10.0
#: Connections at one time; more are answered with 503 at once.
CONNECTIONS = 64


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
