"""Archives made to do harm, and broken ones."""

from __future__ import annotations

import json
import random
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aifgraph import files
from aifgraph.corpus import open_corpus
from aifgraph.errors import AifgraphError, FormatError, InputError, LimitError
from documents import FILES, a_map, make_zip

GOOD = json.dumps(a_map("fine"))
CLIMBING = ("../up.json", "/etc/abs.json", "a/../../b.json", "C:\\x.json", "\\\\host\\x.json")


@pytest.mark.parametrize("name", [*CLIMBING, "a\nb.json", "a\x1b[2J.json", "x" * 256])
def test_a_path_that_no_file_of_the_corpus_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as refused:
        open_corpus(make_zip(tmp_path / "c", {"ok.json": GOOD, name: GOOD}))
    assert "\x1b" not in str(refused.value)


def test_blanks_are_refused_before_they_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = make_zip(tmp_path / "c.zip", {"a.json": " " * 1000, "b.json": " " * 1000}).read_bytes()
    (tmp_path / "c.zip").write_bytes(raw.replace(struct.pack("<I", 1000), struct.pack("<I", 200 << 20)))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("a member is unpacked"))
    with pytest.raises(LimitError):
        open_corpus(tmp_path / "c.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_links_archives_and_repeated_names_in_a_zip(tmp_path: Path) -> None:
    inner = make_zip(tmp_path / "inner.zip", {"a.json": GOOD}).read_bytes()
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        link = zipfile.ZipInfo("l.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("inner.zip", inner)
        archive.writestr("maps.jsonl", GOOD)
        archive.writestr("a.json", json.dumps(a_map("first")))
        archive.writestr("./a.json", json.dumps(a_map("last")))
    corpus = open_corpus(tmp_path / "c.zip")
    assert corpus.names == ("a",)
    assert corpus["a"].load().propositions[0].text == "last"
    assert [notice.code for notice in corpus.notices] == ["archive-link", "archive-twice", "corpus-skipped"]


def test_a_member_that_swells_is_stopped_while_reading(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.json", b" " * (files.FREE + (2 << 20)))
        archive.writestr("ok.json", GOOD)
    corpus = open_corpus(tmp_path / "c.zip")
    with pytest.raises(LimitError):
        corpus["bomb"].load()
    assert len(corpus["ok"].load()) == 1


def test_declared_sizes_are_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b" " * 100_000
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", data)
    path.write_bytes(path.read_bytes().replace(struct.pack("<I", len(data)), struct.pack("<I", 5)))
    with pytest.raises(FormatError):
        open_corpus(path)[0].load()
    monkeypatch.setattr(files.check_size, "__defaults__", (1000,))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", data)
    with pytest.raises(LimitError):
        open_corpus(path)[0].load()


def test_members_that_share_their_bytes(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "c.zip", {"a.json": "".join(random.Random(1).choices("abcdef", k=5000))})
    raw = path.read_bytes()
    start, end = raw.index(b"PK\x01\x02"), raw.index(b"PK\x05\x06")
    many = b"".join(raw[start:end].replace(b"a.json", f"{n}.json".encode()) for n in range(5))
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 5, 5, len(many), start, 0)
    path.write_bytes(raw[:start] + many + tail)
    with pytest.raises(LimitError):
        open_corpus(path)


def test_an_encrypted_and_a_damaged_member(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "c.zip", {"a.json": GOOD * 3, "b.json": GOOD})
    whole = path.read_bytes()
    for damage in ("encrypted", "broken"):
        raw = bytearray(whole)
        if damage == "encrypted":
            raw[6] |= 1  # the flag in the member's own header, and in the directory
            raw[raw.index(b"PK\x01\x02") + 8] |= 1
        else:
            raw[40:44] = b"\xff\xff\xff\xff"
        path.write_bytes(raw)
        corpus = open_corpus(path)
        with pytest.raises(InputError, match=damage):
            corpus["a"].load()
        assert len(corpus["b"].load()) == 1


@pytest.mark.parametrize("kind", ["zip", "jsonl"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_one_clear_error_or_an_error_of_its_map(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    path = tmp_path / f"c.{kind}"
    if kind == "zip":
        make_zip(path, FILES)
    else:
        path.write_bytes((GOOD + "\n").encode() * 5)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    try:
        for entry in open_corpus(path):
            with suppress(AifgraphError):
                entry.load()
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017
