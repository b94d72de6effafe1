"""How pairs are made and counted: one corpus against itself, maps in several pairs, texts on one side, warnings."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from aifgraph import Options, compare_corpora
from aifgraph.cli import main
from aifgraph.corpus import open_corpus, pair
from aifgraph.errors import OptionError
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.text import axis
from evaluation.small_corpora import make_corpora


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six maps: 0 and 1, 1 and 2 are to be paired; 3 and 4 as well; 5 is alone."""
    ann, _ = make_corpora(tmp_path / "corpora", 6)
    rows = ["first\tsecond", "map0\tmap1", "map1\tmap2", "map3\tmap4"]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows), "utf-8")
    return ann


def test_a_map_in_a_pair_is_not_missing_on_its_other_side(folder: Path) -> None:
    pairs = folder.parent.parent / "pairs.tsv"
    result = compare_corpora(folder, folder, pair_by=pairs, missing="zero")
    assert result.unpaired == (("map5",), ())
    assert result.macro.pairs == 4
    # The same folder under another name is the same folder.
    other = compare_corpora(folder, folder.parent / "ben" / ".." / "ann", pair_by=pairs)
    assert other.unpaired == (("map5",), ())


def test_pairs_that_share_a_map_are_drawn_together(folder: Path) -> None:
    pairs = folder.parent.parent / "pairs.tsv"
    result = compare_corpora(folder, folder, pair_by=pairs)
    intervals = result.intervals(rounds=200)
    assert (intervals.pairs, intervals.texts) == (3, 2)
    assert "the 3 pairs are drawn by text" in intervals.tables()[0].note
    assert intervals.to_dict()["texts"] == 2
    # In two corpora, equal names on different sides are different maps.
    assert compare_corpora(folder, folder.parent / "ben", pair_by=pairs).intervals(rounds=10).texts == 3


def test_a_text_with_all_its_pairs_weighs_as_one_draw(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.tsv"
    again.write_text("first\tsecond\n" + "map0\tmap0\n" * 30 + "map1\tmap2\n", "utf-8")
    intervals = compare_corpora(folder, folder, pair_by=again, with_itself=True).intervals(rounds=400)
    interval = intervals["macro", PooledNumber("cass", "all", "kappa")]
    # A quarter of the draws of two texts has only the second one: 31 independent pairs would never show this.
    assert interval.low is not None
    assert interval.value is not None
    assert interval.low < 0.1 < interval.value


def test_the_signature_says_how_pairs_were_made(folder: Path) -> None:
    pairs = folder.parent.parent / "pairs.tsv"
    ben = folder.parent / "ben"
    by_name = compare_corpora(folder, ben).signature
    by_text = compare_corpora(folder, ben, pair_by="text", min_text=0.8).signature
    by_file = compare_corpora(folder, folder, pair_by=pairs).signature
    assert "|pair:name|" in by_name
    assert "|pair:text.0.8|" in by_text
    assert "|pair:file." in by_file
    pairs.write_text("first\tsecond\nmap0\tmap1\n", "utf-8")
    assert compare_corpora(folder, folder, pair_by=pairs).signature != by_file
    assert Options.parse(by_text) == Options()


@pytest.mark.parametrize("results", [False, True])
def test_the_signature_of_a_corpus_says_that_texts_were_too_long_for_difflib(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: bool
) -> None:
    ben = folder.parent / "ben"
    (ben / "map0.txt").write_text((ben / "map0.txt").read_text("utf-8") + " and more", "utf-8")
    file = tmp_path / "lines.jsonl" if results else None
    assert "axis:" not in compare_corpora(folder, ben).signature
    monkeypatch.setattr(axis, "DIFFLIB_WORDS", 5)
    assert "|axis:anchors|" in compare_corpora(folder, ben, results=file).signature


@pytest.mark.parametrize("side", ["first", "second"])
def test_by_text_finds_pairs_where_one_side_has_no_text(folder: Path, tmp_path: Path, side: str) -> None:
    ben = tmp_path / "bare"
    shutil.copytree(folder.parent / "ben", ben)
    for text in ben.glob("*.txt"):
        text.unlink()
    # The text has much that nobody analysed, so that its words are far more than those of the units.
    for text in folder.glob("*.txt"):
        text.write_text(text.read_text("utf-8") + f" {text.stem} and this is left out by both" * 12, "utf-8")
    one, other = open_corpus(folder), open_corpus(ben)
    pairing = pair(one, other, by="text") if side == "second" else pair(other, one, by="text")
    assert {(each.first.name, each.second.name) for each in pairing} == {(f"map{n}", f"map{n}") for n in range(6)}


def test_the_threshold_of_pairs_by_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ben = folder.parent / "ben"
    for text in ben.glob("*.txt"):
        words = text.read_text("utf-8").split()
        text.write_text(" ".join(words[: len(words) // 2] + ["other"] * (len(words) // 2)), "utf-8")
    assert main(["pair", str(folder), str(ben)]) == 0
    assert capsys.readouterr().out.count("similar text") == 0
    assert main(["pair", str(folder), str(ben), "--min-text", "0.3"]) == 0
    assert capsys.readouterr().out.count("similar text") == 6
    for wrong in (0, 1.5, float("nan")):
        with pytest.raises(OptionError, match="min_similarity"):
            pair(open_corpus(folder), open_corpus(ben), by="text", min_similarity=wrong)


def test_intervals_of_one_pair_are_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(folder / "map0.json"), str(folder / "map1.json"), "--intervals"]) == 2
    assert "--intervals has an effect only with two corpora" in capsys.readouterr().err


def test_macro_says_how_many_pairs_each_layer_is_over(folder: Path) -> None:
    path = folder / "map0.json"
    document = json.loads(path.read_text("utf-8"))
    document["nodes"] = [node for node in document["nodes"] if node["type"] != "I"]
    path.write_text(json.dumps(document), "utf-8")
    result = compare_corpora(folder, folder.parent / "ben")
    assert result.macro.counted[PooledNumber("mean", "propositional", "kappa")] == (5, 5)
    assert result.macro.counted[PooledNumber("mean", "dialogical", "kappa")] == (6, 6)
    assert result.macro.to_dict()["pairs"]["mean"]["propositional"]["kappa"] == 5
    rows = {(row[0], row[1]): row[2:4] for row in result.tables()[0].rows}
    assert rows["macro", "propositional"] == [5, 5]
    assert rows["macro", "all"] == [6, 6]


def test_warnings_of_pairs_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (folder.parent / "ben").glob("*.txt"):
        text.write_text("something else", "utf-8")
    assert main(["compare", str(folder), str(folder.parent / "ben")]) == 0
    shown = capsys.readouterr()
    assert "map0: " in shown.err
    assert main(["compare", str(folder), str(folder.parent / "ben"), "--format", "json"]) == 0
    out = capsys.readouterr().out
    assert all(each["warnings"] for each in json.loads(out)["pairs"])


def test_the_csv_of_corpora_has_layers_and_macro_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ben = folder.parent / "ben"
    assert main(["compare", str(folder), str(ben), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    result = compare_corpora(folder, ben)
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
def test_json_of_corpora_has_the_measures_of_every_pair(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], results: bool
) -> None:
    more = ["--results", str(tmp_path / "lines.jsonl")] if results else []
    ben = str(folder.parent / "ben")
    assert main(["compare", str(folder), ben, "--metrics", "smatch", "--format", "json", *more]) == 0
    data = json.loads(capsys.readouterr().out)
    values = [each["measures"]["smatch"] for each in data["pairs"]]
    assert data["measures"]["smatch"] == pytest.approx(sum(values) / len(values))
