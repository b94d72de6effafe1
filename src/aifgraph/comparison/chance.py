"""Scores by chance and above chance (docs/measures.md, section 9).

Both analyses keep their structure, and it is drawn at random which node is which: in half of the rounds the texts and
positions of the second side's nodes change places, in the other half those of the first side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, islice
from math import fsum
from typing import Literal

from aifgraph.align.alignment import Alignment, KnownPairs, align_placed, unplaced
from aifgraph.align.context import Contexts, Permutation
from aifgraph.comparison.calculations import ER, label_items_of_pair
from aifgraph.comparison.cass import SCORE_LAYERS, Natural, ScoreLayer, Scores, counts_in, means_over
from aifgraph.comparison.links import ClassLinks, class_links
from aifgraph.comparison.options import Options
from aifgraph.gc_pause import gc_paused
from aifgraph.stats.scores import SCORES, score_all

#: What is expected by chance: M of a layer, or the scores of explicit relations.
Expected = ScoreLayer | Literal["explicit"]

_TOO_FEW = "each side has at most one proposition and at most one locution: there is nothing to permute"


@dataclass(frozen=True)
class ExpectedMeans:
    """M by chance, for every layer and score; ``too_few``: there was nothing to permute.

    ``explicit`` are the scores of explicit relations, None where they do not apply.
    """

    rounds: Natural
    seed: Natural
    means: Mapping[ScoreLayer, Mapping[str, float | None]]
    too_few: bool = False
    explicit: Mapping[str, float | None] | None = None

    def __post_init__(self) -> None:
        if set(self.means) != set(SCORE_LAYERS) or any(
            set(of) != set(SCORES) for of in (*self.means.values(), self.explicit or SCORES)
        ):
            raise ValueError("not the scores of every layer")


@dataclass(frozen=True, slots=True)
class AboveChance:
    """By score: M by chance (``mean``, never below 0), how far M is above that, CASS of that, and why one is undefined.

    ``above`` is 0 where M is as by chance, 1 for full agreement. Of explicit relations, their own scores stand in place
    of M, and there is no CASS.
    """

    mean: Scores
    above: Scores
    cass: Scores
    undefined: Mapping[str, str] = field(default_factory=dict)


def above_chance(scores: Scores, expected: Scores, undefined: Mapping[str, str], *, too_few: bool) -> AboveChance:
    """Return ``(score − E) / (1 − E)`` of every score, without CASS; ``undefined`` is why scores are.

    >>> round(above_chance({"kappa": 0.6}, {"kappa": 0.2}, {}, too_few=False).above["kappa"], 3)
    0.5
    """
    above: dict[str, float | None] = {}
    reasons = dict(undefined)
    for name, score in scores.items():
        chance = expected[name]
        above[name] = None if score is None or chance is None or chance == 1 else (score - chance) / (1 - chance)
        if above[name] is None and too_few:
            reasons[name] = _TOO_FEW
        elif above[name] is None and score is not None:
            reasons[name] = "undefined in every round" if chance is None else "chance alone gives 1"
    return AboveChance(expected, above, {}, reasons)


@gc_paused
def expected_means(
    alignment: Alignment, sides: tuple[ClassLinks, ClassLinks], options: Options, *, explicit: bool
) -> ExpectedMeans:
    """Return E of every layer and score, with ``explicit`` also of explicit relations: the mean of M over the rounds in
    which it is defined, and never below 0.

    Half of the rounds, rounded up, permute the second side, as many the first, each from the seed.
    """
    parts: tuple[Expected, ...] = (*SCORE_LAYERS, *(("explicit",) if explicit else ()))
    values: dict[Expected, dict[str, list[float]]] = {part: {name: [] for name in SCORES} for part in parts}
    too_few = all(len(side.analysis.propositions) <= 1 and len(side.analysis.locutions) <= 1 for side in sides)
    rounds = 0 if too_few else ((options.chance or 0) + 1) // 2
    for scores in _rounds(alignment, sides, options, rounds, explicit=explicit):
        for part, of_part in values.items():
            for name, value in _means(part, scores, options, one_sided=alignment.one_sided).items():
                if value is not None:
                    of_part[name].append(value)
    means: dict[Expected, Scores] = {
        part: {name: max(0.0, fsum(known) / len(known)) if known else None for name, known in of_part.items()}
        for part, of_part in values.items()
    }
    by_layer = {layer: means[layer] for layer in SCORE_LAYERS}
    return ExpectedMeans(options.chance or 0, options.seed, by_layer, too_few, means.get("explicit"))


def _means(part: Expected, scores: Mapping[str, Scores], options: Options, *, one_sided: bool) -> Scores:
    """Return M of one round, or the scores of explicit relations."""
    if part == "explicit":
        return scores.get(ER.name, {})
    counted = {name: of for name, of in scores.items() if name in options.calculations and counts_in(name, part)}
    if one_sided:
        return dict.fromkeys(SCORES, 0.0) if counted or part == "all" else {}
    return means_over(counted, SCORES, mean_of_layers=options.mean == "layers")


def _rounds(
    alignment: Alignment, sides: tuple[ClassLinks, ClassLinks], options: Options, rounds: int, *, explicit: bool
) -> Iterator[dict[str, Scores]]:
    """Yield the scores of the calculations that apply, in ``rounds`` rounds for each side."""
    score = cache(score_all)
    known_pairs: KnownPairs = {}
    calculations = {*options.calculations, *((ER.name,) if explicit else ())}
    for side in (1, 0):
        for permutation in islice(_permutations(alignment, side, options.seed), rounds):
            aligned, links = alignment, list(sides)
            if alignment.by_context:  # which a permutation changes; all else that decides goes with the texts
                both = ({}, permutation) if side else (permutation, {})
                parts = alignment.first, alignment.second, alignment.placement, alignment.rules
                aligned = align_placed(*parts, both, known_pairs)
                links[1 - side] = _links(aligned, 1 - side, {}, options)
            links[side] = _links(aligned, side, permutation, options)
            labelled = label_items_of_pair(aligned, (links[0], links[1]), calculations, options.layers)
            yield {name: score(items.matrix) for name, items in labelled.items() if not items.reason}


def _permutations(alignment: Alignment, side: int, seed: int) -> Iterator[Permutation]:
    """Yield random permutations of the propositions and of the locutions of a side.

    What is permuted is in an order that does not depend on the file but between nodes that nothing tells apart: by
    first word (unknown: the length of the axis), whole text, surroundings, file order.
    """
    from numpy.random import default_rng

    placement, contexts = alignment.placement, Contexts(alignment.first, alignment.second)
    analysis, positions = (alignment.first, alignment.second)[side], (placement.first, placement.second)[side].positions
    length = placement.axis.length if placement.axis else 0

    def place(node: int) -> tuple[int, str]:
        position = positions.get(node)
        return position[0][0] if position else length, analysis.whole(node)

    def in_order(nodes: list[int]) -> Iterator[int]:
        for _, equal in groupby(sorted(nodes, key=place), key=place):
            alike = list(equal)
            yield from sorted(alike, key=lambda node: contexts.surroundings(side, node)) if len(alike) > 1 else alike

    ordered = [list(in_order(nodes)) for nodes in (analysis.propositions, analysis.locutions)]
    generator = default_rng(seed)
    while True:
        sources: dict[int, int] = {}
        for nodes in ordered:
            drawn = generator.permutation(len(nodes)).tolist()
            sources.update(zip(nodes, map(nodes.__getitem__, drawn), strict=True))
        yield sources


def _links(alignment: Alignment, side: int, permutation: Permutation, options: Options) -> ClassLinks:
    """Return the links of a side whose nodes are in the classes of the texts that they have."""
    analysis = (alignment.first, alignment.second)[side]
    positions = (alignment.first_positions, alignment.second_positions)[side]
    both_kinds = alignment.propositions, alignment.locutions
    propositions, locutions = ((nodes.first_class, nodes.second_class)[side] for nodes in both_kinds)
    return class_links(
        analysis,
        {node: propositions[permutation.get(node, node)] for node in analysis.propositions},
        {node: locutions[permutation.get(node, node)] for node in analysis.locutions},
        side,
        options.relations,
        unplaced(analysis, positions, permutation) if alignment.placement.fits else None,
    )
