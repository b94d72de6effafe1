"""A client of AIFdb. AIFdb reports errors with status 200, so the client checks the content of an answer."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from queue import Empty, SimpleQueue
from typing import Any, Final
from urllib.parse import quote, unquote, urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError, ProtocolError

from aifgraph.errors import InputError, LimitError, NotFoundError, OptionError, RemoteError
from aifgraph.files import Input, decode_source
from aifgraph.formats import read_input
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.version import __version__

BASE_URL: Final = "http://www.aifdb.org"
CORPORA_URL: Final = "http://corpora.aifdb.org"
TEXT_URL: Final = "http://www.arg-tech.org/TXTdb"
USER_AGENT: Final = f"aifgraph/{__version__} (argument graphs over AIF; python-requests)"
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.~ -]{0,99}")
_MAX_PARTS: Final = 500
_MAX_ARCHIVE: Final = 1 << 30
_TRIED_AGAIN: Final = (429, 500, 502, 503, 504)


class UnreachableError(RemoteError):
    """There was no answer at all: no connection, or none in time."""


class _Session(requests.Session):
    """A session that follows redirects only to some hosts, or to these with encryption added."""

    def __init__(self, addresses: Iterable[str]) -> None:
        super().__init__()
        self.hosts = set(map(_host, addresses))
        self.hosts |= {("https", name, 443) for scheme, name, port in self.hosts if (scheme, port) == ("http", 80)}
        self.max_redirects = 5

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        location = super().get_redirect_target(resp)
        if location is not None:
            try:
                host = _host(urljoin(resp.url, location))
            except ValueError:  # an OptionError is one
                host = ("", "", 0)
            if host not in self.hosts or (host[0] != "https" and resp.url.startswith("https:")):
                raise RemoteError(f"the server redirects to another host ({location[:200]!a})", where=resp.url)
        return location


@dataclass(frozen=True, slots=True)
class Policy:
    """How requests are made: ``pause`` seconds between two; at most ``deadline`` seconds for one, with its ``retries``
    and their waits (``backoff`` seconds, doubled each time), ten times that for an archive; at most ``max_bytes`` in an
    answer that is no archive."""

    pause: float = 1.0
    deadline: float = 60.0
    retries: int = 4
    backoff: float = 1.0
    max_bytes: int = 64 << 20


class AIFdb:
    """A client of AIFdb, or of another server with the same interface. It asks only the hosts of its addresses, also
    after redirects.

    Methods raise ``NotFoundError`` if the server does not have something, ``RemoteError`` if its answer is invalid, and
    ``LimitError`` if an answer is too large.

    Args:
        base_url: address of maps; else ``$AIFGRAPH_AIFDB_URL``, else AIFdb.
        corpora_url: address of corpora; else ``$AIFGRAPH_CORPORA_URL``, else AIFdb's.
        text_url: address of source texts; else ``$AIFGRAPH_TEXT_URL``, else AIFdb's, or ``/TXTdb`` of another base.
    """

    def __init__(
        self,
        base_url: str | None = None,
        corpora_url: str | None = None,
        text_url: str | None = None,
        *,
        policy: Policy | None = None,
    ) -> None:
        self.base_url = (base_url or os.environ.get("AIFGRAPH_AIFDB_URL") or BASE_URL).rstrip("/")
        self.corpora_url = (corpora_url or os.environ.get("AIFGRAPH_CORPORA_URL") or CORPORA_URL).rstrip("/")
        # Whoever works with a server of their own is not led to the public one.
        own = TEXT_URL if self.base_url == BASE_URL else f"{self.base_url}/TXTdb"
        self.text_url = (text_url or os.environ.get("AIFGRAPH_TEXT_URL") or own).rstrip("/")
        self.policy = policy or Policy()
        addresses = self.base_url, self.corpora_url, self.text_url
        # Names and passwords are sent to the addresses that they stand in, and shown nowhere.
        self._logins = {address: login for address, login in map(_split_login, addresses) if login}
        self.base_url, self.corpora_url, self.text_url = (_split_login(address)[0] for address in addresses)
        self._session = _Session((self.base_url, self.corpora_url, self.text_url))
        self._session.headers["User-Agent"] = USER_AGENT
        self._last = -self.policy.pause

    def nodeset(self, id: int | str) -> ArgumentGraph:
        """Fetch a map, with its source text where there is one; a notice says that it could not be had."""
        number = nodeset_id(id)
        data = self.nodeset_data(number)
        text, notices = None, []
        try:
            text = self.text_data(number)
        except (RemoteError, LimitError) as error:
            notices = [Notice("fetch-text", f"the source text could not be had: {error}")]
        siblings = {".txt": text} if text is not None else {}
        graph = read_input(Input(f"aifdb:{number}", data, ".json", siblings.get))
        return graph.with_meta(notices=(*graph.notices, *notices))

    def text(self, id: int | str) -> str | None:
        """Fetch the source text of a map with its markup; None if AIFdb has no text."""
        data = self.text_data(nodeset_id(id))
        return None if data is None else decode_source(data, f"aifdb:{id}")[0]

    def corpus(self, name: str) -> list[int]:
        """Fetch the ids of a corpus's maps, ascending; of all its parts where it lists none itself."""
        waiting, seen, ids = [corpus_name(name)], set[str](), set[int]()
        while waiting and len(seen) < _MAX_PARTS:
            part = waiting.pop()
            seen.add(part)
            found = self._ids(part)
            ids.update(found)
            if not found:
                waiting += [name for name in self._parts(part) if name not in seen]
        return sorted(ids)

    def corpora(self) -> dict[str, str]:
        """Fetch the list of corpora: titles by short names, in their order."""
        url = f"{self.corpora_url}/list.php"
        document = _json(self.get(url), url)
        rows = document.get("corpora") if isinstance(document, dict) else None
        if not isinstance(rows, list):
            raise RemoteError("the answer lists no corpora", where=url)
        named = (row for row in rows if isinstance(row, dict) and row.get("shortname"))
        names = {str(row["shortname"]): str(row.get("title") or "") for row in named}
        return {name: names[name] for name in sorted(names, key=lambda name: (name.casefold(), name))}

    def archive(self, name: str) -> bytes:
        """Fetch the zip archive of a corpus's maps."""
        url = f"{self.corpora_url}/zip/{quote(corpus_name(name))}/download"
        return self.get(url, limit=_MAX_ARCHIVE, deadline=10 * self.policy.deadline)

    def nodeset_data(self, number: int) -> bytes:
        """Fetch a map as the server sends it, after a check that it is a map."""
        url = f"{self.base_url}/json/{number}"
        data = self.get(url)
        _json(data, url)  # raises what the server says
        check_map(data, url)
        return data

    def text_data(self, number: int) -> bytes | None:
        """Fetch a source text as the server sends it; None where there is none."""
        url = f"{self.text_url}/nodeset/{number}"
        try:
            data = self.get(url)
        except NotFoundError:
            return None
        head = decode_source(data[:300], url)[0].strip()
        if re.match(r"<(!doctype|html|head)\b", head, re.IGNORECASE):
            raise RemoteError("the answer is a web page, not a text", where=url)
        return None if not head or re.match(r"no (such|text)\b", head, re.IGNORECASE) else data

    def _ids(self, name: str) -> set[int]:
        url = f"{self.corpora_url}/{quote(name)}/nodesets"
        document = _json(self.get(url), url)
        ids = document.get("nodeSets") if isinstance(document, dict) else None
        if not isinstance(ids, list):
            raise RemoteError("the answer lists no maps", where=url)
        return {int(id_) for id_ in map(str, ids) if re.fullmatch(r"[0-9]{1,18}", id_)}

    def _parts(self, name: str) -> list[str]:
        url = f"{self.corpora_url}/api/getCorpusSubcorpora.php?shortname={quote(name)}"
        try:
            document = _json(self.get(url), url)
        except NotFoundError:
            return []
        rows = document.get("subcorpora") if isinstance(document, dict) else document
        if not isinstance(rows, list):
            return []
        names = (row.get("shortname") if isinstance(row, dict) else row for row in rows)
        return [name for name in names if isinstance(name, str) and _NAME.fullmatch(name)]

    # -- requests -------------------------------------------------------------------------------------------------

    def get(self, url: str, *, limit: int | None = None, deadline: float | None = None) -> bytes:
        """Fetch the body of an answer, whole; what fails in passing is tried again, within the deadline."""
        ready = max(time.monotonic(), self._last + self.policy.pause)
        end = ready + (deadline or self.policy.deadline)
        outcomes = SimpleQueue[bytes | Exception]()

        def ask() -> None:
            try:
                outcomes.put(self._get(url, limit or self.policy.max_bytes, ready, end))
            except Exception as error:  # raised below
                outcomes.put(error)

        # Sockets limit the time of each piece that comes. A thread whose pieces do not end is left behind.
        threading.Thread(target=ask, daemon=True).start()
        try:
            outcome = outcomes.get(timeout=end - time.monotonic() + 0.1)
        except Empty:
            raise UnreachableError("no answer within the deadline", where=url, remedy="try again later") from None
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _get(self, url: str, limit: int, ready: float, end: float) -> bytes:
        policy = self.policy
        for attempt in range(policy.retries + 1):
            if ready > end:
                raise UnreachableError("no answer within the deadline", where=url, remedy="try again later")
            time.sleep(max(0.0, ready - time.monotonic()))
            wait = max(policy.pause, policy.backoff * 2**attempt)
            try:
                timeout = max(0.1, end - time.monotonic())
                with self._session.get(url, stream=True, timeout=timeout, auth=self._login(url)) as response:
                    if response.status_code not in _TRIED_AGAIN:
                        return _body(response, limit, end)
                    wait = max(wait, _retry_after(response))
                    failure = RemoteError(_status(response), where=url, remedy="try again later")
            except (requests.RequestException, HTTPError, OSError, ValueError) as error:  # all come from urllib3
                failure = UnreachableError(_reason(error), where=url, remedy="try again later")
            finally:
                self._last = time.monotonic()
            ready = self._last + wait
        raise failure

    def _login(self, url: str) -> tuple[str, str] | None:
        """Return the login of the address that an address is below."""
        return next((login for address, login in self._logins.items() if url.startswith(f"{address}/")), None)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def __enter__(self) -> AIFdb:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _split_login(url: str) -> tuple[str, tuple[str, str] | None]:
    """Return an address without the name and password in it, and these."""
    found = re.match(r"([^/]*//)([^/]*)@", url)
    if found is None:
        return url, None
    name, _, password = found[2].partition(":")
    return found[1] + url[found.end() :], (unquote(name), unquote(password))


def _host(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        port = None
    if not port or not parts.hostname:
        raise OptionError("not a web address", where=ascii(url), remedy="give http://host or https://host")
    return parts.scheme, parts.hostname, port


def _retry_after(response: requests.Response) -> float:
    """Return the seconds to wait that an answer asks for, by number or date; 0 where it asks for none."""
    value = response.headers.get("Retry-After", "").strip()
    if re.fullmatch("[0-9]+", value):
        return float(value)
    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _status(response: requests.Response) -> str:
    return f"the server answered {response.status_code} {response.reason or ''}".rstrip()


def _body(response: requests.Response, limit: int, end: float) -> bytes:
    """Return the body of an answer, not more than ``limit`` bytes of it and not after ``end``."""
    if response.status_code in (404, 410):
        raise NotFoundError(f"the server answers {response.status_code}: no such page", where=response.url)
    if response.status_code != 200:
        raise RemoteError(_status(response), where=response.url)
    data = bytearray()
    while piece := response.raw.read1(1 << 16, decode_content=True):  # as it comes
        data += piece
        if len(data) > limit:
            raise LimitError(f"the answer is larger than {limit >> 20} MiB", where=response.url)
        if time.monotonic() > end:
            raise UnreachableError("the answer was not complete in time", where=response.url)
    return bytes(data)


def _reason(error: Exception) -> str:
    """Return an error in a few words; the text of requests' errors is a nest of representations."""
    for kind, words in (
        (requests.exceptions.Timeout, "the server did not answer in time"),
        (requests.exceptions.SSLError, "the encrypted connection failed"),
        ((requests.exceptions.ChunkedEncodingError, ProtocolError), "the answer was cut off"),
        (requests.exceptions.ConnectionError, "no connection to the server"),
    ):
        if isinstance(error, kind):
            return words
    return str(error).split("\n")[0][:120] or type(error).__name__


# -- answers ----------------------------------------------------------------------------------------------------------


def check_map(data: bytes, where: str) -> None:
    """Raise ``RemoteError`` where an answer is no map that can be read: it would be kept, and never asked for again."""
    try:
        read_input(Input(where, data, ".json"))
    except InputError as error:
        raise RemoteError(f"the answer is not a map: {error.what}", where=where) from None


def _json(data: bytes, url: str) -> Any:
    text = data.decode("utf-8-sig", errors="replace").strip()
    try:
        return json.loads(text[max(text.find("{"), 0) :] if text[:1] not in ("{", "[") else text)
    except (ValueError, RecursionError):
        plain = ascii(" ".join(re.sub(r"<[^<>]*>", " ", text[:2000]).split())[:100])[1:-1]
        if re.match(r"no such \w+", plain, re.IGNORECASE):
            raise NotFoundError(f"the server says: {plain}", where=url) from None
        raise RemoteError(f"no JSON in the answer: {plain or 'nothing'}", where=url) from None


def nodeset_id(id: int | str) -> int:
    """Return a map's id, given as a number or as in ``nodeset17940``."""
    found = re.fullmatch(r"(?:nodeset)?([0-9]{1,18})", str(id).strip())
    if not found:
        remedy = "give a number, as in 17940; names are those of corpora"
        raise OptionError(f"{str(id)[:100]!r} is not a map id", remedy=remedy)
    return int(found[1])


def corpus_name(name: str) -> str:
    """Return a corpus's short name, which becomes part of addresses and the name of a folder."""
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"{name[:100]!r} is not the short name of a corpus", remedy="list them with `aifgraph fetch --list`"
        )
    return name
