"""The parts of a score (docs/measures.md, section 10).

A calculation with more than one label mixes two questions, which folding its matrix tells apart: whether there is
something (*attachment*), and what it is (*label given attachment*). Beside the calculations: the schemes of relations
that both sides have, the speakers of matched locutions, and the wording of what was matched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis, Pair
from aifgraph.comparison.calculations import paired
from aifgraph.comparison.cass import Natural
from aifgraph.comparison.links import ClassLinks, Link
from aifgraph.graph.nodes import Scheme
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, is_default, scheme_name
from aifgraph.graph.side_data import speaker_prefix
from aifgraph.stats.scores import NONE, SCORES, ConfusionMatrix, Sums, in_order, score_all, undefined_reason
from aifgraph.tables import Cell

#: The names that each side gives to one thing.
NameSets = Pair[frozenset[str]]


@dataclass(frozen=True, slots=True)
class NameCells:
    """Names that two analyses give: the first's, the second's, and how often; only what occurs."""

    cells: tuple[tuple[str, str, Natural], ...] = ()


@dataclass(frozen=True, slots=True)
class NameCounts:
    """The names of schemes, by type of relation, and of the speakers of matched locutions."""

    schemes: Mapping[str, NameCells] = field(default_factory=dict)
    speakers: NameCells = field(default_factory=NameCells)


def break_down(matrices: Mapping[str, ConfusionMatrix], names: NameCounts) -> dict[str, Any]:
    """Return the parts of the scores of some matrices, as plain values."""
    labels = {name: sum(label != NONE for label in matrix.labels) for name, matrix in matrices.items()}
    return {
        "calculations": {name: fold(matrix) for name, matrix in matrices.items() if labels[name] > 1},
        "schemes": {type_: name_agreement(cells) for type_, cells in names.schemes.items()},
        "speakers": name_agreement(names.speakers),
    }


def fold(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Fold a matrix: any label against none, the label where both sides have one, each label against all the rest.

    >>> folded = fold(ConfusionMatrix(("CA", "RA", "none"), ((1, 1, 0), (0, 3, 1), (0, 2, 12))))
    >>> round(folded["attachment"]["f1"], 3), folded["label_given_attachment"]["accuracy"]
    (0.769, 0.8)
    """
    labels = [label for label in matrix.labels if label != NONE]
    return {
        "attachment": _scored(attachment(matrix), "kappa", "f1"),
        "label_given_attachment": _scored(label_given_attachment(matrix), "kappa", "accuracy"),
        "labels": {label: _scored(matrix.collapse(label), "precision", "recall", "f1", "kappa") for label in labels},
    }


def attachment(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """Return any label against none."""
    any_label: Counter[tuple[str, str]] = Counter()
    for (first, second), count in matrix.cells.items():
        any_label["any" if first != NONE else NONE, "any" if second != NONE else NONE] += count
    return ConfusionMatrix.counts(any_label, ("any", NONE))


def label_given_attachment(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """Return the labels where both sides have one."""
    both = {cell: count for cell, count in matrix.cells.items() if NONE not in cell}
    return ConfusionMatrix.counts(both, [label for label in matrix.labels if label != NONE])


def _scored(matrix: ConfusionMatrix, *names: str) -> dict[str, Any]:
    """Return scores of a matrix, how often either side gives a label, and why scores are undefined."""
    scores = score_all(matrix, names)
    first, second = (sums[-1] if matrix.labels[-1:] == (NONE,) else 0 for sums in (matrix.row_sums, matrix.column_sums))
    support = {"first": matrix.total - first, "second": matrix.total - second}
    undefined = {name: undefined_reason(name, matrix) for name, value in scores.items() if value is None}
    return {**scores, "support": support, **({"undefined": undefined} if undefined else {})}


def name_agreement(names: NameCells) -> dict[str, Any]:
    """Return kappa over all names with ``none``, and the share of equal ones among those that are compared."""
    rows, columns, equal = Counter[str](), Counter[str](), Counter[str]()  # a matrix of all names would be large
    for first, second, count in names.cells:
        rows[first] += count
        columns[second] += count
        equal[first] += count if first == second else 0
    labels = in_order(sorted({*rows, *columns}))
    in_rows, in_columns, in_both = ([counts[name] for name in labels] for counts in (rows, columns, equal))
    sums = Sums.from_margins(in_rows, in_columns, in_both, labels[-1:] == [NONE])
    undefined = "neither side names one" if labels == [NONE] else ""
    if not names.cells:
        undefined = "there is nothing that both sides have"
    return {
        "compared": sums.total,
        **{name: None if undefined else SCORES[name].from_sums(sums) for name in ("kappa", "accuracy")},
        "support": {name: {"first": rows[name], "second": columns[name]} for name in labels},
        "cells": [list(cell) for cell in names.cells],
        **({"undefined": undefined} if undefined else {}),
    }


def flat_rows(behind: Mapping[str, Any]) -> Iterator[dict[str, Cell]]:
    """Yield a row for each part of a breakdown: of what, which part, supports, scores."""
    for name, folded in behind["calculations"].items():
        whole = ("attachment", folded["attachment"]), ("label given attachment", folded["label_given_attachment"])
        for part, fold in (*whole, *folded["labels"].items()):
            yield {"of": name, "part": part, **fold["support"], **fold}
    schemes = (("schemes", f"{type_} that both have", names) for type_, names in behind["schemes"].items())
    for what, part, names in (*schemes, ("speakers", "matched locutions", behind["speakers"])):
        if names["support"].keys() - {NONE}:  # somebody gives a name
            unnamed = names["support"].get(NONE, {"first": 0, "second": 0})
            named = {side: names["compared"] - count for side, count in unnamed.items()}
            yield {"of": what, "part": part, **named, "kappa": names["kappa"], "accuracy": names["accuracy"]}


# -- schemes and speakers ---------------------------------------------------------------------------------------------


def count_names(alignment: Alignment, links: Pair[ClassLinks]) -> NameCounts:
    """Count the names of the schemes of relations that both sides have, and of the speakers of matched locutions."""
    ours, theirs = map(_schemes, links)
    schemes: defaultdict[str, list[NameSets]] = defaultdict(list)
    for relation in ours.keys() & theirs.keys():
        schemes[relation[1]].append((frozenset(ours[relation]), frozenset(theirs[relation])))
    first, second = alignment.analyses
    speakers = [
        (speaker_names(first, node_class.first), speaker_names(second, node_class.second))
        for node_class in alignment.locutions.classes
        if node_class.first and node_class.second
    ]
    return NameCounts({type_: _name_cells(schemes[type_]) for type_ in sorted(schemes)}, _name_cells(speakers))


def _name_cells(pairs: Iterable[NameSets]) -> NameCells:
    """Count pairs of names; names are equal if their letters and digits are, and the smallest spelling is shown."""
    counts = Counter(pairs)
    shown: dict[str | None, str] = {None: NONE}
    for name in sorted({name for sets in counts for names in sets for name in names}):
        shown.setdefault(name_key(name), f"“{name}”" if name == NONE else name)
    cells: Counter[tuple[str, str]] = Counter()
    for sets, count in counts.items():
        first, second = (set(map(name_key, names)) for names in sets)
        for key, other_key in paired(first, second) if first or second else [(None, None)]:
            cells[shown[key], shown[other_key]] += count
    return NameCells(tuple((first, second, count) for (first, second), count in sorted(cells.items())))


def name_key(name: str) -> str:
    """Return a name as names are compared."""
    return fold_name(name) or name


def _schemes(side: ClassLinks) -> Mapping[tuple[Link, str], set[str]]:
    """Return the relations between classes, with the names of the schemes of their S-nodes."""
    schemes: defaultdict[tuple[Link, str], set[str]] = defaultdict(set)
    for node, link, type_ in side.compared:
        if len(link) == 2:
            schemes[link, type_].update(scheme_names(side.analysis.schemes(node), type_))
    return schemes


def scheme_names(schemes: Iterable[Scheme], kind: str) -> Iterator[str]:
    """Yield the names of the schemes of a relation, but for the default."""
    for scheme in schemes:
        name = (scheme.name or "").strip() or scheme_name(scheme.id or "")
        if name and not is_default(scheme, kind) and fold_name(name) != fold_name(DEFAULT_TEXTS[kind]):
            yield name


def speaker_names(analysis: Analysis, locutions: Iterable[int]) -> frozenset[str]:
    """Return the names of those who made some locutions: of the participant, else the prefix of the text."""
    names: set[str] = set()
    for number in locutions:
        person = analysis.graph._recorded_speaker(analysis.ids[number])
        names.add((person.name if person else "") or speaker_prefix(analysis.texts[number]))
    return frozenset(names - {""})
