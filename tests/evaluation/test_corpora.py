"""Two corpora: which pairs are of one text, the means over texts, what is missing, and what is written of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aifgraph
from aifgraph import Bootstrap, CorpusComparison, agreement, compare_corpora, evaluate, open_corpus, query
from aifgraph.cli import main
from aifgraph.comparison.options import extended, short_signature
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.evaluation.pooled import Estimate, pool
from aifgraph.evaluation.record import Outcome
from aifgraph.evaluation.text_tables import macro_table, micro_tables
from aifgraph.text import axis
from documents import argument
from evaluation.small_corpora import make_corpora

ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``ann`` and ``ben`` with six maps each, and ``pairs.tsv``: four pairs of ``ann`` with itself, two texts."""
    made = tmp_path_factory.mktemp("texts")
    make_corpora(made, 6, size=4)
    rows = ["first\tsecond", "map0\tmap1", "map1\tmap2", "map3\tmap4", "map2\tmap0"]
    (made / "pairs.tsv").write_text("\n".join(rows), "utf-8")
    return made


@pytest.fixture(scope="module")
def shared(folder: Path) -> CorpusComparison:
    return compare_corpora(folder / "ann", folder / "ann", pair_by=folder / "pairs.tsv", chance=2)


def counts(estimate: Estimate) -> tuple[int, int]:
    return estimate.texts, estimate.pairs


def test_macro_and_micro_of_a_round_are_those_of_the_pairs_drawn(shared: CorpusComparison) -> None:
    """Intervals of every number against a bootstrap written down plainly: texts are drawn with all their pairs."""
    by_text: dict[str, list[Outcome]] = {}
    for outcome in shared.outcomes:
        by_text.setdefault(outcome.text, []).append(outcome)
    texts, rounds = list(by_text.values()), {"macro": [], "micro": []}
    for draw in np.random.default_rng(5).integers(0, len(texts), size=(20, len(texts))).tolist():
        drawn = [replace(of, text=f"{at}") for at, place in enumerate(draw) for of in texts[place]]
        rounds["macro"].append(pool(macro_table(drawn)))
        rounds["micro"].append(pool(*micro_tables(drawn)))
    for name, found in shared.with_intervals(Bootstrap(20, seed=5)).pooled.items():
        for number, estimate in found.items():
            values = [of[number].value for of in rounds[name] if of[number].value is not None]
            if estimate.texts == len(texts):
                assert estimate.undefined == 20 - len(values), number
                ends = tuple(np.quantile(values, [0.025, 0.975])) if values else (None, None)
                assert (estimate.low, estimate.high) == pytest.approx(ends), number


def test_scores_of_a_label_are_undefined_where_nobody_gives_it() -> None:
    corpora: tuple[list[aifgraph.ArgumentGraph], ...] = ([], [])
    for kinds in (("RA", "RA"), ("CA", ""), ("", "MA")):
        for corpus, kind in zip(corpora, kinds, strict=True):
            relations = [f"reason {kind} claim"] if kind else []
            corpus.append(argument(*relations).with_name(f"map{len(corpus)}"))
    micro = compare_corpora(*corpora).with_intervals(Bootstrap(50, seed=1)).micro
    draws = np.random.default_rng(1).integers(0, 3, size=(50, 3))
    for text, label in enumerate(("RA", "CA", "MA")):
        assert micro[f"{label} PR-kappa"].undefined == sum(text not in draw for draw in draws) > 0


@pytest.mark.parametrize(("text", "expected"), [("?!", None), ("yes", 1)])
def test_s_of_sums_without_a_word_and_without_a_place_for_a_boundary(text: str, expected: float | None) -> None:
    corpus = [argument(text=text, claim=text)]
    assert compare_corpora(corpus, corpus).micro["S"].value == expected


def test_caveats_count_the_pairs_that_they_are_about(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 8, size=4)
    (ben / "map0.json").write_text("{", "utf-8")
    (ben / "map1.json").unlink()
    (ben / "map2.json").write_text('{"nodes": [], "edges": []}', "utf-8")
    (ben / "map3.json").write_text('{"nodes": [{"nodeID": "1", "type": "I", "text": "Zebra"}], "edges": []}', "utf-8")
    for suffix in (".json", ".txt"):
        (ben / f"map4{suffix}").write_bytes((ann / f"map4{suffix}").read_bytes())
    for number in (3, 5, 6):
        for corpus in (ann, ben):
            (corpus / f"map{number}.txt").unlink()
    for corpus, unsaid in ((ann, 1), (ben, 2)):
        document = json.loads((corpus / "map7.json").read_text("utf-8"))
        document["nodes"] += [{"nodeID": f"n{k}", "type": "I", "text": f"{'xyz'[k] * 9}"} for k in range(unsaid)]
        (corpus / "map7.json").write_text(json.dumps(document), "utf-8")
    rows = [f"map{number}\tmap{number}\t{'one' if number in (4, 5, 6) else ''}\n" for number in (0, 2, 3, 4, 5, 6, 7)]
    (tmp_path / "pairs.tsv").write_text("first\tsecond\ttext\nmap1\t\n" + "".join(rows), "utf-8")
    found = compare_corpora(ann, ben, missing="zero", pair_by=tmp_path / "pairs.tsv")
    assert list(found.failed) == list(found.to_dict()["failed"]) == ["map0"]
    assert found.coverage == "5 texts in 7 pairs; map1 (only ann) counts 0."
    caveats = found.with_intervals(Bootstrap(5)).caveats
    counted = {"errors": 1, "same map": 1, "side is empty": 1, "two different documents": 1, "units": 3}
    for about, count in {**counted, "too narrow": 5, "nobody says some propositions": 1}.items():
        (line,) = (line for line in caveats if about in line)
        assert re.findall(r"\d+", line)[0] == str(count), line


def test_a_pair_of_a_map_with_itself_counts_and_is_said(folder: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nmap0\tmap0\nmap1\tmap2\nmap2\t\nmap3\t\n", "utf-8")
    found = compare_corpora(folder / "ann", folder / "ann", pair_by=pairs, missing="zero")
    assert [pair.name for pair in found.pairs][:2] == ["map0", "map1 ~ map2"]
    assert "pair-itself" in [notice.code for notice in found.notices]
    # A map that has a pair is missing on neither side.
    assert found.header.unpaired_first == ("map3",)


def test_the_signature_says_how_pairs_were_made(folder: Path) -> None:
    ann, ben = folder / "ann", folder / "ben"
    by_text = compare_corpora(ann, ben, pair_by="text", min_text=0.8).signature
    assert "|pair_by=text|min_text=0.8|" in by_text
    assert "|pair_by=table@" in compare_corpora(ann, ann, pair_by=folder / "pairs.tsv").signature
    pairing = aifgraph.pair(ann, ben, "text", min_similarity=0.8)
    assert compare_corpora(ann, ben, pair_by=pairing).signature == by_text


@pytest.mark.parametrize("results", [False, True])
def test_the_signature_says_that_texts_were_too_long_for_difflib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: bool
) -> None:
    ann, ben = make_corpora(tmp_path, 1)
    (ben / "map0.txt").write_text((ben / "map0.txt").read_text("utf-8") + " and more", "utf-8")
    file = tmp_path / "lines.jsonl" if results else None
    assert "axis=" not in compare_corpora(ann, ben).signature
    monkeypatch.setattr(axis, "DIFFLIB_WORDS", 5)
    assert "|axis=anchors|" in compare_corpora(ann, ben, results=file).signature


@pytest.mark.slow
def test_lists_of_graphs_are_corpora() -> None:
    paths = ["fixtures/debates/ann", "fixtures/debates/ben"]
    ann, ben = ([entry.load() for entry in open_corpus(path)] for path in paths)
    wanted = compare_corpora(*paths).macro["CASS-kappa"].value
    for jobs in (1, 2):
        assert compare_corpora(ann, iter(ben), jobs=jobs).macro["CASS-kappa"].value == wanted
    assert agreement([ann, ben]).macro[()]["CASS-kappa"].value == wanted
    assert evaluate(ann, {"ben": ben}, baselines=(), test_rounds=10).macro["ben"]["M-kappa"].texts == 4
    assert open_corpus(ann).counts().to_dict() == {**open_corpus(paths[0]).counts().to_dict(), "name": "graphs"}
    conflicts = "SELECT ?n { ?n a aif:CA-node }"
    assert len(query(ann, conflicts).rows) == len(query(paths[0], conflicts).rows) == 4
    assert query(ann[0], "ASK { ?n a aif:PA-node }") is False
    for wrong in (lambda: agreement(ann), lambda: compare_corpora(ann[0], ben), lambda: open_corpus([1])):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(FormatError):
        query(ann, "SELECT")


def test_refusals(folder: Path, tmp_path: Path) -> None:
    ann, ben = folder / "ann", folder / "ben"
    for bad in ({"missing": "perhaps"}, {"jobs": 0}, {"measures": "magic"}, {"min_text": 0, "pair_by": "text"}):
        with pytest.raises(OptionError):
            compare_corpora(ann, ben, **bad)
    (tmp_path / "else.json").write_text((ann / "map0.json").read_text())
    for missing in ("skip", "zero"):
        with pytest.raises(InputError):
            compare_corpora(ann, tmp_path, missing=missing)


def test_what_is_written_has_the_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    result = compare_corpora(ANN, BEN, seed=3)
    bootstrap = Bootstrap(20, 0.9, 3)
    drawn_from = result.with_intervals(bootstrap)
    assert drawn_from.signature == extended(result.signature, bootstrap.parts)
    document = drawn_from.to_dict()
    assert (document["signature"], document["caveats"]) == (drawn_from.signature, drawn_from.caveats)
    arguments = ["compare", ANN, BEN, "--seed", "3"]
    drawn = ["--intervals", "--set", "level=0.9", "--set", "rounds=20"]
    assert main([*arguments, *drawn, "-o", str(tmp_path / "result.json")]) == 0
    assert json.loads((tmp_path / "result.json").read_text("utf-8")) == json.loads(json.dumps(document))
    pairs = result.pairs_table().records()
    assert [row["CASS-kappa"] for row in pairs] == [pair.kappa for pair in result.pairs]
    assert [row[0] for row in result.tables()[-1].rows] == ["nodeset2", "nodeset1", "nodeset3"]
    assert str(result).splitlines()[-1] == short_signature(result.signature)
