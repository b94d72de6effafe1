"""Section 8: the library's macro and micro against a naive implementation of the definition."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, CorpusComparison, Options, compare, compare_corpora, load
from evaluation.small_corpora import make_corpora

from .corpus import Missing, macro, micro, texts_of
from .score import SCORES

SLACK = 1e-9


def _corpora(folder: Path, rng: random.Random) -> tuple[Path, Path]:
    """Two corpora of eight maps, some without a text, an argument, or anything."""
    ann, ben = make_corpora(folder, 8, seed=rng.randint(0, 99), size=4)
    for corpus in (ann, ben):
        path = corpus / f"map{rng.randrange(8)}.json"
        path.write_text('{"nodes": [], "edges": [], "locutions": []}', encoding="utf-8")
    for number in rng.sample(range(8), 2):
        for corpus in (ann, ben):
            (corpus / f"map{number}.txt").unlink()
    bare = ann / f"map{rng.randrange(8)}.json"
    bare.write_text(bare.read_text("utf-8").replace('"type": "L"', '"type": "EN"'), encoding="utf-8")
    return ann, ben


LAYERS = {"all": "", "propositional": "argument ", "dialogical": "dialogue "}


def _check(result: CorpusComparison, texts: list[int], missing: Sequence[Missing] = ()) -> None:
    documents: list[dict[str, Any]] = result.to_dict()["pairs"]
    expected = macro(documents, texts, missing)

    def same(number: str, of: dict[str, Any]) -> None:
        found = result.macro[number]
        assert found.value == pytest.approx(of["value"], abs=SLACK), number
        if of["value"] is not None:
            assert (found.texts, found.pairs) == (of["texts"], of["pairs"]), number

    for layer, of_layer in expected["layers"].items():
        part = LAYERS[layer]
        same(f"{part}S", of_layer["S"])
        for score in SCORES:
            same(f"{part}M-{score}", of_layer["mean"][score])
            assert result.macro[f"{part}CASS-{score}"].value == pytest.approx(of_layer["cass"][score], abs=SLACK)
            if of_chance := of_layer["chance"].get(score):
                same(f"{part}E-{score}", of_chance["mean"])
                same(f"{part}M'-{score}", of_chance["above"])
                assert result.macro[f"{part}CASS'-{score}"].value == pytest.approx(of_chance["cass"], abs=SLACK)
    for score in SCORES:
        same(f"mean_of_cass-{score}", expected["mean_of_cass"][score])
        same(f"ER-{score}", expected["explicit"][score])
        if of_chance := expected["chance"].get(score):
            same(f"E(ER)-{score}", of_chance["mean"])
            same(f"ER'-{score}", of_chance["above"])
    summed, mine = micro(documents, Options.parse(result.header.signature).mean), result.micro
    assert mine["S"].value == pytest.approx(summed["S"], abs=SLACK)
    for score in SCORES:
        for layer, of_layer in summed["layers"].items():
            assert mine[f"{LAYERS[layer]}M-{score}"].value == pytest.approx(of_layer["mean"][score], abs=SLACK)
            assert mine[f"{LAYERS[layer]}CASS-{score}"].value == pytest.approx(of_layer["cass"][score], abs=SLACK)
        of_explicit = summed["explicit"][score] if summed["explicit"] else None
        assert mine[f"ER-{score}"].value == pytest.approx(of_explicit, abs=SLACK)


@pytest.mark.parametrize("seed", range(6))
def test_random_corpora(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    ann, ben = _corpora(tmp_path, rng)
    first, second = (ann, ann) if rng.random() < 0.5 else (ann, ben)
    maps = [(f"map{rng.randrange(8)}", f"map{rng.randrange(8)}") for _ in range(10)]
    maps = [both for both in dict.fromkeys(maps) if first != second or both[0] != both[1]]
    (tmp_path / "pairs.tsv").write_text("\n".join(map("\t".join, [("first", "second"), *maps])), "utf-8")
    told = {maps[0][0]: "one", maps[-1][1]: "one"} if rng.random() < 0.5 else {}
    options: dict[str, Any] = {"mean": rng.choice(["calculations", "layers"]), "chance": rng.choice([None, 2])}
    if rng.random() < 0.3:
        options["calculations"] = "PR+ER+TR"
    found = compare_corpora(first, second, pair_by=tmp_path / "pairs.tsv", texts=told, **options)
    places = [(f"{first.name}/{both.names.first}", f"{second.name}/{both.names.second}") for both in found.pairs]
    of_caller = [[told[name] for name in both.names if name in told] for both in found.pairs]
    texts = texts_of(places, of_caller)
    assert len(set(texts)) == len({pair.text for pair in found.pairs}) == len(found.texts.texts)
    _check(found, texts)
    counted = compare_corpora(first, second, pair_by=tmp_path / "pairs.tsv", texts=told, missing="zero", **options)
    alone = [first / f"{name}.json" for name in counted.header.unpaired_first]
    alone += [second / f"{name}.json" for name in counted.header.unpaired_second]
    beside_nothing = [compare(load(path), ArgumentGraph((), ()), **options).to_dict() for path in alone]
    _check(counted, texts, list(map(_missing, beside_nothing)))
    assert counted.micro == found.micro


def _missing(document: dict[str, Any]) -> Missing:
    """What a missing text counts 0 in, from its map beside an empty one."""
    layers = [layer for layer, of in document["layers"].items() if of["mean"]["kappa"] is not None]
    return Missing(("all", *layers), "explicit" in document)


@pytest.mark.slow
def test_two_analyses_of_monologue(shared_data: Path, tmp_path: Path) -> None:
    """The numbers of issue 24."""
    folder = shared_data / "araucaria"
    rows = [line.split("\t") for line in (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()]
    pairs = [row[:2] for row in rows if row[2:] != ["identical"]]
    (tmp_path / "pairs.tsv").write_text("\n".join(map("\t".join, pairs)), "utf-8")
    found = compare_corpora(folder, folder, pair_by=tmp_path / "pairs.tsv")
    _check(found, texts_of([pair.names for pair in found.pairs], [[] for _ in found.pairs]))
    numbers = {
        "M": (0.1205, 0.1817),
        "CASS": (0.2143, 0.3058),
        "ER": (0.4453, 0.5107),
    }
    of_sums = {"M": (0.1214, 0.1631), "ER": (0.4040, 0.4588)}
    for pooled, known in ((found.macro, numbers), (found.micro, of_sums)):
        for name, values in known.items():
            assert [pooled[f"{name}-{score}"].value for score in ("kappa", "f1")] == pytest.approx(values, abs=6e-5)
    assert found.macro["S"].value == pytest.approx(0.9643, abs=6e-5)
    assert found.micro["S"].value == pytest.approx(0.9673, abs=6e-5)
    for number, counts in (("M-kappa", (43, 51)), ("ER-kappa", (41, 49))):
        assert (found.macro[number].texts, found.macro[number].pairs) == counts
    of_pairs = [pair.explicit for pair in found.pairs if pair.explicit]
    for score, mean, of_explicit in (("kappa", 0.119, 0.448), ("f1", 0.178, 0.507)):
        assert sum(pair.mean[score] for pair in found.pairs) / 51 == pytest.approx(mean, abs=6e-4)
        assert sum(of.scores[score] for of in of_pairs) / 49 == pytest.approx(of_explicit, abs=6e-4)
