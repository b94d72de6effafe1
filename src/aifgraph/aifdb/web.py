"""Requests as a polite guest makes them: one at a time with a pause, retried with back-off, bounded, and to no host
but those that were configured.

::

    get(address) ─▶ pause ─▶ head ─▶ body ─▶ answer
                      ▲        │       │
                      └────────┴───────┘  again: 429, 5xx (as late as Retry-After says), no connection, a body cut off
    Retry-After above two minutes: given up, with the date
    redirect: only within the configured hosts; one from http to https on the same host is remembered
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from typing import IO, TYPE_CHECKING, Final, TypeVar
from urllib.parse import urljoin, urlsplit, urlunsplit

from aifgraph.errors import LimitError, NotFoundError, OptionError, RemoteError
from aifgraph.version import __version__

if TYPE_CHECKING:
    import requests

USER_AGENT = f"aifgraph/{__version__} (argument graphs over AIF; python-requests)"

#: The longest time that a server's Retry-After is obeyed, and between two attempts, in seconds.
MAX_WAIT = 120.0
#: The answers after which a request is tried again.
_AGAIN: Final = (429, 500, 502, 503, 504)
_CHUNK: Final = 1 << 16
#: One answer may take this many times the timeout, and longer only if it comes at so many bytes a second.
_MAX_TIMEOUTS: Final = 5
_MIN_SPEED: Final = 10_000
#: A server that says a later time than a year from now says no time.
_YEAR: Final = 366 * 86_400.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Response:
    """What a server said: the address that answered, content type, and the body."""

    url: str
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
        #: Hosts that have led from http to https: they are not asked without encryption again.
        self._encrypted: set[str] = set()

    def get(self, url: str, params: Mapping[str, str] | None = None) -> Response:
        """The answer to a GET request, its body whole. Raises ``RemoteError``, ``NotFoundError``, ``LimitError``."""
        return self._ask(url, BytesIO(), self.policy.max_bytes, params)

    def download(self, url: str, file: IO[bytes]) -> Response:
        """The body of the answer goes to an open file (written from its start); the answer has none."""
        return self._ask(url, file, self.policy.max_archive)

    def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _ask(self, url: str, file: IO[bytes], limit: int, params: Mapping[str, str] | None = None) -> Response:
        import requests

        if _host(url) not in self._hosts:
            raise RemoteError("no host that was configured", where=url)
        scheme, host, port = _host(url)
        if (scheme, port) == ("http", 80) and host in self._encrypted:
            url = urlunsplit(urlsplit(url)._replace(scheme="https", netloc=host))
        with self._lock:
            attempts, asked_wait = self.policy.retries + 1, 0.0
            for attempt in range(attempts):
                self._wait(attempt, asked_wait)
                last = attempt == attempts - 1
                try:
                    response = self._send(url, params)
                    if response.status_code == 200:
                        self._body(response, file, limit)
                        data = file.getvalue() if isinstance(file, BytesIO) else b""
                        return Response(response.url, response.headers.get("Content-Type", ""), data)
                    self._finish(response)
                    asked_wait = _check(response, last=last)
                except _CutError as error:
                    if last:
                        raise RemoteError(str(error), where=url, remedy="try again later") from None
                except (requests.RequestException, TimeoutError) as error:
                    if last:
                        raise UnreachableError(_reason(error), where=url, remedy="try again later") from None
                finally:
                    self._last = time.monotonic()
            raise AssertionError("the last attempt returns or raises")

    def _send(self, url: str, params: Mapping[str, str] | None) -> requests.Response:
        """The response that is no redirect, its body not read yet."""
        import requests

        waits = (min(10.0, self.policy.timeout), self.policy.timeout)
        for _ in range(6):
            session = self._session or self._open()
            get = partial(session.get, url, params=params, stream=True, timeout=waits, allow_redirects=False)
            try:
                response = self._in_time(get)
            except ValueError as error:  # requests parses the address of a redirect, followed or not
                if isinstance(error, requests.RequestException):
                    raise
                raise RemoteError("the server redirected to an invalid URL", where=url) from None
            if not response.is_redirect:
                return response
            response.close()
            target = urljoin(url, response.headers["Location"])
            if not self._allowed(url, target):
                raise RemoteError(
                    f"the server redirected to another host ({_shown(target)}), which is not followed",
                    where=url,
                    remedy="configure that address if you trust it",
                )
            if urlsplit(url).scheme == "https" and urlsplit(target).scheme != "https":
                raise RemoteError(f"the server redirected to an open connection ({_shown(target)})", where=url)
            if urlsplit(url).scheme == "http" and _host(target) == ("https", _host(url)[1], 443):
                self._encrypted.add(_host(url)[1])
            url, params = target, None
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

    def _body(self, response: requests.Response, file: IO[bytes], limit: int) -> None:
        """Write the body of an answer to a file, in place of what an earlier attempt has left there."""
        import requests
        from urllib3.exceptions import HTTPError

        url, start, size = response.url, time.monotonic(), 0
        declared = response.headers.get("Content-Length", "")
        if declared.isdigit() and int(declared) > limit:
            raise LimitError(f"larger than {limit >> 20} MiB", where=url)
        file.seek(0)
        file.truncate()
        try:
            # A full chunk would never come from a server that drips.
            while chunk := self._in_time(response.raw.read1, _CHUNK, True):
                size += len(chunk)
                if size > limit:
                    raise LimitError(f"larger than {limit >> 20} MiB", where=url)
                if time.monotonic() - start > self.policy.timeout * _MAX_TIMEOUTS + size / _MIN_SPEED:
                    raise TimeoutError
                file.write(chunk)
        except TimeoutError:
            raise RemoteError("the answer does not come to an end", where=url, remedy="try again later") from None
        except (requests.RequestException, HTTPError, OSError) as error:
            if isinstance(error, LimitError):
                raise
            raise _CutError(f"the answer was cut off after {size} bytes ({_reason(error)})") from None
        finally:
            if self._session is not None:  # else another thread is still reading, and closing would wait for it
                response.close()
        if declared.isdigit() and response.raw.tell() < int(declared):
            raise _CutError(f"the answer was cut off after {size} of {declared} bytes")

    def _finish(self, response: requests.Response) -> None:
        """Read the rest of an answer that is not used if it is short: then its connection serves for the next."""
        from urllib3.exceptions import HTTPError

        with suppress(HTTPError, OSError):
            self._in_time(response.raw.read1, _CHUNK, True)
            response.close()

    def _in_time(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function gives, if it does so within the timeout: that of a socket is for each single byte.

        Raises:
            TimeoutError: it did not. Its thread goes on until its connection ends, so that this is not used again.
        """
        outcome: Future[T] = Future()

        def run() -> None:
            try:
                outcome.set_result(function(*arguments))
            except BaseException as error:
                outcome.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        try:
            return outcome.result(self.policy.timeout)
        except TimeoutError:
            if not outcome.done():
                self._session = None
            raise TimeoutError("timed out") from None

    def _wait(self, attempt: int, asked: float = 0) -> None:
        pause = max(self.policy.pause, asked)
        if attempt:
            pause = max(pause, min(self.policy.backoff * 2 ** (attempt - 1), MAX_WAIT))
        if self._last is not None:
            time.sleep(max(0.0, self._last + pause - time.monotonic()))

    def _open(self) -> requests.Session:
        import requests

        self._session = requests.Session()
        self._session.headers["User-Agent"] = self._user_agent
        return self._session


class UnreachableError(RemoteError):
    """There was no answer at all: no connection, or nothing in time."""


class AskedToWaitError(UnreachableError):
    """The server wants no request before a time that is too long to wait for."""


class _CutError(Exception):
    """The body of an answer did not come whole."""


def _check(response: requests.Response, *, last: bool) -> float:
    """The seconds to wait before another attempt, where that may help; else the error that an answer stands for."""
    status, url = response.status_code, response.url
    if status in (404, 410):
        raise NotFoundError(f"the server answered {status}: there is no such page", where=url)
    wait = _seconds_to_wait(response.headers.get("Retry-After")) if status in (413, *_AGAIN) else 0.0
    if wait > MAX_WAIT:
        moment = f"{datetime.now(UTC) + timedelta(seconds=wait):%Y-%m-%d %H:%M:%S} UTC"
        raise AskedToWaitError(
            f"the server answered {status} and asks to wait until {moment}",
            where=url,
            remedy="run the same again after that",
        )
    if last or status not in _AGAIN:
        reason = f"the server answered {status} {response.reason or ''}".rstrip()
        raise RemoteError(reason, where=url, remedy="try again later" if status in (413, *_AGAIN) else None)
    return wait


def _seconds_to_wait(value: str | None) -> float:
    """The seconds from now that a Retry-After asks for, as a number or a date; 0 where it says no time."""
    from urllib3.exceptions import InvalidHeader
    from urllib3.util import Retry

    retry = Retry()
    retry.retry_after_max = _YEAR  # type: ignore[assignment]
    try:
        return min(max(retry.parse_retry_after((value or "")[:40]), 0.0), _YEAR)
    except (InvalidHeader, ValueError, OverflowError, TypeError, IndexError):
        return 0.0


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


def _shown(url: str) -> str:
    return ascii(url)[1:-1][:200]


def _reason(error: Exception) -> str:
    """An error of requests in a few words; its own text is a nest of representations."""
    import requests

    if isinstance(error, TimeoutError):
        return "the server did not answer in time"

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
