"""Pairing two corpora by name and by a mapping file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus_files import a_map, make_folder, make_zip

from aifgraph.cli import main
from aifgraph.corpus import Corpus, open_corpus, pair
from aifgraph.errors import InputError, OptionError


@pytest.fixture
def two(tmp_path: Path) -> tuple[Corpus, Corpus]:
    one = {name: json.dumps(a_map(name)) for name in ("a.json", "b.json", "sub/c.json")}
    other = {f"top/{name}": json.dumps(a_map(name)) for name in ("d.json", "b.json", "sub/c.json")}
    return open_corpus(make_folder(tmp_path / "one", one)), open_corpus(make_zip(tmp_path / "two.zip", other))


def test_by_name(two: tuple[Corpus, Corpus]) -> None:
    pairing = pair(*two)
    assert [(p.first.name, p.second.name, p.evidence) for p in pairing] == [
        ("b", "b", "same name"),
        ("sub/c", "sub/c", "same name"),
    ]
    assert [entry.name for entry in pairing.unpaired_first] == ["a"]
    assert [entry.name for entry in pairing.unpaired_second] == ["d"]
    assert pairing.table().rows[-1] == (None, "d", "no partner", None)


def test_no_common_name_is_said(two: tuple[Corpus, Corpus]) -> None:
    pairing = pair(two[0][:1], two[1][-1:])
    assert len(pairing) == 0
    assert "no name is in both" in str(pairing.notices[0])


def test_by_a_mapping_file(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes("\ufeffnote\tsecond\tfirst\r\nx\td.json\ta.json\r\n\r\ny\ttop/b.json\tsub/c\r\n".encode())
    pairing = pair(*two, by=file)
    assert [(p.first.name, p.second.name, p.evidence) for p in pairing] == [
        ("a", "d", "pairs.tsv, line 2"),
        ("sub/c", "b", "pairs.tsv, line 4"),
    ]
    assert not pairing.notices


def test_all_missing_names_in_one_error(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("first\tsecond\na\td\nz\td\nb\n")
    with pytest.raises(InputError, match=r"2 maps .*line 3: z \(first, one\); line 4: nothing \(second, two.zip\)"):
        pair(*two, by=str(file))


def test_maps_in_several_pairs_are_kept_and_said(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("first\tsecond\na\td\na\tb\n")
    pairing = pair(*two, by=file)
    assert len(pairing) == 2
    assert "several pairs, which macro counts as one" in str(pairing.notices[0])
    assert [entry.name for entry in pairing.unpaired_first] == ["b", "sub/c"]


@pytest.mark.parametrize("head", ["", "a\tb\n", "first,second\n", "first\tfirst\tsecond\n"])
def test_a_mapping_file_without_its_columns(two: tuple[Corpus, Corpus], tmp_path: Path, head: str) -> None:
    (tmp_path / "pairs.tsv").write_text(head)
    with pytest.raises(InputError, match="columns 'first' and 'second'"):
        pair(*two, by=tmp_path / "pairs.tsv")


def test_an_unknown_way(two: tuple[Corpus, Corpus]) -> None:
    with pytest.raises(OptionError, match="cannot pair by 'nmae'"):
        pair(*two, by="nmae")


def test_the_command_writes_a_mapping_file(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    paths = [str(corpus.path) for corpus in two]
    assert main(["pair", *paths, "--by", "name", "-o", str(tmp_path / "pairs.tsv")]) == 0
    lines = (tmp_path / "pairs.tsv").read_text().splitlines()
    assert lines == ["first\tsecond\tevidence\tsimilarity", "b\tb\tsame name\t", "sub/c\tsub/c\tsame name\t"]
    again = pair(*two, by=tmp_path / "pairs.tsv")
    assert [each.first.name for each in again] == ["b", "sub/c"]
    assert main(["pair", *paths, "--by", "text", "--format", "json", "-o", str(tmp_path / "pairs.json")]) == 0
    rows = json.loads((tmp_path / "pairs.json").read_text())
    assert {(row["first"], row["second"], row["evidence"]) for row in rows} >= {("b", "b", "same units")}
    assert main(["pair", *paths, "--by", "nmae"]) == 2


def test_same_text_pairs_of_araucaria(shared_data: Path) -> None:
    corpus = open_corpus(shared_data / "araucaria")
    assert len(corpus) == 255
    assert len(pair(corpus, corpus, by=shared_data / "araucaria" / "same_text_pairs.tsv")) == 56
