"""Requests as a polite guest makes them: one at a time with a pause, retried with back-off, bounded, and to no host
but those that were configured.

::

    get(address) ─▶ pause ─▶ request ─▶ 429, 5xx, no connection ─▶ again (urllib3 Retry, Retry-After heard) ─┐
                               │  ▲                                                                          │
                               ▼  └────────────── cut in the middle of the body: again ◀─────────────────────┘
                    Retry-After above two minutes: given up, with the date
                    redirect: only within the configured hosts; one from http to https on the same host is remembered
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit, urlunsplit

from aifgraph.aifdb.connections import AGAIN, MAX_WAIT, Watch, open_session
from aifgraph.aifdb.retry_after import moment_after, seconds_to_wait
from aifgraph.errors import LimitError, NotFoundError, OptionError, RemoteError
from aifgraph.version import __version__

if TYPE_CHECKING:
    import requests

USER_AGENT = f"aifgraph/{__version__} (argument graphs over AIF; python-requests)"

_CHUNK = 1 << 16
#: One answer may take this many times the timeout, and longer only if it comes at so many bytes a second.
_PATIENCE = 5
_SLOWEST = 10_000


@dataclass(frozen=True, slots=True)
class Response:
    """What a server said: the address that answered, status, content type, and the body."""

    url: str
    status: int
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """How requests are made.

    ``pause``: seconds between two. ``timeout``: seconds for the whole head of an answer, and for each further piece of
    it. ``retries``: how often to try again, after ``backoff`` seconds, doubled each time. Limits in bytes."""

    pause: float = 2.0
    timeout: float = 60.0
    retries: int = 4
    backoff: float = 1.0
    max_bytes: int = 256 << 20
    max_archive: int = 4 << 30

    def __post_init__(self) -> None:
        longest = 86_400.0  # seconds; neither infinity nor NaN is less than it
        if not (self.pause <= longest and self.timeout <= longest and self.backoff <= longest):
            raise OptionError("pause, timeout and backoff are at most a day")
        if self.pause < 0 or self.timeout <= 0 or self.retries < 0 or self.backoff < 0 or self.max_bytes <= 0:
            raise OptionError("pause, retries and backoff are 0 or more, timeout and max_bytes more than 0")


class Web:
    """Requests to the hosts of some base addresses. Safe to share between threads: requests wait for each other."""

    def __init__(self, bases: tuple[str, ...], policy: RequestPolicy, user_agent: str = USER_AGENT) -> None:
        self.policy = policy
        self._hosts = {_host(base) for base in bases}
        self._user_agent = user_agent
        self._lock = threading.Lock()
        self._last: float | None = None
        self._session: requests.Session | None = None
        self._watch = Watch()
        #: Hosts that have led from http to https: they are not asked without encryption again.
        self._encrypted: set[str] = set()

    def get(self, url: str, params: Mapping[str, str] | None = None) -> Response:
        """The answer to a GET request, its body whole. Raises ``RemoteError``, ``NotFoundError``, ``LimitError``."""
        parts: list[bytes] = []

        def start() -> Callable[[bytes], object]:
            parts.clear()
            return parts.append

        head = self._ask("GET", url, start, self.policy.max_bytes, params=params)
        return Response(*head, b"".join(parts))

    def download(self, url: str, file: IO[bytes], params: Mapping[str, str] | None = None) -> Response:
        """The body of the answer goes to an open file (written from its start); the answer has none."""

        def start() -> Callable[[bytes], object]:
            file.seek(0)
            file.truncate()
            return file.write

        return Response(*self._ask("GET", url, start, self.policy.max_archive, params=params), b"")

    def post(self, url: str, *, files: Mapping[str, Any], auth: tuple[str, str] | None = None) -> Response:
        """The answer to an upload, which is never tried twice: it may have arrived."""
        parts: list[bytes] = []
        head = self._ask("POST", url, lambda: parts.append, self.policy.max_bytes, files=files, auth=auth, once=True)
        return Response(*head, b"".join(parts))

    def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _ask(
        self,
        method: str,
        url: str,
        start: Callable[[], Callable[[bytes], object]],
        limit: int,
        *,
        once: bool = False,
        **request: Any,
    ) -> tuple[str, int, str]:
        import requests

        if _host(url) not in self._hosts:
            raise RemoteError("no host that was configured", where=url)
        scheme, host, port = _host(url)
        if (scheme, port) == ("http", 80) and host in self._encrypted:
            url = urlunsplit(urlsplit(url)._replace(scheme="https", netloc=host))
        with self._lock:
            for attempt in range(1 if once else self.policy.retries + 1):
                self._wait(attempt)
                try:
                    response = self._send(method, url, once, request)
                    with response:
                        self._body(response, start(), limit)
                    self._check(response)
                    return response.url, response.status_code, response.headers.get("Content-Type", "")
                except _CutError as error:
                    cut = error
                except requests.RequestException as error:
                    raise UnreachableError(_reason(error), where=url, remedy="try again later") from None
                finally:
                    self._watch.stop()
                    self._last = time.monotonic()
            raise RemoteError(str(cut), where=url, remedy="try again later")

    def _send(self, method: str, url: str, once: bool, request: dict[str, Any]) -> requests.Response:
        """The response that is no redirect, its body not read yet."""
        import requests

        session = self._session or self._open()
        for _ in range(6):
            wait = (min(10.0, self.policy.timeout), self.policy.timeout)
            try:
                response = session.request(method, url, stream=True, timeout=wait, allow_redirects=False, **request)
            except ValueError as error:  # requests parses the address of a redirect, followed or not
                if isinstance(error, requests.RequestException):
                    raise
                raise RemoteError("the server leads on to no address", where=url) from None
            if not response.is_redirect:
                return response
            response.close()
            target = urljoin(url, response.headers["Location"])
            if not self._allowed(url, target):
                raise RemoteError(
                    f"the server leads on to another host ({_shown(target)}), which is not followed",
                    where=url,
                    remedy="configure that address if you trust it",
                )
            if urlsplit(url).scheme == "https" and urlsplit(target).scheme != "https":
                raise RemoteError(f"the server leads on without encryption ({_shown(target)})", where=url)
            if once:
                raise RemoteError(
                    f"the server has moved to {_shown(target)}", where=url, remedy="configure that address"
                )
            if urlsplit(url).scheme == "http" and _host(target) == ("https", _host(url)[1], 443):
                self._encrypted.add(_host(url)[1])
            url, request = target, {**request, "params": None}
        raise RemoteError("too many redirects", where=url)

    def _allowed(self, url: str, target: str) -> bool:
        """Whether a redirect may be followed: to a configured host, or to the same one with encryption added."""
        try:
            scheme, host, port = _host(target)
        except OptionError:
            return False
        if (scheme, host, port) in self._hosts:
            return True
        return (scheme, port) == ("https", 443) and ("http", host, 80) in self._hosts and host == _host(url)[1]

    def _body(self, response: requests.Response, take: Callable[[bytes], object], limit: int) -> None:
        import requests
        from urllib3.exceptions import HTTPError

        url = response.url
        declared = response.headers.get("Content-Length", "")
        if declared.isdigit() and int(declared) > limit:
            raise LimitError(f"larger than {limit >> 20} MiB", where=url)
        start = time.monotonic()
        size = 0
        try:
            for chunk in _chunks(response):
                self._watch.extend(self.policy.timeout)
                size += len(chunk)
                if size > limit:
                    raise LimitError(f"larger than {limit >> 20} MiB", where=url)
                if time.monotonic() - start > self.policy.timeout * _PATIENCE + size / _SLOWEST:
                    raise RemoteError("the answer does not come to an end", where=url, remedy="try again later")
                take(chunk)
        except (requests.RequestException, HTTPError, OSError) as error:
            if self._watch.passed:
                raise RemoteError("the answer does not come to an end", where=url, remedy="try again later") from None
            raise _CutError(f"the answer was cut off after {size} bytes ({_reason(error)})") from None
        if self._watch.passed:
            raise RemoteError("the answer does not come to an end", where=url, remedy="try again later")
        if declared.isdigit() and response.raw.tell() < int(declared):
            raise _CutError(f"the answer was cut off after {size} of {declared} bytes")

    def _check(self, response: requests.Response) -> None:
        if response.status_code in (404, 410):
            raise NotFoundError(
                f"the server answered {response.status_code}: there is no such page", where=response.url
            )
        wait = seconds_to_wait(response.headers.get("Retry-After")) if response.status_code in (413, *AGAIN) else None
        if wait is not None and wait > MAX_WAIT:
            raise AskedToWaitError(
                f"the server answered {response.status_code} and asks to wait until {moment_after(wait)}",
                where=response.url,
                remedy="run the same again after that",
            )
        if response.status_code != 200:
            reason = f"the server answered {response.status_code} {response.reason or ''}".rstrip()
            raise RemoteError(
                reason, where=response.url, remedy="try again later" if response.status_code in (413, *AGAIN) else None
            )

    def _wait(self, attempt: int) -> None:
        pause = self.policy.pause
        if attempt:
            pause = max(pause, min(self.policy.backoff * 2 ** (attempt - 1), MAX_WAIT))
        if self._last is not None:
            time.sleep(max(0.0, self._last + pause - time.monotonic()))

    def _open(self) -> requests.Session:
        policy = self.policy
        self._session = open_session(self._watch, policy.timeout, policy.retries, policy.backoff, self._user_agent)
        return self._session


class UnreachableError(RemoteError):
    """There was no answer at all: no connection, or nothing in time."""


class AskedToWaitError(UnreachableError):
    """The server wants no request before a time that is too long to wait for."""


class _CutError(Exception):
    """The body of an answer did not come whole."""


def _host(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        raise OptionError("not an address of the web", where=ascii(url)) from None
    if not port or not parts.hostname:
        raise OptionError("not an address of the web", where=ascii(url), remedy="give http://host or https://host")
    return parts.scheme, parts.hostname.lower(), port


def _chunks(response: requests.Response) -> Iterator[bytes]:
    """The body as it comes: waiting for a full chunk would wait without end for a server that drips."""
    read1 = getattr(response.raw, "read1", None)
    if read1 is None:  # urllib3 before version 2
        yield from response.iter_content(1024)
        return
    while chunk := read1(_CHUNK, decode_content=True):
        yield chunk


def _shown(url: str) -> str:
    return ascii(url)[1:-1][:200]


def _reason(error: Exception) -> str:
    """A requests error in a few words; its own text is a nest of representations."""
    import requests

    for kind, words in (
        (requests.exceptions.SSLError, "the encrypted connection failed"),
        (requests.exceptions.ProxyError, "the proxy did not answer"),
        (requests.exceptions.ConnectTimeout, "the server could not be reached in time"),
        (requests.exceptions.ReadTimeout, "the server did not answer in time"),
        (requests.exceptions.ChunkedEncodingError, "the connection broke"),
        (requests.exceptions.ContentDecodingError, "the packing of the answer is damaged"),
        (requests.exceptions.ConnectionError, "no connection to the server"),
    ):
        if isinstance(error, kind):
            timed_out = "timed out" in str(error).lower()
            return "the server did not answer in time" if timed_out else words
    return str(error).split("\n")[0][:120] or type(error).__name__
