"""Section 8: the library's macro and micro against a naive implementation of the definition."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from aifgraph import compare_corpora
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.pooled import PooledNumber
from evaluation.small_corpora import make_corpora

from .corpus import macro, micro, texts_of
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


def _check(result: CorpusComparison, texts: list[int], missing: int = 0) -> None:
    documents: list[dict[str, Any]] = result.to_dict()["pairs"]
    expected, found = macro(documents, texts, missing), result.macro

    def same(number: PooledNumber, value: float | None, of: dict[str, Any]) -> None:
        assert value == pytest.approx(of["value"], abs=SLACK), number
        assert found.counted[number] == (of["texts"], of["pairs"]), number

    for layer, of_layer in expected["layers"].items():
        same(PooledNumber("S", layer), found.similarity[layer], of_layer["S"])
        for score in SCORES:
            own = found.over[layer]
            same(PooledNumber("mean", layer, score), own.mean[score], of_layer["mean"][score])
            assert own.cass[score] == pytest.approx(of_layer["cass"][score], abs=SLACK)
            if found.chance:
                against, of_chance = found.chance.over[layer], of_layer["chance"][score]
                same(PooledNumber("by_chance", layer, score), against.mean[score], of_chance["mean"])
                same(PooledNumber("above_chance", layer, score), against.above[score], of_chance["above"])
                assert against.cass[score] == pytest.approx(of_chance["cass"], abs=SLACK)
    for score in SCORES:
        same(PooledNumber("mean_of_cass", "all", score), found.mean_of_cass[score], expected["mean_of_cass"][score])
        explicit = found.explicit[score] if found.explicit else None
        same(PooledNumber("score", EXPLICIT_RELATIONS.name, score), explicit, expected["explicit"][score])
        if found.chance and found.chance.explicit:
            against, of_chance = found.chance.explicit, expected["chance"][score]
            same(PooledNumber("by_chance", EXPLICIT_RELATIONS.name, score), against.mean[score], of_chance["mean"])
            same(PooledNumber("above_chance", EXPLICIT_RELATIONS.name, score), against.above[score], of_chance["above"])
    summed, mine = micro(documents, result.options.mean), result.micro
    assert pytest.approx(summed["S"], abs=SLACK) == mine.S
    assert (mine.explicit is None) == (summed["explicit"] is None)
    for score in SCORES:
        for layer, of_layer in summed["layers"].items():
            assert mine.over[layer].mean[score] == pytest.approx(of_layer["mean"][score], abs=SLACK)
            assert mine.over[layer].cass[score] == pytest.approx(of_layer["cass"][score], abs=SLACK)
        if mine.explicit:
            assert mine.explicit[score] == pytest.approx(summed["explicit"][score], abs=SLACK)


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
    assert len(set(texts)) == len({pair.text for pair in found.pairs}) == found.macro.texts
    _check(found, texts)
    counted = compare_corpora(first, second, pair_by=tmp_path / "pairs.tsv", texts=told, missing="zero", **options)
    _check(counted, texts, sum(map(len, counted.unpaired)))
    assert counted.micro == found.micro


@pytest.mark.slow
def test_two_analyses_of_monologue(shared_data: Path, tmp_path: Path) -> None:
    """The numbers of issue 24."""
    folder = shared_data / "araucaria"
    rows = [line.split("\t") for line in (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()]
    pairs = [row[:2] for row in rows if row[2:] != ["identical"]]
    (tmp_path / "pairs.tsv").write_text("\n".join(map("\t".join, pairs)), "utf-8")
    found = compare_corpora(folder, folder, pair_by=tmp_path / "pairs.tsv")
    _check(found, texts_of([pair.names for pair in found.pairs], [[] for _ in found.pairs]))
    whole, explicit = found.macro, found.macro.explicit
    assert explicit
    assert found.micro.explicit
    numbers = {
        "M": (whole.mean, 0.1205, 0.1817),
        "CASS": (whole.cass, 0.2143, 0.3058),
        "micro M": (found.micro.mean, 0.1214, 0.1631),
        "ER": (explicit, 0.4453, 0.5107),
        "micro ER": (found.micro.explicit, 0.4040, 0.4588),
    }
    for name, (scores, kappa, f1) in numbers.items():
        assert (scores["kappa"], scores["f1"]) == (pytest.approx(kappa, abs=6e-5), pytest.approx(f1, abs=6e-5)), name
    assert pytest.approx(0.9643, abs=6e-5) == whole.S
    assert pytest.approx(0.9673, abs=6e-5) == found.micro.S
    assert whole.counted[PooledNumber("mean", "all", "kappa")] == (43, 51)
    assert whole.counted[PooledNumber("score", EXPLICIT_RELATIONS.name, "kappa")] == (41, 49)
    of_pairs = [pair.explicit for pair in found.pairs if pair.explicit]
    for score, mean, of_explicit in (("kappa", 0.119, 0.448), ("f1", 0.178, 0.507)):
        assert sum(pair.mean[score] for pair in found.pairs) / 51 == pytest.approx(mean, abs=6e-4)
        assert sum(of[score] for of in of_pairs) / 49 == pytest.approx(of_explicit, abs=6e-4)
