"""Pairs of corpora: which there are, which are of one text, the means over texts, and what is on one side only."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from aifgraph import Options, compare_corpora
from aifgraph.cli import main
from aifgraph.comparison.cass import fuse, mean_of
from aifgraph.corpus import open_corpus, pair
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison, corpus_from_lines
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.text import axis
from evaluation.small_corpora import make_corpora


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``ann`` and ``ben`` with six maps each, and ``pairs.tsv``: four pairs of ``ann`` with itself, two texts."""
    made = tmp_path_factory.mktemp("texts")
    make_corpora(made, 6)
    rows = ["first\tsecond", "map0\tmap1", "map1\tmap2", "map3\tmap4", "map2\tmap0"]
    (made / "pairs.tsv").write_text("\n".join(rows), "utf-8")
    return made


@pytest.fixture(scope="module")
def shared(folder: Path) -> CorpusComparison:
    return compare_corpora(folder / "ann", folder / "ann", pair_by=folder / "pairs.tsv")


def test_pairs_that_share_a_map_are_of_one_text(shared: CorpusComparison) -> None:
    assert [pair.text for pair in shared.pairs] == ["map0", "map0", "map3", "map0"]
    assert (shared.macro.texts, shared.macro.pairs) == (2, 4)


def test_the_same_file_by_another_path_is_the_same_map(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder / "ann")
    found = compare_corpora(folder / "ann", tmp_path / "link", pair_by=folder / "pairs.tsv")
    assert found.macro.texts == 2
    # Maps of another corpus that are called the same are other maps.
    assert compare_corpora(folder / "ann", folder / "ben", pair_by=folder / "pairs.tsv").macro.texts == 4


def test_macro_is_the_mean_over_texts_of_the_means_over_pairs(shared: CorpusComparison) -> None:
    many = [pair for pair in shared.pairs if pair.text == "map0"]
    (one,) = (pair for pair in shared.pairs if pair.text == "map3")
    similarity = mean_of([mean_of(pair.S for pair in many), one.S])
    for layer, scores in shared.macro.over.items():
        for name, value in scores.mean.items():
            expected = mean_of([mean_of(pair.over[layer].mean[name] for pair in many), one.over[layer].mean[name]])
            assert value == pytest.approx(expected)
            assert scores.cass[name] == pytest.approx(fuse(expected, similarity))
    assert shared.macro.mean_of_cass["f1"] == pytest.approx(
        mean_of([mean_of(pair.cass["f1"] for pair in many), one.cass["f1"]])
    )
    assert shared.macro.counted[PooledNumber("mean", "all", "kappa")] == (2, 4)
    assert dict(shared.texts)["map3"].cass == one.cass


def test_the_caller_says_what_is_of_one_text(folder: Path, tmp_path: Path) -> None:
    told = {"map1": "a debate", "map4": "a debate", "map5": "another"}
    found = compare_corpora(folder / "ann", folder / "ben", texts=told)
    texts = {pair.name: pair.text for pair in found.pairs}
    assert texts == {f"map{number}": told.get(f"map{number}", f"map{number}") for number in range(6)}
    assert found.macro.texts == 5
    table = tmp_path / "texts.tsv"
    table.write_text("name\ttext\n" + "".join(f"{name}\t{text}\n" for name, text in told.items()), "utf-8")
    assert compare_corpora(folder / "ann", folder / "ben", texts=table).to_dict() == found.to_dict()
    column = tmp_path / "pairs.tsv"
    column.write_text("first\tsecond\ttext\nmap1\tmap1\tone\nmap2\tmap2\tone\nmap3\tmap3\t\n", "utf-8")
    assert [pair.text for pair in compare_corpora(folder / "ann", folder / "ben", pair_by=column).pairs] == [
        "one",
        "one",
        "map3",
    ]
    table.write_text("name\ttext\nmap1\tone\nmap1\tanother\n", "utf-8")
    with pytest.raises(InputError, match="line 3: map1 is of two texts"):
        compare_corpora(folder / "ann", folder / "ben", texts=table)
    plain = compare_corpora(folder / "ann", folder / "ben")
    assert found.signature != plain.signature
    with pytest.raises(InputError, match=r"map9 \(texts\)"):
        compare_corpora(folder / "ann", folder / "ben", texts={"map9": "a debate"})


def test_texts_survive_a_file_of_results_and_a_document(folder: Path, shared: CorpusComparison, tmp_path: Path) -> None:
    lines = tmp_path / "pairs.jsonl"
    for resume in (False, True):
        found = compare_corpora(
            folder / "ann", folder / "ann", pair_by=folder / "pairs.tsv", results=lines, resume=resume
        )
        assert found.macro == shared.macro
    assert corpus_from_lines(lines).macro == shared.macro
    document = json.loads(json.dumps(shared.to_dict()))
    again = CorpusComparison.from_dict(document)
    assert (again.macro, list(again.texts)) == (shared.macro, list(shared.texts))
    with pytest.raises(InputError, match="pair_by"):
        compare_corpora(
            folder / "ann",
            folder / "ann",
            pair_by=folder / "pairs.tsv",
            texts={"map0": "a", "map3": "a"},
            results=lines,
            resume=True,
        )


def test_a_pair_of_a_map_with_itself_counts_where_it_is_asked_for(folder: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nmap0\tmap0\nmap1\tmap2\n", "utf-8")
    found = compare_corpora(folder / "ann", folder / "ann", pair_by=pairs, missing="zero")
    assert [pair.name for pair in found.pairs] == ["map1 ~ map2"]
    assert [notice.message for notice in found.notices if notice.code == "pair-itself"] == [
        "1 pair is of a map with itself and counts only if that is asked for (with itself): map0"
    ]
    assert "map0" not in found.unpaired[0]
    asked = compare_corpora(folder / "ann", folder / "ann", pair_by=pairs, with_itself=True)
    assert len(asked.pairs) == 2
    assert ".itself|" in asked.signature
    with pytest.raises(InputError, match="every pair is of a map with itself"):
        compare_corpora(folder / "ann", folder / "ann")


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    """Six maps: 0 and 1, 1 and 2 are to be paired; 3 and 4 as well; 5 is alone."""
    ann, _ = make_corpora(tmp_path / "corpora", 6)
    rows = ["first\tsecond", "map0\tmap1", "map1\tmap2", "map3\tmap4"]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows), "utf-8")
    return ann


def test_a_map_in_a_pair_is_not_missing_on_its_other_side(ann: Path) -> None:
    pairs = ann.parent.parent / "pairs.tsv"
    result = compare_corpora(ann, ann, pair_by=pairs, missing="zero")
    assert result.unpaired == (("map5",), ())
    assert result.macro.pairs == 4
    # The same ann under another name is the same ann.
    other = compare_corpora(ann, ann.parent / "ben" / ".." / "ann", pair_by=pairs)
    assert other.unpaired == (("map5",), ())


def test_pairs_that_share_a_map_are_drawn_together(ann: Path) -> None:
    pairs = ann.parent.parent / "pairs.tsv"
    result = compare_corpora(ann, ann, pair_by=pairs)
    intervals = result.intervals(rounds=200)
    assert (intervals.pairs, intervals.texts) == (3, 2)
    assert "the 3 pairs are drawn by text" in intervals.tables()[0].note
    assert intervals.to_dict()["texts"] == 2
    # In two corpora, equal names on different sides are different maps.
    assert compare_corpora(ann, ann.parent / "ben", pair_by=pairs).intervals(rounds=10).texts == 3


def test_a_text_with_all_its_pairs_weighs_as_one_draw(ann: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.tsv"
    again.write_text("first\tsecond\n" + "map0\tmap0\n" * 30 + "map1\tmap2\n", "utf-8")
    intervals = compare_corpora(ann, ann, pair_by=again, with_itself=True).intervals(rounds=400)
    interval = intervals["macro", PooledNumber("cass", "all", "kappa")]
    # A quarter of the draws of two texts has only the second one: 31 independent pairs would never show this.
    assert interval.low < 0.1 < interval.value


def test_the_signature_says_how_pairs_were_made(ann: Path) -> None:
    pairs = ann.parent.parent / "pairs.tsv"
    ben = ann.parent / "ben"
    by_name = compare_corpora(ann, ben).signature
    by_text = compare_corpora(ann, ben, pair_by="text", min_text=0.8).signature
    by_file = compare_corpora(ann, ann, pair_by=pairs).signature
    assert "|pair:name|" in by_name
    assert "|pair:text.0.8|" in by_text
    assert "|pair:file." in by_file
    pairs.write_text("first\tsecond\nmap0\tmap1\n", "utf-8")
    assert compare_corpora(ann, ann, pair_by=pairs).signature != by_file
    assert Options.parse(by_text) == Options()


@pytest.mark.parametrize("results", [False, True])
def test_the_signature_of_a_corpus_says_that_texts_were_too_long_for_difflib(
    ann: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: bool
) -> None:
    ben = ann.parent / "ben"
    (ben / "map0.txt").write_text((ben / "map0.txt").read_text("utf-8") + " and more", "utf-8")
    file = tmp_path / "lines.jsonl" if results else None
    assert "axis:" not in compare_corpora(ann, ben).signature
    monkeypatch.setattr(axis, "DIFFLIB_WORDS", 5)
    assert "|axis:anchors|" in compare_corpora(ann, ben, results=file).signature


@pytest.mark.parametrize("side", ["first", "second"])
def test_by_text_finds_pairs_where_one_side_has_no_text(ann: Path, tmp_path: Path, side: str) -> None:
    ben = tmp_path / "bare"
    shutil.copytree(ann.parent / "ben", ben)
    for text in ben.glob("*.txt"):
        text.unlink()
    # The text has much that nobody analysed, so that its words are far more than those of the units.
    for text in ann.glob("*.txt"):
        text.write_text(text.read_text("utf-8") + f" {text.stem} and this is left out by both" * 12, "utf-8")
    one, other = open_corpus(ann), open_corpus(ben)
    pairing = pair(one, other, by="text") if side == "second" else pair(other, one, by="text")
    assert {(each.first.name, each.second.name) for each in pairing} == {(f"map{n}", f"map{n}") for n in range(6)}


def test_the_threshold_of_pairs_by_text(ann: Path) -> None:
    ben = ann.parent / "ben"
    for text in ben.glob("*.txt"):
        words = text.read_text("utf-8").split()
        text.write_text(" ".join(words[: len(words) // 2] + ["other"] * (len(words) // 2)), "utf-8")
    assert not len(pair(open_corpus(ann), open_corpus(ben), by="text"))
    assert len(pair(open_corpus(ann), open_corpus(ben), by="text", min_similarity=0.3)) == 6
    for wrong in (0, 1.5, float("nan")):
        with pytest.raises(OptionError, match="min_similarity"):
            pair(open_corpus(ann), open_corpus(ben), by="text", min_similarity=wrong)


def test_macro_says_how_many_pairs_each_layer_is_over(ann: Path) -> None:
    path = ann / "map0.json"
    document = json.loads(path.read_text("utf-8"))
    document["nodes"] = [node for node in document["nodes"] if node["type"] != "I"]
    path.write_text(json.dumps(document), "utf-8")
    result = compare_corpora(ann, ann.parent / "ben")
    assert result.macro.counted[PooledNumber("mean", "propositional", "kappa")] == (5, 5)
    assert result.macro.counted[PooledNumber("mean", "dialogical", "kappa")] == (6, 6)
    assert result.macro.to_dict()["pairs"]["mean"]["propositional"]["kappa"] == 5
    rows = {(row[0], row[1]): row[2:4] for row in result.tables()[0].rows}
    assert rows["macro", "propositional"] == [5, 5]
    assert rows["macro", "all"] == [6, 6]


def test_pairs_have_warnings(ann: Path) -> None:
    for text in (ann.parent / "ben").glob("*.txt"):
        text.write_text("something else", "utf-8")
    assert all(each["warnings"] for each in compare_corpora(ann, ann.parent / "ben").to_dict()["pairs"])


def test_the_csv_of_corpora_has_layers_and_macro_rows(ann: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ben = ann.parent / "ben"
    assert main(["compare", str(ann), str(ben), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    result = compare_corpora(ann, ben)
    by_key = {(row["of"], row["name"], row["layer"]): row for row in rows}
    for layer, scores in result.macro.over.items():
        row = by_key["macro", "", layer]
        assert float(row["cass_kappa"]) == scores.cass["kappa"]
        assert int(row["pairs"]) == result.macro.counted[PooledNumber("S", layer)].pairs
        assert float(by_key["micro", "", layer]["M_f1"]) == result.micro.over[layer].mean["f1"]
    for pair_ in result.pairs:
        row = by_key["pair", pair_.name, "dialogical"]
        assert float(row["M_kappa"]) == pair_.over["dialogical"].mean["kappa"]


@pytest.mark.parametrize("results", [False, True])
def test_json_of_corpora_has_the_measures_of_every_pair(ann: Path, tmp_path: Path, results: bool) -> None:
    more = {"results": tmp_path / "lines.jsonl"} if results else {}
    data = compare_corpora(ann, ann.parent / "ben", metrics="kirschner_graph", **more).to_dict()
    values = [each["measures"]["kirschner_graph"] for each in data["pairs"]]
    assert data["measures"]["kirschner_graph"] == pytest.approx(sum(values) / len(values))
