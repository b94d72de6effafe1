"""Section 10: what a matrix says apart from its scores, and what is counted outside of M."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

from .calculate import NONE, Label, Labels, Relation, Table, View, count
from .match import Matching
from .read import Analysis, label_key
from .score import Number, matrix_scores

ANY = "any"
Cells = dict[tuple[Label, Label], int]


def folded(cells: Cells, fold: Callable[[Label], Label]) -> Cells:
    out: Counter[tuple[Label, Label]] = Counter()
    for (row, column), n in cells.items():
        out[fold(row), fold(column)] += n
    return out


def _chosen(cells: Cells, *names: str) -> dict[str, Number]:
    if not sum(cells.values()):
        return dict.fromkeys(names)
    scores = matrix_scores(cells)
    return {name: scores[name] for name in names}


def occurring(table: Table) -> list[Label]:
    return sorted({k for cell, n in table.cells.items() for k in cell if n} - {NONE})


def behind(table: Table) -> dict[str, Any]:
    cells = dict(table.cells)
    given = {(row, column): n for (row, column), n in cells.items() if NONE not in (row, column)}

    def against_the_rest(label: Label) -> dict[str, Any]:
        single = folded(cells, lambda k: label if k == label else NONE)
        return {
            **_chosen(single, "precision", "recall", "f1", "kappa"),
            "support": {
                "first": sum(n for (row, _), n in single.items() if row == label),
                "second": sum(n for (_, column), n in single.items() if column == label),
            },
        }

    return {
        "items": table.items,
        "decisions": sum(cells.values()),
        "attachment": _chosen(folded(cells, lambda k: ANY if k != NONE else NONE), "kappa", "f1"),
        "label_given_attachment": _chosen(given, "kappa", "accuracy"),
        "labels": {table.display.get(label, label): against_the_rest(label) for label in occurring(table)},
    }


def breakdown(
    graphs: tuple[Analysis, Analysis],
    tables: dict[str, Table],
    propositions: Matching,
    locutions: Matching,
    options: dict[str, Any],
) -> dict[str, Any]:
    types = tuple(options["relations"])
    views = [View(g, name, propositions, locutions, types) for g, name in zip(graphs, "AB", strict=True)]
    return {
        "calculations": {n: behind(t) for n, t in tables.items() if t.applicable and len(occurring(t)) > 1},
        "schemes": {kind: table for kind in types if (table := _schemes(views, kind)) is not None},
        "speakers": _speakers(graphs, locutions),
    }


def _outside(universe: list[Any], a: Labels, b: Labels) -> dict[str, Any] | None:
    """Not one of the calculations: its matrix, agreement, and each label against the rest."""
    if not universe:
        return None
    table = count(universe, a, b)
    labels = [*occurring(table), NONE]
    return {
        **behind(table),
        "matrix_labels": [k or "none" for k in labels],
        "matrix": [[table.cells.get((r, c), 0) for c in labels] for r in labels],
        **(_chosen(table.cells, "kappa", "accuracy") if labels != [NONE] else {"kappa": None, "accuracy": None}),
    }


def scheme_names(g: Analysis, node: str) -> set[Label]:
    """Without the default ones; names are equal if their letters and digits are."""
    return {label_key(name) for name in g.schemes.get(node, []) if not label_key(name).startswith("default")}


def _schemes(views: list[View], kind: str) -> dict[str, Any] | None:
    labels: list[Labels] = []
    for view in views:
        of: dict[Hashable, set[Label]] = {}
        for s in view.g.of(kind):
            for relation in view.relations_of(s):
                of.setdefault(relation, set()).update(scheme_names(view.g, s))
        labels.append(of)
    shared: list[Relation] = sorted(set(labels[0]) & set(labels[1]), key=repr)
    return _outside(shared, *[{r: of[r] for r in shared} for of in labels])


def _speakers(graphs: tuple[Analysis, Analysis], locutions: Matching) -> dict[str, Any] | None:
    matched = [pair for pair in locutions.classes if pair[0] and pair[1]]
    labels: list[Labels] = [
        {k: {label_key(g.speaker[n]) for n in pair[side] if n in g.speaker} for k, pair in enumerate(matched)}
        for side, g in enumerate(graphs)
    ]
    return _outside(list(range(len(matched))), *labels)
