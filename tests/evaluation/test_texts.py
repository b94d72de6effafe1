"""Pairs of one text count as one: which are, and the means over texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph import compare_corpora
from aifgraph.comparison.cass import fuse, mean_of
from aifgraph.errors import InputError
from aifgraph.evaluation.corpus_result import CorpusComparison, corpus_from_lines
from aifgraph.evaluation.pooled import PooledNumber
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
    with pytest.raises(InputError, match="another way of pairing"):
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
