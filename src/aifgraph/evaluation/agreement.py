"""More than two annotators of a corpus: every two of them, each against the rest, and all at once.

CASS compares two. For all at once, the nodes of a text's analyses are put into *groups*: two nodes are in one group
where some pairwise alignment has them in one class, or a chain of such does. Every calculation of CASS is then an
annotation of items made of groups, to which each annotator of that text gives a label or ``none`` (several labels of
one annotator on one item count as one, joined), and Krippendorff's nominal alpha and Fleiss' kappa say how far they
agree. Annotators who did not do a text give no label in it; Fleiss' kappa takes the texts that all of them did.

With two annotators, alpha is that of the summed matrices, but for items with several labels.

Sources: Krippendorff (2011), Computing Krippendorff's alpha-reliability; Fleiss (1971).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal, Unpack

from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.links import links_of
from aifgraph.comparison.calculations.registry import calculations_of
from aifgraph.comparison.cass import mean_of
from aifgraph.comparison.compare import Comparison, compare
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.corpus.corpus import Corpus
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.pooled import MacroScores, PairNames, PairSummary, macro, summary_of
from aifgraph.graph import ArgumentGraph
from aifgraph.stats.agreement import fleiss_kappa
from aifgraph.stats.krippendorff import nominal_alpha
from aifgraph.stats.matrix import NONE
from aifgraph.tables import Cell, Table

#: The labels of an item, one of each annotator: ``none`` for no label, None where the annotator did not do the text.
LabelRow = tuple[str | None, ...]


@dataclass(frozen=True)
class Agreement:
    """Agreement of several annotators.

    ``pairs`` has the macro numbers of every two annotators who share a text, by their names; ``alpha`` and ``fleiss``
    are by calculation, None where undefined, with ``reasons``.
    """

    annotators: tuple[str, ...]
    texts: Mapping[str, int]
    pairs: Mapping[tuple[str, str], MacroScores]
    alpha: Mapping[str, float | None]
    fleiss: Mapping[str, float | None]
    items: Mapping[str, int]
    reasons: Mapping[str, str]
    failed: tuple[tuple[str, str], ...]
    signature: str

    def between(self, first: str, second: str, score: str = "kappa") -> float | None:
        """The macro CASS of two annotators; None if they share no text."""
        scores = self.pairs.get((first, second)) or self.pairs.get((second, first))
        return scores.cass[score] if scores else None

    def mean(self, score: str = "kappa") -> float | None:
        """The mean CASS over all pairs of annotators that have one."""
        return mean_of(scores.cass[score] for scores in self.pairs.values())

    def against_the_rest(self, name: str, score: str = "kappa") -> float | None:
        """The mean CASS of one annotator with each of the others."""
        return mean_of(self.between(name, other, score) for other in self.annotators if other != name)

    def tables(self) -> list[Table]:
        """The matrices of CASS-κ and CASS-F1, and the agreement of all at once."""
        tables = []
        for shown, score in (("CASS-κ", "kappa"), ("CASS-F1", "f1")):
            rows: list[list[Cell]] = [
                [
                    name,
                    *(None if name == other else self.between(name, other, score) for other in self.annotators),
                    self.against_the_rest(name, score),
                ]
                for name in self.annotators
            ]
            mean = self.mean(score)
            note = f"mean over pairs {mean:.3f}" if mean is not None else ""
            tables.append(Table(f"{shown} of every two", ("", *self.annotators, "the rest"), rows, note=note))
        together: list[list[Cell]] = [
            [name.replace("_", " "), self.items[name], self.alpha[name], self.fleiss[name]] for name in self.alpha
        ]
        notes = [f"{name.replace('_', ' ')}: {reason}" for name, reason in self.reasons.items()]
        columns = ("calculation", "items", "Krippendorff's α", "Fleiss' κ")
        tables.append(Table("All at once", columns, together, note="\n".join(notes)))
        texts: list[list[Cell]] = [[name, count] for name, count in self.texts.items()]
        tables.append(Table("Texts done by two or more", ("annotator", "texts"), texts))
        return [*tables, Table("Failed", ("name", "error"), self.failed)] if self.failed else tables

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "annotators": list(self.annotators),
            "texts": dict(self.texts),
            "pairs": [
                {"first": a, "second": b, **scores.to_dict(), "texts": scores.pairs}
                for (a, b), scores in self.pairs.items()
            ],
            "mean": {score: self.mean(score) for score in ("kappa", "f1")},
            "against_the_rest": {
                name: {score: self.against_the_rest(name, score) for score in ("kappa", "f1")}
                for name in self.annotators
            },
            "alpha": dict(self.alpha),
            "fleiss_kappa": dict(self.fleiss),
            "items": dict(self.items),
            "undefined": dict(self.reasons),
            "failed": [{"name": name, "error": error} for name, error in self.failed],
        }


def agreement(
    corpora: Mapping[str, Corpus], *, options: Options | None = None, **keywords: Unpack[OptionKeywords]
) -> Agreement:
    """How far the annotators of ``corpora`` (by name) agree on the texts that at least two of them did.

    Maps belong together by name. One that cannot be read is listed under ``failed`` and left out.

    Raises:
        InputError: no text was done by two annotators.
        OptionError: fewer than two corpora.
    """
    if len(corpora) < 2:
        raise OptionError("one annotator agrees with nobody", remedy="give two corpora or more")
    chosen = (options or Options()).changed(**keywords)
    names = tuple(corpora)
    texts: dict[str, list[str]] = {}
    for name, corpus in corpora.items():
        for entry in corpus:
            texts.setdefault(entry.name, []).append(name)
    shared = {text: done for text, done in texts.items() if len(done) > 1}
    if not shared:
        raise InputError("no text was done by two annotators", remedy="give the maps of one text the same name")
    summaries: dict[tuple[str, str], list[PairSummary]] = {}
    counts: dict[str, Counter[LabelRow]] = {}
    complete: dict[str, Counter[LabelRow]] = {}
    failed: list[tuple[str, str]] = []
    for text, done in shared.items():
        graphs: dict[str, ArgumentGraph] = {}
        for name in done:
            try:
                graphs[name] = corpora[name][text].load()
            except AifgraphError as error:
                failed.append((f"{text} ({name})", str(error)))
        compared = {(a, b): compare(graphs[a], graphs[b], options=chosen) for a, b in combinations(graphs, 2)}
        for key, result in compared.items():
            summaries.setdefault(key, []).append(summary_of(result, PairNames(text, text)))
        for calculation, rows in labels_of_all(list(graphs), compared, chosen).items():
            places = [names.index(name) for name in graphs]
            whole: Counter[LabelRow] = counts.setdefault(calculation, Counter())
            for labels, count in rows.items():
                row: list[str | None] = [None] * len(names)
                for place, label in zip(places, labels, strict=True):
                    row[place] = label
                whole[tuple(row)] += count
            if len(graphs) == len(names):
                complete.setdefault(calculation, Counter()).update(rows)
    alpha: dict[str, float | None] = {}
    fleiss: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for calculation in chosen.calculations:
        if not _labelled(counts.get(calculation, Counter())):
            reasons[calculation] = "nobody gives a label in it"
            alpha[calculation] = fleiss[calculation] = None
            continue
        alpha[calculation] = nominal_alpha(counts[calculation]).value
        fleiss[calculation] = fleiss_kappa(complete.get(calculation, Counter())).value
        if fleiss[calculation] is None:
            reasons[calculation] = "Fleiss' kappa: no text was done by all annotators"
    return Agreement(
        names,
        {name: sum(name in done for done in shared.values()) for name in names},
        {key: macro(pairs) for key, pairs in summaries.items()},
        alpha,
        fleiss,
        {calculation: counts.get(calculation, Counter()).total() for calculation in chosen.calculations},
        reasons,
        tuple(failed),
        signature_of(chosen),
    )


def _labelled(counts: Counter[LabelRow]) -> bool:
    return any(label not in (None, NONE) for labels in counts for label in labels)


def labels_of_all(
    names: Sequence[str], compared: Mapping[tuple[str, str], Comparison], options: Options
) -> dict[str, Counter[LabelRow]]:
    """By calculation, how many items of a text got which labels, one a name in the order of ``names``."""
    if len(names) < 2:
        return {}
    analyses = {}
    for (a, b), result in compared.items():
        analyses[a], analyses[b] = result.alignment.first, result.alignment.second
    propositions, proposition_groups = _groups(names, compared, analyses, "propositions")
    locutions, locution_groups = _groups(names, compared, analyses, "locutions")
    types = frozenset(options.relations)
    sides = [
        links_of(analyses[name], proposition_groups[name], locution_groups[name], number, types)
        for number, name in enumerate(names)
    ]
    counts: dict[str, Counter[LabelRow]] = {}
    for name, calculation in calculations_of(sides, propositions, locutions, options.calculations).items():
        items = {item for labels in calculation.sides for item in labels}
        rows: Counter[LabelRow] = Counter(
            tuple(
                "+".join(sorted(map(calculation.shown, labels[item]))) if item in labels else NONE
                for labels in calculation.sides
            )
            for item in items
        )
        if unlabelled := calculation.items_total - len(items):
            rows[(NONE,) * len(names)] += unlabelled
        counts[name] = rows
    return counts


def _groups(
    names: Iterable[str],
    compared: Mapping[tuple[str, str], Comparison],
    analyses: Mapping[str, Analysis],
    layer: Literal["propositions", "locutions"],
) -> tuple[int, dict[str, dict[int, int]]]:
    """How many groups there are, and by annotator the number of each node's group."""
    from networkx.utils import UnionFind

    nodes = [(name, node) for name in names for node in getattr(analyses[name], layer)]
    joined = UnionFind(nodes)
    for (a, b), result in compared.items():
        for node_class in getattr(result.alignment, layer).classes:
            for one, other in product(node_class.first, node_class.second):
                joined.union((a, one), (b, other))
    numbers: dict[tuple[str, int], int] = {}
    groups: dict[str, dict[int, int]] = {name: {} for name in names}
    for name, node in nodes:
        groups[name][node] = numbers.setdefault(joined[name, node], len(numbers))
    return len(numbers), groups
