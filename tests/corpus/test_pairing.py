"""Pairing two corpora by name, by a mapping file, and by text."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from corpus_files import a_map, make_folder, make_zip

from aifgraph.corpus import Corpus, Pairing, open_corpus, pair
from aifgraph.errors import InputError, OptionError
from sampled import at_night


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


def test_pairs_are_written_as_a_mapping_file(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    pair(*two).to_tsv(tmp_path / "pairs.tsv")
    lines = (tmp_path / "pairs.tsv").read_text().splitlines()
    assert lines == ["first\tsecond\tevidence\tsimilarity", "b\tb\tsame name\t", "sub/c\tsub/c\tsame name\t"]
    again = pair(*two, by=tmp_path / "pairs.tsv")
    assert [each.first.name for each in again] == ["b", "sub/c"]
    of_text = {(*each.names, each.evidence) for each in pair(*two, by="text")}
    assert of_text >= {("b", "b", "same units")}


def test_same_text_pairs_of_araucaria(shared_data: Path) -> None:
    corpus = open_corpus(shared_data / "araucaria")
    assert len(corpus) == 255
    assert len(pair(corpus, corpus, by=shared_data / "araucaria" / "same_text_pairs.tsv")) == 56


WORDS = [f"w{number}" for number in range(3000)]


def corpus_of(path: Path, texts: dict[str, str]) -> Corpus:
    files = {f"{name}.json": json.dumps(a_map("anything")) for name in texts}
    return open_corpus(make_folder(path, files | {f"{name}.txt": text for name, text in texts.items()}))


def found(pairing: Pairing) -> list[tuple[str, str, str]]:
    return [(each.first.name, each.second.name, each.evidence) for each in pairing]


SENTENCE = (
    "Masks help against the spread of the virus, because they filter what people breathe out in trains and shops."
)


def test_same_words_are_the_same_text(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "1", {"a": SENTENCE, "b": "Nothing of that kind."})
    other = corpus_of(tmp_path / "2", {"x": "Something else entirely here.", "y": f"<p>{SENTENCE.upper()}</p>\n"})
    pairing = pair(one, other, by="text")
    assert found(pairing) == [("a", "y", "same text")]
    assert pairing.pairs[0].similarity == 1
    assert [entry.name for entry in pairing.unpaired_first] == ["b"]
    assert [entry.name for entry in pairing.unpaired_second] == ["x"]


def test_similarity_is_that_of_the_word_lists(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "1", {"a": "one two three four five six seven eight"})
    other = corpus_of(tmp_path / "2", {"x": "one two three FOUR five six seven nine ten eleven"})
    (only,) = pair(one, other, by="text")
    # seven words in common, in order, of 8 and 10: 2·7/18
    assert only.evidence == "similar text"
    assert only.similarity == pytest.approx(14 / 18)


def test_below_seven_tenths_is_another_text(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "1", {"a": "one two three four five six seven eight nine ten"})
    other = corpus_of(tmp_path / "2", {"x": "one two three four five six a b c d"})  # 2·6/20
    assert not pair(one, other, by="text").pairs


def test_each_map_is_in_one_pair_and_near_ties_are_said(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "1", {"a": SENTENCE + " Really.", "b": SENTENCE + " Truly so."})
    other = corpus_of(tmp_path / "2", {"x": SENTENCE + " Really."})
    pairing = pair(one, other, by="text")
    assert found(pairing) == [("a", "x", "same text")]
    other = corpus_of(tmp_path / "3", {"x": SENTENCE + " Indeed.", "y": SENTENCE + " In truth."})
    pairing = pair(one, other, by="text")
    assert len(pairing) == 2
    assert len({each.second for each in pairing}) == 2
    assert any("nearly as similar" in str(notice) for notice in pairing.notices)


def test_several_analyses_of_one_text_prefer_equal_names(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "1", {"a": SENTENCE, "b": SENTENCE})
    other = corpus_of(tmp_path / "2", {"0": SENTENCE, "a": SENTENCE, "c": SENTENCE})
    pairing = pair(one, other, by="text")
    assert found(pairing) == [("a", "a", "same text"), ("b", "0", "same text")]
    assert "the same text is analysed in a, b and in 0, a, c" in str(pairing.notices[0])


def test_maps_without_text_are_paired_by_their_units(tmp_path: Path) -> None:
    parts = ["masks help a great deal", "they filter what people breathe", "the spread is slower with them"]
    one = make_folder(tmp_path / "1", {"a.json": json.dumps(a_map(*parts))})
    other = make_folder(tmp_path / "2", {"x.json": json.dumps(a_map(*parts[::-1], "so")), "bad.json": "{"})
    pairing = pair(open_corpus(one), open_corpus(other), by="text")
    assert found(pairing) == [("a", "x", "similar units")]
    assert "left unpaired" in str(pairing.notices[0])


def test_a_corpus_pairs_with_its_shuffled_and_disturbed_self(tmp_path: Path) -> None:
    rng = random.Random(7)
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(30, 200))) for _ in range(60)]
    disturbed = [" ".join(w if rng.random() > 0.1 else "oops" for w in text.split()) for text in texts]
    order = list(range(60))
    rng.shuffle(order)
    one = corpus_of(tmp_path / "1", {f"a{i}": text for i, text in enumerate(texts)})
    other = corpus_of(tmp_path / "2", {f"b{new}": disturbed[old] for new, old in enumerate(order)})
    pairing = pair(one, other, by="text")
    assert {(p.first.name, p.second.name) for p in pairing} == {(f"a{old}", f"b{new}") for new, old in enumerate(order)}
    back = pair(other, one, by="text")
    assert {(p.second.name, p.first.name) for p in back} == {(p.first.name, p.second.name) for p in pairing}


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize("number", [500, pytest.param(2000, marks=at_night)])
def test_many_texts_find_their_like(number: int, tmp_path: Path) -> None:
    rng = random.Random(8)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    texts = [" ".join(rng.choices(WORDS, weights, k=300)) for _ in range(number)]
    one = corpus_of(tmp_path / "1", {f"a{i}": text for i, text in enumerate(texts)})
    near = {f"b{i}": " ".join(w for w in text.split() if rng.random() > 0.05) for i, text in enumerate(texts)}
    other = corpus_of(tmp_path / "2", near)
    pairing = pair(one, other, by="text")
    assert sum(each.first.name[1:] == each.second.name[1:] for each in pairing) == number


@pytest.mark.data
def test_same_text_pairs_of_araucaria_by_text(shared_data: Path) -> None:
    folder = shared_data / "araucaria"
    known = open_corpus(folder)
    given = pair(known, known, by=folder / "same_text_pairs.tsv")
    for each in list(given)[:20]:
        numbers = [known.names.index(entry.name) for entry in (each.first, each.second)]
        (only,) = pair(known[numbers[0] : numbers[0] + 1], known[numbers[1] : numbers[1] + 1], by="text")
        assert only.similarity >= 0.7
