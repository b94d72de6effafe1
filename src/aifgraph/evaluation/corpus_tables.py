"""The tables of the comparison of two corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from math import inf
from typing import TYPE_CHECKING, Any

from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.cass import LAYER_NAMES, SCORE_LAYERS, Fused, ScoreLayer, Scores
from aifgraph.comparison.measures.registry import measure_tables
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.tables import DECISIONS_NOTE, SHORT, chance_table, explicit_columns, pair_row, score_columns
from aifgraph.evaluation.pooled import MacroScores, MicroScores, PooledNumber
from aifgraph.printable import quantity
from aifgraph.stats.matrix import NONE
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table, shown

if TYPE_CHECKING:
    from aifgraph.evaluation.corpus_result import CorpusComparison
    from aifgraph.evaluation.intervals import Intervals

#: The numbers that tables show; all scores are in the other formats.
_HEAD = ("S", "M-κ", "CASS-κ", "M-F1", "CASS-F1")
#: So many pairs are shown of those that agree least.
FEW = 4
#: So many maps without a partner, or failures, are named in short.
_NAMED = 3


def lowest_pairs(pairs: Iterable[PairResult], count: int) -> list[PairResult]:
    """Return the ``count`` pairs with the least CASS-κ, the least first; those where it is undefined come last.

    CASS cuts off at 0, M does not: pairs of equal CASS go by M.
    """

    def rank(pair: PairResult) -> tuple[float, float]:
        value, mean = pair.cass["kappa"], pair.mean["kappa"]
        return (inf, 0.0) if value is None else (value, value if mean is None else mean)

    return nsmallest(count, pairs, key=rank)


def score_table(result: CorpusComparison) -> Table:
    """Everything in one table, for CSV; the column ``of`` says what a row is.

    ``pair``, ``text``, ``macro`` and ``micro`` have a row for each layer, with M and CASS of every score (``texts`` and
    ``pairs`` are how many M-κ and S are over); ``calculation`` and ``breakdown`` are of the summed counts.
    """
    rows: list[dict[str, Cell]] = []
    for pair in result.pairs:
        for layer in SCORE_LAYERS:
            of_pair = pair_row(pair, layer)
            rows.append({"of": "pair", "name": of_pair.pop("name"), "text": pair.text, "layer": layer, **of_pair})
    of_all: list[tuple[str, str, MacroScores | MicroScores]] = [
        ("text", name, scores) for name, scores in result.each_text()
    ]
    for of, name, pooled in (*of_all, ("macro", "", result.macro), ("micro", "", result.micro)):
        chance = pooled.chance if isinstance(pooled, MacroScores) else None
        for row, scores in _pooled_rows(pooled):
            against = chance.over[scores_layer] if chance and (scores_layer := row["layer"]) else None
            explicit = explicit_columns(pooled.explicit) if row["layer"] == "all" else {}
            numbers = {**score_columns(scores.mean, scores.cass, against), **explicit}
            named = {"name": name, "text": name} if name else {}
            rows.append({"of": of, **named, **row, **numbers})
    for name, summed in result.micro.calculations.items():
        counted: dict[str, Cell] = {"items": summed.items, "decisions": summed.matrix.total}
        rows.append({"of": "calculation", "name": name, **counted, **summed.scores})
    rows.extend({**row, "of": "breakdown", "name": f"{row['of']}: {row['part']}"} for row in result.breakdown.records())
    scored = dict.fromkeys(column for row in rows for column in row if column.startswith(("M_", "cass_", "explicit_")))
    head = ("of", "name", "text", "layer", "n", "texts", "pairs", "S", "mode", *scored)
    columns = (*head, *result.measures, "items", "decisions", "first", "second", *SCORES)
    return Table("Scores", columns, [[row.get(column) for column in columns] for row in rows])


def short_table(result: CorpusComparison) -> Table:
    """What people look at first, on half a page: the scores of the whole, and what to look out for."""
    macro, micro, chance = result.macro, result.micro, result.macro.chance
    intervals = result.with_intervals
    rows: list[list[Cell]] = []

    def add(name: str, number: PooledNumber, means: Scores, sums: Scores, expected: Scores, above: Scores) -> None:
        cells: list[Cell] = []
        for score in SHORT:
            interval = intervals and intervals.macro.get(number._replace(score=score))
            ends = f" [{interval.low:z.3f}, {interval.high:z.3f}]" if interval and interval.low is not None else ""
            cells.append(f"{shown(means[score])}{ends}" if intervals else means[score])
        counted = macro.counted[number._replace(what="mean" if number.what == "cass" else number.what, score="kappa")]
        cells += [of.get(score) for score in SHORT for of in (expected, above)] if chance else []
        rows.append([name, *cells, *counted, *(sums[score] for score in SHORT)])

    add("CASS", PooledNumber("cass"), macro.cass, micro.cass, {}, chance.over["all"].cass if chance else {})
    layers = [layer for layer in LAYER_NAMES.values() if macro.counted[PooledNumber("mean", layer, "kappa")].texts]
    names: dict[str, ScoreLayer] = {"M": "all", **{f"  {name}": layer for name, layer in LAYER_NAMES.items()}}
    for name, layer in names.items():
        if layer in layers or (layer == "all" and len(layers) != 1):
            of = chance.over[layer] if chance else None
            expected, above = (of.mean, of.above) if of else ({}, {})
            add(name, PooledNumber("mean", layer), macro.over[layer].mean, micro.over[layer].mean, expected, above)
        if layer == "propositional" and macro.explicit and micro.explicit and result.reconstructed:
            number = PooledNumber("score", EXPLICIT_RELATIONS.name)
            own = chance.explicit if chance else None
            against = (own.mean, own.above) if own else ({}, {})
            add("  among what was said", number, macro.explicit, micro.explicit, *against)
    titles = ("chance κ", "above κ", "chance F1", "above F1") if chance else ()
    columns = ("", "κ", "F1", *titles, "texts", "pairs", "micro κ", "micro F1")
    return Table(_summary(result), columns, rows, note="\n".join(_short_notes(result, intervals)))


def _summary(result: CorpusComparison) -> str:
    """What the pairs find alike, and what they disagree about most, in a sentence."""
    macro = result.macro
    noun, of = next(((noun, of) for noun, of in result.matched.items() if any(of)), ("propositions", [0, 0, 0]))
    cells = [
        (count, name, labels)
        for name, summed in result.micro.calculations.items()
        for labels, count in summed.matrix.cells.items()
        if labels[0] != labels[1]
    ]
    most = ""
    if cells:
        count, name, labels = max(cells, key=lambda cell: cell[0])
        differ = sum(cell[0] for cell in cells)
        first, second = ("nothing" if label == NONE else label for label in labels)
        most = (
            f"; {quantity(differ, 'decisions')} differ: most often ({quantity(count, 'times')}) the first has {first}"
        )
        most += f" where the second has {second}, in {name.replace('_', ' ')}"
    common = f"both sides have {of[0]} {noun} in common, of {of[1]} and {of[2]}"
    return f"{quantity(len(result.pairs), 'pairs')} of {quantity(macro.texts, 'texts')}: {common}{most}."


def _short_notes(result: CorpusComparison, intervals: Intervals | None) -> list[str]:
    macro, micro = result.macro, result.micro
    by_units = macro.modes.get("units", 0)
    notes = [f"κ and F1 are means over texts. CASS combines M with S, here {shown(macro.S)} (micro {shown(micro.S)})."]
    if by_units:
        pairs = quantity(by_units, "pairs")
        notes.append(f"In {pairs} S counts units in common: there is no source text, or it does not fit the maps.")
    if intervals:
        how = f"{intervals.method} bootstrap, {intervals.rounds} rounds over texts"
        notes.append(f"Brackets: {intervals.level * 100:.4g} % intervals, {how}.")
        notes += [f"{sentence[0].upper()}{sentence[1:]}." for sentence in intervals.remarks]
    if lines := result.look_out:
        notes.append(f"Look out: {'; '.join(lines)}.")
    alone = [name for names in result.unpaired for name in names]
    for what, names in (("Without a partner", alone), ("Failed", [name for name, _ in result.failed])):
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            notes.append(f"{what}: {', '.join(names[:_NAMED])}{more}.")
    return notes


def pairs_table(result: CorpusComparison, shown: Sequence[PairResult], title: str = "Pairs") -> Table:
    """A row a pair."""
    pairs: list[list[Cell]] = [
        [pair.name, pair.n, *_shown(pair.S, pair.mean, pair.cass), len(pair.messages)] for pair in shown
    ]
    hidden = len(result.pairs) - len(pairs)
    return Table(
        title,
        ("name", "n", *_HEAD, "warnings"),
        pairs,
        note=f"{hidden} more {'pair' if hidden == 1 else 'pairs'}" if hidden else "",
    )


def corpus_tables(result: CorpusComparison) -> list[Table]:
    """Every number: the whole, intervals, the spread, the pairs, and what had no partner or failed."""
    alone = [(side, name) for side, names in zip(("first", "second"), result.unpaired, strict=True) for name in names]
    tables = [
        _whole_table(result),
        against_chance(result),
        *(result.with_intervals.tables() if result.with_intervals else ()),
        _summed_table(result),
        *result.breakdown.tables(),
        *measure_tables(result.measures, "mean over pairs"),
        pairs_table(result, result.pairs),
        Table("Without a partner", ("side", "name"), alone) if alone else None,
        Table("Failed", ("name", "error"), result.failed) if result.failed else None,
    ]
    return [table for table in tables if table is not None]


def _whole_table(result: CorpusComparison) -> Table:
    macro = result.macro
    rows: list[list[Cell]] = [
        [name, *(row[column] for column in ("layer", "texts", "pairs")), *_shown(row["S"], scores.mean, scores.cass)]
        for name, pooled in (("macro", result.macro), ("micro", result.micro))
        for row, scores in _pooled_rows(pooled)
    ]
    means = macro.mean_of_cass
    kappa, f1 = (f"{value:.3f}" if value is not None else "–" for value in (means["kappa"], means["f1"]))
    note = (
        f"macro: means over texts of the means over a text's pairs; mean of CASS: κ {kappa}, F1 {f1}\n"
        "texts, pairs: how many M-κ and S are over; a pair to which no calculation of a layer applies has none\n"
        f"S by positions of boundaries: {quantity(macro.modes['positions'], 'pairs')}; "
        f"by units in common, where there is no text that fits: {macro.modes['units']}"
    )
    title = f"CASS over {quantity(len(result.pairs), 'pairs')} of {quantity(macro.texts, 'texts')}"
    return Table(title, ("", "layer", "texts", "pairs", *_HEAD), rows, note=note)


def _pooled_rows(pooled: MacroScores | MicroScores) -> Iterator[tuple[dict[str, Any], Fused]]:
    """Of each layer S, how many texts and pairs M-κ and S are over (of macro, or of a text), and M and CASS."""
    for layer, scores in pooled.over.items():
        counts: dict[str, Any] = {}
        similarity = pooled.S
        if isinstance(pooled, MacroScores):
            counts = pooled.counted[PooledNumber("S", layer)]._asdict()
            similarity = pooled.similarity[layer]
        yield {"layer": layer, "S": similarity, "texts": None, "pairs": None, **counts}, scores


def against_chance(result: CorpusComparison) -> Table | None:
    """Every score a row: mean M over texts, by chance, above chance, and CASS; None without the option ``chance``."""
    macro = result.macro
    if macro.chance is None:
        return None
    table = chance_table(macro.chance, macro.over)
    fewer = [
        f"{layer} {score} {count}"
        for layer, counts in macro.left_out.items()
        for score, count in counts.items()
        if count and score in ("kappa", "f1")
    ]
    left_out = (
        f"\npairs left out of the means by and above chance, of {macro.pairs}: {', '.join(fewer)}" if fewer else ""
    )
    return replace(table, title="Against chance (means over texts)", note=table.note + left_out)


def _summed_table(result: CorpusComparison) -> Table:
    rows: list[list[Cell]] = [
        [name.replace("_", " "), summed.items, summed.matrix.total, *(summed[score] for score in SCORES)]
        for name, summed in result.micro.calculations.items()
    ]
    return Table("Summed calculations", ("calculation", "items", "decisions", *SCORES), rows, note=DECISIONS_NOTE)


def _shown(
    similarity: float | None, mean: Mapping[str, float | None], cass: Mapping[str, float | None]
) -> tuple[Cell, ...]:
    return (similarity, mean["kappa"], cass["kappa"], mean["f1"], cass["f1"])
