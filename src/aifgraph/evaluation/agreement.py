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

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Unpack

from aifgraph.comparison.breakdown import NameAgreement
from aifgraph.comparison.calculations.registry import ByCalculation
from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.comparison.result import PairResult
from aifgraph.corpus.corpus import Corpus, named_corpora
from aifgraph.corpus.pairing import MIN_SIMILARITY
from aifgraph.errors import OptionError, choose_from
from aifgraph.evaluation.agreement_result import Agreement, Confusion, LabelUse
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.intervals import ER
from aifgraph.evaluation.text_agreement import (
    Example,
    LabelRow,
    SharedTexts,
    TextAgreement,
    agree_on_chunk,
    labels_alone,
    shared_texts,
)
from aifgraph.evaluation.workers import run_each, sender
from aifgraph.stats.agreement import fleiss_kappa
from aifgraph.stats.krippendorff import nominal_alpha
from aifgraph.stats.matrix import NONE

#: Texts that a worker gets at a time.
_CHUNK = 8
#: Examples that are kept of a confusion.
_EXAMPLES = 3


def agreement(
    corpora: Mapping[str, Corpus | str | PathLike[str]] | Sequence[Corpus | str | PathLike[str]],
    *,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    layer: ScoreLayer = "all",
    jobs: int = 1,
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Agreement:
    """How far annotators agree on the texts that at least two of them did.

    A map that cannot be read is listed under ``failed`` and left out.

    Args:
        corpora: the corpora of the annotators, or paths to them, by name; in a list, they are called as their folders.
        pair_by: how maps belong together: by ``name``, by ``text``, or by a file of pairs (of two annotators).
        min_text: by text, how similar two texts must be: above 0, at most 1.
        layer: the layer that CASS is shown for: ``all``, ``propositional`` or ``dialogical``.
        jobs: processes that share the work; -1 for one a core.

    Raises:
        InputError: no text was done by two annotators.
        OptionError: fewer than two corpora, an option that is not one.
    """
    corpora = named_corpora(corpora)
    if len(corpora) < 2:
        raise OptionError("one annotator agrees with nobody", remedy="give two corpora or more")
    if layer not in SCORE_LAYERS:
        raise OptionError(f"there is no layer {layer!r}", remedy=choose_from(SCORE_LAYERS))
    chosen = Options.given(options, **keywords)
    shared = shared_texts(corpora, pair_by, min_text=min_text, send=sender(jobs))
    chunks = (shared.texts[start : start + _CHUNK] for start in range(0, len(shared.texts), _CHUNK))
    texts = []
    for text in run_each(chunks, partial(agree_on_chunk, options=chosen), jobs):
        texts.append(text)
        if progress:
            progress(len(texts), len(shared.texts))
    return _result(texts, tuple(corpora), shared, chosen, layer)


def _result(
    texts: Sequence[TextAgreement],
    annotators: tuple[str, ...],
    shared: SharedTexts,
    options: Options,
    layer: ScoreLayer,
) -> Agreement:
    """The sums over texts."""
    pairs: dict[tuple[str, str], list[PairResult]] = defaultdict(list)
    label_rows: dict[str, dict[str, Counter[LabelRow]]] = defaultdict(lambda: defaultdict(Counter))  # by text
    confused: Counter[tuple[str, str, str]] = Counter()
    examples: dict[tuple[str, str, str], list[Example]] = defaultdict(list)
    speakers: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for text in texts:
        for key, pair in text.summaries.items():
            pairs[key].append(pair)
        for calculation, rows in text.labels.items():
            of_text = label_rows[calculation][next(pair.text for pair in text.summaries.values())]
            for labels, count in rows.items():
                label_of = dict(zip(text.annotators, labels, strict=True))
                of_text[tuple(map(label_of.get, annotators))] += count
        confused.update(text.confused)
        for confusion, own in text.examples.items():
            examples[confusion] += own[: _EXAMPLES - len(examples[confusion])]
        for (speaker, one, other), count in text.speakers.items():
            speakers[speaker][one, other] += count
    alpha: ByCalculation[float | None] = ByCalculation()
    fleiss: ByCalculation[float | None] = ByCalculation()
    reasons: dict[str, str] = {}
    counts = {name: sum(rows.values(), Counter[LabelRow]()) for name, rows in label_rows.items()}
    if not _labelled(counts.get(ER, Counter())) and ER not in options.calculations:
        counts.pop(ER, None)
    calculations = dict.fromkeys((*options.calculations, *counts))
    for calculation in calculations:
        counts.setdefault(calculation, Counter())
        if not _labelled(counts[calculation]):
            reasons[calculation] = "nobody gives a label in it"
            alpha[calculation] = fleiss[calculation] = None
            continue
        alpha[calculation] = nominal_alpha(counts[calculation]).value
        of_all = {labels: count for labels, count in counts[calculation].items() if None not in labels}
        fleiss[calculation] = fleiss_kappa(of_all).value
        if fleiss[calculation] is None:
            reasons[calculation] = "Fleiss' kappa: no text was done by all annotators"
    comparisons = {
        key: CorpusComparison(
            tuple(of_two),
            options,
            "skip",
            ((), ()),
            (),
            pairing=shared.pairing,
            one_corpus=shared.one_corpus,
        )
        for key, of_two in pairs.items()
    }
    by_name = [] if shared.pairing == "pair:name" else [shared.pairing]
    return Agreement(
        annotators,
        {name: sum(name in text.maps for text in shared.texts) for name in annotators},
        comparisons,
        alpha,
        fleiss,
        {calculation: counts[calculation].total() for calculation in calculations},
        reasons,
        tuple(failure for text in texts for failure in text.failed),
        signature_of(options, *by_name),
        layer,
        tuple(_label_uses(annotators, counts)),
        {name: tuple(label_rows[name].values()) for name in calculations if _labelled(counts[name])},
        tuple(
            Confusion(name, (one, other), count, tuple(examples[name, one, other]))
            for (name, one, other), count in confused.most_common()
        ),
        {speaker: NameAgreement.of(cells) for speaker, cells in sorted(speakers.items())},
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
                nominal_alpha(labels_alone(rows, label)).value,
            )
