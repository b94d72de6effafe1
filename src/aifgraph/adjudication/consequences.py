"""The consequences of choices about differences: the nodes that the merged map does not have then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from aifgraph.adjudication.selection import Choice, Joints, Sides, choices_of, sides_kept
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.differences.words import Verbalizer
from aifgraph.graph.nodes import RELATIONS
from aifgraph.printable import quantity, shortened

#: Relations that a choice is said to leave out; letters of a text in them.
_LISTED: Final = 6
_LETTERS: Final = 60


class Consequences(Joints):
    """The consequences of choices about rows; ``cards`` are the numbers of a page's cards, by row."""

    def __init__(self, differences: Differences, cards: Mapping[str, int] | None = None) -> None:
        super().__init__(differences)
        self.cards, self.wording = cards or {}, Verbalizer(differences.alignment)

    def without(self, kept: Mapping[Difference, Sides]) -> set[NodeNumber]:
        """Return the nodes that go if some sides of these rows are kept and all other rows are open."""
        gone: set[NodeNumber] = set()
        for row, sides in kept.items():
            left_out = [node for node in (*row.nodes, *row.follows) if node[0] not in sides]
            if row.kind == "missing" and row.group in ("propositions", "locutions"):  # the rest goes if it is idle
                left_out = [node for node in left_out if self.kind(node) in ("I", "L")]
            gone.update(left_out if row.kind != "scheme" or not sides else ())
        todo = [*gone]
        while todo:
            node = todo.pop()
            for scheme in (*self.neighbours(node), *self.neighbours(self.twins.get(node, node))):
                if scheme not in gone and self.kind(scheme) and self.is_idle(scheme, lambda other: other not in gone):
                    gone.update(self.alike(scheme))
                    todo += self.alike(scheme)
        return gone

    def chains(self) -> dict[NodeNumber, list[list[NodeNumber]]]:
        """Return the scheme nodes that several choices together may leave out: each with groups of nodes of which it
        needs one each, if every node of the group may go."""
        losable = set(self.row_of)
        found: dict[NodeNumber, list[list[NodeNumber]]] = {}
        before = -1
        while before != (before := len(losable) + sum(map(len, found.values()))):
            for scheme in (
                n for node in [*losable] for n in self.neighbours(node) if self.kind(n) not in ("I", "L", "")
            ):
                if groups := [group for group in self.needs(scheme) if losable.issuperset(group)]:
                    found[scheme] = groups
                    losable.add(scheme)
        return found

    def lost_in_words(self, row: Difference) -> dict[Choice, str]:
        """Return what else goes with each choice about a row."""
        chosen = [choice for choice in choices_of(row) if choice != "other"]
        found = {choice: self.in_words(self.lost({row: sides_kept(choice, row)})) for choice in chosen}
        return {choice: words for choice, words in found.items() if words}

    def lost(self, kept: Mapping[Difference, Sides]) -> list[NodeNumber]:
        """Return the scheme nodes that go with choices about rows, and are not in one of them."""
        gone, own = self.without(kept), {node for row in kept for node in row.nodes}
        equal = {(1, self.differences.equal[n]) for side, n in gone if not side and n in self.differences.equal}
        return sorted(n for n in gone - equal - own if self.kind(n) not in ("I", "L"))

    def moved(self, row: Difference, side: int) -> str:
        """Return which relations of a part join the whole if a side's cut is chosen."""
        parts, lost = [node for node in row.nodes if node[0] != side], self.lost({row: frozenset((side,))})
        near = {scheme for part in parts for scheme in self.neighbours(part) if self.kind(scheme) in RELATIONS}
        count = sum(node not in lost and len(self.alike(node)) == 1 for node in near)
        several = row.kind == "cut differently" and len(parts) > 1 and count
        return f"leads {quantity(count, 'relations')} of a part to the whole" if several else ""

    def in_words(self, nodes: Iterable[NodeNumber], card: int = 0) -> str:
        """Return relations, and how many other nodes, with the numbers of their cards where these are others."""
        relations: list[str] = []
        rest: Counter[str] = Counter()
        for node in nodes:
            if self.kind(node) not in RELATIONS:
                rest["illocutions" if self.kind(node) == "YA" else "transitions"] += 1
                continue
            pieces = self.wording.sentence(*node)
            words = "".join(f"“{shortened(p.text, _LETTERS)}”" if p.quoted else p.text for p in pieces)
            near = self.cards.get(self.row_of[node].id, card) if node in self.row_of else card
            relations.append(f"{words} (card {near})" if near != card else words)
        more = [f"{len(relations) - _LISTED} more relations"] if len(relations) > _LISTED else []
        return "; ".join([*relations[:_LISTED], *more, *(quantity(count, noun) for noun, count in rest.items())])
