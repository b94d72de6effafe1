"""What a corpus reads and skips: links, packed maps, what is no map; many readers, and no room for temporary files."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from corpus_files import FILES, make_folder, make_zip

from aifgraph import dump, dumps, load
from aifgraph.cli import main
from aifgraph.corpus import Corpus, open_corpus
from aifgraph.errors import FormatError, LimitError
from aifgraph.files import FREE

MAP = Path(__file__).parents[2] / "fixtures" / "debate" / "first.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if os.name == "nt":
        pytest.skip("links need rights on Windows")
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(9):
        shutil.copy(MAP, folder / f"map{number}.json")
    return folder


def test_a_circle_costs_only_itself(folder: Path) -> None:
    for number in range(40):  # wherever they stand in the order of the folder
        (folder / f"loop{number}.json").symlink_to(f"loop{number}.json")
    corpus = open_corpus(folder)
    assert corpus.names == tuple(f"map{number}" for number in range(9))
    assert [notice.code for notice in corpus.notices] == ["corpus-link"]
    assert "40 links" in str(corpus.notices[0])


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"secret": 1}')
    (folder / "x.json").symlink_to(secret)
    (folder / "y.json").symlink_to("../secret.json")
    (folder / "map0.txt").symlink_to(secret)
    dump(open_corpus(folder), tmp_path / "corpus.zip")
    with zipfile.ZipFile(tmp_path / "corpus.zip") as archive:
        assert len(archive.namelist()) == 9
        assert not any(b"secret" in archive.read(name) for name in archive.namelist())


def test_links_in_the_folder_are_followed(folder: Path) -> None:
    (folder / "same.json").symlink_to("map1.json")
    corpus = open_corpus(folder)
    assert corpus["same"].load().nodes == corpus["map1"].load().nodes
    assert not corpus.notices


FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("name", ["aif/masks.json", "aml/masks.aml", "kialo/masks.txt", "graphml/aifdb.graphml"])
def test_a_packed_map_is_read_as_what_it_is(name: str, tmp_path: Path) -> None:
    source = FIXTURES / name
    packed = tmp_path / f"{source.name}.gz"
    packed.write_bytes(gzip.compress(source.read_bytes()))
    plain = tmp_path / source.name
    plain.write_bytes(source.read_bytes())
    assert load(packed) == load(plain)
    assert load(io.BytesIO(packed.read_bytes())) == load(plain)
    (entry,) = open_corpus(packed)
    assert entry.load() == load(plain)


def test_packed_maps_in_a_folder_have_their_texts(tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress((FIXTURES / "aif" / "masks.json").read_bytes()))
    (tmp_path / "a.txt").write_bytes((FIXTURES / "aif" / "masks.txt").read_bytes())
    corpus = open_corpus(tmp_path)
    assert corpus.names == ("a",)
    assert corpus.notices == ()
    source = corpus["a"].load().meta.source
    assert source is not None
    assert source == load(tmp_path / "a.json.gz").meta.source


def test_a_packed_map_is_written_packed(tmp_path: Path) -> None:
    graph = load(FIXTURES / "aif" / "masks.json")
    dump(graph, tmp_path / "map.graphml.gz")
    data = (tmp_path / "map.graphml.gz").read_bytes()
    assert gzip.decompress(data).decode() == dumps(graph, format="graphml")
    dump(graph, tmp_path / "map.graphml.gz")
    assert (tmp_path / "map.graphml.gz").read_bytes() == data
    assert load(tmp_path / "map.graphml.gz").nodes == graph.nodes


def test_broken_and_swelling_packings_are_refused(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"nodes": []}')
    (tmp_path / "cut.json.gz").write_bytes(whole[:-10])
    with pytest.raises(FormatError, match=r"cut\.json\.gz: broken gzip"):
        load(tmp_path / "cut.json.gz")
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b" " * (FREE + (2 << 20))))
    with pytest.raises(LimitError, match="times its size"):
        load(tmp_path / "bomb.json.gz")
    (tmp_path / "odd.json.gz").write_bytes(whole[:10] + b"\xff" * 20)
    with pytest.raises(FormatError, match="broken gzip"):
        load(tmp_path / "odd.json.gz")


def test_skipped_files_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.json").write_text('{"nodes": [], "edges": []}')
    (folder / "c.aml").write_bytes((FIXTURES / "aml" / "masks.aml").read_bytes())
    for name in ("notes.docx", "pairs.tsv", "README.md", "a.txt"):
        (folder / name).write_text("x")
    assert main(["convert", str(folder), str(tmp_path / "out") + "/", "--to", "xaif"]) == 0
    shown = capsys.readouterr().err
    assert "skipped: notes.docx, pairs.tsv\n" in shown
    written = sorted(path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".txt")
    assert written == ["a.json", "b.json", "c.json"]


Texts = list[list[str]]


def _containers(folder: Path) -> list[Path]:
    dump(open_corpus(make_folder(folder / "corpus", FILES)), folder / "corpus.jsonl")
    return [make_zip(folder / "corpus.zip", FILES), folder / "corpus.jsonl"]


def _texts(corpus: Corpus) -> Texts:
    return [[node.text for node in entry.load().nodes] for entry in corpus]


def test_archives_and_lines_are_read_without_pread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pread", raising=False)
    for path in _containers(tmp_path):
        corpus = open_corpus(path)
        assert sorted(map(tuple, _texts(corpus))) == [("one",), ("ten",), ("two",)], path.name
        assert corpus["nodeset2"].load().meta.source is not None, path.name


@pytest.mark.parametrize("with_pread", [True, False])
def test_threads_get_their_own_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_pread: bool) -> None:
    if not with_pread:
        monkeypatch.delattr(os, "pread", raising=False)
    for path in _containers(tmp_path):
        corpus = open_corpus(path)
        expected = _texts(corpus)
        together = threading.Barrier(4)

        def read_often(_: int, corpus: Corpus = corpus, start: threading.Barrier = together) -> list[Texts]:
            start.wait()
            return [_texts(corpus) for _ in range(20)]

        with ThreadPoolExecutor(4) as pool:
            for results in pool.map(read_often, range(4)):
                assert all(texts == expected for texts in results), path.name


_shared: Corpus


def _read_shared(_: int) -> Texts:
    return [texts for _ in range(20) for texts in _texts(_shared)]


@pytest.mark.skipif("fork" not in __import__("multiprocessing").get_all_start_methods(), reason="no fork here")
def test_forked_processes_get_their_own_bytes(tmp_path: Path) -> None:
    global _shared
    for path in _containers(tmp_path):
        _shared = open_corpus(path)
        expected = _texts(_shared) * 20
        with get_context("fork").Pool(3) as pool:
            assert all(texts == expected for texts in pool.map(_read_shared, range(6), chunksize=1)), path.name


#: A limit on the size of files stands for a full disk.
_FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
"""
_MAIN = "from aifgraph.cli import main\nsys.exit(main(sys.argv[1:]))\n"


@pytest.mark.slow
def test_no_room_for_temporary_files() -> None:
    given = ["evaluate", str(FIXTURES / "debates/ann"), str(FIXTURES / "debates/ben")]
    done = subprocess.run([sys.executable, "-B", "-c", _FULL + _MAIN, *given], capture_output=True, text=True)
    assert done.returncode in (1, 2)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "no room for temporary files" in done.stderr
    assert "set TMPDIR to another folder" in done.stderr
