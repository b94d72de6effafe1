"""Two corpora: which pairs are of one text, the means over texts, what is missing, and what is written of them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph import Bootstrap, CorpusComparison, GraphBuilder, agreement, compare_corpora, evaluate, open_corpus, query
from aifgraph.cli import main
from aifgraph.comparison.options import extended, short_signature
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.evaluation.macro import PARTS, macro_table
from aifgraph.evaluation.micro import micro_tables
from aifgraph.evaluation.pooled import Estimate, pool
from aifgraph.evaluation.record import Outcome
from aifgraph.text import axis
from evaluation.small_corpora import make_corpora

ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
SLACK = 1e-12


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


def test_pairs_that_share_a_map_are_of_one_text(folder: Path, shared: CorpusComparison) -> None:
    assert [pair.text for pair in shared.pairs] == ["map0", "map0", "map3", "map0"]
    assert counts(shared.macro["M-kappa"]) == (2, 4)
    # Maps of another corpus that are called the same are other maps.
    assert len(compare_corpora(folder / "ann", folder / "ben", pair_by=folder / "pairs.tsv").texts.texts) == 4


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


def test_scores_of_a_label_are_undefined_where_nobody_gives_it(tmp_path: Path) -> None:
    for number, kinds in enumerate((("RA", "RA"), ("CA", ""), ("", "MA"))):
        for corpus, kind in zip(("ann", "ben"), kinds, strict=True):
            build = GraphBuilder()
            claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
            if kind:
                build.relation(kind, [reason], claim, "")
            (tmp_path / corpus).mkdir(exist_ok=True)
            aifgraph.dump(build.graph(), tmp_path / corpus / f"map{number}.json")
    micro = compare_corpora(tmp_path / "ann", tmp_path / "ben").with_intervals(Bootstrap(50, seed=1)).micro
    draws = np.random.default_rng(1).integers(0, 3, size=(50, 3))
    for text, label in enumerate(("RA", "CA", "MA")):
        assert micro[f"{label} PR-kappa"].undefined == sum(text not in draw for draw in draws) > 0


@pytest.mark.parametrize(("text", "expected"), [("?!", None), ("yes", 1)])
def test_s_of_sums_without_a_word_and_without_a_place_for_a_boundary(
    tmp_path: Path, text: str, expected: float | None
) -> None:
    build = GraphBuilder()
    build.proposition(text)
    for corpus in ("ann", "ben"):
        (tmp_path / corpus).mkdir()
        aifgraph.dump(build.graph(), tmp_path / corpus / "map.json")
        (tmp_path / corpus / "map.txt").write_text(text, "utf-8")
    assert compare_corpora(tmp_path / "ann", tmp_path / "ben").micro["S"].value == expected


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
    assert any("nobody says 1 proposition of the first corpus and 2 " in caveat for caveat in caveats)
    for about, count in {**counted, "too narrow": 5, "are of one text": 3}.items():
        (line,) = (line for line in caveats if about in line)
        assert re.findall(r"\d+", line)[0] == str(count), line


def test_the_caller_says_what_is_of_one_text(folder: Path, tmp_path: Path) -> None:
    column = tmp_path / "pairs.tsv"
    column.write_text("first\tsecond\ttext\nmap1\tmap1\tone\nmap2\tmap2\tone\nmap3\tmap3\t\n", "utf-8")
    by_column = compare_corpora(folder / "ann", folder / "ben", pair_by=column)
    assert [pair.text for pair in by_column.pairs] == ["one", "one", "map3"]
    assert "|pair_by=table@" in by_column.signature


def test_a_pair_of_a_map_with_itself_counts_and_is_said(folder: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nmap0\tmap0\nmap1\tmap2\nmap2\t\nmap3\t\n", "utf-8")
    found = compare_corpora(folder / "ann", folder / "ann", pair_by=pairs, missing="zero")
    assert [pair.name for pair in found.pairs][:2] == ["map0", "map1 ~ map2"]
    assert "pair-itself" in [notice.code for notice in found.notices]
    # A map that has a pair is missing on neither side.
    assert found.header.unpaired_first == ("map3",)


def test_the_signature_says_how_pairs_were_made(folder: Path, tmp_path: Path) -> None:
    ann, ben = folder / "ann", folder / "ben"
    by_text = compare_corpora(ann, ben, pair_by="text", min_text=0.8).signature
    assert "|pair_by=name|" in compare_corpora(ann, ben).signature
    assert "|pair_by=text|min_text=0.8|" in by_text
    by_file = compare_corpora(ann, ann, pair_by=folder / "pairs.tsv").signature
    assert "|pair_by=table@" in by_file
    (tmp_path / "pairs.tsv").write_text("first\tsecond\nmap0\tmap1\n", "utf-8")
    assert compare_corpora(ann, ann, pair_by=tmp_path / "pairs.tsv").signature != by_file
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


def test_a_missing_text_counts_0_where_its_map_has_something() -> None:
    skipped = compare_corpora(ANN, BEN, chance=4).macro
    zero = compare_corpora(ANN, BEN, chance=4, missing="zero")
    # Of the two texts that one corpus has, one has no argument.
    for number, texts in (("S", 5), ("M-kappa", 5), ("M'-kappa", 5), ("argument M-kappa", 4), ("dialogue M-f1", 5)):
        before, after = skipped[number], zero.macro[number]
        assert (before.texts, after.texts) == (3, texts)
        assert after.value == pytest.approx(before.value * 3 / texts)
    mean, similarity = zero.macro["M'-kappa"].value, zero.macro["S'-kappa"].value
    assert zero.macro["CASS'-kappa"].value == pytest.approx(2 * mean * similarity / (mean + similarity))
    assert zero.micro == compare_corpora(ANN, BEN, chance=4).micro
    assert zero.coverage == "5 texts in 5 pairs; nodeset4 (only ann) and nodeset5 (only ben) count 0."
    assert zero.to_dict()["unpaired"] == {"first": ("nodeset4",), "second": ("nodeset5",)}


def test_measures_are_means_over_texts(folder: Path) -> None:
    result = compare_corpora(folder / "ann", folder / "ann", pair_by=folder / "pairs.tsv", measures="kirschner_graph")
    values = [pair.measures["kirschner_graph"] for pair in result.pairs]
    assert result.macro["kirschner_graph"].value == pytest.approx((np.mean([*values[:2], values[3]]) + values[2]) / 2)


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
    assert main([*arguments, "--format", "csv"]) == 0
    rows = {(row["of"], row["number"]): row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    for name, pooled in (("macro", result.macro), ("micro", result.micro)):
        for number, estimate in pooled.items():
            row = rows[name, str(number)]
            assert row["value"] == ("" if estimate.value is None else repr(estimate.value))
            assert (int(row["texts"]), int(row["pairs"])) == counts(estimate)
    pairs = result.pairs_table().records()
    assert [row["CASS-kappa"] for row in pairs] == [pair.kappa for pair in result.pairs]
    assert [row[0] for row in result.tables()[-1].rows] == ["nodeset2", "nodeset1", "nodeset3"]
    assert str(result).splitlines()[-1] == short_signature(result.signature)


MAPS = 8


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Outcome], list[Outcome]]:
    """The pairs of two corpora, and those of the first with empty maps on the same texts."""
    folder = tmp_path_factory.mktemp("empty")
    ann, ben = make_corpora(folder, MAPS, size=4)
    (folder / "none").mkdir()
    for number in range(MAPS):
        (folder / "none" / f"map{number}.json").write_text('{"nodes": [], "edges": [], "locutions": []}', "utf-8")
        (folder / "none" / f"map{number}.txt").write_bytes((ann / f"map{number}.txt").read_bytes())
    for corpus in (ann, ben, folder / "none"):  # of this text S is that of units
        (corpus / "map7.txt").unlink()
    found, empty = (compare_corpora(ann, other, chance=2) for other in (ben, folder / "none"))
    return list(found.outcomes), list(empty.outcomes)


@given(data=st.data())
def test_it_raises_no_mean_over_texts(both: tuple[list[Outcome], list[Outcome]], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, MAPS - 1), min_size=1, max_size=MAPS, unique=True))
    texts = data.draw(st.lists(st.sampled_from("abc"), min_size=MAPS, max_size=MAPS))
    place = data.draw(st.sampled_from(chosen))
    found, empty = ([replace(of, text=text) for of, text in zip(side, texts, strict=True)] for side in both)
    before = pool(macro_table(found[number] for number in chosen))
    after = pool(macro_table((empty if number == place else found)[number] for number in chosen))
    pair: Any = found[place].result

    def is_lower(number: str) -> bool:
        then, now = before[number].value, after[number].value
        return then is not None and now is not None and now <= then + SLACK

    # Not of scores such as accuracy, which are above 0 without agreement on a label.
    for score in ("kappa", "f1"):
        for layer, part in PARTS.items():
            if (pair.layers[layer].mean[score] or 0) > 0:
                assert is_lower(f"{part} M-{score}".strip())
                if is_lower(f"{part} S".strip()):
                    assert is_lower(f"{part} CASS-{score}".strip())
        if (pair.cass[score] or 0) > 0:
            assert is_lower(f"mean CASS-{score}")
        if pair.explicit and (pair.explicit.scores[score] or 0) > 0:
            assert is_lower(f"ER-{score}")
