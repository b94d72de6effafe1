"""Sections 5 to 7: scores of a matrix, segmentation, the fusion."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from .calculate import NAMES, NONE, Label, Table
from .match import Matching
from .place import Placed, Run
from .read import Analysis
from .words import words

Number = float | None
SCORES = ("kappa", "f1", "accuracy", "precision", "recall", "specificity", "balanced_accuracy", "informedness")
SCORES += ("mcc", "macro_f1", "pi", "alpha", "ac1")


def _ratio(top: Fraction | int, bottom: Fraction | int) -> Fraction | None:
    return Fraction(top) / bottom if bottom else None


def matrix_scores(cells: dict[tuple[Label, Label], int]) -> dict[str, Number]:
    total = sum(cells.values())
    diagonal = sum(n for (r, c), n in cells.items() if r == c)
    labels = sorted({k for cell, n in cells.items() if n for k in cell})
    row = {k: sum(n for (r, _), n in cells.items() if r == k) for k in labels}
    column = {k: sum(n for (_, c), n in cells.items() if c == k) for k in labels}
    tn = cells.get((NONE, NONE), 0)
    tp = diagonal - tn
    fn = sum(n for (r, c), n in cells.items() if r != c and r != NONE)
    fp = sum(n for (r, c), n in cells.items() if r != c and c != NONE)
    perfect = diagonal == total

    out: dict[str, Fraction | float | None] = {}
    po = Fraction(diagonal, total)
    pe = Fraction(sum(row[k] * column[k] for k in labels), total * total)
    out["kappa"] = Fraction(1) if pe == 1 else (po - pe) / (1 - pe)
    out["f1"] = _ratio(2 * tp, 2 * tp + fp + fn)
    out["accuracy"] = po
    out["precision"] = _ratio(tp, tp + fp)
    recall = out["recall"] = _ratio(tp, tp + fn)
    specificity = out["specificity"] = _ratio(tn, tn + fp)
    known = recall is not None and specificity is not None
    out["balanced_accuracy"] = (recall + specificity) / 2 if known else None
    out["informedness"] = recall + specificity - 1 if known else None

    spread = (total**2 - sum(row[k] ** 2 for k in labels)) * (total**2 - sum(column[k] ** 2 for k in labels))
    if perfect:
        out["mcc"] = Fraction(1)
    elif spread:
        out["mcc"] = (total * diagonal - sum(row[k] * column[k] for k in labels)) / math.sqrt(spread)
    else:
        out["mcc"] = None
    single = [_ratio(2 * cells.get((k, k), 0), row[k] + column[k]) for k in labels if k != NONE]
    out["macro_f1"] = _ratio(sum(f for f in single if f is not None), len(single))

    both = {k: Fraction(row[k] + column[k], 2 * total) for k in labels}
    chance_pi = sum(p * p for p in both.values())
    values = 2 * total
    expected = Fraction(
        sum((row[j] + column[j]) * (row[k] + column[k]) for j in labels for k in labels if j != k), values - 1
    )
    chance_ac1 = sum(p * (1 - p) for p in both.values()) / (max(2, len(labels)) - 1)
    out["pi"] = _ratio(po - chance_pi, 1 - chance_pi)
    disagreement = 2 * (total - diagonal)
    part = _ratio(disagreement, expected)
    out["alpha"] = None if part is None else 1 - part
    out["ac1"] = _ratio(po - chance_ac1, 1 - chance_ac1)
    if perfect:
        out["pi"] = out["alpha"] = out["ac1"] = Fraction(1)
    return {k: None if out[k] is None else float(out[k]) for k in SCORES}


# -- section 6


def masses(placed: Placed, mapping: list[int], length: int) -> list[int]:
    runs: set[Run] = {run for unit in placed.runs.values() for run in unit}
    inner = {b for s, e in runs for b in (mapping[s], mapping[e - 1] + 1)} - {0, length}
    return [e - s for s, e in pairwise([0, *sorted(inner), length])] if length else []


def boundary_edits(first: list[int], second: list[int]) -> tuple[int, int, int]:
    """Additions, transpositions of one place, matches; pairs are taken from the left (Fournier and Inkpen 2012)."""
    a, b = _inner(first), _inner(second)
    open_places = a ^ b
    transpositions = 0
    for p in sorted(a ^ b):
        if p in open_places and p + 1 in open_places and (p in a) != (p + 1 in a):
            open_places -= {p, p + 1}
            transpositions += 1
    return len(open_places), transpositions, len(a & b)


def _inner(segments: list[int]) -> set[int]:
    return {sum(segments[:k]) for k in range(1, len(segments))}


def by_positions(first: list[int], second: list[int]) -> dict[str, Number]:
    length = sum(first)
    added, swapped, matched = boundary_edits(first, second)
    edits = added + Fraction(swapped, 2)
    counted = added + swapped + matched
    out: dict[str, Number] = {"S": float(1 - edits / (length - 1)) if counted else 1.0}
    out["B"] = float(1 - edits / counted) if counted else None
    window = max(2, round(Fraction(length, len(first)) / 2))
    a, b = _inner(first), _inner(second)
    probes = length - window
    split = count = 0
    for i in range(max(0, probes)):
        in_a = sum(1 for p in a if i < p <= i + window)
        in_b = sum(1 for p in b if i < p <= i + window)
        split += (in_a > 0) != (in_b > 0)
        count += in_a != in_b
    out["Pk"] = split / probes if probes > 0 else None
    out["WindowDiff"] = count / probes if probes > 0 else None
    return out


def by_units(first: Analysis, second: Analysis, matchings: list[Matching], layers: str) -> Number:
    """1 − E / (U_A + U_B): the share of units in common; of the layer that both have, where one lacks the other."""
    units = (set(first.units()), set(second.units()))
    propositions, locutions = ([bool(g.of(kind)) for g in (first, second)] for kind in ("I", "L"))
    if layers == "common" and all(propositions) and sum(locutions) == 1:
        units = (set(first.of("I")), set(second.of("I")))
    elif layers == "common" and all(locutions) and sum(propositions) == 1:
        units = (set(first.of("L")), set(second.of("L")))
    if not any(words(g.said[u]) for g, of in zip((first, second), units, strict=True) for u in of):
        return None
    edits = sum(
        abs(sum(n in units[0] for n in in_a) - sum(n in units[1] for n in in_b))
        for matching in matchings
        for in_a, in_b in matching.classes
    )
    return float(1 - Fraction(edits, len(units[0]) + len(units[1])))


# -- section 7


def average(values: Iterable[Number]) -> Number:
    known = [v for v in values if v is not None]
    return math.fsum(known) / len(known) if known else None


def mean(tables: dict[str, Table], score: str, over: str = "calculations") -> Number:
    """M, over the calculations or over the means of the layers."""
    values = {n: matrix_scores(t.cells)[score] for n, t in tables.items() if t.applicable}
    if over == "layers":
        return average(average(v for n, v in values.items() if n in names) for names in LAYERS.values())
    return average(values.values())


def empty(units: tuple[int, int]) -> bool:
    """One side has units and the other none."""
    return bool(units[0]) != bool(units[1])


def mean_of_part(tables: dict[str, Table], names: Iterable[str] | None, score: str, over: str, nothing: bool) -> Number:
    """M of the whole (``names`` None) or of a layer; 0 where one side is empty (``nothing``) and it applies."""
    chosen = {n: t for n, t in tables.items() if names is None or n in names}
    if nothing:
        return 0.0 if names is None or any(t.applicable for t in chosen.values()) else None
    return mean(chosen, score, over)


def fuse(m: Number, s: Number, nothing: bool, has_words: bool) -> Number:
    if nothing and m is not None:
        return 0.0
    if m is None or s is None or not has_words:
        return None
    return 0.0 if m <= 0 or s <= 0 else 2 * m * s / (m + s)


LAYERS = {
    "propositional": ("propositional_relations", "argument_structure", "explicit_relations"),
    "dialogical": NAMES[1:],
}
