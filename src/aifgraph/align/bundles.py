"""Bundles of free nodes with the same roles, on two sides, and which of them have the most roles in common.

All nodes that have a role by one matched pair get it at once, when that pair is matched. So later matches only split
bundles: no two bundles of a side ever have the same roles.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from aifgraph.align.analysis import Analysis
from aifgraph.align.match import Role
from aifgraph.graph.nodes import RELATIONS

#: Share of common roles and their number, both negative: less is better.
_Rank = tuple[float, int]


class Bundle:
    """Free nodes of one side with the same roles; these are the bits of a number."""

    def __init__(self, number: int, nodes: set[int], roles: int, partners: set[Bundle]) -> None:
        self.number = number
        self.nodes = nodes
        self.roles = roles
        #: The bundles of the other side that have a role in common.
        self.partners = partners


class FreeSide:
    """The bundles of free nodes of one side."""

    def __init__(self, analysis: Analysis, free: frozenset[int]) -> None:
        self._analysis = analysis
        #: For a relation: its free premises and its free conclusions.
        self._ends: dict[int, tuple[set[int], set[int]]] = {}
        bundle = Bundle(0, set(free), 0, set())
        self.bundles = [bundle]
        self.bundle_of = dict.fromkeys(free, bundle)

    def receivers(self, node: int) -> dict[tuple[str, str], set[int]]:
        """The free nodes that have a role by ``node`` once it is matched, by the way and the type of the role."""
        receivers: dict[tuple[str, str], set[int]] = {}
        analysis = self._analysis
        for way, relations in (("to", analysis.predecessors[node]), ("with", analysis.successors[node])):
            for relation in relations:
                if analysis.kinds[relation] in RELATIONS:
                    type_ = analysis.kinds[relation]
                    premises, conclusions = self._free_ends(relation)
                    receivers.setdefault((way, type_), set()).update(premises)
                    if way == "with":
                        receivers.setdefault(("from", type_), set()).update(conclusions)
        return receivers

    def _free_ends(self, relation: int) -> tuple[set[int], set[int]]:
        if relation not in self._ends:
            kinds = self._analysis.kinds
            premises, conclusions = (
                [end for end in ends[relation] if kinds[end] == "I"]
                for ends in (self._analysis.predecessors, self._analysis.successors)
            )
            whole = premises and conclusions
            free = self.bundle_of.keys() if whole else ()
            self._ends[relation] = {n for n in premises if n in free}, {n for n in conclusions if n in free}
        return self._ends[relation]

    def take(self, node: int) -> None:
        """A node is no longer free."""
        self.bundle_of.pop(node).nodes.discard(node)
        for relation in (*self._analysis.predecessors[node], *self._analysis.successors[node]):
            for ends in self._ends.get(relation, ()):
                ends.discard(node)

    def give(self, role: int, nodes: set[int]) -> list[Bundle]:
        """Give nodes a role, and return the bundles that have it now."""
        members: dict[Bundle, set[int]] = {}
        for node in nodes:
            members.setdefault(self.bundle_of[node], set()).add(node)
        return [self._give(role, bundle, part) for bundle, part in members.items()]

    def _give(self, role: int, bundle: Bundle, part: set[int]) -> Bundle:
        if len(part) == len(bundle.nodes):
            bundle.roles |= role
            return bundle
        rest = bundle.nodes - part
        # The smaller part moves, so that no node moves often.
        moved, stays = (part, rest) if len(part) <= len(rest) else (rest, part)
        new = Bundle(len(self.bundles), moved, bundle.roles, set(bundle.partners))
        self.bundles.append(new)
        bundle.nodes = stays
        self.bundle_of.update(dict.fromkeys(moved, new))
        for partner in new.partners:
            partner.partners.add(new)
        receiver = new if moved is part else bundle
        receiver.roles |= role
        return receiver


class BundlePairs:
    """The pairs of bundles with a role in common, the best first."""

    def __init__(self, first: FreeSide, second: FreeSide) -> None:
        self._sides = first, second
        self._roles: list[Role] = []
        #: Each pair stands here with its rank, or with a better one that it has lost since.
        self._heap: list[tuple[_Rank, int, int]] = []
        self._limit = 0

    def take(self, one: int, other: int) -> None:
        """Two nodes are no longer free."""
        self._sides[0].take(one)
        self._sides[1].take(other)

    def matched(self, pair: tuple[int, int]) -> None:
        """Give the free nodes the roles that they have by a matched pair."""
        first, second = self._sides
        ours, theirs = first.receivers(pair[0]), second.receivers(pair[1])
        counts = len(first.bundles), len(second.bundles)
        for way, type_ in {**ours, **theirs}:
            role = 1 << len(self._roles)
            self._roles.append(Role(way, type_, pair))  # type: ignore[arg-type]
            bundles = first.give(role, ours.get((way, type_), set()))
            others = second.give(role, theirs.get((way, type_), set()))
            for bundle in bundles:
                bundle.partners.update(others)
            for other in others:
                other.partners.update(bundles)
            self._push((bundle, other) for bundle in bundles for other in others)
        self._push((new, partner) for new in first.bundles[counts[0] :] for partner in new.partners)
        self._push((partner, new) for new in second.bundles[counts[1] :] for partner in new.partners)

    def _push(self, pairs: Iterable[tuple[Bundle, Bundle]]) -> None:
        for bundle, other in pairs:
            heappush(self._heap, (_rank(bundle, other), bundle.number, other.number))
        if len(self._heap) > self._limit:
            self._heap = sorted(
                (_rank(bundle, other), bundle.number, other.number)
                for bundle in self._sides[0].bundles
                if bundle.nodes
                for other in bundle.partners
                if other.nodes
            )
            self._limit = 1000 + 4 * len(self._heap)

    def best(self) -> list[tuple[Bundle, Bundle]]:
        """The pairs with the largest share of common roles, and of equal shares the most roles."""
        top: _Rank | None = None
        best: dict[tuple[int, int], tuple[Bundle, Bundle]] = {}
        while self._heap and (top is None or self._heap[0][0] == top):
            rank, number, other_number = heappop(self._heap)
            bundle, other = self._sides[0].bundles[number], self._sides[1].bundles[other_number]
            if not bundle.nodes or not other.nodes or (number, other_number) in best:
                continue
            now = _rank(bundle, other)
            if now == rank:
                top = rank
                best[number, other_number] = bundle, other
            elif now > rank:
                heappush(self._heap, (now, number, other_number))
        for number, other_number in best:
            heappush(self._heap, (top or (0.0, 0), number, other_number))
        return list(best.values())

    def common_roles(self, one: int, other: int) -> tuple[Role, ...]:
        """The roles that two free nodes have in common."""
        common = self._sides[0].bundle_of[one].roles & self._sides[1].bundle_of[other].roles
        return tuple(sorted(role for bit, role in enumerate(self._roles) if common >> bit & 1))


def _rank(first: Bundle, second: Bundle) -> _Rank:
    common = (first.roles & second.roles).bit_count()
    return -common / (first.roles | second.roles).bit_count(), -common
