"""Opening corpora: order, names, laziness, and the same corpus whatever holds it."""

from __future__ import annotations

import bz2
import json
import lzma
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus_files import FILES, a_map, make_folder, make_zip
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.corpus import Entry, open_corpus
from aifgraph.corpus.archives import safe_path
from aifgraph.corpus_names import natural_key
from aifgraph.errors import FormatError, InputError, NotFoundError

Make = Callable[[dict[str, str]], Path]


@pytest.fixture(params=["folder", "zip"])
def container(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Makes a corpus of given files in each kind of container of files."""

    def make(files: dict[str, str]) -> Path:
        if request.param == "folder":
            return make_folder(tmp_path / "corpus", files)
        return make_zip(tmp_path / "corpus.zip", files)

    return make


def test_the_same_corpus_from_every_container(container: Make) -> None:
    corpus = open_corpus(container(FILES))
    assert corpus.names == ("nodeset2", "nodeset10", "sub/nodeset1")
    assert len(corpus) == 3
    assert corpus.name == "corpus"
    assert [entry.load().propositions[0].text for entry in corpus] == ["two", "ten", "one"]
    source = corpus["nodeset2"].load().meta.source
    assert (source.text, source.origin) == ("The text of two.", "given")
    assert corpus["nodeset10"].load().meta.source is None


def test_entries_are_found_by_name_path_number_and_slice(container: Make) -> None:
    corpus = open_corpus(container(FILES))
    assert corpus[1] == corpus["nodeset10"] == corpus["nodeset10.json"] == corpus["./nodeset10.json"] == corpus[-2]
    assert "sub/nodeset1" in corpus
    assert "sub\\nodeset1.json" in corpus
    assert "nodeset1" not in corpus
    assert corpus[0] in corpus
    assert corpus[1:].names == ("nodeset10", "sub/nodeset1")
    assert corpus[1:].find("nodeset2") is None
    with pytest.raises(NotFoundError, match="no map 'nodeset3'"):
        corpus["nodeset3"]
    with pytest.raises(IndexError):
        corpus[3]


def test_names_stand_below_the_folder_that_holds_all_maps(container: Make) -> None:
    corpus = open_corpus(container({f"US2016/{name}": text for name, text in FILES.items()}))
    assert corpus.names == ("nodeset2", "nodeset10", "sub/nodeset1")
    assert corpus["US2016/nodeset2.json"] == corpus["nodeset2.json"] == corpus["US2016/nodeset2"]


def test_a_corpus_and_its_entries_travel_to_other_processes(container: Make) -> None:
    corpus = open_corpus(container(FILES))[1:]
    sent = pickle.loads(pickle.dumps(corpus))
    assert sent.names == corpus.names
    entry = pickle.loads(pickle.dumps(corpus[0]))
    assert entry.load() == corpus[0].load()
    assert len(pickle.dumps(corpus[0])) < 600  # an entry does not take its corpus with it


def test_graphs_are_named_by_their_place(container: Make) -> None:
    path = container(FILES)
    name = open_corpus(path)["nodeset2"].load().name
    assert name == (str(path / "nodeset2.json") if path.is_dir() else f"{path}, nodeset2.json")


def test_a_bad_map_is_an_error_of_its_own_only(container: Make) -> None:
    corpus = open_corpus(container({**FILES, "nodeset3.json": "{oops", "nodeset4.json": ""}))
    assert len(corpus) == 5
    with pytest.raises(FormatError, match=r"nodeset3\.json"):
        corpus["nodeset3"].load()
    with pytest.raises(FormatError, match="empty file"):
        corpus["nodeset4"].load()
    assert len(corpus["nodeset10"].load()) == 1


def test_what_is_no_map(container: Make) -> None:
    extra = {".hidden.json": "x", "__pycache__.tsv": "", ".git/a.json": "{}", "notes.docx": "", ".json": ""}
    assert len(open_corpus(container({**FILES, **extra}))) == 3


def test_a_corpus_without_maps_says_so(container: Make) -> None:
    corpus = open_corpus(container({"notes.docx": "a"}))
    assert len(corpus) == 0
    assert "there are no maps in it" in str(corpus.notices[0])


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
    source = corpus["b"].load().meta.source
    assert source.text == "Its text."
    assert corpus["a/c"].load().meta.source is None
    assert corpus["line2"].source.endswith(", line 2")
    assert len(corpus.notices) == 2
    assert pickle.loads(pickle.dumps(corpus["line2"])).load() == corpus["line2"].load()


@pytest.mark.parametrize(
    "bad", ['{"name": "x", "map": {', "[1]", "nonsense", "[" * 100_000, '{"a":' + "9" * 5000 + "}"]
)
def test_a_damaged_line_is_an_error_of_that_line(tmp_path: Path, bad: str) -> None:
    path = _lines(tmp_path / "c.jsonl", [a_map("one"), bad, a_map("three")])
    corpus = open_corpus(path)
    assert len(corpus) == 3
    with pytest.raises(InputError, match=r"c\.jsonl, line 2"):
        corpus[1].load()
    assert corpus[2].load().propositions[0].text == "three"


def test_one_map_is_a_corpus_of_one(tmp_path: Path) -> None:
    make_folder(tmp_path, FILES)
    corpus = open_corpus(tmp_path / "nodeset2.json")
    assert corpus.names == ("nodeset2",)
    assert corpus[0].load().meta.source is not None


def test_one_file_is_a_map_whatever_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "map").write_text(json.dumps(a_map("x")))
    assert open_corpus(tmp_path / "map").names == ("map",)
    assert len(open_corpus(tmp_path / "map")[0].load()) == 1
    (tmp_path / "notes.docx").write_text("hello")
    with pytest.raises(FormatError, match=r"notes\.docx"):
        open_corpus(tmp_path / "notes.docx")[0].load()


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_other_ways_of_packing_are_named(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "c.tar.xz").write_bytes(pack(b"x"))
    with pytest.raises(FormatError, match="not read here; give a folder"):
        open_corpus(tmp_path / "c.tar.xz")


def _first_text(entry: Entry) -> str:
    return entry.load().propositions[0].text


def test_containers_are_recognised_by_content(tmp_path: Path) -> None:
    assert len(open_corpus(make_zip(tmp_path / "really-a-zip.tar.gz", FILES))) == 3


def test_missing_empty_and_odd_paths(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such file or folder"):
        open_corpus(tmp_path / "nothing")
    (tmp_path / "empty.zip").write_bytes(b"")
    with pytest.raises(FormatError, match="empty file"):
        open_corpus(tmp_path / "empty.zip")
    with pytest.raises(InputError):
        open_corpus("a\0b")
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="neither a file nor a folder"):
        open_corpus(tmp_path / "pipe.json")
    assert len(open_corpus(tmp_path)) == 0  # the pipe is skipped, not waited for


def test_formats_that_share_a_stem_are_told_apart_by_suffix(tmp_path: Path) -> None:
    make_folder(tmp_path, {"a.json": json.dumps(a_map("x")), "a.xaif": json.dumps({"AIF": a_map("y")})})
    corpus = open_corpus(tmp_path)
    assert corpus.names == ("a.json", "a.xaif")
    assert corpus["a.xaif"].load().propositions[0].text == "y"


def test_a_deep_folder_does_not_overflow(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(80):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text(json.dumps(a_map("x")))
    (tmp_path / "loop").symlink_to(tmp_path)
    corpus = open_corpus(tmp_path)
    assert corpus.names == ("b",)
    assert "deeper than 64" in str(corpus.notices[0])


@given(st.lists(st.text(alphabet="ab/019é", max_size=6)))
def test_natural_order_is_total_and_stable(names: list[str]) -> None:
    once = sorted(set(names), key=natural_key)
    once.reverse()
    assert sorted(once, key=natural_key) == once[::-1]


@given(st.text(max_size=30))
def test_safe_paths_never_leave(path: str) -> None:
    safe = safe_path(path)
    if safe is not None:
        assert not os.path.isabs(safe)
        assert ".." not in safe.split("/")
        assert safe_path(safe) == safe


def test_a_name_that_tells_equal_ones_apart_may_be_there_already(tmp_path: Path) -> None:
    records: list[object] = [{"name": name, "map": a_map(name)} for name in ("b@3", "b", "b")]
    corpus = open_corpus(_lines(tmp_path / "c.jsonl", records))
    assert corpus.names == ("b@3", "b", "b@3@3")
    assert [entry.load().propositions[0].text for entry in corpus] == ["b@3", "b", "b"]
