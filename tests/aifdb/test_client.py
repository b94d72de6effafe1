"""The client against a server that behaves well and badly."""

from __future__ import annotations

import gzip
import json
import time
from itertools import pairwise
from typing import Any

import pytest

import aifgraph
from aifdb.loopback import Server, a_map, chunked, cut, endless, slow, with_headers
from aifgraph.aifdb import AIFdb
from aifgraph.aifdb.answers import CorpusInfo
from aifgraph.aifdb.web import RequestPolicy, Web
from aifgraph.errors import LimitError, NotFoundError, OptionError, RemoteError

GOOD = (200, "text/html", a_map(5))


def test_a_map_with_its_text_comes_from_the_cache_the_second_time(server: Server, client: AIFdb) -> None:
    server.has_map(5, '<span class="highlighted" id="node5">Claim 5</span>')
    graph = client.nodeset(5)
    assert graph.propositions[0].text == "Claim 5"
    assert graph.meta.source is not None
    assert server.asked() == ["/json/5", "/TXTdb/nodeset/5"]
    assert client.nodeset("nodeset5") == graph
    assert len(server.asked()) == 2
    client.nodeset(5, refresh=True)
    assert len(server.asked()) == 4
    assert "aifgraph/" in server.headers[0]["User-Agent"]


def test_a_map_by_address(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aifgraph.aifdb.web.time.sleep", lambda seconds: None)
    server.has_map(5)
    assert aifgraph.load("aifdb:5").name == "aifdb:5"


def test_without_a_cache(server: Server) -> None:
    server.has_map(5, "Text")
    client = AIFdb(server.url, server.url, cache=False, pause=0)
    assert client.nodeset(5).meta.source is not None
    client.nodeset(5)
    assert len(server.asked("/json")) == 2
    with pytest.raises(OptionError, match="neither a folder nor a cache"):
        client.corpus("X")


@pytest.mark.parametrize(
    "first",
    [
        (500, "text/html", b"oops"),
        (502, "", b""),
        with_headers(503, Retry_After="0"),
        cut(a_map(5), 20),
        cut(b"x" * 99, 0),
        chunked(a_map(5), whole=False),
    ],
    ids=["500", "502", "503", "cut", "cut at once", "cut between chunks"],
)
def test_what_goes_wrong_once_is_tried_again(server: Server, client: AIFdb, first: object) -> None:
    server.paths["/json/5"] = [first, GOOD]
    assert len(client.nodeset(5)) == 1
    assert server.asked("/json") == ["/json/5", "/json/5"]


@pytest.mark.slow
def test_retry_after_is_obeyed(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = [with_headers(503, Retry_After="1"), GOOD]
    start = time.monotonic()
    client.nodeset(5)
    assert time.monotonic() - start >= 1


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((200, "text/html", b"No such nodeset"), "the server says: No such nodeset"),
        ((200, "text/html", b"<p>No such nodeset</p>"), "No such nodeset"),
        ((200, "text/html", b"Database error near line 1"), "the server says: Database error"),
        (
            (200, "text/html", b"<!DOCTYPE html><html><script>x</script><h1>Down</h1>"),
            "a web page instead of a map: Down",
        ),
        ((200, "application/json", b""), "an empty answer"),
        ((200, "application/json", b'{"nodes": ['), "not JSON"),
        ((200, "application/json", b'{"error": "x"}'), "not a map"),
        ((200, "application/json", b"[]"), "not a map"),
        ((404, "text/html", b"gone"), "answered 404"),
        ((500, "text/html", b"oops"), "answered 500"),
        (cut(a_map(5), 20), r"cut off after \d+"),
        (slow(5, GOOD), "did not answer in time"),
    ],
)
def test_answers_that_are_no_maps(server: Server, client: AIFdb, reply: object, message: str) -> None:
    server.paths["/json/5"] = reply
    client = AIFdb(server.url, server.url, cache=client.cache or False, pause=0, timeout=0.3, retries=1, backoff=0.01)
    with pytest.raises((RemoteError, NotFoundError), match=message) as caught:
        client.nodeset(5)
    assert "\n" not in str(caught.value)
    assert f"{server.url}/json/5" in str(caught.value)
    server.paths["/json/5"] = GOOD  # nothing bad stays in the cache
    assert len(client.nodeset(5)) == 1


def test_json_behind_a_warning_and_under_any_content_type(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = (200, "image/png", b"<b>Warning</b>: old PHP\n" + a_map(5))
    assert len(client.nodeset(5)) == 1


def test_an_answer_in_chunks(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = chunked(a_map(5))
    assert len(client.nodeset(5)) == 1


def test_packed_answers_are_unpacked(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = with_headers(200, gzip.compress(a_map(5)), Content_Encoding="gzip")
    assert len(client.nodeset(5)) == 1


def test_sizes_are_bounded_however_they_come(server: Server) -> None:
    client = AIFdb(server.url, server.url, cache=False, pause=0, max_bytes=1 << 20)
    server.paths["/json/1"] = (200, "", b" " * (2 << 20))
    server.paths["/json/2"] = endless
    server.paths["/json/3"] = with_headers(200, gzip.compress(b" " * (2 << 20)), Content_Encoding="gzip")
    for number in (1, 2, 3):
        with pytest.raises(LimitError, match="larger than 1 MiB"):
            client.nodeset(number)


def test_redirects_stay_with_the_configured_hosts(server: Server, client: AIFdb) -> None:
    server.paths["/json/5"] = with_headers(302, Location="/moved/5")
    server.paths["/moved/5"] = GOOD
    assert len(client.nodeset(5)) == 1
    other = Server()
    try:
        for target in (f"{other.url}/json/6", "//127.0.0.1:1/json/6", "http://user@example.invalid/json/6"):
            server.paths["/json/6"] = with_headers(302, Location=target)
            with pytest.raises(RemoteError, match="another host"):
                client.nodeset(6)
        assert not other.requests
    finally:
        other.close()
    server.paths["/json/7"] = with_headers(302, Location="/json/7")
    with pytest.raises(RemoteError, match="too many redirects"):
        client.nodeset(7)
    server.paths["/json/8"] = with_headers(302, Location="file:///etc/passwd")
    with pytest.raises(RemoteError, match="another host"):
        client.nodeset(8)
    server.paths["/json/9"] = with_headers(302, Location="http://[bad")
    with pytest.raises(RemoteError):
        client.nodeset(9)


def test_a_redirect_to_https_on_the_same_host_is_followed_and_remembered(server: Server) -> None:
    from requests.adapters import HTTPAdapter

    asked: list[str] = []

    class Mapped(HTTPAdapter):
        """Whatever is asked goes to the loopback, under the scheme as its folder."""

        def send(self, request: Any, *args: Any, **more: Any) -> Any:
            asked.append(request.url)
            scheme, _, rest = request.url.partition("://")
            request.url = f"{server.url}/{scheme}/{rest.split('/', 1)[1]}"
            return super().send(request, *args, **more)

    server.paths["/http/json/1"] = with_headers(301, Location="https://aifdb.example/json/1")
    server.paths["/https/json/1"] = server.paths["/https/json/2"] = GOOD
    server.paths["/http/json/3"] = with_headers(301, Location="https://elsewhere.example/json/3")
    web = Web(("http://aifdb.example", "http://other.example"), RequestPolicy(pause=0, retries=0))
    session = web._open()
    for scheme in ("http://", "https://"):
        session.mount(scheme, Mapped())
    web.get("http://aifdb.example/json/1")
    web.get("http://aifdb.example/json/2")
    assert asked == [
        "http://aifdb.example/json/1",
        "https://aifdb.example/json/1",
        "https://aifdb.example/json/2",
    ]
    with pytest.raises(RemoteError, match="another host"):
        web.get("http://other.example/json/3")
    web.close()


def test_nobody_there(client: AIFdb, server: Server) -> None:
    gone = AIFdb("http://127.0.0.1:9", server.url, cache=False, pause=0, retries=0)
    with pytest.raises(RemoteError, match="no connection to the server"):
        gone.nodeset(5)


def test_requests_keep_their_distance(server: Server) -> None:
    client = AIFdb(server.url, server.url, cache=False, pause=0.15)
    for number in (1, 2):
        server.has_map(number)
        client.nodeset(number)
    times = [when for when, _, _ in server.requests]
    assert len(times) == 4
    assert all(later - earlier >= 0.14 for earlier, later in pairwise(times))
    assert server.most_together == 1


@pytest.mark.parametrize("bad", ["", "x", "1/../2", "-1", "1.5", "9" * 40, "١"])
def test_ids_from_outside(client: AIFdb, server: Server, bad: str) -> None:
    with pytest.raises(OptionError, match="not a map id"):
        client.nodeset(bad)
    assert not server.requests


@pytest.mark.parametrize("bad", ["", "..", "a/b", "../x", "a?b", "x" * 200])
def test_names_from_outside(client: AIFdb, server: Server, bad: str) -> None:
    with pytest.raises(OptionError, match="not the short name"):
        client.nodesets(bad)
    assert not server.requests


@pytest.mark.parametrize(
    "option", [{"pause": -1}, {"timeout": 0}, {"retries": -1}, {"base_url": "ftp://x"}, {"wait": 1}]
)
def test_options_out_of_range(option: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        AIFdb(**option)


def test_the_list_of_corpora(server: Server, client: AIFdb) -> None:
    rows = [
        {"corpusID": 3, "shortname": "US2016", "title": "Debates", "locked": "1"},
        {"corpusID": "4", "shortname": "araucaria", "title": None, "locked": "0"},
        {"corpusID": 5},
    ]
    server.paths["/list.php"] = (200, "text/html", json.dumps({"corpora": rows}).encode())
    assert client.corpora() == [CorpusInfo("araucaria", "", "4"), CorpusInfo("US2016", "Debates", "3", True)]
    server.paths["/list.php"] = (200, "text/html", b"{}")
    with pytest.raises(RemoteError, match="lists no corpora"):
        client.corpora()


def test_map_ids_from_the_list_or_from_the_page(server: Server, client: AIFdb) -> None:
    server.paths["/X/nodesets"] = (200, "text/html", b'{"nodeSets": [7, "5", 7]}')
    assert client.nodesets("X") == [5, 7]
    server.paths["/X/nodesets"] = (404, "text/html", b"")
    server.paths["/X"] = (200, "text/html", b'<html><script>var nsIDs = [12, "3"];</script></html>')
    assert client.nodesets("X") == [3, 12]
    server.paths["/X"] = (200, "text/html", b"<html>no ids</html>")
    with pytest.raises(NotFoundError, match="answered 404"):
        client.nodesets("X")


def test_texts(server: Server, client: AIFdb) -> None:
    server.has_map(1, "A text.<br>More")
    server.has_map(2)
    assert client.text(1) == "A text.<br>More"
    assert client.text(2) is None
    assert client.text(3) is None  # 404
    server.paths["/TXTdb/nodeset/4"] = (200, "text/html", b"<!doctype html><html>Login</html>")
    with pytest.raises(RemoteError, match="a web page instead of a text"):
        client.text(4)
