"""Matching by role: propositions that two analysts reconstructed in the same place of the argument, whatever their
wording (docs/measures.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from aifgraph.align.analysis import Analysis
from aifgraph.align.candidates import Group
from aifgraph.align.context import Contexts
from aifgraph.align.deferred import Deferred
from aifgraph.align.match import Match, Role
from aifgraph.align.matching import FineKey, finer_rules
from aifgraph.align.similarities import Similarities
from aifgraph.graph.nodes import RELATIONS

Roles = frozenset[Role]
_Order = tuple[float, Deferred[FineKey], int]


def match_by_role(
    first: Group,
    second: Group,
    matches: Iterable[Match],
    reconstructed: tuple[frozenset[int], frozenset[int]],
    contexts: Contexts,
    similarities: Similarities,
) -> list[Match]:
    """Pairs of ``reconstructed`` nodes that ``matches`` leaves over: of those with a role in common, the pair with the
    largest share of common roles first; the roles are worked out anew after each match."""
    known = list(matches)
    taken, other_taken = {pair.first for pair in known}, {pair.second for pair in known}
    ours, theirs = reconstructed[0] - taken, reconstructed[1] - other_taken
    if not ours or not theirs:
        return []
    sides = _Side(first.analysis, ours), _Side(second.analysis, theirs)
    for pair in known:
        sides[0].matched(pair.first, (pair.first, pair.second))
        sides[1].matched(pair.second, (pair.first, pair.second))
    choice = _Choice(first, second, contexts, similarities)
    found: list[Match] = []
    while best := _best_bundles(sides[0].bundles(), sides[1].bundles()):
        one, other = choice.of(best)
        roles = tuple(sorted(sides[0].roles[one] & sides[1].roles[other]))
        value = similarities.of(first.texts[one], second.texts[other])
        found.append(Match(one, other, value, "role", roles=roles))
        for side, node in zip(sides, (one, other), strict=True):
            del side.roles[node]
            side.matched(node, (one, other))
        choice.taken.add(other)
    return found


class _Side:
    """The roles of the free nodes of one side."""

    def __init__(self, analysis: Analysis, free: frozenset[int]) -> None:
        self.roles: dict[int, set[Role]] = {node: set() for node in free}
        #: For a node: the free nodes that have a role by it once it is matched, with way and type.
        self._waiting: dict[int, list[tuple[int, str, str]]] = {}
        relations = dict.fromkeys(
            relation
            for node in sorted(free)
            for relation in (*analysis.successors[node], *analysis.predecessors[node])
            if analysis.kinds[relation] in RELATIONS
        )
        for relation in relations:
            type_ = analysis.kinds[relation]
            premises = [node for node in analysis.predecessors[relation] if analysis.kinds[node] == "I"]
            conclusions = [node for node in analysis.successors[relation] if analysis.kinds[node] == "I"]
            if premises and conclusions:
                self._wait(premises, conclusions, "to", type_)
                self._wait(conclusions, premises, "from", type_)
                self._wait(premises, premises, "with", type_)

    def _wait(self, nodes: list[int], partners: list[int], way: str, type_: str) -> None:
        free = [node for node in nodes if node in self.roles]
        for partner in partners:
            waiting = self._waiting.setdefault(partner, [])
            waiting += [(node, way, type_) for node in free if node != partner]

    def matched(self, node: int, pair: tuple[int, int]) -> None:
        """Give the free nodes the roles that they have by a node that is now matched."""
        for other, way, type_ in self._waiting.get(node, ()):
            if other in self.roles:
                self.roles[other].add(Role(way, type_, pair))  # type: ignore[arg-type]

    def bundles(self) -> dict[Roles, list[int]]:
        """The free nodes with a role, by their roles."""
        bundles: dict[Roles, list[int]] = {}
        for node, roles in self.roles.items():
            if roles:
                bundles.setdefault(frozenset(roles), []).append(node)
        return bundles


def _best_bundles(first: dict[Roles, list[int]], second: dict[Roles, list[int]]) -> dict[int, set[int]]:
    """For nodes of the first side, those of the second with which they have the largest share of roles in common, and
    of equal shares the most roles."""
    with_role: dict[Role, list[Roles]] = {}
    for roles in second:
        for role in roles:
            with_role.setdefault(role, []).append(roles)
    top = (0.0, 0)
    best: list[tuple[Roles, Roles]] = []
    for roles in first:
        for others in dict.fromkeys(others for role in roles for others in with_role.get(role, ())):
            common = len(roles & others)
            rank = (common / (len(roles) + len(others) - common), common)
            if rank > top:
                top, best = rank, []
            if rank == top:
                best.append((roles, others))
    partners: dict[int, set[int]] = {}
    for roles, others in best:
        for node in first[roles]:
            partners.setdefault(node, set()).update(second[others])
    return partners


class _Choice:
    """Of several pairs the one whose texts are most similar, else by the rules of matching by text."""

    def __init__(self, first: Group, second: Group, contexts: Contexts, similarities: Similarities) -> None:
        self._first, self._second = first, second
        self._contexts, self._similarities = contexts, similarities
        self.taken: set[int] = set()
        #: For a node of the first side: all of the second that were its partners, best first; and these as a set.
        self._orders: dict[int, tuple[list[_Order], set[int]]] = {}

    def of(self, partners: dict[int, set[int]]) -> tuple[int, int]:
        """The best of the pairs of each key with its values."""
        if len(partners) == 1:
            ((one, others),) = partners.items()
            if len(others) == 1:
                return one, next(iter(others))
        (_, _, other), one = min((self._best(one, others), one) for one, others in partners.items())
        return one, other

    def _best(self, one: int, others: set[int]) -> _Order:
        order, known = self._orders.setdefault(one, ([], set()))
        if new := others - known:
            text, texts = self._first.texts[one], self._second.texts
            for other in new:
                value = round(self._similarities.of(text, texts[other]), 12)
                rules = partial(finer_rules, self._first, self._second, self._contexts, one, other)
                order.append((-value, Deferred(rules), other))
            order.sort()
            known |= new
        while order[0][2] in self.taken:
            del order[0]
        return next(entry for entry in order if entry[2] in others)
