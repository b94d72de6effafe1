"""Matching by meaning: propositions whose texts differ and whose sentence embeddings are near (docs/measures.md,
section 3). It is no test of agreement: “should ban” and “should not ban” are near."""

from __future__ import annotations

from collections.abc import Iterable

from aifgraph.align.candidates import Group, Similarities
from aifgraph.align.context import Contexts, Deferred
from aifgraph.align.encoders import Encoder
from aifgraph.align.matching import Match, finer_rules
from aifgraph.text.words import words_of


def match_by_meaning(
    first: Group,
    second: Group,
    matches: Iterable[Match],
    contexts: Contexts,
    similarities: Similarities,
    *,
    encoder: Encoder,
    least: float,
) -> list[Match]:
    """Pairs of nodes that ``matches`` leaves over, a position of which is unknown, with a cosine of at least ``least``:
    the highest first, ties by similarity and then as in matching by text."""
    matched, other_matched = {pair.first for pair in matches}, {pair.second for pair in matches}
    ours, theirs = _with_words(first, matched), _with_words(second, other_matched)
    # A pair of which both positions are known is no candidate: such nodes need not be encoded for each other.
    if not any(node not in second.positions for node in theirs):
        ours = [node for node in ours if node not in first.positions]
    if not any(node not in first.positions for node in ours):
        theirs = [node for node in theirs if node not in second.positions]
    if not ours or not theirs:
        return []
    said, other_said = first.analysis.said, second.analysis.said
    cosines = encoder.cosines([said[node] for node in ours], [other_said[node] for node in theirs])
    candidates: list[tuple[float, Deferred[tuple[object, ...]], int, int]] = []
    for i, j in zip(*(places.tolist() for places in (cosines >= least).nonzero()), strict=True):
        one, other = ours[i], theirs[j]
        if one in first.positions and other in second.positions:
            continue

        def ties(one: int = one, other: int = other) -> tuple[object, ...]:
            value = similarities.of(first.texts[one], second.texts[other])
            return -round(value, 12), finer_rules(first, second, contexts, one, other)

        candidates.append((-float(cosines[i, j]), Deferred(ties), one, other))
    candidates.sort()
    by_meaning: list[Match] = []
    for cosine, _, one, other in candidates:
        if one not in matched and other not in other_matched:
            matched.add(one)
            other_matched.add(other)
            value = similarities.of(first.texts[one], second.texts[other])
            by_meaning.append(Match(one, other, value, "meaning", cosine=-cosine))
    return by_meaning


def _with_words(group: Group, matched: set[int]) -> list[int]:
    said = group.analysis.said
    return [node for node in group.nodes if node not in matched and words_of(said[node])]
