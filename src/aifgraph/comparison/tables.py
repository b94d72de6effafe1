"""The tables of a pair's result: functions from a ``PairResult`` to ``Table``, for every output there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import LAYER_NAMES, Fused, ScoreLayer, Scores
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.comparison.look_out import joined
from aifgraph.comparison.measures.registry import measure_tables
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Document, Table, shown

if TYPE_CHECKING:
    from aifgraph.comparison.result import CalculationResult, PairResult
    from aifgraph.comparison.wording import MatchedTexts

#: The scores that fit into one line of a table; all of them are in ``score_table``.
_MAIN_SCORES = ("kappa", "f1", "accuracy", "macro_f1", "mcc", "alpha", "ac1")

_MEANING_NOTE = "a high cosine says that two texts are about the same, not that they claim the same"
#: The scores of the short table.
SHORT = ("kappa", "f1")

#: What tables with both columns say below them.
DECISIONS_NOTE = "decisions: the sum of the matrix; an item with two labels is one item and two decisions"


def document(result: PairResult) -> Document:
    """What the command line writes of a pair: the short table; in CSV every score."""
    measures = measure_tables(result.measures)
    tables, every = [short_table(result), *measures], [score_table(result), *measures]
    return Document(tables=tables, csv=every, signature=result.signature, signature_below=True)


def short_table(result: PairResult) -> Table:
    """What people look at first, on half a page: what differs, the scores, and what to look out for."""
    chance, cass = result.chance, result.cass
    against = ("chance κ", "above κ", "chance F1", "above F1") if chance else ()
    rows: list[list[Cell]] = []

    def add(name: str, scores: Scores, note: str, expected: Scores, above: Scores) -> None:
        cells = [scores[score] for score in SHORT]
        cells += [of.get(score) for score in SHORT for of in (expected, above)] if chance else []
        rows.append([name, *cells, note])

    kind = "boundaries in the text" if result.segmentation.mode == "positions" else "units in common"
    why = result.undefined.get("kappa") or f"M combined with S {shown(result.S)} ({kind})"
    add("CASS", cass, why, {}, chance.over["all"].cass if chance else {})
    for name, layer in {"M": "all", **LAYER_NAMES}.items():
        if applicable(result, layer) and not (layer == "all" and result.n == 1):
            of = chance.over[layer] if chance else None
            note = _what_m_is(result, layer)
            add(
                name if layer == "all" else f"  {name}",
                result.over[layer].mean,
                note,
                *(of.mean, of.above) if of else ({}, {}),
            )
        if (
            layer == "propositional"
            and (explicit := result.explicit)
            and any(side.reconstructed for side in result.sides)
        ):
            unsaid = chance.explicit if chance else None
            expected, above = (unsaid.mean, unsaid.above) if unsaid else ({}, {})
            add("  among what was said", explicit.scores, _what_explicit_is(explicit), expected, above)
    return Table(result.summary, ("", "κ", "F1", *against, "what it is"), rows, note="\n".join(_short_notes(result)))


def _what_m_is(result: PairResult, layer: ScoreLayer) -> str:
    """What M of the whole or a layer is over."""
    if layer == "all":
        mean = "mean of the layers' means" if result.mean_of_layers else "mean"
        return f"{mean} of {result.n} of {len(result.calculations)} calculations"
    counted = {name: result.calculations[name] for name in LAYERS[layer] if name in result.matrices}
    alone = "M is this alone: " if result.n == 1 else ""
    name, *others = counted
    if others:
        kappas = sorted(value for of in counted.values() if (value := of["kappa"]) is not None)
        spread = f", κ {shown(kappas[0], 2)} to {shown(kappas[-1], 2)}" if kappas else ""
        return f"mean of {len(counted)} calculations{spread}"
    matrix = counted[name].matrix
    first, second, same = (sum(sums[:-1]) for sums in (matrix.row_sums, matrix.column_sums, matrix.diagonal))
    noun = "relations" if layer == "propositional" else name.replace("_", " ")
    return f"{alone}{first} and {second} {noun}, {same} alike"


def _what_explicit_is(explicit: CalculationResult) -> str:
    """How many relations of each side take part in the argument among what was said."""
    coverage, same = explicit.coverage, sum(explicit.matrix.diagonal[:-1])
    if coverage is None:
        return f"{same} alike"
    first, second = (f"{part} of {of}" for part, of in (coverage.first, coverage.second))
    return f"links over {first} and {second} relations, {same} alike"


def _short_notes(result: PairResult) -> list[str]:
    matches = result.matches
    parts = []
    for noun, of in (("propositions", matches.propositions), ("locutions", matches.locutions)):
        one, other = (getattr(side, noun) for side in result.sides)
        if one or other:
            meaning = f" ({of.by_meaning} by meaning)" if of.by_meaning else ""
            parts.append(f"{of.matched}{meaning} of {one} and {other} {noun}")
    notes = [f"Matched: {', '.join(parts)}."] if parts else []
    reasons: dict[str, list[str]] = {}
    for name, of_one in result.calculations.items():
        if of_one.reason:
            reasons.setdefault(of_one.reason, []).append(name.replace("_", " "))
    if reasons:
        notes.append(f"Not in M: {'; '.join(f'{joined(names)} ({why})' for why, names in reasons.items())}.")
    if lines := result.look_out:
        notes.append(f"Look out: {'; '.join(lines)}.")
    return notes


def meaning_table(matches: Sequence[MatchedTexts]) -> Table | None:
    """What was matched by meaning, both texts and the cosine; None where nothing was."""
    rows = [(match.first, match.second, match.cosine) for match in matches]
    return Table("Matched by meaning", ("first", "second", "cosine"), rows, note=_MEANING_NOTE) if rows else None


def pair_tables(result: PairResult) -> list[Table]:
    """Every number in tables: CASS of the whole and of each layer, the calculations, the segmentation, the sides."""
    cuts, matches = result.segmentation, result.matches
    cass: list[list[Cell]] = [
        [
            layer,
            applicable(result, layer),
            cuts.S,
            *(of[score] for score in ("kappa", "f1") for of in (both.mean, both.cass)),
        ]
        for layer, both in result.over.items()
    ]
    calculations: list[list[Cell]] = [
        [name.replace("_", " "), of.items_total, of.matrix.total, *(of[score] for score in _MAIN_SCORES)]
        for name, of in result.counted.items()
    ]
    reasons = [f"{name.replace('_', ' ')}: {of.reason}" for name, of in result.calculations.items() if of.reason]
    if result.counted.keys() - result.calculations.keys():
        reasons.append("explicit relations: the argument among what was said, which is not in M")
    sides: list[list[Cell]] = [
        [side, of.name, of.propositions, of.locutions, of.units, of.placed, of.text]
        for side, of in zip(("first", "second"), result.sides, strict=True)
    ]
    matched: list[list[Cell]] = [
        [name, of.classes, of.matched, of.by_meaning]
        for name, of in (("propositions", matches.propositions), ("locutions", matches.locutions))
    ]
    measured: list[list[Cell]] = [[cuts.mode, cuts.S, cuts.B, cuts.Pk, cuts.WindowDiff]]
    against = against_chance(result)
    return [
        Table("CASS", ("layer", "n", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1"), cass),
        *([against] if against else ()),
        Table(
            "Calculations",
            ("calculation", "items", "decisions", *_MAIN_SCORES),
            calculations,
            note="\n".join([DECISIONS_NOTE, *reasons]),
        ),
        *result.breakdown.tables(),
        Table("Segmentation", ("mode", "S", "B", "Pk", "WindowDiff"), measured),
        Table("Analyses", ("side", "name", "propositions", "locutions", "units", "placed", "text"), sides),
        Table("Alignment", ("of", "classes", "matched", "by meaning"), matched),
        *([table] if (table := meaning_table(result.matched_by_meaning)) else ()),
        *measure_tables(result.measures),
    ]


def applicable(result: PairResult, layer: ScoreLayer) -> int:
    """How many calculations of a layer apply."""
    return sum(layer == "all" or name in LAYERS[layer] for name in result.matrices)


def against_chance(result: PairResult) -> Table | None:
    """Every score a row: M, by chance, above chance, and CASS of that; None without the option ``chance``."""
    explicit = result.explicit.scores if result.explicit else None
    return chance_table(result.chance, result.over, explicit) if result.chance else None


def chance_table(chance: Chance, layers: Mapping[ScoreLayer, Fused], explicit: Scores | None = None) -> Table:
    """A row per score: M of the whole and of each layer with what it is by chance, above chance, and CASS of that; and
    the ``explicit`` score, by chance and above."""
    rows: list[list[Cell]] = []
    for name in SCORES:
        row: list[Cell] = [name]
        for layer, against in chance.over.items():
            row += [layers[layer].mean[name], against.mean[name], against.above[name], against.cass[name]]
        if chance.explicit and explicit:
            row += [explicit[name], chance.explicit.mean[name], chance.explicit.above[name]]
        rows.append(row)
    columns = [f"{what}{of}" for of in ("", ", argument", ", dialogue") for what in ("M", "chance", "above", "CASS")]
    if chance.explicit and explicit:
        columns += [f"{what}, among what was said" for what in ("score", "chance", "above")]
    note = f"{chance.rounds} rounds, seed {chance.seed}; above = (M − chance) / (1 − chance); CASS of that with S"
    return Table("Against chance", ("score", *columns), rows, note=note)


def score_table(result: PairResult) -> Table:
    """Every score a column: a row per calculation, then M and CASS of the whole and of each layer, S, and what stands
    behind the scores. The columns ``first`` and ``second`` of a row that stands behind a score are the supports."""
    rows: list[list[Cell]] = [
        [name, of.items_total, of.matrix.total, None, None, *of.scores.values()] for name, of in result.counted.items()
    ]
    blank: list[Cell] = [None] * 4
    if result.chance and (of := result.chance.explicit):
        rows.append([f"{EXPLICIT_RELATIONS.name} by chance", *blank, *of.mean.values()])
        rows.append([f"{EXPLICIT_RELATIONS.name} above chance", *blank, *of.above.values()])
    for layer, over in result.over.items():
        rows.append([f"M ({layer})", *blank, *over.mean.values()])
        rows.append([f"CASS ({layer})", *blank, *over.cass.values()])
        if result.chance:
            against = result.chance.over[layer]
            rows.append([f"M by chance ({layer})", *blank, *against.mean.values()])
            rows.append([f"M above chance ({layer})", *blank, *against.above.values()])
            rows.append([f"CASS above chance ({layer})", *blank, *against.cass.values()])
    rows.append(["S", *blank, result.S, *[None] * (len(SCORES) - 1)])
    for row in result.breakdown.records():
        name, columns = f"{row['of']}: {row['part']}", ("first", "second", *SCORES)
        rows.append([name, None, None, *(row.get(column) for column in columns)])
    return Table("Scores", ("row", "items", "decisions", "first", "second", *SCORES), rows)


def calculation_rows(result: PairResult) -> list[dict[str, Any]]:
    """One row per calculation, for a data frame: its name, whether it applies, items, decisions, and every score."""
    return [
        {
            "calculation": name,
            "applicable": of.applicable,
            "items": of.items_total,
            "decisions": of.matrix.total,
            **of.scores,
        }
        for name, of in result.calculations.items()
    ]


def pair_row(result: PairResult, layer: ScoreLayer = "all") -> dict[str, Cell]:
    """S, and M and CASS of every score of the whole or a layer, in one flat row; measures are with the whole."""
    over, chance = result.over[layer], result.chance
    scores = score_columns(over.mean, over.cass, chance.over[layer] if chance else None)
    measures = result.measures if layer == "all" else {}
    explicit_scores = result.explicit.scores if result.explicit else None
    explicit = explicit_columns(explicit_scores, chance.explicit if chance else None) if layer == "all" else {}
    counts: dict[str, Cell] = {"n": applicable(result, layer), "S": result.S, "mode": result.segmentation.mode}
    return {"name": result.name, **counts, **scores, **explicit, **measures}


def explicit_columns(scores: Scores | None, against: AboveChance | None = None) -> dict[str, Cell]:
    """Every score of the argument among what was said by column (``explicit_kappa``), None where it does not apply; and
    of what is above chance."""
    columns: dict[str, Cell] = {f"explicit_{name}": scores[name] if scores else None for name in SCORES}
    if against is None:
        return columns
    return {
        **columns,
        **{f"explicit_by_chance_{name}": value for name, value in against.mean.items()},
        **{f"explicit_above_chance_{name}": value for name, value in against.above.items()},
    }


def score_columns(means: Scores, cass: Scores, against: AboveChance | None = None) -> dict[str, Cell]:
    """M and CASS of every score by column (``M_kappa``, ``cass_kappa``), and of what is above chance."""
    columns: dict[str, Cell] = {
        **{f"M_{name}": value for name, value in means.items()},
        **{f"cass_{name}": value for name, value in cass.items()},
    }
    if against is None:
        return columns
    return {
        **columns,
        **{f"M_by_chance_{name}": value for name, value in against.mean.items()},
        **{f"M_above_chance_{name}": value for name, value in against.above.items()},
        **{f"cass_above_chance_{name}": value for name, value in against.cass.items()},
    }
