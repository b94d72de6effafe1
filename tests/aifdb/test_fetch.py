"""Downloads of whole corpora: archives, their gaps, interruptions, and the cache."""

from __future__ import annotations

import json
import os
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, cut, gone
from aifgraph.aifdb import AIFdb, fetch_corpus, fetch_nodesets
from aifgraph.aifdb.fetch import STATE
from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, NotFoundError, RemoteError
from documents import zipped

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
    with pytest.raises(NotFoundError):
        fetch_corpus(client, "Y", tmp_path / "y")
    server.paths["/none/nodesets"] = (200, "text/html", b'{"nodeSets": []}')
    with pytest.raises(NotFoundError):
        fetch_corpus(client, "none", tmp_path / "none")
    server.has_corpus("X", IDS)
    for number, reply in zip(IDS, [(404, "", b"")] * 3, strict=True):
        server.paths[f"/json/{number}"] = reply
    with pytest.raises(NotFoundError):
        fetch_corpus(client, "X", tmp_path / "x")
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


def test_a_text_of_another_encoding_is_written_as_utf_8(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_map(3)
    server.paths["/TXTdb/nodeset/3"] = (200, "text/html", "naïve – café".encode("cp1252"))
    fetch_nodesets(client, [3], tmp_path)
    graph = open_corpus(tmp_path)[0].load()
    assert (graph.text, graph.notices) == ("naïve – café", ())


def test_no_notice_of_a_text_that_fetch_wrote(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, zipped(FULL))
    fetch_corpus(client, "X", tmp_path)
    (tmp_path / "nodeset5.json").unlink()  # its text is written first: the download was interrupted here
    corpus = open_corpus(tmp_path)
    assert (corpus.names, corpus.notices) == (("nodeset3", "nodeset8"), ())
    for number in (3, 8):
        (tmp_path / f"nodeset{number}.json").unlink()
    assert not open_corpus(tmp_path).names  # a text is no map


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
    parts: dict[str, list[object]] = {
        "qt30": ["day1", {"shortname": "day2"}, "../etc", "qt30"],
        "day2": ["day2a", "day1"],
    }
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
    corpus = open_corpus("aifdb:X")
    assert corpus.names == ("nodeset3", "nodeset5")
    assert [notice.code for notice in corpus.notices] == ["fetch-404"]
    asked = len(server.asked())
    assert open_corpus("aifdb:X").names == corpus.names
    assert len(server.asked()) == asked
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
