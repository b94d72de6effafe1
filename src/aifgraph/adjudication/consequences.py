"""The consequences of choices about a difference, before anything is decided: what goes, and what else has to stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Final

from aifgraph.adjudication.selection import Choice, Joints, Sides, choices_of, sides_kept
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.differences.words import Wording
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.rules import validate
from aifgraph.printable import quantity, shortened

#: Rows by id, each with a side, and whether the other side's units must not be chosen.
Group = list[tuple[str, int, bool]]

#: Relations that a choice is said to leave out; letters of a text in them.
_LISTED: Final = 6
_LETTERS: Final = 60


class Consequences(Joints):
    """The consequences of choices about rows; ``cards`` are the numbers of a page's cards, by row."""

    def __init__(self, differences: Differences, cards: Mapping[str, int] = MappingProxyType({})) -> None:
        super().__init__(differences)
        self.cards, self.wording = cards, Wording(differences.alignment)

    def lost_in_words(self, row: Difference) -> dict[Choice, str]:
        """Return what else goes with each choice about a row."""
        chosen = [choice for choice in choices_of(row) if choice != "other"]
        found = {choice: self.in_words(self.lost(row, sides_kept(choice, row)), row) for choice in chosen}
        return {choice: words for choice, words in found.items() if words}

    def lost(self, row: Difference, kept: Sides) -> list[NodeNumber]:
        """Return the other scheme nodes that go if some sides of a row are kept and all other rows are open."""
        gone = {node for node in (*row.nodes, *row.follows) if node[0] not in kept}
        if row.kind == "scheme" and kept:
            return []
        if row.kind == "missing" and row.group in ("propositions", "locutions"):  # the rest goes if it is idle
            gone = {node for node in gone if self.kind(node) in ("I", "L")}
        todo = [*gone]
        while todo:
            node = todo.pop()
            for scheme in (*self.neighbours(node), *self.neighbours(self.twins.get(node, node))):
                if scheme not in gone and self.kind(scheme) and self.is_idle(scheme, lambda other: other not in gone):
                    gone.add(scheme)
                    todo.append(scheme)
        equal = {(1, self.differences.equal[n]) for side, n in gone if not side and n in self.differences.equal}
        return sorted(n for n in gone - equal - {*row.nodes} if self.kind(n) not in ("I", "L"))

    def in_full(self, row: Difference) -> dict[Choice, str]:
        """Return what a choice about a row does besides: what goes, and what joins a whole instead of its part."""
        found = {choice: f"also removes {words}" for choice, words in self.lost_in_words(row).items()}
        choices: tuple[Choice, ...] = ("first", "second") if row.kind == "cut differently" else ()
        for side, choice in enumerate(choices):
            lost, parts = self.lost(row, frozenset((side,))), [node for node in row.nodes if node[0] != side]
            near = {scheme for part in parts for scheme in self.neighbours(part) if self.kind(scheme) in RELATIONS}
            if len(parts) > 1 and (moved := [node for node in near if node not in lost and len(self.alike(node)) == 1]):
                said = f"leads {quantity(len(moved), 'relations')} of a part to the whole"
                found[choice] = "; ".join(filter(None, (found.get(choice), said)))
        return found

    def in_words(self, nodes: Iterable[NodeNumber], row: Difference) -> str:
        """Return which relations, and how many other nodes, go with a row."""
        relations: list[str] = []
        rest: Counter[str] = Counter()
        for node in nodes:
            if self.kind(node) not in RELATIONS:
                rest["illocutions" if self.kind(node) == "YA" else "transitions"] += 1
                continue
            pieces = self.wording.sentence(*node)
            words = "".join(f"“{shortened(p.text, _LETTERS)}”" if p.quoted else p.text for p in pieces)
            near = self.row_of.get(node)
            card = self.cards.get(near.id) if near and near is not row else None
            relations.append(f"{words} (card {card})" if card else words)
        more = [f"{len(relations) - _LISTED} more relations"] if len(relations) > _LISTED else []
        return "; ".join([*relations[:_LISTED], *more, *(quantity(count, noun) for noun, count in rest.items())])

    def needs(self, row: Difference) -> tuple[list[Group], list[Group]]:
        """Return, by side, groups of which a kept relation of the row needs one each: what it starts from, leads
        to, or is anchored in."""
        found: tuple[list[Group], list[Group]] = ([], [])
        for node in (*row.nodes, *row.follows):
            groups: list[Group | None] = []
            if node in row.nodes:
                groups += map(
                    self._deciding, map(chain.from_iterable, zip(*map(self.ends, self.alike(node)), strict=True))
                )
                groups += [[(id_, side, True)] for id_, side in self.cuts(node)]
            if self.kind(node) in RELATIONS and self.anchored:
                groups.append(self._deciding(self._anchors(node)))
            found[node[0]].extend(filter(None, groups))
        return found

    def _anchors(self, node: NodeNumber) -> list[NodeNumber]:
        acts = [act for act in self.neighbours(node) if self.kind(act) == "YA"]
        return [anchor for act in acts for anchor in self.ends(act)[0]]

    @cached_property
    def anchored(self) -> bool:
        """Whether both maps keep the rules of IAT: then every relation of the merged one is anchored in it, too."""
        return not any(validate(analysis.graph, "iat", select="E").errors for analysis in self.analyses)

    def _deciding(self, nodes: Iterable[NodeNumber]) -> Group | None:
        """Return the rows that decide whether any of some nodes stays; None where one does in any case."""
        found: Group = []
        for node in nodes:
            row = self.row_of.get(node)
            inner: Group | None = [(row.id, node[0], False)] if row else None
            if row is None and self.kind(node) == "TA":
                inner = next(filter(None, map(self._deciding, self.ends(node))), None)
            if inner is None:
                return None
            found += inner
        return found
