"""Servers that drip, and servers that ask to come back later: the time of a request is bounded as a whole."""

from __future__ import annotations

import email.utils
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, with_headers
from aifgraph.aifdb import AIFdb
from aifgraph.aifdb.download import fetch_nodesets
from aifgraph.errors import RemoteError

HEAD = b"HTTP/1.1 200 OK\r\n"
Script = Callable[[], Iterator[bytes]]


@contextmanager
def dripping(script: Script, every: float = 0.05) -> Iterator[str]:
    """The address of a server that says the pieces of a script one by one, with a pause after each."""
    listening = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection:
            for piece in script():
                try:
                    connection.sendall(piece)
                except OSError:
                    return
                if over.wait(every):
                    return

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    over.set()
    listening.close()


def letters(start: bytes) -> Iterator[bytes]:
    yield start
    yield from cycle([b"x"])


SCRIPTS: dict[str, Script] = {
    "a status that drips": lambda: letters(b"HTTP/1.1 2"),
    "a header that drips": lambda: letters(HEAD + b"X-Slow: "),
    "headers without end": lambda: cycle([HEAD.replace(b"\r\n", b"\r\nA: b\r\n")] + [b"A: b\r\n"] * 10),
    "a body that drips": lambda: letters(HEAD + b"\r\n"),
    "100 Continue without end": lambda: cycle([b"HTTP/1.1 100 Continue\r\n\r\n"]),
    "the size of a chunk that drips": lambda: letters(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;"),
    "a packed body of nothing": lambda: iter([HEAD + b"Content-Encoding: gzip\r\n\r\n", *[b""] * 1000]),
    "an error whose body drips": lambda: letters(b"HTTP/1.1 503 Busy\r\nContent-Length: 1000000\r\n\r\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_time_of_an_answer_is_bounded_as_a_whole(script: Script) -> None:
    with dripping(script) as url:
        client = AIFdb(url, url, cache=False, pause=0, timeout=0.4, retries=0)
        start = time.monotonic()
        with pytest.raises(RemoteError, match=r"not answer in time|not come to an end|cut off|answered 503"):
            client.nodeset(5)
        assert time.monotonic() - start < 4  # a body has five times the timeout; each letter would have 0.4 seconds


def test_an_encrypted_connection_that_is_never_made() -> None:
    with dripping(lambda: letters(b"\x16\x03\x03\x01\x00\x02\x00\x00\xfc")) as url:
        client = AIFdb(url.replace("http", "https"), url, cache=False, pause=0, timeout=0.4, retries=0)
        start = time.monotonic()
        with pytest.raises(RemoteError, match="not answer in time"):
            client.nodeset(5)
        assert time.monotonic() - start < 2


@pytest.mark.slow
def test_a_body_that_goes_on_coming_may_take_its_time() -> None:
    body = a_map(5)
    pieces = [HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode(), *(body[at : at + 12] for at in range(0, 120, 12))]
    with dripping(lambda: iter([*pieces, body[120:]])) as url:
        assert len(AIFdb(url, url, cache=False, pause=0, timeout=0.3, retries=0).nodeset(5)) == 1


def date_in(seconds: float) -> str:
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize("value", ["7200", "date", "9" * 5000], ids=["seconds", "date", "for ever"])
@pytest.mark.parametrize("status", [429, 503])
def test_a_long_wait_is_given_up_with_the_date(server: Server, client: AIFdb, value: str, status: int) -> None:
    # A date is made here: between the collection of the tests and this one a long time may pass.
    value = date_in(7200) if value == "date" else value
    server.paths["/json/5"] = with_headers(status, Retry_After=value)
    with pytest.raises(RemoteError, match=r"asks to wait until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC") as caught:
        client.nodeset(5)
    assert len(server.asked("/json")) == 1
    if len(value) < 100:
        # A request takes its time, and an hour may begin meanwhile.
        hours = {time.strftime("%Y-%m-%d %H", time.gmtime(time.time() + 7200 - earlier)) for earlier in (0, 60)}
        assert any(hour in str(caught.value) for hour in hours)


@pytest.mark.parametrize(
    "value",
    ["0", date_in(-60), "soon", "-1", "Wed, 99 Foo 2015", "1e9", ""],
    ids=["now", "past", "word", "negative", "no date", "exponent", "empty"],
)
def test_what_says_no_long_wait_is_tried_again(server: Server, client: AIFdb, value: str) -> None:
    server.paths["/json/5"] = [with_headers(503, Retry_After=value), (200, "text/html", a_map(5))]
    assert len(client.nodeset(5)) == 1


@pytest.mark.slow
def test_a_short_wait_given_as_a_date_is_kept(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = [with_headers(503, Retry_After=date_in(2)), (200, "text/html", a_map(5))]
    start = time.monotonic()
    client.nodeset(5)
    assert time.monotonic() - start >= 0.5  # dates have whole seconds, and the request takes part of one


def test_a_download_stops_where_the_server_asks_to_wait(server: Server, client: AIFdb, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        server.has_map(number)
    server.paths["/json/2"] = with_headers(503, Retry_After="7200")
    with pytest.raises(
        RemoteError, match=r"asks to wait until .* UTC; 1 of 3 are here; run the same again after that$"
    ):
        fetch_nodesets(client, [1, 2, 3], tmp_path)
    assert server.asked("/json") == ["/json/1", "/json/2"]
    server.has_map(2)
    assert fetch_nodesets(client, [1, 2, 3], tmp_path).here == 3
