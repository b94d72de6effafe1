"""Section 8, from the documents of the pairs (``to_dict``): texts, macro and micro, written naively."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .calculate import NONE
from .score import LAYERS, SCORES, matrix_scores

Number = float | None
LEVELS = ("all", *LAYERS)


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


def average(values: Sequence[Number]) -> Number:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def fuse(m: Number, s: Number) -> Number:
    if m is None or s is None:
        return None
    return 0.0 if m <= 0 or s <= 0 else 2 * m * s / (m + s)


class Missing(NamedTuple):
    """A text that one side lacks: the layers that it counts 0 in, and whether it does in ER."""

    layers: Sequence[str]
    explicit: bool


def macro(pairs: Sequence[dict[str, Any]], texts: Sequence[int], lacking: Sequence[Missing] = ()) -> dict[str, Any]:
    """Means over the texts; those that one side lacks count 0 in the layers that their maps have."""

    def over_texts(values: Sequence[Number], part: str = "all") -> dict[str, Any]:
        missing = sum(of.explicit if part == "ER" else part in of.layers for of in lacking)
        by_text: dict[int, list[float]] = {}
        for text, value in zip(texts, values, strict=True):
            if value is not None:
                by_text.setdefault(text, []).append(value)
        means = [average(of_text) for of_text in by_text.values()] + [0.0] * missing
        return {"value": average(means), "texts": len(means), "pairs": sum(map(len, by_text.values())) + missing}

    out: dict[str, Any] = {"explicit": {}, "chance": {}, "mean_of_cass": {}, "layers": {}}
    for score in SCORES:
        values = [pair["explicit"][score] if "explicit" in pair else None for pair in pairs]
        out["explicit"][score] = over_texts(values, "ER")
        if pairs and "chance" in pairs[0]:
            against = [pair["explicit"]["chance"] if "explicit" in pair else None for pair in pairs]
            found = [of and (of["mean"][score], of["above"][score]) for of in against]
            defined = [of if of and None not in of else (None, None) for of in found]
            out["chance"][score] = {
                "mean": over_texts([of[0] for of in defined], "ER"),
                "above": over_texts([of[1] for of in defined], "ER"),
            }
        out["mean_of_cass"][score] = over_texts([pair["cass"][score] for pair in pairs])
    for level in LEVELS:
        levels = [pair if level == "all" else pair["layers"][level] for pair in pairs]
        counts = [
            pair["segmentation"]["S"] is not None and of["mean"]["kappa"] is not None
            for pair, of in zip(pairs, levels, strict=True)
        ]

        def where(defined: Sequence[bool], values: Sequence[Number]) -> list[Number]:
            return [value if counted else None for counted, value in zip(defined, values, strict=True)]

        of_s = [pair["segmentation"]["S"] for pair in pairs]
        layer: dict[str, Any] = {"S": over_texts(where(counts, of_s), level), "mean": {}, "cass": {}, "chance": {}}
        for score in SCORES:
            layer["mean"][score] = over_texts(where(counts, [of["mean"][score] for of in levels]), level)
            layer["cass"][score] = fuse(layer["mean"][score]["value"], layer["S"]["value"])
            if pairs and "chance" in pairs[0]:
                expected = [of["chance"]["mean"][score] for of in levels]
                above = [of["chance"]["above"][score] for of in levels]
                both = [c and e is not None and a is not None for c, e, a in zip(counts, expected, above, strict=True)]
                of_above = over_texts(where(both, above), level)
                cass = fuse(of_above["value"], over_texts(where(both, of_s), level)["value"])
                of_chance = over_texts(where(both, expected), level)
                layer["chance"][score] = {"mean": of_chance, "above": of_above, "cass": cass}
        out["layers"][level] = layer
    return out


def micro(pairs: Sequence[dict[str, Any]], mean: str = "calculations") -> dict[str, Any]:
    """Scores of summed counts."""
    cells: dict[str, Counter[tuple[str, str]]] = {}
    explicit: Counter[tuple[str, str]] = Counter()
    weight, potential, defined = 0.0, 0, False
    for pair in pairs:
        for name, of in pair["calculations"].items():
            if of["applicable"]:
                cells.setdefault(name, Counter()).update(_cells(of))
        if "explicit" in pair:
            explicit.update(_cells(pair["explicit"]))
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
    out: dict[str, Any] = {"S": similarity, "explicit": matrix_scores(explicit) if explicit else None, "layers": {}}
    for level in LEVELS:
        own = {name: of for name, of in scores.items() if level == "all" or name in LAYERS[level]}
        means = {score: _mean(own, score, mean) for score in SCORES}
        cass = {score: fuse(value, similarity) for score, value in means.items()}
        out["layers"][level] = {"mean": means, "cass": cass}
    return out


def _cells(of: Mapping[str, Any]) -> Counter[tuple[str, str]]:
    labels = [NONE if label == "none" else label for label in of["labels"]]
    return Counter({(labels[r], labels[c]): n for r, row in enumerate(of["matrix"]) for c, n in enumerate(row) if n})


def _mean(scores: Mapping[str, Mapping[str, Number]], score: str, mean: str) -> Number:
    if mean == "calculations":
        return average([of[score] for of in scores.values()])
    return average([average([scores[name][score] for name in names if name in scores]) for names in LAYERS.values()])
