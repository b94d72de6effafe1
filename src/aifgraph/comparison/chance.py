"""M by chance (docs/measures.md, section 9).

Both analyses keep their structure, and it is drawn at random which node is which: in half of the rounds the texts and
positions of the second side's nodes change places, in the other half those of the first side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import groupby, islice
from math import fsum

from aifgraph.align.alignment import Alignment, CandidatesByKind, align_placed
from aifgraph.align.analysis import Context, Pair, Permutation, contexts_of
from aifgraph.align.matching import PlacedSide
from aifgraph.comparison.calculations import ER, label_items_of_pair
from aifgraph.comparison.cass import SCORE_LAYERS, Expected, ExpectedMeans, Scores, counts_in, means_over
from aifgraph.comparison.links import ClassLinks
from aifgraph.graph.columns import gc_paused
from aifgraph.stats.scores import SCORES, score_all


@gc_paused
def expected_means(alignment: Alignment, links: Pair[ClassLinks]) -> ExpectedMeans:
    """Return E of every layer and score, and of explicit relations where they apply: the mean of M over the rounds in
    which it is defined, and never below 0.

    Half of the rounds, rounded up, permute the second side, as many the first, each from the seed.
    """
    options = alignment.options
    parts: tuple[Expected, ...] = SCORE_LAYERS
    if not label_items_of_pair(alignment, links, [ER.name])[ER.name].reason:
        parts = *SCORE_LAYERS, "explicit"
    values: dict[Expected, dict[str, list[float]]] = {part: {name: [] for name in SCORES} for part in parts}
    too_few = all(len(side.propositions) <= 1 and len(side.locutions) <= 1 for side in alignment.analyses)
    rounds = 0 if too_few else ((options.chance or 0) + 1) // 2
    for scores in _rounds(
        alignment, links, {*options.calculations, *([ER.name] if "explicit" in parts else [])}, rounds
    ):
        for part in parts:
            for name, value in _means(part, scores, alignment).items():
                if value is not None:
                    values[part][name].append(value)
    means: dict[Expected, Scores] = {
        part: {name: max(0.0, fsum(known) / len(known)) if known else None for name, known in by_name.items()}
        for part, by_name in values.items()
    }
    by_layer = {layer: means[layer] for layer in SCORE_LAYERS}
    return ExpectedMeans(options.chance or 0, options.seed, by_layer, too_few, means.get("explicit"))


def _means(part: Expected, scores: Mapping[str, Scores], alignment: Alignment) -> Scores:
    """Return M of one round, or the scores of explicit relations."""
    if part == "explicit":
        return scores.get(ER.name, {})
    options = alignment.options
    names = [name for name in scores if name in options.calculations and counts_in(name, part)]
    counted = {name: scores[name] for name in names}
    if alignment.one_sided:
        return dict.fromkeys(SCORES, 0.0) if counted or part == "all" else {}
    return means_over(counted, SCORES, mean_of_layers=options.mean == "layers")


def _rounds(
    alignment: Alignment, links: Pair[ClassLinks], names: Collection[str], rounds: int
) -> Iterator[dict[str, Scores]]:
    """Yield the scores of the named calculations that apply, in ``rounds`` rounds for each side, the second first."""
    score = cache(score_all)
    candidates: CandidatesByKind = {}
    options = alignment.options
    (first, second), (context, other_context) = alignment.sides, contexts_of(alignment.analyses)
    both_series: Pair[Iterator[Pair[Permutation]]] = (
        (({}, drawn) for drawn in islice(_permutations(alignment, second, other_context, options.seed), rounds)),
        ((drawn, {}) for drawn in islice(_permutations(alignment, first, context, options.seed), rounds)),
    )
    for series in both_series:
        for permutations in series:
            aligned = alignment
            if alignment.by_context:  # which a permutation changes; all else that decides goes with the texts
                aligned = align_placed(alignment.placement, options, permutations, candidates)
            labelled = label_items_of_pair(aligned, _links(aligned, links, permutations), names)
            yield {name: score(items.matrix) for name, items in labelled.items() if not items.reason}


def _permutations(alignment: Alignment, side: PlacedSide, context: Context, seed: int) -> Iterator[Permutation]:
    """Yield random permutations of the propositions and of the locutions of a side.

    What is permuted is in an order that does not depend on the file but between nodes that nothing tells apart: by
    first word (unknown: the length of the axis), whole text, surroundings, file order.
    """
    from numpy.random import default_rng

    analysis, length = side.analysis, alignment.placement.length

    def where(node: int) -> tuple[int, str]:
        position = side.positions.get(node)
        return position[0][0] if position else length, analysis.whole(node)

    def in_order(nodes: list[int]) -> Iterator[int]:
        for _, equal in groupby(sorted(nodes, key=where), key=where):
            alike = list(equal)
            yield from sorted(alike, key=context.surroundings) if len(alike) > 1 else alike

    ordered = [list(in_order(nodes)) for nodes in (analysis.propositions, analysis.locutions)]
    generator = default_rng(seed)
    while True:
        sources: dict[int, int] = {}
        for nodes in ordered:
            drawn = generator.permutation(len(nodes)).tolist()
            sources.update(zip(nodes, map(nodes.__getitem__, drawn), strict=True))
        yield sources


def _links(aligned: Alignment, links: Pair[ClassLinks], permutations: Pair[Permutation]) -> Pair[ClassLinks]:
    """Return the links of both sides whose nodes are in the classes of the texts that they have; ``links`` are those
    without a permutation."""
    permuted: list[ClassLinks] = []
    classes = (nodes.class_of for nodes in aligned.kinds)
    for side, own, permutation, *class_of in zip(aligned.sides, links, permutations, *classes, strict=True):
        if not permutation and not aligned.by_context:
            permuted.append(own)
            continue
        nodes = side.analysis.propositions, side.analysis.locutions
        propositions, locutions = (
            {node: numbers[permutation.get(node, node)] for node in own_nodes}
            for numbers, own_nodes in zip(class_of, nodes, strict=True)
        )
        reconstructed = side.reconstructed(permutation) if aligned.placement.fits else None
        permuted.append(
            replace(own, proposition_class=propositions, locution_class=locutions, reconstructed=reconstructed)
        )
    first, second = permuted
    return first, second
