"""Pairing two corpora by name, by a table, and by text."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aifgraph import SourceText
from aifgraph.corpus import Corpus, Pairing, open_corpus, pair
from aifgraph.errors import InputError, OptionError
from documents import a_map, argument, make_folder, make_zip

SENTENCE = (
    "Masks help against the spread of the virus, because they filter what people breathe out in trains and shops."
)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Corpus, Corpus]:
    one = {name: json.dumps(a_map(name)) for name in ("a.json", "b.json", "sub/c.json")}
    other = {f"top/{name}": json.dumps(a_map(name)) for name in ("d.json", "b.json", "sub/c.json")}
    return open_corpus(make_folder(tmp_path / "one", one)), open_corpus(make_zip(tmp_path / "two.zip", other))


def corpus_of(path: Path, texts: dict[str, str]) -> Corpus:
    files = {f"{name}.json": json.dumps(a_map("anything")) for name in texts}
    return open_corpus(make_folder(path, files | {f"{name}.txt": text for name, text in texts.items()}))


def found(pairing: Pairing) -> list[tuple[str, str, str]]:
    return [(*both.names, both.evidence) for both in pairing]


def rest(pairing: Pairing) -> tuple[list[str], list[str]]:
    return [entry.name for entry in pairing.unpaired_first], [entry.name for entry in pairing.unpaired_second]


def codes(pairing: Pairing) -> list[str]:
    return [caveat.code for caveat in pairing.caveats]


def test_by_name(two: tuple[Corpus, Corpus]) -> None:
    pairing = pair(*two)
    assert found(pairing) == [("b", "b", "same name"), ("sub/c", "sub/c", "same name")]
    assert rest(pairing) == (["a"], ["d"])
    assert pairing.parts == {"pair_by": "name"}
    with pytest.raises(InputError):
        pair(two[0][:1], two[1][-1:])


def test_by_a_table(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(
        "\ufeffnote\tsecond\tfirst\r\nx\td.json\ta.json\r\n\r\ny\ttop/b.json\t sub/c\r\n\tb\t\r\n".encode()
    )
    pairing = pair(*two, by=file)
    assert found(pairing) == [("a", "d", "pairs.tsv, line 2"), ("sub/c", "b", "pairs.tsv, line 4")]
    assert codes(pairing) == ["pair-columns", "pair-outside"]
    assert rest(pairing) == ([], [])
    file.write_text("first\tsecond\na\td\nz\td\nb\tn\n")
    with pytest.raises(InputError, match="line 3: z; line 4: n"):
        pair(*two, by=str(file))
    for head in ("", "a\tb\n", "first,second\n"):
        file.write_text(head)
        with pytest.raises(InputError, match="first, second"):
            pair(*two, by=file)
    with pytest.raises(OptionError):
        pair(*two, by="nmae")
    with pytest.raises(OptionError):
        pair(*two, by="text", min_similarity=0)


def test_a_pairing_is_written_as_a_table_that_gives_it_again(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    texts = {"-a": SENTENCE, "+b": SENTENCE.replace("virus", "flu"), "=c": "Something else"}
    for one, other in (two, (corpus_of(tmp_path / "1", texts), corpus_of(tmp_path / "2", texts))):
        pairing = pair(one, other)
        (tmp_path / "pairs.tsv").write_text(pairing.to_tsv(), "utf-8")
        again = pair(one, other, by=tmp_path / "pairs.tsv")
        assert [both.names for both in again] == [both.names for both in pairing]
        assert "pair-columns" not in codes(again)
        assert rest(again) == rest(pairing)


def test_pairs_of_one_text_have_its_name(two: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("first\tsecond\na\td\na\tb\nsub/c\tsub/c\n")
    pairing = pair(*two, by=file)
    assert [both.text for both in pairing] == ["a", "a", "sub/c"]
    assert codes(pairing) == ["pair-outside", "pair-again"]
    assert rest(pairing) == ([], [])
    file.write_text("first\tsecond\ttext\na\td\tT\nb\tb\t\n")
    told = pair(*two, by=file)
    assert [both.text for both in told] == ["T", "b"]
    assert told.parts != replace(told, texts_given=False).parts


def test_a_corpus_with_itself(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "1", {"a": SENTENCE, "b": SENTENCE + " So.", "c": "Something else entirely"})
    by_name = pair(corpus, tmp_path / ".." / tmp_path.name / "1")
    assert len(by_name) == 3
    assert codes(by_name) == ["pair-itself"]
    by_text = pair(corpus, corpus, by="text")
    assert [both.names for both in by_text] == [("a", "b")]
    assert (rest(by_text), by_text.caveats) == (([], []), ())
    with pytest.raises(InputError):
        pair(corpus[2:], corpus[2:], by="text")


def test_similarity_is_that_of_the_words(tmp_path: Path) -> None:
    one = corpus_of(
        tmp_path / "1", {"a": SENTENCE, "b": "one two three four five six seven eight", "c": "Nothing else."}
    )
    texts = {
        "x": "one two three FOUR five six seven nine ten eleven",
        "y": f"<p>{SENTENCE.upper()}</p>\n",
        "z": "What?",
    }
    pairing = pair(one, corpus_of(tmp_path / "2", texts), by="text")
    assert found(pairing) == [("a", "y", "same text"), ("b", "x", "similar text")]
    # seven words in common, in order, of 8 and 10
    assert [both.similarity for both in pairing] == [1, pytest.approx(2 * 7 / 18)]
    assert rest(pairing) == (["c"], ["z"])
    with pytest.raises(InputError):
        pair(one[1:2], corpus_of(tmp_path / "3", texts), by="text", min_similarity=0.8)


def test_each_map_is_in_one_pair_and_near_ties_are_said(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "1", {"a": SENTENCE + " Really.", "b": SENTENCE + " Truly so."})
    assert found(pair(one, corpus_of(tmp_path / "2", {"x": SENTENCE + " Really."}), by="text"))[0][:2] == ("a", "x")
    other = corpus_of(tmp_path / "3", {"x": SENTENCE + " Indeed.", "y": SENTENCE + " In truth."})
    pairing = pair(one, other, by="text")
    assert len({both.second for both in pairing}) == 2
    assert codes(pairing) == ["pair-tie"]
    for more, told in (("so.", ["pair-tie"]), ("so we all say.", [])):  # 38 words of 39, and of 42, are the same
        near = corpus_of(tmp_path / more, {"x": SENTENCE, "y": f"{SENTENCE} {more}"})
        assert codes(pair(corpus_of(tmp_path / f"1 {more}", {"a": SENTENCE}), near, by="text")) == told


def test_maps_without_text_are_paired_by_their_units(tmp_path: Path) -> None:
    parts = ["masks help a great deal", "they filter what people breathe", "the spread is slower with them"]
    one = make_folder(tmp_path / "1", {"a.json": json.dumps(a_map(*parts))})
    files = {"x.json": json.dumps(a_map(*parts[::-1], "so")), "bad.json": "{", "none.json": json.dumps(a_map("?!"))}
    other = make_folder(tmp_path / "2", files)
    pairing = pair(one, other, by="text")
    assert found(pairing) == [("a", "x", "similar units")]
    assert [both.similarity for both in pairing] == [pytest.approx(2 * 16 / 33)]  # 16 words of 16 and 17
    assert codes(pairing) == ["pair-unreadable"]
    text = corpus_of(tmp_path / "3", {"t": ". ".join(parts)})
    assert [both.names for both in pair(one, text, by="text")] == [("a", "t")]


@pytest.mark.data
def test_same_text_pairs_of_araucaria(shared_data: Path) -> None:
    folder = shared_data / "araucaria"
    known = open_corpus(folder)
    given = pair(known, known, by=folder / "same_text_pairs.tsv")
    assert (len(known), len(given)) == (255, 56)
    for both in list(given)[:20]:
        first, second = (known.names.index(name) for name in both.names)
        (only,) = pair(known[first : first + 1], known[second : second + 1], by="text")
        assert only.similarity >= 0.7
    by_text = pair(known, known, by="text")
    assert {frozenset(both.names) for both in given} < {frozenset(both.names) for both in by_text}
    assert (len(by_text), len({both.text for both in by_text}), by_text.caveats) == (63, 50, ())


@pytest.mark.parametrize(("said", "similarity"), [(16, 1.0), (12, 0.875)])
def test_units_pair_with_a_text_by_their_share_in_runs_of_it(said: int, similarity: float) -> None:
    """Of sixteen words of a map without a text, these stand in runs of the other's text, which has many more."""
    words = [f"word{number}" for number in range(60)]
    others = [f"other{number}" for number in range(16 - said)]
    gold = argument(**{f"c{number}": " ".join(words[10 * number : 10 * number + 10]) for number in range(6)})
    gold = gold.with_meta(source=SourceText(" ".join(words)))
    system = argument(claim=" ".join([*words[20 : 20 + said], *others]))
    (both,) = pair(open_corpus([gold]), open_corpus([system]), "text")
    assert both.similarity == pytest.approx(similarity)
