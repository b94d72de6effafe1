"""The zip that a corpus's archive is kept in: what opening it gives, and how it is fetched again."""

from __future__ import annotations

import os
import shutil
import signal
import zipfile
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, a_zip, unpack, without
from aifgraph import load
from aifgraph.aifdb import AIFdb
from aifgraph.aifdb.download import cached_map, fetch_corpus, fetch_nodesets
from aifgraph.aifdb.manifest import Manifest
from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.errors import FormatError, NotFoundError
from aifgraph.files import MANIFEST, MAPS

DEBATES = Path("fixtures/debates")
IDS = list(range(1, 31))
MANY = {f"nodeset{number}.json": a_map(number) for number in IDS} | {"nodeset5.txt": b"Claim 5, it says."}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def fetched(server: Server, client: AIFdb, folder: Path, members: dict[str, bytes] = MANY) -> Path:
    ids = sorted(int(name[7:-5]) for name in members if name.endswith(".json"))
    server.has_corpus("X", ids, a_zip(members))
    fetch_corpus(client, "X", folder)
    return folder


@pytest.fixture
def both(
    server: Server, client: AIFdb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Path, dict[str, bytes]]:
    """The same corpus with a zip and unpacked, each below a folder of its own."""
    members = files(DEBATES / "ann") | {"nodeset9.json": b'{"nodes": [], "edges": [{"edgeID": 1}]}', "talk.txt": b"Hm."}
    zipped = fetched(server, client, tmp_path / "zipped" / "all" / "x", members)
    plain = shutil.copytree(zipped, tmp_path / "plain" / "all" / "x")
    unpack(plain)
    return zipped, plain, members


COMMANDS = [
    ["show", "x"],
    ["show", "../all"],
    ["show", "x/nodeset1.json"],
    ["show", "x/nodeset1.json", "--tree"],
    ["compare", "x", "ben", "--format", "csv"],
    pytest.param(["compare", "x", "ben", "--format", "json", "--jobs", "2"], marks=pytest.mark.slow),
    ["check", "x"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_as_unpacked(
    both: tuple[Path, Path, dict[str, bytes]],
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ben = (DEBATES / "ben").absolute()
    outputs = []
    for folder in both[:2]:
        monkeypatch.chdir(folder.parent)
        code = main([str(ben) if word == "ben" else word for word in command])
        said = capsys.readouterr()
        outputs.append((code, said.out, said.err))
    assert outputs[0] == outputs[1]
    assert outputs[0][0] != 2


def test_converted_it_is_the_same(
    both: tuple[Path, Path, dict[str, bytes]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, folder in enumerate(both[:2]):
        assert main(["convert", str(folder), str(tmp_path / f"{number}.zip")]) == 0
        assert main(["convert", str(folder), str(tmp_path / f"{number}"), "--to", "xaif"]) == 0
    assert (tmp_path / "0.zip").read_bytes() == (tmp_path / "1.zip").read_bytes()
    assert files(tmp_path / "0") == files(tmp_path / "1")


def test_a_file_beside_the_zip_counts(server: Server, client: AIFdb, tmp_path: Path) -> None:
    folder = fetched(server, client, tmp_path)
    server.paths["/json/5"] = (200, "text/html", a_map(555))
    fetch_nodesets(client, [5], folder)
    assert not server.asked("/json")  # it is in the zip
    again = fetch_nodesets(client, [5, 77], folder, refresh=True)
    assert [name for name, _ in again.failed] == ["nodeset77.json"]
    server.has_map(77, "Claim 77.")
    fetch_nodesets(client, [77], folder)
    corpus = open_corpus(folder)
    assert not corpus.notices
    assert corpus.names == tuple(f"nodeset{number}" for number in [*IDS, 77])
    five = corpus["nodeset5"].load()
    assert five.propositions[0].text == "Claim 555"
    assert five.meta.source is not None  # a loose map with the text in the zip
    assert five.meta.source.text == "Claim 5, it says."
    assert corpus["nodeset5"].source == str(folder / "nodeset5.json")
    assert load(corpus["nodeset6"].source).propositions[0].text == "Claim 6"  # in the zip, by its path
    source = load(corpus["nodeset5"].source).meta.source
    assert source.text == "Claim 5, it says."
    with pytest.raises(NotFoundError, match="no such file"):
        load(folder / "nodeset999.json")
    assert cached_map(folder, 5) == (a_map(555), {})  # the server says that it has no text
    assert cached_map(folder, 6) == (a_map(6), {})
    asked = len(server.asked())
    assert fetch_corpus(client, "X", folder).new == 0
    assert len(server.asked()) == asked


def test_only_next_to_a_manifest_it_is_looked_into(server: Server, client: AIFdb, tmp_path: Path) -> None:
    folder = fetched(server, client, tmp_path / "all" / "x")
    (tmp_path / "all" / "a.json").write_bytes(a_map(1))
    assert len(open_corpus(tmp_path / "all")) == 31
    (folder / MANIFEST).rename(folder / "list.txt")
    opened = open_corpus(tmp_path / "all")
    assert opened.names == ("a",)
    assert "x/maps.zip" in str(opened.notices[0])
    outside = tmp_path / "maps"
    (folder / MAPS).rename(outside)
    (folder / "list.txt").rename(folder / MANIFEST)
    (folder / MAPS).symlink_to(outside)  # a link that leads out
    assert len(open_corpus(tmp_path / "all")) == 1


def test_a_damaged_zip_is_one_error_and_fetched_again(
    server: Server, client: AIFdb, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fetched(server, client, tmp_path, {f"nodeset{n}.json": a_map(n) for n in (1, 2, 3)})
    whole = (folder / MAPS).read_bytes()
    for damaged in (whole[:-40], b"", b"no zip"):
        (folder / MAPS).write_bytes(damaged)
        assert main(["show", str(folder)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"{folder / MAPS}" in said
        assert "run the same aifgraph fetch again" in said
        server.requests.clear()
        assert fetch_corpus(client, "X", folder).new == 3
        assert server.asked() == ["/zip/X/download"]
        assert (folder / MAPS).read_bytes() == whole  # equal archives give equal bytes
    server.paths["/zip/X/download"] = (404, "text/html", b"")
    (folder / MAPS).write_bytes(whole[:-40])
    assert fetch_corpus(client, "X", folder).new == 3
    assert len(open_corpus(folder)) == 3


def test_a_damaged_map_in_it_is_asked_for_alone(server: Server, client: AIFdb, tmp_path: Path) -> None:
    folder = fetched(server, client, tmp_path)
    with zipfile.ZipFile(folder / MAPS) as archive:
        start = archive.getinfo("nodeset7.json").header_offset + 30 + len("nodeset7.json")
    data = bytearray((folder / MAPS).read_bytes())
    data[start + 10] ^= 0xFF
    (folder / MAPS).write_bytes(data)
    corpus = open_corpus(folder)
    with pytest.raises(FormatError, match=r"nodeset7\.json.*fetch or pack it again"):
        corpus["nodeset7"].load()
    assert corpus["nodeset8"].load()
    server.requests.clear()
    assert fetch_corpus(client, "X", folder).new == 1
    assert server.asked("/json") == ["/json/7"]
    assert open_corpus(folder)["nodeset7"].load().propositions[0].text == "Claim 7"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("moment", ["before the zip is there", "before it is noted"])
def test_killed_at_the_archive_and_resumed(server: Server, client: AIFdb, tmp_path: Path, moment: str) -> None:
    server.has_corpus("X", IDS, a_zip(MANY))
    child = os.fork()
    if not child:  # the process that is killed

        def die(*_: object, **__: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        if moment == "before the zip is there":
            Path.replace = die
        else:
            Path.unlink = die
        try:
            fetch_corpus(client, "X", tmp_path)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    there = moment == "before it is noted"
    assert (tmp_path / MAPS).exists() == there
    assert len(open_corpus(tmp_path)) == (30 if there else 0)
    server.requests.clear()
    assert fetch_corpus(client, "X", tmp_path).new == 30
    assert server.asked() == ["/zip/X/download"]
    assert sorted(os.listdir(tmp_path)) == [MANIFEST, MAPS]
    assert Manifest(tmp_path).complete


def test_the_zips_of_parts_become_one(server: Server, client: AIFdb, tmp_path: Path) -> None:
    folder = fetched(server, client, tmp_path)
    with Manifest(folder).storing() as put:
        put("nodeset99.json", a_map(99), "there")
    with zipfile.ZipFile(folder / MAPS) as archive:
        assert len(archive.namelist()) == 32
        assert archive.testzip() is None

    def stopped() -> None:
        with Manifest(folder).storing() as put:
            put("nodeset1.json", a_map(111), "there")
            raise KeyError("stopped")

    with pytest.raises(KeyError, match="stopped"):
        stopped()
    assert cached_map(folder, 1) == (a_map(1), {})
    without(folder / MAPS, "nodeset1.json")
    assert cached_map(folder, 1) is None


def test_what_packs_too_well_is_still_read(tmp_path: Path) -> None:
    large = a_map(3)[:-1] + b" " * (40 << 20) + b"}"
    with Manifest(tmp_path).storing() as put:
        put("nodeset3.json", large, "there")
    assert open_corpus(tmp_path)["nodeset3"].input().data == large
