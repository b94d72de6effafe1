"""Matching by role: propositions that two analysts reconstructed in the same place of the argument, whatever their
wording (docs/measures.md, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from aifgraph.align.bundles import Bundle, BundlePairs, FreeSide
from aifgraph.align.candidates import Group
from aifgraph.align.context import Contexts
from aifgraph.align.match import Match
from aifgraph.align.matching import FineKey, finer_rules
from aifgraph.align.similarities import Similarities


def match_by_role(
    first: Group,
    second: Group,
    matches: Iterable[Match],
    reconstructed: tuple[frozenset[int], frozenset[int]],
    contexts: Contexts,
    similarities: Similarities,
) -> list[Match]:
    """Pairs of ``reconstructed`` nodes that ``matches`` leaves over: of those with a role in common, the pair with the
    largest share of common roles first; the roles are worked out again after each match."""
    known = list(matches)
    taken, other_taken = {pair.first for pair in known}, {pair.second for pair in known}
    ours, theirs = reconstructed[0] - taken, reconstructed[1] - other_taken
    if not ours or not theirs:
        return []
    pairs = BundlePairs(FreeSide(first.analysis, ours), FreeSide(second.analysis, theirs))
    for pair in known:
        pairs.matched((pair.first, pair.second))
    choice = _Choice(first, second, contexts, similarities)
    by_role: list[Match] = []
    while best := pairs.best():
        one, other = choice.of(best)
        value = similarities.of(first.texts[one], second.texts[other])
        by_role.append(Match(one, other, value, "role", roles=pairs.common_roles(one, other)))
        pairs.take(one, other)
        pairs.matched((one, other))
    return by_role


class _Choice:
    """Of several pairs the one whose texts are most similar, else by the rules of matching by text."""

    def __init__(self, first: Group, second: Group, contexts: Contexts, similarities: Similarities) -> None:
        self._first, self._second = first, second
        self._contexts, self._similarities = contexts, similarities
        self._queues: dict[tuple[int, int], _Queue] = {}

    def of(self, pairs: list[tuple[Bundle, Bundle]]) -> tuple[int, int]:
        """The best pair of two nodes of some pairs of bundles."""
        top = -1.0
        queues: list[_Queue] = []
        for bundle, other in pairs:
            for one in bundle.nodes:
                queue = self._queues.get((one, other.number))
                if queue is None:
                    queue = self._queues[one, other.number] = self._queue(one, other)
                similarity = queue.similarity()
                if similarity > top:
                    top, queues = similarity, []
                if similarity == top:
                    queues.append(queue)
        if len(queues) == 1 and (only := queues[0].only()) is not None:
            return queues[0].one, only
        *_, one, other_one = min(queue.finest(self._fine) for queue in queues)
        return one, other_one

    def _queue(self, one: int, other: Bundle) -> _Queue:
        of, text, texts = self._similarities.of, self._first.texts[one], self._second.texts
        return _Queue(one, other, sorted((round(of(text, texts[node]), 12), node) for node in other.nodes))

    def _fine(self, one: int, other: int) -> FineKey:
        return finer_rules(self._first, self._second, self._contexts, one, other)


class _Queue:
    """The partners of one node in a bundle, the most similar last; those that have left the bundle are dropped."""

    def __init__(self, one: int, bundle: Bundle, entries: list[tuple[float, int]]) -> None:
        self.one = one
        self._bundle = bundle
        self._entries = entries
        #: Of the most similar ones, the finer rules, the best last; worked out only where they decide.
        self._fine: list[FineKey] = []

    def similarity(self) -> float:
        """That of the most similar partner."""
        nodes = self._bundle.nodes
        while self._entries[-1][1] not in nodes:
            self._entries.pop()
        return self._entries[-1][0]

    def only(self) -> int | None:
        """The most similar partner, None if there are several."""
        top, partner = self._entries[-1]
        several = any(node in self._bundle.nodes for node in self._tied(top) if node != partner)
        return None if several else partner

    def _tied(self, similarity: float) -> Iterator[int]:
        for value, node in reversed(self._entries):
            if value != similarity:
                break
            yield node

    def finest(self, rules: Callable[[int, int], FineKey]) -> FineKey:
        """The best of the most similar partners by the finer rules."""
        nodes = self._bundle.nodes
        while self._fine and self._fine[-1][-1] not in nodes:
            self._fine.pop()
        if not self._fine:
            tied = [node for node in self._tied(self.similarity()) if node in nodes]
            self._fine = sorted((rules(self.one, node) for node in tied), reverse=True)
        return self._fine[-1]
