"""The tables of a pair, a short one, and every number on request; and the caveats printed with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from aifgraph.comparison.breakdown import flat_rows
from aifgraph.comparison.calculations import AS, ER, LAYERS, PR
from aifgraph.comparison.cass import LAYER_NAMES, Expected, ScoreLayer, Scores, counts_in, means_over
from aifgraph.printable import enumerated, pluralize, shortened
from aifgraph.stats.scores import SCORES, ConfusionMatrix, printed_name
from aifgraph.tables import Cell, Table, format_cell

if TYPE_CHECKING:
    from aifgraph.comparison.cass import CalculationResult
    from aifgraph.comparison.result import Comparison

#: A calculation in which fewer items have a label says little.
MIN_ITEMS: Final = 5
#: The share of propositions that only one side has and nobody links, or that share a class, from which this is said.
NOTEWORTHY: Final = 0.1
#: The scores of the short table, and of the detailed one.
SHORT: Final = ("kappa", "f1")
DETAILED: Final = (*SHORT, "precision", "recall", "accuracy")
_UNDEFINED: Final[Scores] = dict.fromkeys(SCORES)
#: What the items of a calculation are called where its name does not say it.
_ITEMS: Final = {PR.name: "relations", ER.name: "relations", AS.name: "pairs of premises"}
_LABELS: Final = "items: what a side can label; labels: what a side does label (an item with two labels counts twice)"
_FOLDED: Final = (
    "first, second: how often either side gives the label\n"
    "attachment: any label against none; label given attachment: where both sides give one\n"
    "each label: against all others; schemes and speakers are not in M"
)


class ScoreRow(NamedTuple):
    """A row of scores: its key in CSV, its name, the scores and what it is; ``part`` is what they are of, None for S.

    Tables leave out what has no value or the value of another row; it is not ``own``.
    """

    key: str
    name: str
    scores: Scores
    note: str
    part: Expected | None = None
    own: bool = True


def summary(result: Comparison) -> str:
    """Return what matches and what differs, in two sentences, or that the maps look like two different documents.

    >>> import aifgraph
    >>> summary(aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json").result)
    '12 of 13 propositions and 12 of 13 locutions match. 16 of 79 labels differ.'
    """
    matched = []
    for name, nodes in (("propositions", result.matches.propositions), ("locutions", result.matches.locutions)):
        first, second = getattr(result.first, name), getattr(result.second, name)
        if first or second:
            both = f"{pluralize(nodes.matched, name)} (of {first} and {second})"
            matched.append(f"{nodes.matched} of {pluralize(first, name)}" if first == second else both)
    if result.different_documents:
        two_texts = result.text_overlap is not None and not any(side.text == "shared" for side in result.sides)
        share = (result.text_overlap if two_texts else result.shared_words) or 0
        shared = f"the {'texts' if two_texts else 'maps'} share {100 * share:.0f} % of their words"
        return f"These look like two different documents: {(matched or ['no nodes'])[0]} match, and {shared}."
    labels = sum(calculation.label_count for calculation in result.applicable.values())
    differing = sum(matrix.total - sum(matrix.diagonal) for matrix in result.matrices.values())
    return f"{' and '.join(matched) or 'No nodes'} match. {differing} of {labels} labels differ."


def score_rows(result: Comparison) -> Iterator[ScoreRow]:
    """Yield argument M, explicit relations, dialogue M, M, S and CASS, with what they are by chance and above."""
    explicit, only = result.explicit, _only_layer(result)
    for layer, prefix in LAYER_NAMES.items():
        of, name = result.layers[layer], f"{prefix}M"
        own = bool(of.n) and not (only and layer == "all")
        yield from _with_chance(result, ScoreRow(name, name, of.mean, _what_m_is(result, layer), layer, own))
        if layer == "propositional":
            scores, note = (explicit.scores, _counts(ER.name, explicit.matrix)) if explicit else (_UNDEFINED, "")
            name = "explicit relations (ER)"
            yield from _with_chance(result, ScoreRow("ER", name, scores, note, "explicit", bool(explicit)))
    boundaries = result.segmentation.mode == "positions"
    s = {**_UNDEFINED, "kappa": result.S}
    yield ScoreRow("S", "S", s, "boundaries in the text" if boundaries else "matched units (no text fits)")
    for layer, prefix in LAYER_NAMES.items():
        of, name = result.layers[layer], f"{prefix}CASS"
        own = layer == "all" or (bool(of.n) and prefix != only)
        fused = f"harmonic mean of {prefix or only}M and S"
        yield ScoreRow(name, name, of.cass, of.undefined.get("kappa", fused), layer, own)
        if result.chance:
            fused = fused.replace("M and", "M above chance and")
            yield ScoreRow(f"{name}'", f"{name} above chance", result.chance[layer].cass, fused, layer, own)


def _with_chance(result: Comparison, row: ScoreRow) -> Iterator[ScoreRow]:
    """Yield M of a layer, or explicit relations, by themselves, by chance and above chance."""
    yield row
    if result.expected and row.part:
        of, key, name = result.chance.get(row.part), row.key, row.name
        mean, above = (of.mean, of.above) if of else (_UNDEFINED, _UNDEFINED)
        by_chance = "E(ER)" if key == "ER" else key.replace("M", "E")
        rounds = f"mean of {pluralize(result.expected.rounds, 'rounds')}"
        yield row._replace(key=by_chance, name=f"{name} by chance", scores=mean, note=rounds)
        formula = "(score − chance) / (1 − chance)"
        yield row._replace(key=f"{key}'", name=f"{name} above chance", scores=above, note=formula)


def short_table(result: Comparison) -> Table:
    """Return what people look at first: κ and F1 of M and CASS, S, and the caveats."""
    parts = ["all", None, *(["explicit"] if any(side.reconstructed for side in result.sides) else [])]
    rows = [
        (row.name, *(row.scores[score] for score in SHORT), row.note)
        for row in score_rows(result)
        if row.own and (row.part in parts or (row.part in LAYERS and "CASS" not in row.key))
    ]
    return Table(result.summary, ("", *map(printed_name, SHORT), "basis"), rows, note=_notes(result))


def _only_layer(result: Comparison) -> str:
    """Return the name of the layer that all calculations are in; M is M of this layer then."""
    names = [prefix for layer, prefix in LAYER_NAMES.items() if prefix and result.layers[layer].n]
    return names[0] if len(names) == 1 else ""


def _notes(result: Comparison) -> str:
    """Return what is not in M, and the caveats, a line each."""
    reasons: dict[str, list[str]] = {}
    for layer in LAYERS:
        own = {name: calculation for name, calculation in result.calculations.items() if counts_in(name, layer)}
        left_out = {name: calculation.reason for name, calculation in own.items() if calculation.reason}
        if len(left_out) > 1 and not result.layers[layer].n:
            left_out = {LAYER_NAMES[layer].strip(): next(iter(left_out.values()))}
        for name, reason in left_out.items():
            reasons.setdefault(reason, []).append(name.replace("_", " "))
    notes = [f"Not in M: {', '.join(names)} ({reason})." for reason, names in reasons.items()]
    caveats = (caveat for caveat in result.caveats if caveat.code != "different documents")  # which is in the title
    notes += [f"Caveat: {caveat.message}." for caveat in caveats]
    return "\n".join(notes)


def _what_m_is(result: Comparison, layer: ScoreLayer) -> str:
    counted = _calculations_in(result, layer)
    if len(counted) == 1:
        return _counts(counted[0][0], counted[0][1].matrix)
    if layer == "propositional":
        return f"mean of {enumerated([name.replace('_', ' ') for name, _ in counted])}"
    mean = "mean of the layers" if layer == "all" and result.mean_of_layers else "mean"
    return f"{mean} of {len(counted)} calculations"


def _counts(name: str, matrix: ConfusionMatrix) -> str:
    """Return how many labels of a calculation each side gives, and how many are the same."""
    first, second, same = (sum(sums[:-1]) for sums in (matrix.row_sums, matrix.column_sums, matrix.diagonal))
    return f"{first} and {second} {_ITEMS.get(name, name.replace('_', ' '))}, {same} alike"


def _calculations_in(result: Comparison, layer: ScoreLayer) -> list[tuple[str, CalculationResult]]:
    return [(name, calculation) for name, calculation in result.applicable.items() if counts_in(name, layer)]


def detailed_tables(result: Comparison) -> Iterator[Table]:
    """Yield the scores of everything, what is behind them, and how much takes part."""
    yield _detailed_scores(result)
    if folded := list(_folded_rows(result)):
        yield Table("Behind the scores", ("", "first", "second", *map(printed_name, DETAILED)), folded, note=_FOLDED)
    cuts = result.segmentation
    if cuts.mode == "positions":
        yield Table("Other measures of segmentation", ("B", "Pk", "WindowDiff"), [(cuts.B, cuts.Pk, cuts.WindowDiff)])
    yield _maps(result)
    matched: list[list[Cell]] = [
        [name, nodes.classes, nodes.matched, nodes.by_meaning]
        for name, nodes in (("propositions", result.matches.propositions), ("locutions", result.matches.locutions))
    ]
    yield Table("Matches", ("", "classes", "of both sides", "by meaning"), matched)
    if result.matched_by_meaning:
        note = "a high cosine says that two texts are about the same, not that they claim the same"
        rows = [(texts.first, texts.second, texts.cosine) for texts in result.matched_by_meaning]
        yield Table("Matched by meaning", ("first", "second", "cosine"), rows, note=note)
    yield from measures_tables(result)


def _detailed_scores(result: Comparison) -> Table:
    """Return a row for M, S and CASS of everything, and below M of a layer one for each of its calculations."""
    rows: list[list[Cell]] = []

    def add(name: str, scores: Scores, of: CalculationResult | None) -> None:
        counts: list[Cell] = [of.items, of.label_count] if of else ["", ""]
        rows.append([name, *counts, *(scores[score] for score in DETAILED)])

    for row in score_rows(result):
        if not row.own:
            continue
        parts = _calculations_in(result, row.part) if row.part in LAYERS and row.key.endswith("M") else []
        if len(parts) == 1:  # M is the score of its only calculation
            ((name, only),) = parts
            add(f"{row.name}: {_ITEMS.get(name, name.replace('_', ' '))}", row.scores, only)
            continue
        add(row.name, row.scores, result.explicit if row.key == "ER" else None)
        for name, calculation in parts:
            if name != ER.name:  # it has a row of its own
                add(f"  {name.replace('_', ' ')}", calculation.scores, calculation)
    columns = ("", "items", "labels", *map(printed_name, DETAILED))
    by_chance = ""
    if expected := result.expected:
        rounds = pluralize(expected.rounds, "rounds")
        by_chance = f"by chance: mean of {rounds}, seed {expected.seed}; above: (score − chance) / (1 − chance)"
    return Table(result.summary, columns, rows, note="\n".join(filter(None, (_LABELS, by_chance, _notes(result)))))


def _folded_rows(result: Comparison) -> Iterator[list[Cell]]:
    """Yield the parts of the breakdown, those of one calculation below its name."""
    above = ""
    for row in flat_rows(result.breakdown):
        if row["of"] != above:
            above = str(row["of"])
            yield [above.replace("_", " "), *[""] * (2 + len(DETAILED))]
        yield [f"  {row['part']}", *(row.get(column) for column in ("first", "second", *DETAILED))]


def _maps(result: Comparison) -> Table:
    """Return how much of each map takes part, a quantity a row."""
    first, second = result.sides
    names = {"propositions": "propositions", "locutions": "locutions", "units": "units",
             "placed": "units found in the text", "reconstructed": "propositions that nobody says",
             "text": "source text"}  # fmt: skip
    rows: list[list[Cell]] = [[name, getattr(first, key), getattr(second, key)] for key, name in names.items()]
    if result.explicit and (coverage := result.explicit.coverage):
        shares = (f"{part} of {whole}" for part, whole in (coverage.first, coverage.second))
        rows.insert(-1, ["relations of nodes that ER covers", *shares])
    return Table("Maps", ("", first.name, second.name), rows)


def measures_tables(result: Comparison) -> list[Table]:
    """Return a table of measures other than CASS, if there are any."""
    measures = list(result.measures.items())
    return [Table("Other measures", ("measure", "value"), measures)] if measures else []


def score_table(result: Comparison) -> Table:
    """Return every score a column: a row per calculation, then M and CASS of the whole and of each layer, S, and what
    stands behind the scores. The columns ``first`` and ``second`` count the labels of each side in such a part."""
    rows: list[list[Cell]] = [
        [name, calculation.items, calculation.label_count, None, None, *calculation.scores.values()]
        for name, calculation in result.calculations.items()
        if name != ER.name
    ]
    for scored in score_rows(result):
        er = result.explicit if scored.key == "ER" else None
        counts = [er.items, er.label_count] if er else [None, None]
        rows.append([scored.key, *counts, None, None, *scored.scores.values()])
    for row in flat_rows(result.breakdown):
        name = f"{row['of']}: {row['part']}"
        rows.append([name, None, None, *(row.get(column) for column in ("first", "second", *SCORES))])
    return Table("Scores", ("row", "items", "labels", "first", "second", *SCORES), rows)


def pair_row(result: Comparison) -> dict[str, Cell]:
    """Return S, and M, CASS and explicit relations by every score, in one flat row, with further measures."""
    row: dict[str, Any] = {"name": result.name, "n": result.n, "S": result.S, "mode": result.segmentation.mode}
    for scored in score_rows(result):
        if scored.key != "S":
            row |= {f"{scored.key}-{score}": value for score, value in scored.scores.items()}
    return row | dict(result.measures)


# -- caveats -----------------------------------------------------------------------------------------------------------


class Caveat(NamedTuple):
    """A caveat; the code is the same in all pairs that have it, so that corpora can count them."""

    code: str
    message: str


def caveats_of(result: Comparison) -> Iterator[Caveat]:
    first, second = result.sides
    if result.same_map and result.same_ids == "all":
        yield Caveat("same map", "both sides are copies of one map, with the same ids")
    elif result.same_map:
        yield Caveat("full agreement", "both sides are the same map, with ids of their own: full agreement, or a copy")
    if result.one_sided:
        yield Caveat("one empty", "one side is empty: CASS is 0")
    if not (first.units or second.units):
        yield Caveat("both empty", "both maps are empty: there is no score")
    matched = result.matches.propositions.matched or result.matches.locutions.matched
    if result.different_documents:
        yield Caveat("different documents", result.summary)
    elif first.units and second.units and not matched:
        yield Caveat("no match", "no proposition or locution matches, so that no label agrees")
    if result.wording.pairs:
        texts = result.wording.pairs[0]
        quoted = " and ".join(f"“{shortened(text, 40)}”" for text in (texts.first, texts.second))
        share = f"{result.wording.count} of {result.wording.of} matches by place"
        yield Caveat("wording", f"{share} share less than half of their wording, for example {quoted}")
    if by_meaning := result.matches.propositions.by_meaning:
        matches = "1 match is" if by_meaning == 1 else f"{by_meaning} matches are"
        yield Caveat("meaning", f"{matches} by meaning, which is no test of agreement")
    for own, other in ((first, second), (second, first)):
        if is_padded(own.unlinked, own.propositions):
            extra = pluralize(own.unlinked, "propositions")
            counts = "" if result.how.options.reference == "first" else ", which raise κ"
            yield Caveat("padding", f"{own.name} has {extra} that nobody links and {other.name} does not have{counts}")
    if result.how.options.reference == "first" and (
        merged := merged_share(first.name, first.merged, first.propositions)
    ):
        yield Caveat("merged", merged)
    if few := _without(result, thin_calculations(result)):
        yield Caveat("few", few)
    if first.reconstructed or second.reconstructed:
        unsaid = pluralize(first.reconstructed, "propositions")
        beside = result.explicit and ER.name not in result.calculations
        paths = "; paths of explicit relations (ER) lead through them" if beside else ""
        message = f"nobody says {unsaid} of the first map and {second.reconstructed} of the second{paths}"
        yield Caveat("reconstructed", message)


def is_padded(unlinked: int, propositions: int) -> bool:
    """Whether so many propositions of one side alone are linked by nobody that it has to be said."""
    return unlinked >= MIN_ITEMS and unlinked > NOTEWORTHY * propositions


def merged_share(name: str, merged: int, propositions: int) -> str:
    """Return how many propositions of a side share a class with another one; nothing for a share below a tenth."""
    if not merged or merged < NOTEWORTHY * propositions:
        return ""
    share = f"{merged} of {pluralize(propositions, 'propositions')} of {name} ({100 * merged / propositions:.0f} %)"
    return f"{share} share a class with another one (granularity=merge)"


def thin_calculations(result: Comparison) -> dict[str, int]:
    """Return the calculations in M in which fewer than 5 items have a label, with the number of these items."""
    numbers = {name: calculation.labelled_items for name, calculation in result.applicable.items()}
    return {name: number for name, number in numbers.items() if number < MIN_ITEMS}


def mean_without_thin(result: Comparison) -> float | None:
    """Return M-κ of a pair without its thin calculations, or with them where M is 0 by definition or has no others."""
    thin = thin_calculations(result)
    scores = {name: calculation.scores for name, calculation in result.applicable.items() if name not in thin}
    if result.one_sided or not scores:
        return result.mean["kappa"]
    mean: float | None = means_over(scores, ["kappa"], mean_of_layers=result.mean_of_layers)["kappa"]
    return mean


def _without(result: Comparison, thin: dict[str, int]) -> str:
    """Return what M-κ is without thin calculations; nothing where it is the same."""
    names = [name.replace("_", " ") for name in thin]
    if thin and (result.one_sided or len(thin) == result.n):
        counts = [f"{number} in {name}" for name, number in zip(names, thin.values(), strict=True)]
        return f"few items have a label: {enumerated(counts)}"
    mean = format_cell(mean_without_thin(result))
    if mean == format_cell(result.mean["kappa"]):  # and where none is thin
        return ""
    numbers = enumerated([str(number) for number in thin.values()])
    items = f"where {numbers} {'item has' if numbers == '1' else 'items have'} a label"
    return f"M-κ is {mean} without {enumerated(names)}, {items}"
