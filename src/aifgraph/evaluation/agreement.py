"""``agreement``: several annotators of the same texts.

Every two maps of a text are compared. All numbers are means over texts of the means over a text's pairs, whether of two
annotators, of one with all others, or of all. Alpha and Fleiss' kappa are of items, pooled over texts.

Nodes that pairwise alignments put into one class, directly or by way of others, are one. Every calculation of CASS is
then an annotation of items, to which each annotator gives a label or ``none``. Several labels of one annotator on one
item are one label, joined by ``+``.

Sources: Krippendorff (2011), Computing Krippendorff's alpha-reliability; Fleiss (1971).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from os import PathLike
from typing import Any, Unpack

import numpy as np

from aifgraph.align.alignment import NodeKind
from aifgraph.align.analysis import Analysis
from aifgraph.comparison import Comparison, compare
from aifgraph.comparison.breakdown import NameCounts
from aifgraph.comparison.calculations import CALCULATIONS, ER, label_items
from aifgraph.comparison.links import ClassLinks
from aifgraph.comparison.maps import PairNames
from aifgraph.corpus.corpus import CorpusLike
from aifgraph.corpus.pairing import MIN_SIMILARITY, PairedCorpora, nothing_in_common
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.evaluation.caveats import corpus_caveats, few_texts, left_out
from aifgraph.evaluation.estimates import Estimates, MetricName, TextTable, cell, pool
from aifgraph.evaluation.processes import Progress, run_each
from aifgraph.evaluation.record import Outcome, PairKey
from aifgraph.evaluation.result import PooledResult, printed_quantity, quantity_tables, report_tables
from aifgraph.evaluation.run import MapSource
from aifgraph.evaluation.text_tables import macro_table, summed_matrices
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.columns import UnionFind
from aifgraph.options import OptionKeywords, Options, Signature
from aifgraph.printable import enumerated, pluralize
from aifgraph.stats.alpha import alpha_of_sums, fleiss_of_sums, label_sums
from aifgraph.stats.resampling import Array, Bootstrap
from aifgraph.stats.scores import NONE
from aifgraph.tables import Cell, Table

#: The name of a text and its maps by annotator. With two annotators, a text may have several of these.
MapsOfText = tuple[str, Mapping[str, MapSource]]
#: The labels of an item, one of each annotator; None where an annotator did not do the text.
Labels = tuple[str | None, ...]
#: How many items got which labels.
LabelCounts = Counter[Labels]
#: The columns with intervals.
DRAWN = (MetricName("M", "kappa", "argument"), MetricName("CASS", "kappa"))


@dataclass(frozen=True, repr=False, kw_only=True)
class Agreement(PooledResult):
    """How several annotators agree.

    ``macro`` has the numbers of every two annotators, of each with all others, and of all, by two names, one or none.
    ``micro`` has alpha and Fleiss' kappa of each calculation (``PR-alpha``), and alpha of each label against the rest
    (``RA PR-alpha``), pooled over texts; ``items`` is how many items a calculation has. ``texts`` counts the texts that
    each annotator shares with others, ``unpaired`` names those of one alone; ``failed`` has the errors of maps.
    """

    annotators: tuple[str, ...]
    macro: Mapping[tuple[str, ...], Estimates]
    micro: Estimates
    items: Mapping[str, int]
    texts: Mapping[str, int]
    unpaired: Mapping[str, Sequence[str]]
    failed: Mapping[str, str]

    def between(self, *annotators: str) -> Estimates:
        """Return the macro numbers of two annotators in any order, of one with all others, or of all."""
        if unknown := set(annotators) - set(self.annotators):
            raise OptionError(f"there is no annotator {min(unknown)}")
        return self.macro[tuple(sorted(set(annotators), key=self.annotators.index))]

    @property
    def pooled(self) -> Mapping[str, Estimates]:
        """All numbers: macro of annotators, by their names, and the coefficients of all."""
        return {**self._rows(), "micro": self.micro}

    @property
    def several(self) -> bool:
        """Whether more than two annotators share texts."""
        return sum(number > 0 for number in self.texts.values()) > 2

    def _rows(self) -> dict[str, Estimates]:
        """Return the macro numbers by the names of their rows, each once: those of all first."""
        names: dict[tuple[str, ...], str] = {(): "all", **{(name,): f"{name} – all others" for name in self.annotators}}
        return {
            names.get(group, " – ".join(group)): numbers
            for group, numbers in self.macro.items()
            if numbers["S"].texts and (self.several or len(group) == 2)
        }

    def table(self) -> Table:
        """Return a row for all annotators, each with all others, and every two."""
        rows = self._rows()
        whole = self.between()["S"]
        title = f"{pluralize(whole.texts, 'texts')} in {pluralize(whole.pairs, 'pairs')}"
        title += left_out(self.unpaired, missing="skip") + "."
        drawn = [number for number in DRAWN if any(of[number].texts for of in rows.values())]
        return self.ranking(title, rows, drawn or DRAWN, "" if self.several else self._note())

    def labels_table(self, *, details: bool = False) -> Table:
        """Return the coefficients of all annotators, a row for each calculation, with details for each label, too."""
        rows: list[list[Cell]] = []
        for code, items in self.items.items():
            alpha, fleiss = self.micro[f"{code}-alpha"], self.micro[f"{code}-fleiss"]
            if alpha.value is not None:
                rows.append([printed_quantity(code), items, cell(alpha), alpha.texts, cell(fleiss), fleiss.texts])
            labels = [number for number in self.micro if number.what == code and number.part] if details else []
            for number in labels:
                alpha, name = self.micro[number], printed_quantity(str(number._replace(score="")))
                rows.append([name, "", cell(alpha), alpha.texts, "", ""])
        heads = ("", "items", "pooled α", "texts", "Fleiss' κ", "texts of all")
        title = "All annotators at once: Krippendorff's α and Fleiss' κ"
        how = "Items are what an annotator can label; pooled α and Fleiss' κ are of the labels of all texts together"
        drawn = f", with {100 * self.bootstrap.level:.4g} % bootstrap intervals over texts" if self.bootstrap else ""
        return Table(title, heads, rows, note=self._note(f"{how}{drawn}."))

    def tables(self) -> list[Table]:
        """Return the scores of the annotators, and of more than two the coefficients of all."""
        return [self.table(), *([self.labels_table()] if self.several else [])]

    def details(self) -> list[Table]:
        """Return the same with every label, all texts, and tables with a row for each quantity."""
        own = [self.table(), self.labels_table(details=True), *quantity_tables(self._rows())]
        return [*own, self.texts_table(short=True), *report_tables(self.matrices)]

    def to_dict(self) -> dict[str, Any]:
        macro = [{"annotators": list(names), "numbers": pooled.to_dict()} for names, pooled in self.macro.items()]
        return super().to_dict() | {"macro": macro}


def agreement(
    corpora: Mapping[str, CorpusLike] | Sequence[CorpusLike],
    *,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    names: Sequence[str] | None = None,
    bootstrap: Bootstrap | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Agreement:
    """Compare all annotators of the texts that at least two of them did.

    Args:
        pair_by: ``name``, ``text``, or, for two annotators, the path of a table.
        min_text: least similarity of texts that are paired by text, above 0, at most 1.
        bootstrap: how intervals over texts are made; None for no intervals.
        jobs: processes on this machine; -1 for one a core.
        progress: called with the number of texts done and of all texts.
        options: how to compare; keywords replace its fields.
    """
    chosen = Options.merge(options, **keywords)
    if len(corpora) < 2:
        raise OptionError("agreement needs two corpora or more")
    if len(corpora) > 2 and pair_by not in ("name", "text"):
        raise OptionError("a table of pairs is for two annotators")
    if chosen.reference != "none":
        raise OptionError("annotators have no reference", remedy="use evaluate for a gold corpus")
    paired_corpora = PairedCorpora.from_corpora(corpora, names, pair_by, min_text)
    named = paired_corpora.corpora
    texts = group_maps_by_text(paired_corpora)
    if not texts:
        raise nothing_in_common([*named.values()], pair_by)
    paired = {(name, source) for _, maps in texts for name, source in maps.items()}
    work = partial(compare_text, annotators=tuple(named), options=chosen)
    pairs: dict[tuple[str, str], list[Outcome]] = {names: [] for names in combinations(named, 2)}
    counts: dict[str, dict[str, LabelCounts]] = defaultdict(lambda: defaultdict(LabelCounts))  # by calculation, text
    failed: dict[str, str] = {}
    done = run_each(work, texts, jobs=jobs, progress=progress)
    for (text, _), (of_pairs, labels, errors) in zip(texts, done, strict=True):
        failed |= errors
        for names, outcome in of_pairs.items():
            pairs[names].append(outcome)
        for name, rows in labels.items():
            counts[name][text].update(rows)
    macro: dict[tuple[str, ...], Estimates] = {}
    of_texts: dict[str, TextTable] = {}
    for group in [(), *((name,) for name in named), *pairs]:
        outcomes = [outcome for names in pairs if {*group} <= {*names} for outcome in pairs[names]]
        table = macro_table(outcomes)
        macro[group] = pool(table, bootstrap=bootstrap)
        of_texts |= {" – ".join(group): table} if len(group) == 2 and outcomes else {}
    tables = [table for name, rows_of_texts in counts.items() for table in label_tables(name, rows_of_texts)]
    done_by = {name: sum(name in maps for _, maps in texts) for name in named}
    caveats = [f"{name} shares no text with the others" for name, number in done_by.items() if not number]
    caveats += few_texts(macro[()]["S"].texts) if bootstrap else []
    caveats += corpus_caveats(chain.from_iterable(pairs.values()), macro[()])
    return Agreement(
        annotators=tuple(named),
        macro=macro,
        micro=pool(*tables, bootstrap=bootstrap),
        items={CALCULATIONS[name].code: sum(rows.total() for rows in of.values()) for name, of in counts.items()},
        texts=done_by,
        unpaired={
            name: [entry.name for entry in corpus if (name, entry) not in paired] for name, corpus in named.items()
        },
        failed=failed,
        tables_of_texts=of_texts,
        matrices={" – ".join(names): summed_matrices(of) for names, of in pairs.items() if of},
        subject=f"Agreement of {enumerated([*named])}",
        caveats=caveats,
        notices=paired_corpora.notices,
        how=Signature(chosen, paired_corpora.parts).extend(**(bootstrap.parts if bootstrap else {})),
        bootstrap=bootstrap,
    )


def group_maps_by_text(paired: PairedCorpora) -> list[MapsOfText]:
    """Return the texts that two annotators or more did."""
    groups: UnionFind[object] = UnionFind()
    for names, pairing in paired.pairings.items():
        for both in pairing:
            groups.union((names[0], both.first), (names[1], both.second), (names, both.text))
    maps_of: dict[object, list[dict[str, MapSource]]] = defaultdict(list)  # by group
    text_of: dict[object, str] = {}
    for names, pairing in paired.pairings.items():
        for both in pairing:
            group = groups[names, both.text]
            if group not in text_of:
                text_of[group] = f"{names[0]}/{both.text}" if both.text in text_of.values() else both.text
            pair_of_maps: dict[str, MapSource] = dict(zip(names, (both.first, both.second), strict=True))
            for maps in maps_of[group]:  # it joins maps that share one of its two, and have no other of its annotators
                equal = [maps[name] == source for name, source in pair_of_maps.items() if name in maps]
                if equal and all(equal):
                    maps |= pair_of_maps
                    break
            else:
                maps_of[group].append(pair_of_maps)
    return [(text_of[group], maps) for group, listed in maps_of.items() for maps in listed]


def compare_text(
    of_text: MapsOfText, *, annotators: tuple[str, ...], options: Options
) -> tuple[dict[tuple[str, str], Outcome], dict[str, LabelCounts], dict[str, str]]:
    """Compare every two maps of a text; one that cannot be read is left out.

    Returns the pairs by their annotators, the labels of all by calculation, and the errors of maps.
    """
    text, maps = of_text
    graphs: dict[str, ArgumentGraph] = {}
    failed: dict[str, str] = {}
    for name, source in maps.items():
        try:
            graphs[name] = source.load()
        except AifgraphError as error:
            failed[f"{text} ({name})"] = str(error)
    compared: dict[tuple[str, str], Comparison] = {}
    pairs: dict[tuple[str, str], Outcome] = {}
    for first, second in combinations(graphs, 2):
        compared[first, second] = comparison = compare(graphs[first], graphs[second], options=options)
        names = PairNames(maps[first].name, maps[second].name)
        result = replace(comparison, names=names, text=text, name_counts=NameCounts())
        pairs[first, second] = Outcome(PairKey(*names), text, result)
    return pairs, labels_of_text(annotators, compared, options) if compared else {}, failed


# -- labels -----------------------------------------------------------------------------------------------------------


def labels_of_text(
    annotators: Sequence[str], compared: Mapping[tuple[str, str], Comparison], options: Options
) -> dict[str, LabelCounts]:
    """Count the labels of the items of a text by calculation; ER is there where positions are known.

    ``compared`` has every two annotators of the text.
    """
    analyses: dict[str, Analysis] = {}
    reconstructed: dict[str, frozenset[int] | None] = {}
    for names, comparison in compared.items():
        alignment = comparison.alignment
        analyses |= zip(names, alignment.analyses, strict=True)
        reconstructed |= zip(names, alignment.reconstructed, strict=True)
    propositions = _joined_classes(compared, "propositions")
    locutions = _joined_classes(compared, "locutions")
    types = frozenset(options.relations)
    sides = [
        ClassLinks(analysis, number, types, propositions[name], locutions[name], reconstructed[name])
        for number, (name, analysis) in enumerate(analyses.items())
    ]
    wanted = [*options.calculations, *([] if None in reconstructed.values() else [ER.name])]
    counts: dict[str, LabelCounts] = {}
    for name, counted in label_items(sides, wanted).items():
        labels_of = dict(zip(analyses, counted.labels, strict=True))
        rows: LabelCounts = Counter()
        for item in {item for labels in counted.labels for item in labels}:
            shown = {
                annotator: "+".join(sorted(map(counted.display_name, labels.get(item, ())))) or NONE
                for annotator, labels in labels_of.items()
            }
            rows[tuple(map(shown.get, annotators))] += 1
        unlabelled = counted.size - rows.total()
        rows[tuple(NONE if annotator in analyses else None for annotator in annotators)] += unlabelled
        counts[name] = +rows
    return counts


def _joined_classes(compared: Mapping[tuple[str, str], Comparison], kind: NodeKind) -> dict[str, dict[int, int]]:
    """Return by annotator the number of each node's class, joined over all alignments."""
    groups: UnionFind[tuple[str, object]] = UnionFind()
    nodes: dict[tuple[str, int], None] = {}
    for names, comparison in compared.items():
        for node_class in getattr(comparison.alignment, kind).classes:
            sides = zip(names, node_class.sides, strict=True)
            members = [(name, node) for name, side in sides for node in side]
            nodes |= dict.fromkeys(members)
            if node_class.first and node_class.second:
                groups.union(*members)
    numbers: dict[object, int] = {}
    classes: dict[str, dict[int, int]] = {name: {} for names in compared for name in names}
    for name, node in nodes:
        classes[name][node] = numbers.setdefault(groups[name, node], len(numbers))
    return classes


def label_tables(name: str, texts: Mapping[str, LabelCounts]) -> Iterator[TextTable]:
    """Yield the text tables of a calculation: of alpha (``IL-alpha``), of Fleiss' kappa (``IL-fleiss``) over the texts
    that all annotators did, and of alpha of each label against the rest (``Asserting IL-alpha``)."""
    by_all = {text: Counter({row: n for row, n in rows.items() if None not in row}) for text, rows in texts.items()}
    yield _label_table(MetricName(CALCULATIONS[name].code, "alpha"), texts, alpha_of_sums)
    yield _label_table(MetricName(CALCULATIONS[name].code, "fleiss"), by_all, fleiss_of_sums)
    labels = {label for rows in texts.values() for row in rows for cell in row if cell for label in cell.split("+")}
    for label in sorted(labels - {NONE}) if len(labels - {NONE}) > 1 else ():
        alone = {text: _one_vs_rest(rows, label) for text, rows in texts.items()}
        yield _label_table(MetricName(CALCULATIONS[name].code, "alpha", label), alone, alpha_of_sums)


def _one_vs_rest(rows: LabelCounts, label: str) -> LabelCounts:
    """Return the same items with one label against the rest."""
    counts: LabelCounts = Counter()
    for row, number in rows.items():
        counts[tuple(cell and (label if label in cell.split("+") else NONE) for cell in row)] += number
    return counts


def _label_table(
    number: MetricName, texts: Mapping[str, LabelCounts], coefficient: Callable[[Array], Array]
) -> TextTable:
    """Return the table of a coefficient of sums: of agreeing pairs of labels, and of each label."""
    labels = sorted({label for rows in texts.values() for row in rows for label in row if label is not None})
    columns = np.array([label_sums(rows, labels) for rows in texts.values()], dtype=np.float64)
    given = [place for place, label in enumerate(labels, 1) if label != NONE]

    def numbers(sums: Array) -> dict[MetricName, Array]:
        # Where nobody gives a label, there is nothing to agree on.
        return {number: np.where(sums[:, given].sum(axis=1) > 0, coefficient(sums), np.nan)}

    return TextTable(tuple(texts), columns, numbers, {number: (columns[:, 1:].sum(axis=1) > 0).astype(np.float64)})
