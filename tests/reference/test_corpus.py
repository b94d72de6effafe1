"""Section 8: the library's macro and micro against the definition, written naively from the documents of the pairs."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from aifgraph import ArgumentGraph, CorpusComparison, compare, compare_corpora, load
from evaluation.small_corpora import make_corpora

from .calculate import LAYERS, NONE, SCORES, Number, average, matrix_scores
from .calculate import fuse as fuse_by_rules

#: The layers, by what the names of their numbers begin with.
PARTS = {"": "all", "argument ": "propositional", "dialogue ": "dialogical"}
SLACK = 1e-9


def texts_of(maps: Sequence[tuple[str, str]], told: Sequence[Sequence[str]]) -> list[int]:
    """Of each pair the number of its text: pairs with a map, or with something that is told of both, in common."""
    groups = [
        {("map", name) for name in both} | {("text", name) for name in of} for both, of in zip(maps, told, strict=True)
    ]
    number = list(range(len(groups)))
    for _ in groups:
        for one in range(len(groups)):
            for other in range(len(groups)):
                if groups[one] & groups[other]:
                    number[one] = number[other] = min(number[one], number[other])
    return number


def fused(m: Number, s: Number) -> Number:
    return fuse_by_rules(m, s, False, True)


class Missing(NamedTuple):
    """A text that one side lacks: the layers that it counts 0 in, and whether it does in ER."""

    layers: Sequence[str]
    explicit: bool


class Mean(NamedTuple):
    value: Number
    texts: int | None = None
    pairs: int | None = None


def macro(pairs: Sequence[dict[str, Any]], texts: Sequence[int], lacking: Sequence[Missing] = ()) -> dict[str, Mean]:
    """Means over the texts; those that one side lacks count 0 in the layers that their maps have."""

    def over_texts(values: Sequence[Number], part: str) -> Mean:
        missing = sum(of.explicit if part == "ER" else part in of.layers for of in lacking)
        by_text: dict[int, list[float]] = {}
        for text, value in zip(texts, values, strict=True):
            if value is not None:
                by_text.setdefault(text, []).append(value)
        means = [average(of_text) for of_text in by_text.values()] + [0.0] * missing
        return Mean(average(means), len(means), sum(map(len, by_text.values())) + missing)

    def against_chance(found: Sequence[Any], score: str) -> tuple[list[Number], list[Number]]:
        """E and the share above it, where both are defined."""
        both = [(of["mean"][score], of["above"][score]) if of else (None, None) for of in found]
        both = [(None, None) if None in each else each for each in both]
        return [e for e, _ in both], [above for _, above in both]

    out: dict[str, Mean] = {}
    said = [pair.get("explicit") for pair in pairs]
    cuts = [pair["segmentation"]["S"] for pair in pairs]
    for score in SCORES:
        out[f"mean CASS-{score}"] = over_texts([pair["cass"][score] for pair in pairs], "all")
        out[f"ER-{score}"] = over_texts([of and of[score] for of in said], "ER")
        if pairs and "chance" in pairs[0]:
            expected, above = against_chance([of and of["chance"] for of in said], score)
            out[f"E(ER)-{score}"], out[f"ER'-{score}"] = over_texts(expected, "ER"), over_texts(above, "ER")
    for part, level in PARTS.items():
        levels = [pair if level == "all" else pair["layers"][level] for pair in pairs]
        counts = [s is not None and of["mean"]["kappa"] is not None for s, of in zip(cuts, levels, strict=True)]

        def counted(values: Sequence[Number], counts: Sequence[bool] = counts, level: str = level) -> Mean:
            return over_texts([value if c else None for c, value in zip(counts, values, strict=True)], level)

        s = out[f"{part}S"] = counted(cuts)
        for score in SCORES:
            m = out[f"{part}M-{score}"] = counted([of["mean"][score] for of in levels])
            out[f"{part}CASS-{score}"] = Mean(fused(m.value, s.value))
            if pairs and "chance" in pairs[0]:
                expected, above = against_chance([of["chance"] for of in levels], score)
                out[f"{part}E-{score}"] = counted(expected)
                m = out[f"{part}M'-{score}"] = counted(above)
                there = counted([None if e is None else s for e, s in zip(expected, cuts, strict=True)])
                out[f"{part}CASS'-{score}"] = Mean(fused(m.value, there.value))
    return out


def micro(pairs: Sequence[dict[str, Any]], mean: str = "calculations", reference: bool = False) -> dict[str, Number]:
    """Scores of summed counts."""
    cells: dict[str, Counter[tuple[str, str]]] = {}
    weight, potential, defined = 0.0, 0, False
    for pair in pairs:
        explicit = pair.get("explicit") or pair.get("explicit_beyond") or {"applicable": False, "label_count": 0}
        for name, of in [*pair["calculations"].items(), ("ER", explicit)]:
            # Against a reference, what only the second labels counts here, and in no mean.
            if of["applicable"] or (reference and of["label_count"]):
                cells.setdefault(name, Counter()).update(_cells(of))
        cuts = pair["segmentation"]
        if cuts["S"] is None:
            continue
        defined = True
        if cuts["mode"] == "positions":
            weight, potential = weight + cuts["edits"], potential + cuts["potential"]
        else:
            units = pair["first"]["units"] + pair["second"]["units"]
            weight, potential = weight + (1 - cuts["S"]) * units, potential + units
    similarity = (1 - weight / potential if potential else 1.0) if defined else None
    scores = {name: matrix_scores(of) for name, of in cells.items()}
    explicit = scores.pop("ER", dict.fromkeys(SCORES))
    out = {"S": similarity, **{f"ER-{score}": explicit[score] for score in SCORES}}
    for part, level in PARTS.items():
        own = {name: of for name, of in scores.items() if level == "all" or name in LAYERS[level]}
        for score in SCORES:
            m = out[f"{part}M-{score}"] = _mean(own, score, mean)
            out[f"{part}CASS-{score}"] = fused(m, similarity)
    return out


def _cells(of: Mapping[str, Any]) -> Counter[tuple[str, str]]:
    labels = [NONE if label == "none" else label for label in of["labels"]]
    return Counter({(labels[r], labels[c]): n for r, row in enumerate(of["matrix"]) for c, n in enumerate(row) if n})


def _mean(scores: Mapping[str, Mapping[str, Number]], score: str, mean: str) -> Number:
    if mean == "calculations":
        return average([of[score] for of in scores.values()])
    return average([average([scores[name][score] for name in names if name in scores]) for names in LAYERS.values()])


def _corpora(folder: Path, rng: random.Random) -> tuple[Path, Path]:
    """Two corpora of eight maps, some without a text, an argument, or anything."""
    ann, ben = make_corpora(folder, 8, seed=rng.randint(0, 99), size=4)
    for corpus in (ann, ben):
        path = corpus / f"map{rng.randrange(8)}.json"
        path.write_text('{"nodes": [], "edges": [], "locutions": []}', encoding="utf-8")
    for number in rng.sample(range(8), 2):
        for corpus in (ann, ben):
            (corpus / f"map{number}.txt").unlink()
    bare = [(corpus / f"map{number}.json", kind) for kind, number in zip("LI", rng.sample(range(8), 2), strict=True)
            for corpus in ((ann,) if kind == "L" else (ann, ben))]  # fmt: skip
    for path, kind in bare:
        path.write_text(path.read_text("utf-8").replace(f'"type": "{kind}"', '"type": "EN"'), encoding="utf-8")
    return ann, ben


def _check(result: CorpusComparison, texts: list[int], missing: Sequence[Missing] = ()) -> None:
    documents: list[dict[str, Any]] = result.to_dict()["pairs"]
    how = result.header.signature.options
    for name, expected in macro(documents, texts, missing).items():
        found = result.macro[name]
        assert found.value == pytest.approx(expected.value, abs=SLACK), name
        if expected.value is not None and expected.texts is not None:
            assert (found.texts, found.pairs) == expected[1:], name
    for name, value in micro(documents, how.mean, how.reference == "first").items():
        assert result.micro[name].value == pytest.approx(value, abs=SLACK), name


@pytest.mark.parametrize("reference", ["none", "first"])
@pytest.mark.parametrize("seed", range(6))
def test_random_corpora(seed: int, reference: str, tmp_path: Path) -> None:
    rng = random.Random(seed)
    ann, ben = _corpora(tmp_path, rng)
    first, second = (ann, ann) if rng.random() < 0.5 else (ann, ben)
    maps = [(f"map{rng.randrange(8)}", f"map{rng.randrange(8)}") for _ in range(10)]
    maps = [both for both in dict.fromkeys(maps) if first != second or both[0] != both[1]]
    told = {maps[0]: "one", maps[-1]: "one"} if rng.random() < 0.5 else {}
    rows = [("first", "second", "text"), *((*both, told.get(both, "")) for both in maps)]
    (tmp_path / "pairs.tsv").write_text("\n".join(map("\t".join, rows)), "utf-8")
    options: dict[str, Any] = {
        "reference": reference,
        "mean": rng.choice(["calculations", "layers"]),
        "chance": rng.choice([None, 2]),
    }
    if rng.random() < 0.3:
        options["calculations"] = "PR+ER+TR"
    found = compare_corpora(first, second, pair_by=tmp_path / "pairs.tsv", **options)
    places = [(f"{first.name}/{both.names.first}", f"{second.name}/{both.names.second}") for both in found.pairs]
    of_caller = [[told[names] for names in [tuple(both.names)] if names in told] for both in found.pairs]
    texts = texts_of(places, of_caller)
    assert len(set(texts)) == len({pair.text for pair in found.pairs}) == len(found.texts.texts)
    _check(found, texts)
    counted = compare_corpora(first, second, pair_by=tmp_path / "pairs.tsv", missing="zero", **options)
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
    known = {"M": (0.1205, 0.1817), "CASS": (0.2143, 0.3058), "ER": (0.4453, 0.5107)}
    for name, values in known.items():
        assert [found.macro[f"{name}-{score}"].value for score in ("kappa", "f1")] == pytest.approx(values, abs=6e-5)
    for number, counts in (("M-kappa", (43, 51)), ("ER-kappa", (41, 49))):
        assert (found.macro[number].texts, found.macro[number].pairs) == counts
