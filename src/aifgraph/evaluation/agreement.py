"""``agreement``: several annotators of the same texts.

Every two maps of a text are compared. All numbers are means over texts of the means over a text's pairs, whether of two
annotators, of one with all others, or of all. Alpha and Fleiss' kappa are of items, pooled over texts (``labels``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from os import PathLike
from typing import Any, Unpack

from networkx.utils import UnionFind

from aifgraph.comparison import Comparison, compare
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.comparison.options import OptionKeywords, Options, extended, signature_of
from aifgraph.comparison.result import PairNames
from aifgraph.corpus.corpus import Corpus, CorpusLike, named_corpora
from aifgraph.corpus.pairing import MIN_SIMILARITY, find_pairs, nothing_in_common
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.evaluation.caveats import corpus_caveats, few_texts, left_out
from aifgraph.evaluation.labels import LabelCounts, label_tables, labels_in, labels_of_text
from aifgraph.evaluation.macro import macro_table
from aifgraph.evaluation.pooled import Pooled, PooledResult, cell, columns_of, pool, printed_quantity, quantity_tables
from aifgraph.evaluation.record import Outcome, PairKey
from aifgraph.evaluation.run import MapSource, Progress, run_each
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.printable import enumerated, quantity
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import printed_name
from aifgraph.tables import Cell, Table

#: The columns with intervals.
DRAWN = ("argument M-kappa", "CASS-kappa")


@dataclass(frozen=True, repr=False)
class Agreement(PooledResult):
    """How several annotators agree.

    ``macro`` has the numbers of every two annotators, of each with all others, and of all, by two names, one or none.
    ``micro`` has alpha and Fleiss' kappa of each calculation (``PR-alpha``), pooled over texts, ``items`` how many
    items that has. ``texts`` counts the texts that each annotator shares with others, ``unpaired`` names those of one
    alone; ``failed`` has the errors of maps. ``bootstrap`` is how intervals were made.
    """

    annotators: tuple[str, ...]
    macro: Mapping[tuple[str, ...], Pooled]
    micro: Pooled
    items: Mapping[str, int]
    texts: Mapping[str, int]
    unpaired: Mapping[str, Sequence[str]]
    failed: Mapping[str, str]
    caveats: list[str]
    notices: tuple[Notice, ...]
    signature: str
    bootstrap: Bootstrap | None

    def between(self, *annotators: str) -> Pooled:
        """Return the macro numbers of two annotators in any order, of one with all others, or of all."""
        if unknown := set(annotators) - set(self.annotators):
            raise OptionError(f"there is no annotator {min(unknown)}")
        return self.macro[tuple(sorted(set(annotators), key=self.annotators.index))]

    @property
    def pooled(self) -> Mapping[str, Pooled]:
        """All numbers: macro of annotators, by their names, and the coefficients of all."""
        return {**self._rows(), "micro": self.micro}

    @property
    def several(self) -> bool:
        """Whether more than two annotators share texts."""
        return sum(number > 0 for number in self.texts.values()) > 2

    def _rows(self) -> dict[str, Pooled]:
        """Return the macro numbers by the names of their rows, each once: those of all first."""
        names: dict[tuple[str, ...], str] = {(): "all", **{(name,): f"{name} – all others" for name in self.annotators}}
        return {
            names.get(group, " – ".join(group)): numbers
            for group, numbers in self.macro.items()
            if numbers["S"].texts and (self.several or len(group) == 2)
        }

    @property
    def subject(self) -> str:
        """The names of the annotators."""
        return f"Agreement of {enumerated(self.annotators)}"

    def table(self) -> Table:
        """Return a row for all annotators, each with all others, and every two."""
        columns = [number for number in columns_of(self.macro.values()) if number.part != "dialogue"]
        rows: list[list[Cell]] = [
            [name, *(cell(of[n]) if str(n) in DRAWN else of[n].value for n in columns), of["S"].texts]
            for name, of in self._rows().items()
        ]
        whole = self.between()["S"]
        title = f"{quantity(whole.texts, 'texts')} in {quantity(whole.pairs, 'pairs')}"
        title += left_out(self.unpaired, missing="skip") + "."
        heads = ("", *(printed_name(str(number)) for number in columns), "texts")
        note = f"All numbers are {self._means()}."
        return Table(title, heads, rows, note=note if self.several else self._note(note))

    def labels_table(self, *, every: bool = False) -> Table:
        """Return a row for each calculation, with the coefficients of all annotators at once; or for every label."""
        rows: list[list[Cell]] = []
        for number, alpha in self.micro.items():
            if number.score == "alpha" and (every or not number.part):
                fleiss = self.micro[number._replace(score="fleiss")]
                of_all = ["", ""] if number.part else [cell(fleiss), fleiss.texts]
                items = "" if number.part else self.items[number.what]
                name = printed_quantity(str(number._replace(score="")))
                rows.append([name, items, cell(alpha), alpha.texts, *of_all])
        heads = ("", "items", "α pooled over texts", "texts", "Fleiss' κ", "texts of all")
        return Table("All annotators at once (Krippendorff's α)", heads, rows, note=self._note())

    def tables(self) -> list[Table]:
        """Return the scores of the annotators, and of more than two the coefficients of all."""
        return [self.table(), *([self.labels_table()] if self.several else [])]

    def details(self) -> list[Table]:
        """Return the same with every label, and tables with a row for each quantity."""
        quantities = [table for name, numbers in self._rows().items() for table in quantity_tables(name, numbers)]
        return [self.table(), self.labels_table(every=True), *quantities]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return super().to_dict() | {
            "macro": [{"annotators": list(names), "numbers": pooled.to_dict()} for names, pooled in self.macro.items()],
            "micro": self.micro.to_dict(),
            "items": dict(self.items),
            "texts": dict(self.texts),
            "unpaired": {name: list(texts) for name, texts in self.unpaired.items()},
            "failed": dict(self.failed),
        }


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
        corpora: corpora of the annotators by name, or a list of them.
        pair_by: ``name``, ``text``, or, for two annotators, the path of a table.
        min_text: least similarity of texts that are paired by text, above 0, at most 1.
        names: names of the annotators; they replace the names of ``corpora``.
        bootstrap: how intervals over texts are made; None for no intervals.
        jobs: processes on this machine; -1 for one a core.
        progress: called with the number of texts done and of all texts.
        options: how to compare.
        **keywords: fields of ``Options``; they replace those of ``options``.
    """
    named = named_corpora(corpora, names)
    if len(named) < 2:
        raise OptionError("agreement needs two corpora or more")
    chosen = Options.given(options, **keywords)
    texts, paired_by, notices = texts_of(named, pair_by, min_text)
    if not texts:
        raise nothing_in_common([*named.values()], pair_by)
    paired = {(name, source) for text in texts for name, source in text.maps.items()}
    work = partial(agree_on, annotators=tuple(named), options=chosen)
    pairs: dict[tuple[str, str], list[Outcome]] = {names: [] for names in combinations(named, 2)}
    counts: dict[str, dict[str, LabelCounts]] = defaultdict(lambda: defaultdict(LabelCounts))  # by calculation, text
    failed: dict[str, str] = {}
    for done in run_each(work, texts, jobs=jobs, progress=progress):
        failed |= done.failed
        for names, outcome in done.pairs.items():
            pairs[names].append(outcome)
        for name, labels in done.labels.items():
            counts[name][done.text].update(labels)
    macro: dict[tuple[str, ...], Pooled] = {}
    for group in [(), *((name,) for name in named), *pairs]:
        outcomes = [outcome for names in pairs if {*group} <= {*names} for outcome in pairs[names]]
        macro[group] = pool(macro_table(outcomes), bootstrap=bootstrap)
    labelled = {name: rows_of_texts for name, rows_of_texts in counts.items() if labels_in(rows_of_texts)}
    tables = [table for name, rows_of_texts in labelled.items() for table in label_tables(name, rows_of_texts)]
    done_by = {name: sum(name in text.maps for text in texts) for name in named}
    return Agreement(
        tuple(named),
        macro,
        pool(*tables, bootstrap=bootstrap),
        {CALCULATIONS[name].code: sum(rows.total() for rows in of.values()) for name, of in counts.items()},
        done_by,
        {name: [entry.name for entry in corpus if (name, entry) not in paired] for name, corpus in named.items()},
        failed,
        [
            *(f"{name} shares no text with the others" for name, number in done_by.items() if not number),
            *(few_texts(macro[()]["S"].texts) if bootstrap else []),
            *corpus_caveats(chain.from_iterable(pairs.values()), macro[()]),
        ],
        notices,
        extended(signature_of(chosen, **paired_by), bootstrap.parts if bootstrap else {}),
        bootstrap,
    )


@dataclass(frozen=True, slots=True)
class MapsOfText:
    """Maps of one text by annotator. With two annotators, a text may have several of these."""

    text: str
    maps: Mapping[str, MapSource]


def texts_of(
    corpora: Mapping[str, Corpus], pair_by: str | PathLike[str], min_text: float
) -> tuple[list[MapsOfText], dict[str, object], tuple[Notice, ...]]:
    """Return the texts that two annotators or more did, how their maps were paired, and notices."""
    if len(corpora) > 2 and pair_by not in ("name", "text"):
        raise OptionError("a table of pairs is for two annotators")
    pairings = {
        names: find_pairs(corpora[names[0]], corpora[names[1]], pair_by, min_similarity=min_text)
        for names in combinations(corpora, 2)
    }
    notices = [notice for corpus in corpora.values() for notice in corpus.notices]
    notices += [notice for pairing in pairings.values() for notice in pairing.caveats]
    paired_by = next(iter(pairings.values())).parts
    groups: UnionFind[object] = UnionFind()
    for names, pairing in pairings.items():
        for both in pairing:
            groups.union((names[0], both.first), (names[1], both.second), (names, both.text))
    maps_of: dict[object, list[dict[str, MapSource]]] = defaultdict(list)  # by group
    text_of: dict[object, str] = {}
    for names, pairing in pairings.items():
        for both in pairing:
            group = groups[names, both.text]
            if group not in text_of:
                text_of[group] = f"{names[0]}/{both.text}" if both.text in text_of.values() else both.text
            pair_of_maps: dict[str, MapSource] = dict(zip(names, (both.first, both.second), strict=True))
            _add(pair_of_maps, maps_of[group])
    texts = [MapsOfText(text_of[group], maps) for group, listed in maps_of.items() for maps in listed]
    return texts, paired_by, tuple(notices)


def _add(pair_of_maps: dict[str, MapSource], listed: list[dict[str, MapSource]]) -> None:
    """Add a pair to the maps of a text with which it shares one map, and which have no other map of its annotators."""
    for maps in listed:
        equal = [maps[name] == source for name, source in pair_of_maps.items() if name in maps]
        if equal and all(equal):
            maps |= pair_of_maps
            return
    listed.append(pair_of_maps)


@dataclass(frozen=True, slots=True)
class AgreementOnText:
    """What a text gives: its pairs by annotators, the labels of all by calculation, and the errors of maps."""

    text: str
    pairs: Mapping[tuple[str, str], Outcome]
    labels: Mapping[str, LabelCounts]
    failed: Mapping[str, str]


def agree_on(text: MapsOfText, *, annotators: tuple[str, ...], options: Options) -> AgreementOnText:
    """Compare every two maps of a text; one that cannot be read is left out."""
    graphs: dict[str, ArgumentGraph] = {}
    failed: dict[str, str] = {}
    for name, source in text.maps.items():
        try:
            graphs[name] = source.load()
        except AifgraphError as error:
            failed[f"{text.text} ({name})"] = str(error)
    compared: dict[tuple[str, str], Comparison] = {}
    pairs: dict[tuple[str, str], Outcome] = {}
    for first, second in combinations(graphs, 2):
        compared[first, second] = comparison = compare(graphs[first], graphs[second], options=options)
        names = PairNames(text.maps[first].name, text.maps[second].name)
        result = replace(comparison.result, names=names, text=text.text)
        pairs[first, second] = Outcome(PairKey(*names), text.text, result)
    labels = labels_of_text(annotators, compared, options) if compared else {}
    return AgreementOnText(text.text, pairs, labels, failed)
