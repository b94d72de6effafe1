"""The best match of two graphs by structure alone, after Smatch (Cai and Knight 2013).

A graph is a set of triples: the type of each node, and each edge. Nodes of one graph are mapped one to one to nodes of
the same type of the other, so that as many triples as possible agree; F1 is over triples. Texts do not count, so this
says how far two graphs *could* agree, whatever is said in them. As in Smatch the mapping is found by climbing, from
the alignment of CASS first and then from a mapping by types, so it is the best found and not always the best there is.
"""

from __future__ import annotations

from collections import Counter

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis

#: With more nodes on a side than this, climbing takes too long, and the measure is undefined.
MAX_NODES = 300


def best_match(alignment: Alignment) -> float | None:
    """F1 over triples of the best mapping found; None without nodes, or with more than ``MAX_NODES`` on a side."""
    first, second = alignment.first, alignment.second
    ours = [node for node, kind in enumerate(first.kinds) if kind]
    theirs = [node for node, kind in enumerate(second.kinds) if kind]
    if not (ours or theirs) or max(len(ours), len(theirs)) > MAX_NODES:
        return None
    whole = len(ours) + len(theirs) + sum(len({*first.successors[n]}) for n in ours)
    whole += sum(len({*second.successors[n]}) for n in theirs)
    aligned = {
        node_class.match[0]: node_class.match[1]
        for layer in (alignment.propositions, alignment.locutions)
        for node_class in layer.classes
        if node_class.match
    }
    best = max(_climbed(first, second, start) for start in (aligned, {}))
    return 2 * best / whole


def _climbed(first: Analysis, second: Analysis, start: dict[int, int]) -> int:
    """The triples that agree after climbing from ``start``."""
    mapping = dict(start)
    back = {other: node for node, other in mapping.items()}
    kinds: dict[str, list[int]] = {}
    for node, kind in enumerate(second.kinds):
        if kind:
            kinds.setdefault(kind, []).append(node)
    after = [set(others) for others in first.successors], [set(others) for others in second.successors]
    before = [set(others) for others in first.predecessors], [set(others) for others in second.predecessors]
    order = sorted(
        (node for node, kind in enumerate(first.kinds) if kind), key=lambda node: -len(first.successors[node])
    )

    improved = True
    while improved:
        improved = False
        for node in order:
            now = mapping.get(node)
            best: tuple[int, int] | None = None
            near = Counter(
                other
                for neighbours, others in ((after[0][node], before[1]), (before[0][node], after[1]))
                for end in neighbours
                if end in mapping
                for other in others[mapping[end]]
                if second.kinds[other] == first.kinds[node]
            )
            free = next((other for other in kinds.get(first.kinds[node], ()) if other not in back), None)
            for other in [*near, *([free] if free is not None else [])]:
                if other == now:
                    continue
                holder = back.get(other)
                change = -_score(mapping, after, node, holder)
                _swap(mapping, back, node, other, now, holder)
                change += _score(mapping, after, node, holder)
                _swap_back(mapping, back, node, other, now, holder)
                if change > 0 and (best is None or change > best[0]):
                    best = (change, other)
            if best is not None:
                _swap(mapping, back, node, best[1], now, back.get(best[1]))
                improved = True
    edges = sum(mapping.get(end) in after[1][mapping[node]] for node in mapping for end in after[0][node])
    return len(mapping) + edges


def _score(mapping: dict[int, int], after: tuple[list[set[int]], list[set[int]]], node: int, holder: int | None) -> int:
    """The agreeing triples that have to do with one or two nodes."""
    total = 0
    touched = {node, holder} - {None}
    for mapped in mapping:
        if mapped in touched:
            total += 1 + sum(mapping.get(end) in after[1][mapping[mapped]] for end in after[0][mapped])
        else:
            ends = after[0][mapped] & touched
            total += sum(mapping.get(end) in after[1][mapping[mapped]] for end in ends)
    return total


def _swap(
    mapping: dict[int, int], back: dict[int, int], node: int, other: int, now: int | None, holder: int | None
) -> None:
    mapping[node], back[other] = other, node
    if holder is not None:
        if now is None:
            del mapping[holder]
        else:
            mapping[holder], back[now] = now, holder
    elif now is not None:
        del back[now]


def _swap_back(
    mapping: dict[int, int], back: dict[int, int], node: int, other: int, now: int | None, holder: int | None
) -> None:
    if holder is not None:
        mapping[holder], back[other] = other, holder
    else:
        del back[other]
    if now is None:
        del mapping[node]
    else:
        mapping[node], back[now] = now, node
