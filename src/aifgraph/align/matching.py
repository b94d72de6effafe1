"""One-to-one matching of the nodes of two analyses (docs/measures.md, section 3, step 1).

Greedy: the admissible pair with the highest similarity first. Nodes of equal said texts come first of all, so they are
matched text by text; only what is left over is compared with each other. Ties are broken by, in this order

1. the larger overlap of positions,   2. equal whole texts before different ones,   3. the greater context,
4. the earlier first words,           5. the smaller whole texts,                   6. the smaller surroundings,
7. file order,

and 2 to 7 are worked out only where two pairs of the same rank compete for a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import groupby, islice

from aifgraph.align.candidates import CandidatePair, Gate, Group, candidates, common_places, equal_texts, jaccard_of
from aifgraph.align.context import Content, Contexts, Signature
from aifgraph.align.deferred import Deferred
from aifgraph.align.match import Match
from aifgraph.align.positions import Position
from aifgraph.align.similarities import Similarities
from aifgraph.errors import MissingExtraError, OptionError

Rank = tuple[int, ...]
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
    place_of, other_place_of = first.positions.get, second.positions.get
    for ours, theirs in equal_texts(first, second):
        if len(ours) == 1 and len(theirs) == 1:
            if _admissible(gate, place_of(ours[0]), other_place_of(theirs[0])):
                matches.append(Match(ours[0], theirs[0], 1.0))
        else:
            matches += _match_equal(first, second, gate, contexts, ours, theirs)
    done, other_done = {pair.first for pair in matches}, {pair.second for pair in matches}
    # Without positions all pairs are candidates. The most similar come first, of which lengths alone leave few; so
    # most nodes are matched before pairs of little in common are looked for, which takes longest.
    nowhere = not gate.positions or not (first.positions or second.positions)
    left = (len(first.nodes) - len(done)) * (len(second.nodes) - len(other_done))
    ranges = [(0.0, gate.min_similarity)]
    if nowhere and gate.min_similarity < _ALIKE and left >= MANY:
        ranges = [(1.0, _ALIKE), (_ALIKE, gate.min_similarity)]
    for above, least in ranges:
        at_least = replace(gate, min_similarity=least)
        matches += _in_range(above, first, second, at_least, contexts, similarities, done, other_done)
    return matches


#: Down to this similarity pairs are matched before those below are looked for,
_ALIKE = 0.9
#: if there are so many pairs;
MANY = 20_000
#: and where more than so many are found in a range of similarities, those of its upper half are matched first,
_MOST = 300_000
#: unless the range is as small as this.
_SMALL = 0.01


def _in_range(
    above: float,
    first: Group,
    second: Group,
    gate: Gate,
    contexts: Contexts,
    similarities: Similarities,
    done: set[int],
    other_done: set[int],
) -> Iterator[Match]:
    """Match what is left, of which no pair has a similarity of ``above`` or more (0: nothing is known). Very many pairs
    need not be in memory all at once: each node that is matched leaves fewer of them."""
    ours = [node for node in first.nodes if node not in done]
    theirs = [node for node in second.nodes if node not in other_done]
    pairs = iter(candidates(first, second, gate, ours, theirs, similarities) if ours and theirs else ())
    found = list(islice(pairs, _MOST + 1))
    if len(found) > _MOST and above - gate.min_similarity > _SMALL:
        middle = (above + gate.min_similarity) / 2
        del found
        for upper, least in ((above, middle), (middle, gate.min_similarity)):
            at_least = replace(gate, min_similarity=least)
            yield from _in_range(upper, first, second, at_least, contexts, similarities, done, other_done)
    else:
        found += pairs
        yield from _best_first(first, second, contexts, found, done, other_done)


def _best_first(
    first: Group, second: Group, contexts: Contexts, found: list[CandidatePair], done: set[int], other_done: set[int]
) -> Iterator[Match]:
    """Match candidates, the most similar first, and enter their nodes into ``done`` and ``other_done``."""
    found.sort(key=lambda pair: (*_rank(pair), pair.first, pair.second))
    for _, group in groupby(found, key=_rank):
        free = [pair for pair in group if pair.first not in done and pair.second not in other_done]
        if len(free) > 1 and (
            len({pair.first for pair in free}) < len(free) or len({pair.second for pair in free}) < len(free)
        ):
            free.sort(key=lambda pair: finer_rules(first, second, contexts, pair.first, pair.second))
        for pair in free:
            if pair.first not in done and pair.second not in other_done:
                done.add(pair.first)
                other_done.add(pair.second)
                yield Match(*pair[:3])


def _admissible(gate: Gate, position: Position | None, other: Position | None) -> bool:
    """Whether two nodes of equal texts may be matched."""
    if not gate.positions or not position or not other:
        return gate.min_similarity <= 1
    if position == other:  # as most nodes of equal texts are: worth its own line
        return gate.min_overlap <= 1
    return gate.shared(position, other, common_places(position, other))


def _rank(pair: CandidatePair) -> tuple[float, float]:
    """Similarity and rule 1; less is better."""
    return (-round(pair.similarity, 12), -pair.jaccard)


def finer_rules(first: Group, second: Group, contexts: Contexts, one: int, other: int) -> FineKey:
    """Rules 2 to 7 of a pair; less is better."""
    k2, k1, k0 = contexts.in_common(contexts.of(0, one), contexts.of(1, other))
    texts = sorted((first.analysis.whole(one), second.analysis.whole(other)))
    starts = first.first_word(one) + second.first_word(other)
    surroundings = contexts.surroundings((0, one), (1, other))
    return (texts[0] != texts[1], (-k2, -k1, -k0), starts, texts[0], texts[1], surroundings, one, other)


def _match_equal(
    first: Group, second: Group, gate: Gate, contexts: Contexts, ours: Sequence[int], theirs: Sequence[int]
) -> Iterator[Match]:
    """Greedy among nodes of one said text, by bundles that rules 1 to 6 cannot tell apart.

    A debate of a hundred “yes” a side has ten thousand pairs but few bundles; within two bundles file order decides.
    """
    bundles = _bundles(first, contexts, 0, ours)
    others = _bundles(second, contexts, 1, theirs)
    heap: list[tuple[float, FineKey, int, int]] = []
    for a, left in enumerate(bundles):
        position = first.positions.get(left[0])
        for b, right in enumerate(others):
            other = second.positions.get(right[0])
            if _admissible(gate, position, other):
                fine = finer_rules(first, second, contexts, left[0], right[0])
                heap.append((-jaccard_of(position, other), fine, a, b))
    heapify(heap)
    at, other_at = [0] * len(bundles), [0] * len(others)
    while heap:
        rank, fine, a, b = heappop(heap)
        if at[a] < len(bundles[a]) and other_at[b] < len(others[b]):
            one, other_one = bundles[a][at[a]], others[b][other_at[b]]
            if fine[-2:] == (one, other_one):
                yield Match(one, other_one, 1.0)
                at[a] += 1
                other_at[b] += 1
            else:
                # Its nodes are taken: the next of the same bundles stand in, behind in file order only.
                heappush(heap, (rank, (*fine[:-2], one, other_one), a, b))
                continue
            if at[a] < len(bundles[a]) and other_at[b] < len(others[b]):
                nodes = (bundles[a][at[a]], others[b][other_at[b]])
                heappush(heap, (rank, (*fine[:-2], *nodes), a, b))


def _bundles(group: Group, contexts: Contexts, side: int, nodes: Iterable[int]) -> list[list[int]]:
    """Nodes that no rule but file order tells apart, each bundle in file order."""
    bundles: dict[tuple[Position | None, str, Signature], list[int]] = {}
    for node in nodes:
        key = (group.positions.get(node), group.analysis.whole(node), contexts.of(side, node))
        bundles.setdefault(key, []).append(node)
    return list(bundles.values())


#: How much rules 1 to 3, and the order by all rules, may add to a similarity: less than any difference that counts.
_TIE, _ORDER = 1e-8, 1e-11


def optimal(first: Group, second: Group, gate: Gate, contexts: Contexts, similarities: Similarities) -> list[Match]:
    """The assignment with the greatest total similarity; equal totals are decided by greedy's rules.

    Needs scipy; worked out separately for every set of nodes that compete with each other. Rules 1 to 3 enter as
    amounts and not as ranks, so that their sum too is greatest where a map meets itself.
    """
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        raise MissingExtraError.of("scipy", "optimal") from None
    import numpy as np

    found = list(candidates(first, second, gate, first.nodes, second.nodes, similarities))
    found.sort(key=lambda pair: (_rank(pair), finer_rules(first, second, contexts, pair.first, pair.second)))
    # Of equally good assignments the solver takes one: the same whichever side is given first.
    turned = sorted(map(second.analysis.whole, second.nodes)) < sorted(map(first.analysis.whole, first.nodes))
    matches: list[Match] = []
    for part in _components(found):
        if len(part) == 1:
            matches.append(Match(*part[0][:3]))
            continue
        rows = {node: index for index, node in enumerate(dict.fromkeys(pair.first for pair in part))}
        columns = {node: index for index, node in enumerate(dict.fromkeys(pair.second for pair in part))}
        weights = np.zeros((len(rows), len(columns)))
        values: dict[tuple[int, int], Match] = {}
        common = [contexts.in_common(contexts.of(0, pair.first), contexts.of(1, pair.second)) for pair in part]
        most = max(1, *(max(each) for each in common))
        for order, (pair, (k2, k1, k0)) in enumerate(zip(part, common, strict=True)):
            cell = rows[pair.first], columns[pair.second]
            same = first.analysis.whole(pair.first) == second.analysis.whole(pair.second)
            context = (0.1 * k2 + 0.01 * k1 + 0.001 * k0) / most
            weights[cell] = pair.similarity + _TIE * (pair.jaccard + 0.3 * same + context)
            weights[cell] += _ORDER * (1 - order / len(part)) / len(rows)
            values[cell] = Match(*pair[:3])
        found_rows, found_columns = linear_sum_assignment(weights.T if turned else weights, maximize=True)
        cells = zip(found_columns, found_rows, strict=True) if turned else zip(found_rows, found_columns, strict=True)
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
