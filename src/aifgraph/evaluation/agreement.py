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
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from os import PathLike
from typing import Literal, Unpack

from aifgraph.comparison.breakdown import NameAgreement
from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.sides import PairNames
from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.pairing import MIN_SIMILARITY
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.agreement_result import Agreement, Confusion, LabelUse
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.defaults import PERIODS
from aifgraph.evaluation.pooled import macro
from aifgraph.evaluation.text_agreement import (
    Example,
    LabelRow,
    SharedTexts,
    TextAgreement,
    agree_on_chunk,
    shared_texts,
)
from aifgraph.evaluation.workers import Workers, run_each, sender
from aifgraph.stats.agreement import fleiss_kappa
from aifgraph.stats.krippendorff import nominal_alpha
from aifgraph.stats.matrix import NONE

#: How texts are put together over time: by the day, month or year in which the last of their nodes was stored.
Period = Literal["day", "month", "year"]

#: Texts that a worker gets at a time.
_CHUNK = 8
#: Examples that are kept of a confusion.
_EXAMPLES = 3


def agreement(
    corpora: Mapping[str, Corpus],
    *,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    layer: ScoreLayer = "all",
    over_time: Period | None = None,
    batches: Mapping[str, str] | None = None,
    n_jobs: int = 1,
    workers: Workers | None = None,
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Agreement:
    """How far annotators agree on the texts that at least two of them did.

    A map that cannot be read is listed under ``failed`` and left out.

    Args:
        pair_by: how maps belong together: by ``name``, by ``text``, or by a file of pairs (of two annotators).
        min_text: by text, how similar two texts must be: above 0, at most 1.
        layer: the layer that CASS is shown for: ``all``, ``propositional`` or ``dialogical``.
        over_time: puts texts together by the ``day``, ``month`` or ``year`` in which the last node of their maps was
            stored.
        batches: puts texts together by the name given here for each text.

    Raises:
        InputError: no text was done by two annotators; ``batches`` has a text that nobody did twice.
        OptionError: fewer than two corpora, an option that is not one.
    """
    if len(corpora) < 2:
        raise OptionError("one annotator agrees with nobody", remedy="give two corpora or more")
    if layer not in SCORE_LAYERS:
        raise OptionError(f"there is no layer {layer!r}", remedy=f"choose from {', '.join(SCORE_LAYERS)}")
    if over_time is not None and (over_time not in PERIODS or batches is not None):
        raise OptionError("over time is by day, month or year, or by batches", remedy="choose one of them")
    chosen = Options.given(options, **keywords)
    chosen_workers = workers or Workers(n_jobs)
    shared = shared_texts(corpora, pair_by, min_text=min_text, send=sender(chosen_workers))
    if batches is not None:
        names = {text.name for text in shared.texts}
        if unknown := sorted(batches.keys() - names):
            more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
            what = f"no text of two annotators is called {', '.join(unknown[:5])}{more}"
            raise InputError(what, remedy=f"name texts as the corpora do: {shared.texts[0].name}")
    chunks = (shared.texts[start : start + _CHUNK] for start in range(0, len(shared.texts), _CHUNK))
    totals = _Totals(tuple(corpora))
    for done, text in enumerate(run_each(chunks, partial(agree_on_chunk, options=chosen), chosen_workers), 1):
        totals.add(text, _batch_of(text, over_time, batches))
        if progress:
            progress(done, len(shared.texts))
    return totals.result(shared, chosen, layer)


def _batch_of(text: TextAgreement, over_time: Period | None, batches: Mapping[str, str] | None) -> str | None:
    if batches is not None:
        return batches.get(text.name, "no batch")
    if over_time is None:
        return None
    return text.date.strftime(PERIODS[over_time]) if text.date else "no date"


class _Totals:
    """The sums over texts."""

    def __init__(self, annotators: tuple[str, ...]) -> None:
        self.annotators = annotators
        self.done: Counter[str] = Counter()
        self.summaries: dict[tuple[str, str], list[PairResult]] = {}
        self.text_names: dict[tuple[str, str], dict[PairNames, str]] = {}
        self.counts: dict[str, Counter[LabelRow]] = {}
        self.complete: dict[str, Counter[LabelRow]] = {}
        self.confused: Counter[tuple[str, str, str]] = Counter()
        self.examples: dict[tuple[str, str, str], list[Example]] = {}
        self.speakers: dict[str, Counter[tuple[str, str]]] = {}
        self.batches: dict[str, list[PairResult]] = {}
        self.failed: list[tuple[str, str]] = []

    def add(self, text: TextAgreement, batch: str | None) -> None:
        """Add a text; ``batch`` is the one that it belongs to."""
        self.failed += text.failed
        for key, summary in text.summaries.items():
            self.summaries.setdefault(key, []).append(summary)
            self.text_names.setdefault(key, {})[summary.names] = text.name
        if batch is not None:
            self.batches.setdefault(batch, []).extend(text.summaries.values())
        places = [self.annotators.index(name) for name in text.annotators]
        for calculation, rows in text.labels.items():
            whole = self.counts.setdefault(calculation, Counter())
            for labels, count in rows.items():
                row: list[str | None] = [None] * len(self.annotators)
                for place, label in zip(places, labels, strict=True):
                    row[place] = label
                whole[tuple(row)] += count
            if len(text.annotators) == len(self.annotators):
                self.complete.setdefault(calculation, Counter()).update(rows)
        self.confused.update(text.confused)
        for confusion, examples in text.examples.items():
            known = self.examples.setdefault(confusion, [])
            known += examples[: _EXAMPLES - len(known)]
        for (speaker, one, other), count in text.speakers.items():
            self.speakers.setdefault(speaker, Counter())[one, other] += count

    def result(self, shared: SharedTexts, options: Options, layer: ScoreLayer) -> Agreement:
        alpha: dict[str, float | None] = {}
        fleiss: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        for calculation in options.calculations:
            counts = self.counts.get(calculation, Counter())
            if not _labelled(counts):
                reasons[calculation] = "nobody gives a label in it"
                alpha[calculation] = fleiss[calculation] = None
                continue
            alpha[calculation] = nominal_alpha(counts).value
            fleiss[calculation] = fleiss_kappa(self.complete.get(calculation, Counter())).value
            if fleiss[calculation] is None:
                reasons[calculation] = "Fleiss' kappa: no text was done by all annotators"
        comparisons = {
            key: CorpusComparison(
                tuple(pairs),
                options,
                "skip",
                ((), ()),
                (),
                pairing=shared.pairing,
                one_corpus=shared.one_corpus,
                text_names=self.text_names[key],
            )
            for key, pairs in self.summaries.items()
        }
        confusions = (
            Confusion(name, (one, other), count, tuple(self.examples.get((name, one, other), ())))
            for (name, one, other), count in self.confused.most_common()
        )
        by_name = [] if shared.pairing == "pair:name" else [shared.pairing]
        return Agreement(
            self.annotators,
            {name: sum(name in text.maps for text in shared.texts) for name in self.annotators},
            comparisons,
            alpha,
            fleiss,
            {calculation: self.counts.get(calculation, Counter()).total() for calculation in options.calculations},
            reasons,
            tuple(self.failed),
            signature_of(options, *by_name),
            layer,
            tuple(_label_uses(self.annotators, self.counts)),
            tuple(confusions),
            {speaker: NameAgreement(cells) for speaker, cells in sorted(self.speakers.items())},
            {name: macro(pairs) for name, pairs in sorted(self.batches.items())},
            shared.notices,
        )


def _labelled(counts: Counter[LabelRow]) -> bool:
    return any(label not in (None, NONE) for labels in counts for label in labels)


def _label_uses(annotators: tuple[str, ...], counts: Mapping[str, Counter[LabelRow]]) -> Iterator[LabelUse]:
    """Every label of every calculation, as often as each annotator gives it."""
    for calculation, rows in counts.items():
        used: dict[str, Counter[str]] = {name: Counter() for name in annotators}
        for labels, count in rows.items():
            for name, label in zip(annotators, labels, strict=True):
                if label is not None and label != NONE:
                    for part in label.split("+"):
                        used[name][part] += count
        for label in sorted(set[str]().union(*used.values())):
            of_all = {name: used[name].total() for name in annotators}
            yield LabelUse(
                calculation,
                label,
                {name: used[name][label] for name in annotators},
                {name: used[name][label] / of_all[name] if of_all[name] else None for name in annotators},
            )
