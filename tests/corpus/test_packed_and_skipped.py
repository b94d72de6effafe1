"""Maps in gzip, what a corpus skips, and what reading a corpus had to say."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from aifgraph import dump, dumps, load, open_corpus
from aifgraph.cli import main
from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.files import FREE

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("name", ["aif/masks.json", "aml/masks.aml", "kialo/masks.txt", "dot/own.dot"])
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
    dump(graph, tmp_path / "map.dot.gz")
    data = (tmp_path / "map.dot.gz").read_bytes()
    assert gzip.decompress(data).decode() == dumps(graph, format="dot")
    dump(graph, tmp_path / "map.dot.gz")
    assert (tmp_path / "map.dot.gz").read_bytes() == data
    assert load(tmp_path / "map.dot.gz").meta.form == "dot"


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


def test_skipped_files_are_listed_and_notices_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "notices of reading: 2 map-empty" in shown
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".txt") == [
        "a.json",
        "b.json",
        "c.json",
    ]
