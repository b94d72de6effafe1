"""Downloads of whole corpora: archives, their gaps, interruptions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, a_zip, cut, slow, without
from aifgraph.aifdb import AIFdb
from aifgraph.aifdb.download import fetch_corpus, fetch_nodesets
from aifgraph.aifdb.manifest import Manifest
from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, NotFoundError, RemoteError
from aifgraph.files import MANIFEST, MAPS

IDS = [3, 5, 8]
FULL = {f"sub/nodeset{number}.json": a_map(number) for number in IDS} | {"sub/nodeset5.txt": b"Its text"}


def test_a_corpus_from_its_archive(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, a_zip(FULL))
    corpus = client.corpus("X", tmp_path / "x")
    assert corpus.names == ("nodeset3", "nodeset5", "nodeset8")
    assert [entry.load().propositions[0].text for entry in corpus] == ["Claim 3", "Claim 5", "Claim 8"]
    assert corpus["nodeset5"].load().meta.source is not None
    assert server.asked() == ["/X/nodesets", "/zip/X/download"]
    assert not corpus.notices
    assert sorted(os.listdir(tmp_path / "x")) == [MANIFEST, MAPS]
    with zipfile.ZipFile(tmp_path / "x" / MAPS) as archive:
        assert archive.namelist() == ["nodeset3.json", "nodeset5.txt", "nodeset5.json", "nodeset8.json"]
    entries = [json.loads(line) for line in (tmp_path / "x" / MANIFEST).read_text().splitlines()]
    assert [entry["state"] for entry in entries] == ["list", "done", "done", "done", "done", "archive", "complete"]
    assert entries[1]["url"] == f"{server.url}/zip/X/download#sub/nodeset3.json"
    assert len(entries[1]["sha256"]) == 64
    assert entries[1]["bytes"] == len(a_map(3))


def test_a_finished_download_is_checked_without_the_network(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, a_zip(FULL))
    fetch_corpus(client, "X", tmp_path)
    asked = len(server.asked())
    again = fetch_corpus(client, "X", tmp_path)
    assert (again.here, again.new, len(server.asked())) == (3, 0, asked)
    (tmp_path / "nodeset5.json").write_text("{}")  # damaged since
    without(tmp_path / MAPS, "nodeset8.json")
    mended = fetch_corpus(client, "X", tmp_path)
    assert (mended.here, mended.new) == (3, 2)
    assert server.asked()[asked:] == ["/json/5", "/json/8", "/TXTdb/nodeset/8"]  # the text of 5 is still there
    assert (tmp_path / "nodeset5.json").read_bytes() == a_map(5)


def test_what_the_archive_lacks_is_asked_for_map_by_map(server: Server, client: AIFdb, tmp_path: Path) -> None:
    holes = FULL | {"sub/nodeset5.json": b"", "sub/nodeset8.json": b"No such nodeset", "nodeset99.json": a_map(99)}
    server.has_corpus("X", IDS, a_zip(holes))
    fetched = fetch_corpus(client, "X", tmp_path)
    assert (fetched.here, fetched.new, fetched.failed) == (3, 3, [])
    assert server.asked("/json") == ["/json/5", "/json/8"]
    assert "2 maps in the archive are empty or damaged" in fetched.remarks[0]
    assert not (tmp_path / "nodeset99.json").exists()  # the list does not have it


@pytest.mark.parametrize(
    "archive",
    [
        (200, "application/zip", b""),
        (200, "text/html", b"<html>Sorry</html>"),
        (200, "application/zip", a_zip({})),
        (200, "application/zip", a_zip(FULL)[:-30]),
        (200, "application/zip", a_zip({f"nodeset{n}.json": b"" for n in IDS})),
        (500, "text/html", b""),
        cut(a_zip(FULL), 100),
    ],
    ids=["nothing", "html", "no members", "cut zip", "empty members", "500", "cut on the way"],
)
def test_without_a_usable_archive(server: Server, client: AIFdb, tmp_path: Path, archive: object) -> None:
    server.has_corpus("X", IDS)
    server.paths["/zip/X/download"] = archive
    fetched = fetch_corpus(client, "X", tmp_path)
    assert (fetched.here, fetched.failed) == (3, [])
    assert len(open_corpus(tmp_path)) == 3
    assert all("\n" not in remark and ".part" not in remark for remark in fetched.remarks)
    assert not list(tmp_path.glob(".archive*"))


def test_without_a_list_the_archive_says_what_there_is(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.paths["/zip/X/download"] = (200, "application/zip", a_zip(FULL))
    assert fetch_corpus(client, "X", tmp_path).here == 3
    with pytest.raises(NotFoundError, match="no corpus Y"):
        fetch_corpus(client, "Y", tmp_path / "y")


def test_failures_are_listed_and_tried_again_next_time(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", [*IDS, 9])
    server.paths["/json/5"] = (200, "text/html", b"No such nodeset")
    server.paths["/json/8"] = (500, "text/html", b"")
    corpus = client.corpus("X", tmp_path)
    assert corpus.names == ("nodeset3", "nodeset9")
    failed = [str(notice) for notice in corpus.notices if notice.code == "fetch-failed"]
    assert "No such nodeset" in failed[0]
    assert "answered 500" in failed[1]
    assert not Manifest(tmp_path).complete
    server.has_map(5)
    server.has_map(8)
    before = len(server.asked())
    assert fetch_corpus(client, "X", tmp_path).new == 2
    assert server.asked()[before:] == ["/json/5", "/TXTdb/nodeset/5", "/json/8", "/TXTdb/nodeset/8"]
    assert Manifest(tmp_path).complete


def test_a_server_that_goes_away_ends_the_download(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ids = list(range(1, 9))
    server.has_corpus("X", ids)

    def die(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        raise ConnectionResetError

    for number in range(3, 9):
        server.paths[f"/json/{number}"] = die
    with pytest.raises(RemoteError, match="3 maps in a row could not be asked for; 2 of 8 are here"):
        fetch_corpus(client, "X", tmp_path)
    for number in ids:
        server.has_map(number)
    assert fetch_corpus(client, "X", tmp_path).new == 6


@pytest.mark.slow
def test_killed_in_mid_download_and_resumed(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ids = list(range(1, 13))
    server.has_corpus("X", ids)
    for number in ids:
        server.paths[f"/json/{number}"] = slow(0.1, (200, "text/html", a_map(number)))
    command = [sys.executable, "-m", "aifgraph", "fetch", "X", "-o", str(tmp_path / "x")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while len(server.asked("/json")) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    asked = set(server.asked("/json"))
    assert 5 <= len(asked) < 12
    done = {name for name in Manifest(tmp_path / "x").files if name.endswith(".json")}
    assert 4 <= len(done) < 12
    for name in done:
        json.loads((tmp_path / "x" / name).read_text())
    # What a kill between two bytes leaves: half a line, and half a file under another name.
    with (tmp_path / "x" / MANIFEST).open("ab") as file:
        file.write(b'{"file": "nodeset11.json", "sta')
    (tmp_path / "x" / ".nodeset11.json.abc.part").write_text("{")
    server.requests.clear()
    fetched = fetch_corpus(client, "X", tmp_path / "x")
    assert (fetched.here, fetched.new) == (12, 12 - len(done))
    assert len(server.asked("/json")) == 12 - len(done)
    assert not server.asked("/X")  # the list was known
    assert not list((tmp_path / "x").glob("*.part"))
    assert len(open_corpus(tmp_path / "x")) == 12
    server.requests.clear()
    assert fetch_corpus(client, "X", tmp_path / "x").new == 0
    assert not server.requests


def test_folders_of_others(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS, a_zip(FULL))
    fetch_corpus(client, "X", tmp_path)
    with pytest.raises(InputError, match="holds the corpus X"):
        fetch_corpus(client, "Y", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        fetch_corpus(client, "X", tmp_path / "file")


def test_an_archive_that_wants_out(server: Server, client: AIFdb, tmp_path: Path) -> None:
    evil = {"../nodeset3.json": a_map(3), "/etc/nodeset5.json": a_map(5), "nodeset8.json": a_map(8)}
    server.has_corpus("X", IDS, a_zip(evil))
    assert fetch_corpus(client, "X", tmp_path / "x").here == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x"]
    assert server.asked("/json") == ["/json/3", "/json/5", "/json/8"]  # nothing of such an archive is taken


def test_progress_counts_every_map(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_corpus("X", IDS)
    server.paths["/json/8"] = (200, "text/html", b"No such nodeset")  # the end is reached although one fails
    seen: list[tuple[int, int]] = []
    fetch_corpus(client, "X", tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_corpora_by_address(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aifgraph.aifdb.web.time.sleep", lambda seconds: None)
    server.has_corpus("X", IDS, a_zip(FULL))
    assert len(open_corpus("aifdb:X")) == 3
    asked = len(server.asked())
    assert not open_corpus("aifdb:X").notices
    assert open_corpus("aifdb:X").names == ("nodeset3", "nodeset5", "nodeset8")
    assert len(server.asked()) == asked


def test_a_corpus_by_address_says_what_is_missing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aifgraph.aifdb.web.time.sleep", lambda seconds: None)
    server.has_corpus("X", IDS)
    server.paths["/json/5"] = (200, "text/html", b"No such nodeset")
    corpus = open_corpus("aifdb:X")
    assert len(corpus) == 2
    assert any("nodeset5.json" in str(notice) for notice in corpus.notices)


def test_texts_that_cannot_be_had_are_no_failure(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.has_map(5)
    server.paths["/TXTdb/nodeset/5"] = (500, "text/html", b"")
    fetched = fetch_nodesets(client, [5], tmp_path)
    assert (fetched.here, fetched.failed) == (1, [])
    assert "answered 500" in fetched.remarks[0]


def test_a_text_service_that_fails_is_given_up_after_three_maps(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ids = list(range(1, 11))
    for number in ids:
        server.has_map(number)
        server.paths[f"/TXTdb/nodeset/{number}"] = (500, "text/html", b"")
    fetched = fetch_nodesets(client, ids, tmp_path)
    assert (fetched.here, fetched.failed) == (10, [])
    assert {path.split("/")[-1] for path in server.asked("/TXTdb")} == {"1", "2", "3"}
    assert "no more texts in this run" in fetched.remarks[-1]


def test_a_text_service_that_fails_now_and_then_is_asked_on(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ids = list(range(1, 9))
    for number in ids:
        server.has_map(number, "A text.")
        if number % 3:
            server.paths[f"/TXTdb/nodeset/{number}"] = (500, "text/html", b"")
    fetch_nodesets(client, ids, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.txt")) == ["nodeset3.txt", "nodeset6.txt"]


def empty_with_parts(server: Server, name: str, parts: list[object]) -> None:
    server.paths[f"/{name}/nodesets"] = (200, "text/html", b'{"nodeSets": []}')
    lists: dict[str, list[object]] = getattr(server, "parts", {})
    lists[name] = parts
    server.parts = lists

    def behave(handler: BaseHTTPRequestHandler) -> tuple[int, str, bytes]:
        asked = handler.path.rsplit("=", 1)[-1]
        return 200, "text/html", json.dumps({"subcorpora": lists.get(asked, [])}).encode()

    server.paths["/api/getCorpusSubcorpora.php"] = behave


@pytest.mark.slow
def test_an_empty_corpus_is_fetched_from_its_parts(server: Server, client: AIFdb, tmp_path: Path) -> None:
    empty_with_parts(server, "qt30", ["day1", {"shortname": "day2"}, "../etc", "qt30"])
    empty_with_parts(server, "day2", ["day2a", "day1"])
    server.has_corpus("day1", [1, 2], a_zip({f"nodeset{n}.json": a_map(n) for n in (1, 2)}))
    server.has_corpus("day2a", [2, 3], a_zip({"nodeset3.json": a_map(3)}))
    assert client.subcorpora("qt30") == ["day1", "day2", "qt30"]
    assert client.nodesets("qt30") == [1, 2, 3]
    fetched = fetch_corpus(client, "qt30", tmp_path)
    assert (fetched.here, fetched.new, fetched.failed) == (3, 3, [])
    assert server.asked("/zip") == ["/zip/day1/download", "/zip/day2a/download"]
    assert not server.asked("/json")
    asked = len(server.asked())
    assert fetch_corpus(client, "qt30", tmp_path).here == 3
    assert len(server.asked()) == asked


def test_an_empty_corpus_without_parts_is_said(server: Server, client: AIFdb, tmp_path: Path) -> None:
    server.paths["/none/nodesets"] = (200, "text/html", b'{"nodeSets": []}')
    with pytest.raises(NotFoundError, match="none has no maps"):
        fetch_corpus(client, "none", tmp_path)


def test_the_command(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aifgraph.aifdb.web.time.sleep", lambda seconds: None)
    server.has_corpus("X", IDS, a_zip(FULL))
    rows = {"corpora": [{"shortname": "X", "title": "Some", "corpusID": 1}]}
    server.paths["/list.php"] = (200, "text/html", json.dumps(rows).encode())
    assert main(["fetch", "3", "nodeset5", "-o", str(tmp_path / "maps")]) == 0
    assert "1 of 1 maps, 1 new" in capsys.readouterr().err
    assert (tmp_path / "maps" / "nodeset5.json").read_bytes() == a_map(5)
    assert main(["fetch", "X", "-o", str(tmp_path / "x")]) == 0
    assert "3 of 3 maps" in capsys.readouterr().err
    assert main(["fetch", "--list"]) == 0
    assert "Some" in capsys.readouterr().out
    assert main(["fetch", "77", "-o", str(tmp_path / "other")]) == 2
    assert main(["fetch", "Nope", "-o", str(tmp_path / "nope")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 2
    assert "no corpus Nope" in err


def test_refresh_takes_what_has_changed_and_keeps_what_cannot_be_had(
    server: Server, client: AIFdb, tmp_path: Path
) -> None:
    server.has_corpus("X", IDS, a_zip(FULL))
    fetch_corpus(client, "X", tmp_path)
    same = fetch_corpus(client, "X", tmp_path, refresh=True)
    assert (same.here, same.new, same.failed) == (3, 0, [])
    changed = a_map(3).replace(b"Claim 3", b"Claim three")
    server.has_corpus("X", [3, 5, 9], a_zip(FULL | {"sub/nodeset3.json": changed, "sub/nodeset5.json": b""}))
    server.paths["/json/5"] = (200, "text/html", b"<html>down</html>")
    server.paths["/json/9"] = (200, "text/html", a_map(9))
    newer = fetch_corpus(client, "X", tmp_path, refresh=True)
    assert (newer.here, newer.new) == (2, 2)
    assert [name for name, _ in newer.failed] == ["nodeset5.json"]
    assert any("no longer in the corpus, and stay: 8" in remark for remark in newer.remarks)
    texts = [entry.load().propositions[0].text for entry in open_corpus(tmp_path)]
    assert texts == ["Claim three", "Claim 5", "Claim 8", "Claim 9"]
