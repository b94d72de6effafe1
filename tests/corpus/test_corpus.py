"""Opening corpora: order, names, what is a map, the same corpus whatever holds it; archives made to do harm."""

import json
import os
import pickle
import random
import shutil
import struct
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, GraphBuilder, dumps, files, load
from aifgraph.corpus import Corpus, open_corpus, write_corpus
from aifgraph.corpus.containers import safe_path
from aifgraph.errors import AifgraphError, FormatError, InputError, LimitError, NotFoundError
from documents import FILES, FIXTURES, a_map, make_folder, make_zip

Make = Callable[[dict[str, str]], Path]


@pytest.fixture(params=["folder", "zip"])
def container(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes a corpus of given files in each kind of container of files."""

    def make(files: dict[str, str]) -> Path:
        if request.param == "folder":
            return make_folder(tmp_path / "corpus", files)
        return make_zip(tmp_path / "corpus.zip", files)

    return make


def test_the_same_corpus_from_every_container(container: Make) -> None:
    corpus = open_corpus(container(FILES))
    assert corpus.names == ("nodeset2", "nodeset10", "sub/nodeset1")
    assert corpus.name == "corpus"
    assert [entry.load().propositions[0].text for entry in corpus] == ["two", "ten", "one"]
    source = corpus["nodeset2"].load().meta.source
    assert (source.text, source.origin) == ("The text of two.", "given")
    assert corpus["nodeset10"].load().meta.source is None
    assert corpus["nodeset2"].load().name.endswith(("corpus/nodeset2.json", "corpus.zip, nodeset2.json"))


def test_entries_are_found_by_name_path_number_and_slice(container: Make) -> None:
    corpus = open_corpus(container(FILES))
    assert corpus[1] == corpus["nodeset10"] == corpus["nodeset10.json"] == corpus["./nodeset10.json"] == corpus[-2]
    assert "sub/nodeset1" in corpus
    assert "sub\\nodeset1.json" in corpus
    assert "nodeset1" not in corpus
    assert corpus[0] in corpus
    assert corpus[1:].names == ("nodeset10", "sub/nodeset1")
    assert corpus[1:].find("nodeset2") is None
    assert corpus.entries == open_corpus(corpus.path).entries
    with pytest.raises(NotFoundError):
        corpus["nodeset3"]
    with pytest.raises(KeyError):
        corpus["nodeset3"]
    with pytest.raises(IndexError):
        corpus[3]


def test_names_stand_below_the_folder_that_holds_all_maps(container: Make) -> None:
    corpus = open_corpus(container({f"US2016/{name}": text for name, text in FILES.items()}))
    assert corpus.names == ("nodeset2", "nodeset10", "sub/nodeset1")
    assert corpus["US2016/nodeset2.json"] == corpus["nodeset2.json"] == corpus["US2016/nodeset2"]


def test_a_corpus_and_its_entries_travel_to_other_processes(container: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    path = container(FILES)
    monkeypatch.chdir(path.parent)
    corpus = open_corpus(path.name)
    sent = pickle.dumps(corpus), pickle.dumps(corpus[0])
    assert len(sent[1]) < 700  # an entry does not take its corpus with it
    monkeypatch.chdir("/")
    assert pickle.loads(sent[0]).names == corpus.names
    entry = pickle.loads(sent[1])
    assert (entry.source, entry.load()) == (
        corpus[0].source,
        load(path / "nodeset2.json") if path.is_dir() else entry.load(),
    )


def test_what_is_no_map(container: Make) -> None:
    extra = {".hidden.json": "x", "__pycache__.tsv": "", ".git/a.json": "{}", "notes.docx": "", ".json": ""}
    corpus = open_corpus(container({**FILES, **extra}))
    assert len(corpus) == 3
    assert [notice.code for notice in corpus.notices] == ["corpus-skipped"]
    assert "notes.docx" in str(corpus.notices[0])
    assert "README" not in str(corpus.notices[0])


def _lines(path: Path, records: list[object]) -> Path:
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in records), "utf-8")
    return path


def test_json_lines_keep_the_order_of_the_file(tmp_path: Path) -> None:
    records: list[object] = [
        {"name": "b", "map": a_map("first"), "text": "Its text."},
        a_map("bare"),
        "",
        {"text": None, "map": a_map("third"), "name": "a/c"},
        {"name": "b", "map": a_map("again")},
        {"name": "../../etc/passwd", "map": a_map("climbs")},
        {"name": "x.json", "map": a_map("with suffix")},
    ]
    corpus = open_corpus(_lines(tmp_path / "c.jsonl", records))
    assert corpus.names == ("b", "line2", "a/c", "b@5", "line6", "x")
    texts = [entry.load().propositions[0].text for entry in corpus]
    assert texts == ["first", "bare", "third", "again", "climbs", "with suffix"]
    assert corpus["b"].load().meta.source.text == "Its text."
    assert corpus["a/c"].load().meta.source is None
    assert corpus["line2"].source.endswith(", line 2")
    assert [notice.code for notice in corpus.notices] == ["lines-twice", "lines-name"]
    names = [{"name": name, "map": a_map(name)} for name in ("b@3", "b", "b")]
    assert open_corpus(_lines(tmp_path / "again.jsonl", [*names])).names == ("b@3", "b", "b@3@3")


@pytest.mark.parametrize(
    "bad", ['{"name": "x", "map": {', "[1]", "nonsense", "[" * 100_000, '{"a":' + "9" * 5000 + "}"]
)
def test_a_damaged_line_is_an_error_of_that_line(tmp_path: Path, bad: str) -> None:
    corpus = open_corpus(_lines(tmp_path / "c.jsonl", [a_map("one"), bad, a_map("three")]))
    assert len(corpus) == 3
    with pytest.raises(InputError, match=r"c\.jsonl, line 2"):
        corpus[1].load()
    assert corpus[2].load().propositions[0].text == "three"


def test_missing_empty_and_odd_paths(tmp_path: Path) -> None:
    assert len(open_corpus(make_zip(tmp_path / "really-a-zip.tar.gz", FILES))) == 3
    with pytest.raises(FileNotFoundError):
        open_corpus(tmp_path / "nothing")
    (tmp_path / "empty.zip").write_bytes(b"")
    (tmp_path / "map.json").write_text("{}")
    for name in ("empty.zip", "map.json"):
        with pytest.raises(FormatError, match=name):
            open_corpus(tmp_path / name)
    with pytest.raises(InputError):
        open_corpus("a\0b")
    (tmp_path / "map.json").unlink()
    os.mkfifo(tmp_path / "pipe.json")
    assert len(open_corpus(tmp_path)) == 0  # the pipe is skipped, not waited for


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    shutil.copy(FIXTURES / "debate" / "first.json", folder / "map.json")
    (tmp_path / "secret.json").write_text('{"secret": 1}')
    for link, target in {
        "x.json": "../secret.json",
        "map.txt": "../secret.json",
        "o.json": "o.json",
        "all": "..",
    }.items():
        (folder / link).symlink_to(target)
    corpus = open_corpus(folder)
    assert corpus.names == ("map",)
    assert corpus["map"].sibling(".txt") is None
    assert [notice.code for notice in corpus.notices] == ["corpus-link"]
    assert "4 links" in str(corpus.notices[0])


@given(st.text(max_size=30))
def test_safe_paths_never_leave(path: str) -> None:
    safe = safe_path(path)
    if safe is not None:
        assert not os.path.isabs(safe)
        assert ".." not in safe.split("/")
        assert safe_path(safe) == safe


def _containers(folder: Path) -> list[Path]:
    write_corpus(open_corpus(make_folder(folder / "corpus", FILES)), folder / "corpus.jsonl")
    return [make_zip(folder / "corpus.zip", FILES), folder / "corpus.jsonl"]


def _texts(corpus: Corpus) -> list[list[str]]:
    return [[node.text for node in entry.load().nodes] for entry in corpus]


_shared: Corpus


def _read_shared(_: int) -> list[list[str]]:
    return [texts for _ in range(20) for texts in _texts(_shared)]


@pytest.mark.skipif("fork" not in get_all_start_methods(), reason="no fork here")
def test_threads_and_forked_processes_get_their_own_bytes(tmp_path: Path) -> None:
    global _shared
    for path in _containers(tmp_path):
        _shared = open_corpus(path)
        expected = _texts(_shared) * 20
        with ThreadPoolExecutor(4) as threads, get_context("fork").Pool(3) as processes:
            for pool in (processes, threads):
                assert all(texts == expected for texts in pool.map(_read_shared, range(6), chunksize=1)), path.name


def dialogue() -> ArgumentGraph:
    build = GraphBuilder()
    claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    ann, bob = build.locution("Ann: Masks help"), build.locution("Bob: They filter")
    build.illocution(ann, claim)
    build.illocution(bob, reason)
    build.illocution(build.transition(ann, bob), build.inference([reason], claim))
    build.locution("Coder: Ann: Masks help")
    return build.graph()


@pytest.fixture
def counted(tmp_path: Path) -> Corpus:
    files = {
        "a.json": dumps(dialogue(), format="aif"),
        "b.json": json.dumps(a_map("one two three")),
        "b.txt": "One, two, three. <br>And four more words.",
        "c.json": "{",
    }
    return open_corpus(make_folder(tmp_path / "corpus", files))


def test_the_counts(counted: Corpus) -> None:
    stats = counted.counts()
    assert (stats.maps, stats.with_text, stats.edges, stats.analyst_locutions) == (2, 1, 10, 1)
    assert stats.nodes == {"L": 3, "I": 3, "YA": 3, "TA": 1, "RA": 1}
    assert stats.illocutions == {"Asserting": 2, "Arguing": 1}
    assert stats.schemes == {("RA", "Default Inference"): 1}
    assert stats.speakers == {"Ann": 1, "Bob": 1}
    # a: the words said (masks help, they filter); b: those of its text
    assert stats.words == stats.to_dict()["words"] == 4 + 7
    assert [name for name, _ in stats.failed] == ["c"]
    assert stats.illocutions_by_speaker == {("Ann", "Asserting"): 1, ("Bob", "Asserting"): 1, ("Bob", "Arguing"): 1}
    tables = {table.title: table for table in stats.tables()}
    assert stats.exchanges == {("Bob", "replies to", "Ann"): 1, ("Bob", "supports", "Ann"): 1}
    assert tables["Who argues with whom"].columns == ("speaker", "to", "replies to", "supports", "attacks", "rephrases")
    assert tables["Who argues with whom"].rows == [("Bob", "Ann", 1, 1, 0, 0)]
    assert tables["Illocutions of all speakers"].rows[0] == ("Ann", "Asserting", 1)
    assert tables["Illocutions by speaker"].columns == ("illocution", "nodes", "Bob", "Ann")
    assert tables["Illocutions by speaker"].rows == [("Asserting", 2, 1, 1), ("Arguing", 1, 1, 0)]


GOOD = json.dumps(a_map("fine"))
CLIMBING = ("../up.json", "/etc/abs.json", "a/../../b.json", "C:\\x.json", "\\\\host\\x.json")


@pytest.mark.parametrize("name", [*CLIMBING, "a\nb.json", "a\x1b[2J.json"])
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
    bomb = b" " * (files.FREE + (2 << 20))
    corpus = open_corpus(make_zip(tmp_path / "c.zip", {"bomb.json": bomb, "ok.json": GOOD}))
    with pytest.raises(LimitError):
        corpus["bomb"].load()
    assert len(corpus["ok"].load()) == 1


def test_declared_sizes_are_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b" " * 100_000
    path = make_zip(tmp_path / "c.zip", {"a.json": data})
    path.write_bytes(path.read_bytes().replace(struct.pack("<I", len(data)), struct.pack("<I", 5)))
    with pytest.raises(FormatError):
        open_corpus(path)[0].load()
    monkeypatch.setattr(files.check_size, "__defaults__", (1000,))
    with pytest.raises(LimitError):
        open_corpus(make_zip(path, {"a.json": data}))[0].load()


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
