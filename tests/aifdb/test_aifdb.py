"""The client against servers that behave well and badly; downloads of whole corpora, and the cache."""

import base64
import email.utils
import gzip
import json
import os
import socket
import threading
import time
from contextlib import nullcontext, suppress
from http.server import BaseHTTPRequestHandler
from itertools import chain, pairwise, repeat
from pathlib import Path
from typing import Any

import pytest
import requests

from aifdb.loopback import Server, a_map, chunked, cut, endless, gone, raw, slow, with_headers
from aifgraph.aifdb import AIFdb, Policy, fetch_corpus, fetch_nodesets
from aifgraph.aifdb import client as client_module
from aifgraph.aifdb.fetch import STATE
from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.corpus.corpus import load_map
from aifgraph.errors import InputError, LimitError, NotFoundError, OptionError, RemoteError
from documents import zipped

GOOD = (200, "text/html", a_map(5))


def quick(url: str, **policy: Any) -> AIFdb:
    return AIFdb(url, url, policy=Policy(**{"pause": 0, "backoff": 0.01, "retries": 1, **policy}))


def test_a_user_without_a_home(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: object) -> None:
        raise KeyError

    for name in ("AIFGRAPH_CACHE", "XDG_CACHE_HOME", "HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    assert main(["show", "aifdb:5"]) == 2


def test_a_map_with_its_text(server: Server, client: AIFdb) -> None:
    server.has_map(5, '<span class="highlighted" id="node5">Claim 5</span>')
    graph = client.nodeset(5)
    assert (graph.name, graph.propositions[0].text) == ("aifdb:5", "Claim 5")
    assert graph.meta.source is not None
    assert client.nodeset("nodeset5") == graph
    assert server.asked() == ["/json/5", "/TXTdb/nodeset/5"] * 2
    assert "aifgraph/" in server.headers[0]["User-Agent"]
    server.paths["/TXTdb/nodeset/5"] = (500, "", b"")  # another server, which may have gone
    assert client.nodeset(5).meta.source is None


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
    assert [round(wait, 1) for wait in waits if wait] == [2.0, 0.5, 1.0, 2.0]


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
        quick(server.url, deadline=0.4 if "within" in message else 3).nodeset(5)
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
def test_ways_to_send_a_map(server: Server, client: AIFdb, tmp_path: Path, reply: object) -> None:
    server.paths["/json/5"] = reply
    server.paths["/TXTdb/nodeset/5"] = (200, "text/html", "naïve – café".encode("cp1252"))  # written as UTF-8
    fetch_nodesets(client, [5], tmp_path)
    graph = open_corpus(tmp_path)[0].load()
    assert (len(graph), graph.text, graph.notices) == (1, "naïve – café", ())


def test_sizes_are_bounded_however_they_come(server: Server) -> None:
    blanks, size = b" " * (2 << 20), len(a_map(5))
    server.paths["/json/1"] = (200, "", blanks)
    server.paths["/json/2"] = endless
    server.paths["/json/3"] = with_headers(200, gzip.compress(blanks), Content_Encoding="gzip")
    server.has_map(5)
    for number, bound in ((1, 1 << 20), (2, 1 << 20), (3, 1 << 20), (5, size - 1)):
        with pytest.raises(LimitError):
            quick(server.url, max_bytes=bound).nodeset(number)
    assert quick(server.url, max_bytes=size).nodeset(5)


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
        response = requests.Response()
        response.url, response.status_code = url, 302
        response.headers["Location"] = location
        with nullcontext() if allowed else pytest.raises(RemoteError):
            assert client._session.get_redirect_target(response) == location


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


def fails_within(url: str, deadline: float) -> None:
    began = time.monotonic()
    with pytest.raises(RemoteError):
        quick(url, deadline=deadline, retries=0).nodeset(5)
    assert time.monotonic() - began < 2


@pytest.mark.slow
@pytest.mark.parametrize(("start", "then"), DRIPS.values(), ids=DRIPS)
def test_the_time_of_an_answer_is_bounded_as_a_whole(server: Server, start: bytes, then: bytes) -> None:
    server.paths["/json/5"] = raw(chain([start], repeat(then)), pause=0.05)
    fails_within(server.url, 0.5)


def test_an_encrypted_connection_that_is_never_made() -> None:
    def drip() -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            for piece in chain([b"\x16\x03\x03\x01\x00\x02\x00\x00\xfc"], repeat(b"x")):
                connection.sendall(piece)
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, daemon=True).start()
        fails_within(f"https://127.0.0.1:{listening.getsockname()[1]}", 0.4)


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


IDS = [3, 5, 8]
FULL = {f"sub/nodeset{number}.json": a_map(number) for number in IDS} | {"sub/nodeset5.txt": b"Its text"}


def test_a_corpus_from_its_archive(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    done = fetch_corpus(client, "X", tmp_path / "x")
    assert (done.here, done.new, done.notices) == (3, 3, [])
    assert server.asked() == ["/X/nodesets", "/zip/X/download"]
    corpus = open_corpus(tmp_path / "x")
    assert corpus.names == ("nodeset3", "nodeset5", "nodeset8")
    assert [entry.load().propositions[0].text for entry in corpus] == ["Claim 3", "Claim 5", "Claim 8"]
    assert corpus["nodeset5"].load().meta.source is not None
    assert not corpus.notices
    names = ["nodeset3.json", "nodeset5.json", "nodeset5.txt", "nodeset8.json"]
    assert sorted(os.listdir(tmp_path / "x")) == [STATE, *names]
    again = fetch_corpus(client, "X", tmp_path / "x")
    assert (again.here, again.new, len(server.asked())) == (3, 0, 2)
    (tmp_path / "x" / "nodeset5.json").unlink()
    assert fetch_corpus(client, "X", tmp_path / "x").new == 1
    assert server.asked("/json") == ["/json/5"]


@pytest.mark.parametrize(
    "archive",
    [
        (200, "application/zip", b""),
        (200, "text/html", b"<html>Sorry</html>"),
        (200, "application/zip", zipped({})),
        (200, "application/zip", zipped(FULL)[:-30]),
        (200, "application/zip", zipped(FULL | {"sub/nodeset5.json": b"", "sub/nodeset8.json": b"No such nodeset"})),
        (200, "application/zip", zipped({"nodeset3.json": a_map(3), "nodeset99.json": a_map(99)})),
        (200, "application/zip", zipped({"../nodeset3.json": a_map(3), "/nodeset5.json": a_map(5)})),
        (200, "application/zip", zipped({f"nodeset{n}.json": b"" for n in IDS})),
        (200, "application/zip", zipped({"nodeset3.json": b" " * (64 << 20)})),
        (200, "application/zip", bytes(zipped(FULL)[:60]) + b"\xff" * 9 + zipped(FULL)[69:]),
        (404, "text/html", b""),
        (500, "text/html", b""),
    ],
)
def test_what_an_archive_lacks_is_asked_for_map_by_map(
    server: Server, client: AIFdb, tmp_path: Path, archive: object
) -> None:
    server.has_corpus("X", IDS)
    server.paths["/zip/X/download"] = archive
    done = fetch_corpus(client, "X", tmp_path / "x")
    assert (done.here, done.failed) == (3, {})
    assert all("\n" not in str(notice) for notice in done.notices)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert {path.stem for path in (tmp_path / "x").glob("nodeset*")} == {f"nodeset{number}" for number in IDS}


def test_failures_are_listed_and_tried_again_next_time(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", [*IDS, 9])
    server.paths["/json/5"] = (200, "text/html", b"No such nodeset")
    server.paths["/json/8"] = (500, "text/html", b"")
    seen: list[tuple[int, int]] = []
    done = fetch_corpus(client, "X", tmp_path, progress=lambda *step: seen.append(step))
    assert (done.here, done.not_found, [*done.failed]) == (2, [5], [8])
    assert [notice.code for notice in done.notices][:2] == ["fetch-failed", "fetch-404"]
    assert seen == [(number, 4) for number in (1, 2, 3, 4)]
    server.has_map(5)
    server.has_map(8)
    before = len(server.asked())
    assert fetch_corpus(client, "X", tmp_path).new == 1
    assert server.asked()[before:] == ["/json/8", "/TXTdb/nodeset/8"]  # what the server does not have is remembered
    assert fetch_corpus(client, "X", tmp_path, refresh=True).here == 4


def test_a_server_that_goes_away_ends_the_download(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ids = list(range(1, 9))
    server.has_corpus("X", ids)
    for number in range(3, 9):
        server.paths[f"/json/{number}"] = gone
    with pytest.raises(RemoteError, match="2 of 8 maps are here"):
        fetch_corpus(client, "X", tmp_path)
    assert len(set(server.asked("/json"))) == 5
    for number in ids:
        server.has_map(number)
    assert fetch_corpus(client, "X", tmp_path).new == 6


def test_folders_of_others(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    fetch_corpus(client, "X", tmp_path)
    with pytest.raises(InputError):
        fetch_corpus(client, "Y", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        fetch_corpus(client, "X", tmp_path / "file")
    for broken in ("", "[]", '{"corpus": "X"}', '{"corpus": "X", "ids": ["x"], "not_found": [], "no_text": []}'):
        (tmp_path / STATE).write_text(broken)
        assert fetch_corpus(client, "X", tmp_path).here == 3  # it is asked for again


def test_nothing_at_all(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.paths["/none/nodesets"] = (200, "text/html", b'{"nodeSets": []}')
    server.has_corpus("X", IDS)
    server.paths |= {f"/json/{number}": (404, "", b"") for number in IDS}
    for name in ("Y", "none", "X"):
        with pytest.raises(NotFoundError):
            fetch_corpus(client, name, tmp_path / name)
    server.paths["/json/77"] = cut(a_map(77), 9)
    with pytest.raises(RemoteError):
        fetch_nodesets(client, [77], tmp_path / "maps")


def test_a_corpus_of_which_no_map_came_says_the_answer_of_the_server(
    server: Server, client: AIFdb, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.has_corpus("X", IDS)
    for number in IDS:
        server.paths[f"/json/{number}"] = (200, "text/html", b"Database is down")
    with pytest.raises(RemoteError, match="Database is down"):
        fetch_corpus(client, "X", tmp_path / "x")
    for source in ("aifdb:X", tmp_path / "x"):
        with pytest.raises(RemoteError, match="Database is down"):
            open_corpus(source)
    assert main(["show", str(tmp_path / "x")]) == 2
    assert "Database is down" in capsys.readouterr().err
    server.has_corpus("X", IDS, zipped(FULL))
    assert fetch_corpus(client, "X", tmp_path / "x").here == 3
    assert len(open_corpus(tmp_path / "x")) == 3


def test_no_notice_of_a_text_that_fetch_wrote(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    fetch_corpus(client, "X", tmp_path)
    (tmp_path / "nodeset5.json").unlink()  # its text is written first: the download was interrupted here
    corpus = open_corpus(tmp_path)
    assert (corpus.names, corpus.notices) == (("nodeset3", "nodeset8"), ())


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        *("show X", "check X", "check X --fix out", "convert X out", "query X schemes", "differences X Y"),
        *("compare X Y", "compare X Y --format html -o out", "merge X Y -o out", "evaluate X Y", "agreement X Y"),
    ],
)
def test_every_command_takes_a_corpus_of_aifdb(server: Server, tmp_path: Path, command: str) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    server.has_corpus("Y", IDS, zipped(FULL))
    words = {"X": "aifdb:X", "Y": "aifdb:Y", "out": str(tmp_path / "out")}
    assert main([words.get(word, word) for word in command.split()]) == 0


def test_a_corpus_of_parts(server: Server, client: AIFdb, tmp_path: Path) -> None:
    parts = {"qt30": ["day1", {"shortname": "day2"}, "../etc", "qt30"], "day2": ["day2a", "day1"]}
    for name in parts:
        server.paths[f"/{name}/nodesets"] = (200, "text/html", b'{"nodeSets": []}')

    def subcorpora(handler: BaseHTTPRequestHandler) -> tuple[int, str, bytes]:
        return 200, "text/html", json.dumps({"subcorpora": parts.get(handler.path.rsplit("=", 1)[-1], 7)}).encode()

    server.paths["/api/getCorpusSubcorpora.php"] = subcorpora
    server.has_corpus("day1", [1, 2])
    server.has_corpus("day2a", [2, 3])
    assert client.corpus("qt30") == [1, 2, 3]
    assert fetch_corpus(client, "qt30", tmp_path).new == 3


def test_addresses_of_corpora(server: Server) -> None:
    server.has_corpus("X", IDS, zipped(FULL | {"sub/nodeset8.json": b""}))
    server.paths["/json/8"] = (200, "text/html", b"No such nodeset")
    asked = []
    for _ in range(2):
        corpus = open_corpus("aifdb:X")
        assert corpus.names == ("nodeset3", "nodeset5")
        assert [notice.code for notice in corpus.notices] == ["fetch-404"]
        asked.append(len(server.asked()))
    assert asked[0] == asked[1]
    assert main(["compare", "aifdb:X", "aifdb:X"]) == 0


def test_the_command(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    server.paths["/list.php"] = (200, "text/html", b'{"corpora": [{"shortname": "X", "title": "Some"}]}')
    assert main(["fetch", "3", "nodeset5", "--pause", "0", "-o", str(tmp_path / "maps")]) == 0
    assert (tmp_path / "maps" / "nodeset5.json").read_bytes() == a_map(5)
    assert main(["fetch", "X", "--pause", "0", "-o", str(tmp_path / "x")]) == 0
    assert "3 of 3 maps" in capsys.readouterr().err
    assert main(["fetch", "--list"]) == 0
    assert "Some" in capsys.readouterr().out
    assert main(["fetch", "77", "--pause", "0", "-o", str(tmp_path / "other")]) == 2
    assert main(["fetch", "Nope", "--pause", "0", "-o", str(tmp_path / "nope")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_text_of_the_user_stays_and_that_of_a_former_map_goes(server: Server, client: AIFdb, tmp_path: Path) -> None:
    text = tmp_path / "nodeset5.txt"
    text.write_text("mine", "utf-8")
    archive = zipped(
        {
            f"nodeset{n}{suffix}": content
            for n in (5, 6)
            for suffix, content in ((".json", a_map(n)), (".txt", "archive"))
        }
    )
    server.has_corpus("X", [5, 6], archive)
    server.has_map(5, "of the server")
    fetch_nodesets(client, [5], tmp_path)
    assert text.read_text("utf-8") == "mine"
    (tmp_path / "nodeset5.json").unlink()
    fetch_corpus(client, "X", tmp_path)
    assert (text.read_text("utf-8"), (tmp_path / "nodeset6.txt").read_text("utf-8")) == ("mine", "archive")
    server.paths["/TXTdb/nodeset/5"] = gone
    assert fetch_nodesets(client, [5], tmp_path, refresh=True).failed
    assert text.exists()
    server.has_map(5)  # without a text
    fetch_nodesets(client, [5], tmp_path, refresh=True)
    assert not text.exists()


def test_a_text_that_the_user_writes_where_none_could_be_had_stays(
    server: Server, client: AIFdb, tmp_path: Path
) -> None:
    server.has_map(5)
    server.paths["/TXTdb/nodeset/5"] = (403, "text/html", b"")
    assert [*fetch_nodesets(client, [5], tmp_path).no_text] == [5]
    (tmp_path / "nodeset5.txt").write_text("mine", "utf-8")
    server.has_map(5, "of the server")
    assert not fetch_nodesets(client, [5], tmp_path).no_text
    assert (tmp_path / "nodeset5.txt").read_text("utf-8") == "mine"


@pytest.mark.parametrize("broken", [b'{"nodes": [5], "edges": []}', a_map(5).replace(b"Claim", b"caf\xe9")])
def test_a_map_that_cannot_be_read_is_not_kept(server: Server, client: AIFdb, tmp_path: Path, broken: bytes) -> None:
    server.has_corpus("X", [5, 6], zipped({"nodeset5.json": broken, "nodeset6.json": a_map(6)}))
    server.paths["/json/5"] = (200, "text/html", broken)
    assert [*fetch_corpus(client, "X", tmp_path).failed] == [5]
    server.has_map(5)
    assert fetch_corpus(client, "X", tmp_path).here == 2


def test_refresh_takes_what_has_changed_and_keeps_what_cannot_be_had(
    server: Server, client: AIFdb, tmp_path: Path
) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    fetch_corpus(client, "X", tmp_path)
    changed = a_map(3).replace(b"Claim 3", b"Claim three")
    server.has_corpus("X", [3, 5, 9], zipped(FULL | {"sub/nodeset3.json": changed, "sub/nodeset5.json": b""}))
    server.paths["/json/5"] = (200, "text/html", b"<html>down</html>")
    newer = fetch_corpus(client, "X", tmp_path, refresh=True)
    assert [*newer.failed] == [5]
    texts = [entry.load().propositions[0].text for entry in open_corpus(tmp_path)]
    assert texts == ["Claim three", "Claim 5", "Claim 8", "Claim 9"]


def test_a_text_that_failed_is_said_and_asked_for_again(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS)
    down = {number: server.paths[f"/TXTdb/nodeset/{number}"] for number in IDS}
    server.paths.update((f"/TXTdb/nodeset/{number}", (500, "", b"")) for number in IDS)
    for _ in range(2):
        assert [notice.code for notice in load_map("aifdb:5").notices] == ["fetch-text"]
        assert [*fetch_nodesets(client, [5], tmp_path / "m").no_text] == [5]
        assert [*fetch_corpus(client, "X", tmp_path / "x").no_text] == IDS
        assert "fetch-text" in [notice.code for notice in open_corpus("aifdb:X").notices]
        assert [notice.code for notice in client.nodeset(5).notices] == ["fetch-text"]
    server.paths.update((f"/TXTdb/nodeset/{number}", (200, "", b"Its text.")) for number in down)
    graphs = [load_map("aifdb:5"), client.nodeset(5), open_corpus("aifdb:X")["nodeset5"].load()]
    assert not fetch_nodesets(client, [5], tmp_path / "m").no_text
    assert not fetch_corpus(client, "X", tmp_path / "x").no_text
    graphs += [open_corpus(tmp_path / folder)["nodeset5"].load() for folder in ("m", "x")]
    assert [(graph.text, graph.notices) for graph in graphs] == [("Its text.", ())] * 5
    asked = len(server.asked())
    load_map("aifdb:5")
    fetch_corpus(client, "X", tmp_path / "x")
    assert len(server.asked()) == asked


def test_servers_under_one_host_share_no_cache(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.has_map(5)
    server.paths["/other/json/5"] = (200, "", a_map(5).replace(b"Claim", b"Point"))
    graph = load_map("aifdb:5")
    assert (graph.name, graph.propositions[0].text) == ("aifdb:5", "Claim 5")
    monkeypatch.setenv("AIFGRAPH_AIFDB_URL", f"{server.url}/other")
    assert load_map("aifdb:5").propositions[0].text == "Point 5"
    monkeypatch.setenv("AIFGRAPH_TEXT_URL", f"{server.url}/texts")
    server.paths["/texts/nodeset/5"] = (200, "", b"Its text.")
    assert load_map("aifdb:5").text == "Its text."


def test_passwords_are_sent_and_shown_nowhere(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = server.url.replace("//", "//ann:s%40cret@")
    server.has_map(5)
    assert len(AIFdb(secret, server.url).nodeset(5)) == 1
    assert base64.b64decode(server.headers[0]["Authorization"].split()[1]) == b"ann:s@cret"
    monkeypatch.setenv("AIFGRAPH_AIFDB_URL", secret)
    monkeypatch.setenv("AIFGRAPH_CORPORA_URL", secret)
    server.has_corpus("X", [7])
    server.paths["/json/7"] = (200, "text/html", b"Database is down")
    for words in (["show", "aifdb:7"], ["fetch", "X", "--pause", "0", "-o", str(tmp_path / "x")], ["show", "aifdb:X"]):
        assert main(words) == 2
    monkeypatch.setenv("AIFGRAPH_AIFDB_URL", "http://ann:s%40cret@")
    assert main(["show", "aifdb:7"]) == 2
    shown = capsys.readouterr().err + "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "cret" not in shown
    assert not [path for path in tmp_path.rglob("*") if "cret" in path.name]
