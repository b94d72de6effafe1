"""Several corpora as tables: significance, agreement, the noise floor."""

from __future__ import annotations

from collections.abc import Sequence

from aifgraph.evaluation.agreement import Agreement
from aifgraph.evaluation.perturbation import NoisePoint
from aifgraph.evaluation.significance import Significance
from aifgraph.tables.table import Cell, Table


def significance_tables(result: Significance) -> list[Table]:
    """The systems, and every test."""
    scores = list(next(iter(result.cass.values())))
    systems: list[list[Cell]] = [[name, *(found[score] for score in scores)] for name, found in result.cass.items()]
    tests: list[list[Cell]] = [
        [each.first, each.second, each.score, each.test.difference, each.test.p, each.adjusted] for each in result.tests
    ]
    note = f"{result.texts} texts" + (f"; {len(result.left_out)} left out" if result.left_out else "")
    how = (
        f"paired approximate randomisation, {result.rounds} rounds, seed {result.seed}; Holm over the pairs of a score"
    )
    return [
        Table(f"Macro CASS ({result.layer or 'all'})", ("system", *scores), systems, note=note),
        Table("Tests", ("first", "second", "score", "difference", "p", "p (Holm)"), tests, digits=4, note=how),
    ]


def agreement_tables(result: Agreement) -> list[Table]:
    """The matrices of CASS-κ and CASS-F1, and the agreement of all at once."""
    tables = []
    for shown, score in (("CASS-κ", "kappa"), ("CASS-F1", "f1")):
        rows: list[list[Cell]] = [
            [
                name,
                *(None if name == other else result.between(name, other, score) for other in result.annotators),
                result.against_the_rest(name, score),
            ]
            for name in result.annotators
        ]
        mean = result.mean(score)
        note = f"mean over pairs {mean:.3f}" if mean is not None else ""
        tables.append(Table(f"{shown} of every two", ("", *result.annotators, "the rest"), rows, note=note))
    all_: list[list[Cell]] = [
        [name.replace("_", " "), result.items[name], result.alpha[name], result.fleiss[name]] for name in result.alpha
    ]
    notes = [f"{name.replace('_', ' ')}: {reason}" for name, reason in result.reasons.items()]
    columns = ("calculation", "items", "Krippendorff's α", "Fleiss' κ")
    tables.append(Table("All at once", columns, all_, note="\n".join(notes)))
    texts: list[list[Cell]] = [[name, count] for name, count in result.texts.items()]
    tables.append(Table("Texts done by two or more", ("annotator", "texts"), texts))
    if result.failed:
        tables.append(Table("Failed", ("name", "error"), result.failed))
    return tables


def noise_table(points: Sequence[NoisePoint]) -> Table:
    """One row per kind and share."""
    rows: list[list[Cell]] = [
        [p.kind, p.share, p.maps, p.S, p.mean["kappa"], p.cass["kappa"], p.mean["f1"], p.cass["f1"]] for p in points
    ]
    columns = ("changed", "share", "maps", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1")
    return Table("CASS against perturbed copies", columns, rows)
