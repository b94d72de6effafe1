"""One-to-one matching of the nodes of two analyses (docs/measures.md, section 3, step 1).

Greedy: the admissible pair with the highest similarity first. Ties are broken by, in this order

1. the larger overlap of positions,   2. equal whole texts before different ones,   3. the greater context,
4. the earlier first words,           5. the smaller whole texts,                   6. the smaller surroundings,
7. file order,

and 2 to 7 are computed only where two pairs of the same rank compete for a node.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby, islice
from operator import itemgetter
from typing import Literal, NamedTuple

from aifgraph.align.candidates import CandidatePair, Gate, Group, Similarities, candidates, rank_of
from aifgraph.align.context import Content, Contexts, Deferred
from aifgraph.errors import LimitError, OptionError

#: What two nodes are matched by: their texts (and positions), or what these mean.
MatchedBy = Literal["text", "meaning"]


class Match(NamedTuple):
    """Two nodes with the similarity of their texts; ``cosine`` of those matched by meaning."""

    first: int
    second: int
    similarity: float
    by: MatchedBy = "text"
    cosine: float | None = None


FineKey = tuple[bool, tuple[int, int, int], int, str, str, Deferred[Content], int, int]


def match(
    first: Group, second: Group, gate: Gate, contexts: Contexts, method: str, similarities: Similarities
) -> list[Match]:
    """Pairs of nodes with their similarities, each node at most once."""
    if method == "greedy":
        return greedy(first, second, gate, contexts, similarities)
    if method == "optimal":
        return optimal(first, second, gate, contexts, similarities)
    raise OptionError(f"there is no matching {method!r}", remedy="choose greedy or optimal")


def greedy(first: Group, second: Group, gate: Gate, contexts: Contexts, similarities: Similarities) -> list[Match]:
    """The traversal of the paper, highest similarity first."""
    matches: list[Match] = []
    matched: set[int] = set()
    other_matched: set[int] = set()
    for _, equal in groupby(similarities.ranked(first, second, gate), key=itemgetter(0)):
        free = [pair for _, pair in equal if pair.first not in matched and pair.second not in other_matched]
        if len(free) > 1:
            free.sort()
            # Only pairs that compete for a node need the finer rules, which take long.
            ours, theirs = Counter(pair.first for pair in free), Counter(pair.second for pair in free)
            rivals = [pair for pair in free if ours[pair.first] > 1 or theirs[pair.second] > 1]
            rivals.sort(key=lambda pair: finer_rules(first, second, contexts, pair.first, pair.second))
            free = [pair for pair in free if ours[pair.first] == theirs[pair.second] == 1] + rivals
        for pair in free:
            if pair.first not in matched and pair.second not in other_matched:
                matched.add(pair.first)
                other_matched.add(pair.second)
                matches.append(Match(*pair[:3]))
    return matches


def finer_rules(first: Group, second: Group, contexts: Contexts, one: int, other: int) -> FineKey:
    """Rules 2 to 7 of a pair; less is better."""
    k2, k1, k0 = contexts.in_common(contexts.of(0, one), contexts.of(1, other))
    texts = sorted((first.analysis.whole(one), second.analysis.whole(other)))
    starts = first.first_word(one) + second.first_word(other)
    surroundings = contexts.surroundings((0, one), (1, other))
    order = contexts.holder(0, one), contexts.holder(1, other)
    return (texts[0] != texts[1], (-k2, -k1, -k0), starts, texts[0], texts[1], surroundings, *order)


#: How much rules 1 to 3, and the order by all rules, may add to a similarity: less than any difference that counts.
_TIE, _ORDER = 1e-8, 1e-11


#: The pairs that optimal matching looks at: about ten seconds where all texts are alike (measured on two cores).
MAX_OPTIMAL = 250_000


def optimal(first: Group, second: Group, gate: Gate, contexts: Contexts, similarities: Similarities) -> list[Match]:
    """The assignment with the greatest total similarity; equal totals are decided by greedy's rules.

    Worked out separately for every set of nodes that compete with each other. Rules 1 to 3 enter as
    amounts and not as ranks, so that their sum too is greatest where a map meets itself.

    Raises:
        LimitError: more than ``MAX_OPTIMAL`` pairs of texts are similar enough.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    pairs = list(islice(candidates(first, second, gate, similarities), MAX_OPTIMAL + 1))
    if len(pairs) > MAX_OPTIMAL:
        raise LimitError(
            f"more than {MAX_OPTIMAL:,} pairs of similar texts, too many for optimal matching", remedy="match greedily"
        )
    pairs.sort(key=lambda pair: (rank_of(pair), finer_rules(first, second, contexts, pair.first, pair.second)))
    # Of equally good assignments the solver takes one: the same whichever side is given first.
    turned = sorted(map(second.analysis.whole, second.nodes)) < sorted(map(first.analysis.whole, first.nodes))
    matches: list[Match] = []
    for part in _components(pairs):
        if len(part) == 1:
            matches.append(Match(*part[0][:3]))
            continue
        rows = {node: index for index, node in enumerate(dict.fromkeys(pair.first for pair in part))}
        columns = {node: index for index, node in enumerate(dict.fromkeys(pair.second for pair in part))}
        weights = np.zeros((len(rows), len(columns)))
        values: dict[tuple[int, int], Match] = {}
        common = [contexts.in_common(contexts.of(0, pair.first), contexts.of(1, pair.second)) for pair in part]
        most = max(1, *(max(shared) for shared in common))
        for order, (pair, (k2, k1, k0)) in enumerate(zip(part, common, strict=True)):
            cell = rows[pair.first], columns[pair.second]
            same = first.analysis.whole(pair.first) == second.analysis.whole(pair.second)
            context = (0.1 * k2 + 0.01 * k1 + 0.001 * k0) / most
            weights[cell] = pair.similarity + _TIE * (pair.jaccard + 0.3 * same + context)
            weights[cell] += _ORDER * (1 - order / len(part)) / len(rows)
            values[cell] = Match(*pair[:3])
        at_rows, at_columns = linear_sum_assignment(weights.T if turned else weights, maximize=True)
        cells = zip(at_columns, at_rows, strict=True) if turned else zip(at_rows, at_columns, strict=True)
        matches += [values[int(i), int(j)] for i, j in cells if (int(i), int(j)) in values]
    return matches


def _components(pairs: list[CandidatePair]) -> list[list[CandidatePair]]:
    """The pairs by connected component, each in its order."""
    from networkx.utils import UnionFind

    joined: UnionFind[tuple[int, int]] = UnionFind()
    for pair in pairs:
        joined.union((0, pair.first), (1, pair.second))
    parts: dict[tuple[int, int], list[CandidatePair]] = {}
    for pair in pairs:
        parts.setdefault(joined[0, pair.first], []).append(pair)
    return list(parts.values())
