"""The client against servers that behave well and badly."""

from __future__ import annotations

import email.utils
import gzip
import json
import socket
import threading
import time
from contextlib import suppress
from itertools import chain, pairwise, repeat
from typing import Any

import pytest

import aifgraph
from aifdb.loopback import Server, a_map, chunked, cut, endless, raw, slow, with_headers
from aifgraph.aifdb import AIFdb, Policy
from aifgraph.aifdb import client as client_module
from aifgraph.errors import LimitError, NotFoundError, OptionError, RemoteError

GOOD = (200, "text/html", a_map(5))


def quick(url: str, **policy: Any) -> AIFdb:
    return AIFdb(url, url, policy=Policy(**{"pause": 0, "backoff": 0.01, "retries": 1, **policy}))


def test_a_map_with_its_text(server: Server, client: AIFdb) -> None:
    server.has_map(5, '<span class="highlighted" id="node5">Claim 5</span>')
    graph = client.nodeset(5)
    assert graph.propositions[0].text == "Claim 5"
    assert graph.meta.source is not None
    assert client.nodeset("nodeset5") == graph
    assert server.asked() == ["/json/5", "/TXTdb/nodeset/5"] * 2
    assert "aifgraph/" in server.headers[0]["User-Agent"]
    server.paths["/TXTdb/nodeset/5"] = (500, "", b"")  # another server, which may have gone
    assert client.nodeset(5).meta.source is None


def test_an_address_is_asked_for_once(server: Server) -> None:
    server.has_map(5, "Claim 5.")
    assert aifgraph.load("aifdb:5").name == "aifdb:5"
    assert aifgraph.load("aifdb:5").meta.source is not None
    assert server.asked() == ["/json/5", "/TXTdb/nodeset/5"]


@pytest.mark.parametrize(
    "first",
    [
        (500, "text/html", b"oops"),
        (502, "", b""),
        cut(a_map(5), 20),
        cut(b"x" * 99, 0),
        chunked(a_map(5), whole=False),
        *(with_headers(503, Retry_After=value) for value in ("0", "soon", "-1", "Wed, 99 Foo 2015", "")),
        with_headers(503, Retry_After=email.utils.formatdate(time.time() - 60, usegmt=True)),
    ],
)
def test_what_goes_wrong_once_is_tried_again(server: Server, client: AIFdb, first: object) -> None:
    server.paths["/json/5"] = [first, GOOD]
    assert len(client.nodeset(5)) == 1
    assert server.asked("/json") == ["/json/5", "/json/5"]


def test_it_waits_as_long_as_it_is_asked_to_or_ever_longer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.paths["/json/5"] = [with_headers(503, Retry_After="2"), *[(500, "", b"")] * 3, GOOD]
    waits: list[float] = []
    monkeypatch.setattr(client_module.time, "sleep", waits.append)
    quick(server.url, retries=4, backoff=0.25).nodeset(5)
    assert [wait for wait in waits if wait] == [2.0, 0.5, 1.0, 2.0]


@pytest.mark.parametrize("value", ["7200", "9" * 5000, "date"])
@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_beyond_the_deadline_is_given_up(server: Server, client: AIFdb, value: str, status: int) -> None:
    value = email.utils.formatdate(time.time() + 7200, usegmt=True) if value == "date" else value
    server.paths["/json/5"] = with_headers(status, Retry_After=value)
    start = time.monotonic()
    with pytest.raises(RemoteError):
        client.nodeset(5)
    assert time.monotonic() - start < 5
    assert len(server.asked("/json")) <= 3


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((200, "text/html", b"<p>No such nodeset</p>"), "No such nodeset"),
        ((200, "text/html", b"Database error near line 1"), "Database error"),
        ((200, "text/html", b"<!DOCTYPE html><html><h1>Down</h1>"), "Down"),
        ((200, "application/json", b""), "nothing"),
        ((200, "application/json", b'{"nodes": ['), "no JSON"),
        ((200, "application/json", b'{"error": "x"}'), "not a map"),
        ((200, "application/json", b"[]"), "not a map"),
        ((200, "application/json", b"[" * 100_000), "no JSON"),
        ((404, "text/html", b"gone"), "404"),
        ((500, "text/html", b"oops"), "500"),
        (cut(a_map(5), 20), "cut off"),
        (with_headers(200, a_map(5), Content_Encoding="gzip"), "."),
        (with_headers(200, b"-5\r\nabc", Transfer_Encoding="chunked"), "."),
        (slow(5, GOOD), "in time|within"),
    ],
)
def test_answers_that_are_no_maps(server: Server, reply: object, message: str) -> None:
    server.paths["/json/5"] = reply
    with pytest.raises((RemoteError, NotFoundError), match=message) as caught:
        quick(server.url, deadline=0.4 if "within" in message else 10).nodeset(5)
    assert "\n" not in str(caught.value)
    assert f"{server.url}/json/5" in str(caught.value)


@pytest.mark.parametrize(
    "reply",
    [
        (200, "image/png", b"<b>Warning</b>: old PHP\n" + a_map(5)),
        chunked(a_map(5)),
        with_headers(200, gzip.compress(a_map(5)), Content_Encoding="gzip"),
    ],
)
def test_ways_to_send_a_map(server: Server, client: AIFdb, reply: object) -> None:
    server.paths["/json/5"] = reply
    assert len(client.nodeset(5)) == 1


def test_sizes_are_bounded_however_they_come(server: Server) -> None:
    server.paths["/json/1"] = (200, "", b" " * (2 << 20))
    server.paths["/json/2"] = endless
    server.paths["/json/3"] = with_headers(200, gzip.compress(b" " * (2 << 20)), Content_Encoding="gzip")
    for number in (1, 2, 3):
        with pytest.raises(LimitError):
            quick(server.url, max_bytes=1 << 20).nodeset(number)
    server.has_map(5)
    assert quick(server.url, max_bytes=len(a_map(5))).nodeset(5)
    with pytest.raises(LimitError):
        quick(server.url, max_bytes=len(a_map(5)) - 1).nodeset(5)


def test_redirects_stay_with_the_hosts_of_the_client(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = with_headers(302, Location="/moved/5")
    server.paths["/moved/5"] = GOOD
    assert len(client.nodeset(5)) == 1
    other = Server()
    try:
        elsewhere = (f"{other.url}/json/6", "//127.0.0.1:1/json/6", "http://user@example.invalid/", "http://[bad")
        for target in (*elsewhere, "file:///etc/passwd", "/json/6"):
            server.paths["/json/6"] = with_headers(302, Location=target)
            with pytest.raises(RemoteError, match="redirect"):
                client.nodeset(6)
        assert not other.requests
        other.paths["/json/6"] = GOOD
        server.paths["/json/6"] = with_headers(302, Location=f"{other.url}/json/6")
        assert len(AIFdb(server.url, other.url, policy=Policy(pause=0)).nodeset(6)) == 1
    finally:
        other.close()


def test_a_redirect_adds_encryption_and_never_takes_it_away() -> None:
    client = AIFdb("http://aifdb.example", "https://corpora.example", "http://text.example")
    for url, location, allowed in (
        ("http://aifdb.example/1", "https://aifdb.example/1", True),
        ("http://aifdb.example/1", "https://text.example/1", True),
        ("http://aifdb.example/1", "https://elsewhere.example/1", False),
        ("http://aifdb.example/1", "https://aifdb.example:444/1", False),
        ("https://corpora.example/1", "http://aifdb.example/1", False),
    ):
        assert (client._allowed(url, location) is not None) == allowed


def test_requests_keep_their_distance(server: Server) -> None:
    client = quick(server.url, pause=0.06)
    for number in (1, 2):
        server.has_map(number)
        client.nodeset(number)
    times = [when for when, _, _ in server.requests]
    assert len(times) == 4
    assert all(later - earlier >= 0.055 for earlier, later in pairwise(times))


@pytest.mark.parametrize("bad", ["", "..", "1/../2", "a?b", "x" * 200, "-1", "1.5", "9" * 40, "١"])
def test_ids_and_names_from_outside(client: AIFdb, server: Server, bad: str) -> None:
    with pytest.raises(OptionError):
        client.nodeset(bad)
    if not bad.isalnum() and bad not in ("-1", "1.5"):
        with pytest.raises(OptionError):
            client.corpus(bad)
    assert not server.requests


def test_lists(server: Server, client: AIFdb) -> None:
    rows = [{"shortname": "US2016", "title": "Debates"}, {"shortname": "araucaria", "title": None}, {"corpusID": 5}, 7]
    server.paths["/list.php"] = (200, "text/html", json.dumps({"corpora": rows}).encode())
    assert [*client.corpora().items()] == [("araucaria", ""), ("US2016", "Debates")]
    server.paths["/X/nodesets"] = (200, "text/html", b'{"nodeSets": [7, "5", 7, "x"]}')
    assert client.corpus("X") == [5, 7]
    server.paths["/list.php"] = server.paths["/X/nodesets"] = (200, "text/html", b"{}")
    for ask in (client.corpora, lambda: client.corpus("X")):
        with pytest.raises(RemoteError):
            ask()
    with pytest.raises(NotFoundError):
        client.corpus("Y")


HEAD = b"HTTP/1.1 200 OK\r\n"
#: What a server says piece by piece: once, and then for ever.
DRIPS: dict[str, tuple[bytes, bytes]] = {
    "a status": (b"HTTP/1.1 2", b"x"),
    "a header": (HEAD + b"X-Slow: ", b"x"),
    "headers without end": (HEAD, b"A: b\r\n"),
    "a body": (HEAD + b"\r\n", b"x"),
    "100 Continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "the size of a chunk": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;", b"x"),
    "a packed body of nothing": (HEAD + b"Content-Encoding: gzip\r\n\r\n", b""),
    "an error": (b"HTTP/1.1 503 Busy\r\nContent-Length: 1000000\r\n\r\n", b"x"),
    "a length that is no number": (HEAD + "Content-Length: ²\r\n\r\nx".encode(), b""),
    "a length of thousands of digits": (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nx", b""),
    "a pause of thousands of digits": (b"HTTP/1.1 429 Busy\r\nRetry-After: " + b"9" * 5000 + b"\r\n\r\nx", b""),
}


@pytest.mark.slow
@pytest.mark.parametrize(("start", "then"), DRIPS.values(), ids=DRIPS)
def test_the_time_of_an_answer_is_bounded_as_a_whole(server: Server, start: bytes, then: bytes) -> None:
    server.paths["/json/5"] = raw(chain([start], repeat(then)), pause=0.05)
    began = time.monotonic()
    with pytest.raises(RemoteError):
        quick(server.url, deadline=0.5, retries=0).nodeset(5)
    assert time.monotonic() - began < 2


def test_an_encrypted_connection_that_is_never_made() -> None:
    def drip() -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            for piece in chain([b"\x16\x03\x03\x01\x00\x02\x00\x00\xfc"], repeat(b"x")):
                connection.sendall(piece)
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, daemon=True).start()
        start = time.monotonic()
        with pytest.raises(RemoteError):
            quick(f"https://127.0.0.1:{listening.getsockname()[1]}", deadline=0.4, retries=0).nodeset(5)
        assert time.monotonic() - start < 2


@pytest.mark.parametrize("url", ["ftp://x", "x", "http://", "http://x:y"])
def test_addresses_from_outside(url: str) -> None:
    with pytest.raises(OptionError):
        AIFdb(url)


def test_the_servers_that_are_asked_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AIFGRAPH_AIFDB_URL", "AIFGRAPH_CORPORA_URL", "AIFGRAPH_TEXT_URL"):
        monkeypatch.delenv(name, raising=False)
    assert AIFdb().text_url == client_module.TEXT_URL
    monkeypatch.setenv("AIFGRAPH_AIFDB_URL", "http://own.example/")
    assert (AIFdb().base_url, AIFdb().text_url) == ("http://own.example", "http://own.example/TXTdb")
    assert AIFdb("http://given.example").base_url == "http://given.example"
