"""Connections that end: a server that drips, in its head or its body, is cut off when its time is over.

The time limits of sockets are for one read each. Here a ``Watch`` shuts the connection down from another thread when
the time for the whole of something (the head of an answer, a piece of its body) is over, however much has come.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

from aifgraph.aifdb.retry_after import seconds_to_wait

if TYPE_CHECKING:
    import requests

#: The longest time that a server's Retry-After is obeyed, and between two attempts, in seconds.
MAX_WAIT = 120.0
#: The answers after which a request is tried again.
AGAIN = (429, 500, 502, 503, 504)


class Watch:
    """Shuts a connection down when its time is over; ``passed`` says that this has happened."""

    def __init__(self) -> None:
        self.passed = False
        self._until = 0.0
        self._done = threading.Event()

    def start(self, connection: socket.socket, seconds: float) -> None:
        """Watch a connection from now on, and no longer the one before."""
        self.stop()
        self.passed = False
        self._done = threading.Event()
        self.extend(seconds)
        threading.Thread(target=self._run, args=(connection, self._done), daemon=True).start()

    def extend(self, seconds: float) -> None:
        """So many seconds from now."""
        self._until = time.monotonic() + seconds

    def stop(self) -> None:
        """Watch no longer."""
        self._done.set()

    def _run(self, connection: socket.socket, done: threading.Event) -> None:
        while (left := self._until - time.monotonic()) > 0:
            if done.wait(left):
                return
        if not done.is_set():
            self.passed = True
            with contextlib.suppress(OSError):  # it has been closed meanwhile
                connection.shutdown(socket.SHUT_RDWR)


def open_session(watch: Watch, timeout: float, retries: int, backoff: float, user_agent: str) -> requests.Session:
    """A session whose connections are watched: the head of each answer takes at most ``timeout`` seconds.

    A request is tried again after no answer and after the answers of ``AGAIN``, unless the server asks to wait longer
    than ``MAX_WAIT``.
    """
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.exceptions import MaxRetryError
    from urllib3.util import Retry

    class Watched(HTTPConnection):
        """A connection that is shut down when its time is over."""

        _twin: socket.socket | None = None

        def _new_conn(self) -> socket.socket:
            made = super()._new_conn()
            self._twin = made.dup()  # encryption takes over the first one
            watch.start(self._twin, timeout)
            return made

        def connect(self) -> None:
            try:
                super().connect()
            finally:
                watch.stop()
                _in_time()

        def getresponse(self) -> Any:
            if self._twin is not None:
                watch.start(self._twin, timeout)
            try:
                response = super().getresponse()
            finally:
                _in_time()
            return response  # whoever reads its body goes on watching

        def close(self) -> None:
            super().close()
            if self._twin is not None:
                self._twin.close()
                self._twin = None

    class WatchedEncrypted(Watched, HTTPSConnection):
        """The same, encrypted."""

    class Pool(HTTPConnectionPool):
        ConnectionCls = Watched

    class EncryptedPool(HTTPSConnectionPool):
        ConnectionCls = WatchedEncrypted

    class Adapter(HTTPAdapter):
        def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
            super().init_poolmanager(*arguments, **options)
            self.poolmanager.pool_classes_by_scheme = {"http": Pool, "https": EncryptedPool}

        def proxy_manager_for(self, *arguments: Any, **options: Any) -> Any:
            manager = super().proxy_manager_for(*arguments, **options)
            manager.pool_classes_by_scheme = {"http": Pool, "https": EncryptedPool}
            return manager

    class Patient(Retry):
        """A server may ask for any wait; for hours nobody waits, and nobody comes back earlier than asked."""

        def get_retry_after(self, response: Any) -> float | None:
            return seconds_to_wait(response.headers.get("Retry-After"))

        def increment(self, method: Any = None, url: Any = None, response: Any = None, *rest: Any, **more: Any) -> Any:
            if response is not None and (self.get_retry_after(response) or 0) > MAX_WAIT:
                raise MaxRetryError(more.get("_pool"), url or "", None)  # type: ignore[arg-type]
            return super().increment(method, url, response, *rest, **more)

    def _in_time() -> None:
        if watch.passed:
            raise TimeoutError("timed out")

    again = Patient(
        total=retries,
        backoff_factor=backoff,
        backoff_max=MAX_WAIT,
        status_forcelist=AGAIN,
        allowed_methods={"GET"},
        raise_on_status=False,
        redirect=False,
    )
    session = requests.Session()
    session.headers["User-Agent"] = user_agent
    for scheme in ("http://", "https://"):
        session.mount(scheme, Adapter(max_retries=again))
    return session
