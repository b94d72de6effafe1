"""The tables of a pair: a short one, and every number on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from aifgraph.comparison.breakdown import flat_rows
from aifgraph.comparison.calculations import AS, CALCULATIONS, ER, PR
from aifgraph.comparison.cass import Cass, ScoreLayer, Scores
from aifgraph.comparison.caveats import labelled
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table

if TYPE_CHECKING:
    from aifgraph.comparison.result import PairResult

#: What people read for M of a layer.
M_OF: Final[dict[ScoreLayer, str]] = {"propositional": "argument M", "dialogical": "dialogue M", "all": "M"}
#: The scores of the short table.
SHORT: Final = ("kappa", "f1")
#: What the items of a calculation are called where its name does not say it.
_ITEMS: Final = {PR.name: "relations", ER.name: "relations", AS.name: "pairs of premises"}
#: The scores that fit into one line.
_MAIN: Final = ("kappa", "f1", "accuracy", "macro_f1", "mcc", "alpha", "ac1")
_DECISIONS: Final = "decisions: the sum of the matrix; an item with two labels is one item and two decisions"
_FOLDED: Final = (
    "attachment: any label against none; label given attachment: only where both have a label;\n"
    "else one label against all the rest\n"
    "first, second: how many decisions have it on either side; schemes and speakers are no part of M"
)


def summary(result: PairResult) -> str:
    """Return what matches and what differs, in two sentences.

    >>> import aifgraph
    >>> summary(aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json").result)
    '12 of 13 and 13 propositions and 12 of 13 and 13 locutions match. 16 of 79 decisions differ.'
    """
    matched = [
        f"{nodes.matched} of {getattr(result.first, name)} and {getattr(result.second, name)} {name}"
        for name, nodes in (("propositions", result.matches.propositions), ("locutions", result.matches.locutions))
        if getattr(result.first, name) or getattr(result.second, name)
    ]
    decisions = sum(labelled(matrix) for matrix in result.matrices.values())
    differing = sum(matrix.total - sum(matrix.diagonal) for matrix in result.matrices.values())
    return f"{' and '.join(matched) or 'No nodes'} match. {differing} of {decisions} decisions differ."


def tables_for(result: PairResult, format: str) -> list[Table]:
    """Return what a format holds of a pair: the short table, in CSV every score."""
    measures = [_measures(result)] if result.measures else []
    return [score_table(result) if format == "csv" else short_table(result), *measures]


def short_table(result: PairResult) -> Table:
    """Return what people look at first: κ and F1 of M and CASS, S, and the caveats."""
    chance, rows = result.chance, list[list[Cell]]()

    def add(name: str, scores: Scores, note: str, by_chance: Scores | None = None, above: Scores | None = None) -> None:
        against = [of[score] if of else None for score in SHORT for of in (by_chance, above)] if chance else []
        rows.append([name, *(scores[score] for score in SHORT), *against, note])

    for layer, name in M_OF.items():
        of, against = result.layers[layer], chance.layers[layer] if chance else None
        if of.n and not (layer == "all" and of.n == 1):
            note = _what_m_is(result, layer, of)
            add(name, of.mean, note, *((against.mean, against.above) if against else ()))
        explicit, against = result.explicit, chance.explicit if chance else None
        if layer == "propositional" and explicit and explicit.coverage and any(of.reconstructed for of in result.sides):
            first, second = explicit.coverage.first, explicit.coverage.second
            note = f"over {first[0]} of {first[1]} and {second[0]} of {second[1]} relations"
            add("explicit relations", explicit.scores, note, *((against.mean, against.above) if against else ()))
    kind = "boundaries in the text" if result.segmentation.mode == "positions" else "units in common"
    rows.append(["S", result.S, None, *([None] * 4 if chance else []), kind])
    undefined = result.layers["all"].undefined
    add("CASS", result.cass, undefined.get("kappa", "M and S"), None, chance.cass if chance else None)
    columns = ("", "κ", "F1", *(("chance κ", "above κ", "chance F1", "above F1") if chance else ()), "what it is")
    notes = [
        f"Not in M: {name.replace('_', ' ')} ({of.reason})." for name, of in result.calculations.items() if of.reason
    ]
    notes += [f"Caveat: {caveat.text}." for caveat in result.caveats]
    return Table(result.summary, columns, rows, note="\n".join(notes))


def _what_m_is(result: PairResult, layer: ScoreLayer, of: Cass) -> str:
    if layer == "all":
        return f"{'mean of the layers' if result.mean_of_layers else 'mean'} of {of.n} calculations"
    if of.n > 1:
        return f"mean of {of.n} calculations"
    name = next(name for name in result.matrices if CALCULATIONS[name].layer == layer)
    matrix = result.matrices[name]
    first, second, same = (sum(sums[:-1]) for sums in (matrix.row_sums, matrix.column_sums, matrix.diagonal))
    items = _ITEMS.get(name, name.replace("_", " "))
    return f"{first} and {second} {items}, {same} alike"


def detailed_tables(result: PairResult) -> Iterator[Table]:
    """Yield every number of a result."""
    cuts = result.segmentation
    cass: list[list[Cell]] = [
        [M_OF[layer], of.n, cuts.S, *(values[score] for score in SHORT for values in (of.mean, of.cass))]
        for layer, of in result.layers.items()
    ]
    yield Table("CASS", ("layer", "n", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1"), cass)
    if result.chance:
        yield chance_table(result)
    calculations: list[list[Cell]] = [
        [name.replace("_", " "), of.items, of.matrix.total, *(of.scores[score] for score in _MAIN)]
        for name, of in result.counted.items()
    ]
    yield Table("Calculations", ("calculation", "items", "decisions", *_MAIN), calculations, note=_DECISIONS)
    columns = ("of", "part", "first", "second", "precision", "recall", "f1", "kappa", "accuracy")
    if folded := [[row.get(column) for column in columns] for row in flat_rows(result.breakdown)]:
        yield Table("Behind the scores", columns, folded, note=_FOLDED)
    measured = [cuts.mode, cuts.S, cuts.B, cuts.Pk, cuts.WindowDiff]
    yield Table("Segmentation", ("mode", "S", "B", "Pk", "WindowDiff"), [measured])
    sides: list[list[Cell]] = [
        [side.name, side.propositions, side.locutions, side.units, side.placed, side.reconstructed, side.text]
        for side in result.sides
    ]
    yield Table("Analyses", ("map", "propositions", "locutions", "units", "placed", "reconstructed", "text"), sides)
    matched: list[list[Cell]] = [
        [name, of.classes, of.matched, of.by_meaning]
        for name, of in (("propositions", result.matches.propositions), ("locutions", result.matches.locutions))
    ]
    yield Table("Alignment", ("of", "classes", "matched", "by meaning"), matched)
    if texts := result.matched_by_meaning:
        note = "a high cosine says that two texts are about the same, not that they claim the same"
        rows = [(of.first, of.second, of.cosine) for of in texts]
        yield Table("Matched by meaning", ("first", "second", "cosine"), rows, note=note)
    if result.measures:
        yield _measures(result)


def _measures(result: PairResult) -> Table:
    return Table("Other measures", ("measure", "value"), list(result.measures.items()))


def chance_table(result: PairResult) -> Table:
    """Return every score a row: M, by chance, above chance, and CASS of that, of the whole, each layer and ER."""
    chance = result.chance
    assert chance is not None
    columns: dict[str, Scores] = {}
    for layer, against in chance.layers.items():
        name = M_OF[layer]
        columns |= {name: result.layers[layer].mean, f"{name} by chance": against.mean}
        columns |= {f"{name} above chance": against.above, f"{name.replace('M', 'CASS')} above chance": against.cass}
    if chance.explicit and result.explicit:
        columns |= {"ER": result.explicit.scores, "ER by chance": chance.explicit.mean}
        columns |= {"ER above chance": chance.explicit.above}
    rows = [[score, *(values[score] for values in columns.values())] for score in SCORES]
    note = f"{chance.rounds} rounds, seed {chance.seed}; above = (M − chance) / (1 − chance); CASS of that with S"
    return Table("Against chance", ("score", *columns), rows, note=note)


def score_table(result: PairResult) -> Table:
    """Return every score a column: a row per calculation, then M and CASS of the whole and of each layer, S, and what
    stands behind the scores. The columns ``first`` and ``second`` of a row that stands behind a score are supports."""
    rows: list[list[Cell]] = [
        [name, of.items, of.matrix.total, None, None, *of.scores.values()] for name, of in result.counted.items()
    ]
    rows += [
        [name, None, None, None, None, *map(scores.get, SCORES)]
        for name, scores in _numbers(result).items()
        if name != "ER"
    ]
    rows.append(["S", None, None, None, None, result.S, *[None] * (len(SCORES) - 1)])
    for row in flat_rows(result.breakdown):
        name = f"{row['of']}: {row['part']}"
        rows.append([name, None, None, *(row.get(column) for column in ("first", "second", *SCORES))])
    return Table("Scores", ("row", "items", "decisions", "first", "second", *SCORES), rows)


def _numbers(result: PairResult) -> dict[str, Scores]:
    """Return the scores of M and CASS of each layer and of the whole, and of explicit relations, by their keys."""
    chance, values = result.chance, dict[str, Scores]()
    for layer, name in M_OF.items():
        of, cass = result.layers[layer], name.replace("M", "CASS")
        values |= {name: of.mean, cass: of.cass}
        if chance:
            against = chance.layers[layer]
            values |= {name.replace("M", "E"): against.mean, f"{name}'": against.above, f"{cass}'": against.cass}
    values["ER"] = result.explicit.scores if result.explicit else {}
    if chance:
        values["E(ER)"], values["ER'"] = (chance.explicit.mean, chance.explicit.above) if chance.explicit else ({}, {})
    return values


def pair_row(result: PairResult) -> dict[str, Cell]:
    """Return S, and M, CASS and explicit relations by every score, in one flat row, with further measures."""
    row: dict[str, Any] = {"name": result.name, "n": result.n, "S": result.S, "mode": result.segmentation.mode}
    for number, scores in _numbers(result).items():
        row |= {f"{number}-{score}": scores.get(score) for score in SCORES}
    return row | dict(result.measures)
